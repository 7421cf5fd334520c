//! Submitting a Land, and every change of its status that lands nothing.

use super::records::Lands;
use super::rules::{require_landable, require_transition};
use crate::domain::changes::{Changes, line_called, replace_change};
use crate::domain::family::{append, replace, typed};
use crate::domain::lines::Lines;
use crate::domain::tasks::require_order;
use crate::domain::{Error, Result};
use crate::format::{
    CHANGE_LAND_INDEX, Change, ChangeFlag, ChangeIndex, ChangeLands, ChangeLifecycle, FailureKind, LAND, Land,
    LandIndex, LandMode, LandOrdinal, LandStatus, LineIndex, ORDINALS, SnapshotIndex, TASK_LAND_INDEX, TaskLands,
};
use crate::store::{Source as _, Stage, Transaction};

/// A Land to make.
#[derive(Clone, Copy, Debug)]
pub struct NewLand<'a> {
    /// The Change to land.
    pub change: ChangeIndex,
    /// The name of the Line it goes to.
    pub target_line: &'a str,
    /// How.
    pub mode: LandMode,
}

/// Submits a Land: a queued attempt that already holds its target Line and no Snapshot (W-LAND-28, W-LAND-35). The Line
/// is found by its exact name (W-LAND-34). The transaction's time, never 0, becomes its time of submission
/// (W-LAND-18).
///
/// `Refused`: the Change is archived or published (F-2.7), there is no such Line (W-LAND-34) or it is archived
/// (W-LINE-03), or the Change was created later than now (F-1). `NotFound`: no such Change. `Exhausted`: the Change has
/// 64 Lands (W-LAND-44). `Corrupt`: an owner row disagrees with the Land it names (F-1.2,
/// W-LAND-14).
pub fn submit(transaction: &mut Transaction<'_>, new: &NewLand<'_>) -> Result<LandIndex> {
    let change = require_landable(&Changes::new(transaction)?, new.change)?;
    let (line, _) = line_called(&Lines::new(transaction)?, new.target_line, "W-LAND-34")?;
    append_land(
        transaction,
        new.change,
        &change,
        line,
        new.mode,
        LandStatus::Queued,
        None,
    )
}

/// Begins the work: queued to running.
///
/// `Refused`: another status (G35), or it was submitted later than now (F-1). `NotFound`: no such Land, or it is
/// deleted.
pub fn start(transaction: &mut Transaction<'_>, index: LandIndex) -> Result<()> {
    set_status(transaction, index, LandStatus::Running, Stage::Commit)
}

/// Says that the Line is being moved: running to updating. Otherwise as [`start`].
pub fn begin_update(transaction: &mut Transaction<'_>, index: LandIndex) -> Result<()> {
    set_status(transaction, index, LandStatus::Updating, Stage::Commit)
}

/// Gives the attempt up: queued or running to canceled. Otherwise as [`start`].
pub fn cancel(transaction: &mut Transaction<'_>, index: LandIndex) -> Result<()> {
    set_status(transaction, index, LandStatus::Canceled, Stage::Commit)
}

/// Says that it did not work, and why: running or updating to failed. Otherwise as [`start`].
pub fn fail(transaction: &mut Transaction<'_>, index: LandIndex, why: FailureKind) -> Result<()> {
    set_status(transaction, index, LandStatus::Failed { why: Some(why) }, Stage::Commit)
}

/// Says what keeps it from landing: running to blocked. A Change that is neither landed nor archived is blocked with
/// it, and no longer ready to land (F-2.2). Otherwise as [`start`].
pub fn block(transaction: &mut Transaction<'_>, index: LandIndex, why: FailureKind) -> Result<()> {
    let status = LandStatus::Blocked { why: Some(why) };
    let owner = Lands::new(transaction)?.live(index)?.change;
    let change = Changes::new(transaction)?.get(owner)?;
    match change.lifecycle {
        ChangeLifecycle::Landed | ChangeLifecycle::Archived { .. } => {
            set_status(transaction, index, status, Stage::Commit)
        }
        ChangeLifecycle::Draft | ChangeLifecycle::Active => {
            set_status(transaction, index, status, Stage::State)?;
            let flags = change.flags.with(ChangeFlag::Blocked).without(ChangeFlag::ReadyToLand);
            replace_change(transaction, owner, Change { flags, ..change })
        }
    }
}

fn set_status(transaction: &mut Transaction<'_>, index: LandIndex, status: LandStatus, state: Stage) -> Result<()> {
    let land = Lands::new(transaction)?.live(index)?;
    change_status(transaction, index, Land { status, ..land }, land.status, state)
}

/// Writes a Land whose status changed, the state byte last (W-LAND-07), in the commit stage where nothing of the
/// operation follows it, else in the state stage (F-0.2).
pub(super) fn change_status(
    transaction: &mut Transaction<'_>,
    index: LandIndex,
    land: Land,
    from: LandStatus,
    state: Stage,
) -> Result<()> {
    require_transition(index, from, land.status)?;
    let updated_at_s = transaction.now();
    require_order(updated_at_s, land.submitted_at_s.unwrap_or_default(), "the Land")?;
    let record = Land { updated_at_s, ..land }.encode().map_err(Error::unwritable)?;
    let family = transaction.family(&LAND)?;
    let state = if planted!("let_a_land_succeed_in_the_commit_stage") {
        Stage::Commit
    } else {
        state
    };
    Ok(transaction.change_state_last(family, index.get(), Land::META_OFFSET, state, &record)?)
}

/// Appends a Land of that Change at the transaction's time, which is never 0 (W-LAND-19), and both owner rows, all in the
/// commit stage.
pub(super) fn append_land(
    transaction: &mut Transaction<'_>,
    change_index: ChangeIndex,
    change: &Change,
    target_line: LineIndex,
    mode: LandMode,
    status: LandStatus,
    pre_target: Option<SnapshotIndex>,
) -> Result<LandIndex> {
    let now = transaction.now();
    require_order(now, change.created_at_s, "the Change")?;
    let lands = Lands::new(transaction)?;
    let (row, task_row) = (lands.allocating_row(change_index)?, lands.extending_row(change.task)?);
    let ordinal = LandOrdinal::new(row.next).ok_or(Error::Exhausted {
        what: "Lands of a Change (W-LAND-44)",
        limit: ORDINALS.into(),
    })?;
    let land = Land {
        status,
        mode,
        tombstoned: false,
        ordinal,
        change_ordinal: change.ordinal,
        change: change_index,
        previous_of_task: task_row.latest,
        previous_of_change: row.latest,
        pre_target,
        submitted_at_s: Some(now),
        updated_at_s: now,
        target_line,
    };
    let index = append(
        transaction,
        &LAND,
        Stage::Commit,
        &land.encode().map_err(Error::unwritable)?,
    )?;
    let index = typed(LandIndex::new(index), "Lands")?;
    let row = ChangeLands {
        latest: Some(index),
        count: row.count.saturating_add(1),
        next: ordinal.plus1(),
    };
    replace(
        transaction,
        &CHANGE_LAND_INDEX,
        change_index.get(),
        &row.encode().map_err(Error::unwritable)?,
    )?;
    let task_row = TaskLands {
        latest: Some(index),
        count: task_row.count.saturating_add(1),
    };
    replace(transaction, &TASK_LAND_INDEX, change.task.get(), &task_row.encode())?;
    Ok(index)
}
