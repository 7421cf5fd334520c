//! Lines: the raw record, its typed value and the rules that bind them (W-LINE, F-2.4).

use crate::format::error::{DecodeError, Problem};
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::SnapshotIndex;
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct LineRecord: 40 bytes;
    pub static LINE: "line", payload "line_name_payload.bin";
    meaning "One Line: a name whose head moves from Snapshot to Snapshot.";
    rules "W-LINE-01" "F-2.4";
    zero_record refused "`line_name_len` 0 (F-2.4)";
    fields {
        line_meta: u8, "", "State bits.", ["W-LINE-02", "F-2.4"], bits {
            [0] archived "Out of use; exactly where `archived_at_s` is not 0.",
            [1] tombstone "Deleted; archived is set too.",
            [2..=7] reserved "0."
        };
        reserved0: u8, "", "0.", ["F-1"];
        line_name_len: u16, "bytes", "Length of the name; at least 1.", ["F-2.4"];
        line_name_offset: u64, "bytes", "Where the name stands.", ["F-2.4"];
        head_snapshot_index_plus1: u32, "index + 1", "The newest Snapshot; 0 = none yet.", ["F-2.4"];
        created_at_s: u64, "seconds", "When it was created; never 0.", ["F-1"];
        updated_at_s: u64, "seconds", "When it was last changed; never 0.", ["F-1"];
        archived_at_s: u64, "seconds", "When it was archived or deleted; 0 = neither.", ["W-LINE-03", "F-2.4"];
    }
}

const RECORD: &str = "LineRecord";
const ARCHIVED: u8 = 1;
const TOMBSTONE: u8 = 1 << 1;

/// A Line. Its name stands in the payload and is read with [`LineName::read`](crate::format::LineName::read).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whether it is in use.
    pub state: LineState,
    /// Where its name stands in `line_name_payload.bin`; 1 to 65535 bytes.
    pub name: PayloadRange,
    /// Its newest Snapshot.
    pub head: Option<SnapshotIndex>,
    /// When it was created; never 0.
    pub created_at_s: UnixSeconds,
    /// When it was last changed; never 0. No rule compares it with `created_at_s`: imported times may go backwards.
    pub updated_at_s: UnixSeconds,
}

/// Whether a Line is in use (W-LINE-02, W-LINE-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// In use.
    Live,
    /// Out of use; may be restored.
    Archived {
        /// When; never 0.
        at: UnixSeconds,
    },
    /// Deleted: the name is free, and the record stays so that old Snapshots still find their authoring Line.
    Deleted {
        /// When; never 0.
        at: UnixSeconds,
    },
}

impl Line {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<LineRecord, DecodeError> {
        raw(&LINE, bytes)
    }

