//! The raw reading of a family: any bytes, for `dump`, which never changes anything and accepts what there is.

use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use super::place::{self, RootPlace};
use crate::disk::{self, DurableFile, LockWait, SharedHold, ZoneLock};
use crate::format::{HEADER_LEN, Layout};
use crate::vfs::{Access, Vfs};

/// The record file of one family, open for reading, whatever its state is.
///
/// The shared lock of its zone is held, so no process commits meanwhile; where the lock file is too damaged to be
/// locked it is read all the same.
#[derive(Debug)]
pub struct RawFamily {
    file: DurableFile,
    layout: &'static Layout,
    len: u64,
    lock: Option<(ZoneLock, SharedHold)>,
}

impl RawFamily {
    /// Opens a family of the store at `path` by its name: the record file's name without `.bin`.
    ///
    /// `NotFound`: there is no store, or no such family.
    pub fn open(vfs: &Arc<dyn Vfs>, path: &Path, family: &str, wait: LockWait) -> Result<Self> {
        let (root, layout) = find(family)?;
        let store = place::open_store(&**vfs, path)?;
        let directory = place::open_root(&store, root)?;
        let (lock, gate) = (root.zone.lock_file, root.zone.gate_file);
        let lock = match ZoneLock::open(&directory, lock, gate, Access::Read, wait) {
            Ok(lock) => {
                let hold = lock.acquire_shared()?;
                Some((lock, hold))
            }
            // A refused call says nothing about the lock file: only a missing or damaged one is done without.
            Err(error @ disk::Error::Io { .. }) if !error.is_not_found() => return Err(error.into()),
            Err(error) => {
                tracing::warn!(%error, "reading without the lock");
                None
            }
        };
        let file = directory.open_file(layout.file, Access::Read)?;
        let len = file.len()?;
        Ok(Self {
            file,
            layout,
            len,
            lock,
        })
    }

    /// The family's declaration.
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// The whole records that the file's length has room for.
    pub fn count(&self) -> u32 {
        let records = self.len.saturating_sub(HEADER_LEN) / self.record_size();
        u32::try_from(records).unwrap_or(u32::MAX)
    }

    /// The bytes after the last whole record; not 0 means damage.
    pub fn trailing_bytes(&self) -> u64 {
        self.len.saturating_sub(HEADER_LEN) % self.record_size()
    }

    /// Whether the zone's lock is held.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The bytes of the record of that index.
    pub fn read(&self, index: u32) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.layout.record_size];
        let offset = u64::from(index)
            .checked_mul(self.record_size())
            .and_then(|offset| offset.checked_add(HEADER_LEN))
            .ok_or_else(|| Error::Usage(format!("there is no record {index}")))?;
        self.file.read_exact_at(offset, &mut bytes)?;
        Ok(bytes)
    }

    fn record_size(&self) -> u64 {
        (self.layout.record_size as u64).max(1)
    }
}

impl Drop for RawFamily {
    fn drop(&mut self) {
        if let Some((lock, hold)) = &self.lock {
            lock.release_shared(hold);
        }
    }
}

fn find(family: &str) -> Result<(&'static RootPlace, &'static Layout)> {
    for root in place::ROOTS {
        if let Some(layout) = root.authority.family(family) {
            return Ok((root, layout));
        }
    }
    Err(Error::NotFound {
        what: format!("the family `{family}`"),
    })
}
