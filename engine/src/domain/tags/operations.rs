//! Creating, replacing, deleting and recreating Tags.

use super::records::{TagText, Tags};
use super::rules::{require_live_snapshot, writable};
use crate::domain::snapshots::Snapshots;
use crate::domain::{Error, Result};
use crate::format::{PayloadRange, SnapshotIndex, TAG, Tag, TagIndex, TagPayload};
use crate::store::{Source as _, Stage, Transaction};

/// Creates a Tag, or brings a deleted one of that name back on its own record. The name loses the ASCII white space
/// around it. `message` makes it an annotated Tag; an empty message is one.
///
/// A new name: payload first, then the record (W-TAG-05). A deleted name with the same Snapshot and message: only the
/// tombstone bit is cleared, so the Tag keeps its time (W-TAG-12). A deleted name otherwise: replaced and
/// un-tombstoned in one record write (W-TAG-14).
///
/// `Refused`: the name is empty or too long (W-TAG-03), a live Tag has it (F-2.6), the Snapshot is missing or deleted
/// (W-TAG-04), or the message is too long (F-2.6).
pub fn create(
    transaction: &mut Transaction<'_>,
    name: &str,
    snapshot: SnapshotIndex,
    message: Option<&str>,
) -> Result<TagIndex> {
    let payload = writable(name, message)?;
    require_live_snapshot(&Snapshots::new(transaction)?, snapshot)?;
    match Tags::new(transaction)?.find_kept(payload.name.as_str())? {
        None => append(transaction, &payload, snapshot),
        Some((index, tag)) if tag.tombstoned => revive(transaction, index, tag, &payload, snapshot),
        Some(_) => {
            let message = format!("there is a Tag {:?} already", payload.name.as_str());
            Err(Error::refused("F-2.6", message))
        }
    }
}

/// Makes a name stand on `snapshot` whatever it stood on before: a live Tag keeps its record (W-TAG-06), gets a new
/// payload first and then the overwritten record (W-TAG-07), so that an interruption leaves the old Tag whole beside a
/// payload that nobody refers to (W-TAG-08); otherwise as [`create`].
///
/// `Refused`: as [`create`], but for a name that is taken.
pub fn replace(
    transaction: &mut Transaction<'_>,
    name: &str,
    snapshot: SnapshotIndex,
    message: Option<&str>,
) -> Result<TagIndex> {
    let payload = writable(name, message)?;
    require_live_snapshot(&Snapshots::new(transaction)?, snapshot)?;
    match Tags::new(transaction)?.find_kept(payload.name.as_str())? {
        None => append(transaction, &payload, snapshot),
        Some((index, tag)) if tag.tombstoned => revive(transaction, index, tag, &payload, snapshot),
        Some((index, _)) => overwrite(transaction, index, &payload, snapshot),
    }
}

/// Deletes a Tag: sets its tombstone (W-TAG-09). Its Snapshot stays (W-TAG-10), and so does every index (W-TAG-11).
///
/// `NotFound`: no such Tag, or it is deleted already.
pub fn delete(transaction: &mut Transaction<'_>, index: TagIndex) -> Result<()> {
    let tag = Tags::new(transaction)?.get(index)?;
    if tag.tombstoned {
        return Err(Error::not_found(format!(
            "the Tag record {} (it is deleted)",
            index.get()
        )));
    }
    let tombstoned = true;
    write(transaction, index, &Tag { tombstoned, ..tag })
}

fn append(transaction: &mut Transaction<'_>, payload: &TagPayload<'_>, snapshot: SnapshotIndex) -> Result<TagIndex> {
    let tag = with_payload(transaction, payload, snapshot)?;
    let family = transaction.family(&TAG)?;
    let index = transaction.append_record(family, Stage::Commit, &tag.encode().map_err(Error::unwritable)?)?;
    TagIndex::new(index).ok_or(Error::Exhausted {
        what: "Tags",
        limit: u64::from(u32::MAX),
    })
}

fn overwrite(
    transaction: &mut Transaction<'_>,
    index: TagIndex,
    payload: &TagPayload<'_>,
    snapshot: SnapshotIndex,
) -> Result<TagIndex> {
    let tag = with_payload(transaction, payload, snapshot)?;
    write(transaction, index, &tag)?;
    Ok(index)
}

fn revive(
    transaction: &mut Transaction<'_>,
    index: TagIndex,
    tag: Tag,
    payload: &TagPayload<'_>,
    snapshot: SnapshotIndex,
) -> Result<TagIndex> {
    let TagText { message, .. } = Tags::new(transaction)?.text_of(index, &tag)?;
    if tag.snapshot != snapshot || message.as_deref() != payload.message {
        return overwrite(transaction, index, payload, snapshot);
    }
    let tombstoned = false;
    write(transaction, index, &Tag { tombstoned, ..tag })?;
    Ok(index)
}

/// A live Tag whose payload is appended, of the transaction's time.
fn with_payload(transaction: &mut Transaction<'_>, payload: &TagPayload<'_>, snapshot: SnapshotIndex) -> Result<Tag> {
    let bytes = payload.encode().map_err(Error::unwritable)?;
    let family = transaction.family(&TAG)?;
    let offset = transaction.append_payload(family, &bytes)?;
    let range = PayloadRange::new(offset, bytes.len() as u64).ok_or(Error::Exhausted {
        what: "bytes of tag_payload.bin",
        limit: u64::MAX,
    })?;
    Ok(Tag {
        tombstoned: false,
        annotated: payload.message.is_some(),
        payload: range,
        snapshot,
        created_at_s: transaction.now(),
    })
}

fn write(transaction: &mut Transaction<'_>, index: TagIndex, tag: &Tag) -> Result<()> {
    let family = transaction.family(&TAG)?;
    let record = tag.encode().map_err(Error::unwritable)?;
    Ok(transaction.replace_record(family, index.get(), Stage::Commit, &record)?)
}
