//! Objects: the raw record of contents and directories, its typed value and the rules that bind them (F-0.3).

use crate::format::error::{DecodeError, Problem};
use crate::format::hash::{ObjectHash, ObjectKind};
use crate::format::range::PayloadRange;
use crate::format::record;
use crate::format::record::raw;
use crate::format::tolerance::{Reading, Tolerated};

record! {
    pub struct ObjectRecord: 52 bytes;
    pub static OBJECT: "object", payload "object_payload.bin";
    meaning "One object: the content of a file or the entries of a directory, known by its hash.";
    rules "F-0.3";
    zero_record refused "`payload_offset` below 4 (F-0.3)";
    fields {
        object_meta: u8, "", "State bits.", ["F-0.3"], bits {
            [0..=6] reserved "0.",
            [7] tombstone "Deleted."
        };
        object_kind: u8, "", "0 blob, 1 directory.", ["F-0.3"];
        reserved0: u16, "", "0.", ["F-0.3"];
        hash: [u8; 32], "", "BLAKE3-256 of the payload in derive-key mode, the context by kind.", ["F-0.3"];
        payload_offset: u64, "bytes", "Where the payload stands; 4 where it is empty.", ["F-0.3"];
        payload_len: u64, "bytes", "Length of the payload.", ["F-0.3"];
    }
}

const RECORD: &str = "ObjectRecord";
const TOMBSTONE: u8 = 1 << 7;

/// An object. A directory's payload is read with [`entries`](crate::format::directory::entries).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Deleted.
    pub tombstoned: bool,
    /// What it holds.
    pub kind: ObjectKind,
    /// The hash of its payload.
    pub hash: ObjectHash,
    /// Where its payload stands in `object_payload.bin`.
    pub payload: PayloadRange,
}

impl Object {
    /// The raw reading.
    ///
    /// # Errors
    /// A wrong length (F-1).
    pub fn raw(bytes: &[u8]) -> Result<ObjectRecord, DecodeError> {
        raw(&OBJECT, bytes)
    }

    /// The typed reading. Nothing in an object's record is tolerated.
    ///
    /// # Errors
    /// The rule that the record breaks.
    pub fn decode(bytes: &[u8]) -> Result<Reading<Self>, DecodeError> {
        let record = Self::raw(bytes)?;
        DecodeError::reserved(
            RECORD,
            "object_meta",
            "F-0.3",
            record.object_meta.into(),
            TOMBSTONE.into(),
        )?;
        DecodeError::reserved(RECORD, "reserved0", "F-0.3", record.reserved0.get().into(), 0)?;
        let kind = match record.object_kind {
            0 => ObjectKind::Blob,
            1 => ObjectKind::Directory,
            kind => {
                let problem = Problem::Value {
                    found: kind.into(),
                    allowed: "kinds 0 and 1",
                };
                return Err(DecodeError::new(RECORD, "object_kind", "F-0.3", problem));
            }
        };
        let (offset, len) = (record.payload_offset.get(), record.payload_len.get());
        let payload = PayloadRange::read(RECORD, "payload_offset", "F-0.3", offset, len)?;
        if payload.is_empty() && payload != PayloadRange::EMPTY {
            let problem = Problem::Value {
                found: offset,
                allowed: "4 for an empty object",
            };
            return Err(DecodeError::new(RECORD, "payload_offset", "F-0.3", problem));
        }
        let tombstoned = record.object_meta & TOMBSTONE != 0;
        let value = Self {
            tombstoned,
            kind,
            hash: ObjectHash(record.hash),
            payload,
        };
        Ok(Reading {
            value,
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

    /// The record's bytes. Every object has them: an empty one gets offset 4 whatever its range says.
    pub fn encode(&self) -> [u8; 52] {
        let payload = if self.payload.is_empty() {
            PayloadRange::EMPTY
        } else {
            self.payload
        };
        let record = ObjectRecord {
            object_meta: u8::from(self.tombstoned) * TOMBSTONE,
            object_kind: match self.kind {
                ObjectKind::Blob => 0,
                ObjectKind::Directory => 1,
            },
            reserved0: 0.into(),
            hash: self.hash.0,
            payload_offset: payload.offset().into(),
            payload_len: payload.len().into(),
        };
        zerocopy::transmute!(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        Object {
            tombstoned: false,
            kind: ObjectKind::Blob,
            hash: ObjectHash([3; 32]),
            payload: PayloadRange::new(40, 1 << 40).unwrap(),
        }
    }

    fn changed(change: impl FnOnce(&mut ObjectRecord)) -> Result<Reading<Object>, DecodeError> {
        let mut record = Object::raw(&object().encode()).unwrap();
        change(&mut record);
        let bytes: [u8; 52] = zerocopy::transmute!(record);
        Object::decode(&bytes)
    }

    #[test]
    fn f_0_3_an_object_is_exactly_52_bytes_and_reads_back() {
        for (tombstoned, kind) in [(true, ObjectKind::Blob), (false, ObjectKind::Directory)] {
            let value = Object {
                tombstoned,
                kind,
                ..object()
            };
            assert_eq!(Object::decode_native(&value.encode()), Ok(value));
        }
        assert_eq!(Object::decode(&[0; 53]).map_err(|e| e.rule), Err("F-1"));
    }

    #[test]
    fn f_0_3_an_empty_object_stands_at_offset_4_and_nowhere_else() {
        let empty = Object {
            payload: PayloadRange::new(99, 0).unwrap(),
            ..object()
        };
        let read = Object::decode_native(&empty.encode()).unwrap();
        assert_eq!(read.payload, PayloadRange::EMPTY);
        let refused = changed(|r| {
            r.payload_offset = 99.into();
            r.payload_len = 0.into();
        });
        assert_eq!(refused.map_err(|e| e.rule), Err("F-0.3"));
    }

    #[test]
    fn f_0_3_reserved_bits_kinds_and_impossible_ranges_fail_closed() {
        for bit in 0..7 {
            assert_eq!(
                changed(|r| r.object_meta = 1 << bit).map_err(|e| e.field),
                Err("object_meta")
            );
        }
        assert_eq!(changed(|r| r.object_kind = 2).map_err(|e| e.field), Err("object_kind"));
        assert_eq!(
            changed(|r| r.reserved0 = 1.into()).map_err(|e| e.field),
            Err("reserved0")
        );
        assert_eq!(
            changed(|r| r.payload_offset = 3.into()).map_err(|e| e.field),
            Err("payload_offset")
        );
        assert_eq!(
            changed(|r| r.payload_len = u64::MAX.into()).map_err(|e| e.field),
            Err("payload_offset")
        );
    }
}
