//! How far a Change has come and how its record says so: the one law for Changes of every authority (W-CHANGE-17 to
//! W-CHANGE-19, W-CHANGE-36 to W-CHANGE-43, W-CHANGE-51, W-CHANGE-52, W-CHANGE-54, W-CHANGE-56).

use crate::format::error::DecodeError;
use crate::format::flags::ChangeFlags;
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{ToleranceId, Tolerated};

const LIFECYCLE: u8 = 0b11;
const SUPERSEDED: u8 = 1 << 7;
const CANCELED: u8 = 1;

/// How far a Change has come (W-CHANGE-54).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeLifecycle {
    /// Begun.
    Draft,
    /// Shown to others.
    Active,
    /// A Land of it succeeded.
    Landed,
    /// Out of use; may be reopened.
    Archived {
        /// Why.
        cause: ArchiveCause,
        /// When; `None` where that is not known (W-CHANGE-37).
        at: Option<UnixSeconds>,
    },
}

/// Why a Change is archived (W-CHANGE-38).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArchiveCause {
    /// No cause is told.
    Plain,
    /// It was given up.
    Canceled,
    /// Another one took its place.
    Superseded,
}

impl ChangeLifecycle {
    /// Whether it is out of use.
    pub const fn is_archived(self) -> bool {
        matches!(self, Self::Archived { .. })
    }

    /// An archive time that is told is never 0 (W-CHANGE-42).
    pub(in crate::format::families) fn check(self, record: &'static str) -> Result<(), DecodeError> {
        match self {
            Self::Archived { at: Some(at), .. } => at.required(record, "archived_at_s"),
            _ => Ok(()),
        }
    }
}

/// The three fields of a record that tell the lifecycle; they change together (W-CHANGE-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LifecycleFields {
    pub meta: u8,
    pub state: u8,
    pub archived_at_s: u64,
}

impl LifecycleFields {
    pub fn read(self, record: &'static str, tolerated: &mut Tolerated) -> Result<ChangeLifecycle, DecodeError> {
        let refuse = |field, rule, why| Err(DecodeError::because(record, field, rule, why));
        DecodeError::reserved(
            record,
            "change_state",
            "W-CHANGE-18",
            self.state.into(),
            CANCELED.into(),
        )?;
        let (canceled, superseded) = (self.state & CANCELED != 0, self.meta & SUPERSEDED != 0);
        let at = UnixSeconds::optional(self.archived_at_s);
        let open = match self.meta & LIFECYCLE {
            0 => ChangeLifecycle::Draft,
            1 => ChangeLifecycle::Active,
            2 => ChangeLifecycle::Landed,
            _ => {
                let cause = match (canceled, superseded) {
                    (true, true) => {
                        tolerated.add(ToleranceId::ChangeCanceledAndSuperseded);
                        ArchiveCause::Canceled
                    }
                    (true, false) => ArchiveCause::Canceled,
                    (false, true) => ArchiveCause::Superseded,
                    (false, false) => ArchiveCause::Plain,
                };
                if at.is_none() {
                    tolerated.add(ToleranceId::ChangeArchiveTimeUnknown);
                }
                return Ok(ChangeLifecycle::Archived { cause, at });
            }
        };
        if canceled {
            return refuse("change_state", "W-CHANGE-19", "canceled, and not archived");
        }
        if superseded {
            return refuse("change_meta", "W-CHANGE-52", "superseded, and not archived");
        }
        if at.is_some() {
            return refuse("archived_at_s", "W-CHANGE-41", "an archive time, and not archived");
        }
        Ok(open)
    }

    pub fn of(lifecycle: ChangeLifecycle, flags: ChangeFlags) -> Self {
        let (code, state, at) = match lifecycle {
            ChangeLifecycle::Draft => (0, 0, None),
            ChangeLifecycle::Active => (1, 0, None),
            ChangeLifecycle::Landed => (2, 0, None),
            ChangeLifecycle::Archived { cause, at } => match cause {
                ArchiveCause::Plain => (3, 0, at),
                ArchiveCause::Canceled => (3, CANCELED, at),
                ArchiveCause::Superseded => (3 | SUPERSEDED, 0, at),
            },
        };
        Self {
            meta: code | flags.bits(),
            state,
            archived_at_s: at.unwrap_or_default().0,
        }
    }
}
