//! Owner rows and the links `previous_*`: what they say is what the committed records say (F-1.2).

use super::later::verify_reserved;
use super::reader::Reader;
use crate::format::{CHANGE_LAND_INDEX, TASK_CHANGE_INDEX, TASK_LAND_INDEX};
use crate::store::Source;
use crate::whole::derived;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// Checks every owner row, and every link to the record before. What can be rebuilt from the records is a finding that
/// repair puts right; an ordinal that is used twice, a gap, or a row without an owner is not.
pub(super) fn verify_owner_rows(source: &dyn Source, reader: &mut Reader<'_>, findings: &mut Findings) -> Result<()> {
    for rows in [&TASK_CHANGE_INDEX, &TASK_LAND_INDEX, &CHANGE_LAND_INDEX] {
        verify_reserved(source, rows, reader, findings)?;
    }
    for wrong in derived::chains(source)? {
        let (file, record, rule) = (wrong.layout.file, wrong.record, wrong.rule);
        if wrong.remedy.is_some() {
            findings.repairable(file, record, rule, wrong.message);
        } else {
            findings.error(file, record, rule, wrong.message);
        }
    }
    Ok(())
}
