//! Reading Snapshots: by index, by identity, and what their payload holds.

use super::ancestors::{Ancestors, FirstParents};
use super::rules::RULE;
use crate::domain::family::Family;
use crate::domain::{Error, Result};
use crate::format::{Parents, SNAPSHOT, SNAPSHOT_ID_INDEX, Snapshot, SnapshotId, SnapshotIndex, SnapshotPayload};
use crate::store::{self, FamilyId, IndexDefinition, Source};

/// The size of a Snapshot's record in bytes.
const SIZE: usize = 88;

/// The index that finds a Snapshot by its identity; rows for live Snapshots only (F-4).
pub static SNAPSHOT_ID: IndexDefinition = IndexDefinition {
    layout: &SNAPSHOT,
    file: Some(&SNAPSHOT_ID_INDEX),
    key: id_key,
    plus1: true,
    immutable: true,
};

fn id_key(source: &dyn Source, family: FamilyId, index: u32) -> store::Result<Option<Vec<u8>>> {
    let mut record = [0; SIZE];
    source.read_record(family, index, &mut record)?;
    let raw = Snapshot::raw(&record).ok().filter(|raw| raw.snapshot_meta & 0x80 == 0);
    Ok(raw.map(|raw| id_bytes(raw.snapshot_hash48.get())))
}

fn id_bytes(hash48: u64) -> Vec<u8> {
    hash48.to_le_bytes().to_vec()
}

/// What a Snapshot holds beside its record, owned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// All its parents in order; the first is the record's.
    pub parents: Vec<SnapshotIndex>,
    /// Its message; never empty.
    pub message: Option<String>,
    /// The name that its authoring Line had at that moment.
    pub line_name: Option<String>,
}

/// The Snapshots of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Snapshots<'s>(Family<'s>);

impl<'s> Snapshots<'s> {
    /// The Snapshots that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &SNAPSHOT, "Snapshot")?))
    }

    /// The number of records, tombstones included.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a tombstone.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks F-2.16, or its parent does not stand before it.
    pub fn get(&self, index: SnapshotIndex) -> Result<Snapshot> {
        let snapshot = self.0.read(index.get(), Snapshot::decode)?;
        match snapshot.parents.first() {
            Some(parent) if parent >= index => Err(self.parent_after(index, parent)),
            _ => Ok(snapshot),
        }
    }

    /// The live Snapshot of that index. `NotFound`: there is none, or it is a tombstone.
    pub fn live(&self, index: SnapshotIndex) -> Result<Snapshot> {
        let snapshot = self.get(index)?;
        if snapshot.tombstoned {
            return Err(Error::not_found(format!(
                "the Snapshot {} (it is a tombstone)",
                snapshot.id
            )));
        }
        Ok(snapshot)
    }

    /// All records in their order, each on its own: an error ends nothing.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (SnapshotIndex, Result<Snapshot>)> + use<'s> {
        let snapshots = *self;
        (0..self.len())
            .filter_map(SnapshotIndex::new)
            .map(move |index| (index, snapshots.get(index)))
    }

    /// The live Snapshot of that identity, in constant time; `None` where there is none.
    ///
    /// `Corrupt`: the only record of that identity breaks F-2.16.
    pub fn find(&self, id: SnapshotId) -> Result<Option<(SnapshotIndex, Snapshot)>> {
        let mut found = None;
        let mut damaged = None;
        self.0.source().find(&SNAPSHOT_ID, &id_bytes(id.get()), &mut |index| {
            let Some(index) = SnapshotIndex::new(index) else {
                return Ok(false);
            };
            match self.get(index) {
                Ok(snapshot) if snapshot.tombstoned || snapshot.id != id => Ok(false),
                Ok(snapshot) => {
                    found = Some((index, snapshot));
                    Ok(true)
                }
                Err(Error::Store(error)) => Err(error),
                // A row of a stale index may lie past the records.
                Err(Error::NotFound { .. }) => Ok(false),
                Err(error) => {
                    damaged.get_or_insert(error);
                    Ok(false)
                }
            }
        })?;
        match damaged {
            Some(error) if found.is_none() => Err(error),
            _ => Ok(found),
        }
    }

    /// What a Snapshot holds beside its record.
    ///
    /// `Corrupt`: the payload lies past its file's end, breaks F-2.16 or G13, or a parent does not stand before the
    /// Snapshot.
    pub fn content(&self, index: SnapshotIndex, snapshot: &Snapshot) -> Result<Content> {
        let bytes = self.0.payload(index.get(), snapshot.payload)?;
        let payload = SnapshotPayload::decode(snapshot, &bytes);
        let payload = payload
            .map_err(|fault| self.0.damaged_payload(index.get(), &fault))?
            .value;
        let mut parents: Vec<SnapshotIndex> = snapshot.parents.first().into_iter().collect();
        for parent in payload.more_parents.iter() {
            if parent >= index {
                return Err(self.parent_after(index, parent));
            }
            parents.push(parent);
        }
        Ok(Content {
            parents,
            message: payload.message.map(str::to_owned),
            line_name: payload.line_name.map(|name| name.as_str().to_owned()),
        })
    }

    /// All parents of a Snapshot in order; reads payload only where there are more than one.
    pub fn parents(&self, index: SnapshotIndex) -> Result<Vec<SnapshotIndex>> {
        let snapshot = self.get(index)?;
        if let Parents::Many(_) = snapshot.parents {
            return Ok(self.content(index, &snapshot)?.parents);
        }
        Ok(snapshot.parents.first().into_iter().collect())
    }

    /// Everything that `starts` came from, themselves included: each Snapshot once and before all of its parents, so in
    /// descending order of index. Memory: one index for each branch that is open at a time.
    ///
    /// An error is yielded once and ends the iteration.
    pub fn ancestors(&self, starts: impl IntoIterator<Item = SnapshotIndex>) -> Ancestors<'s> {
        Ancestors::new(*self, starts)
    }

    /// A Snapshot, its first parent, that one's first parent, and so on to the root.
    pub fn first_parents(&self, start: SnapshotIndex) -> FirstParents<'s> {
        FirstParents::new(*self, start)
    }

    /// Whether `ancestor` is `descendant` or one of those it came from. Costs the Snapshots between the two.
    pub fn is_ancestor(&self, ancestor: SnapshotIndex, descendant: SnapshotIndex) -> Result<bool> {
        for entry in self.ancestors([descendant]) {
            let (index, _) = entry?;
            if index <= ancestor {
                return Ok(index == ancestor);
            }
        }
        Ok(false)
    }

    fn parent_after(&self, index: SnapshotIndex, parent: SnapshotIndex) -> Error {
        let message = format!("its parent {} does not stand before it", parent.get());
        self.0.corrupt(index.get(), RULE, message)
    }
}
