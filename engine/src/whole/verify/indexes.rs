//! Rebuildable indexes: their shape, and whether their rows are true (F-4). None of them is authority.

use std::cmp::Ordering;

use crate::disk::{self, DurableDirectory, DurableFile};
use crate::domain::lines::LINE_NAME;
use crate::domain::objects::OBJECT_HASH;
use crate::domain::snapshots::SNAPSHOT_ID;
use crate::format::{HEADER, HEADER_LEN, IndexLayout};
use crate::store::{self, FamilyId, IndexDefinition, Source};
use crate::vfs::Access;
use crate::whole::error::Result;
use crate::whole::finding::Findings;
use crate::whole::place::{self, RootPlace};

use super::reader::resolve;

/// Every index that has a file.
pub(crate) static DEFINITIONS: [&IndexDefinition; 3] = [&LINE_NAME, &SNAPSHOT_ID, &OBJECT_HASH];

/// How many rows are read at a time.
const ROWS: u64 = 4096;

/// Checks every index file of a root; a missing one is nothing to speak of.
pub(super) fn verify_indexes(
    source: &dyn Source,
    root: &RootPlace,
    store: &DurableDirectory,
    findings: &mut Findings,
) -> Result<()> {
    let directory = place::open_root(store, root)?;
    for layout in root.zone.indexes {
        let definition = DEFINITIONS.iter().find(|definition| is_of(definition, layout));
        let file = match directory.open_file(layout.file, Access::Read) {
            Ok(file) => file,
            Err(disk::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => {
                findings.absorb(layout.file, error.into())?;
                continue;
            }
        };
        if let Some(definition) = definition {
            verify_index(source, definition, layout, &file, findings)?;
        }
    }
    Ok(())
}

pub(crate) fn is_of(definition: &IndexDefinition, layout: &IndexLayout) -> bool {
    definition.file.is_some_and(|file| file.file == layout.file)
}

fn verify_index(
    source: &dyn Source,
    definition: &'static IndexDefinition,
    layout: &IndexLayout,
    file: &DurableFile,
    findings: &mut Findings,
) -> Result<()> {
    let Some(family) = resolve(source, definition.layout)? else {
        return Ok(());
    };
    let len = file.len()?;
    let row_size = layout.row_size as u64;
    let mut header = [0; HEADER.len()];
    let read = file.read_up_to(0, &mut header)?;
    if read < header.len() || header != HEADER || len.saturating_sub(HEADER_LEN).checked_rem(row_size) != Some(0) {
        findings.repairable(
            layout.file,
            None,
            "F-4",
            "its header or its length is not that of an index",
        );
        return Ok(());
    }
    let rows = len.saturating_sub(HEADER_LEN) / row_size;
    let count = source.record_count(family);
    let mut previous: Option<Vec<u8>> = None;
    let mut untrue = 0_u64;
    let mut at = 0;
    while at < rows {
        let some = ROWS.min(rows - at);
        let mut bytes = vec![0; usize::try_from(some * row_size).unwrap_or(0)];
        file.read_exact_at(HEADER_LEN + at * row_size, &mut bytes)?;
        for row in bytes.chunks_exact(layout.row_size) {
            if previous
                .as_ref()
                .is_some_and(|previous| compare_rows(layout, previous, row) != Ordering::Less)
            {
                findings.repairable(layout.file, None, "F-4", "its rows are not strictly increasing");
                return Ok(());
            }
            previous = Some(row.to_vec());
            untrue += u64::from(!is_true(source, definition, layout, count, row)?);
        }
        at += some;
    }
    let true_rows = rows - untrue;
    if untrue > 0 && definition.immutable {
        findings.repairable(
            layout.file,
            None,
            "F-4",
            format!("{untrue} of its rows point at other records"),
        );
    } else if untrue > 0 {
        findings.note(
            layout.file,
            None,
            "F-4",
            format!("{untrue} of its rows are of names that were given up"),
        );
    }
    if true_rows < u64::from(count)
        && let keyed = count_keyed(source, definition, family, count)?
        && true_rows < keyed
    {
        let message = format!("{true_rows} rows for {keyed} records; what is missing is found without it");
        findings.note(layout.file, None, "F-4", message);
    }
    Ok(())
}

/// How many records have a row in a fresh index; deleted ones may have none, and damaged ones are a finding of their own.
fn count_keyed(source: &dyn Source, definition: &'static IndexDefinition, family: FamilyId, count: u32) -> Result<u64> {
    let mut keyed = 0;
    for record in 0..count {
        match (definition.key)(source, family, record) {
            Ok(key) => keyed += u64::from(key.is_some()),
            Err(store::Error::Corrupt { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(keyed)
}

/// The order of rows in the file: by column, integers as integers, raw bytes as bytes (F-4).
fn compare_rows(layout: &IndexLayout, left: &[u8], right: &[u8]) -> Ordering {
    let columns = layout.columns.iter();
    columns
        .map(|column| column.read(left).cmp(&column.read(right)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Whether a row's record has the row's key now.
fn is_true(
    source: &dyn Source,
    definition: &'static IndexDefinition,
    layout: &IndexLayout,
    count: u32,
    row: &[u8],
) -> Result<bool> {
    let (key, value) = row.split_at(layout.key_size.min(row.len()));
    let value = value.try_into().map(u32::from_le_bytes).unwrap_or_default();
    let index = if definition.plus1 {
        value.checked_sub(1)
    } else {
        Some(value)
    };
    let (Some(index), Some(family)) = (
        index.filter(|index| *index < count),
        resolve(source, definition.layout)?,
    ) else {
        return Ok(false);
    };
    match (definition.key)(source, family, index) {
        Ok(found) => Ok(found.is_some_and(|found| found == key)),
        // A damaged record is a finding of its own.
        Err(store::Error::Corrupt { .. }) => Ok(true),
        Err(error) => Err(error.into()),
    }
}
