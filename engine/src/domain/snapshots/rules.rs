//! The checks of Snapshots: what a new one may be, and what keeps an old one in use.

use super::operations::NewSnapshot;
use super::records::Snapshots;
use crate::domain::lines::Lines;
use crate::domain::{Error, Result};
use crate::format::{
    DecodeError, LINE, Layout, Line, LineIndex, LineState, MAX_PARENTS, Reading, Snapshot, SnapshotIndex, TAG, Tag,
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
    for record in 0..source.record_count(source.family(&LINE)?) {
        let line = read(source, &LINE, record, Line::decode)?;
        if line.head == Some(index) && !matches!(line.state, LineState::Deleted { .. }) {
            return refuse("F-2.4", format!("Line record {record} has it as head"));
        }
    }
    for record in 0..source.record_count(source.family(&TAG)?) {
        let tag = read(source, &TAG, record, Tag::decode)?;
        if tag.snapshot == index && !tag.tombstoned {
            return refuse("W-TAG-04", format!("Tag record {record} names it"));
        }
    }
    Ok(())
}

/// One record of a family, typed.
fn read<T>(
    source: &dyn Source,
    layout: &'static Layout,
    index: u32,
    decode: fn(&[u8]) -> Result<Reading<T>, DecodeError>,
) -> Result<T> {
    let mut record = vec![0; layout.record_size];
    source.read_record(source.family(layout)?, index, &mut record)?;
    let reading = decode(&record).map_err(|fault| {
        Error::corrupt(
            layout.file,
            Some(index),
            fault.rule,
            format!("{}: {}", fault.field, fault.problem),
        )
    })?;
    Ok(reading.value)
}
