//! Snapshots: the raw record, its typed value and the rules that bind them (F-0.3, F-2.16).

use crate::format::error::{DecodeError, Problem};
use crate::format::hash::{ObjectHash, SnapshotId, SnapshotKind};
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::{LineIndex, SnapshotIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, ToleranceId, Tolerated};

record! {
    pub struct SnapshotRecord: 88 bytes;
    pub static SNAPSHOT: "snapshot", payload "snapshot_payload.bin";
    meaning "One Snapshot: a directory object with its parents, its time and its message.";
    rules "W-CHANGE-62" "F-2.16" "F-0.3";
    zero_record refused "`created_at_s` 0 (F-1)";
    fields {
        snapshot_meta: u8, "", "Kind, state, and what the payload holds.", ["F-2.16"], bits {
            [0..=1] kind "0 line, 1 stash, 2 and 3 reserved.",
            [2] has_message "The payload has a message.",
            [3] has_line_name_payload "The payload has the authoring Line's name of the moment; exactly where `line_index_plus1` is not 0 (F-0.3).",
            [4] has_additional_parents "The payload has the parents after the first.",
            [5] has_root_locator "0: roots of version 0 have no tree packs (F-0.3).",
            [6] reserved "0.",
            [7] tombstone "Deleted."
        };
        history_flags: u8, "", "What is known of its history.", ["F-2.16"], bits {
            [0] remote_head_history_boundary "The history before it was left out; then it has no parent.",
            [1..=7] reserved "0."
        };
        payload_len: u16, "bytes", "Length of the payload; 0 where it would say nothing.", ["F-2.16"];
        payload_offset: u64, "bytes", "Where the payload stands; 4 where there is none.", ["F-2.16"];
        snapshot_hash48: u64, "", "Its identity; the top 16 bits are 0.", ["F-0.3", "F-2.16"];
        parent_snapshot_index_plus1: u32, "index + 1", "The first parent; 0 = none.", ["F-2.16"];
        root_tree_pack_index_plus1: u32, "index + 1", "0: roots of version 0 have no tree packs.", ["F-0.3"];
        root_entry_ordinal: u32, "", "0: roots of version 0 have no tree packs.", ["F-0.3"];
        line_index_plus1: u32, "index + 1", "The authoring Line, which never changes; 0 = imported.", ["W-CHANGE-32", "F-0.3"];
        manifest_hash: [u8; 32], "", "The hash of the root directory object.", ["F-0.3"];
        file_count: u32, "", "The files below the root directory; links do not count.", ["F-0.3"];
        total_bytes: u64, "bytes", "Their sizes together.", ["F-0.3"];
        created_at_s: u64, "seconds", "When it was made; never 0.", ["F-1"];
    }
}

const RECORD: &str = "SnapshotRecord";
const KIND: u8 = 0b11;
const HAS_MESSAGE: u8 = 1 << 2;
const HAS_LINE_NAME: u8 = 1 << 3;
const HAS_MORE_PARENTS: u8 = 1 << 4;
const HAS_ROOT_LOCATOR: u8 = 1 << 5;
const RESERVED: u8 = 1 << 6;
const TOMBSTONE: u8 = 1 << 7;
const BOUNDARY: u8 = 1;

/// A Snapshot. Further parents, message and the Line's name stand in the payload:
/// [`SnapshotPayload`](crate::format::SnapshotPayload).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Deleted.
    pub tombstoned: bool,
    /// What it is for.
    pub kind: SnapshotKind,
    /// Its identity.
    pub id: SnapshotId,
    /// Where its history goes on.
    pub parents: Parents,
    /// Its authoring Line; where there is one, the payload has that Line's name of the moment. `None` when imported.
    pub line: Option<LineIndex>,
    /// Whether the payload has a message.
    pub has_message: bool,
    /// Where the payload stands in `snapshot_payload.bin`, at most 65535 bytes; empty where it would say nothing.
    pub payload: PayloadRange,
    /// The hash of its root directory object.
    pub manifest_hash: ObjectHash,
    /// The files below the root directory, each as often as it is reached; links do not count.
    pub file_count: u32,
    /// Their sizes together, in bytes.
    pub total_bytes: u64,
    /// When it was made; never 0.
    pub created_at_s: UnixSeconds,
}

