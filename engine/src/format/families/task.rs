//! Tasks of a local root: the raw record, its typed value, its payload, and the rules that bind them (W-TASK, F-2.1).

use crate::format::error::DecodeError;
use crate::format::flags::TaskFlags;
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{PlanItemIndex, PlanRevisionIndex, RemoteTaskIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

mod close_time;
mod payload;
#[cfg(test)]
mod tests;

pub(super) use close_time::{check_close_time, read_close_time};
pub use payload::TaskPayload;

record! {
    pub struct TaskRecord: 64 bytes;
    pub static TASK: "task", payload "task_payload.bin";
    meaning "One Task of a local root; its place in the file is its identity.";
    rules "W-TASK-01" "W-TASK-37" "F-2.1";
    zero_record refused "`payload_offset` below 4 and `created_at_s` 0 (F-2.1)";
    fields {
        task_meta: u8, "", "Planning state and status.", ["W-TASK-24", "W-TASK-25", "W-TASK-29", "F-2.1"], bits {
            [0] planned "The Task is planned.",
            [1] snapshotted "A status bit (G36 assigned by us).",
            [2] review_pending "A status bit (G36 assigned by us).",
            [3] validation_pending "A status bit (G36 assigned by us).",
            [4] blocked "A status bit (G36 assigned by us).",
            [5] ready_to_land "A status bit (G36 assigned by us).",
            [6] completed "Terminal: the work is done.",
            [7] canceled "Terminal: the Task was given up."
        };
        local_meta: u8, "", "Local state.", ["W-TASK-26", "F-2.1"], bits {
            [0] published "The Task has a counterpart in the remote.",
            [1] abandoned "Terminal: given up locally.",
            [2] tombstoned "Hidden locally (G01 assigned by us); never set by writers.",
            [3..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of title and intent.", ["F-2.1"];
        payload_offset: u64, "bytes", "Where they stand.", ["F-2.1"];
        origin_plan_revision_index_plus1: u32, "index + 1", "The Plan revision it came from.", ["F-2.1"];
        plan_item_index_plus1: u32, "index + 1", "The Plan item it came from.", ["F-2.1"];
        published_remote_task_index: u32, "index", "The remote Task; means something only where published is set.", ["F-1", "F-2.1"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; not before `created_at_s`.", ["F-1"];
        plan_linked_at_s: u64, "seconds", "When it was linked to its Plan; 0 = not.", ["F-2.1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["F-2.1"];
        closed_at_s: u64, "seconds", "When it was closed; 0 = open, or unknown on a closed Task.", ["W-TASK-09", "W-TASK-10", "W-TASK-11"];
    }
}

const RECORD: &str = "TaskRecord";
/// The bits of `task_meta` beside [`TaskFlags`].
pub(super) const PLANNED: u8 = 1;
pub(super) const COMPLETED: u8 = 1 << 6;
pub(super) const CANCELED: u8 = 1 << 7;
const PUBLISHED: u8 = 1;
const ABANDONED: u8 = 1 << 1;
const HIDDEN: u8 = 1 << 2;

/// A Task. Title and intent stand in the payload: [`TaskPayload`]. Nothing in it says where it came from: a converted
/// Task and a native one of the same values are the same bytes (W-TASK-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Whether it is open, and how it ended.
    pub status: TaskStatus,
    /// When it ended; `None` for an open one, and for one whose time of ending is not known (W-TASK-11).
    pub closed_at_s: Option<UnixSeconds>,
    /// Whether it is planned; there is no third state (W-TASK-24).
    pub planned: bool,
    /// Status bits that no rule gives a meaning to.
    pub flags: TaskFlags,
    /// Hidden locally (G01, assigned by us); no operation of this version hides one.
    pub hidden: bool,
    /// Where title and intent stand in `task_payload.bin`; 4 to 65535 bytes.
    pub payload: PayloadRange,
    /// The Plan revision it came from.
    pub plan_revision: Option<PlanRevisionIndex>,
    /// The Plan item it came from; only with a revision.
    pub plan_item: Option<PlanItemIndex>,
    /// When it was linked to its Plan; only with a revision (W-TASK-35).
    pub plan_linked_at_s: Option<UnixSeconds>,
    /// Its counterpart in the remote.
    pub published: Option<PublishedTask>,
    /// When it was created; never 0.
    pub created_at_s: UnixSeconds,
    /// When it was last changed; not before `created_at_s`.
    pub updated_at_s: UnixSeconds,
}

/// Whether a Task is open, and how it ended: its effective status (W-TASK-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskStatus {
    /// Open.
    Active,
    /// The work is done.
    Completed,
    /// Given up (W-TASK-25).
    Canceled,
    /// Given up locally (W-TASK-26).
    Abandoned,
}

impl TaskStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Active, Self::Completed, Self::Canceled, Self::Abandoned];

    /// Whether it is an end: no event takes it back (W-TASK-18).
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Active)
    }

    /// `active`, `completed`, `canceled` or `abandoned`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Canceled => "canceled",
            Self::Abandoned => "abandoned",
        }
    }
}

