//! Lands of a local root: the raw record, its typed value and the rules that bind them (W-LAND, F-2.7).

use crate::format::error::DecodeError;
use crate::format::ordinal::{ChangeOrdinal, LandOrdinal};
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, LandIndex, LineIndex, SnapshotIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

mod status;
#[cfg(test)]
mod tests;

pub use status::{FailureKind, LandMode, LandStatus};

record! {
    pub struct LandRecord: 44 bytes;
    pub static LAND: "land";
    meaning "One attempt to bring a Change of a local root onto a Line.";
    rules "W-LAND-03" "W-LAND-45" "F-2.7";
    zero_record refused "`target_line_index_plus1` 0 (W-LAND-20)";
    fields {
        land_meta: u8, "", "Status and mode.", ["W-LAND-15", "W-LAND-40", "F-2.7"], bits {
            [0..=2] status "0 queued, 1 running, 2 succeeded, 3 blocked, 4 failed, 5 canceled, 6 updating, 7 reserved.",
            [3] has_pre_target "`pre_land_target_snapshot_index_plus1` is not 0.",
            [4] has_landed_snapshot "`landed_snapshot_index_plus1` is not 0; exactly with status 2.",
            [5..=6] mode "0 direct, 1 merge, 2 ff-only, 3 reserved.",
            [7] tombstone "Deleted."
        };
        land_ordinal: u8, "ordinal", "Its place in the Change, 0 to 63.", ["W-LAND-08", "W-LAND-09"];
        change_ordinal: u8, "ordinal", "The owning Change's ordinal.", ["F-2.7"];
        failure_kind: u8, "", "0 none, 1 `base_stale`, 2 `policy_blocked`, 3 `review_blocked`, 4 `ci_blocked`, 5 conflict, 6 `target_update_failed`, 7 `internal_error`.", ["W-LAND-17", "W-LAND-41", "F-2.7"];
        change_index: u32, "index", "The owning Change.", ["W-LAND-08"];
        previous_task_land_index_plus1: u32, "index + 1", "The Task's Land before this one in the file.", ["W-LAND-14"];
        previous_change_land_index_plus1: u32, "index + 1", "The Change's Land before this one by ordinal.", ["W-LAND-13"];
        pre_land_target_snapshot_index_plus1: u32, "index + 1", "The target Line's head before.", ["W-LAND-23", "W-LAND-42"];
        landed_snapshot_index_plus1: u32, "index + 1", "The head it installed.", ["W-LAND-24", "W-LAND-42"];
        submitted_at_s: u64, "seconds", "When it was submitted; never 0 natively.", ["W-LAND-18"];
        updated_at_s: u64, "seconds", "When its status last changed.", ["W-LAND-32"];
        target_line_index_plus1: u32, "index + 1", "The Line it goes to; never 0.", ["W-LAND-20", "W-LAND-21"];
    }
}

const RECORD: &str = "LandRecord";
const HAS_PRE_TARGET: u8 = 1 << 3;
const TOMBSTONE: u8 = 1 << 7;

/// A Land: one attempt to bring a Change onto a Line. It has no payload (W-LAND-16), no
/// text of its target's name (W-LAND-22), and needs no Patchset: its two Snapshots are all its authority (W-LAND-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Land {
    /// How far the attempt has come.
    pub status: LandStatus,
    /// How the Change is brought onto the Line.
    pub mode: LandMode,
    /// Deleted.
    pub tombstoned: bool,
    /// Its place in the Change.
    pub ordinal: LandOrdinal,
    /// The owning Change's ordinal.
    pub change_ordinal: ChangeOrdinal,
    /// The owning Change.
    pub change: ChangeIndex,
    /// The Task's Land before this one in the file (W-LAND-14).
    pub previous_of_task: Option<LandIndex>,
    /// The Change's Land before this one by ordinal (W-LAND-13).
    pub previous_of_change: Option<LandIndex>,
    /// The target Line's head before (W-LAND-23).
    pub pre_target: Option<SnapshotIndex>,
    /// When it was submitted; `None` where that is not known (W-CONV-63).
    pub submitted_at_s: Option<UnixSeconds>,
    /// When its status last changed; not before it was submitted. Of a Land that succeeded: when it landed.
    pub updated_at_s: UnixSeconds,
    /// The Line it goes to (W-LAND-20).
    pub target_line: LineIndex,
}

impl Land {
    /// Where `land_meta` stands in the record: the state byte of every change of status (F-0.2).
    pub const META_OFFSET: usize = std::mem::offset_of!(LandRecord, land_meta);

