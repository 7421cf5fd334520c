//! What `verify` finds: one sentence about one file or record, with the rule that it breaks.

use std::fmt;

use super::error::{Error, Result};
use crate::format::{Tolerance, ToleranceId};
use crate::{disk, domain, store};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong; worth knowing.
    Note,
    /// Stored bytes are legal, but not what a native writer leaves behind, or not authority.
    Warning,
    /// A rule is broken.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that `verify` found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// The file, relative to the store's directory.
    pub file: String,
    /// The record's index in the file, where one record is meant.
    pub record: Option<u32>,
    /// The rule that is broken.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// Whether `repair` may put it right.
    pub repairable: bool,
    /// The deviation that readers take as it is, where the finding is no more than that.
    pub tolerance: Option<ToleranceId>,
}

impl Finding {
    /// Whether it says that nothing is wrong.
    pub fn is_note(&self) -> bool {
        self.severity == Severity::Note
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.file)?;
        if let Some(record) = self.record {
            write!(f, " record {record}")?;
        }
        write!(f, ": {} ({})", self.message, self.rule)
    }
}

/// Where findings are gathered; knows the root that is being checked.
#[derive(Debug)]
pub(crate) struct Findings {
    root: String,
    found: Vec<Finding>,
}

impl Findings {
    /// Gathers findings about the root in directory `root` of the store.
    pub(crate) fn new(root: impl Into<String>) -> Self {
        Self {
            root: root.into(),
            found: Vec::new(),
        }
    }

    fn push(
        &mut self,
        severity: Severity,
        repairable: bool,
        file: &str,
        record: Option<u32>,
        rule: &'static str,
        message: impl Into<String>,
    ) {
        let file = if self.root.is_empty() {
            file.to_owned()
        } else {
            format!("{}/{file}", self.root)
        };
        self.found.push(Finding {
            severity,
            file,
            record,
            rule,
            message: message.into(),
            repairable,
            tolerance: None,
        });
    }

    /// A broken rule.
    pub(crate) fn error(&mut self, file: &str, record: Option<u32>, rule: &'static str, message: impl Into<String>) {
        self.push(Severity::Error, false, file, record, rule, message);
    }

    /// Something legal that a native writer does not leave behind.
    pub(crate) fn warning(&mut self, file: &str, record: Option<u32>, rule: &'static str, message: impl Into<String>) {
        self.push(Severity::Warning, false, file, record, rule, message);
    }

    /// A deviation that readers take as it is; `repairable` where repair takes it out.
    pub(crate) fn tolerated(&mut self, file: &str, record: u32, tolerance: &Tolerance, repairable: bool) {
        let Tolerance {
            field, found, becomes, ..
        } = tolerance;
        let message = format!("{field}: {found}; tolerated: {becomes}");
        self.push(
            Severity::Warning,
            repairable,
            file,
            Some(record),
            tolerance.rule,
            message,
        );
        if let Some(finding) = self.found.last_mut() {
            finding.tolerance = Some(tolerance.id);
        }
    }

    /// Nothing wrong, but worth knowing.
    pub(crate) fn note(&mut self, file: &str, record: Option<u32>, rule: &'static str, message: impl Into<String>) {
        self.push(Severity::Note, false, file, record, rule, message);
    }

    /// Takes an error about stored bytes, or about what stands where, as a finding about `file` (or about the file that
    /// the error itself names). Everything else, a failure of the operating system above all, is no finding.
    pub(crate) fn absorb(&mut self, file: &str, error: Error) -> Result<()> {
        let Error::Domain(error) = error else {
            return Err(error);
        };
        match error {
            domain::Error::Corrupt {
                file,
                record,
                rule,
                message,
            } => self.error(file, record, rule, message),
            domain::Error::Store(store::Error::Corrupt {
                file,
                record,
                rule,
                message,
            }) => {
                self.error(last_component(&file), record, rule, message);
            }
            domain::Error::Store(store::Error::Disk(error)) => return self.absorb_disk(file, error),
            other => return Err(other.into()),
        }
        Ok(())
    }

    fn absorb_disk(&mut self, file: &str, error: disk::Error) -> Result<()> {
        match error {
            disk::Error::Corrupt { path, rule, message } | disk::Error::Refused { path, rule, message } => {
                let file = if file == "." { file } else { last_component(&path) };
                self.error(file, None, rule, message);
            }
            disk::Error::Unsupported { ref path, .. } => {
                self.error(last_component(path), None, "F-1", error.to_string());
            }
            other => return Err(other.into()),
        }
        Ok(())
    }

    /// Something that `repair` puts right.
    pub(crate) fn repairable(
        &mut self,
        file: &str,
        record: Option<u32>,
        rule: &'static str,
        message: impl Into<String>,
    ) {
        self.push(Severity::Warning, true, file, record, rule, message);
    }

    /// Whether a broken rule was found so far.
    pub(crate) fn has_error(&self) -> bool {
        self.found.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Everything that was found, in the order it was found.
    pub(crate) fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

/// The file's name of a path that names the store's directory too.
fn last_component(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
