//! Reading Lands: by index, by their Change, by their Task, and which one counts.

use crate::domain::changes::Changes;
use crate::domain::family::Family;
use crate::domain::lines::Lines;
use crate::domain::{Error, Result};
use crate::format::{
    CHANGE_LAND_INDEX, Change, ChangeIndex, ChangeLands, LAND, Land, LandIndex, LandOrdinal, TASK_LAND_INDEX,
    TaskIndex, TaskLands,
};
use crate::store::Source;

/// The Lands of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Lands<'s> {
    records: Family<'s>,
    change_rows: Family<'s>,
    task_rows: Family<'s>,
}

impl<'s> Lands<'s> {
    /// The Lands that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self {
            records: Family::of(source, &LAND, "Land")?,
            change_rows: Family::of(source, &CHANGE_LAND_INDEX, "the Lands of Change")?,
            task_rows: Family::of(source, &TASK_LAND_INDEX, "the Lands of Task")?,
        })
    }

    /// What they are read from.
    pub(crate) fn source(&self) -> &'s dyn Source {
        self.records.source()
    }

    /// The number of records, deleted ones included.
    pub fn len(&self) -> u32 {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-LAND or F-2.7.
    pub fn get(&self, index: LandIndex) -> Result<Land> {
        self.records.read(index.get(), Land::decode)
    }

    /// The Land of that index. `NotFound`: there is none, or it is deleted.
    pub fn live(&self, index: LandIndex) -> Result<Land> {
        let land = self.get(index)?;
        if land.tombstoned {
            return Err(Error::not_found(format!("Land record {} (it is deleted)", index.get())));
        }
        Ok(land)
    }

    /// The owner row of a Change: its newest Land, how many there are, and the next ordinal (W-LAND-12).
    pub fn row(&self, change: ChangeIndex) -> Result<ChangeLands> {
        self.change_rows.read(change.get(), ChangeLands::decode)
    }

    /// The owner row of a Task: the last of its Lands in the file, and how many there are (W-LAND-14).
    pub fn task_row(&self, task: TaskIndex) -> Result<TaskLands> {
        self.task_rows.read(task.get(), TaskLands::decode)
    }

    /// The owner row of a Change that gets another Land: it agrees with the Land that it names, so that no ordinal is
    /// given out twice (W-LAND-08). Costs a look at that Land.
    ///
    /// `NotFound`: no such Change. `Corrupt`: it disagrees (F-1.2).
    pub(super) fn allocating_row(&self, change: ChangeIndex) -> Result<ChangeLands> {
        let row = self.row(change)?;
        let next = match row.latest {
            None => 0,
            Some(latest) => {
                let land = self.change_rows.referred(change.get(), "F-1.2", self.get(latest))?;
                if land.change != change {
                    let message = format!("its latest is Land record {}, of another Change", latest.get());
                    return Err(self.change_rows.corrupt(change.get(), "F-1.2", message));
                }
                land.ordinal.plus1()
            }
        };
        if row.next != next || (row.count == 0) != row.latest.is_none() {
            let message = format!(
                "{} Lands, next ordinal {}, after the latest it is {next}",
                row.count, row.next
            );
            return Err(self.change_rows.corrupt(change.get(), "F-1.2", message));
        }
        Ok(row)
    }

    /// The owner row of a Task that gets another Land: the Land that it names is there and is the Task's, so that the
    /// chain leads back (W-LAND-14).
    ///
    /// `NotFound`: no such Task. `Corrupt`: it is not.
    pub(super) fn extending_row(&self, task: TaskIndex) -> Result<TaskLands> {
        let row = self.task_row(task)?;
        let Some(latest) = row.latest else {
            return Ok(row);
        };
        let land = self.task_rows.referred(task.get(), "W-LAND-14", self.get(latest))?;
        if self.owner_of(latest, &land)?.task != task {
            let message = format!("its latest is Land record {}, of another Task", latest.get());
            return Err(self.task_rows.corrupt(task.get(), "W-LAND-14", message));
        }
        Ok(row)
    }

    /// The Change that `land`, the record of that index, belongs to. `Corrupt`: there is none (W-LAND-08).
    pub fn owner_of(&self, index: LandIndex, land: &Land) -> Result<Change> {
        let change = Changes::new(self.source())?.get(land.change);
        self.records.referred(index.get(), "W-LAND-08", change)
    }

    /// The name of the Line that `land`, the record of that index, goes to (W-LAND-27). `Corrupt`: there is no such Line
    /// (W-LAND-20).
    pub fn target_line_name(&self, index: LandIndex, land: &Land) -> Result<String> {
        let name = Lines::new(self.source())?.name(land.target_line);
        self.records.referred(index.get(), "W-LAND-20", name)
    }

    /// The Lands of a Change, in the order of their ordinals, deleted ones too; at most 64.
    ///
    /// `NotFound`: no such Change. `Corrupt`: the chain leads to another Change's Land, nowhere (F-1.2), or its ordinals
    /// do not descend (W-LAND-13).
    pub fn of_change(&self, change: ChangeIndex) -> Result<Vec<(LandIndex, Land)>> {
        let mut next = self.row(change)?.latest;
        let mut chain: Vec<(LandIndex, Land)> = Vec::new();
        while let Some(index) = next {
            let land = match chain.last() {
                None => self.change_rows.referred(change.get(), "F-1.2", self.get(index))?,
                Some((later, _)) => self.records.referred(later.get(), "F-1.2", self.get(index))?,
            };
            if land.change != change {
                let message = format!("it stands in the chain of Change record {}", change.get());
                return Err(self.records.corrupt(index.get(), "W-LAND-08", message));
            }
            if chain.last().is_some_and(|(_, later)| later.ordinal <= land.ordinal) {
                let message = format!("its ordinal {} does not descend along the Change's chain", land.ordinal);
                return Err(self.records.corrupt(index.get(), "W-LAND-13", message));
            }
            chain.push((index, land));
            next = land.previous_of_change;
        }
        chain.reverse();
        Ok(chain)
    }

    /// The Lands of a Task, in the order of the file, deleted ones too.
    ///
    /// `NotFound`: no such Task. `Corrupt`: the chain leads to another Task's Land, nowhere, or not back through the file
    /// (W-LAND-14).
    pub fn of_task(&self, task: TaskIndex) -> Result<Vec<(LandIndex, Land)>> {
        let mut next = self.task_row(task)?.latest;
        let mut chain: Vec<(LandIndex, Land)> = Vec::new();
        while let Some(index) = next {
            if chain.last().is_some_and(|(later, _)| *later <= index) {
                let message = "it does not stand before the one that names it in the Task's chain";
                return Err(self.records.corrupt(index.get(), "W-LAND-14", message));
            }
            let land = match chain.last() {
                None => self.task_rows.referred(task.get(), "W-LAND-14", self.get(index))?,
                Some((later, _)) => self.records.referred(later.get(), "W-LAND-14", self.get(index))?,
            };
            if self.owner_of(index, &land)?.task != task {
                let message = format!("it stands in the chain of Task record {}", task.get());
                return Err(self.records.corrupt(index.get(), "W-LAND-14", message));
            }
            chain.push((index, land));
            next = land.previous_of_task;
        }
        chain.reverse();
        Ok(chain)
    }

    /// The Land of that ordinal of a Change; `None` where there is none.
    ///
    /// `NotFound` and `Corrupt` as [`Lands::of_change`].
    pub fn find(&self, change: ChangeIndex, ordinal: LandOrdinal) -> Result<Option<(LandIndex, Land)>> {
        let chain = self.of_change(change)?;
        Ok(chain.into_iter().find(|(_, land)| land.ordinal == ordinal))
    }

    /// The Land that tells where and when a Change landed: of those that succeeded and are not deleted the one with the
    /// highest ordinal (W-LAND-29). Its `target_line` and `updated_at_s` are the Change's (W-LAND-27, W-CHANGE-45).
    ///
    /// `NotFound` and `Corrupt` as [`Lands::of_change`].
    pub fn winning(&self, change: ChangeIndex) -> Result<Option<(LandIndex, Land)>> {
        let chain = self.of_change(change)?;
        let succeeded = |(_, land): &(LandIndex, Land)| !land.tombstoned && land.status.landed().is_some();
        Ok(chain.into_iter().rev().find(succeeded))
    }
}
