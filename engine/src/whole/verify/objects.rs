//! Objects: records, uniqueness of hashes, payload ranges. What they hold is `content`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::payload::PayloadRanges;
use super::reader::{Reader, damaged, resolve};
use crate::format::{OBJECT, Object, ObjectHash, ObjectKind};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// What other checks need of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectFact {
    index: u32,
    /// What it holds.
    pub(super) kind: ObjectKind,
    /// The length of its content in bytes.
    pub(super) len: u64,
}

/// The live objects whose records can be read, by their hash.
#[derive(Debug, Default)]
pub(super) struct ObjectFacts {
    facts: HashMap<ObjectHash, ObjectFact>,
}

impl ObjectFacts {
    /// The live object of that hash with the lowest index.
    pub(super) fn get(&self, hash: &ObjectHash) -> Option<&ObjectFact> {
        self.facts.get(hash)
    }
}

/// Checks every object's record; `None` where the record file is not one, which is a finding already.
pub(super) fn verify_objects(
    source: &dyn Source,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<Option<ObjectFacts>> {
    let Some(family) = resolve(source, &OBJECT)? else {
        return Ok(None);
    };
    let mut ranges = PayloadRanges::default();
    let mut facts = ObjectFacts::default();
    reader.each_record(source, &OBJECT, findings, |findings, _, index, bytes| {
        let object = match Object::decode(bytes) {
            Ok(reading) => reading.value,
            Err(fault) => {
                damaged(findings, &OBJECT, index, &fault);
                return Ok(());
            }
        };
        ranges.add(index, object.payload);
        if object.tombstoned {
            return Ok(());
        }
        match facts.facts.entry(object.hash) {
            Entry::Vacant(slot) => {
                let (kind, len) = (object.kind, object.payload.len());
                slot.insert(ObjectFact { index, kind, len });
            }
            Entry::Occupied(first) => {
                let first = first.get().index;
                let message = format!("it has the hash {} of record {first}, which is used", object.hash);
                findings.warning(OBJECT.file, Some(index), "F-0.3", message);
            }
        }
        Ok(())
    })?;
    ranges.verify(&OBJECT, source.payload_len(family), findings);
    Ok(Some(facts))
}
