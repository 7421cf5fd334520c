//! Lines: records, names, uniqueness, heads.

use std::collections::HashMap;

use super::payload::PayloadRanges;
use super::reader::{Reader, absorbed, damaged, resolve, tolerated};
use super::snapshots::SnapshotFacts;
use crate::domain::lines::Lines;
use crate::format::{LINE, Line, LineIndex, LineName, LineState, SnapshotKind};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// The Lines that could be read.
pub(super) struct LineFacts {
    count: Option<u32>,
    lines: Vec<(LineIndex, Line)>,
}

/// Reads every Line: its record, its name, the uniqueness of names, the ranges of names.
pub(super) fn read_lines(source: &dyn Source, reader: &mut Reader<'_>, findings: &mut Findings) -> Result<LineFacts> {
    let family = resolve(source, &LINE)?;
    let mut facts = LineFacts {
        count: family.map(|family| source.record_count(family)),
        lines: Vec::new(),
    };
    let mut ranges = PayloadRanges::default();
    let mut names: HashMap<String, LineIndex> = HashMap::new();
    reader.each_record(source, &LINE, findings, |findings, _, number, bytes| {
        let (index, line) = match (LineIndex::new(number), Line::decode(bytes)) {
            (Some(index), Ok(reading)) => (index, reading.value),
            (_, Err(fault)) => {
                damaged(findings, &LINE, number, &fault);
                return Ok(());
            }
            (None, Ok(_)) => return Ok(()),
        };
        ranges.add(number, line.name);
        facts.lines.push((index, line));
        let Some(name) = absorbed(findings, &LINE, Lines::new(source)?.name_of(index, &line))? else {
            return Ok(());
        };
        if let Ok(reading) = LineName::read(name.as_bytes()) {
            tolerated(findings, &LINE, number, reading.tolerated);
        }
        if matches!(line.state, LineState::Deleted { .. }) {
            return Ok(());
        }
        if let Some(first) = names.get(&name) {
            findings.error(
                LINE.file,
                Some(number),
                "F-2.4",
                format!("{first} is called {name:?} too"),
            );
        } else {
            names.insert(name, index);
        }
        Ok(())
    })?;
    if let Some(family) = family {
        ranges.verify(&LINE, source.payload_len(family), findings);
    }
    Ok(facts)
}

impl LineFacts {
    /// The number of records, damaged ones included; `None` where the record file is not one.
    pub(super) fn count(&self) -> Option<u32> {
        self.count
    }

    /// Checks the heads: a Line that is not deleted has a live Snapshot of kind line, a deleted one any that exists.
    pub(super) fn verify(&self, snapshots: &SnapshotFacts, findings: &mut Findings) {
        for (index, line) in &self.lines {
            let Some(head) = line.head else {
                continue;
            };
            let deleted = matches!(line.state, LineState::Deleted { .. });
            let wrong = match snapshots.get(head.get()) {
                None if snapshots.lacks(head.get()) => "which does not exist",
                Some(fact) if fact.tombstoned && !deleted => "which is deleted",
                Some(fact) if fact.kind != SnapshotKind::Line && !deleted => "which is that of a Stash",
                // A damaged Snapshot is a finding of its own.
                None | Some(_) => continue,
            };
            let message = format!("its head is Snapshot record {}, {wrong}", head.get());
            findings.error(LINE.file, Some(index.get()), "W-LINE-03", message);
        }
    }
}
