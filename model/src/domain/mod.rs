//! The reference behaviour of objects, Snapshots, Lines and Tags in the plainest collections.
//!
//! A [`Store`] is four lists; an index is a place in one. [`Store::apply`] is the whole behaviour: it answers what the
//! engine must answer, by the rule that refuses where one does. What an object is identified by is its content itself,
//! where the engine has a hash.

mod content;
mod lines;
mod snapshots;
mod tags;

use std::fmt;

pub use content::{Entry, Object, Target};
pub use lines::{Line, LineState};
pub use snapshots::Snapshot;
pub use tags::Tag;

/// A state of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    /// The objects.
    pub objects: Vec<Object>,
    /// The Snapshots.
    pub snapshots: Vec<Snapshot>,
    /// The Lines.
    pub lines: Vec<Line>,
    /// The Tags.
    pub tags: Vec<Tag>,
}

/// One operation. Numbers are indices of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Puts a file's content.
    PutBlob(Vec<u8>),
    /// Puts a directory.
    PutDirectory(Vec<Entry>),
    /// Creates a Snapshot.
    CreateSnapshot {
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
}

/// Why an operation is not done. It changes nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A rule refuses it.
    Refused(&'static str),
    /// Something it speaks of is not there.
    NotFound,
    /// It expected something else.
    Conflict,
}

/// The answer to an operation: the index of the record it is about.
pub type Answer = Result<usize, Refusal>;

impl Store {
    /// Does an operation at a time in seconds, or refuses it and changes nothing.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn apply(&mut self, now_s: u64, operation: &Operation) -> Answer {
        match operation {
            Operation::PutBlob(content) => Ok(self.put(Object::Blob(content.clone()))),
            Operation::PutDirectory(entries) => self.put_directory(entries),
            Operation::CreateSnapshot {
                root,
                created_at_s,
                parents,
                line,
                message,
            } => self.create_snapshot(*root, *created_at_s, parents, *line, message),
            Operation::TombstoneSnapshot(index) => self.tombstone_snapshot(*index),
            Operation::CreateLine { name, head } => self.create_line(now_s, name, *head),
            Operation::RenameLine { line, name } => self.rename_line(now_s, *line, name),
            Operation::MoveHead { line, expected, head } => self.move_head(now_s, *line, *expected, *head),
            Operation::ArchiveLine(line) => self.archive_line(now_s, *line),
            Operation::RestoreLine(line) => self.restore_line(now_s, *line),
            Operation::DeleteLine(line) => self.delete_line(now_s, *line),
            Operation::CreateTag {
                name,
                snapshot,
                message,
            } => self.write_tag(now_s, name, *snapshot, message.as_deref(), false),
            Operation::ReplaceTag {
                name,
                snapshot,
                message,
            } => self.write_tag(now_s, name, *snapshot, message.as_deref(), true),
            Operation::DeleteTag(tag) => self.delete_tag(*tag),
        }
    }

    /// Everything a reader sees, one line of text a record.
    pub fn describe(&self) -> Vec<String> {
        fn all<'a, T: fmt::Display + 'a>(family: &'static str, rows: &'a [T]) -> impl Iterator<Item = String> + 'a {
            rows.iter()
                .enumerate()
                .map(move |(index, row)| format!("{family} {index}: {row}"))
        }
        let objects = all("object", &self.objects);
        objects
            .chain(all("snapshot", &self.snapshots))
            .chain(all("line", &self.lines))
            .chain(all("tag", &self.tags))
            .collect()
    }
}

/// A name as a writer gives it: without the ASCII white space around it, 1 to 4096 bytes.
fn writable<'a>(name: &'a str, rule: &'static str) -> Result<&'a str, Refusal> {
    let name = name.trim_ascii();
    if name.is_empty() || name.len() > 4096 {
        Err(Refusal::Refused(rule))
    } else {
        Ok(name)
    }
}

/// An optional index as text.
fn optional(index: Option<usize>) -> String {
    index.map_or("none".to_owned(), |index| index.to_string())
}
