//! Objects: records, uniqueness of hashes, payload ranges. What they hold is `content`.

use std::collections::HashMap;

use super::payload::PayloadRanges;
use super::reader::{Reader, damaged, resolve};
use crate::format::{OBJECT, Object, ObjectHash};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// Checks every object's record.
pub(super) fn verify_objects(source: &dyn Source, reader: &mut Reader<'_>, findings: &mut Findings) -> Result<()> {
    let mut ranges = PayloadRanges::default();
    let mut hashes: HashMap<ObjectHash, u32> = HashMap::new();
    reader.each_record(source, &OBJECT, findings, |findings, _, number, bytes| {
        let object = match Object::decode(bytes) {
            Ok(reading) => reading.value,
            Err(fault) => {
                damaged(findings, &OBJECT, number, &fault);
                return Ok(());
            }
        };
        ranges.add(number, object.payload);
        if object.tombstoned {
            return Ok(());
        }
        if let Some(first) = hashes.insert(object.hash, number) {
            let message = format!(
                "it has the hash {} of record {first}; the lower index is used",
                object.hash
            );
            findings.warning(OBJECT.file, Some(number), "F-0.3", message);
        }
        Ok(())
    })?;
    if let Some(family) = resolve(source, &OBJECT)? {
        ranges.verify(&OBJECT, source.payload_len(family), findings);
    }
    Ok(())
}
