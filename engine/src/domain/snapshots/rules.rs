//! The checks of Snapshots: what a new one may be, and what keeps an old one in use.

use super::operations::NewSnapshot;
use super::records::Snapshots;
use crate::domain::changes::Changes;
use crate::domain::lands::Lands;
use crate::domain::lines::Lines;
use crate::domain::stashes::Stashes;
use crate::domain::tags::Tags;
use crate::domain::{Error, Result};
use crate::format::{
    ChangeIndex, LandIndex, Line, LineIndex, LineState, MAX_PARENTS, Snapshot, SnapshotIndex, StashIndex, Tag, TagIndex,
};
use crate::store::Source;

/// The rule that fixes Snapshots.
pub(super) const RULE: &str = "F-2.16";

/// What can be said of a new Snapshot without looking at what is stored.
pub(super) fn check_new(new: &NewSnapshot<'_>) -> Result<()> {
    if new.created_at_s.0 == 0 {
        return Err(Error::refused("F-1", "a Snapshot's time is 0"));
    }
    if new.parents.len() > MAX_PARENTS {
        return Err(Error::Exhausted {
            what: "parents of a Snapshot (G13)",
            limit: MAX_PARENTS as u64,
        });
    }
    if new.history_boundary && !new.parents.is_empty() {
        return Err(Error::refused(RULE, "a Snapshot at a history boundary has no parents"));
    }
    Ok(())
}

/// A parent must be live (F-2.16).
pub(super) fn live_parent(snapshots: &Snapshots<'_>, parent: SnapshotIndex) -> Result<Snapshot> {
    match snapshots.live(parent) {
        Err(Error::NotFound { what }) => Err(Error::refused(
            RULE,
            format!("parent {}: {what} is not there", parent.get()),
        )),
        other => other,
    }
}

/// The name of a Line that a Snapshot is authored on; a deleted one authors nothing (W-LINE-03).
pub(super) fn line_name(source: &dyn Source, index: LineIndex) -> Result<String> {
    let lines = Lines::new(source)?;
    let line = lines.get(index)?;
    if matches!(line.state, LineState::Deleted { .. }) {
        return Err(Error::refused("W-LINE-03", format!("the Line {index} is deleted")));
    }
    lines.name_of(index, &line)
}

/// Nothing live refers to a Snapshot that is taken out of use.
pub(super) fn check_unreferred(source: &dyn Source, snapshots: &Snapshots<'_>, index: SnapshotIndex) -> Result<()> {
    let refuse = |rule, by: String| {
        Err(Error::refused(
            rule,
            format!("Snapshot record {} is in use: {by}", index.get()),
        ))
    };
    for child in (index.get()..snapshots.len()).skip(1).filter_map(SnapshotIndex::new) {
        let snapshot = snapshots.get(child)?;
        if !snapshot.tombstoned && snapshots.parents(child)?.contains(&index) {
            return refuse(RULE, format!("{} is its child", snapshot.id));
        }
    }
    let lines = Lines::new(source)?;
    for line in (0..lines.len()).filter_map(LineIndex::new) {
        let Line { head, state, .. } = lines.get(line)?;
        if head == Some(index) && !matches!(state, LineState::Deleted { .. }) {
            return refuse("F-2.4", format!("the Line {line} has it as head"));
        }
    }
    let tags = Tags::new(source)?;
    for tag in (0..tags.len()).filter_map(TagIndex::new) {
        let Tag {
            snapshot, tombstoned, ..
        } = tags.get(tag)?;
        if snapshot == index && !tombstoned {
            return refuse("W-TAG-04", format!("Tag record {} names it", tag.get()));
        }
    }
    let stashes = Stashes::new(source)?;
    for stash in (0..stashes.len()).filter_map(StashIndex::new) {
        let record = stashes.get(stash)?;
        if record.snapshot == index && !record.tombstoned {
            return refuse("W-STASH-03", format!("the Stash {stash} names it"));
        }
    }
    let changes = Changes::new(source)?;
    for change in (0..changes.len()).filter_map(ChangeIndex::new) {
        if changes.get(change)?.fork == Some(index) {
            return refuse(
                "W-CHANGE-31",
                format!("Change record {} was forked from it", change.get()),
            );
        }
    }
    let lands = Lands::new(source)?;
    for land in (0..lands.len()).filter_map(LandIndex::new) {
        let record = lands.get(land)?;
        if record.tombstoned {
            continue;
        }
        if record.status.landed() == Some(index) {
            return refuse("W-LAND-24", format!("Land record {} landed it", land.get()));
        }
        if record.pre_target == Some(index) {
            return refuse("W-LAND-23", format!("Land record {} landed on it", land.get()));
        }
    }
    Ok(())
}
