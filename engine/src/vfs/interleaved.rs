//! The fault disk as loom sees it: every call on a file is a point of interleaving, and a lock waits where loom wakes it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use loom::sync::{Condvar, Mutex};

use super::fault::FaultDisk;
use super::{Access, Directory, Entry, File, FileSystem, LockMode, Metadata, Mode, Vfs};

/// A file's point: taking it before a call lets any other thread that uses the file go first.
#[derive(Debug)]
struct Point {
    taken: Mutex<()>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct Points(std::sync::Mutex<BTreeMap<Vec<u8>, Arc<Point>>>);

impl Points {
    fn of(&self, name: &[u8]) -> Arc<Point> {
        let mut points = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Point {
                taken: Mutex::new(()),
                released: Condvar::new(),
            })
        };
        Arc::clone(points.entry(name.to_owned()).or_insert_with(new))
    }
}

/// A disk whose processes are threads of one loom model. Made anew in every execution.
#[derive(Debug)]
pub(crate) struct InterleavedDisk {
    disk: FaultDisk,
    points: Arc<Points>,
}

impl InterleavedDisk {
    /// An empty disk.
    pub(crate) fn new() -> Self {
        Self {
            disk: FaultDisk::new(),
            points: Arc::default(),
        }
    }

    /// The disk as that process has it.
    pub(crate) fn process(&self, id: u32) -> Arc<dyn Vfs> {
        Arc::new(Process {
            vfs: self.disk.process(id),
            points: Arc::clone(&self.points),
        })
    }
}

#[derive(Debug)]
struct Process {
    vfs: Arc<dyn Vfs>,
    points: Arc<Points>,
}

impl Vfs for Process {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        let directory = self.vfs.open_directory(path)?;
        Ok(Arc::new(Interleaved {
            directory,
            points: Arc::clone(&self.points),
        }))
    }

    fn process_id(&self) -> u32 {
        self.vfs.process_id()
    }
}

/// One directory only: points are told apart by name.
#[derive(Debug)]
struct Interleaved {
    directory: Arc<dyn Directory>,
    points: Arc<Points>,
}

impl Interleaved {
    fn file(&self, file: Arc<dyn File>, name: &[u8]) -> Arc<dyn File> {
        Arc::new(InterleavedFile {
            file,
            point: self.points.of(name),
        })
    }
}

impl Directory for Interleaved {
    fn open_directory(&self, _: &[u8]) -> io::Result<Arc<dyn Directory>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn create_directory(&self, _: &[u8], _: Mode) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open_file(&self, name: &[u8], access: Access) -> io::Result<Arc<dyn File>> {
        Ok(self.file(self.directory.open_file(name, access)?, name))
    }

    fn create_file(&self, name: &[u8], mode: Mode) -> io::Result<Arc<dyn File>> {
        Ok(self.file(self.directory.create_file(name, mode)?, name))
    }

    fn create_unnamed(&self) -> io::Result<Arc<dyn File>> {
        self.directory.create_unnamed()
    }

    fn rename(&self, _: &[u8], _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn rename_new(&self, _: &[u8], _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        self.directory.remove_file(name)
    }

    fn remove_directory(&self, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn create_symlink(&self, _: &[u8], _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_symlink(&self, _: &[u8]) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.directory.entries()
    }

    fn sync(&self) -> io::Result<()> {
        self.directory.sync()
    }

    fn file_system(&self) -> io::Result<FileSystem> {
        self.directory.file_system()
    }
}

#[derive(Debug)]
struct InterleavedFile {
    file: Arc<dyn File>,
    point: Arc<Point>,
}

impl InterleavedFile {
    fn at_the_point<T>(&self, call: impl FnOnce(&dyn File) -> T) -> T {
        let _taken = self.point.taken.lock().unwrap_or_else(PoisonError::into_inner);
        call(&*self.file)
    }
}

impl Drop for InterleavedFile {
    // The descriptor gives its lock up with itself.
    fn drop(&mut self) {
        let _ = self.unlock();
    }
}

impl File for InterleavedFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.at_the_point(|file| file.read_at(offset, buf))
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        self.at_the_point(|file| file.write_at(offset, buf))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.at_the_point(|file| file.set_len(len))
    }

    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        self.at_the_point(|file| file.reserve(offset, len))
    }

    // What a sync does shows only after a cut.
    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.at_the_point(|file| file.metadata())
    }

    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        let mut taken = self.point.taken.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.file.lock(mode, false)? {
                return Ok(true);
            }
            if !wait {
                return Ok(false);
            }
            taken = self.point.released.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn unlock(&self) -> io::Result<()> {
        let _taken = self.point.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.file.unlock();
        self.point.released.notify_all();
        answer
    }
}
