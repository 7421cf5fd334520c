//! A file system that breaks one promise: one sync makes nothing durable, or two neighbouring calls change places.
//!
//! It stands between the engine and the fault disk, so neither knows of it.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use graven::vfs::fault::OperationKind;
use graven::vfs::{Access, Directory, Entry, File, FileSystem, LockMode, Metadata, Mode, Vfs, write_all_at};

/// The one broken promise. Calls are counted from 1, those that may change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// None: the control, under which nothing may be found.
    Nothing,
    /// This call, a sync, answers that all is well and does nothing.
    Drop(usize),
    /// Both of these calls do so.
    DropBoth(usize, usize),
    /// This call answers that all is well, and happens only behind the next one.
    Swap(usize),
}

/// A call that has been answered and not been made.
#[derive(Debug)]
enum Delayed {
    Write(Arc<dyn File>, u64, Vec<u8>),
    SetLen(Arc<dyn File>, u64),
    SyncData(Arc<dyn File>),
    SyncDirectory(Arc<dyn Directory>),
}

impl Delayed {
    fn make(self) -> io::Result<()> {
        match self {
            Self::Write(file, offset, bytes) => write_all_at(&*file, offset, &bytes),
            Self::SetLen(file, len) => file.set_len(len),
            Self::SyncData(file) => file.sync_data(),
            Self::SyncDirectory(directory) => directory.sync(),
        }
    }
}

#[derive(Debug)]
struct Progress {
    broken: Break,
    calls: usize,
    delayed: Option<Delayed>,
}

/// What all handles of a process share.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Progress>>);

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One call that may change something: made, left out, or put behind the next one. `later` is asked for only where
    /// the call waits; `instead` is what is answered then. A call that cannot wait is made at once.
    fn change<T>(
        &self,
        kind: OperationKind,
        instead: T,
        later: impl FnOnce() -> Option<Delayed>,
        make: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        let earlier = {
            let mut progress = self.progress();
            progress.calls += 1;
            let dropped = match progress.broken {
                Break::Drop(at) => at == progress.calls,
                Break::DropBoth(one, two) => [one, two].contains(&progress.calls),
                Break::Nothing | Break::Swap(_) => false,
            };
            if dropped && kind.is_sync() {
                return Ok(instead);
            }
            if progress.broken == Break::Swap(progress.calls)
                && let Some(delayed) = later()
            {
                progress.delayed = Some(delayed);
                return Ok(instead);
            }
            progress.delayed.take()
        };
        let answer = make()?;
        earlier.map_or(Ok(()), Delayed::make)?;
        Ok(answer)
    }
}

/// The file system of a process, with one promise broken.
#[derive(Debug)]
pub struct Broken {
    inner: Arc<dyn Vfs>,
    shared: Shared,
}

impl Broken {
    /// Breaks the promise for the calls that come through here.
    pub fn new(inner: Arc<dyn Vfs>, broken: Break) -> Self {
        let progress = Progress {
            broken,
            calls: 0,
            delayed: None,
        };
        Self {
            inner,
            shared: Shared(Arc::new(Mutex::new(progress))),
        }
    }
}

impl Vfs for Broken {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let inner = self.inner.open_directory(path)?;
        Ok(Arc::new(BrokenDirectory {
            inner,
            shared: self.shared.clone(),
        }))
    }

    fn process_id(&self) -> u32 {
        self.inner.process_id()
    }
}

#[derive(Debug)]
struct BrokenDirectory {
    inner: Arc<dyn Directory>,
    shared: Shared,
}

impl BrokenDirectory {
    fn file(&self, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(BrokenFile {
            inner,
            shared: self.shared.clone(),
        })
    }

    /// A change of entries: nothing waits for it or goes before it.
    fn named(&self, kind: OperationKind, make: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.shared.change(kind, (), || None, make)
    }

    fn created(
        &self,
        kind: OperationKind,
        make: impl FnOnce() -> io::Result<Arc<dyn File>>,
    ) -> io::Result<Arc<dyn File>> {
        let mut created = None;
        self.named(kind, || {
            created = Some(make()?);
            Ok(())
        })?;
        created
            .map(|file| self.file(file))
            .ok_or_else(|| io::ErrorKind::Other.into())
    }
}

impl Directory for BrokenDirectory {
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>> {
        let inner = self.inner.open_directory(name)?;
        Ok(Arc::new(Self {
            inner,
            shared: self.shared.clone(),
        }))
    }

    fn create_directory(&self, name: &[u8], mode: Mode) -> io::Result<()> {
        self.named(OperationKind::CreateDirectory, || {
            self.inner.create_directory(name, mode)
        })
    }

    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        self.inner.open_file(name, access).map(|file| self.file(file))
    }

    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        self.created(OperationKind::CreateFile, || self.inner.create_file(name, mode))
    }

    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        self.created(OperationKind::CreateUnnamed, || self.inner.create_unnamed())
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.named(OperationKind::Rename, || self.inner.rename(from, to))
    }

    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RenameNew, || self.inner.rename_new(from, to))
    }

    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RemoveFile, || self.inner.remove_file(name))
    }

    fn remove_directory(&self, name: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RemoveDirectory, || self.inner.remove_directory(name))
    }

    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()> {
        self.named(OperationKind::CreateSymlink, || self.inner.create_symlink(name, target))
    }

    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        self.inner.read_symlink(name)
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.inner.entries()
    }

    fn sync(&self) -> io::Result<()> {
        let later = || Some(Delayed::SyncDirectory(Arc::clone(&self.inner)));
        self.shared
            .change(OperationKind::SyncDirectory, (), later, || self.inner.sync())
    }

    fn file_system(&self) -> io::Result<FileSystem> {
        self.inner.file_system()
    }
}

#[derive(Debug)]
struct BrokenFile {
    inner: Arc<dyn File>,
    shared: Shared,
}

impl File for BrokenFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.inner.read_at(offset, buf)
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        let later = || Some(Delayed::Write(Arc::clone(&self.inner), offset, buf.to_vec()));
        self.shared.change(OperationKind::Write, buf.len(), later, || {
            self.inner.write_at(offset, buf)
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let later = || Some(Delayed::SetLen(Arc::clone(&self.inner), len));
        self.shared
            .change(OperationKind::SetLen, (), later, || self.inner.set_len(len))
    }

    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        self.shared.change(
            OperationKind::Reserve,
            true,
            || None,
            || self.inner.reserve(offset, len),
        )
    }

    fn sync_data(&self) -> io::Result<()> {
        let later = || Some(Delayed::SyncData(Arc::clone(&self.inner)));
        self.shared
            .change(OperationKind::SyncData, (), later, || self.inner.sync_data())
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.inner.metadata()
    }

    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        self.inner.lock(mode, wait)
    }

    fn unlock(&self) -> io::Result<()> {
        self.inner.unlock()
    }
}
