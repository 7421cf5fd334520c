//! Stashes: Snapshots of work that is put aside (W-STASH, F-2.5).

use std::fmt;

use super::{Index, Refusal, SnapshotKind, Store};

/// A Stash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stash {
    /// Whether it is dropped.
    pub tombstoned: bool,
    /// Whether the worktree was cleared when it was saved.
    pub workspace_cleared: bool,
    /// The Snapshot.
    pub snapshot: usize,
}

/// What is done with Stashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StashOperation {
    /// Saves one.
    Save {
        /// The Snapshot.
        snapshot: usize,
        /// Whether the worktree was cleared.
        workspace_cleared: bool,
    },
    /// Drops one.
    Drop(usize),
}

impl fmt::Display for Stash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.tombstoned { "dropped" } else { "live" };
        let cleared = if self.workspace_cleared { " cleared" } else { "" };
        write!(f, "{state} snapshot {}{cleared}", self.snapshot)
    }
}

impl Store {
    pub(super) fn apply_stash(&mut self, operation: &StashOperation) -> Index {
        match *operation {
            StashOperation::Save {
                snapshot,
                workspace_cleared,
            } => self.save_stash(snapshot, workspace_cleared),
            StashOperation::Drop(stash) => self.drop_stash(stash),
        }
    }

    pub(super) fn is_stashed(&self, snapshot: usize) -> bool {
        let refers = |stash: &Stash| !stash.tombstoned && stash.snapshot == snapshot;
        self.stashes.iter().any(refers)
    }

    fn save_stash(&mut self, snapshot: usize, workspace_cleared: bool) -> Index {
        if !self.is_live_of_kind(snapshot, SnapshotKind::Stash) {
            return Err(Refusal::Refused("W-STASH-03"));
        }
        self.stashes.push(Stash {
            tombstoned: false,
            workspace_cleared,
            snapshot,
        });
        Ok(self.stashes.len() - 1)
    }

    /// The Snapshot goes with the last Stash of it, unless something else keeps it in use.
    fn drop_stash(&mut self, index: usize) -> Index {
        let stash = self.stashes.get_mut(index).filter(|stash| !stash.tombstoned);
        let stash = stash.ok_or(Refusal::NotFound)?;
        stash.tombstoned = true;
        let snapshot = stash.snapshot;
        if self.what_refers_to(snapshot).is_none() {
            self.snapshots[snapshot].tombstoned = true;
        }
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, Operation, Refusal, SnapshotKind, Store};
    use super::StashOperation::{Drop, Save};

    fn save(snapshot: usize) -> Operation {
        Operation::Stash(Save {
            snapshot,
            workspace_cleared: true,
        })
    }

    fn dropped(stash: usize) -> Operation {
        Operation::Stash(Drop(stash))
    }

    /// Snapshot 0 is of kind line, 1 and 2 are of kind stash.
    fn store() -> Store {
        let mut store = Store::default();
        store.apply(1, &Operation::PutDirectory(vec![])).unwrap();
        for (kind, created_at_s) in [
            (SnapshotKind::Line, 1),
            (SnapshotKind::Stash, 2),
            (SnapshotKind::Stash, 3),
        ] {
            let snapshot = Operation::CreateSnapshot {
                kind,
                root: 0,
                created_at_s,
                parents: vec![],
                line: None,
                message: String::new(),
            };
            store.apply(1, &snapshot).unwrap();
        }
        store
    }

    /// W-STASH-03: a Snapshot of kind line, a missing and a tombstoned one are refused.
    #[test]
    fn only_a_live_snapshot_of_kind_stash_is_stashed() {
        let mut store = store();
        store.apply(2, &Operation::TombstoneSnapshot(2)).unwrap();
        for wrong in [0, 2, 3] {
            assert_eq!(store.apply(3, &save(wrong)), Err(Refusal::Refused("W-STASH-03")));
        }
        assert_eq!(store.apply(3, &save(1)), Ok(Answered::Record(0)));
        let kept = store.apply(4, &Operation::TombstoneSnapshot(1));
        assert_eq!(kept, Err(Refusal::Refused("W-STASH-03")));
    }

    /// W-STASH-04, F-2.5: the record stays, and the Snapshot goes with the last Stash of it.
    #[test]
    fn the_last_stash_takes_its_snapshot_along() {
        let mut store = store();
        store.apply(2, &save(1)).unwrap();
        store.apply(2, &save(1)).unwrap();
        assert_eq!(store.apply(3, &dropped(0)), Ok(Answered::Record(0)));
        assert!(!store.snapshots[1].tombstoned);
        assert_eq!(store.apply(4, &dropped(1)), Ok(Answered::Record(1)));
        assert!(store.snapshots[1].tombstoned);
        assert_eq!(store.stashes.len(), 2);
        assert_eq!(store.apply(5, &dropped(1)), Err(Refusal::NotFound));
    }

    /// F-2.5: what a Tag names or a child comes from stays in use without a Stash.
    #[test]
    fn a_snapshot_that_is_in_use_elsewhere_outlives_its_stash() {
        let mut store = store();
        store.apply(2, &save(1)).unwrap();
        let tag = Operation::CreateTag {
            name: "kept".into(),
            snapshot: 1,
            message: None,
        };
        store.apply(2, &tag).unwrap();
        assert_eq!(store.apply(3, &dropped(0)), Ok(Answered::Record(0)));
        assert!(!store.snapshots[1].tombstoned);
    }

    /// W-STASH-05: dropping one moves no other.
    #[test]
    fn dropping_a_stash_moves_no_other() {
        let mut store = store();
        for snapshot in [1, 2, 1] {
            store.apply(2, &save(snapshot)).unwrap();
        }
        store.apply(3, &dropped(0)).unwrap();
        let snapshots: Vec<usize> = store.stashes.iter().map(|stash| stash.snapshot).collect();
        assert_eq!(snapshots, [1, 2, 1]);
    }

    /// W-LINE-03: a Snapshot that is stashed is nobody's head.
    #[test]
    fn a_stashed_snapshot_is_no_head() {
        let line = Operation::CreateLine {
            name: "main".into(),
            head: Some(1),
        };
        assert_eq!(store().apply(2, &line), Err(Refusal::Refused("W-LINE-03")));
    }
}
