//! One batch of an import, and everything the stream's phase asks of the engine.

use std::io::Read;
use std::sync::Arc;

use graven::format::{DirectoryEntry, EntryTarget, FileMode, LinkId, ObjectHash, ObjectKind, SnapshotIndex};
use graven::{NewSnapshot, Objects, PutOutcome, Root, Store, Txn, UnixSeconds, Workflow};

use super::Limits;
use super::commits::Commits;
use super::error::ImportError;
use super::report::Report;
use crate::git::marks::{Blob, CommitOrdinal};
use crate::git::stream::Mode;
use crate::git::tree::{Cache, Directories, Directory, Entry, Hash};

/// The memory for directories that were read or stored lately, in bytes.
const CACHE_BYTES: usize = 32 << 20;
/// What a pending object takes beside its content, about, in bytes.
const OBJECT_OVERHEAD: u64 = 256;

/// The roots of a store that an import writes to.
pub(super) struct Roots {
    objects: Root<Objects>,
    workflow: Root<Workflow>,
}

impl Roots {
    pub(super) fn of(store: &Store) -> Self {
        Self {
            objects: store.objects(),
            workflow: store.workflow(),
        }
    }
}

/// A commit that is to become a Snapshot.
#[derive(Clone, Debug)]
pub(super) struct NewCommit {
    pub ordinal: CommitOrdinal,
    /// All its parents in order; each comes before it.
    pub parents: Vec<CommitOrdinal>,
    pub message: String,
}

impl NewCommit {
    pub(super) fn memory_len(&self) -> usize {
        size_of::<Self>() + self.message.len() + self.parents.len() * size_of::<CommitOrdinal>()
    }
}

/// Objects and Snapshots that are not committed yet.
pub(super) struct Batch<'r> {
    roots: &'r Roots,
    limits: Limits,
    objects: Option<Txn<'r, Objects>>,
    /// Bytes pending in `objects`.
    object_bytes: u64,
    commits: Vec<NewCommit>,
    /// Bytes of content and messages since the last flush.
    bytes: u64,
    /// The latest time of the stream; the engine's changes carry it beside what they write.
    now: UnixSeconds,
    directories: Cache,
    blobs_added: u64,
    directories_added: u64,
}

impl<'r> Batch<'r> {
    pub(super) fn new(roots: &'r Roots, limits: Limits) -> Self {
        Self {
            roots,
            limits,
            objects: None,
            object_bytes: 0,
            commits: Vec::new(),
            bytes: 0,
            now: UnixSeconds(1),
            directories: Cache::new(CACHE_BYTES),
            blobs_added: 0,
            directories_added: 0,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= self.limits.batch_bytes || self.commits.len() >= self.limits.batch_commits
    }

    /// Lets the changes that follow carry at least that time.
    pub(super) fn pass_time(&mut self, at: UnixSeconds) {
        self.now = self.now.max(at);
    }

    /// Adds a commit whose parents have been added before.
    pub(super) fn add(&mut self, commit: NewCommit) {
        self.bytes += commit.memory_len() as u64;
        self.commits.push(commit);
    }

    /// Stores content of any size.
    pub(super) fn put_blob(&mut self, content: &mut dyn Read) -> graven::Result<Blob> {
        let put = self.objects()?.put(ObjectKind::Blob, content)?;
        self.blobs_added += u64::from(put.outcome == PutOutcome::Added);
        self.pass(put.len, put.outcome)?;
        Ok(Blob {
            hash: put.hash.0,
            size: put.len,
        })
    }

    /// Commits everything: first the objects, then the Snapshots that need them.
    pub(super) fn flush(&mut self, commits: &mut Commits, report: &mut Report) -> Result<(), ImportError> {
        self.commit_objects()?;
        report.counts.blobs_added += std::mem::take(&mut self.blobs_added);
        report.counts.directories_added += std::mem::take(&mut self.directories_added);
        self.bytes = 0;
        if self.commits.is_empty() {
            return Ok(());
        }
        let mut txn = self.roots.workflow.begin(self.now)?;
        for commit in self.commits.drain(..) {
            let Some(known) = commits.get(commit.ordinal).copied() else {
                continue;
            };
            let parents = commit
                .parents
                .iter()
                .filter_map(|parent| commits.get(*parent)?.snapshot);
            let parents: Vec<SnapshotIndex> = parents.collect();
            let root = ObjectHash(known.root.hash);
            let new = NewSnapshot::new(root, known.committed_at_s)
                .parents(&parents)
                .message(&commit.message);
            let created = txn.create_snapshot(&new)?;
            report.counts.snapshots_added += u64::from(created.added);
            report.counts.snapshots_existing += u64::from(!created.added);
            commits.set_snapshot(commit.ordinal, created.index);
        }
        txn.commit()?;
        Ok(())
    }

    /// A transaction for Lines and Tags.
    pub(super) fn begin_references(&self) -> graven::Result<Txn<'r, Workflow>> {
        self.roots.workflow.begin(self.now)
    }