    /// When it landed: the time of the last change of one that succeeded (W-CHANGE-45, W-LAND-32).
    pub const fn landed_at_s(&self) -> Option<UnixSeconds> {
        match self.status {
            LandStatus::Succeeded { .. } => Some(self.updated_at_s),
            _ => None,
        }
    }

    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<LandRecord, DecodeError> {
        raw(&LAND, bytes)
    }

    /// The typed reading. A blocked or failed Land may lack its kind of failure; the first Land of a Change that
    /// succeeded may lack its time of submission.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        Self::of(&Self::raw(bytes)?, RECORD)
    }

    /// What the fields say; `name` is the record that errors speak of.
    pub(super) fn of(record: &LandRecord, name: &'static str) -> Result<Reading<Self>, DecodeError> {
        let mut tolerated = Tolerated::NONE;
        let missing = "a Land without a target Line";
        let target_line = LineIndex::from_plus1(record.target_line_index_plus1.get()).ok_or(DecodeError::because(
            name,
            "target_line_index_plus1",
            "W-LAND-20",
            missing,
        ))?;
        let pre_target = SnapshotIndex::from_plus1(record.pre_land_target_snapshot_index_plus1.get());
        if pre_target.is_some() != (record.land_meta & HAS_PRE_TARGET != 0) {
            let why = "has_pre_target and the Snapshot disagree";
            return Err(DecodeError::because(name, "land_meta", "W-LAND-42", why));
        }
        let land = Self {
            status: status::read(record, name, &mut tolerated)?,
            mode: LandMode::read(record.land_meta, name)?,
            tombstoned: record.land_meta & TOMBSTONE != 0,
            ordinal: LandOrdinal::read(record.land_ordinal, name, "land_ordinal", "W-LAND-09")?,
            change_ordinal: ChangeOrdinal::read(record.change_ordinal, name, "change_ordinal", "F-2.7")?,
            change: ChangeIndex::direct(record.change_index.get(), name, "change_index")?,
            previous_of_task: LandIndex::from_plus1(record.previous_task_land_index_plus1.get()),
            previous_of_change: LandIndex::from_plus1(record.previous_change_land_index_plus1.get()),
            pre_target,
            submitted_at_s: UnixSeconds::optional(record.submitted_at_s.get()),
            updated_at_s: UnixSeconds(record.updated_at_s.get()),
            target_line,
        };
        if land.submitted_at_s.is_none() {
            tolerated.add(ToleranceId::LandSubmitTimeUnknown);
        }
        land.check(name)?;
        Ok(Reading { value: land, tolerated })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native(RECORD)
    }

    /// The record's bytes.
    ///
    /// # Errors
    /// The rule that the value breaks: times out of order, or no time of submission on a Land that may not lack it.
    pub fn encode(&self) -> Result<[u8; 44], DecodeError> {
        let record = self.record(RECORD)?;
        Ok(zerocopy::transmute!(record))
    }

    /// The fields that say it; `name` is the record that errors speak of.
    pub(super) fn record(&self, name: &'static str) -> Result<LandRecord, DecodeError> {
        self.check(name)?;
        let flags = (u8::from(self.pre_target.is_some()) * HAS_PRE_TARGET) | (u8::from(self.tombstoned) * TOMBSTONE);
        Ok(LandRecord {
            land_meta: self.status.bits() | self.mode.bits() | flags,
            land_ordinal: self.ordinal.get(),
            change_ordinal: self.change_ordinal.get(),
            failure_kind: self.status.why().map_or(0, |why| why as u8),
            change_index: self.change.get().into(),
            previous_task_land_index_plus1: LandIndex::option_plus1(self.previous_of_task).into(),
            previous_change_land_index_plus1: LandIndex::option_plus1(self.previous_of_change).into(),
            pre_land_target_snapshot_index_plus1: SnapshotIndex::option_plus1(self.pre_target).into(),
            landed_snapshot_index_plus1: SnapshotIndex::option_plus1(self.status.landed()).into(),
            submitted_at_s: self.submitted_at_s.unwrap_or_default().0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            target_line_index_plus1: self.target_line.plus1().into(),
        })
    }

    fn check(&self, name: &'static str) -> Result<(), DecodeError> {
        self.updated_at_s.required(name, "updated_at_s")?;
        if let Some(at) = self.submitted_at_s {
            at.required(name, "submitted_at_s")?;
            return self.updated_at_s.not_before(at, name, "updated_at_s");
        }
        // The one form that readers take is never made by a writer (W-LAND-19).
        let first = self.ordinal == LandOrdinal::MIN
            && self.previous_of_task.is_none()
            && self.previous_of_change.is_none()
            && self.status.landed().is_some();
        if first {
            return Ok(());
        }
        let why = "no time of submission on a Land that is not the first, succeeded one of its Change and Task";
        Err(DecodeError::because(name, "submitted_at_s", "W-LAND-18", why))
    }
}
