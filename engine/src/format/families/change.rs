//! Changes of a local root: the raw record, its typed value, its title, and the rules that bind them (W-CHANGE, F-2.2).

use crate::format::error::{DecodeError, Problem};
use crate::format::flags::ChangeFlags;
use crate::format::ordinal::ChangeOrdinal;
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, LineIndex, SnapshotIndex, TaskIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, Tolerated};

mod lifecycle;
mod status;
#[cfg(test)]
mod tests;
mod title;

pub(super) use lifecycle::LifecycleFields;
pub use lifecycle::{ArchiveCause, ChangeLifecycle};
pub use status::ChangeStatus;
pub use title::ChangeTitle;

record! {
    pub struct ChangeRecord: 68 bytes;
    pub static CHANGE: "change", payload "change_payload.bin";
    meaning "One Change of a Task of a local root, known by its Task and its ordinal there.";
    rules "W-CHANGE-02" "W-CHANGE-63" "F-2.2";
    zero_record refused "`base_line_index_plus1` 0 (W-CHANGE-29)";
    fields {
        change_meta: u8, "", "Lifecycle and status.", ["W-CHANGE-38", "W-CHANGE-54", "F-2.2"], bits {
            [0..=1] lifecycle "0 draft, 1 active, 2 landed, 3 archived.",
            [2] has_patchsets "A Patchset of this Change exists.",
            [3] review_pending "With lifecycle 1: shown as review.",
            [4] validation_pending "Validation is awaited.",
            [5] ready_to_land "Nothing stands in the way of a Land.",
            [6] blocked "A Land was blocked.",
            [7] superseded "Only with lifecycle 3."
        };
        local_meta: u8, "", "Local state.", ["W-CHANGE-24", "F-2.2"], bits {
            [0] published "The Change has a counterpart in the remote.",
            [1..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of the title; at least 1.", ["F-2.2"];
        change_ordinal: u8, "ordinal", "Its place in the Task, 0 to 63.", ["W-CHANGE-05", "F-1"];
        change_state: u8, "", "Why it is archived.", ["W-CHANGE-17", "W-CHANGE-18"], bits {
            [0] canceled "Only with lifecycle 3.",
            [1..=7] reserved "0."
        };
        reserved1: u16, "", "0.", ["F-2.2"];
        payload_offset: u64, "bytes", "Where the title stands.", ["F-2.2"];
        task_index: u32, "index", "The owning Task.", ["W-CHANGE-05"];
        previous_change_index_plus1: u32, "index + 1", "The Task's Change before this one.", ["F-1.2"];
        fork_snapshot_index_plus1: u32, "index + 1", "The head of the base Line when it was created.", ["W-CHANGE-31"];
        published_remote_change_ordinal_plus1: u8, "ordinal + 1", "The remote Change's ordinal; 0 = not published.", ["W-CHANGE-20", "W-CHANGE-21", "W-CHANGE-22"];
        reserved2: u8, "", "0.", ["W-CHANGE-23"];
        reserved3: u16, "", "0.", ["W-CHANGE-23"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; not before `created_at_s`.", ["F-1"];
        published_at_s: u64, "seconds", "When it was published; 0 = not.", ["W-CHANGE-25"];
        base_line_index_plus1: u32, "index + 1", "The Line it was created on; never 0.", ["W-CHANGE-28", "W-CHANGE-29"];
        archived_at_s: u64, "seconds", "When it was archived; 0 = not, or unknown on an archived Change.", ["W-CHANGE-36", "W-CHANGE-37"];
    }
}

const RECORD: &str = "ChangeRecord";
const PUBLISHED: u8 = 1;

/// A Change: known by its Task and its ordinal there (W-CHANGE-05). It has no text of its own identity, of its Task's or
/// of its base Line's name (W-CHANGE-04, W-CHANGE-30), and no index of a remote Change (W-CHANGE-08). Its title stands in the payload: [`ChangeTitle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// How far it has come.
    pub lifecycle: ChangeLifecycle,
    /// Status bits beside the lifecycle.
    pub flags: ChangeFlags,
    /// Its place in the Task.
    pub ordinal: ChangeOrdinal,
    /// The owning Task.
    pub task: TaskIndex,
    /// The Task's Change before this one.
    pub previous: Option<ChangeIndex>,
    /// The head of the base Line when it was created (W-CHANGE-31).
    pub fork: Option<SnapshotIndex>,
    /// Its counterpart in the remote.
    pub published: Option<PublishedChange>,
    /// Where its title stands in `change_payload.bin`; 1 to 65535 bytes.
    pub title: PayloadRange,
    /// The Line it was created on (W-CHANGE-29).
    pub base_line: LineIndex,
    /// When it was created; never 0.
    pub created_at_s: UnixSeconds,
    /// When it was last changed; not before `created_at_s`.
    pub updated_at_s: UnixSeconds,
}

/// The counterpart of a Change in the remote; the owning Task's counterpart says of which Task (W-CHANGE-06,
/// W-CHANGE-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublishedChange {
    /// Its ordinal there, which may differ from the local one (W-CHANGE-27).
    pub ordinal: ChangeOrdinal,
    /// When it was published; never 0.
    pub at: UnixSeconds,
}

impl Change {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<ChangeRecord, DecodeError> {
        raw(&CHANGE, bytes)
    }

