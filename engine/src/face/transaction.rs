//! A transaction on one root: every operation that writes.

use std::fmt;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use super::companion::Companion;
use super::error::{Error, Result};
use super::kind::{Kind, Objects, Workflow};
use super::receipt::Receipt;
use crate::domain::changes::NewChange;
use crate::domain::lands::{Landed, LandedHistory, NewLand, RecordedHistory};
use crate::domain::objects::Put;
use crate::domain::snapshots::{Created, NewSnapshot};
use crate::domain::tasks::NewTask;
use crate::domain::worktree::Captured;
use crate::domain::{self, changes, lands, lines, objects, snapshots, stashes, tags, tasks};
use crate::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, DirectoryEntry, FailureKind, LandIndex, LineIndex, ObjectKind,
    RemoteTaskIndex, SnapshotIndex, StashIndex, TagIndex, TaskIndex, UnixSeconds,
};
use crate::store;

/// A transaction on one root: the exclusive lock is held as long as it lives.
///
/// Operations run one after another, each seeing what those before it have written; a refused one drops only itself.
/// Nothing touches the disk before [`Txn::commit`]; dropping a transaction costs nothing.
pub struct Txn<'r, K> {
    pub(super) transaction: store::Transaction<'r>,
    companion: &'r Companion,
    pub(super) directory: &'r Arc<str>,
    kind: PhantomData<fn() -> K>,
}

impl<'r, K: Kind> Txn<'r, K> {
    pub(super) fn new(transaction: store::Transaction<'r>, companion: &'r Companion, directory: &'r Arc<str>) -> Self {
        Self {
            transaction,
            companion,
            directory,
            kind: PhantomData,
        }
    }

    /// The time that operations write.
    pub fn now(&self) -> UnixSeconds {
        self.transaction.now()
    }

    /// Sets the time that the operations after this write. `Refused`: 0 (F-1).
    pub fn set_now(&mut self, now: UnixSeconds) -> Result<()> {
        Ok(self.transaction.set_now(now)?)
    }

    /// Commits what was written, as one change: after a crash at any instant it is there whole, or not at all.
    ///
    /// The error says by [`Error::outcome`] whether the change may have happened.
    pub fn commit(self) -> Result<Receipt<()>> {
        Ok(Receipt::of(&self.transaction.commit()?))
    }

    /// Runs several operations as one: if `f` answers an error, everything it wrote is dropped, and nothing else.
    pub fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let bookmark = self.transaction.bookmark();
        let answer = f(self);
        if answer.is_err() {
            self.transaction.return_to(bookmark);
        }
        answer
    }

    /// The floor below, for simulators and for domains' free functions.
    #[doc(hidden)]
    pub fn transaction(&mut self) -> &mut store::Transaction<'r> {
        &mut self.transaction
    }

    /// Runs one operation; a refused one drops only its own writes.
    fn run<T>(&mut self, operation: impl FnOnce(&mut store::Transaction<'r>) -> domain::Result<T>) -> Result<T> {
        let answer = self.transaction.attempt(operation);
        answer.map_err(|error| Error::from(error).in_root(self.directory))
    }
}

/// Tasks.
impl Txn<'_, Workflow> {
    /// Creates a Task; see [`tasks::create`].
    pub fn create_task(&mut self, new: &NewTask<'_>) -> Result<TaskIndex> {
        self.run(|transaction| tasks::create(transaction, new))
    }

    /// Ends a Task: the work is done; see [`tasks::complete`].
    pub fn complete_task(&mut self, task: TaskIndex) -> Result<()> {
        self.run(|transaction| tasks::complete(transaction, task))
    }

    /// Ends a Task: it is given up; see [`tasks::cancel`].
    pub fn cancel_task(&mut self, task: TaskIndex) -> Result<()> {
        self.run(|transaction| tasks::cancel(transaction, task))
    }

    /// Ends a Task: it is given up locally; see [`tasks::abandon`].
    pub fn abandon_task(&mut self, task: TaskIndex) -> Result<()> {
        self.run(|transaction| tasks::abandon(transaction, task))
    }

    /// Says which Task of the remote is its counterpart; see [`tasks::publish`].
    pub fn publish_task(&mut self, task: TaskIndex, remote: RemoteTaskIndex) -> Result<()> {
        self.run(|transaction| tasks::publish(transaction, task, remote))
    }
}