/// Where a Snapshot's history goes on (F-2.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parents {
    /// Nowhere: it is a first Snapshot.
    None,
    /// Nowhere we know: the history before it was left out when it was fetched.
    Boundary,
    /// One parent.
    One(SnapshotIndex),
    /// This first parent, and more in the payload.
    Many(SnapshotIndex),
}

impl Parents {
    /// The first parent.
    pub const fn first(self) -> Option<SnapshotIndex> {
        match self {
            Self::None | Self::Boundary => None,
            Self::One(first) | Self::Many(first) => Some(first),
        }
    }
}

impl Snapshot {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<SnapshotRecord, DecodeError> {
        raw(&SNAPSHOT, bytes)
    }

    /// The typed reading.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let meta = record.snapshot_meta;
        DecodeError::reserved(RECORD, "snapshot_meta", "F-2.16", meta.into(), (!RESERVED).into())?;
        DecodeError::reserved(
            RECORD,
            "snapshot_meta",
            "F-0.3",
            meta.into(),
            (!HAS_ROOT_LOCATOR).into(),
        )?;
        DecodeError::reserved(
            RECORD,
            "history_flags",
            "F-2.16",
            record.history_flags.into(),
            BOUNDARY.into(),
        )?;
        let locator = u64::from(record.root_tree_pack_index_plus1.get());
        DecodeError::reserved(RECORD, "root_tree_pack_index_plus1", "F-0.3", locator, 0)?;
        DecodeError::reserved(
            RECORD,
            "root_entry_ordinal",
            "F-0.3",
            record.root_entry_ordinal.get().into(),
            0,
        )?;
        let (payload, tolerated) = read_payload_range(&record)?;
        let line = LineIndex::from_plus1(record.line_index_plus1.get());
        if line.is_some() != (meta & HAS_LINE_NAME != 0) {
            let why = "an authoring Line and its name in the payload go together";
            return Err(DecodeError::because(RECORD, "line_index_plus1", "F-0.3", why));
        }
        let snapshot = Self {
            tombstoned: meta & TOMBSTONE != 0,
            kind: read_kind(meta)?,
            id: read_id(record.snapshot_hash48.get())?,
            parents: read_parents(&record)?,
            line,
            has_message: meta & HAS_MESSAGE != 0,
            payload,
            manifest_hash: ObjectHash(record.manifest_hash),
            file_count: record.file_count.get(),
            total_bytes: record.total_bytes.get(),
            created_at_s: UnixSeconds(record.created_at_s.get()),
        };
        snapshot.check()?;
        Ok(Reading {
            value: snapshot,
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

    /// The record's bytes.
    ///
    /// # Errors
    /// The rule that the value breaks: `created_at_s` 0, or a payload of a length its parts cannot have.
    pub fn encode(&self) -> Result<[u8; 88], DecodeError> {
        self.check()?;
        let many = matches!(self.parents, Parents::Many(_));
        let flags = [
            (self.has_message, HAS_MESSAGE),
            (self.line.is_some(), HAS_LINE_NAME),
            (many, HAS_MORE_PARENTS),
            (self.tombstoned, TOMBSTONE),
        ];
        let record = SnapshotRecord {
            snapshot_meta: flags
                .iter()
                .filter(|(set, _)| *set)
                .fold(self.kind.code(), |meta, (_, bit)| meta | bit),
            history_flags: u8::from(self.parents == Parents::Boundary) * BOUNDARY,
            payload_len: self.payload.len_u16(RECORD, "payload_len", "F-2.16")?.into(),
            payload_offset: if self.payload.is_empty() {
                PayloadRange::EMPTY
            } else {
                self.payload
            }
            .offset()
            .into(),
            snapshot_hash48: self.id.get().into(),
            parent_snapshot_index_plus1: SnapshotIndex::option_plus1(self.parents.first()).into(),
            root_tree_pack_index_plus1: 0.into(),
            root_entry_ordinal: 0.into(),
            line_index_plus1: LineIndex::option_plus1(self.line).into(),
            manifest_hash: self.manifest_hash.0,
            file_count: self.file_count.into(),
            total_bytes: self.total_bytes.into(),
            created_at_s: self.created_at_s.0.into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    /// The lengths a payload with these parts can have. An empty message is tolerated, so it counts for nothing.
    fn check(&self) -> Result<(), DecodeError> {
        self.created_at_s.required(RECORD, "created_at_s")?;
        let many = matches!(self.parents, Parents::Many(_));
        let least = match (many, self.line.is_some(), self.has_message) {
            (false, false, false) => 0,
            (many, named, _) => 2 + u64::from(many) * 7 + u64::from(named),
        };
        if self.payload.len() < least {
            let problem = Problem::Value {
                found: self.payload.len(),
                allowed: "lengths its parts can have",
            };
            return Err(DecodeError::new(RECORD, "payload_len", "F-2.16", problem));
        }
        if least == 0 && !self.payload.is_empty() {
            let why = "a payload without message, Line name or parents";
            return Err(DecodeError::because(RECORD, "payload_len", "F-2.16", why));
        }
        Ok(())
    }
}

fn read_payload_range(record: &SnapshotRecord) -> Result<(PayloadRange, Tolerated), DecodeError> {
    let (offset, len) = (record.payload_offset.get(), record.payload_len.get());
    let mut tolerated = Tolerated::NONE;
    if len == 0 {
        if offset != PayloadRange::EMPTY.offset() {
            tolerated.add(ToleranceId::SnapshotEmptyPayloadOffset);
        }
        return Ok((PayloadRange::EMPTY, tolerated));
    }
    Ok((
        PayloadRange::read(RECORD, "payload_offset", "F-2.16", offset, len.into())?,
        tolerated,
    ))
}

fn read_kind(meta: u8) -> Result<SnapshotKind, DecodeError> {
    match meta & KIND {
        0 => Ok(SnapshotKind::Line),
        1 => Ok(SnapshotKind::Stash),
        kind => {
            let problem = Problem::Value {
                found: kind.into(),
                allowed: "kinds 0 and 1",
            };
            Err(DecodeError::new(RECORD, "snapshot_meta", "F-2.16", problem))
        }
    }
}

fn read_id(hash48: u64) -> Result<SnapshotId, DecodeError> {
    SnapshotId::new(hash48).ok_or_else(|| {
        let problem = Problem::Value {
            found: hash48,
            allowed: "48 bits",
        };
        DecodeError::new(RECORD, "snapshot_hash48", "F-2.16", problem)
    })
}

fn read_parents(record: &SnapshotRecord) -> Result<Parents, DecodeError> {
    let refuse = |why| {
        Err(DecodeError::because(
            RECORD,
            "parent_snapshot_index_plus1",
            "F-2.16",
            why,
        ))
    };
    let first = SnapshotIndex::from_plus1(record.parent_snapshot_index_plus1.get());
    let more = record.snapshot_meta & HAS_MORE_PARENTS != 0;
    match (first, more, record.history_flags & BOUNDARY != 0) {
        (None, false, false) => Ok(Parents::None),
        (None, false, true) => Ok(Parents::Boundary),
        (Some(first), false, false) => Ok(Parents::One(first)),
        (Some(first), true, false) => Ok(Parents::Many(first)),
        (None, true, _) => refuse("further parents without a first"),
        (Some(_), _, true) => refuse("a history boundary has no parent"),
    }
}

#[cfg(test)]
mod tests;
