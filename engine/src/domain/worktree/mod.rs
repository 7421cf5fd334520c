//! Directories on disk: taken into objects, and written out from them.
//!
//! A worktree belongs to no root, so nothing here is synced and nothing here is authority. All work is relative to
//! the handle of the directory that the caller opened; symbolic links are read and made, never followed.

pub mod capture;
pub mod materialise;
#[cfg(test)]
mod tests;

use crate::format::CURSOR_DIRECTORY;

pub use capture::{Capture, Captured};
pub use materialise::{Materialised, materialise};

/// The directory of a worktree's own runtime files; never part of a Snapshot (W-CURSOR-05).
pub const RUNTIME_DIRECTORY: &[u8] = CURSOR_DIRECTORY.as_bytes();
