//! What a decoder answers for bytes that are no value: the record, the field, the rule and the problem, without allocation.

/// Why bytes are not a value of the format, or why a value may not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{record}.{field}: {problem} ({rule})")]
pub struct DecodeError {
    /// The record or payload type that was being read.
    pub record: &'static str,
    /// The field that is wrong.
    pub field: &'static str,
    /// The rule that refuses it.
    pub rule: &'static str,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A length is not the one the rule demands.
    #[error("{found} bytes where {expected} are needed")]
    Length {
        /// The length the rule demands, in bytes.
        expected: u64,
        /// The length that was found, in bytes.
        found: u64,
    },
    /// A length is above the greatest allowed.
    #[error("{found} where at most {limit} fit")]
    TooLong {
        /// The greatest length or count allowed.
        limit: u64,
        /// The one that was found.
        found: u64,
    },
    /// A value is not among the allowed ones.
    #[error("{found} found, {allowed} allowed")]
    Value {
        /// The value that was found.
        found: u64,
        /// The values the rule allows, in words.
        allowed: &'static str,
    },
    /// Reserved bits or bytes are not zero.
    #[error("reserved bits are set: {found:#x}")]
    Reserved {
        /// The field's value.
        found: u64,
    },
    /// The directory entry at that position is wrong.
    #[error("entry {entry}: {what}")]
    Entry {
        /// The entry's position in the directory, from 0.
        entry: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Because(&'static str),
}

impl DecodeError {
    pub(crate) const fn new(record: &'static str, field: &'static str, rule: &'static str, problem: Problem) -> Self {
        Self {
            record,
            field,
            rule,
            problem,
        }
    }

    pub(crate) const fn because(
        record: &'static str,
        field: &'static str,
        rule: &'static str,
        why: &'static str,
    ) -> Self {
        Self::new(record, field, rule, Problem::Because(why))
    }

    /// Bits that `allowed` does not have must be zero.
    pub(crate) fn reserved(
        record: &'static str,
        field: &'static str,
        rule: &'static str,
        value: u64,
        allowed: u64,
    ) -> Result<(), Self> {
        if value & !allowed == 0 {
            Ok(())
        } else {
            Err(Self::new(record, field, rule, Problem::Reserved { found: value }))
        }
    }
}
