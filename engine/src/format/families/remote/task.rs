//! Tasks of a server: the raw record, its typed value and the rules that bind them (W-TASK-02, F-2.1). Their payload is
//! that of a local Task.

use super::times;
use crate::format::error::DecodeError;
use crate::format::families::task::{self, TaskPayload, check_close_time, read_close_time};
use crate::format::flags::{RemoteFlags, TaskFlags};
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{PlanItemIndex, PlanRevisionIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

record! {
    pub struct RemoteTaskRecord: 60 bytes;
    pub static REMOTE_TASK: "task", payload "task_payload.bin";
    meaning "One Task of a server; its place in the file is its identity.";
    rules "W-TASK-02" "W-TASK-37" "F-2.1";
    zero_record refused "`payload_offset` below 4 and `created_at_s` 0 (F-2.1)";
    fields {
        task_meta: u8, "", "Planning state and status.", ["W-TASK-13", "W-TASK-24", "W-TASK-25", "F-2.1"], bits {
            [0] planned "The Task is planned.",
            [1] snapshotted "A status bit (G36 assigned by us).",
            [2] review_pending "A status bit (G36 assigned by us).",
            [3] validation_pending "A status bit (G36 assigned by us).",
            [4] blocked "A status bit (G36 assigned by us).",
            [5] ready_to_land "A status bit (G36 assigned by us).",
            [6] completed "Terminal: the work is done; never with canceled.",
            [7] canceled "Terminal: the Task was given up."
        };
        remote_meta: u8, "", "State of the row.", ["W-TASK-31", "F-2.1"], bits {
            [0] hidden "Looked up as unknown.",
            [1] stale "Kept by a cache (G02 assigned by us); never set by writers.",
            [2] partial_fetch "Kept by a cache (G02 assigned by us); never set by writers.",
            [3] cache "Left to caches (G02 assigned by us); never set by writers.",
            [4..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of title and intent.", ["F-2.1"];
        payload_offset: u64, "bytes", "Where they stand.", ["F-2.1"];
        origin_plan_revision_index_plus1: u32, "index + 1", "The Plan revision it came from; with an item or not at all.", ["F-2.1"];
        plan_item_index_plus1: u32, "index + 1", "The Plan item it came from; with a revision or not at all.", ["F-2.1"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; 0 = unknown, in converted rows only.", ["W-TASK-27", "F-2.1"];
        plan_linked_at_s: u64, "seconds", "When it was linked to its Plan; 0 = not.", ["F-2.1"];
        fetched_at_s: u64, "seconds", "When it was last fetched; 0 = unknown, in converted rows only.", ["W-TASK-27", "F-2.1"];
        closed_at_s: u64, "seconds", "When it was closed; 0 = open, or unknown on a closed Task.", ["W-TASK-09", "W-TASK-10", "W-TASK-11"];
    }
}

const RECORD: &str = "RemoteTaskRecord";

/// A Task of a server. Title and intent stand in the payload: [`TaskPayload`]. Indexes in it are the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteTask {
    /// Whether it is open, and how it ended.
    pub status: RemoteTaskStatus,
    /// When it ended; `None` for an open one, and for one whose time of ending is not known (W-TASK-11).
    pub closed_at_s: Option<UnixSeconds>,
    /// Whether it is planned; there is no third state (W-TASK-24).
    pub planned: bool,
    /// Status bits that no rule gives a meaning to.
    pub flags: TaskFlags,
    /// State of the row itself.
    pub row: RemoteFlags,
    /// Where title and intent stand in `task_payload.bin`; 4 to 65535 bytes.
    pub payload: PayloadRange,
    /// The Plan it came from.
    pub plan: Option<PlanBinding>,
    /// When it was created; never 0.
    pub created_at_s: UnixSeconds,
    /// When it was last changed; `None` only in converted rows (W-TASK-27).
    pub updated_at_s: Option<UnixSeconds>,
    /// When it was last fetched; `None` only in converted rows (W-TASK-27).
    pub fetched_at_s: Option<UnixSeconds>,
}

/// Whether a Task of a server is open, and how it ended: `task_meta` alone tells (W-TASK-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemoteTaskStatus {
    /// Open.
    Active,
    /// The work is done.
    Completed,
    /// Given up (W-TASK-25).
    Canceled,
}

impl RemoteTaskStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::Completed, Self::Canceled];

    /// Whether it is an end.
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Active)
    }

    /// `active`, `completed`, or `abandoned`: a server's word for canceled (F-2.1).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Canceled => "abandoned",
        }
    }
}

/// The Plan that a Task of a server came from: revision and item are both there, or neither is (F-2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanBinding {
    /// The revision.
    pub revision: PlanRevisionIndex,
    /// The item of that revision.
    pub item: PlanItemIndex,
    /// When the Task was linked to it.
    pub linked_at_s: Option<UnixSeconds>,
}

impl RemoteTask {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<RemoteTaskRecord, DecodeError> {
        raw(&REMOTE_TASK, bytes)
    }