    fn objects(&mut self) -> graven::Result<&mut Txn<'r, Objects>> {
        match self.objects {
            Some(ref mut txn) => Ok(txn),
            None => Ok(self.objects.insert(self.roots.objects.begin(self.now)?)),
        }
    }

    /// Counts what was put, and commits the objects where they have become many: also in the middle of a commit's directories.
    fn pass(&mut self, len: u64, outcome: PutOutcome) -> graven::Result<()> {
        self.bytes = self.bytes.saturating_add(len);
        if outcome != PutOutcome::Existing {
            self.object_bytes = self.object_bytes.saturating_add(len).saturating_add(OBJECT_OVERHEAD);
        }
        if self.object_bytes >= self.limits.batch_bytes {
            self.commit_objects()?;
        }
        Ok(())
    }

    fn commit_objects(&mut self) -> graven::Result<()> {
        if let Some(txn) = self.objects.take() {
            txn.commit()?;
        }
        self.object_bytes = 0;
        Ok(())
    }
}

impl Directories for Batch<'_> {
    type Error = graven::Error;

    fn load(&mut self, hash: &Hash) -> graven::Result<Arc<Directory>> {
        if let Some(known) = self.directories.get(hash) {
            return Ok(known);
        }
        let objects = self.objects()?.objects()?;
        let stored = objects.directory(&ObjectHash(*hash))?;
        let mut directory = Directory::default();
        for entry in stored.entries() {
            let entry = entry?;
            directory.entries.push((entry.name.into(), entry_of(&entry.target)));
        }
        Ok(self.directories.insert(*hash, directory))
    }

    fn store(&mut self, directory: Directory) -> graven::Result<Hash> {
        let entries: Vec<_> = directory
            .entries
            .iter()
            .map(|(name, entry)| DirectoryEntry {
                name,
                target: target_of(entry),
            })
            .collect();
        let put = self.objects()?.put_directory(&entries)?;
        self.directories_added += u64::from(put.outcome == PutOutcome::Added);
        self.directories.insert(put.hash.0, directory);
        self.pass(put.len, put.outcome)?;
        Ok(put.hash.0)
    }
}

/// An entry as the tree has it.
pub(crate) fn entry_of(target: &EntryTarget) -> Entry {
    match target {
        EntryTarget::File { mode, size, hash } => Entry {
            mode: match mode {
                FileMode::Plain => Mode::File,
                FileMode::Executable => Mode::Executable,
                FileMode::Symlink => Mode::Symlink,
            },
            size: *size,
            hash: hash.0,
        },
        EntryTarget::Directory { size, hash } => Entry {
            mode: Mode::Directory,
            size: *size,
            hash: hash.0,
        },
        EntryTarget::Link(id) => {
            let mut hash = [0; 32];
            hash.iter_mut().zip(id.as_bytes()).for_each(|(to, from)| *to = *from);
            Entry {
                mode: Mode::Link,
                size: 0,
                hash,
            }
        }
    }
}

fn target_of(entry: &Entry) -> EntryTarget {
    let (size, hash) = (entry.size, ObjectHash(entry.hash));
    let file = |mode| EntryTarget::File { mode, size, hash };
    match entry.mode {
        Mode::File => file(FileMode::Plain),
        Mode::Executable => file(FileMode::Executable),
        Mode::Symlink => file(FileMode::Symlink),
        Mode::Directory => EntryTarget::Directory { size, hash },
        Mode::Link => EntryTarget::Link(LinkId::from_32(entry.hash)),
    }
}
