//! Lands: records, and what they refer to: their Change, their target Line, their Snapshots; and whether a Change that
//! says it landed did.

use super::changes::ChangeFact;
use super::facts::Facts;
use super::reader::{Reader, damaged, tolerated};
use super::snapshots::SnapshotFacts;
use crate::format::{CHANGE, LAND, Land};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// What the Lands refer to.
pub(super) struct Around<'f> {
    pub(super) changes: &'f Facts<ChangeFact>,
    /// The number of Lines; `None` where nobody can tell.
    pub(super) line_count: Option<u32>,
    pub(super) snapshots: &'f SnapshotFacts,
}

/// Checks every Land, and every Change's lifecycle against them (F-2.2).
pub(super) fn verify_lands(
    source: &dyn Source,
    around: &Around<'_>,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    // The Changes of which a live Land succeeded; whether every Land could be read.
    let mut succeeded: Vec<u32> = Vec::new();
    let mut whole = super::reader::resolve(source, &LAND)?.is_some();
    reader.each_record(source, &LAND, findings, |findings, _, number, bytes| {
        let reading = match Land::decode(bytes) {
            Ok(reading) => reading,
            Err(fault) => {
                damaged(findings, &LAND, number, &fault);
                whole = false;
                return Ok(());
            }
        };
        tolerated(findings, &LAND, number, reading.tolerated);
        let land = reading.value;
        around.verify(number, &land, findings);
        if land.status.landed().is_some() && !land.tombstoned {
            succeeded.push(land.change.get());
        }
        Ok(())
    })?;
    succeeded.sort_unstable();
    for (number, change) in around.changes.iter() {
        let wrong = match (change.landed, succeeded.binary_search(&number).is_ok()) {
            (false, true) => "a Land of it succeeded, and its lifecycle is not landed",
            (true, false) if whole => "its lifecycle is landed, and no Land of it succeeded",
            // A Land that cannot be read may be the one.
            (true, _) | (false, false) => continue,
        };
        findings.error(CHANGE.file, Some(number), "F-2.2", wrong);
    }
    Ok(())
}

impl Around<'_> {
    /// The Change exists and has that ordinal (F-2.7); the target Line exists, in whatever state (W-LAND-36); the
    /// Snapshots are live and of kind line, those of a deleted Land exist (W-LAND-23, W-LAND-24, W-LAND-37). On which
    /// Line they were authored is never compared (W-LAND-25, W-LAND-26, W-LAND-39).
    fn verify(&self, number: u32, land: &Land, findings: &mut Findings) {
        let mut error = |rule, message| findings.error(LAND.file, Some(number), rule, message);
        let change = land.change.get();
        match self.changes.get(change) {
            None if self.changes.lacks(change) => {
                error("F-2.7", format!("its Change, record {change}, does not exist"));
            }
            Some(fact) if fact.ordinal != land.change_ordinal => {
                let message = format!(
                    "its change_ordinal is {}, that of its Change, record {change}, is {}",
                    land.change_ordinal.get(),
                    fact.ordinal.get()
                );
                error("F-2.7", message);
            }
            // A damaged Change is a finding of its own.
            None | Some(_) => {}
        }
        let line = land.target_line.get();
        if self.line_count.is_some_and(|count| line >= count) {
            error("W-LAND-36", format!("its target Line, record {line}, does not exist"));
        }
        for (what, snapshot) in [("target before", land.pre_target), ("landed", land.status.landed())] {
            let Some(snapshot) = snapshot else {
                continue;
            };
            let wrong = self.snapshots.wrong_head(snapshot);
            if let Some(wrong) = wrong.filter(|_| !land.tombstoned || self.snapshots.lacks(snapshot.get())) {
                let message = format!("its Snapshot {what} is record {}, {wrong}", snapshot.get());
                error("W-LAND-37", message);
            }
        }
    }
}
