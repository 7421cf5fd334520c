//! The families whose domain is not part of this version: what their layouts alone tell.
//!
//! Reserved fields and bits are zero (F-1), and a file that is aligned with its owner's has as many rows (F-1.2).

use super::reader::{Reader, resolve};
use crate::format::{
    CHANGE, CHANGE_LAND_INDEX, FieldValue, LINE, Layout, SNAPSHOT, TAG, TASK, TASK_CHANGE_INDEX, TASK_LAND_INDEX,
};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;
use crate::whole::place;

/// The families that are checked by their own rules.
static KNOWN: [&Layout; 3] = [&LINE, &SNAPSHOT, &TAG];

/// Files of owner rows, each with the family that it is aligned with (F-1.2).
static ALIGNED: [(&Layout, &Layout); 3] = [
    (&TASK_CHANGE_INDEX, &TASK),
    (&TASK_LAND_INDEX, &TASK),
    (&CHANGE_LAND_INDEX, &CHANGE),
];

/// Checks what can be checked of the workflow root's other families.
pub(super) fn verify_later_families(
    source: &dyn Source,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    for layout in place::WORKFLOW.zone.families {
        if KNOWN.iter().any(|known| known.family == layout.family) {
            continue;
        }
        reader.each_record(source, layout, findings, |findings, _, number, bytes| {
            for field in reserved_fields_set(layout, bytes) {
                findings.error(
                    layout.file,
                    Some(number),
                    "F-1",
                    format!("reserved bits of {field} are set"),
                );
            }
            Ok(())
        })?;
    }
    for (rows, owner) in ALIGNED {
        let (Some(rows_family), Some(owner_family)) = (resolve(source, rows)?, resolve(source, owner)?) else {
            continue;
        };
        let (found, expected) = (source.record_count(rows_family), source.record_count(owner_family));
        if found != expected {
            let message = format!("it has {found} rows, {} has {expected} records", owner.file);
            findings.error(rows.file, None, "F-1.2", message);
        }
    }
    Ok(())
}

/// The names of the fields in which reserved bits are set.
fn reserved_fields_set<'l>(layout: &'l Layout, record: &[u8]) -> Vec<&'l str> {
    let is_set = |field: &&crate::format::Field| match field.read(record) {
        Some(FieldValue::Integer(value)) => {
            let whole = field.name.starts_with("reserved") && value != 0;
            whole
                || field
                    .bits
                    .iter()
                    .any(|bit| bit.name == "reserved" && bit.of(value) != 0)
        }
        Some(FieldValue::Bytes(bytes)) => field.name.starts_with("reserved") && bytes.iter().any(|byte| *byte != 0),
        None => false,
    };
    layout.fields.iter().filter(is_set).map(|field| field.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::STASH;

    #[test]
    fn f_1_reserved_fields_and_bits_are_found_by_the_layout_alone() {
        assert!(reserved_fields_set(&STASH, &[0x81, 0, 0, 0, 9, 9, 9, 9]).is_empty());
        assert_eq!(
            reserved_fields_set(&STASH, &[0x02, 1, 0, 0, 0, 0, 0, 0]),
            ["stash_meta", "reserved0"]
        );
    }
}
