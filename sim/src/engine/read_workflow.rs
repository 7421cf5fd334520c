//! Everything that the public face shows of Tasks, Changes, Lands and Stashes, in the model's words.

use graven::format::{self, ArchiveCause, ChangeLifecycle, LandMode, LandStatus, SnapshotIndex, TaskFlags};
use graven::{Change, Land, Result, Stash, Task, View, Workflow};
use graven_model::domain::{self, ChangeSeen, LandSeen, Lifecycle, Owned, TaskSeen, described};

use super::workflow::FAILURES;
use crate::subject::Seen;

/// Reads every record of the four families, through its owner's row and chain as well.
pub(super) fn everything(view: &View<'_, Workflow>) -> Result<Seen> {
    let mut unwritten = Vec::new();
    let mut tasks = Vec::new();
    for row in view.tasks()? {
        let (index, record) = row?;
        unwritten.extend(unwritten_of_task(&record).map(|what| format!("task {}: {what}", index.get())));
        tasks.push(task(view, index, &record)?);
    }
    let mut changes = Vec::new();
    for row in view.changes()? {
        let (index, record) = row?;
        changes.push(change(view, index, &record)?);
    }
    let mut lands = Vec::new();
    for row in view.lands()? {
        let (index, record) = row?;
        unwritten.extend(unwritten_of_land(&record).map(|what| format!("land {}: {what}", index.get())));
        lands.push(land(&record));
    }
    let mut stashes = Vec::new();
    for row in view.stashes()? {
        stashes.push(stash(&row?.1));
    }
    Ok(described("task", tasks.into_iter())
        .chain(described("change", changes.into_iter()))
        .chain(described("land", lands.into_iter()))
        .chain(described("stash", stashes.into_iter()))
        .chain(unwritten)
        .collect())
}

/// What stands in a Task's record though no operation writes it.
fn unwritten_of_task(task: &format::Task) -> Option<String> {
    let linked = task.plan_revision.is_some() || task.plan_item.is_some() || task.plan_linked_at_s.is_some();
    let unwritten = task.hidden || task.flags != TaskFlags::NONE || linked;
    unwritten.then(|| format!("what no operation writes: {task:?}"))
}

/// What stands in a Land's record though no operation writes it.
fn unwritten_of_land(land: &format::Land) -> Option<String> {
    let (blocked, failed) = (LandStatus::Blocked { why: None }, LandStatus::Failed { why: None });
    let unwritten = land.tombstoned || land.status == blocked || land.status == failed || land.submitted_at_s.is_none();
    unwritten.then(|| format!("what no operation writes: {land:?}"))
}

fn task(view: &View<'_, Workflow>, index: format::TaskIndex, task: &Task<'_>) -> Result<TaskSeen> {
    let (changes, lands, text) = (view.changes()?, view.lands()?, task.text()?);
    let (change_row, land_row) = (changes.row(index)?, lands.task_row(index)?);
    Ok(TaskSeen {
        task: domain::Task {
            title: text.title,
            intent: text.intent,
            planned: task.planned,
            status: match task.status {
                format::TaskStatus::Active => domain::TaskStatus::Active,
                format::TaskStatus::Completed => domain::TaskStatus::Completed,
                format::TaskStatus::Canceled => domain::TaskStatus::Canceled,
                format::TaskStatus::Abandoned => domain::TaskStatus::Abandoned,
            },
            closed_at_s: task.closed_at_s.map(|at| at.0),
            published: task
                .published
                .map(|published| (published.task.get() as usize, published.at.0)),
            created_at_s: task.created_at_s.0,
            updated_at_s: task.updated_at_s.0,
        },
        changes: Owned {
            latest: change_row.latest.map(|change| change.get() as usize),
            count: change_row.count.into(),
            members: places(changes.of_task(index)?.iter().map(|change| change.index().get())),
            next: Some(change_row.next.into()),
        },
        lands: Owned {
            latest: land_row.latest.map(|land| land.get() as usize),
            count: land_row.count.into(),
            members: places(lands.of_task(index)?.iter().map(|land| land.index().get())),
            next: None,
        },
    })
}

