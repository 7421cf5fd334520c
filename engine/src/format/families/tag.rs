//! Tags: the raw record, its typed value, its payload, and the rules that bind them (W-TAG, F-2.6).

use crate::format::error::{DecodeError, Problem};
use crate::format::name::{TagName, utf8};
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::reference::SnapshotIndex;
use crate::format::time::UnixSeconds;
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct TagRecord: 24 bytes;
    pub static TAG: "tag", payload "tag_payload.bin";
    meaning "One Tag: a name that stays on one Snapshot.";
    rules "W-TAG-01" "F-2.6";
    zero_record refused "`payload_len` below 3 (G06 assigned by us)";
    fields {
        tag_meta: u8, "", "State bits.", ["W-TAG-13", "F-2.6"], bits {
            [0] annotated "Has a message, which may be empty (G05 assigned by us).",
            [1..=6] reserved "0 (G05 assigned by us).",
            [7] tombstone "Deleted (G05 assigned by us)."
        };
        reserved0: u8, "", "0.", ["F-1"];
        payload_len: u16, "bytes", "Length of name and message; at least 3.", ["F-2.6"];
        payload_offset: u64, "bytes", "Where they stand.", ["F-2.6"];
        snapshot_index: u32, "index", "The Snapshot it names.", ["W-TAG-04"];
        created_at_s: u64, "seconds", "When it was made; never 0.", ["F-1"];
    }
}

const RECORD: &str = "TagRecord";
const PAYLOAD: &str = "TagPayload";
const ANNOTATED: u8 = 1;
const TOMBSTONE: u8 = 1 << 7;
const NAME_LEN_SIZE: usize = 2;
/// A payload has at least the name's length and one byte of name.
const MIN_PAYLOAD_LEN: u64 = 3;

/// A Tag. Name and message stand in the payload: [`TagPayload`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Deleted; the name may come back on the same record (W-TAG-12).
    pub tombstoned: bool,
    /// Whether it has a message.
    pub annotated: bool,
    /// Where name and message stand in `tag_payload.bin`; 3 to 65535 bytes.
    pub payload: PayloadRange,
    /// The Snapshot it names.
    pub snapshot: SnapshotIndex,
    /// When it was made; never 0.
    pub created_at_s: UnixSeconds,
}

impl Tag {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<TagRecord, DecodeError> {
        raw(&TAG, bytes)
    }

