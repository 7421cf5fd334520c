//! What may be done to a Task in which state.

use super::records::Tasks;
use crate::domain::{Error, Result};
use crate::format::{Task, TaskIndex, UnixSeconds};

/// The Task of that index, unless it is hidden: then it is looked up as unknown (G01, assigned by us).
pub(in crate::domain) fn require_kept(tasks: &Tasks<'_>, index: TaskIndex) -> Result<Task> {
    let task = tasks.get(index)?;
    if task.hidden {
        return Err(Error::not_found(format!("Task record {} (it is hidden)", index.get())));
    }
    Ok(task)
}

/// The Task of that index, where it is open: an end is never taken back (W-TASK-18).
pub(in crate::domain) fn require_open(tasks: &Tasks<'_>, index: TaskIndex) -> Result<Task> {
    let task = require_kept(tasks, index)?;
    if task.status.is_terminal() {
        let message = format!("Task record {} is {}", index.get(), task.status.as_str());
        return Err(Error::refused("W-TASK-18", message));
    }
    Ok(task)
}

/// A record is not changed before the time it was created at (F-1, time order).
pub(in crate::domain) fn require_order(now: UnixSeconds, created_at_s: UnixSeconds, what: &str) -> Result<()> {
    if now < created_at_s {
        let message = format!("{what} was created at {created_at_s}, after the time {now} of this change");
        return Err(Error::refused("F-1", message));
    }
    Ok(())
}
