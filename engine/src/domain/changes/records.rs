//! Reading Changes: by index, by their Task, and their title.

use crate::domain::Result;
use crate::domain::family::Family;
use crate::domain::lines::Lines;
use crate::domain::tasks::Tasks;
use crate::format::{
    CHANGE, Change, ChangeIndex, ChangeOrdinal, ChangeTitle, TASK_CHANGE_INDEX, Task, TaskChanges, TaskIndex,
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

    /// The Task that `change`, the record of that index, belongs to. `Corrupt`: there is none (W-CHANGE-05).
    pub fn owner_of(&self, index: ChangeIndex, change: &Change) -> Result<Task> {
        let task = Tasks::new(self.source())?.get(change.task);
        self.records.referred(index.get(), "W-CHANGE-05", task)
    }

    /// The name of the Line that `change`, the record of that index, was forked from: its base Line's, whichever Line
    /// authored the fork (W-CHANGE-35). `Corrupt`: there is no such Line (W-CHANGE-29).
    pub fn forked_from_line(&self, index: ChangeIndex, change: &Change) -> Result<String> {
        let name = Lines::new(self.source())?.name(change.base_line);
        self.records.referred(index.get(), "W-CHANGE-29", name)
    }

    /// The owner row of a Task: its newest Change, how many there are, and the next ordinal (F-1.2).
    pub fn row(&self, task: TaskIndex) -> Result<TaskChanges> {
        self.rows.read(task.get(), TaskChanges::decode)
    }

    /// The owner row of a Task that gets another Change: it agrees with the Change that it names, so that no ordinal is
    /// given out twice (W-CHANGE-05). Costs a look at that Change.
    ///
    /// `NotFound`: no such Task. `Corrupt`: it disagrees (F-1.2).
    pub(super) fn allocating_row(&self, task: TaskIndex) -> Result<TaskChanges> {
        let row = self.row(task)?;
        let next = match row.latest {
            None => 0,
            Some(latest) => {
                let change = self.rows.referred(task.get(), "F-1.2", self.get(latest))?;
                if change.task != task {
                    let message = format!("its latest is Change record {}, of another Task", latest.get());
                    return Err(self.rows.corrupt(task.get(), "F-1.2", message));
                }
                change.ordinal.plus1()
            }
        };
        if row.next != next || (row.count == 0) != row.latest.is_none() {
            let message = format!(
                "{} Changes, next ordinal {}, after the latest it is {next}",
                row.count, row.next
            );
            return Err(self.rows.corrupt(task.get(), "F-1.2", message));
        }
        Ok(row)
    }

    /// The Changes of a Task, in the order of their ordinals; at most 64.
    ///
    /// `NotFound`: no such Task. `Corrupt`: the chain leads to another Task's Change, nowhere, or not back (F-1.2).
    pub fn of_task(&self, task: TaskIndex) -> Result<Vec<(ChangeIndex, Change)>> {
        let mut next = self.row(task)?.latest;
        let mut chain: Vec<(ChangeIndex, Change)> = Vec::new();
        while let Some(index) = next {
            let change = match chain.last() {
                None => self.rows.referred(task.get(), "F-1.2", self.get(index))?,
                Some((later, _)) => self.records.referred(later.get(), "F-1.2", self.get(index))?,
            };
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