    /// The typed reading. Close times are read as in a local Task; converted rows may lack their times of change and of
    /// fetching, and may have been changed before they were created.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let mut tolerated = Tolerated::NONE;
        let seen = &mut tolerated;
        let status = read_status(record.task_meta)?;
        let created_at_s = UnixSeconds(record.created_at_s.get());
        let updated = record.updated_at_s.get();
        let task = Self {
            status,
            closed_at_s: read_close_time(status.is_terminal(), record.closed_at_s.get(), seen),
            planned: record.task_meta & task::PLANNED != 0,
            flags: TaskFlags::of(record.task_meta),
            row: times::remote_meta(
                record.remote_meta,
                RECORD,
                "W-TASK-31",
                ToleranceId::RemoteTaskCacheBits,
                seen,
            )?,
            payload: PayloadRange::read(
                RECORD,
                "payload_offset",
                "F-2.1",
                record.payload_offset.get(),
                record.payload_len.get().into(),
            )?,
            plan: read_plan(&record)?,
            created_at_s,
            updated_at_s: times::legacy(updated, ToleranceId::RemoteTaskUpdateTimeUnknown, seen),
            fetched_at_s: times::legacy(record.fetched_at_s.get(), ToleranceId::RemoteTaskFetchTimeUnknown, seen),
        };
        if let Some(updated) = task.updated_at_s {
            times::in_order(created_at_s, updated, ToleranceId::RemoteTaskUpdatedBeforeCreated, seen);
        }
        task.check()?;
        Ok(Reading { value: task, tolerated })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native(RECORD)
    }

    /// The record's bytes. What was not known when the record was read stays so.
    ///
    /// # Errors
    /// The rule that the value breaks: a close time without an end, a time that is told and 0, a payload of fewer than 4
    /// or more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 60], DecodeError> {
        self.check()?;
        let end = match self.status {
            RemoteTaskStatus::Active => 0,
            RemoteTaskStatus::Completed => task::COMPLETED,
            RemoteTaskStatus::Canceled => task::CANCELED,
        };
        let time = |time: Option<UnixSeconds>| time.unwrap_or_default().0.into();
        let record = RemoteTaskRecord {
            task_meta: (u8::from(self.planned) * task::PLANNED) | self.flags.bits() | end,
            remote_meta: self.row.bits(),
            payload_len: self.payload.len_u16(RECORD, "payload_len", "F-2.1")?.into(),
            payload_offset: self.payload.offset().into(),
            origin_plan_revision_index_plus1: self.plan.map_or(0, |plan| plan.revision.plus1()).into(),
            plan_item_index_plus1: self.plan.map_or(0, |plan| plan.item.plus1()).into(),
            created_at_s: self.created_at_s.0.into(),
            updated_at_s: time(self.updated_at_s),
            plan_linked_at_s: time(self.plan.and_then(|plan| plan.linked_at_s)),
            fetched_at_s: time(self.fetched_at_s),
            closed_at_s: time(self.closed_at_s),
        };
        Ok(zerocopy::transmute!(record))
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.created_at_s.required(RECORD, "created_at_s")?;
        times::told(self.updated_at_s, RECORD, "updated_at_s")?;
        times::told(self.fetched_at_s, RECORD, "fetched_at_s")?;
        times::told(self.plan.and_then(|plan| plan.linked_at_s), RECORD, "plan_linked_at_s")?;
        check_close_time(RECORD, self.status.is_terminal(), self.closed_at_s)?;
        TaskPayload::check_range(RECORD, self.payload)
    }
}

/// A server never has a Task that is both completed and canceled (F-2.1).
fn read_status(meta: u8) -> Result<RemoteTaskStatus, DecodeError> {
    match (meta & task::COMPLETED != 0, meta & task::CANCELED != 0) {
        (false, false) => Ok(RemoteTaskStatus::Active),
        (true, false) => Ok(RemoteTaskStatus::Completed),
        (false, true) => Ok(RemoteTaskStatus::Canceled),
        (true, true) => {
            let why = "completed and canceled";
            Err(DecodeError::because(RECORD, "task_meta", "F-2.1", why))
        }
    }
}

fn read_plan(record: &RemoteTaskRecord) -> Result<Option<PlanBinding>, DecodeError> {
    let refuse = |field, why| Err(DecodeError::because(RECORD, field, "W-TASK-35", why));
    let revision = PlanRevisionIndex::from_plus1(record.origin_plan_revision_index_plus1.get());
    let item = PlanItemIndex::from_plus1(record.plan_item_index_plus1.get());
    let linked_at_s = UnixSeconds::optional(record.plan_linked_at_s.get());
    match (revision, item) {
        (Some(revision), Some(item)) => Ok(Some(PlanBinding {
            revision,
            item,
            linked_at_s,
        })),
        (None, None) if linked_at_s.is_none() => Ok(None),
        (None, None) => refuse("plan_linked_at_s", "a time of linking without a Plan"),
        (None, Some(_)) => refuse("plan_item_index_plus1", "a Plan item without its revision"),
        (Some(_), None) => refuse("plan_item_index_plus1", "a Plan revision without its item"),
    }
}

#[cfg(test)]
mod tests;
