//! Changes: a Task's attempts to change a Line (W-CHANGE, F-2.2).

use std::collections::BTreeSet;
use std::fmt;

use super::tasks::owned;
use super::{Index, LineState, Owned, Refusal, Store, TaskStatus, not_before, optional, writable, written};

/// How many Changes a Task can have.
pub const MOST_CHANGES: usize = 64;
/// The bytes of a title, at most.
const LONGEST_TITLE: usize = 65_535;

/// A Change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its Task.
    pub task: usize,
    /// Its ordinal among the Changes of its Task, from 0.
    pub ordinal: usize,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub lifecycle: Lifecycle,
    /// What else is noted of it.
    pub flags: BTreeSet<ChangeFlag>,
    /// The Line it is made on.
    pub base_line: usize,
    /// That Line's head when the Change was made.
    pub fork: Option<usize>,
    /// The ordinal that it has elsewhere, and since when, in seconds.
    pub published: Option<(usize, u64)>,
    /// When it was made, in seconds.
    pub created_at_s: u64,
    /// When it was last changed, in seconds.
    pub updated_at_s: u64,
}

/// Where a Change stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// There is nothing of it yet.
    Draft,
    /// There is something of it.
    Active,
    /// It is in its Line.
    Landed,
    /// It is put away.
    Archived {
        /// Why.
        cause: ArchiveCause,
        /// Since when, in seconds.
        at_s: u64,
    },
}

/// Why a Change is put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveCause {
    /// Nothing is said.
    Plain,
    /// It will not be done.
    Canceled,
    /// Another one does it.
    Superseded,
}

/// What is noted of a Change beside its lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeFlag {
    /// It has Patchsets.
    HasPatchsets,
    /// A review is asked for.
    ReviewPending,
    /// A validation is asked for.
    ValidationPending,
    /// Nothing is in the way.
    ReadyToLand,
    /// Something is in the way.
    Blocked,
}

/// What is done with Changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeOperation {
    /// Creates one.
    Create {
        /// Its Task.
        task: usize,
        /// Its title.
        title: String,
        /// The name of the Line it is made on.
        base_line: String,
    },
    /// Puts one away.
    Archive {
        /// The Change.
        change: usize,
        /// Why.
        cause: ArchiveCause,
    },
    /// Takes one up again.
    Reopen(usize),
    /// Notes which ordinal it has elsewhere.
    Publish {
        /// The Change.
        change: usize,
        /// The ordinal elsewhere, from 0.
        remote: usize,
    },
}

/// A Change with what a reader sees of the records around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSeen {
    /// The Change.
    pub change: Change,
    /// The Change of its Task before it.
    pub previous: Option<usize>,
    /// Its Lands.
    pub lands: Owned,
    /// The Land that it is in its Line by.
    pub winning: Option<usize>,
}

impl fmt::Display for ChangeSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let change = &self.change;
        write!(f, "task {} ordinal {} {:?}", change.task, change.ordinal, change.title)?;
        write!(f, " previous {} {:?}", optional(self.previous), change.lifecycle)?;
        write!(f, " {:?} line {}", change.flags, change.base_line)?;
        write!(f, " fork {} published {:?}", optional(change.fork), change.published)?;
        write!(f, " created {} updated {}", change.created_at_s, change.updated_at_s)?;
        write!(f, " lands {} winning {}", self.lands, optional(self.winning))
    }
}

impl Change {
    /// What the world is told of it.
    pub fn status(&self) -> &'static str {
        match self.lifecycle {
            Lifecycle::Draft => "draft",
            Lifecycle::Active if self.flags.contains(&ChangeFlag::ReviewPending) => "review",
            Lifecycle::Active => "active",
            Lifecycle::Landed => "landed",
            Lifecycle::Archived { cause, .. } => match cause {
                ArchiveCause::Plain => "archived",
                ArchiveCause::Canceled => "canceled",
                ArchiveCause::Superseded => "superseded",
            },
        }
    }

    pub(super) fn land(&mut self, now_s: u64) {
        self.flags.retain(|flag| *flag == ChangeFlag::HasPatchsets);
        self.lifecycle = Lifecycle::Landed;
        self.updated_at_s = now_s;
    }
}

impl Store {
    pub(super) fn apply_change(&mut self, now_s: u64, operation: &ChangeOperation) -> Index {
        match operation {
            ChangeOperation::Create { task, title, base_line } => self.create_change(now_s, *task, title, base_line),
            ChangeOperation::Archive { change, cause } => self.archive_change(now_s, *change, *cause),
            ChangeOperation::Reopen(change) => self.reopen_change(now_s, *change),
            ChangeOperation::Publish { change, remote } => self.publish_change(now_s, *change, *remote),
        }
    }

