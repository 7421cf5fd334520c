//! Creating, renaming, moving, archiving, restoring and deleting Lines.

use super::records::Lines;
use super::rules::{require_free, require_head, require_kept, require_live, writable_name};
use crate::domain::snapshots::Snapshots;
use crate::domain::{Error, Result};
use crate::format::{LINE, Line, LineIndex, LineName, LineState, PayloadRange, SnapshotIndex};
use crate::store::{Source as _, Stage, Transaction};

/// Creates a Line. Its name loses the ASCII white space around it; the transaction's time becomes its time of creation
/// and of its last change.
///
/// `Refused`: the name is empty or too long (W-CHANGE-61), a Line that is not deleted has it (F-2.4), or `head` is not
/// a live Snapshot of kind line (W-LINE-03). `NotFound`: there is no Snapshot `head`.
pub fn create(transaction: &mut Transaction<'_>, name: &str, head: Option<SnapshotIndex>) -> Result<LineIndex> {
    let name = writable_name(name)?;
    require_free(&Lines::new(transaction)?, name, None)?;
    require_head(&Snapshots::new(transaction)?, head)?;
    let now = transaction.now();
    let line = Line {
        state: LineState::Live,
        name: append_name(transaction, name)?,
        head,
        created_at_s: now,
        updated_at_s: now,
    };
    let family = transaction.family(&LINE)?;
    let index = transaction.append_record(family, Stage::Commit, &line.encode().map_err(Error::unwritable)?)?;
    LineIndex::new(index).ok_or(Error::Exhausted {
        what: "Lines",
        limit: u64::from(u32::MAX),
    })
}

/// Gives a Line another name: appends it and overwrites the record. Its old name is free again.
///
/// `Refused`: as [`create`], and for an archived Line (W-LINE-03). `NotFound`: no such Line, or it is deleted.
pub fn rename(transaction: &mut Transaction<'_>, index: LineIndex, name: &str) -> Result<()> {
    let name = writable_name(name)?;
    let lines = Lines::new(transaction)?;
    let line = require_live(&lines, index)?;
    require_free(&lines, name, Some(index))?;
    if lines.name_of(index, &line)? == name.as_str() {
        return Ok(());
    }
    let name = append_name(transaction, name)?;
    replace(transaction, index, Line { name, ..line })
}

/// Moves a Line's head from `expected` to `head`: a compare-and-swap, so that of two movers one is told (F-2.4).
///
/// `Conflict`: the head is not `expected`. `Refused`: `head` is not a live Snapshot of kind line, or the Line is
/// archived (W-LINE-03). `NotFound`: no such Line, it is deleted, or there is no such Snapshot.
pub fn move_head(
    transaction: &mut Transaction<'_>,
    index: LineIndex,
    expected: Option<SnapshotIndex>,
    head: Option<SnapshotIndex>,
) -> Result<()> {
    let line = require_live(&Lines::new(transaction)?, index)?;
    let snapshots = Snapshots::new(transaction)?;
    if line.head != expected {
        let (found, expected) = (head_text(&snapshots, line.head), head_text(&snapshots, expected));
        let message = format!("the head of the Line {index} is {found}, not {expected}");
        return Err(Error::conflict("F-2.4", message));
    }
    require_head(&snapshots, head)?;
    if line.head == head {
        return Ok(());
    }
    replace(transaction, index, Line { head, ..line })
}

/// Takes a Line out of use. Its name stays its own.
///
/// `Refused`: it is archived already (W-LINE-03). `NotFound`: no such Line, or it is deleted.
pub fn archive(transaction: &mut Transaction<'_>, index: LineIndex) -> Result<()> {
    let line = require_live(&Lines::new(transaction)?, index)?;
    let state = LineState::Archived { at: transaction.now() };
    replace(transaction, index, Line { state, ..line })
}

/// Brings an archived Line back into use (W-LINE-03).
///
/// `Refused`: it is not archived. `NotFound`: no such Line, or it is deleted; a deleted Line never comes back.
pub fn restore(transaction: &mut Transaction<'_>, index: LineIndex) -> Result<()> {
    let line = require_kept(&Lines::new(transaction)?, index)?;
    if line.is_live() {
        return Err(Error::refused("W-LINE-03", format!("the Line {index} is not archived")));
    }
    let state = LineState::Live;
    replace(transaction, index, Line { state, ..line })
}

/// Deletes a Line: both bits are set, the record stays, its name is free again (F-2.4, W-LINE-03). An archived Line
/// keeps the time at which it was archived.
///
/// `NotFound`: no such Line, or it is deleted already.
pub fn delete(transaction: &mut Transaction<'_>, index: LineIndex) -> Result<()> {
    let line = require_kept(&Lines::new(transaction)?, index)?;
    let at = match line.state {
        LineState::Archived { at } | LineState::Deleted { at } => at,
        LineState::Live => transaction.now(),
    };
    let state = LineState::Deleted { at };
    replace(transaction, index, Line { state, ..line })
}

/// Overwrites the record, with the transaction's time as that of the last change.
fn replace(transaction: &mut Transaction<'_>, index: LineIndex, line: Line) -> Result<()> {
    let updated_at_s = if planted!("keep_the_old_time_of_a_changed_line") {
        line.updated_at_s
    } else {
        transaction.now()
    };
    let record = Line { updated_at_s, ..line }.encode().map_err(Error::unwritable)?;
    let family = transaction.family(&LINE)?;
    Ok(transaction.replace_record(family, index.get(), Stage::Commit, &record)?)
}

fn append_name(transaction: &mut Transaction<'_>, name: LineName<'_>) -> Result<PayloadRange> {
    let bytes = name.as_str().as_bytes();
    let family = transaction.family(&LINE)?;
    let offset = transaction.append_payload(family, bytes)?;
    PayloadRange::new(offset, bytes.len() as u64).ok_or(Error::Exhausted {
        what: "bytes of line_name_payload.bin",
        limit: u64::MAX,
    })
}

fn head_text(snapshots: &Snapshots<'_>, head: Option<SnapshotIndex>) -> String {
    match head {
        None => "absent".to_owned(),
        Some(index) => match snapshots.get(index) {
            Ok(snapshot) => snapshot.id.to_string(),
            Err(_) => format!("Snapshot record {}", index.get()),
        },
    }
}
