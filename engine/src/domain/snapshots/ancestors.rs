//! Walking from a Snapshot to those it came from.

use std::collections::BTreeSet;

use super::records::Snapshots;
use crate::domain::Result;
use crate::format::{Snapshot, SnapshotIndex};

/// The ancestors of some Snapshots, the Snapshots themselves included: each once, every one before all of its
/// parents. See [`Snapshots::ancestors`].
pub struct Ancestors<'s> {
    snapshots: Snapshots<'s>,
    frontier: BTreeSet<SnapshotIndex>,
}

impl<'s> Ancestors<'s> {
    pub(super) fn new(snapshots: Snapshots<'s>, starts: impl IntoIterator<Item = SnapshotIndex>) -> Self {
        Self {
            snapshots,
            frontier: starts.into_iter().collect(),
        }
    }
}

impl Iterator for Ancestors<'_> {
    type Item = Result<(SnapshotIndex, Snapshot)>;

    fn next(&mut self) -> Option<Self::Item> {
        // A parent's record stands before its child's, so the highest index is no ancestor of another in the frontier:
        // that order needs no notes of what was visited, and no damaged link can make a circle.
        let index = self.frontier.pop_last()?;
        let read = self.snapshots.get(index).and_then(|snapshot| {
            let parents = self.snapshots.parents(index)?;
            self.frontier.extend(parents);
            Ok((index, snapshot))
        });
        if read.is_err() {
            self.frontier.clear();
        }
        Some(read)
    }
}

/// A Snapshot, its first parent, that one's first parent, …: see [`Snapshots::first_parents`].
pub struct FirstParents<'s> {
    snapshots: Snapshots<'s>,
    next: Option<SnapshotIndex>,
}

impl<'s> FirstParents<'s> {
    pub(super) fn new(snapshots: Snapshots<'s>, start: SnapshotIndex) -> Self {
        Self {
            snapshots,
            next: Some(start),
        }
    }
}

impl Iterator for FirstParents<'_> {
    type Item = Result<(SnapshotIndex, Snapshot)>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next.take()?;
        let read = self.snapshots.get(index);
        if let Ok(snapshot) = &read {
            self.next = snapshot.parents.first();
        }
        Some(read.map(|snapshot| (index, snapshot)))
    }
}