    /// The typed reading. Nothing in a Line's record is tolerated; its name may be (see `TOLERANCES`).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let meta = record.line_meta;
        DecodeError::reserved(
            RECORD,
            "line_meta",
            "W-LINE-02",
            meta.into(),
            (ARCHIVED | TOMBSTONE).into(),
        )?;
        DecodeError::reserved(RECORD, "reserved0", "F-1", record.reserved0.into(), 0)?;
        let (offset, len) = (record.line_name_offset.get(), record.line_name_len.get());
        let at = UnixSeconds(record.archived_at_s.get());
        let state = match (meta & ARCHIVED != 0, meta & TOMBSTONE != 0) {
            (false, false) => LineState::Live,
            (true, false) => LineState::Archived { at },
            (true, true) => LineState::Deleted { at },
            (false, true) => {
                return Err(DecodeError::because(
                    RECORD,
                    "line_meta",
                    "W-LINE-02",
                    "tombstone without archived",
                ));
            }
        };
        if (state == LineState::Live) != (at.0 == 0) {
            let why = "archived and archived_at_s disagree";
            return Err(DecodeError::because(RECORD, "archived_at_s", "W-LINE-02", why));
        }
        let line = Self {
            state,
            name: PayloadRange::read(RECORD, "line_name_offset", "F-2.4", offset, len.into())?,
            head: SnapshotIndex::from_plus1(record.head_snapshot_index_plus1.get()),
            created_at_s: UnixSeconds(record.created_at_s.get()),
            updated_at_s: UnixSeconds(record.updated_at_s.get()),
        };
        line.check()?;
        Ok(Reading {
            value: line,
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
    /// The rule that the value breaks: a time that is 0, a name of no or of more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 40], DecodeError> {
        self.check()?;
        let (meta, at) = match self.state {
            LineState::Live => (0, UnixSeconds(0)),
            LineState::Archived { at } => (ARCHIVED, at),
            LineState::Deleted { at } => (ARCHIVED | TOMBSTONE, at),
        };
        let record = LineRecord {
            line_meta: meta,
            reserved0: 0,
            line_name_len: self.name.len_u16(RECORD, "line_name_len", "F-2.4")?.into(),
            line_name_offset: self.name.offset().into(),
            head_snapshot_index_plus1: SnapshotIndex::option_plus1(self.head).into(),
            created_at_s: self.created_at_s.0.into(),
            updated_at_s: self.updated_at_s.0.into(),
            archived_at_s: at.0.into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    /// Whether it is in use.
    pub fn is_live(&self) -> bool {
        self.state == LineState::Live
    }

    fn check(&self) -> Result<(), DecodeError> {
        if self.name.is_empty() {
            let problem = Problem::Value {
                found: 0,
                allowed: "1 to 65535",
            };
            return Err(DecodeError::new(RECORD, "line_name_len", "F-2.4", problem));
        }
        self.created_at_s.required(RECORD, "created_at_s")?;
        self.updated_at_s.required(RECORD, "updated_at_s")?;
        match self.state {
            LineState::Live => Ok(()),
            LineState::Archived { at } | LineState::Deleted { at } => at.required(RECORD, "archived_at_s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line {
            state: LineState::Live,
            name: PayloadRange::new(4, 4).unwrap(),
            head: SnapshotIndex::new(6),
            created_at_s: UnixSeconds(100),
            updated_at_s: UnixSeconds(90),
        }
    }

    /// The bytes of `line()` after one change.
    fn changed(change: impl FnOnce(&mut LineRecord)) -> Result<Reading<Line>, DecodeError> {
        let mut record = Line::raw(&line().encode().unwrap()).unwrap();
        change(&mut record);
        let bytes: [u8; 40] = zerocopy::transmute!(record);
        Line::decode(&bytes)
    }

    #[test]
    fn w_line_01_a_line_is_exactly_40_bytes_and_reads_back() {
        for state in [
            LineState::Live,
            LineState::Archived { at: UnixSeconds(7) },
            LineState::Deleted {
                at: UnixSeconds(u64::MAX),
            },
        ] {
            let value = Line { state, ..line() };
            assert_eq!(Line::decode_native(&value.encode().unwrap()), Ok(value));
        }
        assert_eq!(Line::decode(&[0; 39]).map_err(|e| e.rule), Err("F-1"));
        assert_eq!(Line::decode(&[0; 41]).map_err(|e| e.rule), Err("F-1"));
    }

    #[test]
    fn w_line_02_archived_and_its_time_stand_or_fall_together() {
        assert_eq!(changed(|r| r.line_meta = 1).map_err(|e| e.field), Err("archived_at_s"));
        assert_eq!(
            changed(|r| r.archived_at_s = 5.into()).map_err(|e| e.field),
            Err("archived_at_s")
        );
    }

    #[test]
    fn w_line_02_a_deleted_line_is_archived_too() {
        let refused = changed(|r| {
            r.line_meta = 2;
            r.archived_at_s = 5.into();
        });
        assert_eq!(refused.map_err(|e| e.rule), Err("W-LINE-02"));
    }

    #[test]
    fn w_line_02_f_1_reserved_bits_fail_closed() {
        for bit in 2..8 {
            assert_eq!(
                changed(|r| r.line_meta = 1 << bit).map_err(|e| e.field),
                Err("line_meta")
            );
        }
        assert_eq!(changed(|r| r.reserved0 = 1).map_err(|e| e.rule), Err("F-1"));
    }

    #[test]
    fn f_1_the_times_of_a_line_are_never_zero() {
        assert_eq!(
            changed(|r| r.created_at_s = 0.into()).map_err(|e| e.field),
            Err("created_at_s")
        );
        assert_eq!(
            changed(|r| r.updated_at_s = 0.into()).map_err(|e| e.field),
            Err("updated_at_s")
        );
        let archived = Line {
            state: LineState::Archived { at: UnixSeconds(0) },
            ..line()
        };
        assert_eq!(archived.encode().map_err(|e| e.field), Err("archived_at_s"));
    }

    #[test]
    fn f_2_4_a_line_has_a_name_that_its_length_field_can_tell() {
        assert_eq!(
            changed(|r| r.line_name_len = 0.into()).map_err(|e| e.rule),
            Err("F-2.4")
        );
        assert_eq!(
            changed(|r| r.line_name_offset = 3.into()).map_err(|e| e.rule),
            Err("F-2.4")
        );
        assert_eq!(
            changed(|r| r.line_name_offset = u64::MAX.into()).map_err(|e| e.rule),
            Err("F-2.4")
        );
        let long = Line {
            name: PayloadRange::new(4, 65536).unwrap(),
            ..line()
        };
        assert_eq!(long.encode().map_err(|e| e.rule), Err("F-2.4"));
    }
}
