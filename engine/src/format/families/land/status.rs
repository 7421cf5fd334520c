//! The status, the mode and the kind of failure of a Land, and how `land_meta` and its neighbours say them (W-LAND-15,
//! W-LAND-17, W-LAND-38, W-LAND-40 to W-LAND-42).

use super::LandRecord;
use crate::format::error::{DecodeError, Problem};
use crate::format::reference::SnapshotIndex;
use crate::format::tolerance::{ToleranceId, Tolerated};

const STATUS: u8 = 0b111;
const HAS_LANDED: u8 = 1 << 4;
const MODE_SHIFT: u8 = 5;
const MODE: u8 = 0b11 << MODE_SHIFT;

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
    /// Whether it is an end: no status follows it (W-LAND-43, G35, assigned by us).
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

    /// Its bits of `land_meta`.
    pub(super) const fn bits(self) -> u8 {
        match self {
            Self::Queued => 0,
            Self::Running => 1,
            Self::Succeeded { .. } => 2 | HAS_LANDED,
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

    /// Its bits of `land_meta`.
    pub(super) const fn bits(self) -> u8 {
        (self as u8) << MODE_SHIFT
    }

    pub(super) fn read(meta: u8, record: &'static str) -> Result<Self, DecodeError> {
        let problem = Problem::Value {
            found: ((meta & MODE) >> MODE_SHIFT).into(),
            allowed: "modes 0 to 2",
        };
        Self::ALL
            .into_iter()
            .find(|mode| mode.bits() == meta & MODE)
            .ok_or(DecodeError::new(record, "land_meta", "W-LAND-40", problem))
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

    fn read(code: u8, record: &'static str) -> Result<Option<Self>, DecodeError> {
        if code == 0 {
            return Ok(None);
        }
        let problem = Problem::Value {
            found: code.into(),
            allowed: "kinds 0 to 7",
        };
        let found = Self::ALL.into_iter().find(|kind| *kind as u8 == code);
        found
            .map(Some)
            .ok_or(DecodeError::new(record, "failure_kind", "W-LAND-41", problem))
    }
}

/// Reads the status, and holds it against the Snapshot and the kind of failure that stand beside it.
pub(super) fn read(
    record: &LandRecord,
    name: &'static str,
    tolerated: &mut Tolerated,
) -> Result<LandStatus, DecodeError> {
    let refuse = |field, rule, why| Err(DecodeError::because(name, field, rule, why));
    let field = "landed_snapshot_index_plus1";
    let landed = SnapshotIndex::from_plus1(record.landed_snapshot_index_plus1.get());
    let why = FailureKind::read(record.failure_kind, name)?;
    let status = match (record.land_meta & STATUS, landed) {
        (0, _) => LandStatus::Queued,
        (1, _) => LandStatus::Running,
        (2, Some(landed)) => LandStatus::Succeeded { landed },
        (2, None) => return refuse(field, "W-LAND-38", "succeeded without a landed Snapshot"),
        (3, _) => LandStatus::Blocked { why },
        (4, _) => LandStatus::Failed { why },
        (5, _) => LandStatus::Canceled,
        (6, _) => LandStatus::Updating,
        (code, _) => {
            let problem = Problem::Value {
                found: code.into(),
                allowed: "states 0 to 6",
            };
            return Err(DecodeError::new(name, "land_meta", "W-LAND-40", problem));
        }
    };
    if landed.is_some() != (record.land_meta & HAS_LANDED != 0) {
        return refuse(
            "land_meta",
            "W-LAND-42",
            "has_landed_snapshot and the Snapshot disagree",
        );
    }
    if landed != status.landed() {
        return refuse(field, "W-LAND-38", "a landed Snapshot, and not succeeded");
    }
    let may_fail = matches!(status, LandStatus::Blocked { .. } | LandStatus::Failed { .. });
    match (may_fail, why) {
        (false, Some(_)) => {
            let why = "a kind of failure, and neither blocked nor failed";
            return refuse("failure_kind", "F-2.7", why);
        }
        (true, None) => tolerated.add(ToleranceId::LandFailureKindMissing),
        (true, Some(_)) | (false, None) => {}
    }
    Ok(status)
}
