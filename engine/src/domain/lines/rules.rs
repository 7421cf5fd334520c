//! What may be done to a Line in which state, and which names are free.

use super::records::Lines;
use crate::domain::snapshots::Snapshots;
use crate::domain::{Error, Result};
use crate::format::{Line, LineIndex, LineName, LineState, SnapshotIndex, SnapshotKind};

/// The name a writer asks for, without the ASCII white space around it (W-CHANGE-61).
pub(super) fn writable_name(text: &str) -> Result<LineName<'_>> {
    LineName::new(text).map_err(Error::unwritable)
}

/// Names are unique among the Lines that are not deleted (F-2.4); `own` is the Line that may have it.
pub(super) fn require_free(lines: &Lines<'_>, name: LineName<'_>, own: Option<LineIndex>) -> Result<()> {
    match lines.find(name.as_str())? {
        Some((index, _)) if Some(index) != own => {
            let message = format!("the Line {index} is already called {:?}", name.as_str());
            Err(Error::refused("F-2.4", message))
        }
        _ => Ok(()),
    }
}

/// The Line of that index, where it is not deleted.
pub(in crate::domain) fn require_kept(lines: &Lines<'_>, index: LineIndex) -> Result<Line> {
    let line = lines.get(index)?;
    match line.state {
        LineState::Live | LineState::Archived { .. } => Ok(line),
        LineState::Deleted { .. } => Err(Error::not_found(format!("the Line {index} (it is deleted)"))),
    }
}

/// The Line of that index, where it is in use: an archived one may only be restored or deleted (W-LINE-03).
pub(super) fn require_live(lines: &Lines<'_>, index: LineIndex) -> Result<Line> {
    let line = require_kept(lines, index)?;
    if line.is_live() {
        return Ok(line);
    }
    let message = format!("the Line {index} is archived; only restoring or deleting it is allowed");
    Err(Error::refused("W-LINE-03", message))
}

/// A head is a live Snapshot whose kind is line (W-LINE-03).
pub(in crate::domain) fn require_head(snapshots: &Snapshots<'_>, head: Option<SnapshotIndex>) -> Result<()> {
    let Some(head) = head else {
        return Ok(());
    };
    let snapshot = snapshots.get(head)?;
    if snapshot.tombstoned {
        return Err(Error::refused(
            "W-LINE-03",
            format!("the Snapshot {} is deleted", snapshot.id),
        ));
    }
    if snapshot.kind != SnapshotKind::Line {
        return Err(Error::refused(
            "W-LINE-03",
            format!("the Snapshot {} is that of a Stash", snapshot.id),
        ));
    }
    Ok(())
}