/// The counterpart of a Task in the remote. Both are there, or neither is (F-2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublishedTask {
    /// The Task's index there.
    pub task: RemoteTaskIndex,
    /// When it was published; never 0.
    pub at: UnixSeconds,
}

impl Task {
    /// Where `task_meta` stands in the record: the state byte of completing and canceling (F-0.2).
    pub const META_OFFSET: usize = std::mem::offset_of!(TaskRecord, task_meta);
    /// Where `local_meta` stands in the record: the state byte of abandoning (F-0.2).
    pub const LOCAL_META_OFFSET: usize = std::mem::offset_of!(TaskRecord, local_meta);

    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<TaskRecord, DecodeError> {
        raw(&TASK, bytes)
    }

    /// The typed reading. A close time without an end is read as absent (W-TASK-19), an end without a close time as
    /// one whose time is unknown (W-TASK-22).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let local = record.local_meta;
        let known = PUBLISHED | ABANDONED | HIDDEN;
        DecodeError::reserved(RECORD, "local_meta", "W-TASK-30", local.into(), known.into())?;
        let mut tolerated = Tolerated::NONE;
        let status = read_status(record.task_meta, local & ABANDONED != 0, &mut tolerated);
        let task = Self {
            status,
            closed_at_s: read_close_time(status.is_terminal(), record.closed_at_s.get(), &mut tolerated),
            planned: record.task_meta & PLANNED != 0,
            flags: TaskFlags::of(record.task_meta),
            hidden: local & HIDDEN != 0,
            payload: PayloadRange::read(
                RECORD,
                "payload_offset",
                "F-2.1",
                record.payload_offset.get(),
                record.payload_len.get().into(),
            )?,
            plan_revision: PlanRevisionIndex::from_plus1(record.origin_plan_revision_index_plus1.get()),
            plan_item: PlanItemIndex::from_plus1(record.plan_item_index_plus1.get()),
            plan_linked_at_s: UnixSeconds::optional(record.plan_linked_at_s.get()),
            published: read_published(&record, &mut tolerated)?,
            created_at_s: UnixSeconds(record.created_at_s.get()),
            updated_at_s: UnixSeconds(record.updated_at_s.get()),
        };
        if task.hidden {
            tolerated.add(ToleranceId::TaskHidden);
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

    /// The record's bytes. An end whose time was not known when it was read stays so (W-TASK-22); no operation makes
    /// one (W-TASK-21).
    ///
    /// # Errors
    /// The rule that the value breaks: a close time without an end, times out of order, a Plan item or a time of linking
    /// without a revision, a payload of fewer than 4 or more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 64], DecodeError> {
        self.check()?;
        let end = match self.status {
            TaskStatus::Active | TaskStatus::Abandoned => 0,
            TaskStatus::Completed => COMPLETED,
            TaskStatus::Canceled => CANCELED,
        };
        let local = [
            (self.published.is_some(), PUBLISHED),
            (self.status == TaskStatus::Abandoned, ABANDONED),
            (self.hidden, HIDDEN),
        ];
        let time = |time: Option<UnixSeconds>| time.unwrap_or_default().0.into();
        let record = TaskRecord {
            task_meta: (u8::from(self.planned) * PLANNED) | self.flags.bits() | end,
            local_meta: local
                .iter()
                .filter(|(set, _)| *set)
                .fold(0, |meta, (_, bit)| meta | bit),
            payload_len: self.payload.len_u16(RECORD, "payload_len", "F-2.1")?.into(),
            payload_offset: self.payload.offset().into(),
            origin_plan_revision_index_plus1: PlanRevisionIndex::option_plus1(self.plan_revision).into(),
            plan_item_index_plus1: PlanItemIndex::option_plus1(self.plan_item).into(),
            published_remote_task_index: self.published.map_or(0, |published| published.task.get()).into(),
            created_at_s: self.created_at_s.0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            plan_linked_at_s: time(self.plan_linked_at_s),
            published_at_s: time(self.published.map(|published| published.at)),
            closed_at_s: time(self.closed_at_s),
        };
        Ok(zerocopy::transmute!(record))
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.created_at_s.required(RECORD, "created_at_s")?;
        self.updated_at_s
            .not_before(self.created_at_s, RECORD, "updated_at_s")?;
        if let Some(published) = self.published {
            published.at.required(RECORD, "published_at_s")?;
        }
        check_close_time(RECORD, self.status.is_terminal(), self.closed_at_s)?;
        if self.plan_revision.is_none() {
            if self.plan_item.is_some() {
                let why = "a Plan item without its revision";
                return Err(DecodeError::because(RECORD, "plan_item_index_plus1", "W-TASK-35", why));
            }
            if self.plan_linked_at_s.is_some() {
                let why = "a time of linking without a Plan revision";
                return Err(DecodeError::because(RECORD, "plan_linked_at_s", "W-TASK-35", why));
            }
        }
        TaskPayload::check_range(RECORD, self.payload)
    }
}

