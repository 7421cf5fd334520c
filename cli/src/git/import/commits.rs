//! The commits of a stream: what is known of each, and how one is read.

use std::io::Read;

use graven::UnixSeconds;
use graven::format::{SnapshotIndex, SnapshotPayload};

use super::batch::NewCommit;
use super::error::ImportError;
use super::references::{self, Tip};
use super::{Importer, unknown_mark};
use crate::git::marks::{Blob, CommitOrdinal, Marked, MarksFull};
use crate::git::stream::{
    Commit, CommitName, Contents, Event, FileChange, MAX_PARENTS, Mode, Parser, Position, StreamError, too_many_parents,
};
use crate::git::text;
use crate::git::tree::{Directories, Entry, Tree};

/// All commits of the stream so far, by ordinal.
#[derive(Debug, Default)]
pub(super) struct Commits(Vec<Known>);

/// What is kept of a commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its root directory.
    pub root: Entry,
    /// The committer's time as it is stored.
    pub committed_at_s: UnixSeconds,
    /// Its Snapshot, once there is one.
    pub snapshot: Option<SnapshotIndex>,
}

impl Commits {
    /// The commit of that ordinal. Ordinals are only made by [`Commits::add`], so it is there.
    pub(super) fn get(&self, ordinal: CommitOrdinal) -> Option<&Known> {
        self.0.get(ordinal.0 as usize)
    }

    /// A commit's Snapshot and time, where it is stored.
    pub(super) fn snapshot(&self, ordinal: CommitOrdinal) -> Option<(SnapshotIndex, UnixSeconds)> {
        let known = self.get(ordinal)?;
        Some((known.snapshot?, known.committed_at_s))
    }

    pub(super) fn set_snapshot(&mut self, ordinal: CommitOrdinal, snapshot: SnapshotIndex) {
        if let Some(known) = self.0.get_mut(ordinal.0 as usize) {
            known.snapshot = Some(snapshot);
        }
    }

    fn add(&mut self, known: Known) -> Result<CommitOrdinal, MarksFull> {
        let ordinal = u32::try_from(self.0.len()).map_err(|_| MarksFull)?;
        self.0.push(known);
        Ok(CommitOrdinal(ordinal))
    }
}

impl Importer<'_, '_> {
    /// Reads a commit with its changes.
    pub(super) fn read_commit<R: Read>(&mut self, commit: &Commit, parser: &mut Parser<R>) -> Result<(), ImportError> {
        let (base, parents) = self.parents_of(commit)?;
        let mut tree = match base.and_then(|base| self.commits.get(base)) {
            Some(base) => Tree::stored(base.root),
            None => Tree::empty(),
        };
        while let Event::Change { position, change } = parser.next_event()? {
            self.apply(&mut tree, position, change, parser)?;
        }
        let position = commit.position;
        let root = tree.finish(&mut self.batch).map_err(ImportError::at(position))?;

        let limit = SnapshotPayload::max_message_len(parents.len().saturating_sub(1), 0);
        let message = text::decode(&commit.message, commit.encoding.as_deref(), limit);
        self.report.note_message(&message);
        let committed_at_s = self.report.store_time(commit.committed_at_s);
        self.batch.pass_time(committed_at_s);
        self.report.counts.commits += 1;
        self.report.counts.merges += u64::from(parents.len() > 1);

        let known = Known {
            root,
            committed_at_s,
            snapshot: None,
        };
        let ordinal = self.commits.add(known).map_err(ImportError::at(position))?;
        if let Some(mark) = commit.mark {
            self.marks
                .set(mark, Marked::Commit(ordinal))
                .map_err(ImportError::at(position))?;
        }
        let new = NewCommit {
            ordinal,
            parents,
            message: message.text,
        };
        self.keep(new, references::is_imported(&commit.reference));
        self.references.point(&commit.reference, ordinal);
        Ok(())
    }

    /// The commit whose tree a commit starts from, and all its parents in order.
    fn parents_of(&self, commit: &Commit) -> Result<(Option<CommitOrdinal>, Vec<CommitOrdinal>), ImportError> {
        let base = match &commit.from {
            Some((position, from)) => self.resolve(*position, from)?,
            None => match self.references.tip(&commit.reference) {
                Some(Tip::Commit(tip)) => Some(tip),
                _ => None,
            },
        };
        let mut parents: Vec<_> = base.into_iter().collect();
        for (position, merge) in &commit.merges {
            let merged = self.resolve(*position, merge)?;
            parents.push(merged.ok_or_else(|| StreamError::refused_plain(*position, "a merge needs a commit"))?);
        }
        if parents.len() > MAX_PARENTS {
            return Err(too_many_parents(commit.position, commit.mark).into());
        }
        Ok((base, parents))
    }

