//! The one error of the domain floor.

use std::io;

use crate::format::DecodeError;
use crate::store;

/// What a domain operation answers when it cannot do what it was asked.
///
/// Rule ids stand in `rule` where a rule decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the floor below.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A rule forbids it; nothing was changed.
    #[error("{message} [{rule}]")]
    Refused {
        /// The rule that forbids it.
        rule: &'static str,
        /// What was asked and why it is forbidden.
        message: String,
    },
    /// What was named does not exist, or is a tombstone.
    #[error("{what} does not exist")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// It does not fit with what is stored now; the caller may look again and decide anew.
    #[error("{message} [{rule}]")]
    Conflict {
        /// The rule that makes it a conflict.
        rule: &'static str,
        /// What disagrees.
        message: String,
    },
    /// Stored bytes break a rule.
    #[error("{file}{}: {message} [{rule}]", record_text(*.record))]
    Corrupt {
        /// The file.
        file: &'static str,
        /// The record's index, where one record is meant.
        record: Option<u32>,
        /// The rule that the bytes break.
        rule: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A bound of the format or of this version is reached.
    #[error("{what}: the limit of {limit} is reached")]
    Exhausted {
        /// What is bounded.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// A file outside the store (a worktree's file, a caller's stream) could not be read or written.
    #[error("{what}: {source}")]
    Outside {
        /// The file or stream.
        what: String,
        /// What the operating system said.
        source: io::Error,
    },
}

/// The domain floor's results.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A refusal by `rule`.
    #[must_use]
    pub fn refused(rule: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            rule,
            message: message.into(),
        }
    }

    /// A value that the format does not let a writer write.
    pub(crate) fn unwritable(fault: DecodeError) -> Self {
        Self::refused(fault.rule, format!("{}: {}", fault.field, fault.problem))
    }

    /// `what` does not exist.
    #[must_use]
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into() }
    }

    /// A conflict under `rule`.
    #[must_use]
    pub fn conflict(rule: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict {
            rule,
            message: message.into(),
        }
    }

    /// Stored bytes of `file` break `rule`.
    #[must_use]
    pub fn corrupt(file: &'static str, record: Option<u32>, rule: &'static str, message: impl Into<String>) -> Self {
        Self::Corrupt {
            file,
            record,
            rule,
            message: message.into(),
        }
    }

    /// A file or stream outside the store failed.
    #[must_use]
    pub fn outside(what: impl Into<String>, source: io::Error) -> Self {
        Self::Outside {
            what: what.into(),
            source,
        }
    }
}

fn record_text(record: Option<u32>) -> String {
    record.map_or_else(String::new, |index| format!(" record {index}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corruption_names_file_record_and_rule() {
        let error = Error::corrupt("object.bin", Some(7), "F-0.3", "kind 9");
        assert_eq!(error.to_string(), "object.bin record 7: kind 9 [F-0.3]");
        let whole_file = Error::corrupt("object.bin", None, "F-0.3", "no header");
        assert_eq!(whole_file.to_string(), "object.bin: no header [F-0.3]");
    }

    #[test]
    fn a_refusal_ends_with_its_rule() {
        assert_eq!(
            Error::refused("W-TAG-03", "an empty name").to_string(),
            "an empty name [W-TAG-03]"
        );
    }
}
