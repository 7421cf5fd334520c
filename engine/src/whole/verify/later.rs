//! The families whose domain is not part of this version: what their layouts alone tell. Reserved fields and bits are
//! zero (F-1).

use super::reader::Reader;
use crate::format::{FieldValue, Layout, PLAN, PLAN_ITEM, PLAN_REVISION};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// The families.
static LATER: [&Layout; 3] = [&PLAN, &PLAN_REVISION, &PLAN_ITEM];

/// Checks what can be checked of the workflow root's other families.
pub(super) fn verify_later_families(
    source: &dyn Source,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    for layout in LATER {
        verify_reserved(source, layout, reader, findings)?;
    }
    Ok(())
}

/// Checks that every reserved field and bit of a family's records is zero (F-1).
pub(super) fn verify_reserved(
    source: &dyn Source,
    layout: &'static Layout,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
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
    })
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