/// Changes.
impl Txn<'_, Workflow> {
    /// Creates a Change of an open Task; see [`changes::create`].
    pub fn create_change(&mut self, new: &NewChange<'_>) -> Result<ChangeIndex> {
        self.run(|transaction| changes::create(transaction, new))
    }

    /// Takes a Change out of use; see [`changes::archive`].
    pub fn archive_change(&mut self, change: ChangeIndex, cause: ArchiveCause) -> Result<()> {
        self.run(|transaction| changes::archive(transaction, change, cause))
    }

    /// Brings an archived Change back; see [`changes::reopen`].
    pub fn reopen_change(&mut self, change: ChangeIndex) -> Result<()> {
        self.run(|transaction| changes::reopen(transaction, change))
    }

    /// Says which Change of the remote is its counterpart; see [`changes::publish`].
    pub fn publish_change(&mut self, change: ChangeIndex, remote: ChangeOrdinal) -> Result<()> {
        self.run(|transaction| changes::publish(transaction, change, remote))
    }
}

/// Lands.
impl Txn<'_, Workflow> {
    /// Submits a Land; see [`lands::submit`].
    pub fn submit_land(&mut self, new: &NewLand<'_>) -> Result<LandIndex> {
        self.run(|transaction| lands::submit(transaction, new))
    }

    /// Queued to running; see [`lands::start`].
    pub fn start_land(&mut self, land: LandIndex) -> Result<()> {
        self.run(|transaction| lands::start(transaction, land))
    }

    /// Running to updating; see [`lands::begin_update`].
    pub fn begin_update(&mut self, land: LandIndex) -> Result<()> {
        self.run(|transaction| lands::begin_update(transaction, land))
    }

    /// Says what keeps a Land from landing; see [`lands::block`].
    pub fn block_land(&mut self, land: LandIndex, why: FailureKind) -> Result<()> {
        self.run(|transaction| lands::block(transaction, land, why))
    }

    /// Says that a Land did not work; see [`lands::fail`].
    pub fn fail_land(&mut self, land: LandIndex, why: FailureKind) -> Result<()> {
        self.run(|transaction| lands::fail(transaction, land, why))
    }

    /// Gives a Land up; see [`lands::cancel`].
    pub fn cancel_land(&mut self, land: LandIndex) -> Result<()> {
        self.run(|transaction| lands::cancel(transaction, land))
    }

    /// Says that a Land succeeded, and moves its Line; see [`lands::succeed`].
    pub fn succeed_land(
        &mut self,
        land: LandIndex,
        expected: Option<SnapshotIndex>,
        landed: SnapshotIndex,
    ) -> Result<()> {
        self.run(|transaction| lands::succeed(transaction, land, expected, landed))
    }

    /// Lands a Change in one step; see [`lands::land`].
    pub fn land(
        &mut self,
        new: &NewLand<'_>,
        expected: Option<SnapshotIndex>,
        landed: SnapshotIndex,
    ) -> Result<Landed> {
        self.run(|transaction| lands::land(transaction, new, expected, landed))
    }

    /// Records work that landed before it came here; see [`lands::record_landed`].
    pub fn record_landed(&mut self, history: &LandedHistory<'_>) -> Result<RecordedHistory> {
        self.run(|transaction| lands::record_landed(transaction, history))
    }
}

/// Stashes.
impl Txn<'_, Workflow> {
    /// Puts a Snapshot of kind stash aside; see [`stashes::save`].
    pub fn save_stash(&mut self, snapshot: SnapshotIndex, workspace_cleared: bool) -> Result<StashIndex> {
        self.run(|transaction| stashes::save(transaction, snapshot, workspace_cleared))
    }

    /// Deletes a Stash; see [`stashes::drop`].
    pub fn drop_stash(&mut self, stash: StashIndex) -> Result<()> {
        self.run(|transaction| stashes::drop(transaction, stash))
    }
}

