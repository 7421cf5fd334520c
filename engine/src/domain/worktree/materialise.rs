//! A directory object becomes a directory on disk.

use std::sync::Arc;

use crate::domain::objects::{ObjectReader, Objects, SPOOL_ABOVE, TOO_DEEP};
use crate::domain::{Error, Result};
use crate::format::{EntryTarget, FileMode, MAX_DIRECTORY_DEPTH, ObjectHash, ObjectKind};
use crate::vfs::{self, Directory, File, Mode};

/// The rule that says what a directory may hold.
const RULE: &str = "F-0.3";
/// The longest target of a symbolic link that is written out, in bytes.
const MAX_TARGET_LEN: u64 = 1 << 16;

/// What was written out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Materialised {
    /// Regular files.
    pub files: u64,
    /// Symbolic links.
    pub symlinks: u64,
    /// Directories below the target.
    pub directories: u64,
    /// Links to other repositories' commits, each an empty directory.
    pub links: u64,
    /// Bytes of files.
    pub bytes: u64,
}

/// A directory that is being written: its handle, its path for messages, and the entries still to come.
struct Level {
    directory: Arc<dyn Directory>,
    path: String,
    entries: std::vec::IntoIter<(Vec<u8>, EntryTarget)>,
}

/// Writes the directory object `root` out into `directory`, which must be empty, so that nothing is written over and
/// no symbolic link can lead anywhere. Files are streamed and verified; one whose content is damaged is removed
/// again and ends the work with `Corrupt`. A link to another repository's commit becomes an empty directory.
/// Permissions are the process's defaults, with the execute bit where the mode has it. Nothing is synced.
///
/// Entries whose name is among `refused`, ASCII letters compared without case, are refused before anything of their
/// directory is written: give the names that would mean something to other programs (`.git`) where the content
/// comes from others.
///
/// `Conflict`: the directory is not empty. `Refused`: a name in `refused`, or a link's target that no file system
/// takes. `Outside`: the file system failed; what was written stays.
pub fn materialise(
    objects: &Objects<'_>,
    root: &ObjectHash,
    directory: Arc<dyn Directory>,
    refused: &[&[u8]],
) -> Result<Materialised> {
    let present = directory
        .entries()
        .map_err(|e| Error::outside("the target directory", e))?;
    if let Some(entry) = present.first() {
        let message = format!(
            "the target directory is not empty: it holds \"{}\"",
            entry.name.escape_ascii()
        );
        return Err(Error::conflict(RULE, message));
    }
    let mut done = Materialised::default();
    let mut stack = vec![open(objects, root, directory, String::new(), refused)?];
    while let Some(level) = stack.last_mut() {
        let Some((name, entry)) = level.entries.next() else {
            stack.pop();
            continue;
        };
        let path = format!("{}{}", level.path, name.escape_ascii());
        let outside = |error| Error::outside(path.clone(), error);
        match entry {
            EntryTarget::File {
                mode: FileMode::Symlink,
                hash,
                ..
            } => {
                let target = target(objects, &hash, &path)?;
                level.directory.create_symlink(&name, &target).map_err(outside)?;
                done.symlinks += 1;
            }
            EntryTarget::File { mode, hash, .. } => {
                let mode = if mode == FileMode::Executable {
                    Mode::Executable
                } else {
                    Mode::Shared
                };
                done.bytes += write_file(objects, &hash, &*level.directory, &name, mode, &path)?;
                done.files += 1;
            }
            EntryTarget::Link(_) => {
                level.directory.create_directory(&name, Mode::Shared).map_err(outside)?;
                done.links += 1;
            }
            EntryTarget::Directory { hash, .. } => {
                level.directory.create_directory(&name, Mode::Shared).map_err(outside)?;
                let below = level.directory.open_directory(&name).map_err(outside)?;
                if stack.len() > MAX_DIRECTORY_DEPTH {
                    return Err(TOO_DEEP);
                }
                stack.push(open(objects, &hash, below, path + "/", refused)?);
                done.directories += 1;
            }
        }
    }
    Ok(done)
}

fn open(
    objects: &Objects<'_>,
    hash: &ObjectHash,
    directory: Arc<dyn Directory>,
    path: String,
    refused: &[&[u8]],
) -> Result<Level> {
    let mut entries = Vec::new();
    for entry in objects.directory(hash)?.entries() {
        let entry = entry?;
        if refused.iter().any(|name| name.eq_ignore_ascii_case(entry.name)) {
            let message = format!("{path}{} is a name that is not written out", entry.name.escape_ascii());
            return Err(Error::refused(RULE, message));
        }
        entries.push((entry.name.to_vec(), entry.target));
    }
    Ok(Level {
        directory,
        path,
        entries: entries.into_iter(),
    })
}

/// Writes one file, and answers its length. Content that fits in memory is verified before a byte is written.
fn write_file(
    objects: &Objects<'_>,
    hash: &ObjectHash,
    directory: &dyn Directory,
    name: &[u8],
    mode: Mode,
    path: &str,
) -> Result<u64> {
    let outside = |error| Error::outside(path, error);
    let (index, object) = objects.require(hash, ObjectKind::Blob)?;
    if object.payload.len() <= SPOOL_ABOVE as u64 {
        let content = objects.read(index)?;
        let file = directory.create_file(name, mode).map_err(outside)?;
        vfs::write_all_at(&*file, 0, &content).map_err(outside)?;
        return Ok(content.len() as u64);
    }
    let mut reader = objects.reader(index)?;
    let file = directory.create_file(name, mode).map_err(outside)?;
    let copied = copy(&mut reader, &*file, path);
    if copied.is_err() {
        // The first error is the one to tell; a file left behind here is half a file of an unfinished work.
        let _ = directory.remove_file(name);
    }
    copied
}

fn copy(reader: &mut ObjectReader<'_>, file: &dyn File, path: &str) -> Result<u64> {
    let mut chunk = vec![0; 1 << 16];
    let mut position = 0;
    loop {
        let len = reader.read_chunk(&mut chunk)?;
        if len == 0 {
            return Ok(position);
        }
        let bytes = chunk.get(..len).unwrap_or_default();
        vfs::write_all_at(file, position, bytes).map_err(|e| Error::outside(path, e))?;
        position += len as u64;
    }
}

fn target(objects: &Objects<'_>, hash: &ObjectHash, path: &str) -> Result<Vec<u8>> {
    let (index, object) = objects.require(hash, ObjectKind::Blob)?;
    if object.payload.is_empty() || object.payload.len() > MAX_TARGET_LEN {
        let message = format!("{path}: a symbolic link's target of {} bytes", object.payload.len());
        return Err(Error::refused(RULE, message));
    }
    let target = objects.read(index)?;
    if target.contains(&0) {
        return Err(Error::refused(
            RULE,
            format!("{path}: a symbolic link's target contains NUL"),
        ));
    }
    Ok(target)
}
