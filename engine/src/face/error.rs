//! The one error of the public face.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use crate::disk::{self, Outcome};
use crate::{domain, store, whole};

/// The result of the public face.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong in an open store.
///
/// The text names the path and the record, and ends with the command that explains the rule.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    outcome: Outcome,
    message: String,
    /// The rule that makes it a conflict, where it is one.
    conflict: Option<&'static str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What kind of failure an [`Error`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A rule forbids what was asked; nothing was changed.
    Refused {
        /// The rule.
        rule: &'static str,
    },
    /// What was named does not exist, or is a tombstone.
    NotFound,
    /// What is stored is not what the caller expected; look again and decide anew.
    Conflict,
    /// Another handle or process holds the lock; the same call may succeed later.
    Busy,
    /// A bound of the format, of this version or of the options is reached.
    Exhausted {
        /// What is bounded.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// The disk or a quota is full.
    NoSpace,
    /// The operating system forbids it: permissions, or a file system that is mounted read-only.
    Permission,
    /// Another failure of the operating system.
    Io,
    /// Stored bytes break a rule.
    Corrupt {
        /// The file, with its path.
        file: String,
        /// The record's index in it, where one record is meant.
        record: Option<u32>,
        /// The rule that the bytes break.
        rule: &'static str,
    },
    /// The last writer died, or the recovery store is missing: a handle that may write has to open the root first.
    RecoveryNeeded,
    /// An earlier failure left this handle in doubt: open the store again.
    Poisoned,
    /// The format's version is later than this crate knows; nothing was touched.
    Unsupported {
        /// The version found.
        found: u64,
        /// The latest version known.
        known: u64,
    },
    /// The call is not one that the interface allows here.
    Usage,
    /// The caller's progress callback asked to stop; nothing was changed.
    Stopped,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            outcome: Outcome::NotHappened,
            message: message.into(),
            conflict: None,
            source: None,
        }))
    }

    /// A call that the interface does not allow.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    fn with(kind: ErrorKind, source: impl StdError + Send + Sync + 'static) -> Self {
        let mut error = Self::new(kind, source.to_string());
        error.0.source = Some(Box::new(source));
        error
    }

    /// The same error for another member of the same group; what stands behind it stays with the first.
    pub(super) fn replicate(&self) -> Self {
        Self(Box::new(Inner {
            kind: self.0.kind.clone(),
            outcome: self.0.outcome,
            message: self.0.message.clone(),
            conflict: self.0.conflict,
            source: None,
        }))
    }

    /// The same error with the root's directory before the file that it names, where it names a bare file.
    pub(super) fn in_root(mut self, directory: &str) -> Self {
        if let ErrorKind::Corrupt { file, .. } = &mut self.0.kind
            && !file.contains('/')
        {
            if self.0.message.starts_with(&**file) {
                self.0.message = format!("{directory}/{}", self.0.message);
            }
            *file = format!("{directory}/{file}");
        }
        self
    }

    pub(super) fn and_outcome(mut self, outcome: Outcome) -> Self {
        self.0.outcome = outcome;
        self
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Of a failed write: whether it may have happened. `NotHappened` for everything else.
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    /// Whether the same call may succeed later though nothing is repaired or changed: only [`ErrorKind::Busy`].
    pub fn is_retryable(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Busy)
    }

    /// Whether stored bytes are damaged. Failures of the operating system never are (AC26).
    pub fn is_corrupt(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Corrupt { .. })
    }

    /// The rule that decided, where one did.
    pub fn rule(&self) -> Option<&'static str> {
        match self.0.kind {
            ErrorKind::Refused { rule } | ErrorKind::Corrupt { rule, .. } => Some(rule),
            _ => self.0.conflict,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("outcome", &self.0.outcome)
            .field("message", &self.0.message)
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = &self.0.message;
        let Some(rule) = self.rule() else {
            return f.write_str(message);
        };
        // The floors below end with the bare rule; nobody has to read it twice.
        write!(f, "{} (graven explain {rule})", without_rule(message, rule))
    }
}

/// `message` without the rule in brackets that it ends with.
fn without_rule<'m>(message: &'m str, rule: &str) -> &'m str {
    let brackets = [("(", ")"), ("[", "]")];
    let bare = brackets.iter().find_map(|(open, close)| {
        let before = message.strip_suffix(close)?.strip_suffix(rule)?.strip_suffix(open)?;
        Some(before.trim_end())
    });
    bare.unwrap_or(message)
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        // The message already says what the direct cause says; what stands behind it is still of use.
        self.0.source.as_deref().and_then(StdError::source)
    }
}

/// The kind of an operating-system failure. It is never corruption, whatever the file was (AC26).
fn kind_of_io(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::NoSpace,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorKind::Permission,
        _ => ErrorKind::Io,
    }
}

