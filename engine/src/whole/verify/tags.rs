//! Tags: records, names, uniqueness, Snapshots.

use std::collections::HashMap;

use super::payload::PayloadRanges;
use super::reader::{Reader, absorbed, damaged, resolve, tolerated};
use super::snapshots::SnapshotFacts;
use crate::domain::tags::Tags;
use crate::format::{TAG, Tag, TagIndex, TagName};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// Checks every Tag.
pub(super) fn verify_tags(
    source: &dyn Source,
    snapshots: &SnapshotFacts,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    let mut ranges = PayloadRanges::default();
    let mut names: HashMap<String, u32> = HashMap::new();
    reader.each_record(source, &TAG, findings, |findings, _, number, bytes| {
        let tag = match Tag::decode(bytes) {
            Ok(reading) => reading.value,
            Err(fault) => {
                damaged(findings, &TAG, number, &fault);
                return Ok(());
            }
        };
        ranges.add(number, tag.payload);
        verify_snapshot(snapshots, number, &tag, findings);
        let Some(index) = TagIndex::new(number) else {
            return Ok(());
        };
        let Some(text) = absorbed(findings, &TAG, Tags::new(source)?.text_of(index, &tag))? else {
            return Ok(());
        };
        if let Ok(reading) = TagName::read(text.name.as_bytes()) {
            tolerated(findings, &TAG, number, reading.tolerated);
        }
        if tag.tombstoned {
            return Ok(());
        }
        if let Some(first) = names.get(&text.name) {
            let message = format!("record {first} is live and called {:?} too", text.name);
            findings.error(TAG.file, Some(number), "F-2.6", message);
        } else {
            names.insert(text.name, number);
        }
        Ok(())
    })?;
    if let Some(family) = resolve(source, &TAG)? {
        ranges.verify(&TAG, source.payload_len(family), findings);
    }
    Ok(())
}

/// A live Tag names a live Snapshot, a deleted one any that exists (W-TAG-04).
fn verify_snapshot(snapshots: &SnapshotFacts, number: u32, tag: &Tag, findings: &mut Findings) {
    let wrong = match snapshots.get(tag.snapshot.get()) {
        None if snapshots.lacks(tag.snapshot.get()) => "which does not exist",
        Some(fact) if fact.tombstoned && !tag.tombstoned => "which is deleted",
        // A damaged Snapshot is a finding of its own.
        None | Some(_) => return,
    };
    let message = format!("it names Snapshot record {}, {wrong}", tag.snapshot.get());
    findings.error(TAG.file, Some(number), "W-TAG-04", message);
}
