//! What is recorded of every call: its kind, the trace, the counters, and what the disk does not allow.

use std::io;
use std::sync::Arc;

/// The calls of the `Vfs` face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
    /// `Vfs::open_directory` and `Directory::open_directory`.
    OpenDirectory,
    /// `Directory::create_directory`.
    CreateDirectory,
    /// `Directory::open_file`.
    OpenFile,
    /// `Directory::create_file`.
    CreateFile,
    /// `Directory::create_unnamed`.
    CreateUnnamed,
    /// `Directory::rename`.
    Rename,
    /// `Directory::rename_new`.
    RenameNew,
    /// `Directory::remove_file`.
    RemoveFile,
    /// `Directory::remove_directory`.
    RemoveDirectory,
    /// `Directory::create_symlink`.
    CreateSymlink,
    /// `Directory::read_symlink`.
    ReadSymlink,
    /// `Directory::entries`.
    Entries,
    /// `Directory::sync`.
    SyncDirectory,
    /// `Directory::file_system`.
    FileSystem,
    /// `File::read_at`.
    Read,
    /// `File::write_at`.
    Write,
    /// `File::set_len`.
    SetLen,
    /// `File::reserve`.
    Reserve,
    /// `File::sync_data`.
    SyncData,
    /// `File::metadata`.
    Metadata,
    /// `File::lock`.
    Lock,
    /// `File::unlock`.
    Unlock,
}

impl OperationKind {
    /// Every kind, in declaration order.
    pub const ALL: [Self; 22] = [
        Self::OpenDirectory,
        Self::CreateDirectory,
        Self::OpenFile,
        Self::CreateFile,
        Self::CreateUnnamed,
        Self::Rename,
        Self::RenameNew,
        Self::RemoveFile,
        Self::RemoveDirectory,
        Self::CreateSymlink,
        Self::ReadSymlink,
        Self::Entries,
        Self::SyncDirectory,
        Self::FileSystem,
        Self::Read,
        Self::Write,
        Self::SetLen,
        Self::Reserve,
        Self::SyncData,
        Self::Metadata,
        Self::Lock,
        Self::Unlock,
    ];

    /// Whether the call may change what is readable or what is durable.
    pub fn changes(self) -> bool {
        matches!(
            self,
            Self::CreateDirectory
                | Self::CreateFile
                | Self::CreateUnnamed
                | Self::Rename
                | Self::RenameNew
                | Self::RemoveFile
                | Self::RemoveDirectory
                | Self::CreateSymlink
                | Self::SyncDirectory
                | Self::Write
                | Self::SetLen
                | Self::Reserve
                | Self::SyncData
        )
    }

    /// Whether the call makes something durable.
    pub fn is_sync(self) -> bool {
        matches!(self, Self::SyncData | Self::SyncDirectory)
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was asked for; for reads and writes: so many bytes.
    Done(u64),
    /// It answered this code of the operating system (`EINVAL` for what never reached it).
    Failed(i32),
    /// Its process was dead, or died in it.
    Killed,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEntry {
    /// The ordinal of the call on this disk, from 1.
    pub operation: u64,
    /// The process that called.
    pub process: u32,
    /// What was called.
    pub kind: OperationKind,
    /// The file or directory, by the path under which it was opened or named.
    pub path: Arc<str>,
    /// The new path of a rename.
    pub to: Option<Arc<str>>,
    /// The offset of reads, writes and reservations; the new length of `set_len`.
    pub offset: u64,
    /// The bytes asked for.
    pub len: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// How often what was called, and how much was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    calls: [u64; OperationKind::ALL.len()],
    /// Bytes that reads have answered.
    pub bytes_read: u64,
    /// Bytes that writes have taken.
    pub bytes_written: u64,
}

impl Counters {
    /// How often `kind` was called.
    pub fn calls(&self, kind: OperationKind) -> u64 {
        self.calls[kind as usize]
    }

    /// How many calls there were.
    pub fn total(&self) -> u64 {
        self.calls.iter().sum()
    }

    pub(super) fn count(&mut self, kind: OperationKind) {
        self.calls[kind as usize] += 1;
    }
}

/// A call that a correct program does not make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// How many calls the disk had answered before.
    pub operation: u64,
    /// What was called.
    pub kind: OperationKind,
    /// On what.
    pub path: Arc<str>,
    /// What is wrong with it.
    pub fault: Misuse,
}

/// What is wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misuse {
    /// A change through a handle whose process is dead.
    ChangeByTheDead,
    /// A change through a handle that was opened for reading.
    ChangeThroughReader,
    /// A name that is not one component.
    BadName,
    /// A creation in a directory that was removed.
    RemovedDirectory,
    /// An unlock without a lock.
    UnlockWithoutLock,
    /// An offset or length beyond what any file can have.
    BeyondAnyFile,
}

/// The call that is being answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) process: usize,
    pub(super) kind: OperationKind,
    pub(super) path: &'a Arc<str>,
    pub(super) to: Option<&'a Arc<str>>,
    pub(super) offset: u64,
    pub(super) len: u64,
}

impl<'a> Call<'a> {
    pub(super) fn new(process: usize, kind: OperationKind, path: &'a Arc<str>) -> Self {
        Self {
            process,
            kind,
            path,
            to: None,
            offset: 0,
            len: 0,
        }
    }
}

/// The error of every call by a process that was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the simulated process was killed")]
pub struct Killed;

/// Whether `error` says that the simulated process is dead.
pub fn is_killed(error: &io::Error) -> bool {
    error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Killed>())
        .is_some()
}

pub(super) fn killed() -> io::Error {
    io::Error::other(Killed)
}

pub(super) fn os_error(errno: i32) -> io::Error {
    io::Error::from_raw_os_error(errno)
}
