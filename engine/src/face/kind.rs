//! The kinds of root a local store has, as types: a view of one cannot be asked for the records of another.

use crate::format::{Authority, LOCAL_AUTHORITY, OBJECT_AUTHORITY, store_file};

/// The kind of a root.
pub trait Kind: sealed::Sealed + Send + Sync + 'static {
    /// The root's directory inside the store.
    const DIRECTORY: &'static str;

    /// The root's authority: its closed list of files.
    fn authority() -> &'static Authority;
}

/// The workflow root: Lines, Tags, Snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workflow {}

/// The object root: contents of files, and directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objects {}

impl Kind for Workflow {
    const DIRECTORY: &'static str = store_file::WORKFLOW_DIRECTORY;

    fn authority() -> &'static Authority {
        &LOCAL_AUTHORITY
    }
}

impl Kind for Objects {
    const DIRECTORY: &'static str = store_file::OBJECTS_DIRECTORY;

    fn authority() -> &'static Authority {
        &OBJECT_AUTHORITY
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Workflow {}
    impl Sealed for super::Objects {}
}
