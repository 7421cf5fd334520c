//! The file system of a simulated process among others: before each call that others can see, others may go on.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use graven::vfs::fault::OperationKind;
use graven::vfs::{Access, Directory, Entry, File, FileSystem, LockMode, Metadata, Mode, Vfs};

use super::turns::{Baton, current};

/// A promise that the file system breaks, so that a bug of the engine is played without touching it: what the judges of a
/// run must notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broken {
    /// None.
    #[default]
    Nothing,
    /// Zone locks are given to everybody: as if they were released before the commit, or taken after the look.
    Locks,
    /// Gates are given to everybody: as if they were skipped.
    Gates,
    /// Who reads the change counter is told what it was at first: as if a stale cache were served.
    Counters,
    /// A reader is told of a recovery store what stood there at first: as if it passed an unspent undo.
    Undos,
    /// Syncs of records make nothing durable: as if the commit were acknowledged before its sync.
    Syncs,
}

/// The file system of one process.
#[derive(Debug)]
pub struct Shared {
    inner: Arc<dyn Vfs>,
    baton: Arc<Baton>,
    broken: Broken,
}

impl Shared {
    /// The file system of a process that takes turns.
    pub fn new(inner: Arc<dyn Vfs>, baton: Arc<Baton>, broken: Broken) -> Self {
        Self { inner, baton, broken }
    }
}

fn turn(baton: &Baton, kind: OperationKind, path: &str, len: usize) {
    // Outside of a run nobody else is there.
    if let Some(task) = current() {
        baton.before(task, kind, path, len as u64);
    }
}

impl Vfs for Shared {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let shown = path.display().to_string();
        turn(&self.baton, OperationKind::OpenDirectory, &shown, 0);
        let inner = self.inner.open_directory(path)?;
        Ok(Arc::new(SharedDirectory {
            inner,
            baton: Arc::clone(&self.baton),
            path: shown.trim_end_matches('/').to_owned(),
            broken: self.broken,
        }))
    }

    fn process_id(&self) -> u32 {
        self.inner.process_id()
    }
}

#[derive(Debug)]
struct SharedDirectory {
    inner: Arc<dyn Directory>,
    baton: Arc<Baton>,
    path: String,
    broken: Broken,
}

impl SharedDirectory {
    fn path_of(&self, name: &[u8]) -> String {
        format!("{}/{}", self.path, String::from_utf8_lossy(name))
    }

    fn named(&self, kind: OperationKind, name: &[u8]) -> String {
        let path = self.path_of(name);
        turn(&self.baton, kind, &path, 0);
        path
    }

    fn file(&self, inner: Arc<dyn File>, access: Access, path: String) -> Arc<dyn File> {
        let ends = |end| path.ends_with(end);
        let is_broken = match self.broken {
            Broken::Nothing => false,
            Broken::Locks | Broken::Counters => ends(".lock"),
            Broken::Gates => ends(".gate"),
            Broken::Undos => ends(".undo") && access == Access::Read,
            Broken::Syncs => ends(".bin"),
        };
        Arc::new(SharedFile {
            inner,
            baton: Arc::clone(&self.baton),
            broken: if is_broken { self.broken } else { Broken::Nothing },
            first: Mutex::default(),
            path,
        })
    }
}

impl Directory for SharedDirectory {
    fn open_directory(&self, name: &[u8]) -> io::Result<Arc<dyn Directory>> {
        let path = self.named(OperationKind::OpenDirectory, name);
        let inner = self.inner.open_directory(name)?;
        Ok(Arc::new(Self {
            inner,
            baton: Arc::clone(&self.baton),
            path,
            broken: self.broken,
        }))
    }

