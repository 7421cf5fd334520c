//! The files of a root: inventory, headers and divisibility, without a look at any record.

use std::io;

use crate::disk::{self, DurableDirectory};
use crate::format::{FileRole, HEADER, HEADER_LEN, LAYOUT_ID};
use crate::store::index::aside_name;
use crate::vfs::{Access, EntryKind};
use crate::whole::error::Result;
use crate::whole::finding::Findings;
use crate::whole::place::RootPlace;

/// Checks the inventory of `directory` against the root's authority, and the header and length of its data files.
pub(crate) fn verify_files(directory: &DurableDirectory, root: &RootPlace, findings: &mut Findings) -> Result<()> {
    let entries = directory.entries()?;
    let exists = |name: &str| entries.iter().any(|entry| entry.name == name.as_bytes());
    for entry in &entries {
        let name = String::from_utf8_lossy(&entry.name);
        match root.authority.role(&name) {
            FileRole::Forbidden => {
                let message = format!("the authority `{}` has no such file", root.authority.name);
                findings.error(&name, None, "F-0.8", message);
            }
            FileRole::Unknown if is_aside(root, &name) => {
                let message = "left behind by an interrupted rebuild of an index; the next one takes its place";
                findings.note(&name, None, "F-0.8", message);
            }
            FileRole::Unknown => findings.warning(&name, None, "F-0.8", "an unknown name"),
            FileRole::Runtime(_) if !matches!(entry.kind, EntryKind::File { .. }) => {
                findings.error(&name, None, "F-1", "it is not a regular file");
            }
            FileRole::Records(_) | FileRole::Payload(_) | FileRole::Index(_) | FileRole::Runtime(_) => {}
        }
    }
    for name in root.zone.runtime_files() {
        if !exists(name) {
            findings.error(name, None, "F-0.1", "it is missing");
        }
    }
    for layout in root.zone.families {
        let size = u64::try_from(layout.record_size).unwrap_or(u64::MAX);
        for (name, size) in [(Some(layout.file), size), (layout.payload_file, 1)] {
            match name {
                Some(name) if exists(name) => verify_file(directory, name, size, findings)?,
                Some(name) => {
                    let message = "it is missing; every file of a root exists from the root's creation on";
                    findings.error(name, None, "F-0.8", message);
                }
                None => {}
            }
        }
    }
    Ok(())
}

fn is_aside(root: &RootPlace, name: &str) -> bool {
    let aside = |file: &str| aside_name(file) == name;
    aside(root.zone.undo_file) || root.zone.indexes.iter().any(|index| aside(index.file))
}

/// Checks one record or payload file: its header, and that its records are whole. Records of another size among them make
/// a length that no whole number of records has (W-TASK-28).
fn verify_file(directory: &DurableDirectory, name: &str, record_size: u64, findings: &mut Findings) -> Result<()> {
    let file = match directory.open_file(name, Access::Read) {
        Ok(file) => file,
        Err(disk::Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return findings.absorb(name, error.into()),
    };
    let len = file.len()?;
    let mut header = [0; HEADER.len()];
    if file.read_up_to(0, &mut header)? < header.len() {
        findings.error(name, None, "F-1", format!("it has {len} bytes, fewer than its header"));
        return Ok(());
    }
    let layout_id = u32::from_le_bytes(header);
    if layout_id != LAYOUT_ID {
        let message = if layout_id > LAYOUT_ID {
            "is later than"
        } else {
            "is not"
        };
        findings.error(
            name,
            None,
            "F-1",
            format!("its layout_id {layout_id} {message} {LAYOUT_ID}"),
        );
    }
    // Recovery has settled what an interrupted append left; what does not fit now is damage (F-5.3).
    let rest = len.saturating_sub(HEADER_LEN).checked_rem(record_size).unwrap_or(0);
    if rest != 0 {
        let message = format!("its length {len} leaves {rest} bytes that are no whole record of {record_size}");
        findings.error(name, None, "F-1", message);
    }
    Ok(())
}

/// Whether a file of that length has its header and whole records only.
pub(super) fn is_shaped(len: u64, record_size: u64) -> bool {
    len.checked_sub(HEADER_LEN)
        .and_then(|body| body.checked_rem(record_size))
        == Some(0)
}
