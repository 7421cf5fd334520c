//! What can go wrong on the floor that keeps records.

use crate::disk::{self, Outcome};

/// The result of this floor.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this floor.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the floor below. For a write it means that the change did not happen.
    #[error(transparent)]
    Disk(#[from] disk::Error),
    /// A failure after the first byte of the commit stage: the change may be found whole, or not at all.
    #[error("{0}; whether the change happened is unknown until the store is reopened")]
    Unknown(Box<Error>),
    /// A record or payload is not what the format says.
    #[error("{file}{}: {message} ({rule})", record_text(*.record))]
    Corrupt {
        /// The file.
        file: String,
        /// The record, where it is about one.
        record: Option<u32>,
        /// The rule that it breaks.
        rule: &'static str,
        /// What is wrong.
        message: String,
    },
    /// There is no record of that index.
    #[error("{file}: there is no record {index}; it has {count}")]
    OutOfRange {
        /// The record file.
        file: String,
        /// The index asked for.
        index: u32,
        /// How many records there are.
        count: u32,
    },
    /// A limit is reached.
    #[error("{what} is exhausted: the limit is {limit}")]
    Exhausted {
        /// What ran out.
        what: &'static str,
        /// Its limit.
        limit: u64,
    },
    /// A time that a rule forbids.
    #[error("{message} ({rule})")]
    Refused {
        /// The rule.
        rule: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The caller asked for something that the interface forbids.
    #[error("{0}")]
    Usage(String),
}

fn record_text(record: Option<u32>) -> String {
    record.map(|index| format!(", record {index}")).unwrap_or_default()
}

impl Error {
    /// Whether the write that failed with this error may have happened.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Unknown(_) => Outcome::Unknown,
            _ => Outcome::NotHappened,
        }
    }

    /// Whether the cause is a sync that the operating system refused.
    pub(super) fn is_failed_sync(&self) -> bool {
        matches!(self, Self::Disk(disk::Error::Io { action: "sync", .. }))
    }
}
