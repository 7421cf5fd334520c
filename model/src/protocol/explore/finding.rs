//! What an exploration reports: the events that lead to a finding.

use std::fmt;

use crate::protocol::recovery::Opening;
use crate::protocol::transaction::{Purpose, Step};
use crate::protocol::undo::FileId;

/// What happened between two worlds, for traces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A program began.
    Begin(Purpose),
    /// A step was taken.
    Step(Step),
    /// The process was killed.
    Kill,
    /// The power was cut and left these files.
    Cut(Vec<Vec<u8>>),
    /// A sync failed, in one of the three ways.
    FailedSync(FileId, &'static str),
    /// The disk was full.
    NoSpace,
    /// Clean bytes that the medium does not hold vanished.
    Evict(FileId),
    /// An opening was planned.
    Open(Opening),
    /// A reader saw the content.
    Read,
}

/// A finding: what is wrong, and the way there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// The events that lead to it.
    pub trace: Vec<Event>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        for event in &self.trace {
            match event {
                Event::Step(Step::Write { file, offset, value }) => {
                    write!(f, "\n  write file {} at {offset}: {value}", file.0)?;
                }
                Event::Step(Step::SetLen { file, len }) => write!(f, "\n  set length of file {} to {len}", file.0)?,
                Event::Step(Step::Sync(file)) => write!(f, "\n  sync file {}", file.0)?,
                Event::Cut(files) => write!(f, "\nCUT, leaving {files:?}")?,
                other => write!(f, "\n{other:?}")?,
            }
        }
        Ok(())
    }
}
