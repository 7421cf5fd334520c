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
use super::rows::Rows;
use crate::domain::objects::Put;
use crate::domain::snapshots::{Created, NewSnapshot};
use crate::domain::worktree::Captured;
use crate::domain::{self, lines, objects, snapshots, tags};
use crate::format::{DirectoryEntry, LineIndex, ObjectKind, SnapshotIndex, TagIndex, UnixSeconds};
use crate::store;

/// A transaction on one root: the exclusive lock is held as long as it lives.
///
/// Operations run one after another, each seeing what those before it have written; a refused one drops only itself.
/// Nothing touches the disk before [`Txn::commit`]; dropping a transaction costs nothing.
pub struct Txn<'r, K> {
    transaction: store::Transaction<'r>,
    companion: &'r Companion,
    directory: &'r Arc<str>,
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

/// Reading through the pending writes.
impl Txn<'_, Workflow> {
    /// The Lines, pending ones included.
    pub fn lines(&self) -> Result<Rows<lines::Lines<'_>>> {
        Ok(Rows::new(lines::Lines::new(&self.transaction)?, self.directory))
    }

    /// The Tags, pending ones included.
    pub fn tags(&self) -> Result<Rows<tags::Tags<'_>>> {
        Ok(Rows::new(tags::Tags::new(&self.transaction)?, self.directory))
    }

    /// The Snapshots, pending ones included.
    pub fn snapshots(&self) -> Result<Rows<snapshots::Snapshots<'_>>> {
        Ok(Rows::new(snapshots::Snapshots::new(&self.transaction)?, self.directory))
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
    /// The objects, pending ones included.
    pub fn objects(&self) -> Result<Rows<objects::Objects<'_>>> {
        Ok(Rows::new(objects::Objects::new(&self.transaction)?, self.directory))
    }

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
