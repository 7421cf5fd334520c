//! Why an import ended early.

use std::io;

use crate::git::marks::MarksFull;
use crate::git::repository::Warnings;
use crate::git::stream::{Position, StreamError, StreamFault};
use crate::git::tree::TreeError;

/// Why an import ended early. Whole batches before that stay; no Line or Tag has moved, unless the error is the engine's own while they move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The stream is refused, ends early, or cannot be read.
    #[error("the stream is refused at {0}")]
    Stream(#[from] StreamError),
    /// A change of a commit cannot be applied or stored.
    #[error("{position}: {problem}")]
    At {
        /// Where the command stands.
        position: Position,
        /// What is wrong.
        problem: Problem,
    },
    /// Names of refs that cannot be names of Lines or Tags.
    #[error("these refs cannot be kept, and nothing was moved: {}", list(.0))]
    Names(Vec<BadName>),
    /// The main line that was asked for is no branch of the history.
    #[error("the history has no branch {0:?}, and nothing was moved")]
    NoMainLine(String),
    /// The engine's error.
    #[error(transparent)]
    Store(#[from] graven::Error),
    /// Git could not be run.
    #[error("git could not be run: {0}")]
    GitNotStarted(io::Error),
    /// Git failed.
    #[error("git ended with {status}{}", said(.warnings))]
    Git {
        /// How it ended.
        status: String,
        /// What it said.
        warnings: Warnings,
    },
    /// The caller's watch stopped it.
    #[error("stopped; what was imported so far is kept, no Line or Tag has moved")]
    Stopped,
}

/// What is wrong with a command that is well written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A change cannot be applied to the tree, or the tree cannot be stored.
    #[error(transparent)]
    Tree(#[from] TreeError<graven::Error>),
    /// Content could not be stored.
    #[error(transparent)]
    Store(#[from] graven::Error),
    /// There are too many marks or commits.
    #[error(transparent)]
    Full(#[from] MarksFull),
}

/// A ref that cannot be a Line or a Tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadName {
    /// The full ref name, quoted.
    pub name: String,
    /// Why not.
    pub why: String,
}

impl ImportError {
    /// Whether the stream ended where it must not.
    pub fn is_truncated(&self) -> bool {
        matches!(self, Self::Stream(error) if matches!(error.fault, StreamFault::Truncated(_)))
    }

    /// Puts a place to a problem.
    pub(super) fn at<P: Into<Problem>>(position: Position) -> impl FnOnce(P) -> Self {
        move |problem| Self::At {
            position,
            problem: problem.into(),
        }
    }
}

fn list(names: &[BadName]) -> String {
    let names: Vec<_> = names.iter().map(|bad| format!("{} ({})", bad.name, bad.why)).collect();
    names.join(", ")
}

fn said(warnings: &Warnings) -> String {
    match warnings.lines.last() {
        Some(last) => format!(": {last}"),
        None => String::new(),
    }
}
