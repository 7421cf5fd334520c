//! What a Tag may be called and name.

use crate::domain::snapshots::Snapshots;
use crate::domain::{Error, Result};
use crate::format::{SnapshotIndex, TagName, TagPayload};

/// The payload of a Tag with that name, less the ASCII white space around it, and that message (W-TAG-03, `G06`
/// assigned by us).
pub(super) fn writable<'a>(name: &'a str, message: Option<&'a str>) -> Result<TagPayload<'a>> {
    let name = TagName::new(name).map_err(Error::unwritable)?;
    Ok(TagPayload { name, message })
}

/// A Tag names a live Snapshot (W-TAG-04).
pub(super) fn require_live_snapshot(snapshots: &Snapshots<'_>, index: SnapshotIndex) -> Result<()> {
    match snapshots.get(index) {
        Ok(snapshot) if snapshot.tombstoned => Err(Error::refused(
            "W-TAG-04",
            format!("the Snapshot {} is deleted", snapshot.id),
        )),
        Ok(_) => Ok(()),
        Err(Error::NotFound { what }) => Err(Error::refused("W-TAG-04", format!("{what} does not exist"))),
        Err(error) => Err(error),
    }
}
