//! Lands of a local root: the raw record, its typed value and the rules that bind them (W-LAND, F-2.7).

use crate::format::error::{DecodeError, Problem};
use crate::format::ordinal::{ChangeOrdinal, LandOrdinal};
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, LandIndex, LineIndex, SnapshotIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

record! {
    pub struct LandRecord: 44 bytes;
    pub static LAND: "land";
    meaning "One attempt to bring a Change of a local root onto a Line.";
    rules "W-LAND-03" "F-2.7";
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
const STATUS: u8 = 0b111;
const HAS_PRE_TARGET: u8 = 1 << 3;
const HAS_LANDED: u8 = 1 << 4;
const MODE_SHIFT: u8 = 5;
const MODE: u8 = 0b11 << MODE_SHIFT;
const TOMBSTONE: u8 = 1 << 7;

/// A Land: one attempt to bring a Change onto a Line. It has no payload (W-LAND-16).
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

/// How far a Land has come (W-LAND-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LandStatus {
    /// Submitted.
    Queued,
    /// Being worked on.
    Running,
    /// Done: this Snapshot became the Line's head.
    Succeeded {
        /// The Snapshot.
        landed: SnapshotIndex,
    },
    /// Kept from landing.
    Blocked {
        /// By what; `None` only in records that no writer of this version made.
        why: Option<FailureKind>,
    },
    /// It did not work.
    Failed {
        /// Why; `None` only in records that no writer of this version made.
        why: Option<FailureKind>,
    },
    /// Given up.
    Canceled,
    /// The Line is being moved.
    Updating,
}

impl LandStatus {
    /// Whether it is an end: no status follows it (G35, assigned by us).
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Queued | Self::Running | Self::Updating)
    }

    /// The Snapshot that became the Line's head.
    pub const fn landed(self) -> Option<SnapshotIndex> {
        match self {
            Self::Succeeded { landed } => Some(landed),
            _ => None,
        }
    }

    /// Why it was blocked or failed.
    pub const fn why(self) -> Option<FailureKind> {
        match self {
            Self::Blocked { why } | Self::Failed { why } => why,
            _ => None,
        }
    }

    /// `queued`, `running`, `succeeded`, `blocked`, `failed`, `canceled` or `updating`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded { .. } => "succeeded",
            Self::Blocked { .. } => "blocked",
            Self::Failed { .. } => "failed",
            Self::Canceled => "canceled",
            Self::Updating => "updating",
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Queued => 0,
            Self::Running => 1,
            Self::Succeeded { .. } => 2,
            Self::Blocked { .. } => 3,
            Self::Failed { .. } => 4,
            Self::Canceled => 5,
            Self::Updating => 6,
        }
    }
}

/// How a Change is brought onto a Line (W-LAND-15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LandMode {
    /// As it is.
    Direct = 0,
    /// By a merge.
    Merge = 1,
    /// Only where the Line's head is among its ancestors.
    FastForwardOnly = 2,
}

impl LandMode {
    /// Every mode, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Direct, Self::Merge, Self::FastForwardOnly];

    /// `direct`, `merge` or `ff-only`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Merge => "merge",
            Self::FastForwardOnly => "ff-only",
        }
    }
}

/// Why a Land was blocked or failed (W-LAND-17, W-LAND-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FailureKind {
    /// The Line moved on.
    BaseStale = 1,
    /// A policy forbids it.
    PolicyBlocked = 2,
    /// A review is missing.
    ReviewBlocked = 3,
    /// A check failed.
    CiBlocked = 4,
    /// It does not merge.
    Conflict = 5,
    /// The Line could not be moved.
    TargetUpdateFailed = 6,
    /// Something else.
    InternalError = 7,
}

