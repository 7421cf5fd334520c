//! What lands: a Land that succeeds, one that is submitted and succeeds at once, and history that landed elsewhere.

use super::operations::{NewLand, append_land, change_status};
use super::records::Lands;
use super::rules::require_landable;
use crate::domain::changes::{Changes, append_to_task, line_called, replace_change};
use crate::domain::lines::{Lines, move_head, require_head, require_kept};
use crate::domain::snapshots::Snapshots;
use crate::domain::tasks::{self, NewTask};
use crate::domain::{Error, Result};
use crate::format::{
    Change, ChangeFlag, ChangeFlags, ChangeIndex, ChangeLifecycle, Land, LandIndex, LandMode, LandStatus, LineIndex,
    SnapshotIndex, TaskIndex,
};
use crate::store::{Stage, Transaction};

/// The Land that [`land`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed {
    /// Its index.
    pub index: LandIndex,
    /// Whether it was written now; `false`: the Change had landed this Snapshot on this Line already.
    pub added: bool,
}

/// Says that a running or updating Land succeeded: moves the target Line's head from `expected` to `landed`, and the
/// Change becomes landed. Its `updated_at_s`, the transaction's time, is when the Change landed (W-LAND-32).
///
/// `Conflict`: the Line's head is not `expected` (F-2.4). `Refused`: another status (G35), `landed` is no live Snapshot
/// of kind line or the Line is archived (W-LINE-03), the mode is ff-only and `landed` does not descend from the head
/// (F-2.7), the Change is archived or published (F-2.7), or a record was made later than now (F-1). `NotFound`: no such
/// Land, Line or Snapshot.
pub fn succeed(
    transaction: &mut Transaction<'_>,
    index: LandIndex,
    expected: Option<SnapshotIndex>,
    landed: SnapshotIndex,
) -> Result<()> {
    let land = Lands::new(transaction)?.live(index)?;
    let succeeded = Land {
        status: LandStatus::Succeeded { landed },
        pre_target: expected,
        ..land
    };
    change_status(transaction, index, succeeded, land.status, Stage::State)?;
    let change = require_landable(&Changes::new(transaction)?, land.change)?;
    advance(transaction, land.target_line, expected, landed, land.mode)?;
    make_landed(transaction, land.change, change)
}

/// Lands a Change in one step: a Land that is submitted and succeeds at once, as [`submit`](super::submit) and
/// [`succeed`] together. Where the Change's latest success is this Snapshot on this Line, it is answered and nothing is
/// written (F-2.7).
///
/// Errors as those two.
pub fn land(
    transaction: &mut Transaction<'_>,
    new: &NewLand<'_>,
    expected: Option<SnapshotIndex>,
    landed: SnapshotIndex,
) -> Result<Landed> {
    let change = require_landable(&Changes::new(transaction)?, new.change)?;
    let (line, _) = line_called(&Lines::new(transaction)?, new.target_line, "W-LAND-34")?;
    let winning = Lands::new(transaction)?.winning(new.change)?;
    if let Some((index, land)) = winning.filter(|(_, land)| land.target_line == line)
        && land.status.landed() == Some(landed)
    {
        return Ok(Landed { index, added: false });
    }
    advance(transaction, line, expected, landed, new.mode)?;
    let status = LandStatus::Succeeded { landed };
    let index = append_land(transaction, new.change, &change, line, new.mode, status, expected)?;
    make_landed(transaction, new.change, change)?;
    Ok(Landed { index, added: true })
}

/// Moves the target Line. That of two movers one is told, and that the head is a live Snapshot of kind line, is the
/// Line's own business (W-LAND-23, W-LAND-24).
fn advance(
    transaction: &mut Transaction<'_>,
    line: LineIndex,
    expected: Option<SnapshotIndex>,
    landed: SnapshotIndex,
    mode: LandMode,
) -> Result<()> {
    move_head(transaction, line, expected, Some(landed))?;
    let (LandMode::FastForwardOnly, Some(head)) = (mode, expected) else {
        return Ok(());
    };
    if Snapshots::new(transaction)?.is_ancestor(head, landed)? {
        return Ok(());
    }
    let message = format!(
        "Snapshot record {} does not descend from the head {}",
        landed.get(),
        head.get()
    );
    Err(Error::refused("F-2.7", message))
}

/// A landed Change keeps of its status bits only that it has Patchsets (F-2.2).
fn make_landed(transaction: &mut Transaction<'_>, index: ChangeIndex, change: Change) -> Result<()> {
    let flags = if change.flags.contains(ChangeFlag::HasPatchsets) {
        ChangeFlags::NONE.with(ChangeFlag::HasPatchsets)
    } else {
        ChangeFlags::NONE
    };
    let lifecycle = ChangeLifecycle::Landed;
    replace_change(
        transaction,
        index,
        Change {
            lifecycle,
            flags,
            ..change
        },
    )
}

/// Work that landed before it came here: one commit of a main line.
#[derive(Clone, Copy, Debug)]
pub struct LandedHistory<'a> {
    /// The Task's and the Change's title.
    pub title: &'a str,
    /// The Task's intent.
    pub intent: &'a str,
    /// The Line it landed on; it is not moved.
    pub line: LineIndex,
    /// The Line's head before: the Change's fork and the Land's pre-target.
    pub fork: Option<SnapshotIndex>,
    /// The Snapshot that became the Line's head.
    pub landed: SnapshotIndex,
    /// How.
    pub mode: LandMode,
}

/// What [`record_landed`] wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedHistory {
    /// The completed Task.
    pub task: TaskIndex,
    /// Its landed Change.
    pub change: ChangeIndex,
    /// The Land that succeeded.
    pub land: LandIndex,
}

/// Records work that landed before it came here: a completed Task, its landed Change and the Land that succeeded, all of
/// the transaction's time. No Line moves.
///
/// `Refused`: title or intent is empty or too long (F-2.1, F-2.2), or a Snapshot is deleted or that of a Stash
/// (W-LINE-03). `NotFound`: no such Line, it is deleted, or there is no such Snapshot.
pub fn record_landed(transaction: &mut Transaction<'_>, history: &LandedHistory<'_>) -> Result<RecordedHistory> {
    let snapshots = Snapshots::new(transaction)?;
    require_head(&snapshots, history.fork)?;
    require_head(&snapshots, Some(history.landed))?;
    require_kept(&Lines::new(transaction)?, history.line)?;
    let task = tasks::create(transaction, &NewTask::new(history.title, history.intent))?;
    let change = append_to_task(transaction, task, history.title, history.line, history.fork)?;
    let record = Changes::new(transaction)?.get(change)?;
    let status = LandStatus::Succeeded { landed: history.landed };
    let land = append_land(
        transaction,
        change,
        &record,
        history.line,
        history.mode,
        status,
        history.fork,
    )?;
    make_landed(transaction, change, record)?;
    tasks::complete(transaction, task)?;
    Ok(RecordedHistory { task, change, land })
}
