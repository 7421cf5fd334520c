//! The one place that syncs, renames and removes: files and directories whose errors carry their path.
//!
//! What a sync here does *not* promise: after a failed one nothing is known about the bytes that were written before
//! it, and a later successful one proves nothing about them. Whoever gets an error from [`DurableFile::sync`] must
//! stop using the file until recovery has written and synced everything again.

use std::io;
use std::sync::Arc;

use crate::vfs::{self, Access, Directory, Entry, EntryKind, File, LockMode, Mode, Vfs};

use super::error::{Error, Result};

/// What opening a symlink with `O_NOFOLLOW` answers.
const SYMLINK_IN_THE_WAY: i32 = rustix::io::Errno::LOOP.raw_os_error();

/// An open file with the path it is spoken of by.
#[derive(Clone, Debug)]
pub struct DurableFile {
    file: Arc<dyn File>,
    path: Arc<str>,
}

impl DurableFile {
    /// The file's path, for messages.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Wraps an error of this file.
    pub fn error(&self, action: &'static str, source: io::Error) -> Error {
        Error::io(&*self.path, action, source)
    }

    /// Reads all of `buf` at `offset`. A file that ends before is an `UnexpectedEof`.
    pub fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        vfs::read_exact_at(&*self.file, offset, buf).map_err(|source| self.error("read", source))
    }

    /// Reads until `buf` is full or the file ends; answers how many bytes.
    pub fn read_up_to(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        vfs::read_up_to(&*self.file, offset, buf).map_err(|source| self.error("read", source))
    }

    /// Writes all of `buf` at `offset`.
    pub fn write_all_at(&self, offset: u64, buf: &[u8]) -> Result<()> {
        vfs::write_all_at(&*self.file, offset, buf).map_err(|source| self.error("write", source))
    }

    /// Sets the length.
    pub fn set_len(&self, len: u64) -> Result<()> {
        loop {
            match self.file.set_len(len) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|source| self.error("set the length of", source)),
            }
        }
    }

    /// Sets the length also where the file seems to have it: after a failed sync the length that is read may not be
    /// the one on the disk, and setting a length to what it reads as does nothing.
    pub fn reassert_len(&self, len: u64) -> Result<()> {
        if self.len()? == len && !planted!("trust_the_length_that_is_read") {
            self.set_len(len.saturating_add(1))?;
        }
        self.set_len(len)
    }

    /// Reserves blocks for growth, where the file system can.
    pub fn reserve(&self, offset: u64, len: u64) -> Result<()> {
        loop {
            match self.file.reserve(offset, len) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => {
                    return other.map(drop).map_err(|source| self.error("reserve space", source));
                }
            }
        }
    }

    /// Makes bytes and length durable. Never retried.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|source| self.error("sync", source))
    }

    /// Makes several files durable at once; the first error in their order is the answer. Never retried.
    pub fn sync_together(vfs: &dyn Vfs, files: &[&Self]) -> Result<()> {
        let handles: Vec<&dyn File> = files.iter().map(|file| &*file.file).collect();
        let synced = vfs.sync_together(&handles);
        let mut both = files.iter().zip(synced);
        both.try_for_each(|(file, synced)| synced.map_err(|source| file.error("sync", source)))
    }

    /// The length in bytes.
    pub fn len(&self) -> Result<u64> {
        self.file
            .metadata()
            .map(|metadata| metadata.len)
            .map_err(|source| self.error("look at", source))
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Takes the advisory lock; `false` where another holds it and `wait` is not set.
    pub fn lock(&self, mode: LockMode, wait: bool) -> Result<bool> {
        loop {
            match self.file.lock(mode, wait) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|source| self.error("lock", source)),
            }
        }
    }

    /// Gives the lock up. An error is of no use to anyone: the kernel drops the lock with the descriptor.
    pub fn unlock(&self) {
        if let Err(error) = self.file.unlock() {
            tracing::warn!(path = &*self.path, %error, "unlocking failed");
        }
    }
}

/// An open directory with the path it is spoken of by.
#[derive(Clone, Debug)]
pub struct DurableDirectory {
    directory: Arc<dyn Directory>,
    path: Arc<str>,
}

impl DurableDirectory {
    /// Wraps an open directory.
    pub fn new(directory: Arc<dyn Directory>, path: impl Into<Arc<str>>) -> Self {
        Self {
            directory,
            path: path.into(),
        }
    }

    /// The directory's path, for messages.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The handle itself, for calls that carry no durability.
    pub fn handle(&self) -> &Arc<dyn Directory> {
        &self.directory
    }

    /// The path of an entry, for messages.
    pub fn path_of(&self, name: &str) -> String {
        match &*self.path {
            "" | "." => name.to_owned(),
            path => format!("{}/{name}", path.trim_end_matches('/')),
        }
    }

