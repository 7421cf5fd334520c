//! Creating, archiving, reopening and publishing Changes.

use super::records::Changes;
use super::rules::line_called;
use crate::domain::family::{append, append_payload, replace, typed};
use crate::domain::lines::Lines;
use crate::domain::tasks::{Tasks, require_kept, require_open, require_order};
use crate::domain::{Error, Result};
use crate::format::{
    ArchiveCause, CHANGE, CHANGE_LAND_INDEX, Change, ChangeFlag, ChangeFlags, ChangeIndex, ChangeLands,
    ChangeLifecycle, ChangeOrdinal, ChangeTitle, LineIndex, ORDINALS, PublishedChange, SnapshotIndex,
    TASK_CHANGE_INDEX, TaskChanges, TaskIndex,
};
use crate::store::{Stage, Transaction};

/// A Change to create.
#[derive(Clone, Copy, Debug)]
pub struct NewChange<'a> {
    /// The Task it belongs to.
    pub task: TaskIndex,
    /// What it is called.
    pub title: &'a str,
    /// The name of the Line it is forked from.
    pub base_line: &'a str,
}

/// Creates a Change of an open Task, forked from the head that its base Line has now (W-CHANGE-47). The Line is found
/// by its exact name (W-CHANGE-46).
///
/// `Refused`: the Task has ended (W-TASK-18), the title is empty or too long (F-2.2), there is no such Line
/// (W-CHANGE-46) or it is archived (W-LINE-03), or the Task was created later than now (F-1). `NotFound`: no such Task.
/// `Exhausted`: the Task has 64 Changes (F-1). `Corrupt`: an owner row does not stand beside its owner, or disagrees with
/// the Change it names (F-1.2).
pub fn create(transaction: &mut Transaction<'_>, new: &NewChange<'_>) -> Result<ChangeIndex> {
    let (line, record) = line_called(&Lines::new(transaction)?, new.base_line, "W-CHANGE-46")?;
    append_to_task(transaction, new.task, new.title, line, record.head)
}

/// Appends a Change of an open Task: title; in the commit stage the row of its Lands, the record, and the Task's row.
pub(in crate::domain) fn append_to_task(
    transaction: &mut Transaction<'_>,
    task: TaskIndex,
    title: &str,
    base_line: LineIndex,
    fork: Option<SnapshotIndex>,
) -> Result<ChangeIndex> {
    let title = ChangeTitle::new(title).map_err(Error::unwritable)?;
    let now = transaction.now();
    require_order(
        now,
        require_open(&Tasks::new(transaction)?, task)?.created_at_s,
        "the Task",
    )?;
    let row = Changes::new(transaction)?.allocating_row(task)?;
    let ordinal = ChangeOrdinal::new(row.next).ok_or(Error::Exhausted {
        what: "Changes of a Task",
        limit: ORDINALS.into(),
    })?;
    let change = Change {
        lifecycle: ChangeLifecycle::Draft,
        flags: ChangeFlags::NONE,
        ordinal,
        task,
        previous: row.latest,
        fork,
        published: None,
        title: append_payload(transaction, &CHANGE, title.as_str().as_bytes())?,
        base_line,
        created_at_s: now,
        updated_at_s: now,
    };
    let no_lands = ChangeLands::default().encode().map_err(Error::unwritable)?;
    let land_row = append(transaction, &CHANGE_LAND_INDEX, Stage::Commit, &no_lands)?;
    let index = append(
        transaction,
        &CHANGE,
        Stage::Commit,
        &change.encode().map_err(Error::unwritable)?,
    )?;
    if land_row != index {
        let message = format!("the row of Change record {index} would be row {land_row}; `graven repair` says more");
        return Err(Error::corrupt(CHANGE_LAND_INDEX.file, None, "F-1.2", message));
    }
    let index = typed(ChangeIndex::new(index), "Changes")?;
    let more = u16::from(!planted!("count_no_change_in_its_owners_row"));
    let row = TaskChanges {
        latest: Some(index),
        count: row.count.saturating_add(more),
        next: ordinal.plus1(),
    };
    replace(
        transaction,
        &TASK_CHANGE_INDEX,
        task.get(),
        &row.encode().map_err(Error::unwritable)?,
    )?;
    Ok(index)
}

