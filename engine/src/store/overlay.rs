//! The pending writes of a transaction over one zone: nothing here has touched the disk.
//!
//! A record that was appended in the transaction is changed in place; one that stands on disk gets a patch with its
//! old and new bytes. Every step is journalled, so that a refused operation drops only its own writes.

use std::collections::BTreeMap;

use super::spool::Spool;
use super::undo::Stage;

/// How the bytes of an overwritten record are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The whole record in one stage.
    Whole(Stage),
    /// Every changed byte but the state byte in the fields stage, the state byte in the given stage.
    StateLast {
        /// The state byte's offset in the record.
        state_offset: usize,
        /// Its stage.
        stage: Stage,
    },
}

impl Order {
    /// The order that keeps what both ask for, where one transaction changes a record twice.
    fn and(self, later: Self) -> Self {
        match (self, later) {
            (Self::Whole(a), Self::Whole(b)) => Self::Whole(a.min(b)),
            (Self::StateLast { stage: a, .. }, Self::StateLast { state_offset, stage: b }) => Self::StateLast {
                state_offset,
                stage: a.max(b),
            },
            (Self::StateLast { .. }, Self::Whole(_)) => self,
            (Self::Whole(_), Self::StateLast { .. }) => later,
        }
    }
}

/// A pending overwrite of a record that stands on disk.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) order: Order,
}

/// Appended payload bytes.
#[derive(Debug)]
pub(super) enum Segment {
    /// In memory.
    Memory(Vec<u8>),
    /// In an unnamed file.
    Spooled(Spool),
}

impl Segment {
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Spooled(spool) => spool.len(),
        }
    }
}

/// The pending writes to one file.
#[derive(Debug, Default)]
pub(super) struct SlotOverlay {
    /// Appended records.
    pub(super) records: Vec<u8>,
    /// The earliest stage that an append asked for.
    pub(super) append_stage: Option<Stage>,
    /// Overwritten records, by index.
    pub(super) patches: BTreeMap<u32, Patch>,
    /// Appended payload.
    pub(super) segments: Vec<Segment>,
    /// Its length.
    pub(super) payload_len: u64,
}

#[derive(Debug)]
enum Step {
    RecordAppended {
        slot: u8,
        len: usize,
        stage: Option<Stage>,
    },
    AppendedChanged {
        slot: u8,
        start: usize,
        old: Vec<u8>,
    },
    Patched {
        slot: u8,
        index: u32,
        previous: Option<Patch>,
    },
    PayloadAppended {
        slot: u8,
        segments: usize,
        last_len: usize,
        payload_len: u64,
    },
}

/// The pending writes to one zone.
#[derive(Debug)]
pub(super) struct Overlay {
    pub(super) slots: Vec<SlotOverlay>,
    /// Every record that was appended or changed, in order: what indexes have to look at.
    pub(super) touched: Vec<(u8, u32)>,
    /// Bytes held in memory.
    pub(super) bytes: u64,
    journal: Vec<Step>,
}

/// A place to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Savepoint {
    journal: usize,
    touched: usize,
    bytes: u64,
}

