//! Changes: records, titles, and what they refer to: their Task, their base Line, their fork Snapshot.

use std::collections::HashMap;

use super::facts::Facts;
use super::payload::{PayloadRanges, read_whole};
use super::reader::{Reader, absorbed, damaged, resolve, tolerated};
use super::snapshots::SnapshotFacts;
use super::tasks::TaskFact;
use crate::format::{CHANGE, Change, ChangeLifecycle, ChangeOrdinal, ChangeTitle, TaskIndex};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// What other families' checks need of a Change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeFact {
    /// Its place in its Task.
    pub(super) ordinal: ChangeOrdinal,
    /// Its lifecycle says that a Land of it succeeded.
    pub(super) landed: bool,
}

/// What the Changes refer to.
pub(super) struct Around<'f> {
    pub(super) tasks: &'f Facts<TaskFact>,
    /// The number of Lines; `None` where nobody can tell.
    pub(super) line_count: Option<u32>,
    pub(super) snapshots: &'f SnapshotFacts,
}

/// Checks every Change.
pub(super) fn verify_changes(
    source: &dyn Source,
    around: &Around<'_>,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<Facts<ChangeFact>> {
    let mut facts = Facts::default();
    let mut ranges = PayloadRanges::default();
    let mut remote: HashMap<(TaskIndex, ChangeOrdinal), u32> = HashMap::new();
    reader.each_record(source, &CHANGE, findings, |findings, family, number, bytes| {
        let reading = match Change::decode(bytes) {
            Ok(reading) => reading,
            Err(fault) => {
                damaged(findings, &CHANGE, number, &fault);
                return Ok(());
            }
        };
        tolerated(findings, &CHANGE, number, reading.tolerated);
        let change = reading.value;
        ranges.add(number, change.title);
        if let Some(bytes) = absorbed(findings, &CHANGE, read_whole(source, family, change.title))?.flatten()
            && let Err(fault) = ChangeTitle::read(&bytes)
        {
            damaged(findings, &CHANGE, number, &fault);
        }
        around.verify(number, &change, findings);
        if let Some(published) = change.published
            && let Some(first) = remote.insert((change.task, published.ordinal), number)
        {
            let message = format!("its remote ordinal is that of record {first}, of the same Task, too");
            findings.error(CHANGE.file, Some(number), "W-CHANGE-06", message);
        }
        let landed = change.lifecycle == ChangeLifecycle::Landed;
        let ordinal = change.ordinal;
        facts.note(number, ChangeFact { ordinal, landed });
        Ok(())
    })?;
    if let Some(family) = resolve(source, &CHANGE)? {
        facts.set_count(source.record_count(family));
        ranges.verify(&CHANGE, source.payload_len(family), findings);
    }
    Ok(facts)
}

impl Around<'_> {
    /// The Task exists, and is published where the Change is (W-CHANGE-26); the base Line exists, in whatever state
    /// (W-CHANGE-49; that there is one at all, W-CHANGE-48, and that lifecycle and time agree, W-CHANGE-51, the decoder
    /// tells); the fork Snapshot is live and of kind line (W-CHANGE-31, W-CHANGE-50). On which Line that was authored is
    /// never compared (W-CHANGE-33, W-CHANGE-34, W-CHANGE-53).
    fn verify(&self, number: u32, change: &Change, findings: &mut Findings) {
        let mut error = |rule, message| findings.error(CHANGE.file, Some(number), rule, message);
        let task = change.task.get();
        match self.tasks.get(task) {
            None if self.tasks.lacks(task) => {
                error("F-2.2", format!("its Task, record {task}, does not exist"));
            }
            Some(fact) if change.published.is_some() && !fact.published => {
                error(
                    "W-CHANGE-26",
                    format!("it is published, and its Task, record {task}, is not"),
                );
            }
            // A damaged Task is a finding of its own.
            None | Some(_) => {}
        }
        let line = change.base_line.get();
        if self.line_count.is_some_and(|count| line >= count) {
            error("W-CHANGE-49", format!("its base Line, record {line}, does not exist"));
        }
        if let Some(fork) = change.fork
            && let Some(wrong) = self.snapshots.wrong_head(fork)
        {
            let message = format!("its fork is Snapshot record {}, {wrong}", fork.get());
            error("W-CHANGE-50", message);
        }
    }
}
