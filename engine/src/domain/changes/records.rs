//! Reading Changes: by index, by their Task, and their title.

use crate::domain::Result;
use crate::domain::family::Family;
use crate::format::{
    CHANGE, Change, ChangeIndex, ChangeOrdinal, ChangeTitle, TASK_CHANGE_INDEX, TaskChanges, TaskIndex,
};
use crate::store::Source;

/// The Changes of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Changes<'s> {
    records: Family<'s>,
    rows: Family<'s>,
}

impl<'s> Changes<'s> {
    /// The Changes that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self {
            records: Family::of(source, &CHANGE, "Change")?,
            rows: Family::of(source, &TASK_CHANGE_INDEX, "the Changes of Task")?,
        })
    }

    /// What they are read from.
    pub(crate) fn source(&self) -> &'s dyn Source {
        self.records.source()
    }

    /// The number of records.
    pub fn len(&self) -> u32 {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-CHANGE or F-2.2.
    pub fn get(&self, index: ChangeIndex) -> Result<Change> {
        self.records.read(index.get(), Change::decode)
    }

    /// The title of the Change of that index.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record or its payload breaks a rule.
    pub fn title(&self, index: ChangeIndex) -> Result<String> {
        self.title_of(index, &self.get(index)?)
    }

    /// The title of `change`, which is the record of that index.
    pub fn title_of(&self, index: ChangeIndex, change: &Change) -> Result<String> {
        let bytes = self.records.payload(index.get(), change.title)?;
        match ChangeTitle::read(&bytes) {
            Ok(title) => Ok(title.as_str().to_owned()),
            Err(fault) => Err(self.records.damaged_payload(index.get(), &fault)),
        }
    }

    /// The owner row of a Task: its newest Change, how many there are, and the next ordinal (F-1.2).
    pub fn row(&self, task: TaskIndex) -> Result<TaskChanges> {
        self.rows.read(task.get(), TaskChanges::decode)
    }

    /// The Changes of a Task, in the order of their ordinals; at most 64.
    ///
    /// `NotFound`: no such Task. `Corrupt`: the chain leads to another Task's Change, or not back (F-1.2).
    pub fn of_task(&self, task: TaskIndex) -> Result<Vec<(ChangeIndex, Change)>> {
        let mut next = self.row(task)?.latest;
        let mut chain: Vec<(ChangeIndex, Change)> = Vec::new();
        while let Some(index) = next {
            let change = self.get(index)?;
            if change.task != task {
                let message = format!("it stands in the chain of Task record {}", task.get());
                return Err(self.records.corrupt(index.get(), "W-CHANGE-05", message));
            }
            if chain.last().is_some_and(|(_, later)| later.ordinal <= change.ordinal) {
                let message = format!("its ordinal {} does not descend along the Task's chain", change.ordinal);
                return Err(self.records.corrupt(index.get(), "F-1.2", message));
            }
            chain.push((index, change));
            next = change.previous;
        }
        chain.reverse();
        Ok(chain)
    }

    /// The Change of that ordinal of a Task; `None` where there is none.
    ///
    /// `NotFound` and `Corrupt` as [`Changes::of_task`].
    pub fn find(&self, task: TaskIndex, ordinal: ChangeOrdinal) -> Result<Option<(ChangeIndex, Change)>> {
        let chain = self.of_task(task)?;
        Ok(chain.into_iter().find(|(_, change)| change.ordinal == ordinal))
    }
}
