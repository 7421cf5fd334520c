//! Stashes: records and their Snapshots.

use super::reader::{Reader, damaged};
use super::snapshots::SnapshotFacts;
use crate::format::{STASH, SnapshotKind, Stash};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// Checks every Stash: a live one has a live Snapshot of kind stash, a deleted one any of that kind (W-STASH-03).
pub(super) fn verify_stashes(
    source: &dyn Source,
    snapshots: &SnapshotFacts,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    reader.each_record(source, &STASH, findings, |findings, _, number, bytes| {
        let stash = match Stash::decode(bytes) {
            Ok(reading) => reading.value,
            Err(fault) => {
                damaged(findings, &STASH, number, &fault);
                return Ok(());
            }
        };
        let snapshot = stash.snapshot.get();
        let wrong = match snapshots.get(snapshot) {
            None if snapshots.lacks(snapshot) => "which does not exist",
            Some(fact) if fact.tombstoned && !stash.tombstoned => "which is deleted",
            Some(fact) if fact.kind != SnapshotKind::Stash => "which is not that of a Stash",
            // A damaged Snapshot is a finding of its own.
            None | Some(_) => return Ok(()),
        };
        let message = format!("it is of Snapshot record {snapshot}, {wrong}");
        findings.error(STASH.file, Some(number), "W-STASH-03", message);
        Ok(())
    })
}