    fn create_directory(&self, name: &[u8], mode: Mode) -> io::Result<()> {
        self.named(OperationKind::CreateDirectory, name);
        self.inner.create_directory(name, mode)
    }

    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        let path = self.named(OperationKind::OpenFile, name);
        Ok(self.file(self.inner.open_file(name, access)?, access, path))
    }

    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        let path = self.named(OperationKind::CreateFile, name);
        Ok(self.file(self.inner.create_file(name, mode)?, Access::ReadWrite, path))
    }

    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        let path = self.named(OperationKind::CreateUnnamed, b"(unnamed)");
        Ok(self.file(self.inner.create_unnamed()?, Access::ReadWrite, path))
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.named(OperationKind::Rename, from);
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RenameNew, from);
        self.inner.rename_new(from, to)
    }

    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RemoveFile, name);
        self.inner.remove_file(name)
    }

    fn remove_directory(&self, name: &[u8]) -> io::Result<()> {
        self.named(OperationKind::RemoveDirectory, name);
        self.inner.remove_directory(name)
    }

    fn create_symlink(&self, name: &[u8], target: &[u8]) -> io::Result<()> {
        self.named(OperationKind::CreateSymlink, name);
        self.inner.create_symlink(name, target)
    }

    fn read_symlink(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        self.named(OperationKind::ReadSymlink, name);
        self.inner.read_symlink(name)
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        turn(&self.baton, OperationKind::Entries, &self.path, 0);
        self.inner.entries()
    }

    fn sync(&self) -> io::Result<()> {
        turn(&self.baton, OperationKind::SyncDirectory, &self.path, 0);
        self.inner.sync()
    }

    /// Nobody changes it.
    fn file_system(&self) -> io::Result<FileSystem> {
        self.inner.file_system()
    }
}

#[derive(Debug)]
struct SharedFile {
    inner: Arc<dyn File>,
    baton: Arc<Baton>,
    path: String,
    broken: Broken,
    /// What was read first at an offset, for a file system that tells it for ever.
    first: Mutex<BTreeMap<u64, Vec<u8>>>,
}

impl SharedFile {
    fn turn(&self, kind: OperationKind, len: usize) {
        turn(&self.baton, kind, &self.path, len);
    }
}

impl File for SharedFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.turn(OperationKind::Read, buf.len());
        let read = self.inner.read_at(offset, buf)?;
        if matches!(self.broken, Broken::Counters | Broken::Undos) {
            let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = first
                .entry(offset)
                .or_insert_with(|| buf.get(..read).unwrap_or_default().to_vec());
            if let (Some(old), Some(told)) = (kept.get(..read), buf.get_mut(..read)) {
                told.copy_from_slice(old);
            }
        }
        Ok(read)
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        self.turn(OperationKind::Write, buf.len());
        self.inner.write_at(offset, buf)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.turn(OperationKind::SetLen, 0);
        self.inner.set_len(len)
    }

    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        self.turn(OperationKind::Reserve, 0);
        self.inner.reserve(offset, len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.turn(OperationKind::SyncData, 0);
        if self.broken == Broken::Syncs {
            return Ok(());
        }
        self.inner.sync_data()
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.turn(OperationKind::Metadata, 0);
        self.inner.metadata()
    }

    /// A lock that is held is asked for again whenever somebody else has done something.
    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        let Some(task) = current() else {
            return self.inner.lock(mode, wait);
        };
        self.turn(OperationKind::Lock, 0);
        if matches!(self.broken, Broken::Locks | Broken::Gates) {
            self.baton.locked(task, &self.path, mode);
            return Ok(true);
        }
        loop {
            if self.inner.lock(mode, false)? {
                self.baton.locked(task, &self.path, mode);
                return Ok(true);
            }
            self.baton.refused(task, &self.path, mode);
            if !wait {
                return Ok(false);
            }
            self.baton.wait(task);
        }
    }

    fn unlock(&self) -> io::Result<()> {
        self.turn(OperationKind::Unlock, 0);
        if current().is_some() && matches!(self.broken, Broken::Locks | Broken::Gates) {
            return Ok(());
        }
        self.inner.unlock()
    }
}
