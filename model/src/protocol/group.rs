//! Several operations in one transaction: an overlay that each sees, and the one list of items it becomes.
//!
//! A byte is in at most one range and a file grows once: what several operations write to one place is written once, in
//! its final form, in the earliest stage that needs it.

use std::collections::BTreeMap;

use super::disk::Symbol;
use super::undo::{FileId, Item, Stage};

/// The content of every authority file, by file number; recovery stores are empty here.
pub type Content = Vec<Vec<Symbol>>;

/// Pending writes over the files as they are.
#[derive(Clone, Debug)]
pub struct Overlay {
    before: Content,
    now: Content,
    payload: Vec<FileId>,
    ranges: BTreeMap<(FileId, usize), Stage>,
    growths: BTreeMap<FileId, Stage>,
}

impl Overlay {
    /// An overlay without writes. `payload` names the payload files.
    pub fn new(before: &Content, payload: &[FileId]) -> Self {
        Self {
            before: before.clone(),
            now: before.clone(),
            payload: payload.to_vec(),
            ranges: BTreeMap::new(),
            growths: BTreeMap::new(),
        }
    }

    /// The content with the pending writes.
    pub fn now(&self) -> &Content {
        &self.now
    }

    /// Writes bytes at an offset, at most at the end.
    pub fn write(&mut self, file: FileId, offset: usize, stage: Stage, bytes: &[Symbol]) {
        let old_len = self.before[file.0].len();
        for (at, &byte) in (offset..).zip(bytes) {
            match self.now[file.0].get_mut(at) {
                Some(slot) => *slot = byte,
                None => self.now[file.0].push(byte),
            }
            let earliest = if at < old_len {
                self.ranges.entry((file, at)).or_insert(stage)
            } else {
                self.growths.entry(file).or_insert(stage)
            };
            *earliest = stage.min(*earliest);
        }
    }

    /// Appends bytes; answers their offset.
    pub fn append(&mut self, file: FileId, stage: Stage, bytes: &[Symbol]) -> usize {
        let offset = self.now[file.0].len();
        self.write(file, offset, stage, bytes);
        offset
    }

    /// The items: growths, then ranges of neighbouring bytes of one stage. Bytes that end as they were are left out, so
    /// a transaction that changes nothing has no item.
    pub fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (&file, &stage) in &self.growths {
            let old_len = self.before[file.0].len();
            let bytes = self.now[file.0][old_len..].to_vec();
            items.push(if self.payload.contains(&file) {
                Item::Payload {
                    stage,
                    file,
                    old_len,
                    bytes,
                }
            } else {
                Item::Records {
                    stage,
                    file,
                    old_len,
                    bytes,
                }
            });
        }
        for (&(at_file, at), &at_stage) in &self.ranges {
            let (was, is) = (self.before[at_file.0][at], self.now[at_file.0][at]);
            if was == is {
                continue;
            }
            if let Some(Item::Range {
                stage,
                file,
                offset,
                old,
                new,
            }) = items.last_mut()
                && (*stage, *file, *offset + old.len()) == (at_stage, at_file, at)
            {
                old.push(was);
                new.push(is);
                continue;
            }
            items.push(Item::Range {
                stage: at_stage,
                file: at_file,
                offset: at,
                old: vec![was],
                new: vec![is],
            });
        }
        items.sort_by_key(Item::stage);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: FileId = FileId(0);

    #[test]
    fn a_record_appended_and_then_changed_is_appended_once_in_its_final_form() {
        let mut overlay = Overlay::new(&vec![vec![1, 1]], &[]);
        let offset = overlay.append(FILE, Stage::Commit, &[2, 2]);
        overlay.write(FILE, offset + 1, Stage::Fields, &[3]);
        let expected = Item::Records {
            stage: Stage::Fields,
            file: FILE,
            old_len: 2,
            bytes: vec![2, 3],
        };
        assert_eq!(overlay.items(), [expected]);
    }

    #[test]
    fn each_byte_is_in_at_most_one_range() {
        let mut overlay = Overlay::new(&vec![vec![1, 1, 1]], &[]);
        overlay.write(FILE, 0, Stage::Commit, &[2, 2]);
        overlay.write(FILE, 1, Stage::Fields, &[3, 3]);
        let items = overlay.items();
        assert_eq!(items.len(), 2);
        assert!(items.contains(&Item::Range {
            stage: Stage::Fields,
            file: FILE,
            offset: 1,
            old: vec![1, 1],
            new: vec![3, 3]
        }));
        assert!(items.contains(&Item::Range {
            stage: Stage::Commit,
            file: FILE,
            offset: 0,
            old: vec![1],
            new: vec![2]
        }));
    }

    #[test]
    fn a_transaction_that_changes_nothing_has_no_item() {
        let mut overlay = Overlay::new(&vec![vec![1, 2]], &[]);
        overlay.write(FILE, 0, Stage::Commit, &[9, 2]);
        overlay.write(FILE, 0, Stage::Commit, &[1]);
        assert_eq!(overlay.items(), []);
    }
}
