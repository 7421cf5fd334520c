//! Reading Tasks: by index, and their title and intent.

use crate::domain::Result;
use crate::domain::family::Family;
use crate::format::{TASK, Task, TaskIndex, TaskPayload};
use crate::store::Source;

/// A Task's title and intent, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskText {
    /// What it is called; not empty.
    pub title: String,
    /// What it is for; not empty.
    pub intent: String,
}

/// The Tasks of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Tasks<'s>(Family<'s>);

impl<'s> Tasks<'s> {
    /// The Tasks that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &TASK, "Task")?))
    }

    /// The number of records.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a closed or hidden one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-TASK or F-2.1.
    pub fn get(&self, index: TaskIndex) -> Result<Task> {
        self.0.read(index.get(), Task::decode)
    }

    /// Title and intent of the Task of that index.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record or its payload breaks a rule.
    pub fn text(&self, index: TaskIndex) -> Result<TaskText> {
        self.text_of(index, &self.get(index)?)
    }

    /// Title and intent of `task`, which is the record of that index.
    pub fn text_of(&self, index: TaskIndex, task: &Task) -> Result<TaskText> {
        let bytes = self.0.payload(index.get(), task.payload)?;
        match TaskPayload::decode(&bytes) {
            Ok(TaskPayload { title, intent }) => Ok(TaskText {
                title: title.to_owned(),
                intent: intent.to_owned(),
            }),
            Err(fault) => Err(self.0.damaged_payload(index.get(), &fault)),
        }
    }
}