    /// The commit that a name means; none for zeros and for a ref without a commit.
    pub(super) fn resolve(&self, position: Position, name: &CommitName) -> Result<Option<CommitOrdinal>, StreamError> {
        let not_a_commit = |what: &[u8]| Err(StreamError::refused(position, "a commit is expected", what));
        match name {
            CommitName::Nothing => Ok(None),
            CommitName::Id(id) => Err(StreamError::incremental(position, id)),
            CommitName::Mark(mark) => match self.marks.get(*mark) {
                Some(Marked::Commit(ordinal)) => Ok(Some(ordinal)),
                Some(Marked::Blob(_) | Marked::OtherTag) => not_a_commit(format!(":{mark}").as_bytes()),
                None => Err(unknown_mark(position, *mark)),
            },
            CommitName::Reference(name) | CommitName::ReferencePeeled(name) => match self.references.tip(name) {
                Some(Tip::Commit(ordinal)) => Ok(Some(ordinal)),
                Some(Tip::Nothing) => Ok(None),
                Some(Tip::Elsewhere) => not_a_commit(name),
                None => Err(StreamError::incremental(position, name)),
            },
        }
    }

    fn apply<R: Read>(
        &mut self,
        tree: &mut Tree,
        position: Position,
        change: FileChange,
        parser: &mut Parser<R>,
    ) -> Result<(), ImportError> {
        let batch = &mut self.batch;
        let applied = match change {
            FileChange::DeleteAll => {
                tree.clear();
                Ok(())
            }
            FileChange::Delete { path } => tree.remove(&path, batch),
            FileChange::Rename { source, target } => tree.rename(&source, &target, batch),
            FileChange::Copy { source, target } => tree.copy(&source, &target, batch),
            FileChange::Modify { mode, contents, path } => match self.entry(mode, &contents, position, parser)? {
                Some(entry) => tree.set(&path, entry, &mut self.batch),
                None => tree.remove(&path, &mut self.batch),
            },
            FileChange::Note { contents } => {
                if contents == Some(Contents::Inline) {
                    self.put_content(parser, position)?;
                    self.report.counts.blobs += 1;
                }
                self.report.forgotten.notes += 1;
                Ok(())
            }
        };
        applied.map_err(ImportError::at(position))
    }

    /// The entry that `M` makes; none for an empty directory.
    fn entry<R: Read>(
        &mut self,
        mode: Mode,
        contents: &Contents,
        position: Position,
        parser: &mut Parser<R>,
    ) -> Result<Option<Entry>, ImportError> {
        let file = |blob: Blob| Entry {
            mode,
            size: blob.size,
            hash: blob.hash,
        };
        match contents {
            Contents::EmptyDirectory => Ok(None),
            Contents::Link(id) => Ok(Some(Entry {
                mode,
                size: 0,
                hash: id.0,
            })),
            Contents::Inline => {
                let blob = self.put_content(parser, position)?;
                self.report.counts.blobs += 1;
                Ok(Some(file(blob)))
            }
            Contents::Mark(mark) => match (mode, self.marks.get(*mark)) {
                (_, None) => Err(unknown_mark(position, *mark).into()),
                (Mode::Directory, Some(Marked::Commit(ordinal))) => {
                    // No command makes a directory of its own; a commit's root is the one that a mark can name.
                    let root = self.commits.get(ordinal).map(|known| known.root);
                    let Some(root) = root else { return Ok(None) };
                    let directory = self.batch.load(&root.hash).map_err(ImportError::at(position))?;
                    Ok((!directory.entries.is_empty()).then_some(root))
                }
                (Mode::File | Mode::Executable | Mode::Symlink, Some(Marked::Blob(blob))) => Ok(Some(file(blob))),
                _ => {
                    let what = format!("the mark names nothing that has the mode {:06o}", mode.bits());
                    Err(StreamError::refused(position, what, format!(":{mark}").as_bytes()).into())
                }
            },
        }
    }

    /// Stores the content at the parser's place as a blob.
    pub(super) fn put_content<R: Read>(
        &mut self,
        parser: &mut Parser<R>,
        position: Position,
    ) -> Result<Blob, ImportError> {
        let put = self.batch.put_blob(&mut parser.content());
        // Where the stream failed, that is the error, not what the engine made of it.
        if let Some(failure) = parser.failure() {
            return Err(failure.into());
        }
        put.map_err(ImportError::at(position))
    }
}
