//! Saving and dropping Stashes.

use super::records::Stashes;
use crate::domain::family::{append, replace, typed};
use crate::domain::snapshots::{Snapshots, tombstone};
use crate::domain::{Error, Result};
use crate::format::{STASH, SnapshotIndex, SnapshotKind, Stash, StashIndex};
use crate::store::{Stage, Transaction};

/// Puts a Snapshot of kind stash aside.
///
/// `Refused`: the Snapshot is of another kind, deleted, or not there (W-STASH-03).
pub fn save(transaction: &mut Transaction<'_>, snapshot: SnapshotIndex, workspace_cleared: bool) -> Result<StashIndex> {
    let refuse = |why: String| Err(Error::refused("W-STASH-03", why));
    match Snapshots::new(transaction)?.get(snapshot) {
        Ok(found) if found.tombstoned => return refuse(format!("the Snapshot {} is deleted", found.id)),
        Ok(found) if found.kind != SnapshotKind::Stash => {
            return refuse(format!("the Snapshot {} is not that of a Stash", found.id));
        }
        Ok(_) => {}
        Err(Error::NotFound { what }) => return refuse(format!("{what} does not exist")),
        Err(error) => return Err(error),
    }
    let stash = Stash {
        tombstoned: false,
        workspace_cleared,
        snapshot,
    };
    let index = append(transaction, &STASH, Stage::Commit, &stash.encode())?;
    typed(StashIndex::new(index), "Stashes")
}

/// Deletes a Stash: its record stays with the tombstone bit (W-STASH-04), and no index moves (W-STASH-05). Where no
/// other live Stash names its Snapshot, that one is taken out of use in the same transaction (F-2.5); a Snapshot that
/// something else refers to stays in use.
///
/// `NotFound`: no such Stash, or it is deleted already. `Corrupt`: it names no Snapshot (W-STASH-03).
pub fn drop(transaction: &mut Transaction<'_>, index: StashIndex) -> Result<()> {
    let stashes = Stashes::new(transaction)?;
    let stash = stashes.live(index)?;
    let snapshot = stashes.snapshot_of(index, &stash)?;
    let tombstoned = Stash {
        tombstoned: true,
        ..stash
    };
    replace(transaction, &STASH, index.get(), &tombstoned.encode())?;
    if snapshot.tombstoned {
        return Ok(());
    }
    match transaction.attempt(|transaction| tombstone(transaction, stash.snapshot)) {
        // Something live refers to it: another Stash, or a Snapshot made on top of it.
        Ok(()) | Err(Error::Refused { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
