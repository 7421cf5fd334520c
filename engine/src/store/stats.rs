//! What a handle has done so far, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a handle of a zone has done since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Transactions committed that changed something.
    pub commits: u64,
    /// Operations committed through groups.
    pub group_members: u64,
    /// The largest group.
    pub largest_group: u64,
    /// Files synced.
    pub syncs: u64,
    /// Bytes written: undo, records and payload.
    pub bytes: u64,
    /// Recoveries that found something to do.
    pub recoveries: u64,
    /// Transactions undone in the process, on a full disk.
    pub rollbacks: u64,
    /// Records answered from the cache.
    pub cache_hits: u64,
    /// Records read from the file.
    pub cache_misses: u64,
    /// Locks that were not free for a caller that does not wait.
    pub busy: u64,
}

/// The counters behind [`Stats`].
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) commits: AtomicU64,
    pub(super) group_members: AtomicU64,
    pub(super) largest_group: AtomicU64,
    pub(super) syncs: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) recoveries: AtomicU64,
    pub(super) rollbacks: AtomicU64,
    pub(super) cache_hits: AtomicU64,
    pub(super) cache_misses: AtomicU64,
    pub(super) busy: AtomicU64,
}

pub(super) fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

impl Counters {
    pub(super) fn read(&self) -> Stats {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            commits: get(&self.commits),
            group_members: get(&self.group_members),
            largest_group: get(&self.largest_group),
            syncs: get(&self.syncs),
            bytes: get(&self.bytes),
            recoveries: get(&self.recoveries),
            rollbacks: get(&self.rollbacks),
            cache_hits: get(&self.cache_hits),
            cache_misses: get(&self.cache_misses),
            busy: get(&self.busy),
        }
    }
}