    /// The typed reading. An archived Change without a time is one whose time is unknown (W-CHANGE-43).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let reserved =
            |field, rule, value: u64, allowed: u8| DecodeError::reserved(RECORD, field, rule, value, allowed.into());
        reserved("local_meta", "W-CHANGE-55", record.local_meta.into(), PUBLISHED)?;
        reserved("reserved1", "W-CHANGE-60", record.reserved1.get().into(), 0)?;
        reserved("reserved2", "W-CHANGE-23", record.reserved2.into(), 0)?;
        reserved("reserved3", "W-CHANGE-23", record.reserved3.get().into(), 0)?;
        let mut tolerated = Tolerated::NONE;
        let change = Self {
            lifecycle: LifecycleFields {
                meta: record.change_meta,
                state: record.change_state,
                archived_at_s: record.archived_at_s.get(),
            }
            .read(RECORD, &mut tolerated)?,
            flags: ChangeFlags::of(record.change_meta),
            ordinal: ChangeOrdinal::read(record.change_ordinal, RECORD, "change_ordinal", "F-1")?,
            task: TaskIndex::direct(record.task_index.get(), RECORD, "task_index")?,
            previous: ChangeIndex::from_plus1(record.previous_change_index_plus1.get()),
            fork: SnapshotIndex::from_plus1(record.fork_snapshot_index_plus1.get()),
            published: read_published(&record)?,
            title: PayloadRange::read(
                RECORD,
                "payload_offset",
                "F-2.2",
                record.payload_offset.get(),
                record.payload_len.get().into(),
            )?,
            base_line: read_base_line(RECORD, record.base_line_index_plus1.get())?,
            created_at_s: UnixSeconds(record.created_at_s.get()),
            updated_at_s: UnixSeconds(record.updated_at_s.get()),
        };
        change.check()?;
        Ok(Reading {
            value: change,
            tolerated,
        })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode_native(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode(bytes)?.native(RECORD)
    }

    /// The record's bytes. An archive time that was not known when it was read stays so (W-CHANGE-43); no operation
    /// makes one (W-CHANGE-42).
    ///
    /// # Errors
    /// The rule that the value breaks: times out of order or 0, a title of no or of more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 68], DecodeError> {
        self.check()?;
        let lifecycle = LifecycleFields::of(self.lifecycle, self.flags);
        let record = ChangeRecord {
            change_meta: lifecycle.meta,
            local_meta: u8::from(self.published.is_some()) * PUBLISHED,
            payload_len: self.title.len_u16(RECORD, "payload_len", "F-2.2")?.into(),
            change_ordinal: self.ordinal.get(),
            change_state: lifecycle.state,
            reserved1: 0.into(),
            payload_offset: self.title.offset().into(),
            task_index: self.task.get().into(),
            previous_change_index_plus1: ChangeIndex::option_plus1(self.previous).into(),
            fork_snapshot_index_plus1: SnapshotIndex::option_plus1(self.fork).into(),
            published_remote_change_ordinal_plus1: self.published.map_or(0, |published| published.ordinal.plus1()),
            reserved2: 0,
            reserved3: 0.into(),
            created_at_s: self.created_at_s.0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            published_at_s: self.published.map_or(0, |published| published.at.0).into(),
            base_line_index_plus1: self.base_line.plus1().into(),
            archived_at_s: lifecycle.archived_at_s.into(),
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
        self.lifecycle.check(RECORD)?;
        ChangeTitle::check_range(RECORD, self.title)
    }
}

/// The base Line, which is always there (W-CHANGE-29).
pub(super) fn read_base_line(record: &'static str, plus1: u32) -> Result<LineIndex, DecodeError> {
    let missing = "a Change without a base Line";
    LineIndex::from_plus1(plus1).ok_or(DecodeError::because(
        record,
        "base_line_index_plus1",
        "W-CHANGE-29",
        missing,
    ))
}

fn read_published(record: &ChangeRecord) -> Result<Option<PublishedChange>, DecodeError> {
    let plus1 = record.published_remote_change_ordinal_plus1;
    let field = "published_remote_change_ordinal_plus1";
    let ordinal = ChangeOrdinal::from_plus1(plus1);
    if plus1 != 0 && ordinal.is_none() {
        let problem = Problem::Value {
            found: plus1.into(),
            allowed: "0 to 64",
        };
        return Err(DecodeError::new(RECORD, field, "W-CHANGE-22", problem));
    }
    let at = UnixSeconds::optional(record.published_at_s.get());
    match (record.local_meta & PUBLISHED != 0, ordinal, at) {
        (true, Some(ordinal), Some(at)) => Ok(Some(PublishedChange { ordinal, at })),
        (false, None, None) => Ok(None),
        (true, None, _) | (false, Some(_), _) => {
            let why = "published and the remote ordinal disagree";
            Err(DecodeError::because(RECORD, field, "W-CHANGE-24", why))
        }
        (true, Some(_), None) | (false, None, Some(_)) => {
            let why = "published and published_at_s disagree";
            Err(DecodeError::because(RECORD, "published_at_s", "W-CHANGE-25", why))
        }
    }
}
