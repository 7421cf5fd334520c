//! The cursor of a worktree, which belongs to no store.
//!
//! It is disposable state of one machine, in `.ait-worktree/cursor.bin` below the worktree: which Task and Change the
//! worktree is used for, and what a Land in work is about (W-CURSOR-01 to W-CURSOR-06). Losing it damages nothing; no
//! history, export, backup or Snapshot has it. A cursor with any defect counts as none. Nothing here opens a store: the
//! indexes in a cursor may name records that are not there, and whoever uses them looks.
//!
//! ```
//! use graven::format::TaskIndex;
//! use graven::{Options, UnixSeconds, cursor};
//!
//! # let worktree = tempfile::tempdir().unwrap();
//! # let worktree = worktree.path();
//! let options = Options::new([7; 32]);
//! let selected = cursor::Cursor {
//!     task: TaskIndex::new(0),
//!     ..cursor::Cursor::new(UnixSeconds(1_700_000_000))
//! };
//! cursor::save(worktree, &selected, &options)?;
//! assert_eq!(cursor::load(worktree, &options)?, Some(selected));
//! cursor::clear(worktree, &options)?;
//! assert_eq!(cursor::load(worktree, &options)?, None);
//! # Ok::<(), graven::Error>(())
//! ```

use std::io;
use std::path::Path;

use super::error::{Error, ErrorKind, Result};
use super::options::Options;
use crate::disk::{self, DurableDirectory};
use crate::domain::cursor;
pub use crate::format::Cursor;

/// The cursor of the worktree, if it has a sound one. One with a defect counts as none and is removed; with options for
/// reading only nothing is changed, whatever is found.
///
/// `NotFound`: there is no such directory. `Busy`: another one writes. `Io`, `Permission`: the file system's answer, and
/// a symbolic link in place of `.ait-worktree`.
pub fn load(worktree: impl AsRef<Path>, options: &Options) -> Result<Option<Cursor>> {
    let worktree = open(worktree.as_ref(), options)?;
    Ok(if options.read_only {
        cursor::look(&worktree)?
    } else {
        cursor::load(&worktree, options.wait)?
    })
}

/// Replaces the worktree's cursor as a whole, durably. A kill or a power cut at any instant leaves the old cursor, the
/// new one or none.
///
/// `Refused`: a time that is 0, or a Change without a Task. Else as [`load`], and `Usage` with options for reading only.
pub fn save(worktree: impl AsRef<Path>, cursor: &Cursor, options: &Options) -> Result<()> {
    let worktree = open_for_writing(worktree.as_ref(), options)?;
    Ok(cursor::save(&worktree, cursor, options.wait)?)
}

/// Removes the worktree's cursor, sound or not; a worktree without one is fine.
///
/// As [`load`], and `Usage` with options for reading only.
pub fn clear(worktree: impl AsRef<Path>, options: &Options) -> Result<()> {
    let worktree = open_for_writing(worktree.as_ref(), options)?;
    Ok(cursor::clear(&worktree, options.wait)?)
}

fn open_for_writing(path: &Path, options: &Options) -> Result<DurableDirectory> {
    if options.read_only {
        return Err(Error::usage("a cursor is not written with options for reading only"));
    }
    open(path, options)
}

fn open(path: &Path, options: &Options) -> Result<DurableDirectory> {
    let shown = path.display().to_string();
    match options.vfs.open_directory(path) {
        Ok(directory) => Ok(DurableDirectory::new(directory, shown)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            let message = format!("there is no worktree {shown}");
            Err(Error::new(ErrorKind::NotFound, message))
        }
        Err(source) => Err(disk::Error::io(shown, "open", source).into()),
    }
}
