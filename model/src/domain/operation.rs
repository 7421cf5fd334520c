//! The operations, and what they answer.

use super::{ChangeOperation, Entry, LandOperation, StashOperation, TaskOperation};

/// One operation. Numbers are indices of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Puts a file's content.
    PutBlob(Vec<u8>),
    /// Puts a directory.
    PutDirectory(Vec<Entry>),
    /// Creates a Snapshot.
    CreateSnapshot {
        /// What it is for.
        kind: SnapshotKind,
        /// The directory object.
        root: usize,
        /// When it was made, in seconds.
        created_at_s: u64,
        /// Its parents, in order.
        parents: Vec<usize>,
        /// The Line it is authored on.
        line: Option<usize>,
        /// Its message; empty is none.
        message: String,
    },
    /// Takes a Snapshot out of use.
    TombstoneSnapshot(usize),
    /// Creates a Line.
    CreateLine {
        /// Its name.
        name: String,
        /// Its head.
        head: Option<usize>,
    },
    /// Renames a Line.
    RenameLine {
        /// The Line.
        line: usize,
        /// Its new name.
        name: String,
    },
    /// Moves a head, if it is the expected one.
    MoveHead {
        /// The Line.
        line: usize,
        /// The head that is expected.
        expected: Option<usize>,
        /// The head it gets.
        head: Option<usize>,
    },
    /// Archives a Line.
    ArchiveLine(usize),
    /// Restores an archived Line.
    RestoreLine(usize),
    /// Deletes a Line.
    DeleteLine(usize),
    /// Creates a Tag, or brings a deleted one back.
    CreateTag {
        /// Its name.
        name: String,
        /// The Snapshot it names.
        snapshot: usize,
        /// Its message, where it is annotated.
        message: Option<String>,
    },
    /// Makes a Tag stand on a Snapshot whatever it stood on before.
    ReplaceTag {
        /// Its name.
        name: String,
        /// The Snapshot it names.
        snapshot: usize,
        /// Its message, where it is annotated.
        message: Option<String>,
    },
    /// Deletes a Tag.
    DeleteTag(usize),
    /// Something with a Task.
    Task(TaskOperation),
    /// Something with a Change.
    Change(ChangeOperation),
    /// Something with a Land.
    Land(LandOperation),
    /// Something with a Stash.
    Stash(StashOperation),
}

/// What a Snapshot is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotKind {
    /// To be a head of Lines.
    #[default]
    Line,
    /// To be stashed.
    Stash,
}

/// Why an operation is not done. It changes nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A rule refuses it.
    Refused(&'static str),
    /// Something it speaks of is not there.
    NotFound,
    /// It expected something else, which this rule tells.
    Conflict(&'static str),
    /// So many are all there can be.
    Exhausted(u64),
}

/// What an operation answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The record it is about.
    Record(usize),
    /// The Land that a Change landed by.
    Landed {
        /// The Land.
        land: usize,
        /// Whether it is new; otherwise it stood there and nothing is written.
        added: bool,
    },
    /// The records of a history that somebody else landed.
    History {
        /// The completed Task.
        task: usize,
        /// The landed Change.
        change: usize,
        /// The Land.
        land: usize,
    },
}

impl From<usize> for Answered {
    fn from(index: usize) -> Self {
        Self::Record(index)
    }
}

/// The answer to an operation.
pub type Answer = Result<Answered, Refusal>;

/// The answer to an operation that is about one record: its index.
pub(super) type Index = Result<usize, Refusal>;
