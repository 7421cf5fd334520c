//! The list of files of each authority.

use super::layout::{IndexLayout, Layout};

/// An authority: the closed inventory of files that one kind of root has.
#[derive(Debug)]
pub struct Authority {
    /// Its name: `local`, `object`, …
    pub name: &'static str,
    /// Its zones, in lock order.
    pub zones: &'static [&'static ZoneLayout],
}

/// One zone of an authority: the unit of locking, undo and recovery.
#[derive(Debug)]
pub struct ZoneLayout {
    /// Its name, and the stem of its runtime files.
    pub name: &'static str,
    /// The lock file's name.
    pub lock_file: &'static str,
    /// The gate file's name.
    pub gate_file: &'static str,
    /// The recovery store's name.
    pub undo_file: &'static str,
    /// Its families. Every one has its files from the creation of the root on.
    pub families: &'static [&'static Layout],
    /// Its rebuildable indexes; optional files.
    pub indexes: &'static [&'static IndexLayout],
}
