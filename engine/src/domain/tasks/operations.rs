//! Creating, ending and publishing Tasks.

use super::records::Tasks;
use super::rules::{require_kept, require_open, require_order};
use crate::domain::family::{append, append_payload, replace, typed};
use crate::domain::{Error, Result};
use crate::format::{
    PublishedTask, RemoteTaskIndex, TASK, TASK_CHANGE_INDEX, TASK_LAND_INDEX, Task, TaskChanges, TaskFlags, TaskIndex,
    TaskLands, TaskPayload, TaskStatus,
};
use crate::store::{Source as _, Stage, Transaction};

/// A Task to create.
///
/// ```
/// use graven::domain::tasks::NewTask;
///
/// let new = NewTask::new("Faster search", "Users wait two seconds for a search; make it one.").planned();
/// assert!(new.planned);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NewTask<'a> {
    /// What it is called.
    pub title: &'a str,
    /// What it is for.
    pub intent: &'a str,
    /// Whether it is planned (W-TASK-24).
    pub planned: bool,
}

impl<'a> NewTask<'a> {
    /// An unplanned Task.
    pub fn new(title: &'a str, intent: &'a str) -> Self {
        Self {
            title,
            intent,
            planned: false,
        }
    }

    /// As a planned one.
    #[must_use]
    pub fn planned(self) -> Self {
        Self { planned: true, ..self }
    }
}

/// Creates a Task. Title and intent lose the ASCII white space around them; the transaction's time becomes its time of
/// creation and of its last change, and it has no time of ending (W-TASK-15).
///
/// Payload first; in the commit stage its two owner rows, with the same index, and the record.
///
/// `Refused`: title or intent is empty, or both are longer than a payload (F-2.1). `Corrupt`: the owner rows do not
/// stand row for row beside the Tasks (F-1.2).
pub fn create(transaction: &mut Transaction<'_>, new: &NewTask<'_>) -> Result<TaskIndex> {
    let payload = TaskPayload::new(new.title, new.intent).map_err(Error::unwritable)?;
    let payload = payload.encode().map_err(Error::unwritable)?;
    let now = transaction.now();
    let task = Task {
        status: TaskStatus::Active,
        closed_at_s: None,
        planned: new.planned,
        flags: TaskFlags::NONE,
        hidden: false,
        payload: append_payload(transaction, &TASK, &payload)?,
        plan_revision: None,
        plan_item: None,
        plan_linked_at_s: None,
        published: None,
        created_at_s: now,
        updated_at_s: now,
    };
    let no_changes = TaskChanges::default().encode().map_err(Error::unwritable)?;
    let rows = [
        (
            &TASK_CHANGE_INDEX,
            append(transaction, &TASK_CHANGE_INDEX, Stage::Commit, &no_changes)?,
        ),
        (
            &TASK_LAND_INDEX,
            append(
                transaction,
                &TASK_LAND_INDEX,
                Stage::Commit,
                &TaskLands::default().encode(),
            )?,
        ),
    ];
    let index = append(
        transaction,
        &TASK,
        Stage::Commit,
        &task.encode().map_err(Error::unwritable)?,
    )?;
    for (layout, row) in rows {
        if row != index {
            let message = format!("the row of Task record {index} would be row {row}; `graven repair` says more");
            return Err(Error::corrupt(layout.file, None, "F-1.2", message));
        }
    }
    typed(TaskIndex::new(index), "Tasks")
}

/// Ends a Task: the work is done. The transaction's time becomes its time of ending and of its last change, durable
/// before the bit that says so (W-TASK-16, W-TASK-17). No transaction has the time 0 (W-TASK-21).
///
/// `Refused`: it has ended already (W-TASK-18), or it was created later than now (F-1). `NotFound`: no such Task, or it
/// is hidden.
pub fn complete(transaction: &mut Transaction<'_>, index: TaskIndex) -> Result<()> {
    end(transaction, index, TaskStatus::Completed)
}

/// Ends a Task: it is given up (W-TASK-25). Otherwise as [`complete`].
pub fn cancel(transaction: &mut Transaction<'_>, index: TaskIndex) -> Result<()> {
    end(transaction, index, TaskStatus::Canceled)
}

/// Ends a Task: it is given up locally, which is a status of its own (W-TASK-26). Otherwise as [`complete`].
pub fn abandon(transaction: &mut Transaction<'_>, index: TaskIndex) -> Result<()> {
    end(transaction, index, TaskStatus::Abandoned)
}

fn end(transaction: &mut Transaction<'_>, index: TaskIndex, status: TaskStatus) -> Result<()> {
    let task = require_open(&Tasks::new(transaction)?, index)?;
    let now = transaction.now();
    require_order(now, task.created_at_s, "the Task")?;
    let ended = Task {
        status,
        closed_at_s: Some(now),
        updated_at_s: now,
        ..task
    };
    let state_offset = match status {
        TaskStatus::Abandoned => Task::LOCAL_META_OFFSET,
        TaskStatus::Active | TaskStatus::Completed | TaskStatus::Canceled => Task::META_OFFSET,
    };
    let record = ended.encode().map_err(Error::unwritable)?;
    let family = transaction.family(&TASK)?;
    if planted!("end_a_task_in_one_write") {
        transaction.replace_record(family, index.get(), Stage::Commit, &record)?;
        return Ok(());
    }
    transaction.change_state_last(family, index.get(), state_offset, Stage::Commit, &record)?;
    Ok(())
}

/// Says which Task of the remote is its counterpart: one overwrite. Allowed also after its end, whose time stays
/// (W-TASK-14). Said again, nothing is written.
///
/// `Conflict`: it has another counterpart (F-2.1). `Refused`: it was created later than now (F-1). `NotFound`: no such
/// Task, or it is hidden.
pub fn publish(transaction: &mut Transaction<'_>, index: TaskIndex, remote: RemoteTaskIndex) -> Result<()> {
    let task = require_kept(&Tasks::new(transaction)?, index)?;
    match task.published {
        Some(published) if published.task == remote => return Ok(()),
        Some(published) => {
            let (found, asked) = (published.task.get(), remote.get());
            let message = format!("Task record {} is published as {found}, not {asked}", index.get());
            return Err(Error::conflict("F-2.1", message));
        }
        None => {}
    }
    let now = transaction.now();
    require_order(now, task.created_at_s, "the Task")?;
    let published = Task {
        published: Some(PublishedTask { task: remote, at: now }),
        updated_at_s: now,
        ..task
    };
    replace(
        transaction,
        &TASK,
        index.get(),
        &published.encode().map_err(Error::unwritable)?,
    )
}
