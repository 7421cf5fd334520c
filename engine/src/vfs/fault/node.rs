//! Files and directories: what is readable, what is durable, and the operations in between.
//!
//! One invariant holds throughout and the tests check it: the readable state is the durable state with every entry
//! of the journal applied in order.

use super::content::Content;
use super::journal::{FailedSync, Journal, Pending};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

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
    pub(super) digest: OnceLock<[u8; 32]>,
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
        self.readable.write(offset, bytes);
        if !self.unnamed {
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
        }
        true
    }

    /// How much of the medium the file takes.
    pub(super) fn allocated(&self) -> u64 {
        self.readable.len().max(self.reserved)
    }

    pub(super) fn synced(&mut self) {
        let durable = self.journal.synced();
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
        let durable = self.journal.synced();
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
