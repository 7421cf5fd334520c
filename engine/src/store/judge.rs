//! What became of an interrupted change, told from its undo and the files. Pure decision; nothing is written here.
//!
//! Lean: `Claim_bytes_are_old_or_new`, `Claim_foreign_byte_is_corrupt`, `Claim_evidence_out_of_order_is_corrupt`.

use crate::disk;

use super::error::{Error, Result};
use super::files::ZoneFile;
use super::spool::copy_pieces;
use super::undo::{Action, Digest, Item, Stage};

/// The state of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemState {
    /// All of it is there.
    New,
    /// Nothing of it is there.
    Old,
    /// Some of it is there. For an append: the file has merely grown.
    Mixed,
}

/// What recovery does with an interrupted change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Every byte is there: the change happened.
    Happened,
    /// The commit stage had begun and everything before it is there: the rest is written.
    Complete,
    /// The commit stage had not begun: everything is undone.
    RollBack,
}

/// An item with the open file it is about.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    pub(super) item: &'a Item,
    pub(super) file: &'a ZoneFile,
    /// 0 for the outer zone, k for the k-th inner one.
    pub(super) zone: u8,
}

/// Judges a change by its stages.
pub(super) fn judge(items: &[Placed<'_>]) -> Result<Decision> {
    let mut states = Vec::with_capacity(items.len());
    let mut foreign = None;
    for placed in items {
        match state_of(placed)? {
            Some(state) => states.push((placed.item.stage, state, &placed.item.action)),
            None => foreign = foreign.or(Some(placed)),
        }
    }
    if let Some(placed) = foreign.filter(|_| !planted!("undo_over_foreign_bytes")) {
        let message =
            "it holds bytes that are neither those from before the interrupted change nor those from after it";
        return Err(corrupt(placed, message));
    }
    if states.iter().all(|(_, state, _)| *state == ItemState::New) {
        return Ok(Decision::Happened);
    }
    for (placed, (stage, state, action)) in items.iter().zip(&states) {
        let evidence = match action {
            Action::Range { .. } => *state != ItemState::Old,
            _ => *state == ItemState::New && is_more_than_a_reassertion(placed)?,
        };
        let earlier_missing = states
            .iter()
            .any(|(other, state, _)| other < stage && *state != ItemState::New);
        if evidence && earlier_missing {
            return Err(corrupt(
                placed,
                "it holds a later stage of the interrupted change while an earlier one is missing",
            ));
        }
    }
    let earlier_new = states
        .iter()
        .all(|(stage, state, _)| *stage == Stage::Commit || *state == ItemState::New);
    let mut begun = false;
    for (placed, (stage, state, _)) in items.iter().zip(&states) {
        begun |= *stage == Stage::Commit && *state != ItemState::Old && is_more_than_a_reassertion(placed)?;
    }
    // The undo holds a payload's digest, not its bytes: a torn one cannot be completed.
    let completable = states.iter().all(|(stage, state, action)| {
        *stage != Stage::Commit || *state == ItemState::New || !matches!(action, Action::PayloadAppend { .. })
    });
    Ok(if earlier_new && begun && completable {
        Decision::Complete
    } else {
        Decision::RollBack
    })
}

/// Re-asserting a length grows a file by one byte for a moment, and a kill or a cut may keep that byte: it says nothing
/// about the change, or a rollback that somebody was told of would turn into a completion at the next try.
fn is_more_than_a_reassertion(placed: &Placed<'_>) -> Result<bool> {
    match &placed.item.action {
        Action::Range { .. } => Ok(true),
        _ if planted!("count_a_reasserted_byte_as_begun") => Ok(true),
        Action::RecordAppend { old_len, .. } | Action::PayloadAppend { old_len, .. } => {
            Ok(placed.file.file.len()? > old_len.saturating_add(1))
        }
    }
}

fn corrupt(placed: &Placed<'_>, message: &str) -> Error {
    Error::Corrupt {
        file: placed.file.file.path().to_owned(),
        record: record_of(placed),
        rule: "PROTOCOL-judge",
        message: message.to_owned(),
    }
}

fn record_of(placed: &Placed<'_>) -> Option<u32> {
    let size = u64::from(placed.file.record_size?);
    let offset = match &placed.item.action {
        Action::Range { offset, .. } => *offset,
        Action::RecordAppend { old_len, .. } | Action::PayloadAppend { old_len, .. } => *old_len,
    };
    u32::try_from(offset.checked_sub(crate::format::HEADER_LEN)? / size).ok()
}

/// The item's state, or `None` where a byte is foreign.
fn state_of(placed: &Placed<'_>) -> Result<Option<ItemState>> {
    let file = &placed.file.file;
    let len = file.len()?;
    match &placed.item.action {
        Action::Range { offset, old, new } => {
            let mut bytes = vec![0; old.len()];
            if file.read_up_to(*offset, &mut bytes)? != bytes.len() {
                return Ok(None);
            }
            Ok(if bytes == *new {
                Some(ItemState::New)
            } else if bytes == *old {
                Some(ItemState::Old)
            } else if bytes
                .iter()
                .zip(old.iter().zip(new))
                .all(|(byte, (old, new))| byte == old || byte == new)
            {
                Some(ItemState::Mixed)
            } else {
                None
            })
        }
        Action::RecordAppend { old_len, bytes } => {
            let appended = bytes.len() as u64;
            if foreign_len(len, *old_len, appended) {
                return Ok(None);
            }
            if len != old_len.saturating_add(appended) {
                return Ok(Some(if len == *old_len {
                    ItemState::Old
                } else {
                    ItemState::Mixed
                }));
            }
            let mut present = vec![0; bytes.len()];
            file.read_exact_at(*old_len, &mut present)?;
            Ok(Some(if present == *bytes {
                ItemState::New
            } else {
                ItemState::Mixed
            }))
        }
        Action::PayloadAppend {
            old_len,
            len: appended,
            digest,
        } => {
            if foreign_len(len, *old_len, *appended) {
                return Ok(None);
            }
            if len != old_len.saturating_add(*appended) {
                return Ok(Some(if len == *old_len {
                    ItemState::Old
                } else {
                    ItemState::Mixed
                }));
            }
            let whole = digest_of(placed.file, *old_len, *appended)? == *digest;
            Ok(Some(if whole { ItemState::New } else { ItemState::Mixed }))
        }
    }
}

/// Whether a growing file has a length that no interruption of the growth explains.
fn foreign_len(len: u64, old_len: u64, appended: u64) -> bool {
    len < old_len || len > old_len.saturating_add(appended)
}

/// The BLAKE3 of a stretch of a file, read in pieces.
fn digest_of(file: &ZoneFile, offset: u64, len: u64) -> disk::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    copy_pieces(&file.file, offset, len, |_, piece| {
        hasher.update(piece);
        Ok(())
    })?;
    Ok(hasher.finalize().into())
}