    /// The Changes of a Task, in their order.
    pub fn changes_of_task(&self, task: usize) -> impl Iterator<Item = usize> {
        let of_task = move |(_, change): &(usize, &Change)| change.task == task;
        self.changes.iter().enumerate().filter(of_task).map(|(index, _)| index)
    }

    pub(super) fn change_seen(&self, index: usize) -> ChangeSeen {
        let change = self.changes[index].clone();
        let before = self.changes_of_task(change.task).take_while(|&other| other < index);
        ChangeSeen {
            previous: before.last(),
            lands: owned(self.lands_of_change(index), true),
            winning: self.winning_land(index),
            change,
        }
    }

    /// The Line in use that has exactly this name, without the white space around it.
    pub(super) fn line_named(&self, name: &str, rule: &'static str) -> Index {
        let name = writable(name, "W-CHANGE-61")?;
        let is_it = |line: &super::Line| line.name == name && !matches!(line.state, LineState::Deleted { .. });
        let found = self.lines.iter().position(is_it).ok_or(Refusal::Refused(rule))?;
        if self.lines[found].state == LineState::Live {
            Ok(found)
        } else {
            Err(Refusal::Refused("W-LINE-03"))
        }
    }

    fn create_change(&mut self, now_s: u64, task: usize, title: &str, base_line: &str) -> Index {
        let base_line = self.line_named(base_line, "W-CHANGE-46")?;
        let title = change_title(title)?;
        let owner = self.tasks.get(task).ok_or(Refusal::NotFound)?;
        if owner.status != TaskStatus::Active {
            return Err(Refusal::Refused("W-TASK-18"));
        }
        not_before(owner.created_at_s, now_s)?;
        let fork = self.lines[base_line].head;
        self.add_change(now_s, task, title, base_line, fork)
    }

    pub(super) fn add_change(
        &mut self,
        now_s: u64,
        task: usize,
        title: &str,
        base_line: usize,
        fork: Option<usize>,
    ) -> Index {
        let ordinal = self.changes_of_task(task).count();
        if ordinal == MOST_CHANGES {
            return Err(Refusal::Exhausted(MOST_CHANGES as u64));
        }
        self.changes.push(Change {
            task,
            ordinal,
            title: title.to_owned(),
            lifecycle: Lifecycle::Draft,
            flags: BTreeSet::new(),
            base_line,
            fork,
            published: None,
            created_at_s: now_s,
            updated_at_s: now_s,
        });
        Ok(self.changes.len() - 1)
    }

    fn archive_change(&mut self, now_s: u64, index: usize, cause: ArchiveCause) -> Index {
        let change = self.changes.get_mut(index).ok_or(Refusal::NotFound)?;
        if matches!(change.lifecycle, Lifecycle::Landed | Lifecycle::Archived { .. }) {
            return Err(Refusal::Refused("F-2.2"));
        }
        not_before(change.created_at_s, now_s)?;
        change.lifecycle = Lifecycle::Archived { cause, at_s: now_s };
        change.updated_at_s = now_s;
        Ok(index)
    }

    fn reopen_change(&mut self, now_s: u64, index: usize) -> Index {
        let change = self.changes.get_mut(index).ok_or(Refusal::NotFound)?;
        if !matches!(change.lifecycle, Lifecycle::Archived { .. }) {
            return Err(Refusal::Refused("F-2.2"));
        }
        not_before(change.created_at_s, now_s)?;
        let has_patchsets = change.flags.contains(&ChangeFlag::HasPatchsets);
        change.lifecycle = if has_patchsets {
            Lifecycle::Active
        } else {
            Lifecycle::Draft
        };
        change.updated_at_s = now_s;
        Ok(index)
    }

    fn publish_change(&mut self, now_s: u64, index: usize, remote: usize) -> Index {
        let change = self.changes.get(index).ok_or(Refusal::NotFound)?;
        if self.tasks[change.task].published.is_none() {
            return Err(Refusal::Refused("W-CHANGE-26"));
        }
        match change.published {
            Some((published, _)) if published == remote => return Ok(index),
            Some(_) => return Err(Refusal::Conflict("W-CHANGE-27")),
            None => {}
        }
        let has_it = |other: usize| {
            self.changes[other]
                .published
                .is_some_and(|(ordinal, _)| ordinal == remote)
        };
        if self.changes_of_task(change.task).any(has_it) {
            return Err(Refusal::Conflict("W-CHANGE-06"));
        }
        not_before(change.created_at_s, now_s)?;
        let change = &mut self.changes[index];
        change.published = Some((remote, now_s));
        change.updated_at_s = now_s;
        Ok(index)
    }
}

/// A Change's title as it is kept.
pub(super) fn change_title(title: &str) -> Result<&str, Refusal> {
    written(title, LONGEST_TITLE, "F-2.2")
}

#[cfg(test)]
mod tests;