/// Lines.
impl Txn<'_, Workflow> {
    /// Creates a Line; see [`lines::create`].
    pub fn create_line(&mut self, name: &str, head: Option<SnapshotIndex>) -> Result<LineIndex> {
        self.run(|transaction| lines::create(transaction, name, head))
    }

    /// Gives a Line another name; see [`lines::rename`].
    pub fn rename_line(&mut self, line: LineIndex, name: &str) -> Result<()> {
        self.run(|transaction| lines::rename(transaction, line, name))
    }

    /// Moves a Line's head from `expected` to `head`, or answers `Conflict`; see [`lines::move_head`].
    pub fn move_head(
        &mut self,
        line: LineIndex,
        expected: Option<SnapshotIndex>,
        head: Option<SnapshotIndex>,
    ) -> Result<()> {
        self.run(|transaction| lines::move_head(transaction, line, expected, head))
    }

    /// Takes a Line out of use; see [`lines::archive`].
    pub fn archive_line(&mut self, line: LineIndex) -> Result<()> {
        self.run(|transaction| lines::archive(transaction, line))
    }

    /// Brings an archived Line back; see [`lines::restore`].
    pub fn restore_line(&mut self, line: LineIndex) -> Result<()> {
        self.run(|transaction| lines::restore(transaction, line))
    }

    /// Deletes a Line; see [`lines::delete`].
    pub fn delete_line(&mut self, line: LineIndex) -> Result<()> {
        self.run(|transaction| lines::delete(transaction, line))
    }
}

/// Tags.
impl Txn<'_, Workflow> {
    /// Creates a Tag, or brings a deleted one back; see [`tags::create`].
    pub fn create_tag(&mut self, name: &str, snapshot: SnapshotIndex, message: Option<&str>) -> Result<TagIndex> {
        self.run(|transaction| tags::create(transaction, name, snapshot, message))
    }

    /// Makes a Tag stand on a Snapshot whatever it stood on before; see [`tags::replace`].
    pub fn replace_tag(&mut self, name: &str, snapshot: SnapshotIndex, message: Option<&str>) -> Result<TagIndex> {
        self.run(|transaction| tags::replace(transaction, name, snapshot, message))
    }

    /// Deletes a Tag; see [`tags::delete`].
    pub fn delete_tag(&mut self, tag: TagIndex) -> Result<()> {
        self.run(|transaction| tags::delete(transaction, tag))
    }
}

/// Snapshots.
impl Txn<'_, Workflow> {
    /// Creates a Snapshot of a directory object that is stored in the object root, or answers the live one that is
    /// equal to it; see [`snapshots::create`].
    pub fn create_snapshot(&mut self, new: &NewSnapshot<'_>) -> Result<Created> {
        let companion = self.companion;
        let view = companion.objects().view()?;
        let mut folds = companion.folds();
        let objects = objects::Objects::new(&view)?;
        self.run(|transaction| snapshots::create(transaction, &objects, new, &mut folds))
    }

    /// Puts a directory on disk into the object root, leaving out every entry whose name is among `excluded`, and
    /// answers its hash, for [`Txn::create_snapshot`].
    ///
    /// The objects are committed here, in as many transactions of the object root as their size needs, at this
    /// transaction's time: they are durable before the Snapshot that will need them, and stay if this transaction is
    /// dropped.
    pub fn capture(&mut self, directory: &Path, excluded: &[&[u8]]) -> Result<Captured> {
        let now = self.now();
        self.companion.capture(now, directory, excluded)
    }

    /// Takes a Snapshot out of use when nothing live refers to it; see [`snapshots::tombstone`].
    pub fn tombstone_snapshot(&mut self, snapshot: SnapshotIndex) -> Result<()> {
        self.run(|transaction| snapshots::tombstone(transaction, snapshot))
    }
}

/// Objects.
impl Txn<'_, Objects> {
    /// Puts content of any size from a reader; see [`objects::put`].
    pub fn put(&mut self, kind: ObjectKind, reader: &mut dyn Read) -> Result<Put> {
        let mut folds = self.companion.folds();
        self.run(|transaction| objects::put(transaction, kind, reader, &mut folds))
    }

    /// Puts a file's content; see [`objects::put_blob`].
    pub fn put_blob(&mut self, content: &[u8]) -> Result<Put> {
        self.run(|transaction| objects::put_blob(transaction, content))
    }

    /// Puts a directory of entries that are sorted by name; see [`objects::put_directory`].
    pub fn put_directory(&mut self, entries: &[DirectoryEntry<'_>]) -> Result<Put> {
        let mut folds = self.companion.folds();
        self.run(|transaction| objects::put_directory(transaction, entries, &mut folds))
    }
}

impl<K: Kind> fmt::Debug for Txn<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Txn")
            .field("directory", &K::DIRECTORY)
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}
