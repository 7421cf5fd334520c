//! Reading Stashes by index.

use crate::domain::family::Family;
use crate::domain::snapshots::Snapshots;
use crate::domain::{Error, Result};
use crate::format::{STASH, Snapshot, Stash, StashIndex};
use crate::store::Source;

/// The Stashes of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Stashes<'s>(Family<'s>);

impl<'s> Stashes<'s> {
    /// The Stashes that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &STASH, "Stash")?))
    }

    /// What they are read from.
    pub(crate) fn source(&self) -> &'s dyn Source {
        self.0.source()
    }

    /// The number of records, deleted ones included.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-STASH or F-2.5.
    pub fn get(&self, index: StashIndex) -> Result<Stash> {
        self.0.read(index.get(), Stash::decode)
    }

    /// The Stash of that index. `NotFound`: there is none, or it is deleted.
    pub fn live(&self, index: StashIndex) -> Result<Stash> {
        let stash = self.get(index)?;
        if stash.tombstoned {
            return Err(Error::not_found(format!("the Stash {index} (it is deleted)")));
        }
        Ok(stash)
    }

    /// The Snapshot of `stash`, which is the record of that index. `Corrupt`: there is none (W-STASH-03).
    pub fn snapshot_of(&self, index: StashIndex, stash: &Stash) -> Result<Snapshot> {
        let snapshot = Snapshots::new(self.source())?.get(stash.snapshot);
        self.0.referred(index.get(), "W-STASH-03", snapshot)
    }

    /// The live Stashes in the order in which people want them: the newest Snapshot first, of equal times the later
    /// Stash first (F-2.5). Costs a look at every record.
    pub fn newest_first(&self) -> Result<Vec<(StashIndex, Stash)>> {
        let mut live = Vec::new();
        for index in (0..self.len()).filter_map(StashIndex::new) {
            let stash = self.get(index)?;
            if !stash.tombstoned {
                live.push((self.snapshot_of(index, &stash)?.created_at_s, index, stash));
            }
        }
        live.sort_by_key(|(created_at_s, index, _)| std::cmp::Reverse((*created_at_s, *index)));
        Ok(live.into_iter().map(|(_, index, stash)| (index, stash)).collect())
    }
}
