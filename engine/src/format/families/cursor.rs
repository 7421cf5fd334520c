//! The cursor of a worktree: its record, the file of exactly one record that holds it, and its typed value (W-CURSOR,
//! F-2.3).

use crate::format::HEADER;
use crate::format::error::{DecodeError, Problem};
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{ChangeIndex, SnapshotIndex, TaskIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct WorktreeCursorRecord: 28 bytes;
    pub static WORKTREE_CURSOR: "cursor";
    meaning "What a worktree is being used for; disposable, and no part of any root.";
    rules "W-CURSOR-01" "F-2.3";
    zero_record refused "`updated_at_s` 0 (F-1)";
    fields {
        cursor_meta: u8, "", "What is set.", ["W-CURSOR-06", "F-2.3"], bits {
            [0] active "A Task is selected (G03 assigned by us).",
            [1] land_pending "Either pending Snapshot is there (G03 assigned by us).",
            [2..=6] reserved "0 (G03 assigned by us).",
            [7] tombstone "Cleared: as if there were no cursor (G03 assigned by us)."
        };
        reserved0: u8, "", "0.", ["F-1"];
        reserved1: u16, "", "0.", ["F-1"];
        task_index: u32, "index", "The selected Task; means something only where active is set, else 0.", ["W-CURSOR-06"];
        selected_change_index_plus1: u32, "index + 1", "The selected Change of that Task.", ["W-CURSOR-06"];
        pending_pre_land_target_snapshot_index_plus1: u32, "index + 1", "The head that a Land in work found.", ["W-CURSOR-06"];
        pending_landed_snapshot_index_plus1: u32, "index + 1", "The head that a Land in work installs.", ["W-CURSOR-06"];
        updated_at_s: u64, "seconds", "When it was written; never 0.", ["F-1"];
    }
}

const RECORD: &str = "WorktreeCursorRecord";
const ACTIVE: u8 = 1;
const LAND_PENDING: u8 = 1 << 1;
const TOMBSTONE: u8 = 1 << 7;

/// The directory of a worktree that holds its cursor; never part of a Snapshot (W-CURSOR-05).
pub const CURSOR_DIRECTORY: &str = ".ait-worktree";

/// What a worktree is being used for. It is temporary state of one machine: losing it damages nothing (W-CURSOR-03), it
/// is no history (W-CURSOR-04), and it is never sent or received (W-CURSOR-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Cleared: as if there were no cursor.
    pub cleared: bool,
    /// The selected Task.
    pub task: Option<TaskIndex>,
    /// The selected Change of that Task; only with a Task.
    pub selected_change: Option<ChangeIndex>,
    /// The target Line's head that a Land in work found.
    pub pending_pre_target: Option<SnapshotIndex>,
    /// The head that a Land in work installs.
    pub pending_landed: Option<SnapshotIndex>,
    /// When it was written; never 0.
    pub updated_at_s: UnixSeconds,
}

impl Cursor {
    /// The length of the file that holds a cursor: its header and exactly one record (G04, assigned by us).
    pub const FILE_LEN: usize = HEADER.len() + WORKTREE_CURSOR.record_size;

    /// The cursor that selects nothing.
    pub const fn new(updated_at_s: UnixSeconds) -> Self {
        Self {
            cleared: false,
            task: None,
            selected_change: None,
            pending_pre_target: None,
            pending_landed: None,
            updated_at_s,
        }
    }

    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<WorktreeCursorRecord, DecodeError> {
        raw(&WORKTREE_CURSOR, bytes)
    }

