//! The append: payload first, then the record, which is the commit point.

use super::disk::Symbol;
use super::group::Overlay;
use super::undo::{FileId, Stage};

/// Appends a record.
pub fn record(overlay: &mut Overlay, records: FileId, bytes: &[Symbol]) {
    overlay.append(records, Stage::Commit, bytes);
}

/// Appends payload and then a record that refers to it.
pub fn with_payload(overlay: &mut Overlay, payload: (FileId, &[Symbol]), record: (FileId, &[Symbol])) {
    overlay.append(payload.0, Stage::Payload, payload.1);
    overlay.append(record.0, Stage::Commit, record.1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::undo::Item;

    #[test]
    fn payload_stands_in_an_earlier_stage_than_the_record_that_refers_to_it() {
        let (records, payload) = (FileId(0), FileId(1));
        let mut overlay = Overlay::new(&vec![vec![], vec![1]], &[payload]);
        with_payload(&mut overlay, (payload, &[2]), (records, &[3]));
        let stages: Vec<Stage> = overlay.items().iter().map(Item::stage).collect();
        assert_eq!(stages, [Stage::Payload, Stage::Commit]);
        assert!(matches!(overlay.items()[0], Item::Payload { old_len: 1, .. }));
    }
}
