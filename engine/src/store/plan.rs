//! From pending writes to a plan: the undo's items, and where each item's new bytes come from.

use crate::format::HEADER_LEN;

use super::error::{Error, Result};
use super::files::offset_of;
use super::overlay::{Order, Overlay, Patch, Segment, SlotOverlay};
use super::spool::COPY_BYTES;
use super::undo::{Action, Change, Digest, Item, Stage, UndoFile};
use super::zone::ZoneShared;

/// Where an item is written: the member of the transaction, its slot there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) member: usize,
    pub(super) slot: u8,
}

/// A transaction's writes, ready to be carried out.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The undo's body; the outer zone's files first.
    pub(super) change: Change,
    /// For each file of the change, where it is.
    pub(super) targets: Vec<Target>,
}

impl Plan {
    /// The stages that have writes, in their order.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let has = |stage: &Stage| self.change.items.iter().any(|item| item.stage == *stage);
        Stage::ALL.into_iter().filter(has).collect()
    }
}

/// Builds the plan of a transaction over these zones. `outer` is the member with the commit point.
pub(super) fn build(members: &[(&ZoneShared, &Overlay)], outer: usize) -> Result<Plan> {
    let mut plan = Plan::default();
    let order = std::iter::once(outer).chain((0..members.len()).filter(|member| *member != outer));
    for member in order {
        let Some((zone, overlay)) = members.get(member) else {
            continue;
        };
        let mut zone_number = None;
        for (slot, pending) in overlay.slots.iter().enumerate() {
            let slot = u8::try_from(slot).unwrap_or(u8::MAX);
            let file = zone.files.slot(slot)?;
            let items = items_of(pending, file.record_size, file.known_len())?;
            if items.is_empty() {
                continue;
            }
            let number = match zone_number {
                Some(number) => number,
                None if member == outer => 0,
                None => {
                    plan.change.inner.push(*zone.lock.identity());
                    u8::try_from(plan.change.inner.len()).map_err(|_| Error::Exhausted {
                        what: "the zones of a transaction",
                        limit: 255,
                    })?
                }
            };
            zone_number = Some(number);
            let file_number = u16::try_from(plan.targets.len()).map_err(|_| Error::Exhausted {
                what: "the files of a transaction",
                limit: u64::from(u16::MAX),
            })?;
            plan.change.files.push(UndoFile {
                zone: number,
                name: file.name.to_owned(),
            });
            plan.targets.push(Target { member, slot });
            plan.change.items.extend(items.into_iter().map(|(stage, action)| Item {
                stage,
                file: file_number,
                action,
            }));
        }
    }
    if plan
        .change
        .items
        .iter()
        .any(|item| item.stage == Stage::Commit && is_outer(&plan, item))
    {
        return Ok(plan);
    }
    // Without a commit-point write the last stage there is serves: its sync is then the commit point.
    if plan.change.inner.is_empty() {
        if let Some(last) = plan.change.items.iter().map(|item| item.stage).max() {
            for item in &mut plan.change.items {
                if item.stage == last {
                    item.stage = Stage::Commit;
                }
            }
        }
        return Ok(plan);
    }
    Err(Error::Usage(
        "a transaction over several zones needs its commit-point write in the outer zone".to_owned(),
    ))
}

fn is_outer(plan: &Plan, item: &Item) -> bool {
    plan.change
        .files
        .get(usize::from(item.file))
        .is_some_and(|file| file.zone == 0)
}

fn items_of(pending: &SlotOverlay, record_size: Option<u32>, old_len: u64) -> Result<Vec<(Stage, Action)>> {
    let mut items = Vec::new();
    if let Some(record_size) = record_size {
        for (index, patch) in &pending.patches {
            ranges_of(patch, offset_of(*index, record_size), &mut items);
        }
    }
    if let Some(stage) = pending.append_stage.filter(|_| !pending.records.is_empty()) {
        items.push((
            stage,
            Action::RecordAppend {
                old_len,
                bytes: pending.records.clone(),
            },
        ));
    }
    if pending.payload_len > 0 {
        let digest = digest_of(&pending.segments)?;
        let old_len = old_len.max(HEADER_LEN);
        let stage = if planted!("write_payload_with_its_record") {
            Stage::Commit
        } else {
            Stage::Payload
        };
        items.push((
            stage,
            Action::PayloadAppend {
                old_len,
                len: pending.payload_len,
                digest,
            },
        ));
    }
    Ok(items)
}

