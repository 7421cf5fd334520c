//! A root of an open store: where reading and writing start.

use std::fmt;
use std::sync::Arc;

use super::companion::Companion;
use super::error::{Error, Result};
use super::group::{Job, Slot, carry_out};
use super::kind::Kind;
use super::receipt::Receipt;
use super::transaction::Txn;
use super::view::View;
use crate::disk::sync::{Mutex, held};
use crate::format::UnixSeconds;
use crate::store::{GroupQueue, Stats, Zone};

/// A root of an open store. A cheap handle: clones share the store's locks and caches.
///
/// A lock is held for one view or one transaction, never longer. What could only wait for itself is `Usage`: a write
/// inside one's own read, anything inside one's own write, and the workflow root's lock under the object root's, since
/// locks are taken in the order workflow, objects.
pub struct Root<K> {
    zone: Zone,
    directory: Arc<str>,
    companion: Arc<Companion>,
    queue: Arc<GroupQueue<Job<K>>>,
}

impl<K: Kind> Root<K> {
    pub(super) fn new(zone: Zone, companion: &Arc<Companion>) -> Self {
        Self {
            directory: zone.directory().path().into(),
            zone,
            companion: Arc::clone(companion),
            queue: Arc::default(),
        }
    }

    pub(super) fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Calls `f` with a consistent view, under the shared lock: no process commits meanwhile, so keep it short.
    ///
    /// `Busy` (with [`LockWait::TryOnce`](crate::disk::LockWait)), `RecoveryNeeded` (read-only handles), `Poisoned`,
    /// and what `f` answers.
    pub fn read<T>(&self, f: impl FnOnce(&View<'_, K>) -> Result<T>) -> Result<T> {
        let view = self.view()?;
        f(&view).map_err(|error| error.in_root(&self.directory))
    }

    /// Calls `f` with a transaction at the time `now`, under the exclusive lock, and commits what it wrote if it answers
    /// `Ok`. An `Err` drops everything at no cost. What changes nothing touches no file.
    ///
    /// `Refused` for a `now` of 0 (F-1), `Usage` on a read-only handle, and what `f` answers. The error of a failed
    /// commit says by [`Error::outcome`] whether it may have happened.
    pub fn write<T>(&self, now: UnixSeconds, f: impl FnOnce(&mut Txn<'_, K>) -> Result<T>) -> Result<Receipt<T>> {
        let mut txn = self.begin(now)?;
        let value = f(&mut txn).map_err(|error| error.in_root(&self.directory))?;
        Ok(txn.commit()?.with(value))
    }

    /// [`Root::write`] together with what other threads write at the same time: closures that queue while a commit runs
    /// are run in arrival order on one transaction and committed together, so that they share its syncs. There is no
    /// waiting for company.
    ///
    /// A refused closure answers its own error and leaves nothing behind, and so does one that panics (`Usage`). Where
    /// the commit fails every member is told so; where the thread that leads dies, the outcome is `Unknown`. `f` may run
    /// on another thread; it must not use this store's handles. `Usage`: this thread holds a view or a transaction.
    pub fn group<T: Send + 'static>(
        &self,
        now: UnixSeconds,
        f: impl FnOnce(&mut Txn<'_, K>) -> Result<T> + Send + 'static,
    ) -> Result<Receipt<T>> {
        // Also the thread that leads runs its members' closures under the lock: a group inside one is told so here.
        self.zone.refuse_own_thread()?;
        let slot: Slot<T> = Arc::new(Mutex::new(None));
        let job = Job::new(now, &slot, f);
        let done = || held(&slot).is_some();
        self.queue.submit(job, done, |batch| {
            let members = carry_out(batch, |now| self.begin(now));
            self.zone.count_group(members);
        });
        let outcome = held(&slot).take();
        outcome.unwrap_or_else(|| Err(Error::usage("the group answered nothing")))
    }

    /// Takes the shared lock for a view that the caller holds. See [`Root::read`].
    pub fn view(&self) -> Result<View<'_, K>> {
        Ok(View::new(self.zone.view()?, &self.directory))
    }

    /// Takes the exclusive lock for a transaction that the caller commits; dropping it instead costs nothing. See
    /// [`Root::write`].
    pub fn begin(&self, now: UnixSeconds) -> Result<Txn<'_, K>> {
        Ok(Txn::new(self.zone.begin(now)?, &self.companion, &self.directory))
    }

    /// A number that moves with every change of the root, whoever makes it: tells a paged scan whether its earlier
    /// pages are still what is stored. `None` where it cannot be read; count that as moved.
    pub fn change_counter(&self) -> Result<Option<u64>> {
        Ok(self.zone.change_counter()?)
    }

    /// What this handle has done so far.
    pub fn stats(&self) -> Stats {
        self.zone.stats()
    }
}

impl<K> Clone for Root<K> {
    fn clone(&self) -> Self {
        Self {
            zone: self.zone.clone(),
            directory: Arc::clone(&self.directory),
            companion: Arc::clone(&self.companion),
            queue: Arc::clone(&self.queue),
        }
    }
}

impl<K: Kind> fmt::Debug for Root<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Root")
            .field("directory", &K::DIRECTORY)
            .finish_non_exhaustive()
    }
}
