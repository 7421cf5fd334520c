//! What a family's declaration is: the one value that files, documentation, dumps and tests are made from.

/// The declaration of one family of fixed-size records.
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
}

/// One field of a record.
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
    /// The family whose records it finds.
    pub family: &'static str,
    /// The row's meaning and the places that fix it.
    pub meaning: &'static str,
}
