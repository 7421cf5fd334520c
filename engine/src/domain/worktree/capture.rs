//! A directory on disk becomes a directory object, in one transaction or in several.

use std::io;
use std::sync::Arc;

use super::RUNTIME_DIRECTORY;
use crate::domain::objects::{self, FoldCache, Objects, Put, PutOutcome, SPOOL_ABOVE, TOO_DEEP};
use crate::domain::{Error, Result};
use crate::format::{DirectoryEntry, EntryTarget, FileMode, MAX_DIRECTORY_DEPTH, ObjectHash, ObjectKind};
use crate::store::Transaction;
use crate::vfs;

/// The rule that says what a directory may hold.
const RULE: &str = "F-0.3";

/// What a captured directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The hash of its directory object.
    pub root: ObjectHash,
    /// Objects that were not stored before.
    pub added: u64,
    /// Objects that were stored already.
    pub existing: u64,
}

/// The capture of a directory on disk, which goes on over as many transactions of the object zone as its size needs.
///
/// Files keep the owner's execute bit and nothing else of their permissions; a symbolic link's target is kept as
/// it is; empty directories are kept; nothing tells another repository's worktree from any directory. Devices,
/// sockets and pipes are refused. Excluded names are left out at every depth, `.ait-worktree` at the top
/// (W-CURSOR-05). A file that changes meanwhile is taken as it was read.
pub struct Capture {
    excluded: Vec<Vec<u8>>,
    stack: Vec<Level>,
    captured: Option<Captured>,
    added: u64,
    existing: u64,
}

/// A directory that is being read: what is still to be taken, and what has been.
struct Level {
    name: Vec<u8>,
    directory: Arc<dyn vfs::Directory>,
    entries: std::vec::IntoIter<vfs::Entry>,
    taken: Vec<Taken>,
}

struct Taken {
    name: Vec<u8>,
    target: EntryTarget,
}

impl Capture {
    /// Starts the capture of `directory`, leaving out everything whose name is among `excluded`.
    pub fn new(directory: Arc<dyn vfs::Directory>, excluded: &[&[u8]]) -> Result<Self> {
        let mut capture = Self {
            excluded: excluded.iter().map(|name| name.to_vec()).collect(),
            stack: Vec::new(),
            captured: None,
            added: 0,
            existing: 0,
        };
        capture.open(Vec::new(), directory)?;
        Ok(capture)
    }

    /// Puts files and directories until all is taken, or until about `budget` bytes are pending: then it answers
    /// `None`, and is to be called again with the next transaction once this one is committed. After an error, or
    /// after a transaction that was not committed, start anew: what is stored already costs a comparison only.
    pub fn run(&mut self, txn: &mut Transaction<'_>, budget: u64, cache: &mut FoldCache) -> Result<Option<Captured>> {
        let mut pending = 0;
        while self.captured.is_none() && pending < budget {
            pending += self.step(txn, cache)?;
        }
        Ok(self.captured)
    }

    /// Takes one entry, or finishes one directory; answers how many bytes that made pending.
    fn step(&mut self, txn: &mut Transaction<'_>, cache: &mut FoldCache) -> Result<u64> {
        let Some(level) = self.stack.last_mut() else {
            return Ok(0);
        };
        let Some(entry) = level.entries.next() else {
            return self.finish(txn, cache);
        };
        let directory = Arc::clone(&level.directory);
        let path = || self.path(&entry.name);
        let (mode, put) = match entry.kind {
            vfs::EntryKind::Directory => {
                let below = directory
                    .open_directory(&entry.name)
                    .map_err(|e| Error::outside(path(), e))?;
                self.open(entry.name, below)?;
                return Ok(0);
            }
            vfs::EntryKind::File { executable } => {
                let mode = if executable {
                    FileMode::Executable
                } else {
                    FileMode::Plain
                };
                let file = open_file(&*directory, &entry.name).map_err(|e| Error::outside(path(), e))?;
                let mut reader = FileReader { file, position: 0 };
                let put = objects::put(txn, ObjectKind::Blob, &mut reader, cache).map_err(|e| named(e, path()))?;
                (mode, put)
            }
            vfs::EntryKind::Symlink => {
                let target = directory
                    .read_symlink(&entry.name)
                    .map_err(|e| Error::outside(path(), e))?;
                (FileMode::Symlink, objects::put_blob(txn, &target)?)
            }
            vfs::EntryKind::Other => {
                let message = format!("{} is neither file, directory nor symbolic link", path());
                return Err(Error::refused(RULE, message));
            }
        };
        let target = EntryTarget::File {
            mode,
            size: put.len,
            hash: put.hash,
        };
        self.take(
            Taken {
                name: entry.name,
                target,
            },
            put,
        );
        Ok(pending(&put))
    }

