//! Snapshots: records, payload, identity, parents, authoring Lines, root directories.

use std::collections::HashMap;

use super::facts::Facts;
use super::objects::ObjectFacts;
use super::payload::PayloadRanges;
use super::reader::{Reader, absorbed, damaged, resolve, tolerated};
use crate::domain::snapshots::{Content, Snapshots};
use crate::format::{
    LineName, ObjectKind, SNAPSHOT, Snapshot, SnapshotDescriptor, SnapshotId, SnapshotIndex, SnapshotKind,
};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// What other families' checks need of a Snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SnapshotFact {
    pub(super) tombstoned: bool,
    pub(super) kind: SnapshotKind,
    id: SnapshotId,
}

/// What other families' checks need of all Snapshots.
pub(super) type SnapshotFacts = Facts<SnapshotFact>;

impl SnapshotFacts {
    /// What is wrong with a reference to a Snapshot that is, or was, the head of a Line: it names none, one that is
    /// deleted, or that of a Stash. A damaged Snapshot is a finding of its own.
    pub(super) fn wrong_head(&self, index: SnapshotIndex) -> Option<&'static str> {
        match self.get(index.get()) {
            None if self.lacks(index.get()) => Some("which does not exist"),
            Some(fact) if fact.tombstoned => Some("which is deleted"),
            Some(fact) if fact.kind != SnapshotKind::Line => Some("which is that of a Stash"),
            None | Some(_) => None,
        }
    }
}

/// Checks every Snapshot.
pub(super) fn verify_snapshots(
    source: &dyn Source,
    objects: Option<&ObjectFacts>,
    line_count: Option<u32>,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<SnapshotFacts> {
    let mut facts = SnapshotFacts::default();
    let mut ranges = PayloadRanges::default();
    let mut ids: HashMap<SnapshotId, u32> = HashMap::new();
    reader.each_record(source, &SNAPSHOT, findings, |findings, _, number, bytes| {
        let reading = match Snapshot::decode(bytes) {
            Ok(reading) => reading,
            Err(fault) => {
                damaged(findings, &SNAPSHOT, number, &fault);
                return Ok(());
            }
        };
        tolerated(findings, &SNAPSHOT, number, reading.tolerated);
        let snapshot = reading.value;
        ranges.add(number, snapshot.payload);
        if let Some(index) = SnapshotIndex::new(number) {
            let content = absorbed(findings, &SNAPSHOT, Snapshots::new(source)?.content(index, &snapshot))?;
            if let Some(content) = content {
                verify_parents(&facts, number, &snapshot, &content, findings);
                verify_identity(&facts, number, &snapshot, &content, findings);
            }
        }
        if let (Some(line), Some(count)) = (snapshot.line, line_count)
            && line.get() >= count
        {
            findings.error(
                SNAPSHOT.file,
                Some(number),
                "F-2.16",
                "its authoring Line does not exist",
            );
        }
        if !snapshot.tombstoned {
            if let Some(first) = ids.insert(snapshot.id, number) {
                let message = format!("record {first} is live and has the identity {} too", snapshot.id);
                findings.error(SNAPSHOT.file, Some(number), "F-0.3", message);
            }
            verify_root(objects, number, &snapshot, findings);
        }
        let (tombstoned, kind, id) = (snapshot.tombstoned, snapshot.kind, snapshot.id);
        facts.note(number, SnapshotFact { tombstoned, kind, id });
        Ok(())
    })?;
    if let Some(family) = resolve(source, &SNAPSHOT)? {
        facts.set_count(source.record_count(family));
        ranges.verify(&SNAPSHOT, source.payload_len(family), findings);
    }
    Ok(facts)
}

/// A live Snapshot's parents are live, and stand before it: so Snapshots never form a circle.
fn verify_parents(facts: &SnapshotFacts, number: u32, snapshot: &Snapshot, content: &Content, findings: &mut Findings) {
    for parent in &content.parents {
        let wrong = match facts.get(parent.get()) {
            None if parent.get() >= number => "does not stand before it",
            Some(fact) if fact.tombstoned && !snapshot.tombstoned => "is deleted",
            None | Some(_) => continue,
        };
        let message = format!("its parent, record {}, {wrong}", parent.get());
        findings.error(SNAPSHOT.file, Some(number), "F-2.16", message);
    }
}

/// A Snapshot's identity is the hash of its descriptor (F-0.3). Where a parent is damaged it cannot be told.
fn verify_identity(
    facts: &SnapshotFacts,
    number: u32,
    snapshot: &Snapshot,
    content: &Content,
    findings: &mut Findings,
) {
    let parents: Option<Vec<SnapshotId>> = content
        .parents
        .iter()
        .map(|parent| facts.get(parent.get()).map(|fact| fact.id))
        .collect();
    let Some(parents) = parents else {
        return;
    };
    let line_name = content
        .line_name
        .as_ref()
        .and_then(|name| LineName::read(name.as_bytes()).ok());
    let descriptor = SnapshotDescriptor {
        manifest_hash: snapshot.manifest_hash,
        created_at_s: snapshot.created_at_s,
        kind: snapshot.kind,
        parents: &parents,
        line_name: line_name.map(|reading| reading.value),
        message: content.message.as_deref(),
    };
    let id = descriptor.id();
    if id != snapshot.id {
        let message = format!("its identity is {}, but what it holds hashes to {id}", snapshot.id);
        findings.error(SNAPSHOT.file, Some(number), "F-0.3", message);
    }
}

/// A live Snapshot's root directory is a live directory object.
fn verify_root(objects: Option<&ObjectFacts>, number: u32, snapshot: &Snapshot, findings: &mut Findings) {
    let Some(objects) = objects else {
        return;
    };
    let wrong = match objects.get(&snapshot.manifest_hash) {
        None => "is missing",
        Some(object) if object.kind != ObjectKind::Directory => "is not a directory",
        Some(_) => return,
    };
    let message = format!("its root directory {} {wrong}", snapshot.manifest_hash);
    findings.error(SNAPSHOT.file, Some(number), "F-0.3", message);
}