fn change(view: &View<'_, Workflow>, index: format::ChangeIndex, change: &Change<'_>) -> Result<ChangeSeen> {
    let lands = view.lands()?;
    let row = lands.row(index)?;
    Ok(ChangeSeen {
        change: domain::Change {
            task: change.task.get() as usize,
            ordinal: change.ordinal.get().into(),
            title: change.title()?,
            lifecycle: lifecycle(change.lifecycle),
            flags: change.flags.iter().map(flag).collect(),
            base_line: change.base_line.get() as usize,
            fork: place(change.fork),
            published: change
                .published
                .map(|published| (published.ordinal.get().into(), published.at.0)),
            created_at_s: change.created_at_s.0,
            updated_at_s: change.updated_at_s.0,
        },
        previous: change.previous.map(|previous| previous.get() as usize),
        lands: Owned {
            latest: row.latest.map(|land| land.get() as usize),
            count: row.count.into(),
            members: places(lands.of_change(index)?.iter().map(|land| land.index().get())),
            next: Some(row.next.into()),
        },
        winning: lands.winning(index)?.map(|land| land.index().get() as usize),
    })
}

fn lifecycle(lifecycle: ChangeLifecycle) -> Lifecycle {
    match lifecycle {
        ChangeLifecycle::Draft => Lifecycle::Draft,
        ChangeLifecycle::Active => Lifecycle::Active,
        ChangeLifecycle::Landed => Lifecycle::Landed,
        ChangeLifecycle::Archived { cause, at } => Lifecycle::Archived {
            cause: match cause {
                ArchiveCause::Plain => domain::ArchiveCause::Plain,
                ArchiveCause::Canceled => domain::ArchiveCause::Canceled,
                ArchiveCause::Superseded => domain::ArchiveCause::Superseded,
            },
            at_s: at.map_or(0, |at| at.0),
        },
    }
}

fn flag(flag: format::ChangeFlag) -> domain::ChangeFlag {
    match flag {
        format::ChangeFlag::HasPatchsets => domain::ChangeFlag::HasPatchsets,
        format::ChangeFlag::ReviewPending => domain::ChangeFlag::ReviewPending,
        format::ChangeFlag::ValidationPending => domain::ChangeFlag::ValidationPending,
        format::ChangeFlag::ReadyToLand => domain::ChangeFlag::ReadyToLand,
        format::ChangeFlag::Blocked => domain::ChangeFlag::Blocked,
    }
}

fn land(land: &Land<'_>) -> LandSeen {
    LandSeen {
        land: domain::Land {
            change: land.change.get() as usize,
            ordinal: land.ordinal.get().into(),
            target_line: land.target_line.get() as usize,
            mode: match land.mode {
                LandMode::Direct => domain::LandMode::Direct,
                LandMode::Merge => domain::LandMode::Merge,
                LandMode::FastForwardOnly => domain::LandMode::FastForwardOnly,
            },
            status: match land.status {
                LandStatus::Queued => domain::LandStatus::Queued,
                LandStatus::Running => domain::LandStatus::Running,
                LandStatus::Succeeded { landed } => domain::LandStatus::Succeeded {
                    landed: landed.get() as usize,
                },
                LandStatus::Blocked { why } => domain::LandStatus::Blocked(failure(why)),
                LandStatus::Failed { why } => domain::LandStatus::Failed(failure(why)),
                LandStatus::Canceled => domain::LandStatus::Canceled,
                LandStatus::Updating => domain::LandStatus::Updating,
            },
            pre_target: place(land.pre_target),
            submitted_at_s: land.submitted_at_s.map_or(0, |at| at.0),
            updated_at_s: land.updated_at_s.0,
        },
        change_ordinal: land.change_ordinal.get().into(),
        previous_of_task: land.previous_of_task.map(|previous| previous.get() as usize),
        previous_of_change: land.previous_of_change.map(|previous| previous.get() as usize),
    }
}

/// The kind of a failure; where there is none, [`unwritten_of_land`] says so.
fn failure(why: Option<format::FailureKind>) -> domain::FailureKind {
    let known = FAILURES.iter().find(|(_, engine)| Some(*engine) == why);
    known.map_or(domain::FailureKind::InternalError, |(model, _)| *model)
}

fn stash(stash: &Stash<'_>) -> domain::Stash {
    domain::Stash {
        tombstoned: stash.tombstoned,
        workspace_cleared: stash.workspace_cleared,
        snapshot: stash.snapshot.get() as usize,
    }
}

fn place(snapshot: Option<SnapshotIndex>) -> Option<usize> {
    snapshot.map(|snapshot| snapshot.get() as usize)
}

fn places(indexes: impl Iterator<Item = u32>) -> Vec<usize> {
    indexes.map(|index| index as usize).collect()
}
