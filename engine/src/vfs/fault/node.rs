//! Files and directories: what is readable, what is durable, and the operations in between.
//!
//! One invariant holds throughout and the tests check it: the readable state is the durable state with every entry
//! of the journal applied in order.

use super::content::Content;
use super::digest::FileDigests;
use super::journal::{FailedSync, Journal, Pending, Standing};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The identity of a file or directory for as long as the disk exists.
pub(super) type NodeId = u32;

/// A directory's names.
pub(super) type Entries = BTreeMap<Arc<[u8]>, NodeId>;

/// One change of a file.
#[derive(Clone, Debug)]
pub(super) enum FileChange {
    /// Bytes written at an offset; `len_before` is the readable length they met.
    Write {
        offset: u64,
        bytes: Arc<[u8]>,
        len_before: u64,
    },
    /// A length that was set and was not what the file read as.
    SetLen { from: u64, to: u64 },
}

impl FileChange {
    /// The length this change grows the file to, where it grows it: (before, after).
    pub(super) fn growth(&self) -> Option<(u64, u64)> {
        let (before, after) = match self {
            Self::Write {
                offset,
                bytes,
                len_before,
            } => (*len_before, offset + bytes.len() as u64),
            Self::SetLen { from, to } => (*from, *to),
        };
        (after > before).then_some((before, after))
    }

    /// Whether nothing is left of this change once a later one is durable: a write under a write of all its bytes, a
    /// length under a length that is below everything it has touched. `between` are the changes between the two.
    fn is_hidden_by(&self, later: &Self, between: &[Pending<Self>]) -> bool {
        match (self, later) {
            (
                Self::Write { offset, bytes, .. },
                Self::Write {
                    offset: at,
                    bytes: over,
                    ..
                },
            ) => {
                let (end, over_end) = (offset + bytes.len() as u64, at + over.len() as u64);
                let is_write = |entry: &Pending<Self>| matches!(entry.change, Self::Write { .. });
                at <= offset && end <= over_end && between.iter().all(is_write)
            }
            (Self::SetLen { from, to }, Self::SetLen { to: last, .. }) => {
                let stays_above = |entry: &Pending<Self>| match entry.change {
                    Self::SetLen { from, to } => *last <= from.min(to),
                    Self::Write { offset, ref bytes, .. } => offset + bytes.len() as u64 <= *last,
                };
                last <= from.min(to) && between.iter().all(stays_above)
            }
            _ => false,
        }
    }

    /// Applies the whole change.
    pub(super) fn apply(&self, content: &mut Content) {
        match self {
            Self::Write { offset, bytes, .. } => content.write(*offset, bytes),
            Self::SetLen { to, .. } => content.set_len(*to),
        }
    }
}

/// One change of a directory.
#[derive(Clone, Debug)]
pub(super) enum EntryChange {
    /// A file, directory or symlink got this name.
    Create { name: Arc<[u8]>, node: NodeId },
    /// An entry changed its name, in one atomic step.
    Rename {
        from: Arc<[u8]>,
        to: Arc<[u8]>,
        node: NodeId,
    },
    /// An entry went away.
    Remove { name: Arc<[u8]>, node: NodeId },
}

impl EntryChange {
    pub(super) fn node(&self) -> NodeId {
        match self {
            Self::Create { node, .. } | Self::Rename { node, .. } | Self::Remove { node, .. } => *node,
        }
    }

    /// Applies the change. A name is only taken away from the node the change was about: where an earlier change was
    /// lost, something else may have it.
    pub(super) fn apply(&self, entries: &mut Entries) {
        let mut release = |name: &Arc<[u8]>, node: NodeId| {
            if entries.get(name) == Some(&node) {
                entries.remove(name);
            }
        };
        match self {
            Self::Create { name, node } => {
                entries.insert(Arc::clone(name), *node);
            }
            Self::Rename { from, to, node } => {
                release(from, *node);
                entries.insert(Arc::clone(to), *node);
            }
            Self::Remove { name, node } => release(name, *node),
        }
    }
}

/// A regular file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileNode {
    pub(super) readable: Content,
    pub(super) durable: Content,
    pub(super) journal: Journal<FileChange>,
    pub(super) executable: bool,
    /// Names in the readable tree.
    pub(super) links: u32,
    /// It never had a name: it vanishes with its last handle, so nothing of it is ever pending.
    pub(super) unnamed: bool,
    /// Blocks reserved up to here, beyond the length.
    pub(super) reserved: u64,
    /// Computed when asked for, dropped with every change.
    pub(super) digests: FileDigests,
}

impl FileNode {
    /// A file whose bytes have always been there.
    pub(super) fn settled(content: Content, executable: bool) -> Self {
        Self {
            readable: content.clone(),
            durable: content,
            executable,
            ..Self::default()
        }
    }

    pub(super) fn write(&mut self, sequence: u64, offset: u64, bytes: &[u8]) {
        let len_before = self.readable.len();
        let adds_nothing = self.adds_nothing(offset, bytes);
        self.readable.write(offset, bytes);
        if !self.unnamed && !adds_nothing {
            self.journal.push(
                sequence,
                FileChange::Write {
                    offset,
                    bytes: bytes.into(),
                    len_before,
                },
            );
        }
    }

