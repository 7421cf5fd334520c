//! Which Changes may be landed, and which status may follow which.

use crate::domain::changes::Changes;
use crate::domain::{Error, Result};
use crate::format::{Change, ChangeIndex, LandIndex, LandStatus};

/// The Change of that index, where a Land of it may be made: not archived, and not published, since a published one is
/// landed by the remote (F-2.7).
pub(super) fn require_landable(changes: &Changes<'_>, index: ChangeIndex) -> Result<Change> {
    let change = changes.get(index)?;
    let refuse = |why: &str| {
        Err(Error::refused(
            "F-2.7",
            format!("Change record {} is {why}", index.get()),
        ))
    };
    if change.lifecycle.is_archived() {
        return refuse("archived; reopen it first");
    }
    if change.published.is_some() {
        return refuse("published; the remote lands it");
    }
    Ok(change)
}

/// A status follows another only along the graph of G35 (W-LAND-43, assigned by us); ends are immutable (W-LAND-30).
pub(super) fn require_transition(index: LandIndex, from: LandStatus, to: LandStatus) -> Result<()> {
    let may_follow = match from {
        LandStatus::Queued => matches!(to, LandStatus::Running | LandStatus::Canceled),
        LandStatus::Running => !matches!(to, LandStatus::Queued | LandStatus::Running),
        LandStatus::Updating => matches!(to, LandStatus::Succeeded { .. } | LandStatus::Failed { .. }),
        LandStatus::Succeeded { .. }
        | LandStatus::Blocked { .. }
        | LandStatus::Failed { .. }
        | LandStatus::Canceled => false,
    };
    if may_follow {
        return Ok(());
    }
    let message = format!(
        "Land record {} is {}; it cannot become {}",
        index.get(),
        from.as_str(),
        to.as_str()
    );
    Err(Error::refused("G35", message))
}
