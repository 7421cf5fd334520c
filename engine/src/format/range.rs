//! Where a record's payload stands in its payload file.

use super::HEADER_LEN;
use super::error::{DecodeError, Problem};

/// A range of a payload file: an absolute offset, never below the file's header, and a length, both in bytes (F-1).
///
/// Its end never overflows. Whether the file is long enough is for the reader to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadRange {
    offset: u64,
    len: u64,
}

impl PayloadRange {
    /// The range of a record without payload: offset 4, length 0.
    pub const EMPTY: Self = Self {
        offset: HEADER_LEN,
        len: 0,
    };

    /// The range of `len` bytes from `offset` on; `None` below the header or where its end overflows.
    pub const fn new(offset: u64, len: u64) -> Option<Self> {
        if offset < HEADER_LEN || offset.checked_add(len).is_none() {
            None
        } else {
            Some(Self { offset, len })
        }
    }

    /// Where it starts.
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// How long it is.
    pub const fn len(self) -> u64 {
        self.len
    }

    /// Whether it has no byte.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The offset after its last byte.
    pub const fn end(self) -> u64 {
        self.offset + self.len
    }

    /// The range a record names.
    pub(super) fn read(
        record: &'static str,
        field: &'static str,
        rule: &'static str,
        offset: u64,
        len: u64,
    ) -> Result<Self, DecodeError> {
        Self::new(offset, len).ok_or_else(|| {
            let problem = Problem::Value {
                found: offset,
                allowed: "offsets from 4 on whose end does not overflow",
            };
            DecodeError::new(record, field, rule, problem)
        })
    }

    /// The length in a field of 16 bits.
    pub(super) fn len_u16(
        self,
        record: &'static str,
        field: &'static str,
        rule: &'static str,
    ) -> Result<u16, DecodeError> {
        u16::try_from(self.len).map_err(|_| {
            DecodeError::new(
                record,
                field,
                rule,
                Problem::TooLong {
                    limit: u64::from(u16::MAX),
                    found: self.len,
                },
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f_1_a_payload_offset_is_absolute_and_never_below_the_header() {
        assert_eq!(PayloadRange::new(3, 1), None);
        assert_eq!(PayloadRange::new(4, 0), Some(PayloadRange::EMPTY));
    }

    #[test]
    fn f_1_the_end_of_a_range_never_wraps() {
        assert_eq!(PayloadRange::new(u64::MAX, 1), None);
        assert_eq!(
            PayloadRange::new(u64::MAX - 1, 1).map(PayloadRange::end),
            Some(u64::MAX)
        );
    }
}