    fn error(&self, name: &str, action: &'static str, source: io::Error) -> Error {
        Error::io(self.path_of(name), action, source)
    }

    /// Opens a directory inside this one.
    pub fn open_directory(&self, name: &str) -> Result<Self> {
        let directory = self
            .directory
            .open_directory(name.as_bytes())
            .map_err(|source| self.error(name, "open", source))?;
        Ok(Self::new(directory, self.path_of(name)))
    }

    /// Creates a private directory and opens it. Durable after [`Self::sync`].
    pub fn create_directory(&self, name: &str) -> Result<Self> {
        self.directory
            .create_directory(name.as_bytes(), Mode::Private)
            .map_err(|source| self.error(name, "create", source))?;
        self.open_directory(name)
    }

    /// Opens a file that must be a regular one with a single name: a symlink, a hard link or a device in its place is
    /// refused, since locks and bytes would then be another file's.
    pub fn open_file(&self, name: &str, access: Access) -> Result<DurableFile> {
        let file = match self.directory.open_file(name.as_bytes(), access) {
            Ok(file) => file,
            Err(source) if source.raw_os_error() == Some(SYMLINK_IN_THE_WAY) => {
                return Err(self.refused(name, "it is a symlink"));
            }
            Err(source) => return Err(self.error(name, "open", source)),
        };
        let metadata = file.metadata().map_err(|source| self.error(name, "look at", source))?;
        if !metadata.is_file {
            return Err(self.refused(name, "it is not a regular file"));
        }
        if metadata.links == 0 {
            // It was removed between its opening and this look.
            return Err(self.error(name, "open", io::ErrorKind::NotFound.into()));
        }
        if metadata.links != 1 {
            return Err(self.refused(name, "it has more than one hard link"));
        }
        Ok(DurableFile {
            file,
            path: self.path_of(name).into(),
        })
    }

    fn refused(&self, name: &str, message: &str) -> Error {
        Error::Refused {
            path: self.path_of(name),
            rule: "F-1",
            message: message.to_owned(),
        }
    }

    /// Creates a private file with these bytes and syncs it; the name is durable after [`Self::sync`].
    pub fn create_file(&self, name: &str, bytes: &[u8]) -> Result<DurableFile> {
        let file = self
            .directory
            .create_file(name.as_bytes(), Mode::Private)
            .map_err(|source| self.error(name, "create", source))?;
        let file = DurableFile {
            file,
            path: self.path_of(name).into(),
        };
        file.write_all_at(0, bytes)?;
        if !planted!("create_a_file_without_syncing_it") {
            file.sync()?;
        }
        Ok(file)
    }

    /// Creates a file without a name.
    pub fn create_unnamed(&self) -> Result<DurableFile> {
        let file = self
            .directory
            .create_unnamed()
            .map_err(|source| self.error("(unnamed)", "create", source))?;
        Ok(DurableFile {
            file,
            path: self.path_of("(unnamed)").into(),
        })
    }

    /// Renames an entry, replacing a file of that name.
    pub fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.directory
            .rename(from.as_bytes(), to.as_bytes())
            .map_err(|source| self.error(from, "rename", source))
    }

    /// Renames an entry where nothing has the new name; the error's kind is then `AlreadyExists`.
    pub fn rename_new(&self, from: &str, to: &str) -> Result<()> {
        self.directory
            .rename_new(from.as_bytes(), to.as_bytes())
            .map_err(|source| self.error(to, "create", source))
    }

    /// Removes a file.
    pub fn remove_file(&self, name: &str) -> Result<()> {
        self.directory
            .remove_file(name.as_bytes())
            .map_err(|source| self.error(name, "remove", source))
    }

    /// Removes an empty directory.
    pub fn remove_directory(&self, name: &str) -> Result<()> {
        self.directory
            .remove_directory(name.as_bytes())
            .map_err(|source| self.error(name, "remove", source))
    }

    /// Removes all that is in this directory but the entry `kept`. Symlinks are removed, never followed.
    pub fn remove_entries(&self, kept: Option<&str>) -> Result<()> {
        for entry in self
            .entries()?
            .into_iter()
            .filter(|entry| kept.is_none_or(|kept| entry.name != kept.as_bytes()))
        {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            if entry.kind == EntryKind::Directory {
                self.open_directory(&name)?.remove_entries(None)?;
                self.remove_directory(&name)?;
            } else {
                self.directory
                    .remove_file(&entry.name)
                    .map_err(|source| self.error(&name, "remove", source))?;
            }
        }
        Ok(())
    }

    /// The entries, sorted by name.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        self.directory
            .entries()
            .map_err(|source| Error::io(&*self.path, "list", source))
    }

    /// Makes creations, renames and removals in this directory durable.
    pub fn sync(&self) -> Result<()> {
        self.directory
            .sync()
            .map_err(|source| Error::io(&*self.path, "sync", source))
    }
}
