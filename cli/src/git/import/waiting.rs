//! Commits of refs that are not imported: they wait until an imported ref reaches them.

use std::collections::BTreeMap;

use super::Importer;
use super::batch::NewCommit;
use super::error::ImportError;
use crate::git::marks::CommitOrdinal;

/// The most bytes that waiting commits take; when there are more, all of them are stored, reached or not, so that memory stays bounded.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Waiting commits, by ordinal.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    commits: BTreeMap<CommitOrdinal, NewCommit>,
    bytes: usize,
}

impl Waiting {
    fn hold(&mut self, commit: NewCommit) {
        self.bytes += commit.memory_len();
        self.commits.insert(commit.ordinal, commit);
    }

    /// Takes out everything that `starts` reach, parents first.
    fn reach(&mut self, starts: impl IntoIterator<Item = CommitOrdinal>) -> BTreeMap<CommitOrdinal, NewCommit> {
        let mut reached = BTreeMap::new();
        if self.commits.is_empty() {
            return reached;
        }
        let mut next: Vec<_> = starts.into_iter().collect();
        while let Some(ordinal) = next.pop() {
            if let Some(commit) = self.commits.remove(&ordinal) {
                self.bytes -= commit.memory_len();
                next.extend(&commit.parents);
                reached.insert(ordinal, commit);
            }
        }
        reached
    }

    fn take_all(&mut self) -> BTreeMap<CommitOrdinal, NewCommit> {
        self.bytes = 0;
        std::mem::take(&mut self.commits)
    }
}

impl Importer<'_, '_> {
    /// Keeps a commit that was read: in the batch with all it reaches, or waiting.
    pub(super) fn keep(&mut self, commit: NewCommit, is_imported: bool) {
        if is_imported {
            let reached = self.waiting.reach(commit.parents.iter().copied());
            for reached in reached.into_values() {
                self.batch.add(reached);
            }
            self.batch.add(commit);
            return;
        }
        self.waiting.hold(commit);
        if self.waiting.bytes > MAX_WAITING_BYTES {
            for held in self.waiting.take_all().into_values() {
                self.batch.add(held);
            }
        }
    }

    /// At the end of the stream: adds to the batch what only the refs themselves reach.
    pub(super) fn keep_tips(&mut self) -> Result<(), ImportError> {
        let reached = self.waiting.reach(self.references.imported_tips());
        for commit in reached.into_values() {
            self.batch.add(commit);
            if self.batch.is_full() {
                self.flush()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(ordinal: u32, parents: &[u32]) -> NewCommit {
        NewCommit {
            ordinal: CommitOrdinal(ordinal),
            parents: parents.iter().copied().map(CommitOrdinal).collect(),
            message: "m".to_owned(),
        }
    }

    #[test]
    fn what_is_reached_comes_out_once_and_parents_first() {
        let mut waiting = Waiting::default();
        for held in [commit(1, &[]), commit(3, &[1]), commit(4, &[0, 3, 1]), commit(6, &[])] {
            waiting.hold(held);
        }
        let order: Vec<_> = waiting
            .reach([CommitOrdinal(4), CommitOrdinal(3)])
            .into_keys()
            .map(|key| key.0)
            .collect();
        assert_eq!(order, [1, 3, 4]);
        assert!(waiting.reach([CommitOrdinal(4)]).is_empty());
        assert_eq!(waiting.bytes, commit(6, &[]).memory_len());
        assert_eq!(waiting.take_all().len(), 1);
        assert_eq!(waiting.bytes, 0);
    }
}
