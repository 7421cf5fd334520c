//! What a family's declaration is: the one value that files, documentation, dumps and tests are made from.

/// The declaration of one family of fixed-size records. Made by [`record!`](crate::format::record!), never by hand.
#[derive(Debug)]
pub struct Layout {
    /// The family's name: the record file's name without `.bin`.
    pub family: &'static str,
    /// The record type's name.
    pub record: &'static str,
    /// The record file's name.
    pub file: &'static str,
    /// The payload file's name, where records of this family point at payload.
    pub payload_file: Option<&'static str>,
    /// The size of one record in bytes.
    pub record_size: usize,
    /// The fields in their order; offsets and sizes are contiguous and add up to `record_size`.
    pub fields: &'static [Field],
    /// The rules, decisions or gaps that fix this layout.
    pub rules: &'static [&'static str],
    /// What one record is, in a sentence.
    pub meaning: &'static str,
    /// Whether a record of zeros is refused.
    pub zero_record: ZeroRecord,
}

/// What a record whose bytes are all zero means to a family (AC16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroRecord {
    /// The family's rules exclude it; the text names the field and the rule.
    Refused(&'static str),
    /// It is a legal record; the text says which.
    Legal(&'static str),
}

/// One field of a record, or one column of an index row.
#[derive(Debug)]
pub struct Field {
    /// The field's name.
    pub name: &'static str,
    /// Its offset in the record, in bytes.
    pub offset: usize,
    /// Its type.
    pub kind: FieldType,
    /// Its unit: `""`, `"bytes"`, `"seconds"`, `"index"`, `"index + 1"`, …
    pub unit: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// The rules that fix it.
    pub rules: &'static [&'static str],
    /// Its named bits, where it is a set of bits.
    pub bits: &'static [Bit],
}

/// The type of a field. Integers are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// One byte.
    U8,
    /// Two bytes.
    U16,
    /// Four bytes.
    U32,
    /// Eight bytes.
    U64,
    /// That many raw bytes.
    Bytes(usize),
}

/// The value of a field as it stands in a record, unjudged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldValue<'r> {
    /// An integer of any width.
    Integer(u64),
    /// Raw bytes.
    Bytes(&'r [u8]),
}

/// One named bit, or range of bits, of a field.
#[derive(Debug)]
pub struct Bit {
    /// The lowest bit.
    pub low: u8,
    /// The highest bit; equal to `low` for a single bit.
    pub high: u8,
    /// Its name.
    pub name: &'static str,
    /// What it means, or its values.
    pub meaning: &'static str,
}

/// The declaration of a rebuildable index file.
#[derive(Debug)]
pub struct IndexLayout {
    /// The file's name, ending in `.idx`.
    pub file: &'static str,
    /// The size of one row in bytes.
    pub row_size: usize,
    /// The length of the key at the row's start, in bytes; the rest of the row is the value.
    pub key_size: usize,
    /// The columns of a row: the key's, then the value. Rows ascend by them in this order, integers as integers.
    pub columns: &'static [Field],
    /// The family whose records it finds.
    pub family: &'static str,
    /// Which records have a row, and the places that fix it.
    pub meaning: &'static str,
}

impl Layout {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Field {
    /// The field's value in a record or row; `None` if `record` is too short to hold it.
    pub fn read<'r>(&self, record: &'r [u8]) -> Option<FieldValue<'r>> {
        let end = self.offset.checked_add(self.kind.size())?;
        let bytes = record.get(self.offset..end)?;
        Some(match self.kind {
            FieldType::Bytes(_) => FieldValue::Bytes(bytes),
            _ => FieldValue::Integer(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))),
        })
    }
}

impl FieldType {
    /// The type's size in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
            Self::U64 => 8,
            Self::Bytes(n) => n,
        }
    }
}

impl Bit {
    /// The value of this bit or range of bits in a field's value, shifted down to 0.
    pub const fn of(&self, value: u64) -> u64 {
        let width = self.high.saturating_sub(self.low) as u32 + 1;
        let shifted = match value.checked_shr(self.low as u32) {
            Some(shifted) => shifted,
            None => 0,
        };
        match 1_u64.checked_shl(width) {
            Some(limit) => shifted & (limit - 1),
            None => shifted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_reads_little_endian_and_never_past_the_record() {
        let field = Field {
            name: "x",
            offset: 2,
            kind: FieldType::U32,
            unit: "",
            meaning: "",
            rules: &[],
            bits: &[],
        };
        assert_eq!(field.read(&[0, 0, 1, 2, 3, 4]), Some(FieldValue::Integer(0x0403_0201)));
        assert_eq!(field.read(&[0, 0, 1, 2, 3]), None);
    }

    #[test]
    fn a_bit_range_is_cut_out_and_shifted_down() {
        let bit = Bit {
            low: 5,
            high: 6,
            name: "mode",
            meaning: "",
        };
        assert_eq!(bit.of(0b0100_0000), 2);
        assert_eq!(bit.of(0b1001_1111), 0);
        let all = Bit {
            low: 0,
            high: 63,
            name: "all",
            meaning: "",
        };
        assert_eq!(all.of(u64::MAX), u64::MAX);
    }
}