impl FailureKind {
    /// Every kind, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::BaseStale,
        Self::PolicyBlocked,
        Self::ReviewBlocked,
        Self::CiBlocked,
        Self::Conflict,
        Self::TargetUpdateFailed,
        Self::InternalError,
    ];

    /// `base_stale`, `policy_blocked`, `review_blocked`, `ci_blocked`, `conflict`, `target_update_failed` or
    /// `internal_error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BaseStale => "base_stale",
            Self::PolicyBlocked => "policy_blocked",
            Self::ReviewBlocked => "review_blocked",
            Self::CiBlocked => "ci_blocked",
            Self::Conflict => "conflict",
            Self::TargetUpdateFailed => "target_update_failed",
            Self::InternalError => "internal_error",
        }
    }
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
        let record = Self::raw(bytes)?;
        let mut tolerated = Tolerated::NONE;
        let target_line = LineIndex::from_plus1(record.target_line_index_plus1.get()).ok_or(DecodeError::because(
            RECORD,
            "target_line_index_plus1",
            "W-LAND-20",
            "a Land without a target Line",
        ))?;
        let pre_target = SnapshotIndex::from_plus1(record.pre_land_target_snapshot_index_plus1.get());
        if pre_target.is_some() != (record.land_meta & HAS_PRE_TARGET != 0) {
            let why = "has_pre_target and the Snapshot disagree";
            return Err(DecodeError::because(RECORD, "land_meta", "W-LAND-42", why));
        }
        let land = Self {
            status: read_status(&record, &mut tolerated)?,
            mode: read_mode(record.land_meta)?,
            tombstoned: record.land_meta & TOMBSTONE != 0,
            ordinal: LandOrdinal::new(record.land_ordinal)
                .ok_or_else(|| not_an_ordinal("land_ordinal", "W-LAND-09", record.land_ordinal))?,
            change_ordinal: ChangeOrdinal::new(record.change_ordinal)
                .ok_or_else(|| not_an_ordinal("change_ordinal", "F-2.7", record.change_ordinal))?,
            change: ChangeIndex::direct(record.change_index.get(), RECORD, "change_index")?,
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
        land.check()?;
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
        self.check()?;
        let landed = self.status.landed();
        let flags = [
            (self.pre_target.is_some(), HAS_PRE_TARGET),
            (landed.is_some(), HAS_LANDED),
            (self.tombstoned, TOMBSTONE),
        ];
        let meta = self.status.code() | (self.mode as u8) << MODE_SHIFT;
        let record = LandRecord {
            land_meta: flags
                .iter()
                .filter(|(set, _)| *set)
                .fold(meta, |meta, (_, bit)| meta | bit),
            land_ordinal: self.ordinal.get(),
            change_ordinal: self.change_ordinal.get(),
            failure_kind: self.status.why().map_or(0, |why| why as u8),
            change_index: self.change.get().into(),
            previous_task_land_index_plus1: LandIndex::option_plus1(self.previous_of_task).into(),
            previous_change_land_index_plus1: LandIndex::option_plus1(self.previous_of_change).into(),
            pre_land_target_snapshot_index_plus1: SnapshotIndex::option_plus1(self.pre_target).into(),
            landed_snapshot_index_plus1: SnapshotIndex::option_plus1(landed).into(),
            submitted_at_s: self.submitted_at_s.unwrap_or_default().0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            target_line_index_plus1: self.target_line.plus1().into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.updated_at_s.required(RECORD, "updated_at_s")?;
        if let Some(at) = self.submitted_at_s {
            at.required(RECORD, "submitted_at_s")?;
            return self.updated_at_s.not_before(at, RECORD, "updated_at_s");
        }
        let first = self.ordinal == LandOrdinal::MIN
            && self.previous_of_task.is_none()
            && self.previous_of_change.is_none()
            && self.status.landed().is_some();
        if first {
            return Ok(());
        }
        let why = "no time of submission on a Land that is not the first, succeeded one of its Change and Task";
        Err(DecodeError::because(RECORD, "submitted_at_s", "W-LAND-18", why))
    }
}

fn not_an_ordinal(field: &'static str, rule: &'static str, found: u8) -> DecodeError {
    let problem = Problem::Value {
        found: found.into(),
        allowed: "0 to 63",
    };
    DecodeError::new(RECORD, field, rule, problem)
}

fn read_mode(meta: u8) -> Result<LandMode, DecodeError> {
    let code = (meta & MODE) >> MODE_SHIFT;
    LandMode::ALL
        .into_iter()
        .find(|mode| *mode as u8 == code)
        .ok_or_else(|| {
            let problem = Problem::Value {
                found: code.into(),
                allowed: "modes 0 to 2",
            };
            DecodeError::new(RECORD, "land_meta", "W-LAND-40", problem)
        })
}

fn read_status(record: &LandRecord, tolerated: &mut Tolerated) -> Result<LandStatus, DecodeError> {
    let landed = SnapshotIndex::from_plus1(record.landed_snapshot_index_plus1.get());
    let kind = read_failure_kind(record.failure_kind)?;
    let status = match (record.land_meta & STATUS, landed) {
        (0, _) => LandStatus::Queued,
        (1, _) => LandStatus::Running,
        (2, Some(landed)) => LandStatus::Succeeded { landed },
        (2, None) => {
            let why = "succeeded without a landed Snapshot";
            return Err(DecodeError::because(
                RECORD,
                "landed_snapshot_index_plus1",
                "W-LAND-38",
                why,
            ));
        }
        (3, _) => LandStatus::Blocked { why: kind },
        (4, _) => LandStatus::Failed { why: kind },
        (5, _) => LandStatus::Canceled,
        (6, _) => LandStatus::Updating,
        (code, _) => {
            let problem = Problem::Value {
                found: code.into(),
                allowed: "states 0 to 6",
            };
            return Err(DecodeError::new(RECORD, "land_meta", "W-LAND-40", problem));
        }
    };
    if landed.is_some() != (record.land_meta & HAS_LANDED != 0) {
        let why = "has_landed_snapshot and the Snapshot disagree";
        return Err(DecodeError::because(RECORD, "land_meta", "W-LAND-42", why));
    }
    if landed != status.landed() {
        let why = "a landed Snapshot, and not succeeded";
        return Err(DecodeError::because(
            RECORD,
            "landed_snapshot_index_plus1",
            "W-LAND-38",
            why,
        ));
    }
    let may_fail = matches!(status, LandStatus::Blocked { .. } | LandStatus::Failed { .. });
    match (may_fail, kind) {
        (false, Some(_)) => {
            let why = "a kind of failure, and neither blocked nor failed";
            return Err(DecodeError::because(RECORD, "failure_kind", "F-2.7", why));
        }
        (true, None) => tolerated.add(ToleranceId::LandFailureKindMissing),
        (true, Some(_)) | (false, None) => {}
    }
    Ok(status)
}

fn read_failure_kind(code: u8) -> Result<Option<FailureKind>, DecodeError> {
    if code == 0 {
        return Ok(None);
    }
    let found = FailureKind::ALL.into_iter().find(|kind| *kind as u8 == code);
    found.map(Some).ok_or_else(|| {
        let problem = Problem::Value {
            found: code.into(),
            allowed: "kinds 0 to 7",
        };
        DecodeError::new(RECORD, "failure_kind", "W-LAND-41", problem)
    })
}
