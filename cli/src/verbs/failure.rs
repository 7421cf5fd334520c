//! How a verb ends: fine, with findings, or not at all.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// How a verb that could do its work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is fine: exit code 0.
    Fine,
    /// The work is done and there are findings: exit code 1.
    Findings,
}

impl Verdict {
    /// `Findings` where there is at least one.
    pub fn of(findings: bool) -> Self {
        if findings { Self::Findings } else { Self::Fine }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Fine => Self::SUCCESS,
            Verdict::Findings => Self::from(1),
        }
    }
}

/// Why a verb could not do its work: exit code 2.
#[derive(Debug)]
pub enum Failure {
    /// The engine's answer.
    Engine(graven::Error),
    /// The engine's answer about a record, which the caller knows by its identity and the engine by its index.
    About {
        /// The identity.
        id: String,
        /// The answer.
        error: graven::Error,
    },
    /// The request makes no sense.
    Usage(String),
    /// What was named does not exist.
    NotFound(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// A git history could not be read or written.
    History(String),
}

impl Failure {
    /// A request that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// `what` does not exist.
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound(what.into())
    }

    /// The engine's answer, where it is one.
    pub fn engine(&self) -> Option<&graven::Error> {
        match self {
            Self::Engine(error) | Self::About { error, .. } => Some(error),
            _ => None,
        }
    }

    /// What turns an answer about the record `id` into a failure that names it.
    pub fn about(id: &str) -> impl FnOnce(graven::Error) -> Self {
        move |error| Self::About {
            id: id.to_owned(),
            error,
        }
    }

    /// Whether the reader of standard output went away, which is no failure of ours.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::About { id, error } => write!(f, "{id}: {error}"),
            Self::Usage(message) | Self::History(message) => f.write_str(message),
            Self::NotFound(what) => write!(f, "{what} does not exist"),
            Self::Output(error) => write!(f, "cannot write the answer: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<graven::Error> for Failure {
    fn from(error: graven::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<graven::RecordError> for Failure {
    fn from(error: graven::RecordError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<graven::domain::Error> for Failure {
    fn from(error: graven::domain::Error) -> Self {
        Self::Engine(error.into())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
