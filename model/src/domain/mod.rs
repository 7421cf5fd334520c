//! The reference behaviour of objects, Snapshots, Lines, Tags, Tasks, Changes, Lands and Stashes in the plainest
//! collections.
//!
//! A [`Store`] is eight lists; an index is a place in one. What a list tells (which Changes a Task has, which Land won)
//! is looked up in it, where the engine keeps chains and counts. [`Store::apply`] is the whole behaviour: it answers what the
//! engine must answer, by the rule that refuses where one does. What an object is identified by is its content itself,
//! where the engine has a hash.

mod changes;
mod content;
mod landing;
mod lands;
mod lines;
mod operation;
mod snapshots;
mod stashes;
mod tags;
mod tasks;
#[cfg(test)]
mod testing;

use std::fmt;

pub use changes::{ArchiveCause, Change, ChangeFlag, ChangeOperation, ChangeSeen, Lifecycle, MOST_CHANGES};
pub use content::{Entry, Object, Target};
pub use lands::{FailureKind, Land, LandMode, LandOperation, LandSeen, LandStatus, MOST_LANDS};
pub use lines::{Line, LineState};
pub use operation::{Answer, Answered, Operation, Refusal, SnapshotKind};
pub use snapshots::Snapshot;
pub use stashes::{Stash, StashOperation};
pub use tags::Tag;
pub use tasks::{Owned, Task, TaskOperation, TaskSeen, TaskStatus};

use operation::Index;

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
    /// The Tasks.
    pub tasks: Vec<Task>,
    /// The Changes.
    pub changes: Vec<Change>,
    /// The Lands.
    pub lands: Vec<Land>,
    /// The Stashes.
    pub stashes: Vec<Stash>,
}

impl Store {
    /// Does an operation at a time in seconds, or refuses it and changes nothing. At time 0 nothing is done (F-1).
    ///
    /// # Errors
    /// Why it is refused.
    pub fn apply(&mut self, now_s: u64, operation: &Operation) -> Answer {
        if now_s == 0 {
            return Err(Refusal::Refused("F-1"));
        }
        match operation {
            Operation::Task(operation) => self.apply_task(now_s, operation).map(Answered::Record),
            Operation::Change(operation) => self.apply_change(now_s, operation).map(Answered::Record),
            Operation::Land(operation) => self.apply_land(now_s, operation),
            Operation::Stash(operation) => self.apply_stash(operation).map(Answered::Record),
            operation => self.apply_content(now_s, operation).map(Answered::Record),
        }
    }

    fn apply_content(&mut self, now_s: u64, operation: &Operation) -> Index {
        match operation {
            Operation::PutBlob(content) => Ok(self.put(Object::Blob(content.clone()))),
            Operation::PutDirectory(entries) => self.put_directory(entries),
            Operation::CreateSnapshot {
                kind,
                root,
                created_at_s,
                parents,
                line,
                message,
            } => self.create_snapshot(*kind, *root, *created_at_s, parents, *line, message),
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
            Operation::Task(_) | Operation::Change(_) | Operation::Land(_) | Operation::Stash(_) => {
                Err(Refusal::NotFound)
            }
        }
    }

    /// Everything a reader sees, one line of text a record.
    pub fn describe(&self) -> Vec<String> {
        let content = described("object", self.objects.iter())
            .chain(described("snapshot", self.snapshots.iter()))
            .chain(described("line", self.lines.iter()))
            .chain(described("tag", self.tags.iter()));
        let workflow = described("task", (0..self.tasks.len()).map(|task| self.task_seen(task)))
            .chain(described(
                "change",
                (0..self.changes.len()).map(|change| self.change_seen(change)),
            ))
            .chain(described(
                "land",
                (0..self.lands.len()).map(|land| self.land_seen(land)),
            ))
            .chain(described("stash", self.stashes.iter()));
        content.chain(workflow).collect()
    }
}

/// The records of a family as text, one line a record.
pub fn described<T: fmt::Display>(family: &str, rows: impl Iterator<Item = T>) -> impl Iterator<Item = String> {
    rows.enumerate()
        .map(move |(index, row)| format!("{family} {index}: {row}"))
}

/// A name as a writer gives it: without the ASCII white space around it, 1 to 4096 bytes.
fn writable<'a>(name: &'a str, rule: &'static str) -> Result<&'a str, Refusal> {
    written(name, 4096, rule)
}

/// A text as a writer gives it: without the ASCII white space around it, at least one byte and at most so many.
fn written<'a>(text: &'a str, longest: usize, rule: &'static str) -> Result<&'a str, Refusal> {
    let text = text.trim_ascii();
    if text.is_empty() || text.len() > longest {
        Err(Refusal::Refused(rule))
    } else {
        Ok(text)
    }
}

/// A record is not updated at a time before it was made (F-1).
fn not_before(made_at_s: u64, now_s: u64) -> Result<(), Refusal> {
    if now_s < made_at_s {
        Err(Refusal::Refused("F-1"))
    } else {
        Ok(())
    }
}

/// An optional index as text.
fn optional(index: Option<usize>) -> String {
    index.map_or("none".to_owned(), |index| index.to_string())
}
