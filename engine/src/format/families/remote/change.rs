//! Changes of a server: the raw record, its typed value and the rules that bind them (W-CHANGE-03, F-2.2). Their title
//! is that of a local Change.

use super::times;
use crate::format::error::DecodeError;
use crate::format::families::change::{ChangeLifecycle, ChangeTitle, LifecycleFields, read_base_line};
use crate::format::flags::{ChangeFlags, RemoteFlags};
use crate::format::ordinal::ChangeOrdinal;
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, LineIndex, PatchsetIndex, SnapshotIndex, TaskIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

record! {
    pub struct RemoteChangeRecord: 68 bytes;
    pub static REMOTE_CHANGE: "change", payload "change_payload.bin";
    meaning "One Change of a Task of a server, known by its Task and its ordinal there.";
    rules "W-CHANGE-03" "W-CHANGE-16" "W-CHANGE-63" "F-2.2";
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
        remote_meta: u8, "", "State of the row.", ["W-CHANGE-55", "F-2.1"], bits {
            [0] hidden "Looked up as unknown.",
            [1] stale "Kept by a cache (G02 assigned by us); never set by writers.",
            [2] partial_fetch "Kept by a cache (G02 assigned by us); never set by writers.",
            [3] cache "Left to caches (G02 assigned by us); never set by writers.",
            [4..=7] reserved "0."
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
        selected_patchset_index_plus1: u32, "index + 1", "The Patchset that was selected; 0 = none.", ["W-CHANGE-10", "W-CHANGE-12", "W-CHANGE-16"];
        fork_snapshot_index_plus1: u32, "index + 1", "The head of the base Line when it was created.", ["W-CHANGE-31"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; never 0.", ["F-1"];
        fetched_at_s: u64, "seconds", "When it was last fetched; 0 = unknown, in converted rows only.", ["W-CONV-36", "F-2.2"];
        base_line_index_plus1: u32, "index + 1", "The Line it was created on; never 0.", ["W-CHANGE-28", "W-CHANGE-29"];
        archived_at_s: u64, "seconds", "When it was archived; 0 = not, or unknown on an archived Change.", ["W-CHANGE-36", "W-CHANGE-37"];
    }
}

const RECORD: &str = "RemoteChangeRecord";

/// A Change of a server. Its title stands in the payload: [`ChangeTitle`]. Indexes in it are the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteChange {
    /// How far it has come.
    pub lifecycle: ChangeLifecycle,
    /// Status bits beside the lifecycle.
    pub flags: ChangeFlags,
    /// State of the row itself.
    pub row: RemoteFlags,
    /// Its place in the Task.
    pub ordinal: ChangeOrdinal,
    /// The owning Task.
    pub task: TaskIndex,
    /// The Task's Change before this one.
    pub previous: Option<ChangeIndex>,
    /// The Patchset that was selected for review and landing; not the newest one (W-CHANGE-10, W-CHANGE-14).
    pub selected: Option<PatchsetIndex>,
    /// The head of the base Line when it was created (W-CHANGE-31).
    pub fork: Option<SnapshotIndex>,
    /// Where its title stands in `change_payload.bin`; 1 to 65535 bytes.
    pub title: PayloadRange,
    /// The Line it was created on (W-CHANGE-29).
    pub base_line: LineIndex,
    /// When it was created; never 0.
    pub created_at_s: UnixSeconds,
    /// When it was last changed; never 0.
    pub updated_at_s: UnixSeconds,
    /// When it was last fetched; `None` only in converted rows (W-CONV-36).
    pub fetched_at_s: Option<UnixSeconds>,
}

impl RemoteChange {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<RemoteChangeRecord, DecodeError> {
        raw(&REMOTE_CHANGE, bytes)
    }

    /// The typed reading. Lifecycles are read as in a local Change; converted rows may lack their time of fetching, and
    /// may have been changed before they were created.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let reserved1 = record.reserved1.get().into();
        DecodeError::reserved(RECORD, "reserved1", "W-CHANGE-60", reserved1, 0)?;
        let mut tolerated = Tolerated::NONE;
        let seen = &mut tolerated;
        let fields = LifecycleFields {
            meta: record.change_meta,
            state: record.change_state,
            archived_at_s: record.archived_at_s.get(),
        };
        let (created_at_s, updated_at_s) = (
            UnixSeconds(record.created_at_s.get()),
            UnixSeconds(record.updated_at_s.get()),
        );
        times::in_order(
            created_at_s,
            updated_at_s,
            ToleranceId::RemoteChangeUpdatedBeforeCreated,
            seen,
        );
        let fetched = record.fetched_at_s.get();
        let change = Self {
            lifecycle: fields.read(RECORD, seen)?,
            flags: ChangeFlags::of(record.change_meta),
            row: times::remote_meta(
                record.remote_meta,
                RECORD,
                "W-CHANGE-55",
                ToleranceId::RemoteChangeCacheBits,
                seen,
            )?,
            ordinal: ChangeOrdinal::read(record.change_ordinal, RECORD, "change_ordinal", "F-1")?,
            task: TaskIndex::direct(record.task_index.get(), RECORD, "task_index")?,
            previous: ChangeIndex::from_plus1(record.previous_change_index_plus1.get()),
            selected: PatchsetIndex::from_plus1(record.selected_patchset_index_plus1.get()),
            fork: SnapshotIndex::from_plus1(record.fork_snapshot_index_plus1.get()),
            title: PayloadRange::read(
                RECORD,
                "payload_offset",
                "F-2.2",
                record.payload_offset.get(),
                record.payload_len.get().into(),
            )?,
            base_line: read_base_line(RECORD, record.base_line_index_plus1.get())?,
            created_at_s,
            updated_at_s,
            fetched_at_s: times::legacy(fetched, ToleranceId::RemoteChangeFetchTimeUnknown, seen),
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

    /// The record's bytes. What was not known when the record was read stays so.
    ///
    /// # Errors
    /// The rule that the value breaks: a time that is told and 0, a title of no or of more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 68], DecodeError> {
        self.check()?;
        let lifecycle = LifecycleFields::of(self.lifecycle, self.flags);
        let record = RemoteChangeRecord {
            change_meta: lifecycle.meta,
            remote_meta: self.row.bits(),
            payload_len: self.title.len_u16(RECORD, "payload_len", "F-2.2")?.into(),
            change_ordinal: self.ordinal.get(),
            change_state: lifecycle.state,
            reserved1: 0.into(),
            payload_offset: self.title.offset().into(),
            task_index: self.task.get().into(),
            previous_change_index_plus1: ChangeIndex::option_plus1(self.previous).into(),
            selected_patchset_index_plus1: PatchsetIndex::option_plus1(self.selected).into(),
            fork_snapshot_index_plus1: SnapshotIndex::option_plus1(self.fork).into(),
            created_at_s: self.created_at_s.0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            fetched_at_s: self.fetched_at_s.unwrap_or_default().0.into(),
            base_line_index_plus1: self.base_line.plus1().into(),
            archived_at_s: lifecycle.archived_at_s.into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.created_at_s.required(RECORD, "created_at_s")?;
        self.updated_at_s.required(RECORD, "updated_at_s")?;
        times::told(self.fetched_at_s, RECORD, "fetched_at_s")?;
        self.lifecycle.check(RECORD)?;
        ChangeTitle::check_range(RECORD, self.title)
    }
}

#[cfg(test)]
mod tests;