    /// The typed reading. Nothing is tolerated: a cursor with any defect counts as none (G04, assigned by us).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let meta = record.cursor_meta;
        let known = ACTIVE | LAND_PENDING | TOMBSTONE;
        DecodeError::reserved(RECORD, "cursor_meta", "G03", meta.into(), known.into())?;
        DecodeError::reserved(RECORD, "reserved0", "F-1", record.reserved0.into(), 0)?;
        DecodeError::reserved(RECORD, "reserved1", "F-1", record.reserved1.get().into(), 0)?;
        let cursor = Self {
            cleared: meta & TOMBSTONE != 0,
            task: read_task(meta & ACTIVE != 0, record.task_index.get())?,
            selected_change: ChangeIndex::from_plus1(record.selected_change_index_plus1.get()),
            pending_pre_target: SnapshotIndex::from_plus1(record.pending_pre_land_target_snapshot_index_plus1.get()),
            pending_landed: SnapshotIndex::from_plus1(record.pending_landed_snapshot_index_plus1.get()),
            updated_at_s: UnixSeconds(record.updated_at_s.get()),
        };
        if cursor.is_land_pending() != (meta & LAND_PENDING != 0) {
            let why = "land_pending and the pending Snapshots disagree";
            return Err(DecodeError::because(RECORD, "cursor_meta", "G03", why));
        }
        cursor.check()?;
        Ok(Reading {
            value: cursor,
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
    ///
    /// # Errors
    /// The rule that the value breaks: a Change without a Task, a time that is 0.
    pub fn encode(&self) -> Result<[u8; 28], DecodeError> {
        self.check()?;
        let record = WorktreeCursorRecord {
            cursor_meta: (u8::from(self.task.is_some()) * ACTIVE)
                | (u8::from(self.is_land_pending()) * LAND_PENDING)
                | (u8::from(self.cleared) * TOMBSTONE),
            reserved0: 0,
            reserved1: 0.into(),
            task_index: self.task.map_or(0, TaskIndex::get).into(),
            selected_change_index_plus1: ChangeIndex::option_plus1(self.selected_change).into(),
            pending_pre_land_target_snapshot_index_plus1: SnapshotIndex::option_plus1(self.pending_pre_target).into(),
            pending_landed_snapshot_index_plus1: SnapshotIndex::option_plus1(self.pending_landed).into(),
            updated_at_s: self.updated_at_s.0.into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    /// Reads the whole file: the header and one record (G04, assigned by us).
    ///
    /// # Errors
    /// `G04` for another length or header; else the rule that the record breaks.
    pub fn decode_file(bytes: &[u8]) -> Result<Self, DecodeError> {
        if bytes.len() != Self::FILE_LEN {
            let problem = Problem::Length {
                expected: Self::FILE_LEN as u64,
                found: bytes.len() as u64,
            };
            return Err(DecodeError::new(RECORD, "file", "G04", problem));
        }
        let record = bytes.strip_prefix(&HEADER).ok_or(DecodeError::because(
            RECORD,
            "header",
            "G04",
            "the file does not start with layout 1",
        ))?;
        Self::decode_native(record)
    }

    /// The whole file's bytes (G04, assigned by us).
    ///
    /// # Errors
    /// The rule that the value breaks.
    pub fn encode_file(&self) -> Result<[u8; 32], DecodeError> {
        let mut file = [0; 32];
        let (header, record) = file.split_at_mut(HEADER.len());
        header.copy_from_slice(&HEADER);
        record.copy_from_slice(&self.encode()?);
        Ok(file)
    }

    /// Whether a Land is in work.
    pub const fn is_land_pending(&self) -> bool {
        self.pending_pre_target.is_some() || self.pending_landed.is_some()
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.updated_at_s.required(RECORD, "updated_at_s")?;
        if self.task.is_none() && self.selected_change.is_some() {
            let why = "a Change is selected, and no Task";
            return Err(DecodeError::because(RECORD, "selected_change_index_plus1", "G03", why));
        }
        Ok(())
    }
}

/// Presence is told by the bit alone: 0 is also the first Task (G03, assigned by us).
fn read_task(active: bool, index: u32) -> Result<Option<TaskIndex>, DecodeError> {
    match (active, index) {
        (true, index) => TaskIndex::direct(index, RECORD, "task_index").map(Some),
        (false, 0) => Ok(None),
        (false, _) => {
            let why = "a Task, and active is not set";
            Err(DecodeError::because(RECORD, "task_index", "G03", why))
        }
    }
}

#[cfg(test)]
mod tests;
