//! Lands of a server: a local Land's fields with the Patchset that was accepted among them (W-LAND-04, F-2.7).

use crate::format::error::DecodeError;
use crate::format::families::land::{Land, LandRecord};
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::PatchsetIndex;
use crate::format::tolerance::Reading;

record! {
    pub struct ServerLandRecord: 48 bytes;
    pub static SERVER_LAND: "land";
    meaning "One attempt to bring a Patchset of a Change of a server onto a Line.";
    rules "W-LAND-04" "W-LAND-45" "F-2.7";
    zero_record refused "`target_line_index_plus1` 0 (W-LAND-20)";
    fields {
        land_meta: u8, "", "Status and mode.", ["W-LAND-15", "W-LAND-40", "F-2.7"], bits {
            [0..=2] status "0 queued, 1 running, 2 succeeded, 3 blocked, 4 failed, 5 canceled, 6 updating, 7 reserved.",
            [3] has_pre_target "`pre_land_target_snapshot_index_plus1` is not 0.",
            [4] has_landed_snapshot "`landed_snapshot_index_plus1` is not 0; exactly with status 2.",
            [5..=6] mode "0 direct, 1 merge, 2 ff-only, 3 reserved.",
            [7] tombstone "Deleted."
        };
        land_ordinal: u8, "ordinal", "Its place in the Change, 0 to 63.", ["W-LAND-08", "W-LAND-09", "W-LAND-11"];
        change_ordinal: u8, "ordinal", "The owning Change's ordinal.", ["F-2.7"];
        failure_kind: u8, "", "0 none, 1 `base_stale`, 2 `policy_blocked`, 3 `review_blocked`, 4 `ci_blocked`, 5 conflict, 6 `target_update_failed`, 7 `internal_error`.", ["W-LAND-17", "W-LAND-41", "F-2.7"];
        change_index: u32, "index", "The owning Change.", ["W-LAND-08"];
        patchset_index: u32, "index", "The Patchset that this attempt accepted.", ["W-LAND-06", "W-LAND-10"];
        previous_task_land_index_plus1: u32, "index + 1", "The Task's Land before this one in the file.", ["W-LAND-14"];
        previous_change_land_index_plus1: u32, "index + 1", "The Change's Land before this one by ordinal.", ["W-LAND-13"];
        pre_land_target_snapshot_index_plus1: u32, "index + 1", "The target Line's head before.", ["W-LAND-23", "W-LAND-42"];
        landed_snapshot_index_plus1: u32, "index + 1", "The head it installed.", ["W-LAND-24", "W-LAND-42"];
        submitted_at_s: u64, "seconds", "When it was submitted; never 0 natively.", ["W-LAND-18"];
        updated_at_s: u64, "seconds", "When its status last changed.", ["W-LAND-32"];
        target_line_index_plus1: u32, "index + 1", "The Line it goes to; never 0.", ["W-LAND-20", "W-LAND-21"];
    }
}

const RECORD: &str = "ServerLandRecord";

/// A Land of a server. It has no payload (W-LAND-16). Indexes in it are the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLand {
    /// The Patchset that it accepted; later selections do not change it (W-LAND-10, W-LAND-33).
    pub patchset: PatchsetIndex,
    /// The attempt: all that a local Land has, under the same rules.
    pub attempt: Land,
}

impl ServerLand {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<ServerLandRecord, DecodeError> {
        raw(&SERVER_LAND, bytes)
    }

    /// The typed reading; it tolerates what that of a local Land does.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let patchset = PatchsetIndex::direct(record.patchset_index.get(), RECORD, "patchset_index")?;
        let fields = LandRecord {
            land_meta: record.land_meta,
            land_ordinal: record.land_ordinal,
            change_ordinal: record.change_ordinal,
            failure_kind: record.failure_kind,
            change_index: record.change_index,
            previous_task_land_index_plus1: record.previous_task_land_index_plus1,
            previous_change_land_index_plus1: record.previous_change_land_index_plus1,
            pre_land_target_snapshot_index_plus1: record.pre_land_target_snapshot_index_plus1,
            landed_snapshot_index_plus1: record.landed_snapshot_index_plus1,
            submitted_at_s: record.submitted_at_s,
            updated_at_s: record.updated_at_s,
            target_line_index_plus1: record.target_line_index_plus1,
        };
        let Reading {
            value: attempt,
            tolerated,
        } = Land::of(&fields, RECORD)?;
        Ok(Reading {
            value: Self { patchset, attempt },
            tolerated,
        })
    }

    /// The native reading: what this version may write. A kind of failure is demanded as of a local Land, although
    /// servers accept its absence (F-2.7).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native(RECORD)
    }

    /// The record's bytes.
    ///
    /// # Errors
    /// The rule that the value breaks, as of a local Land.
    pub fn encode(&self) -> Result<[u8; 48], DecodeError> {
        let fields = self.attempt.record(RECORD)?;
        let record = ServerLandRecord {
            land_meta: fields.land_meta,
            land_ordinal: fields.land_ordinal,
            change_ordinal: fields.change_ordinal,
            failure_kind: fields.failure_kind,
            change_index: fields.change_index,
            patchset_index: self.patchset.get().into(),
            previous_task_land_index_plus1: fields.previous_task_land_index_plus1,
            previous_change_land_index_plus1: fields.previous_change_land_index_plus1,
            pre_land_target_snapshot_index_plus1: fields.pre_land_target_snapshot_index_plus1,
            landed_snapshot_index_plus1: fields.landed_snapshot_index_plus1,
            submitted_at_s: fields.submitted_at_s,
            updated_at_s: fields.updated_at_s,
            target_line_index_plus1: fields.target_line_index_plus1,
        };
        Ok(zerocopy::transmute!(record))
    }
}

#[cfg(test)]
mod tests;
