//! Stashes of a local root: the raw record, its typed value and the rules that bind them (W-STASH, F-2.5).

use crate::format::error::DecodeError;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::SnapshotIndex;
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct StashRecord: 8 bytes;
    pub static STASH: "stash";
    meaning "One state of a worktree that was put aside.";
    rules "W-STASH-01" "F-2.5";
    zero_record legal "a live Stash of Snapshot 0";
    fields {
        stash_meta: u8, "", "State bits.", ["W-STASH-04", "W-STASH-06", "F-2.5"], bits {
            [0] workspace_cleared "The worktree was cleared when the Stash was made.",
            [1..=6] reserved "0.",
            [7] tombstone "Deleted."
        };
        reserved0: u8, "", "0.", ["F-1"];
        reserved1: u16, "", "0.", ["F-1"];
        stash_snapshot_index: u32, "index", "Its Snapshot, whose kind is stash.", ["W-STASH-03"];
    }
}

const RECORD: &str = "StashRecord";
const WORKSPACE_CLEARED: u8 = 1;
const TOMBSTONE: u8 = 1 << 7;

/// A Stash: the state of a worktree that was put aside. It has no payload; its time and message are its Snapshot's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stash {
    /// Deleted; no later index moves (W-STASH-05).
    pub tombstoned: bool,
    /// Whether the worktree was cleared when it was made.
    pub workspace_cleared: bool,
    /// Its Snapshot, whose kind is stash (W-STASH-03).
    pub snapshot: SnapshotIndex,
}

impl Stash {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<StashRecord, DecodeError> {
        raw(&STASH, bytes)
    }

    /// The typed reading. Nothing in a Stash is tolerated.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let meta = record.stash_meta;
        let known = WORKSPACE_CLEARED | TOMBSTONE;
        DecodeError::reserved(RECORD, "stash_meta", "W-STASH-06", meta.into(), known.into())?;
        DecodeError::reserved(RECORD, "reserved0", "F-1", record.reserved0.into(), 0)?;
        DecodeError::reserved(RECORD, "reserved1", "F-1", record.reserved1.get().into(), 0)?;
        let stash = Self {
            tombstoned: meta & TOMBSTONE != 0,
            workspace_cleared: meta & WORKSPACE_CLEARED != 0,
            snapshot: SnapshotIndex::direct(record.stash_snapshot_index.get(), RECORD, "stash_snapshot_index")?,
        };
        Ok(Reading {
            value: stash,
            tolerated: Tolerated::NONE,
        })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native(RECORD)
    }

    /// The record's bytes.
    pub fn encode(&self) -> [u8; 8] {
        let record = StashRecord {
            stash_meta: (u8::from(self.workspace_cleared) * WORKSPACE_CLEARED)
                | (u8::from(self.tombstoned) * TOMBSTONE),
            reserved0: 0,
            reserved1: 0.into(),
            stash_snapshot_index: self.snapshot.get().into(),
        };
        zerocopy::transmute!(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stash() -> Stash {
        Stash {
            tombstoned: false,
            workspace_cleared: false,
            snapshot: SnapshotIndex::new(6).unwrap(),
        }
    }

    fn changed(change: impl FnOnce(&mut StashRecord)) -> Result<Reading<Stash>, DecodeError> {
        let mut record = Stash::raw(&stash().encode()).unwrap();
        change(&mut record);
        let bytes: [u8; 8] = zerocopy::transmute!(record);
        Stash::decode(&bytes)
    }

    #[test]
    fn w_stash_01_a_stash_is_exactly_8_bytes_and_reads_back() {
        for (tombstoned, workspace_cleared) in [(false, false), (false, true), (true, false), (true, true)] {
            let value = Stash {
                tombstoned,
                workspace_cleared,
                ..stash()
            };
            assert_eq!(Stash::decode_native(&value.encode()), Ok(value));
        }
        for len in [0, 7, 9] {
            assert_eq!(Stash::decode(&vec![0; len]).map_err(|e| e.rule), Err("F-1"));
        }
    }

    /// W-STASH-06, answered by F-2.5.
    #[test]
    fn w_stash_06_bit_0_is_workspace_cleared_bit_7_the_tombstone_and_the_others_fail_closed() {
        let cleared = changed(|r| r.stash_meta = 1).map(|read| read.value.workspace_cleared);
        assert_eq!(cleared, Ok(true));
        let tombstoned = changed(|r| r.stash_meta = 0x80).map(|read| read.value.tombstoned);
        assert_eq!(tombstoned, Ok(true));
        for bit in 1..7 {
            assert_eq!(
                changed(|r| r.stash_meta = 1 << bit).map_err(|e| (e.field, e.rule)),
                Err(("stash_meta", "W-STASH-06"))
            );
        }
    }

    #[test]
    fn f_1_reserved_bytes_of_a_stash_fail_closed_and_its_snapshot_is_an_index() {
        for bit in 0..8 {
            assert_eq!(
                changed(|r| r.reserved0 = 1 << bit).map_err(|e| e.field),
                Err("reserved0")
            );
        }
        for bit in 0..16 {
            assert_eq!(
                changed(|r| r.reserved1 = (1 << bit).into()).map_err(|e| e.field),
                Err("reserved1")
            );
        }
        assert_eq!(
            changed(|r| r.stash_snapshot_index = u32::MAX.into()).map_err(|e| e.rule),
            Err("F-1")
        );
    }
}