/// Takes a Change out of use. Lifecycle, cause and time change in one overwrite (W-CHANGE-39, W-CHANGE-40); no
/// transaction has the time 0 (W-CHANGE-42).
///
/// `Refused`: it has landed or is archived already (F-2.2), or it was created later than now (F-1). `NotFound`: no such
/// Change.
pub fn archive(transaction: &mut Transaction<'_>, index: ChangeIndex, cause: ArchiveCause) -> Result<()> {
    let change = Changes::new(transaction)?.get(index)?;
    let refuse = |state: &str| {
        Err(Error::refused(
            "F-2.2",
            format!("Change record {} {state}", index.get()),
        ))
    };
    match change.lifecycle {
        ChangeLifecycle::Landed => return refuse("has landed"),
        ChangeLifecycle::Archived { .. } => return refuse("is archived already"),
        ChangeLifecycle::Draft | ChangeLifecycle::Active => {}
    }
    let at = Some(transaction.now());
    let lifecycle = ChangeLifecycle::Archived { cause, at };
    replace_change(transaction, index, Change { lifecycle, ..change })
}

/// Brings an archived Change back, whatever the cause was (W-CHANGE-57): active where it has Patchsets, else a draft
/// (G29, assigned by us). Cause and time go.
///
/// `Refused`: it is not archived (F-2.2), or it was created later than now (F-1). `NotFound`: no such Change.
pub fn reopen(transaction: &mut Transaction<'_>, index: ChangeIndex) -> Result<()> {
    let change = Changes::new(transaction)?.get(index)?;
    if !change.lifecycle.is_archived() {
        return Err(Error::refused(
            "F-2.2",
            format!("Change record {} is not archived", index.get()),
        ));
    }
    let lifecycle = if change.flags.contains(ChangeFlag::HasPatchsets) {
        ChangeLifecycle::Active
    } else {
        ChangeLifecycle::Draft
    };
    replace_change(transaction, index, Change { lifecycle, ..change })
}

/// Says which Change of its Task's counterpart in the remote is this one's: the ordinal that the remote gave, which may
/// differ from the local one (W-CHANGE-27). Said again, nothing is written.
///
/// `Refused`: the Task is not published (W-CHANGE-26), or the Change was created later than now (F-1). `Conflict`: it
/// has another counterpart (W-CHANGE-27), or another Change of the Task has this one (W-CHANGE-06). `NotFound`: no such
/// Change.
pub fn publish(transaction: &mut Transaction<'_>, index: ChangeIndex, remote: ChangeOrdinal) -> Result<()> {
    let changes = Changes::new(transaction)?;
    let change = changes.get(index)?;
    match change.published {
        Some(published) if published.ordinal == remote => return Ok(()),
        Some(published) => {
            let message = format!(
                "Change record {} is published as {}, not {remote}",
                index.get(),
                published.ordinal
            );
            return Err(Error::conflict("W-CHANGE-27", message));
        }
        None => {}
    }
    if require_kept(&Tasks::new(transaction)?, change.task)?
        .published
        .is_none()
    {
        let message = format!("Task record {} is not published", change.task.get());
        return Err(Error::refused("W-CHANGE-26", message));
    }
    for (other, record) in changes.of_task(change.task)? {
        if record.published.is_some_and(|published| published.ordinal == remote) {
            let message = format!("Change record {} is published as {remote} already", other.get());
            return Err(Error::conflict("W-CHANGE-06", message));
        }
    }
    let published = Some(PublishedChange {
        ordinal: remote,
        at: transaction.now(),
    });
    replace_change(transaction, index, Change { published, ..change })
}

/// Overwrites the record, with the transaction's time as that of the last change.
pub(in crate::domain) fn replace_change(
    transaction: &mut Transaction<'_>,
    index: ChangeIndex,
    change: Change,
) -> Result<()> {
    let updated_at_s = transaction.now();
    require_order(updated_at_s, change.created_at_s, "the Change")?;
    let record = Change { updated_at_s, ..change };
    replace(
        transaction,
        &CHANGE,
        index.get(),
        &record.encode().map_err(Error::unwritable)?,
    )
}