/// Canceled comes before abandoned, and abandoned before completed (F-2.1).
fn read_status(meta: u8, abandoned: bool, tolerated: &mut Tolerated) -> TaskStatus {
    let (completed, canceled) = (meta & COMPLETED != 0, meta & CANCELED != 0);
    if u8::from(completed) + u8::from(canceled) + u8::from(abandoned) > 1 {
        tolerated.add(ToleranceId::TaskSeveralEnds);
    }
    match (canceled, abandoned, completed) {
        (true, _, _) => TaskStatus::Canceled,
        (false, true, _) => TaskStatus::Abandoned,
        (false, false, true) => TaskStatus::Completed,
        (false, false, false) => TaskStatus::Active,
    }
}

/// Presence is told by the bit alone: 0 is also the first remote Task (W-TASK-34).
fn read_published(record: &TaskRecord, tolerated: &mut Tolerated) -> Result<Option<PublishedTask>, DecodeError> {
    let (index, at) = (record.published_remote_task_index.get(), record.published_at_s.get());
    match (record.local_meta & PUBLISHED != 0, UnixSeconds::optional(at)) {
        (true, Some(at)) => Ok(Some(PublishedTask {
            task: RemoteTaskIndex::direct(index, RECORD, "published_remote_task_index")?,
            at,
        })),
        (false, None) => {
            if index != 0 {
                tolerated.add(ToleranceId::TaskUnpublishedIndex);
            }
            Ok(None)
        }
        (true, None) | (false, Some(_)) => {
            let why = "published and published_at_s disagree";
            Err(DecodeError::because(RECORD, "published_at_s", "W-TASK-35", why))
        }
    }
}