impl Overlay {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots: std::iter::repeat_with(SlotOverlay::default).take(slots).collect(),
            touched: Vec::new(),
            bytes: 0,
            journal: Vec::new(),
        }
    }

    pub(super) fn slot(&self, slot: u8) -> Option<&SlotOverlay> {
        self.slots.get(usize::from(slot))
    }

    pub(super) fn append_record(&mut self, slot: u8, index: u32, stage: Stage, bytes: &[u8]) {
        let Some(overlay) = self.slots.get_mut(usize::from(slot)) else {
            return;
        };
        self.journal.push(Step::RecordAppended {
            slot,
            len: overlay.records.len(),
            stage: overlay.append_stage,
        });
        overlay.records.extend_from_slice(bytes);
        overlay.append_stage = Some(overlay.append_stage.map_or(stage, |earlier| earlier.min(stage)));
        self.touched.push((slot, index));
        // The undo holds appended records once more.
        self.bytes += 2 * bytes.len() as u64;
    }

    /// Changes a record that was appended in this transaction; `start` is its place among the appended bytes.
    pub(super) fn change_appended(&mut self, slot: u8, index: u32, start: usize, bytes: &[u8]) {
        let Some(overlay) = self.slots.get_mut(usize::from(slot)) else {
            return;
        };
        let Some(place) = overlay.records.get_mut(start..start + bytes.len()) else {
            return;
        };
        self.journal.push(Step::AppendedChanged {
            slot,
            start,
            old: place.to_vec(),
        });
        place.copy_from_slice(bytes);
        self.touched.push((slot, index));
        self.bytes += bytes.len() as u64;
    }

    pub(super) fn patch(&mut self, slot: u8, index: u32, order: Order, old: &[u8], new: &[u8]) {
        let Some(overlay) = self.slots.get_mut(usize::from(slot)) else {
            return;
        };
        let previous = overlay.patches.get(&index).cloned();
        let patch = match &previous {
            Some(patch) => Patch {
                old: patch.old.clone(),
                new: new.to_vec(),
                order: patch.order.and(order),
            },
            None => Patch {
                old: old.to_vec(),
                new: new.to_vec(),
                order,
            },
        };
        overlay.patches.insert(index, patch);
        self.journal.push(Step::Patched { slot, index, previous });
        self.touched.push((slot, index));
        self.bytes += 4 * new.len() as u64;
    }

    pub(super) fn append_payload(&mut self, slot: u8, segment: Segment) {
        let Some(overlay) = self.slots.get_mut(usize::from(slot)) else {
            return;
        };
        let last_len = match overlay.segments.last() {
            Some(Segment::Memory(bytes)) => bytes.len(),
            _ => 0,
        };
        self.journal.push(Step::PayloadAppended {
            slot,
            segments: overlay.segments.len(),
            last_len,
            payload_len: overlay.payload_len,
        });
        overlay.payload_len += segment.len();
        match (overlay.segments.last_mut(), segment) {
            (Some(Segment::Memory(bytes)), Segment::Memory(more)) => {
                self.bytes += more.len() as u64;
                bytes.extend_from_slice(&more);
            }
            (_, segment) => {
                if let Segment::Memory(bytes) = &segment {
                    self.bytes += bytes.len() as u64;
                }
                overlay.segments.push(segment);
            }
        }
    }

    pub(super) fn savepoint(&self) -> Savepoint {
        Savepoint {
            journal: self.journal.len(),
            touched: self.touched.len(),
            bytes: self.bytes,
        }
    }

    /// Drops everything that was done since the savepoint.
    pub(super) fn return_to(&mut self, savepoint: Savepoint) {
        while self.journal.len() > savepoint.journal {
            match self.journal.pop() {
                Some(Step::RecordAppended { slot, len, stage }) => {
                    if let Some(overlay) = self.slots.get_mut(usize::from(slot)) {
                        overlay.records.truncate(len);
                        overlay.append_stage = stage;
                    }
                }
                Some(Step::AppendedChanged { slot, start, old }) => {
                    let place = self
                        .slots
                        .get_mut(usize::from(slot))
                        .and_then(|overlay| overlay.records.get_mut(start..start + old.len()));
                    if let Some(place) = place {
                        place.copy_from_slice(&old);
                    }
                }
                Some(Step::Patched { slot, index, previous }) => {
                    if let Some(overlay) = self.slots.get_mut(usize::from(slot)) {
                        match previous {
                            Some(patch) => overlay.patches.insert(index, patch),
                            None => overlay.patches.remove(&index),
                        };
                    }
                }
                Some(Step::PayloadAppended {
                    slot,
                    segments,
                    last_len,
                    payload_len,
                }) => {
                    if let Some(overlay) = self.slots.get_mut(usize::from(slot)) {
                        overlay.segments.truncate(segments);
                        if let Some(Segment::Memory(bytes)) = overlay.segments.last_mut() {
                            bytes.truncate(last_len);
                        }
                        overlay.payload_len = payload_len;
                    }
                }
                None => break,
            }
        }
        self.touched.truncate(savepoint.touched);
        self.bytes = savepoint.bytes;
    }

    /// Reads appended payload at an offset relative to the old end of the file; `false` where it is not all there.
    pub(super) fn read_payload(&self, slot: u8, mut offset: u64, mut out: &mut [u8]) -> super::Result<bool> {
        let Some(overlay) = self.slot(slot) else {
            return Ok(false);
        };
        for segment in &overlay.segments {
            if out.is_empty() {
                break;
            }
            let len = segment.len();
            if offset >= len {
                offset -= len;
                continue;
            }
            let available = usize::try_from(len - offset).unwrap_or(usize::MAX).min(out.len());
            let (now, later) = out.split_at_mut(available);
            match segment {
                Segment::Memory(bytes) => {
                    let start = usize::try_from(offset).unwrap_or(usize::MAX);
                    let Some(source) = bytes.get(start..start + available) else {
                        return Ok(false);
                    };
                    now.copy_from_slice(source);
                }
                Segment::Spooled(spool) => spool.read_at(offset, now)?,
            }
            out = later;
            offset = 0;
        }
        Ok(out.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_operation_drops_only_its_own_writes() {
        let mut overlay = Overlay::new(2);
        overlay.append_record(0, 0, Stage::Commit, &[1, 1]);
        overlay.append_payload(1, Segment::Memory(vec![9; 3]));
        overlay.patch(0, 7, Order::Whole(Stage::Commit), &[0, 0], &[5, 5]);
        let before = format!("{:?}", (&overlay.slots, &overlay.touched, overlay.bytes));
        let savepoint = overlay.savepoint();
        overlay.append_record(0, 1, Stage::Fields, &[2, 2]);
        overlay.change_appended(0, 0, 0, &[3, 3]);
        overlay.append_payload(1, Segment::Memory(vec![8; 2]));
        overlay.patch(0, 7, Order::Whole(Stage::Fields), &[5, 5], &[6, 6]);
        overlay.patch(0, 8, Order::Whole(Stage::Commit), &[0, 0], &[1, 1]);
        overlay.return_to(savepoint);
        assert_eq!(
            format!("{:?}", (&overlay.slots, &overlay.touched, overlay.bytes)),
            before
        );
    }

    #[test]
    fn a_record_changed_twice_keeps_its_first_old_bytes() {
        let mut overlay = Overlay::new(1);
        overlay.patch(0, 0, Order::Whole(Stage::Commit), &[0], &[1]);
        overlay.patch(
            0,
            0,
            Order::StateLast {
                state_offset: 0,
                stage: Stage::Commit,
            },
            &[1],
            &[2],
        );
        let patch = &overlay.slots[0].patches[&0];
        assert_eq!((&patch.old[..], &patch.new[..]), (&[0][..], &[2][..]));
        assert_eq!(
            patch.order,
            Order::StateLast {
                state_offset: 0,
                stage: Stage::Commit
            }
        );
    }
}
