//! What the roots of one open store share: the object zone beside the workflow zone, and what is known of directories.

use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use crate::disk;
use crate::disk::sync::{Mutex, MutexGuard, held};
use crate::domain::objects::FoldCache;
use crate::domain::worktree::{Capture, Captured};
use crate::format::UnixSeconds;
use crate::store::Zone;
use crate::vfs::Vfs;

/// What the roots of one open store share.
#[derive(Debug)]
pub(super) struct Companion {
    objects: Zone,
    folds: Mutex<FoldCache>,
    vfs: Arc<dyn Vfs>,
    /// How many pending bytes end one transaction of a capture.
    batch_bytes: u64,
}

impl Companion {
    pub(super) fn new(objects: Zone, vfs: Arc<dyn Vfs>, max_transaction_bytes: u64) -> Self {
        Self {
            objects,
            folds: Mutex::new(FoldCache::default()),
            vfs,
            batch_bytes: max_transaction_bytes / 2,
        }
    }

    /// The object zone.
    pub(super) fn objects(&self) -> &Zone {
        &self.objects
    }

    /// The folds that are known. A panic while they were held left nothing half-done in them.
    pub(super) fn folds(&self) -> MutexGuard<'_, FoldCache> {
        held(&self.folds)
    }

    /// Puts a directory on disk into the object zone, in as many transactions as its size needs.
    pub(super) fn capture(&self, now: UnixSeconds, directory: &Path, excluded: &[&[u8]]) -> Result<Captured> {
        let path = directory.display().to_string();
        let handle = self
            .vfs
            .open_directory(directory)
            .map_err(|error| disk::Error::io(path, "open", error))?;
        let mut capture = Capture::new(handle, excluded)?;
        loop {
            let mut transaction = self.objects.begin(now)?;
            let captured = capture.run(&mut transaction, self.batch_bytes, &mut self.folds())?;
            transaction.commit()?;
            if let Some(captured) = captured {
                return Ok(captured);
            }
        }
    }
}
