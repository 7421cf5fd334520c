//! The one error of this floor.

use crate::{disk, domain, store};

/// The result of this floor.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why work over a whole store could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of a floor below.
    #[error(transparent)]
    Domain(#[from] domain::Error),
    /// What was named does not exist.
    #[error("{what} does not exist")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// A rule forbids it; nothing was changed.
    #[error("{message} ({rule})")]
    Refused {
        /// The rule.
        rule: &'static str,
        /// What was asked and why it is forbidden.
        message: String,
    },
    /// The caller asked for something that the interface forbids.
    #[error("{0}")]
    Usage(String),
    /// The caller's progress callback asked to stop.
    #[error("stopped by the caller")]
    Stopped,
}

impl From<disk::Error> for Error {
    fn from(error: disk::Error) -> Self {
        store::Error::from(error).into()
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Domain(error.into())
    }
}
