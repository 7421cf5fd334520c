//! What can go wrong on the floor that owns directories, locks and durable installs.

use std::fmt;
use std::io;

/// Whether a failed write may have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The change did not happen and will not.
    NotHappened,
    /// The change may be found whole, or not at all, after the zone has been reopened.
    Unknown,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotHappened => "it did not happen",
            Self::Unknown => "whether it happened is unknown until the zone is reopened",
        })
    }
}

/// The result of this floor.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this floor. Every one names the path it is about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused a call.
    #[error("{path}: cannot {action}: {source}")]
    Io {
        /// The file or directory.
        path: String,
        /// What was asked: `open`, `read`, `write`, `sync`, …
        action: &'static str,
        /// The operating system's answer.
        source: io::Error,
    },
    /// Another handle or process holds the lock.
    #[error("{path}: the lock is held{}", holder_text(.holder.as_deref()))]
    Busy {
        /// The lock file.
        path: String,
        /// The last holder, where the lock file tells.
        holder: Option<String>,
    },
    /// A file is not what the format says.
    #[error("{path}: {message} ({rule})")]
    Corrupt {
        /// The file.
        path: String,
        /// The rule that it breaks.
        rule: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The file or directory is there but must not be used as it is.
    #[error("{path}: {message} ({rule})")]
    Refused {
        /// The file or directory.
        path: String,
        /// The rule that forbids it.
        rule: &'static str,
        /// Why.
        message: String,
    },
    /// A newer layout or format version than this crate knows.
    #[error("{path}: version {found} is newer than {known}, the newest this version of graven knows")]
    Unsupported {
        /// The file.
        path: String,
        /// The version found.
        found: u64,
        /// The newest version known.
        known: u64,
    },
    /// The zone's recovery store is unspent or missing: a handle that may write has to open it first.
    #[error("{path}: recovery is needed first: {message}")]
    RecoveryNeeded {
        /// The zone's recovery store.
        path: String,
        /// Why.
        message: String,
    },
    /// An earlier failure left this handle's zone in doubt; reopen it.
    #[error("{path}: this handle is out of use since an earlier failure, reopen the store: {cause}")]
    Poisoned {
        /// The zone's directory.
        path: String,
        /// The failure.
        cause: String,
    },
    /// The caller asked for something that the interface forbids.
    #[error("{path}: {message}")]
    Usage {
        /// The zone or directory.
        path: String,
        /// What is wrong with the request.
        message: &'static str,
    },
}

fn holder_text(holder: Option<&str>) -> String {
    holder.map(|holder| format!(" by {holder}")).unwrap_or_default()
}

impl Error {
    /// Wraps an operating-system error with the path and the action it came from.
    pub fn io(path: impl Into<String>, action: &'static str, source: io::Error) -> Self {
        Self::Io {
            path: path.into(),
            action,
            source,
        }
    }

    /// Whether the cause is that the file or directory does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the cause is a full disk or an exhausted quota.
    #[must_use]
    pub fn is_no_space(&self) -> bool {
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    }
}