/// The ranges of an overwritten record, none where nothing changes.
fn ranges_of(patch: &Patch, offset: u64, items: &mut Vec<(Stage, Action)>) {
    if patch.old == patch.new {
        return;
    }
    let mut push = |stage: Stage, from: usize, to: usize| {
        let (Some(old), Some(new)) = (patch.old.get(from..to), patch.new.get(from..to)) else {
            return;
        };
        let action = Action::Range {
            offset: offset + from as u64,
            old: old.to_vec(),
            new: new.to_vec(),
        };
        items.push((stage, action));
    };
    match patch.order {
        Order::StateLast { stage, .. } if planted!("write_the_state_with_its_fields") => {
            push(stage, 0, patch.new.len());
        }
        Order::Whole(stage) => push(stage, 0, patch.new.len()),
        Order::StateLast { state_offset, stage } => {
            let changed = |at: usize| patch.old.get(at) != patch.new.get(at);
            let mut at = 0;
            while at < patch.new.len() {
                if at == state_offset || !changed(at) {
                    at += 1;
                    continue;
                }
                let from = at;
                while at < patch.new.len() && at != state_offset && changed(at) {
                    at += 1;
                }
                push(Stage::Fields, from, at);
            }
            if changed(state_offset) {
                push(stage, state_offset, state_offset + 1);
            }
        }
    }
}

fn digest_of(segments: &[Segment]) -> Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    for segment in segments {
        pieces_of(segment, |piece| {
            hasher.update(piece);
            Ok(())
        })?;
    }
    Ok(hasher.finalize().into())
}

/// Hands a segment's bytes on, in pieces of bounded size.
pub(super) fn pieces_of(segment: &Segment, mut piece: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    match segment {
        Segment::Memory(bytes) => piece(bytes),
        Segment::Spooled(spool) => {
            let mut buffer = vec![0; usize::try_from(spool.len()).unwrap_or(usize::MAX).min(COPY_BYTES)];
            let mut done = 0;
            while done < spool.len() {
                let now = usize::try_from(spool.len() - done)
                    .unwrap_or(usize::MAX)
                    .min(buffer.len());
                let Some(part) = buffer.get_mut(..now) else { break };
                spool.read_at(done, part)?;
                piece(part)?;
                done += now as u64;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(order: Order, old: &[u8], new: &[u8]) -> Vec<(Stage, u64, Vec<u8>)> {
        let mut items = Vec::new();
        ranges_of(
            &Patch {
                old: old.to_vec(),
                new: new.to_vec(),
                order,
            },
            100,
            &mut items,
        );
        items
            .into_iter()
            .map(|(stage, action)| match action {
                Action::Range { offset, new, .. } => (stage, offset, new),
                other => panic!("{other:?} is not a range"),
            })
            .collect()
    }

    #[test]
    fn state_last_writes_every_changed_byte_but_the_state_byte_first() {
        let order = Order::StateLast {
            state_offset: 0,
            stage: Stage::Commit,
        };
        let items = ranges(order, &[0, 0, 1, 0, 0], &[9, 2, 1, 3, 4]);
        let expected = [
            (Stage::Fields, 101, vec![2]),
            (Stage::Fields, 103, vec![3, 4]),
            (Stage::Commit, 100, vec![9]),
        ];
        assert_eq!(items, expected);
    }

    #[test]
    fn a_change_that_changes_nothing_is_no_write() {
        assert!(ranges(Order::Whole(Stage::Commit), &[1, 2], &[1, 2]).is_empty());
        assert!(
            ranges(
                Order::StateLast {
                    state_offset: 1,
                    stage: Stage::State
                },
                &[1, 2],
                &[1, 2]
            )
            .is_empty()
        );
    }

    #[test]
    fn every_other_overwrite_is_one_whole_record_range() {
        let items = ranges(Order::Whole(Stage::Fields), &[1, 2, 3], &[1, 5, 3]);
        assert_eq!(items, [(Stage::Fields, 100, vec![1, 5, 3])]);
    }
}
