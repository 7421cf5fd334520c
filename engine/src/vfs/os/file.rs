//! An open file of the operating system.

use crate::vfs::{File, LockMode, Metadata};
use rustix::fd::OwnedFd;
use rustix::fs::{self, FallocateFlags, FileType, FlockOperation};
use rustix::io::{Errno, retry_on_intr};
use std::io;

/// A descriptor; closed (and its lock released) when the last clone of the handle goes.
#[derive(Debug)]
pub(super) struct OsFile {
    descriptor: OwnedFd,
}

impl OsFile {
    pub(super) fn new(descriptor: OwnedFd) -> Self {
        Self { descriptor }
    }
}

impl File for OsFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::pread(&self.descriptor, buf, offset)?)
    }

    fn write_at(&self, offset: u64, buf: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::pwrite(&self.descriptor, buf, offset)?)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::ftruncate(&self.descriptor, len))?)
    }

    fn reserve(&self, offset: u64, len: u64) -> io::Result<bool> {
        if len == 0 {
            return Ok(true);
        }
        match retry_on_intr(|| fs::fallocate(&self.descriptor, FallocateFlags::KEEP_SIZE, offset, len)) {
            Ok(()) => Ok(true),
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(fs::fdatasync(&self.descriptor)?)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        let stat = fs::fstat(&self.descriptor)?;
        Ok(Metadata {
            is_file: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
            links: links(&stat),
            len: u64::try_from(stat.st_size).unwrap_or(0),
        })
    }

    fn lock(&self, mode: LockMode, wait: bool) -> io::Result<bool> {
        let operation = match (mode, wait) {
            (LockMode::Shared, true) => FlockOperation::LockShared,
            (LockMode::Shared, false) => FlockOperation::NonBlockingLockShared,
            (LockMode::Exclusive, true) => FlockOperation::LockExclusive,
            (LockMode::Exclusive, false) => FlockOperation::NonBlockingLockExclusive,
        };
        match retry_on_intr(|| fs::flock(&self.descriptor, operation)) {
            Ok(()) => Ok(true),
            Err(Errno::WOULDBLOCK) if !wait => Ok(false),
            // Among these ENOLCK and EOPNOTSUPP: a lock that cannot be had is never taken for one that is free.
            Err(error) => Err(error.into()),
        }
    }

    fn unlock(&self) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::flock(&self.descriptor, FlockOperation::Unlock))?)
    }
}

#[allow(
    clippy::useless_conversion,
    reason = "the width of st_nlink differs between architectures"
)]
fn links(stat: &fs::Stat) -> u64 {
    u64::from(stat.st_nlink)
}