    fn finish(&mut self, txn: &mut Transaction<'_>, cache: &mut FoldCache) -> Result<u64> {
        let Some(level) = self.stack.pop() else { return Ok(0) };
        let entries: Vec<DirectoryEntry<'_>> = level.taken.iter().map(Taken::entry).collect();
        let put = objects::put_directory(txn, &entries, cache)?;
        let size = Objects::new(txn)?.fold(&put.hash, cache)?.total_bytes;
        self.take(
            Taken {
                name: level.name,
                target: EntryTarget::Directory { size, hash: put.hash },
            },
            put,
        );
        if self.stack.is_empty() {
            self.captured = Some(Captured {
                root: put.hash,
                added: self.added,
                existing: self.existing,
            });
        }
        Ok(pending(&put))
    }

    fn take(&mut self, taken: Taken, put: Put) {
        match put.outcome {
            PutOutcome::Existing => self.existing += 1,
            PutOutcome::Added | PutOutcome::Healed => self.added += 1,
        }
        if let Some(above) = self.stack.last_mut() {
            above.taken.push(taken);
        }
    }

    fn open(&mut self, name: Vec<u8>, directory: Arc<dyn vfs::Directory>) -> Result<()> {
        let top = self.stack.is_empty();
        if self.stack.len() > MAX_DIRECTORY_DEPTH {
            return Err(TOO_DEEP);
        }
        let mut entries = directory.entries().map_err(|e| Error::outside(self.path(&name), e))?;
        entries.retain(|entry| {
            let runtime = top && entry.name == RUNTIME_DIRECTORY;
            !runtime && !self.excluded.contains(&entry.name)
        });
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        self.stack.push(Level {
            name,
            directory,
            entries: entries.into_iter(),
            taken: Vec::new(),
        });
        Ok(())
    }

    /// The path of `name` in the directory on top, for messages.
    fn path(&self, name: &[u8]) -> String {
        let mut path = String::new();
        for above in self.stack.iter().skip(1) {
            path.push_str(&above.name.escape_ascii().to_string());
            path.push('/');
        }
        path.push_str(&name.escape_ascii().to_string());
        path
    }
}

impl Taken {
    fn entry(&self) -> DirectoryEntry<'_> {
        DirectoryEntry {
            name: &self.name,
            target: self.target,
        }
    }
}

/// The bytes that a put holds in memory until the commit.
fn pending(put: &Put) -> u64 {
    const RECORD: u64 = 256;
    match put.outcome {
        PutOutcome::Existing => 0,
        _ if put.len > SPOOL_ABOVE as u64 => RECORD,
        _ => put.len + RECORD,
    }
}

fn named(error: Error, path: String) -> Error {
    match error {
        Error::Outside { source, .. } => Error::outside(path, source),
        other => other,
    }
}

fn open_file(directory: &dyn vfs::Directory, name: &[u8]) -> io::Result<Arc<dyn vfs::File>> {
    let file = directory.open_file(name, vfs::Access::Read)?;
    // Between the listing and the opening another kind of file may have taken the name.
    if !file.metadata()?.is_file {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is no longer a regular file",
        ));
    }
    Ok(file)
}

struct FileReader {
    file: Arc<dyn vfs::File>,
    position: u64,
}

impl io::Read for FileReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read_at(self.position, out)?;
        self.position += len as u64;
        Ok(len)
    }
}