fn kind_of_disk(error: &disk::Error) -> ErrorKind {
    match error {
        disk::Error::Io { source, .. } => kind_of_io(source),
        disk::Error::Busy { .. } => ErrorKind::Busy,
        disk::Error::Corrupt { path, rule, .. } => ErrorKind::Corrupt {
            file: path.clone(),
            record: None,
            rule,
        },
        disk::Error::Refused { rule, .. } => ErrorKind::Refused { rule },
        disk::Error::Unsupported { found, known, .. } => ErrorKind::Unsupported {
            found: *found,
            known: *known,
        },
        disk::Error::RecoveryNeeded { .. } => ErrorKind::RecoveryNeeded,
        disk::Error::Poisoned { .. } => ErrorKind::Poisoned,
        disk::Error::Usage { .. } => ErrorKind::Usage,
    }
}

fn kind_of_store(error: &store::Error) -> ErrorKind {
    match error {
        store::Error::Disk(error) => kind_of_disk(error),
        store::Error::Unknown(error) => kind_of_store(error),
        store::Error::Corrupt { file, record, rule, .. } => ErrorKind::Corrupt {
            file: file.clone(),
            record: *record,
            rule,
        },
        store::Error::OutOfRange { .. } => ErrorKind::NotFound,
        store::Error::Exhausted { what, limit } => ErrorKind::Exhausted { what, limit: *limit },
        store::Error::Refused { rule, .. } => ErrorKind::Refused { rule },
        store::Error::Usage(_) => ErrorKind::Usage,
    }
}

fn kind_of_domain(error: &domain::Error) -> ErrorKind {
    match error {
        domain::Error::Store(error) => kind_of_store(error),
        domain::Error::Refused { rule, .. } => ErrorKind::Refused { rule },
        domain::Error::NotFound { .. } => ErrorKind::NotFound,
        domain::Error::Conflict { .. } => ErrorKind::Conflict,
        domain::Error::Corrupt { file, record, rule, .. } => ErrorKind::Corrupt {
            file: (*file).to_owned(),
            record: *record,
            rule,
        },
        domain::Error::Exhausted { what, limit } => ErrorKind::Exhausted { what, limit: *limit },
        domain::Error::Outside { source, .. } => kind_of_io(source),
    }
}

impl From<disk::Error> for Error {
    fn from(error: disk::Error) -> Self {
        Self::with(kind_of_disk(&error), error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        let outcome = error.outcome();
        Self::with(kind_of_store(&error), error).and_outcome(outcome)
    }
}

impl From<domain::Error> for Error {
    fn from(error: domain::Error) -> Self {
        let outcome = match &error {
            domain::Error::Store(error) => error.outcome(),
            _ => Outcome::NotHappened,
        };
        let conflict = match error {
            domain::Error::Conflict { rule, .. } => Some(rule),
            _ => None,
        };
        let mut error = Self::with(kind_of_domain(&error), error).and_outcome(outcome);
        error.0.conflict = conflict;
        error
    }
}

impl From<whole::Error> for Error {
    fn from(error: whole::Error) -> Self {
        let kind = match error {
            whole::Error::Domain(error) => return error.into(),
            whole::Error::NotFound { .. } => ErrorKind::NotFound,
            whole::Error::Refused { rule, .. } => ErrorKind::Refused { rule },
            whole::Error::Usage(_) => ErrorKind::Usage,
            whole::Error::Stopped => ErrorKind::Stopped,
        };
        Self::with(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "F-2.4";

    fn text(error: impl Into<Error>) -> String {
        error.into().to_string()
    }

    #[test]
    fn an_error_of_a_rule_ends_with_the_command_that_explains_it_and_tells_it_once() {
        let end = "(graven explain F-2.4)";
        let refused = domain::Error::refused(RULE, "the name is taken");
        assert_eq!(text(refused), format!("the name is taken {end}"));
        let conflict = domain::Error::conflict(RULE, "the head moved");
        assert_eq!(text(conflict), format!("the head moved {end}"));
        let corrupt = domain::Error::corrupt("line.bin", Some(3), RULE, "bit 2");
        let corrupt = Error::from(corrupt).in_root("/store/workflow");
        assert_eq!(
            corrupt.to_string(),
            format!("/store/workflow/line.bin record 3: bit 2 {end}")
        );
        assert_eq!(corrupt.replicate().to_string(), corrupt.to_string());
        let on_disk = disk::Error::Refused {
            path: "/store".to_owned(),
            rule: RULE,
            message: "no".to_owned(),
        };
        assert_eq!(text(on_disk), format!("/store: no {end}"));
    }

    #[test]
    fn an_error_without_a_rule_ends_as_it_is() {
        let missing = domain::Error::NotFound {
            what: "the Line 7".to_owned(),
        };
        assert_eq!(text(missing), "the Line 7 does not exist");
        assert_eq!(Error::usage("not here (F-2.4)").to_string(), "not here (F-2.4)");
    }

    #[test]
    fn a_rule_that_the_message_tells_elsewhere_stays_there() {
        for message in ["a (F-2.4) b", "F-2.4", "(F-2.16)", ""] {
            assert_eq!(without_rule(message, RULE), message);
        }
        assert_eq!(without_rule("a (F-2.4)", RULE), "a");
        assert_eq!(without_rule("a [F-2.4]", RULE), "a");
    }
}
