//! How a store is opened.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use crate::disk::{DurableDirectory, LockWait};
use crate::store::{Zone, ZoneOptions};
use crate::vfs::Vfs;
use crate::vfs::os::OsVfs;
use crate::whole::place::{self, RootPlace};

/// The default of [`Options::max_transaction_bytes`]: 64 MiB.
pub const DEFAULT_MAX_TRANSACTION_BYTES: u64 = 64 << 20;
/// The default of [`Options::cache_bytes`]: 32 MiB for each root.
pub const DEFAULT_CACHE_BYTES: u64 = 32 << 20;

/// How a store is opened. Made by [`Options::new`] and changed by its methods.
#[derive(Clone)]
pub struct Options {
    pub(super) entropy: [u8; 32],
    pub(super) read_only: bool,
    pub(super) wait: LockWait,
    pub(super) max_transaction_bytes: u64,
    pub(super) cache_bytes: u64,
    pub(super) holder: String,
    pub(super) accept_network_file_system: bool,
    pub(super) sync_spent_on_idle: bool,
    pub(super) vfs: Arc<dyn Vfs>,
}

impl Options {
    /// The defaults. `entropy` is 32 fresh random bytes: the engine has no randomness of its own, and needs them for
    /// the identities of new zones and so that no two undos are ever equal. Never pass the same bytes twice.
    pub fn new(entropy: [u8; 32]) -> Self {
        Self {
            entropy,
            read_only: false,
            wait: LockWait::Block,
            max_transaction_bytes: DEFAULT_MAX_TRANSACTION_BYTES,
            cache_bytes: DEFAULT_CACHE_BYTES,
            holder: String::new(),
            accept_network_file_system: false,
            sync_spent_on_idle: false,
            vfs: Arc::new(OsVfs),
        }
    }

    /// Opens for reading only: no byte and no time of any file changes, and a store on a read-only file system can be
    /// opened. A root that needs recovery answers `RecoveryNeeded`.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Whether a call waits for a lock, without a bound, or answers `Busy` at once. Default: it waits.
    #[must_use]
    pub fn wait(mut self, wait: LockWait) -> Self {
        self.wait = wait;
        self
    }

    /// The most bytes of pending writes that one transaction may hold in memory; above it operations answer
    /// `Exhausted`. Content that is spooled to a file does not count. Default: 64 MiB.
    #[must_use]
    pub fn max_transaction_bytes(mut self, bytes: u64) -> Self {
        self.max_transaction_bytes = bytes;
        self
    }

    /// The memory for cached chunks of record files, for each root. 0: no cache. Default: 32 MiB.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: u64) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// What the lock file says about who holds it, at most 64 bytes are kept (`Busy` names it). Informative only.
    #[must_use]
    pub fn holder(mut self, holder: impl Into<String>) -> Self {
        self.holder = holder.into();
        self
    }

    /// Opens a store also on a network file system. Locks and syncs of such file systems may not reach other hosts or
    /// the medium: two hosts can then destroy the store (AC30).
    #[must_use]
    pub fn accept_network_file_system(mut self, accept: bool) -> Self {
        self.accept_network_file_system = accept;
        self
    }

    /// Syncs the mark that says that an undo is spent whenever no other writer of this handle is waiting, instead of
    /// with the next commit. It costs one sync and closes the window in which a flip of exactly the changed bits
    /// cannot be told from a change that did not happen.
    #[must_use]
    pub fn sync_spent_on_idle(mut self, sync: bool) -> Self {
        self.sync_spent_on_idle = sync;
        self
    }

    /// The file system, for simulators. Default: the operating system's.
    #[doc(hidden)]
    #[must_use]
    pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
        self.vfs = vfs;
        self
    }
}

impl Options {
    /// `N` bytes that no other purpose and no other entropy gives.
    pub(super) fn fresh<const N: usize>(&self, purpose: &[u8]) -> [u8; N] {
        let mut bytes = [0; N];
        let mut hasher = blake3::Hasher::new_keyed(&self.entropy);
        hasher.update(b"graven fresh bytes for ");
        hasher.update(purpose);
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }

    /// Refuses the store at `path` where it lies on a network file system and that is not accepted (AC30).
    pub(super) fn refuse_network(&self, path: &Path) -> Result<()> {
        let store = place::open_store(&*self.vfs, path)?;
        Ok(place::refuse_network(&store, self.accept_network_file_system)?)
    }

    /// The options of one zone.
    pub(super) fn zone(&self) -> ZoneOptions {
        ZoneOptions {
            read_only: self.read_only,
            wait: self.wait,
            entropy: self.entropy,
            max_transaction_bytes: self.max_transaction_bytes,
            cache_bytes: usize::try_from(self.cache_bytes).unwrap_or(usize::MAX),
            holder: self.holder.clone(),
            sync_spent: self.sync_spent_on_idle,
        }
    }

    /// Opens the files of one root, after a look at what stands in its directory.
    pub(super) fn attach(&self, store: &DurableDirectory, root: &'static RootPlace) -> Result<Zone> {
        let directory = place::open_root(store, root)?;
        place::check_inventory(&directory, root)?;
        Ok(Zone::attach(&self.vfs, &directory, root.zone, self.zone())?)
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("read_only", &self.read_only)
            .field("wait", &self.wait)
            .field("max_transaction_bytes", &self.max_transaction_bytes)
            .field("cache_bytes", &self.cache_bytes)
            .field("holder", &self.holder)
            .field("accept_network_file_system", &self.accept_network_file_system)
            .field("sync_spent_on_idle", &self.sync_spent_on_idle)
            .finish_non_exhaustive()
    }
}
