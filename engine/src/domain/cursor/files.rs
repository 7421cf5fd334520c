//! The cursor's file: looked at, loaded, replaced, removed.

use std::io;

use crate::disk::{self, DurableDirectory, DurableFile, LockWait, replace_file};
use crate::domain::{Error, Result};
use crate::format::{CURSOR_DIRECTORY, Cursor};
use crate::store;
use crate::vfs::{Access, LockMode};

const FILE: &str = "cursor.bin";
const LOCK: &str = "cursor.lock";

/// What stands under the cursor's name.
enum Found {
    Nothing,
    Cursor(Cursor),
    /// Anything else, with what is wrong with it.
    Defect(String),
}

/// The cursor of the worktree, if it has a sound one. Nothing is changed, whatever is found.
///
/// # Errors
/// The operating system's, and a symbolic link in place of `.ait-worktree`; never for what the file holds.
pub fn look(worktree: &DurableDirectory) -> Result<Option<Cursor>> {
    let Some(directory) = existing(worktree)? else {
        return Ok(None);
    };
    Ok(match read(&directory)? {
        Found::Cursor(cursor) => Some(cursor).filter(|cursor| !cursor.cleared),
        Found::Nothing | Found::Defect(_) => None,
    })
}

/// The cursor of the worktree, if it has a sound one; one with a defect is removed (G04, assigned by us).
///
/// # Errors
/// As [`look`]; `Busy` where another one writes and `wait` does not wait; and where the file cannot be removed.
pub fn load(worktree: &DurableDirectory, wait: LockWait) -> Result<Option<Cursor>> {
    let Some(directory) = existing(worktree)? else {
        return Ok(None);
    };
    if let Found::Defect(_) = read(&directory)? {
        let _lock = lock(&directory, wait)?;
        // Somebody may have replaced it meanwhile.
        if let Found::Defect(defect) = read(&directory)? {
            tracing::warn!(path = directory.path_of(FILE), defect, "removing a cursor that is none");
            remove(&directory)?;
        }
    }
    look(worktree)
}

/// Replaces the worktree's cursor as a whole. A cursor that is set to cleared reads as none.
///
/// # Errors
/// `Refused` by the rule that the cursor breaks; `Busy`; the operating system's. The old cursor is then the one that
/// reads, or, where the failure came after the rename, either of the two.
pub fn save(worktree: &DurableDirectory, cursor: &Cursor, wait: LockWait) -> Result<()> {
    let bytes = cursor
        .encode_file()
        .map_err(|error| Error::refused(error.rule, error.to_string()))?;
    let directory = match existing(worktree)? {
        Some(directory) => directory,
        None => create(worktree)?,
    };
    let _lock = lock(&directory, wait)?;
    let replaced = replace_file(&directory, FILE, &bytes).map_err(not_happened)?;
    replaced.settle().map_err(unknown)
}

/// Removes the worktree's cursor, sound or not.
///
/// # Errors
/// `Busy`; the operating system's.
pub fn clear(worktree: &DurableDirectory, wait: LockWait) -> Result<()> {
    let Some(directory) = existing(worktree)? else {
        return Ok(());
    };
    let _lock = lock(&directory, wait)?;
    remove(&directory)
}

/// The worktree's `.ait-worktree`, if it is there. A symbolic link in its place is refused: what is written through it
/// would be another directory's.
fn existing(worktree: &DurableDirectory) -> Result<Option<DurableDirectory>> {
    match worktree.open_directory(CURSOR_DIRECTORY) {
        Ok(directory) => Ok(Some(directory)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(not_happened(error)),
    }
}

/// Creates `.ait-worktree`; another one may do so at the same time.
fn create(worktree: &DurableDirectory) -> Result<DurableDirectory> {
    let directory = match worktree.create_directory(CURSOR_DIRECTORY) {
        Err(error) if already_exists(&error) => worktree.open_directory(CURSOR_DIRECTORY),
        other => other,
    }
    .map_err(not_happened)?;
    worktree.sync().map_err(not_happened)?;
    Ok(directory)
}

/// Keeps other writers out as long as the file is open.
fn lock(directory: &DurableDirectory, wait: LockWait) -> Result<DurableFile> {
    let file = match directory.open_file(LOCK, Access::ReadWrite) {
        Err(error) if error.is_not_found() => match directory.create_file(LOCK, &[]) {
            Err(error) if already_exists(&error) => directory.open_file(LOCK, Access::ReadWrite),
            other => other,
        },
        other => other,
    }
    .map_err(not_happened)?;
    if file
        .lock(LockMode::Exclusive, wait == LockWait::Block)
        .map_err(not_happened)?
    {
        return Ok(file);
    }
    Err(not_happened(disk::Error::Busy {
        path: file.path().to_owned(),
        holder: None,
    }))
}

fn read(directory: &DurableDirectory) -> Result<Found> {
    let file = match directory.open_file(FILE, Access::Read) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(Found::Nothing),
        Err(disk::Error::Refused { message, .. }) => return Ok(Found::Defect(message)),
        Err(error) => return Err(not_happened(error)),
    };
    // One byte more than a cursor has tells that the file is too long.
    let mut bytes = [0; Cursor::FILE_LEN + 1];
    let len = file.read_up_to(0, &mut bytes).map_err(not_happened)?;
    Ok(match Cursor::decode_file(bytes.get(..len).unwrap_or(&bytes)) {
        Ok(cursor) => Found::Cursor(cursor),
        Err(error) => Found::Defect(error.to_string()),
    })
}

fn remove(directory: &DurableDirectory) -> Result<()> {
    match directory.remove_file(FILE) {
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(not_happened(error)),
        Ok(()) => directory.sync().map_err(unknown),
    }
}

fn already_exists(error: &disk::Error) -> bool {
    matches!(error, disk::Error::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists)
}

fn not_happened(error: disk::Error) -> Error {
    store::Error::from(error).into()
}

/// A failure after the name had changed: whether the change lasts is not known.
fn unknown(error: disk::Error) -> Error {
    store::Error::Unknown(Box::new(error.into())).into()
}