    /// The typed reading. Nothing in a Tag's record is tolerated; its name may be (see `TOLERANCES`).
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        let meta = record.tag_meta;
        DecodeError::reserved(
            RECORD,
            "tag_meta",
            "W-TAG-13",
            meta.into(),
            (ANNOTATED | TOMBSTONE).into(),
        )?;
        DecodeError::reserved(RECORD, "reserved0", "F-1", record.reserved0.into(), 0)?;
        let (offset, len) = (record.payload_offset.get(), record.payload_len.get());
        let tag = Self {
            tombstoned: meta & TOMBSTONE != 0,
            annotated: meta & ANNOTATED != 0,
            payload: PayloadRange::read(RECORD, "payload_offset", "F-2.6", offset, len.into())?,
            snapshot: SnapshotIndex::direct(record.snapshot_index.get(), RECORD, "snapshot_index")?,
            created_at_s: UnixSeconds(record.created_at_s.get()),
        };
        tag.check()?;
        Ok(Reading {
            value: tag,
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
    /// The rule that the value breaks: `created_at_s` 0, a payload of fewer than 3 or more than 65535 bytes.
    pub fn encode(&self) -> Result<[u8; 24], DecodeError> {
        self.check()?;
        let record = TagRecord {
            tag_meta: (u8::from(self.annotated) * ANNOTATED) | (u8::from(self.tombstoned) * TOMBSTONE),
            reserved0: 0,
            payload_len: self.payload.len_u16(RECORD, "payload_len", "F-2.6")?.into(),
            payload_offset: self.payload.offset().into(),
            snapshot_index: self.snapshot.get().into(),
            created_at_s: self.created_at_s.0.into(),
        };
        Ok(zerocopy::transmute!(record))
    }

    fn check(&self) -> Result<(), DecodeError> {
        if self.payload.len() < MIN_PAYLOAD_LEN {
            let problem = Problem::Value {
                found: self.payload.len(),
                allowed: "3 to 65535",
            };
            return Err(DecodeError::new(RECORD, "payload_len", "F-2.6", problem));
        }
        self.created_at_s.required(RECORD, "created_at_s")
    }
}

/// A Tag's payload: u16 `name_len`, name, message to the end (G06 assigned by us).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPayload<'a> {
    /// The Tag's name.
    pub name: TagName<'a>,
    /// Its message, which may be empty; `None` for a Tag that is not annotated.
    pub message: Option<&'a str>,
}

impl<'a> TagPayload<'a> {
    /// The typed reading of the bytes that `tag.payload` names.
    ///
    /// # Errors
    /// The rule that the payload breaks.
    pub fn decode(tag: &Tag, bytes: &'a [u8]) -> Result<Reading<Self>, DecodeError> {
        if bytes.len() as u64 != tag.payload.len() {
            let problem = Problem::Length {
                expected: tag.payload.len(),
                found: bytes.len() as u64,
            };
            return Err(DecodeError::new(PAYLOAD, "payload", "F-2.6", problem));
        }
        let short = DecodeError::because(PAYLOAD, "name_len", "W-TAG-13", "the name ends after the payload");
        let (name_len, rest) = bytes.split_first_chunk::<NAME_LEN_SIZE>().ok_or(short)?;
        let (name, message) = rest
            .split_at_checked(u16::from_le_bytes(*name_len).into())
            .ok_or(short)?;
        let Reading { value: name, tolerated } = TagName::read(name)?;
        let message = match tag.annotated {
            true => Some(utf8(PAYLOAD, "message", "F-2.6", message)?),
            false if message.is_empty() => None,
            false => {
                let why = "a Tag that is not annotated has message bytes";
                return Err(DecodeError::because(PAYLOAD, "message", "W-TAG-13", why));
            }
        };
        Ok(Reading {
            value: Self { name, message },
            tolerated,
        })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the payload breaks.
    pub fn decode_native(tag: &Tag, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::decode(tag, bytes)?.native(PAYLOAD)
    }

    /// The payload's bytes.
    ///
    /// # Errors
    /// `F-2.6` where name and message are longer than a payload may be ([`max_message_len`](Self::max_message_len)).
    pub fn encode(&self) -> Result<Vec<u8>, DecodeError> {
        let (name, message) = (self.name.as_str().as_bytes(), self.message.unwrap_or_default());
        let len = NAME_LEN_SIZE + name.len() + message.len();
        let too_long = Problem::TooLong {
            limit: u16::MAX.into(),
            found: len as u64,
        };
        let too_long = DecodeError::new(PAYLOAD, "payload", "F-2.6", too_long);
        let name_len = u16::try_from(name.len()).map_err(|_| too_long)?;
        u16::try_from(len).map_err(|_| too_long)?;
        let mut bytes = Vec::with_capacity(len);
        bytes.extend(name_len.to_le_bytes());
        bytes.extend(name);
        bytes.extend(message.as_bytes());
        Ok(bytes)
    }

    /// The longest message beside that name, in bytes.
    pub fn max_message_len(name: TagName<'_>) -> usize {
        (usize::from(u16::MAX) - NAME_LEN_SIZE).saturating_sub(name.as_str().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tolerance::ToleranceId;

    fn tag(len: u64) -> Tag {
        Tag {
            tombstoned: false,
            annotated: true,
            payload: PayloadRange::new(9, len).unwrap(),
            snapshot: SnapshotIndex::new(0).unwrap(),
            created_at_s: UnixSeconds(1),
        }
    }

    fn changed(change: impl FnOnce(&mut TagRecord)) -> Result<Reading<Tag>, DecodeError> {
        let mut record = Tag::raw(&tag(3).encode().unwrap()).unwrap();
        change(&mut record);
        let bytes: [u8; 24] = zerocopy::transmute!(record);
        Tag::decode(&bytes)
    }

    #[test]
    fn w_tag_01_a_tag_is_exactly_24_bytes_and_reads_back() {
        for (tombstoned, annotated) in [(false, false), (false, true), (true, false), (true, true)] {
            let value = Tag {
                tombstoned,
                annotated,
                ..tag(3)
            };
            assert_eq!(Tag::decode_native(&value.encode().unwrap()), Ok(value));
        }
        assert_eq!(Tag::decode(&[0; 23]).map_err(|e| e.rule), Err("F-1"));
    }

    #[test]
    fn w_tag_13_g05_assigned_by_us_bits_1_to_6_are_reserved() {
        for bit in 1..7 {
            assert_eq!(changed(|r| r.tag_meta = 1 << bit).map_err(|e| e.rule), Err("W-TAG-13"));
        }
        assert!(changed(|r| r.tag_meta = 0x80).unwrap().value.tombstoned);
        assert_eq!(changed(|r| r.reserved0 = 1).map_err(|e| e.field), Err("reserved0"));
    }

    #[test]
    fn f_1_f_2_6_a_tag_has_a_time_a_payload_and_a_possible_snapshot() {
        assert_eq!(changed(|r| r.created_at_s = 0.into()).map_err(|e| e.rule), Err("F-1"));
        assert_eq!(changed(|r| r.payload_len = 2.into()).map_err(|e| e.rule), Err("F-2.6"));
        assert_eq!(
            changed(|r| r.payload_offset = 0.into()).map_err(|e| e.rule),
            Err("F-2.6")
        );
        assert_eq!(
            changed(|r| r.snapshot_index = u32::MAX.into()).map_err(|e| e.rule),
            Err("F-1")
        );
    }

    #[test]
    fn w_tag_13_g06_assigned_by_us_a_payload_is_name_len_name_message() {
        let payload = TagPayload {
            name: TagName::new("v1").unwrap(),
            message: Some("first"),
        };
        let bytes = payload.encode().unwrap();
        assert_eq!(bytes, b"\x02\x00v1first");
        assert_eq!(TagPayload::decode_native(&tag(9), &bytes), Ok(payload));
    }

    #[test]
    fn g05_assigned_by_us_a_message_may_be_empty_and_stands_only_in_annotated_tags() {
        let empty = TagPayload::decode_native(&tag(4), b"\x02\x00v1").unwrap();
        assert_eq!(empty.message, Some(""));
        let plain = Tag {
            annotated: false,
            ..tag(4)
        };
        assert_eq!(TagPayload::decode_native(&plain, b"\x02\x00v1").unwrap().message, None);
        let plain = Tag {
            annotated: false,
            ..tag(5)
        };
        assert_eq!(
            TagPayload::decode(&plain, b"\x02\x00v1x").map_err(|e| e.field),
            Err("message")
        );
    }

    #[test]
    fn g06_assigned_by_us_a_payload_that_ends_early_or_late_is_refused() {
        for bytes in [&b"\x03\x00v1"[..], b"\xff\xffv1"] {
            assert_eq!(TagPayload::decode(&tag(4), bytes).map_err(|e| e.field), Err("name_len"));
        }
        assert_eq!(
            TagPayload::decode(&tag(4), b"\x01\x00v").map_err(|e| e.field),
            Err("payload")
        );
        assert_eq!(
            TagPayload::decode(&tag(4), b"\x00\x00v1").map_err(|e| e.rule),
            Err("W-TAG-03")
        );
        assert_eq!(
            TagPayload::decode(&tag(4), b"\x01\x00v\xff").map_err(|e| e.rule),
            Err("F-2.6")
        );
    }

    #[test]
    fn w_tag_03_a_name_with_white_space_is_read_and_not_written() {
        let reading = TagPayload::decode(&tag(4), b"\x02\x00v ").unwrap();
        assert_eq!(reading.value.name.as_str(), "v ");
        assert!(reading.tolerated.contains(ToleranceId::TagNameUntrimmed));
        assert_eq!(
            TagPayload::decode_native(&tag(4), b"\x02\x00v ").map_err(|e| e.rule),
            Err("W-TAG-03")
        );
    }

    #[test]
    fn f_2_6_the_longest_message_fits_and_one_byte_more_does_not() {
        let name = TagName::new("v1").unwrap();
        let longest = "m".repeat(TagPayload::max_message_len(name));
        let bytes = TagPayload {
            name,
            message: Some(&longest),
        }
        .encode()
        .unwrap();
        assert_eq!(bytes.len(), 65535);
        let longer = "m".repeat(longest.len() + 1);
        assert_eq!(
            TagPayload {
                name,
                message: Some(&longer)
            }
            .encode()
            .map_err(|e| e.rule),
            Err("F-2.6")
        );
    }
}
