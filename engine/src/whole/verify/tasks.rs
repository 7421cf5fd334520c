//! Tasks: records, payload, times of closing that repair takes out, references to Plans.

use super::facts::Facts;
use super::payload::{PayloadRanges, read_whole};
use super::reader::{Reader, absorbed, damaged, resolve, tolerated};
use crate::format::{
    PLAN_ITEM, PLAN_REVISION, PlanItemIndex, PlanItemRecord, PlanRevisionIndex, PlanRevisionRecord, TASK, Task,
    TaskPayload,
};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// What other families' checks need of a Task.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskFact {
    /// It has a counterpart in the remote.
    pub(super) published: bool,
}

/// Checks every Task.
pub(super) fn verify_tasks(
    source: &dyn Source,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<Facts<TaskFact>> {
    let mut facts = Facts::default();
    let mut ranges = PayloadRanges::default();
    reader.each_record(source, &TASK, findings, |findings, family, number, bytes| {
        let reading = match Task::decode(bytes) {
            Ok(reading) => reading,
            Err(fault) => {
                damaged(findings, &TASK, number, &fault);
                return Ok(());
            }
        };
        tolerated(findings, &TASK, number, reading.tolerated);
        let task = reading.value;
        ranges.add(number, task.payload);
        if let Some(bytes) = absorbed(findings, &TASK, read_whole(source, family, task.payload))?.flatten()
            && let Err(fault) = TaskPayload::decode(&bytes)
        {
            damaged(findings, &TASK, number, &fault);
        }
        if let Some(revision) = task.plan_revision
            && let Some(wrong) = wrong_plan(source, revision, task.plan_item)?
        {
            findings.error(TASK.file, Some(number), "F-2.1", wrong);
        }
        let published = task.published.is_some();
        facts.note(number, TaskFact { published });
        Ok(())
    })?;
    if let Some(family) = resolve(source, &TASK)? {
        facts.set_count(source.record_count(family));
        ranges.verify(&TASK, source.payload_len(family), findings);
    }
    Ok(facts)
}

/// What is wrong with a Task's reference to its Plan: the revision exists, and the item is one of the revision's and has
/// a reference (F-2.1). What else Plans hold is not looked at.
fn wrong_plan(source: &dyn Source, revision: PlanRevisionIndex, item: Option<PlanItemIndex>) -> Result<Option<String>> {
    let Some(revisions) = resolve(source, &PLAN_REVISION)? else {
        return Ok(None);
    };
    let of = revision.get();
    if of >= source.record_count(revisions) {
        return Ok(Some(format!(
            "it comes from Plan revision record {of}, which does not exist"
        )));
    }
    let (Some(item), Some(items)) = (item.map(PlanItemIndex::get), resolve(source, &PLAN_ITEM)?) else {
        return Ok(None);
    };
    let mut bytes = [0; PLAN_REVISION.record_size];
    source.read_record(revisions, of, &mut bytes)?;
    let record: PlanRevisionRecord = zerocopy::transmute!(bytes);
    let inside = item
        .checked_sub(record.item_start_index.get())
        .is_some_and(|place| place < u32::from(record.item_count.get()));
    if !inside {
        return Ok(Some(format!(
            "its Plan item, record {item}, is none of Plan revision record {of}"
        )));
    }
    if item >= source.record_count(items) {
        return Ok(Some(format!(
            "it comes from Plan item record {item}, which does not exist"
        )));
    }
    let mut bytes = [0; PLAN_ITEM.record_size];
    source.read_record(items, item, &mut bytes)?;
    let record: PlanItemRecord = zerocopy::transmute!(bytes);
    let wrong = (record.item_meta & HAS_REF == 0).then(|| format!("its Plan item, record {item}, has no reference"));
    Ok(wrong)
}

/// The bit of `item_meta` that says that an item has a reference (F-2.15).
const HAS_REF: u8 = 1 << 2;