    /// Whether a write of what reads there already leaves every cut and every sync as it was: nothing pending is clean,
    /// or one pending write will be synced that covers it and that nothing has changed since. Such a write is not
    /// recorded, so that doing the same again leads to the same disk.
    fn adds_nothing(&self, offset: u64, bytes: &[u8]) -> bool {
        let len = bytes.len() as u64;
        let mut present = vec![0; bytes.len()];
        if self.readable.read(offset, &mut present) != bytes.len() || present != bytes {
            return false;
        }
        let is_covered = |entry: &Pending<FileChange>| match &entry.change {
            FileChange::Write { offset: at, bytes, .. } => {
                entry.standing == Standing::Dirty && *at <= offset && offset + len <= at + bytes.len() as u64
            }
            FileChange::SetLen { .. } => false,
        };
        let touches = |entry: &&Pending<FileChange>| match &entry.change {
            FileChange::Write { offset: at, bytes, .. } => *at < offset + len && offset < at + bytes.len() as u64,
            FileChange::SetLen { from, to } => *from.min(to) < offset + len,
        };
        let all_dirty = self.journal.iter().all(|entry| entry.standing == Standing::Dirty);
        all_dirty || self.journal.iter().filter(touches).last().is_some_and(is_covered)
    }

    /// Setting a length to what it reads as is a no-op (assumption 4). Answers whether it was none.
    pub(super) fn set_len(&mut self, sequence: u64, to: u64) -> bool {
        let from = self.readable.len();
        if to < from {
            self.reserved = 0;
        }
        if to == from {
            return false;
        }
        self.readable.set_len(to);
        if !self.unnamed {
            self.journal.push(sequence, FileChange::SetLen { from, to });
            self.journal.drop_repeated_end(|one, other| match (one, other) {
                (FileChange::SetLen { from, to }, FileChange::SetLen { from: other, to: end }) => {
                    (from, to) == (other, end)
                }
                _ => false,
            });
        }
        true
    }

    /// How much of the medium the file takes.
    pub(super) fn allocated(&self) -> u64 {
        self.readable.len().max(self.reserved)
    }

    pub(super) fn synced(&mut self) {
        let durable = self.journal.synced(FileChange::is_hidden_by);
        self.settle(&durable);
    }

    pub(super) fn sync_failed(&mut self, outcome: FailedSync) {
        match outcome {
            FailedSync::StillDirty => {}
            FailedSync::ReadableButLost => self.journal.mark_clean(),
            FailedSync::Reverted => {
                let durable = self.journal.reverted();
                self.settle(&durable);
                self.reread();
            }
        }
    }

    pub(super) fn evict(&mut self) {
        if let Some(durable) = self.journal.evicted() {
            self.settle(&durable);
            self.reread();
        }
    }

    fn settle(&mut self, durable: &[Pending<FileChange>]) {
        for entry in durable {
            entry.change.apply(&mut self.durable);
        }
        // The common case: everything readable is durable, and the two share their chunks again.
        if self.journal.is_empty() && self.durable == self.readable {
            self.durable = self.readable.clone();
        }
    }

    fn reread(&mut self) {
        self.readable = self.durable.clone();
        for entry in self.journal.iter() {
            entry.change.apply(&mut self.readable);
        }
    }
}

/// A directory.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectoryNode {
    pub(super) readable: Arc<Entries>,
    pub(super) durable: Arc<Entries>,
    pub(super) journal: Journal<EntryChange>,
    /// It has no name any more: nothing can be created in it.
    pub(super) removed: bool,
}

impl DirectoryNode {
    pub(super) fn change(&mut self, sequence: u64, change: EntryChange) {
        change.apply(Arc::make_mut(&mut self.readable));
        self.journal.push(sequence, change);
    }

    pub(super) fn synced(&mut self) {
        let durable = self.journal.synced(|_, _, _| false);
        self.settle(&durable);
    }

    pub(super) fn sync_failed(&mut self, outcome: FailedSync) {
        match outcome {
            FailedSync::StillDirty => {}
            FailedSync::ReadableButLost => self.journal.mark_clean(),
            FailedSync::Reverted => {
                let durable = self.journal.reverted();
                self.settle(&durable);
                self.reread();
            }
        }
    }

    pub(super) fn evict(&mut self) {
        if let Some(durable) = self.journal.evicted() {
            self.settle(&durable);
            self.reread();
        }
    }

    fn settle(&mut self, durable: &[Pending<EntryChange>]) {
        for entry in durable {
            entry.change.apply(Arc::make_mut(&mut self.durable));
        }
        if self.journal.is_empty() && self.durable == self.readable {
            self.durable = Arc::clone(&self.readable);
        }
    }

    fn reread(&mut self) {
        let mut readable = (*self.durable).clone();
        self.journal.iter().for_each(|entry| entry.change.apply(&mut readable));
        self.readable = Arc::new(readable);
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Node {
    File(FileNode),
    Directory(DirectoryNode),
    Symlink(Arc<[u8]>),
    /// A pipe or device: only there to be refused.
    Special,
}
