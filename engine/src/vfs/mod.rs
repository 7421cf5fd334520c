//! The one face to the file system.
//!
//! Uses: nothing of the crate. [`Vfs`], [`Directory`] and [`File`] have two implementations: [`os`] (the real one,
//! on rustix) and, behind the feature `fault`, an in-memory disk that kills, cuts and fails. Every path operation
//! is relative to a directory handle and takes one name, never a path, so nothing can lead outside a directory.
//!
//! Errors are [`std::io::Error`]s that carry the operating system's code; the floors above add the file's name.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "fault")]
pub mod fault;
#[cfg(all(test, loom, feature = "fault"))]
pub(crate) mod interleaved;
mod name;
pub mod os;

/// A file system: where directory handles come from.
pub trait Vfs: fmt::Debug + Send + Sync {
    /// Opens the directory at `path`. The last component may be a symlink (operators use them).
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>>;

    /// The identity of the calling process, so that a handle can tell that it was carried through a `fork`.
    fn process_id(&self) -> u32;

    /// Makes the bytes and lengths of several files durable, each as [`File::sync_data`] does; answers in their order.
    /// Every one is tried, also behind one that fails. In which order they reach the medium is open.
    fn sync_together(&self, files: &[&dyn File]) -> Vec<io::Result<()>> {
        files.iter().map(|file| file.sync_data()).collect()
    }
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// For reading only.
    Read,
    /// For reading and writing.
    ReadWrite,
}

/// The permissions a new file gets (the process's umask still applies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 0600 for files, 0700 for directories: everything inside a root.
    Private,
    /// 0666 for files, 0777 for directories, less the umask: what a checkout writes.
    Shared,
    /// 0777 less the umask: an executable file of a checkout.
    Executable,
}

/// What a directory entry is. Symlinks are never followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file; `executable` tells the owner's execute bit.
    File {
        /// Whether the owner may execute it.
        executable: bool,
    },
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device, a socket or a pipe.
    Other,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The entry's name, as the file system has it.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
}

/// What is known of an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Whether it is a regular file.
    pub is_file: bool,
    /// The number of hard links.
    pub links: u64,
    /// Its length in bytes.
    pub len: u64,
}

/// Whether a directory lies on a file system whose locks and syncs reach one kernel only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// A local file system.
    Local,
    /// A network file system, with its `statfs` magic number.
    Network(u64),
}

/// The mode of an advisory lock (`flock`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMode {
    /// Shared with other readers.
    Shared,
    /// Exclusive.
    Exclusive,
}

/// An open directory. All names are single components: an empty name, `.`, `..`, and a name with `/` or NUL are
/// refused with `InvalidInput`.
pub trait Directory: fmt::Debug + Send + Sync {
    /// Opens a directory inside this one; a symlink is refused.
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>>;

    /// Creates a directory; fails with `AlreadyExists` if anything has that name.
    fn create_directory(&self, name: &[u8], mode: Mode) -> io::Result<()>;

    /// Opens an existing file. A symlink is refused; whether it is a regular file with one link is told by
    /// [`File::metadata`]. Never blocks on a pipe.
    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>>;

    /// Creates a file for reading and writing; fails with `AlreadyExists` if anything has that name.
    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>>;

    /// Creates a file without a name (`O_TMPFILE`) in this directory's file system: it vanishes with its last handle.
    fn create_unnamed(&self) -> io::Result<Arc<dyn File>>;

    /// Renames an entry of this directory, replacing `to` where it is a file.
    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()>;

    /// Renames an entry of this directory; fails with `AlreadyExists` where `to` exists (atomically).
    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()>;

    /// Removes a file or a symlink.
    fn remove_file(&self, name: &[u8]) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_directory(&self, name: &[u8]) -> io::Result<()>;

    /// Creates a symlink.
    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()>;

    /// Reads a symlink's target.
    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>>;

    /// All entries but `.` and `..`, sorted by name.
    fn entries(&self) -> io::Result<Vec<Entry>>;

    /// Makes creations, renames and removals in this directory durable.
    fn sync(&self) -> io::Result<()>;

    /// What kind of file system this directory lies on.
    fn file_system(&self) -> io::Result<FileSystem>;
}

/// An open file. Offsets are absolute; there is no position and no `O_APPEND`.
pub trait File: fmt::Debug + Send + Sync {
    /// Reads at most `buf.len()` bytes at `offset`; may be short, 0 at the end of the file. May answer `Interrupted`.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// Writes at most `buf.len()` bytes at `offset`; may be short. May answer `Interrupted`.
    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize>;

    /// Sets the length.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Reserves blocks for `len` bytes at `offset` without changing the length. `false` where the file system
    /// cannot reserve.
    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool>;

    /// Makes the file's bytes and length durable (`fdatasync`). Never retried: see the fault model.
    fn sync_data(&self) -> io::Result<()>;

    /// What is known of it now.
    fn metadata(&self) -> io::Result<Metadata>;

    /// Takes an advisory lock on this open file. `false`: held by another, and `wait` was not set.
    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool>;

    /// Gives the lock up.
    fn unlock(&self) -> io::Result<()>;
}

/// Reads all of `buf` at `offset`: continues short reads, retries `EINTR`; `UnexpectedEof` at the end of the file.
pub fn read_exact_at(file: &dyn File, mut offset: u64, mut buf: &mut [u8]) -> io::Result<()> {
    while !buf.is_empty() {
        match file.read_at(offset, buf) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                offset += n as u64;
                buf = &mut buf[n..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads into `buf` at `offset` until it is full or the file ends; answers how many bytes.
pub fn read_up_to(file: &dyn File, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buf.len() {
        match file.read_at(offset + done as u64, &mut buf[done..]) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Writes all of `buf` at `offset`: continues short writes, retries `EINTR`; a write of nothing is `WriteZero`.
pub fn write_all_at(file: &dyn File, mut offset: u64, mut buf: &[u8]) -> io::Result<()> {
    while !buf.is_empty() {
        match file.write_at(offset, buf) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => {
                offset += n as u64;
                buf = &buf[n..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
