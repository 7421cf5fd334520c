//! The operations on Tasks, Changes, Lands and Stashes, performed by the engine.

use graven::domain::changes::NewChange;
use graven::domain::lands::{LandedHistory, NewLand};
use graven::domain::tasks::NewTask;
use graven::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, FailureKind, LandIndex, LandMode, LineIndex, RemoteTaskIndex, StashIndex,
    TaskIndex,
};
use graven::{Txn, Workflow};
use graven_model::domain::{self, Answered, ChangeOperation, LandOperation, StashOperation, TaskOperation};

use super::operations::{snapshot, typed};

/// Performs an operation on a Task.
pub(super) fn task(txn: &mut Txn<'_, Workflow>, operation: &TaskOperation) -> graven::Result<usize> {
    let typed = |task: &usize| typed(*task, TaskIndex::new);
    match operation {
        TaskOperation::Create { title, intent, planned } => {
            let new = NewTask::new(title, intent);
            let new = if *planned { new.planned() } else { new };
            Ok(txn.create_task(&new)?.get() as usize)
        }
        TaskOperation::Complete(task) => txn.complete_task(typed(task)?).map(|()| *task),
        TaskOperation::Cancel(task) => txn.cancel_task(typed(task)?).map(|()| *task),
        TaskOperation::Abandon(task) => txn.abandon_task(typed(task)?).map(|()| *task),
        TaskOperation::Publish { task, remote } => {
            let remote = super::operations::typed(*remote, RemoteTaskIndex::new)?;
            txn.publish_task(typed(task)?, remote).map(|()| *task)
        }
    }
}

/// Performs an operation on a Change.
pub(super) fn change(txn: &mut Txn<'_, Workflow>, operation: &ChangeOperation) -> graven::Result<usize> {
    match operation {
        ChangeOperation::Create { task, title, base_line } => {
            let task = typed(*task, TaskIndex::new)?;
            let new = NewChange { task, title, base_line };
            Ok(txn.create_change(&new)?.get() as usize)
        }
        ChangeOperation::Archive { change, cause } => {
            let cause = match cause {
                domain::ArchiveCause::Plain => ArchiveCause::Plain,
                domain::ArchiveCause::Canceled => ArchiveCause::Canceled,
                domain::ArchiveCause::Superseded => ArchiveCause::Superseded,
            };
            let index = typed(*change, ChangeIndex::new)?;
            txn.archive_change(index, cause).map(|()| *change)
        }
        ChangeOperation::Reopen(change) => {
            let index = typed(*change, ChangeIndex::new)?;
            txn.reopen_change(index).map(|()| *change)
        }
        ChangeOperation::Publish { change, remote } => {
            let index = typed(*change, ChangeIndex::new)?;
            let ordinal = |ordinal| u8::try_from(ordinal).ok().and_then(ChangeOrdinal::new);
            let remote = typed(*remote, ordinal)?;
            txn.publish_change(index, remote).map(|()| *change)
        }
    }
}

/// Performs an operation on a Land.
pub(super) fn land(txn: &mut Txn<'_, Workflow>, operation: &LandOperation) -> graven::Result<Answered> {
    let index = |land: &usize| typed(*land, LandIndex::new);
    let optional = |head: &Option<usize>| head.map(snapshot).transpose();
    let moved = match operation {
        LandOperation::Submit {
            change,
            target_line,
            mode,
        } => {
            let land = txn.submit_land(&new_land(*change, target_line, *mode)?)?;
            return Ok(Answered::Record(land.get() as usize));
        }
        LandOperation::Start(land) => txn.start_land(index(land)?).map(|()| land),
        LandOperation::BeginUpdate(land) => txn.begin_update(index(land)?).map(|()| land),
        LandOperation::Block { land, why } => txn.block_land(index(land)?, failure(*why)).map(|()| land),
        LandOperation::Fail { land, why } => txn.fail_land(index(land)?, failure(*why)).map(|()| land),
        LandOperation::Cancel(land) => txn.cancel_land(index(land)?).map(|()| land),
        LandOperation::Succeed { land, expected, landed } => txn
            .succeed_land(index(land)?, optional(expected)?, snapshot(*landed)?)
            .map(|()| land),
        LandOperation::Land {
            change,
            target_line,
            mode,
            expected,
            landed,
        } => {
            let new = new_land(*change, target_line, *mode)?;
            let landed = txn.land(&new, optional(expected)?, snapshot(*landed)?)?;
            let (land, added) = (landed.index.get() as usize, landed.added);
            return Ok(Answered::Landed { land, added });
        }
        LandOperation::Record {
            title,
            intent,
            line,
            fork,
            landed,
            mode,
        } => {
            let recorded = txn.record_landed(&LandedHistory {
                title,
                intent,
                line: typed(*line, LineIndex::new)?,
                fork: optional(fork)?,
                landed: snapshot(*landed)?,
                mode: land_mode(*mode),
            })?;
            return Ok(Answered::History {
                task: recorded.task.get() as usize,
                change: recorded.change.get() as usize,
                land: recorded.land.get() as usize,
            });
        }
    };
    moved.map(|land| Answered::Record(*land))
}

/// Performs an operation on a Stash.
pub(super) fn stash(txn: &mut Txn<'_, Workflow>, operation: &StashOperation) -> graven::Result<usize> {
    match *operation {
        StashOperation::Save {
            snapshot: on,
            workspace_cleared,
        } => Ok(txn.save_stash(snapshot(on)?, workspace_cleared)?.get() as usize),
        StashOperation::Drop(stash) => txn.drop_stash(typed(stash, StashIndex::new)?).map(|()| stash),
    }
}

fn new_land(change: usize, target_line: &str, mode: domain::LandMode) -> graven::Result<NewLand<'_>> {
    Ok(NewLand {
        change: typed(change, ChangeIndex::new)?,
        target_line,
        mode: land_mode(mode),
    })
}

fn land_mode(mode: domain::LandMode) -> LandMode {
    match mode {
        domain::LandMode::Direct => LandMode::Direct,
        domain::LandMode::Merge => LandMode::Merge,
        domain::LandMode::FastForwardOnly => LandMode::FastForwardOnly,
    }
}

/// The kinds of failure, in the model's words and in the engine's.
pub(super) const FAILURES: [(domain::FailureKind, FailureKind); 7] = [
    (domain::FailureKind::BaseStale, FailureKind::BaseStale),
    (domain::FailureKind::PolicyBlocked, FailureKind::PolicyBlocked),
    (domain::FailureKind::ReviewBlocked, FailureKind::ReviewBlocked),
    (domain::FailureKind::CiBlocked, FailureKind::CiBlocked),
    (domain::FailureKind::Conflict, FailureKind::Conflict),
    (domain::FailureKind::TargetUpdateFailed, FailureKind::TargetUpdateFailed),
    (domain::FailureKind::InternalError, FailureKind::InternalError),
];

fn failure(why: domain::FailureKind) -> FailureKind {
    let known = FAILURES.iter().find(|(model, _)| *model == why);
    known.map_or(FailureKind::InternalError, |(_, engine)| *engine)
}
