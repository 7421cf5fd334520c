//! The state-last change: every changed byte of a record but its state byte first, then the state byte.

use super::disk::Symbol;
use super::group::Overlay;
use super::undo::{FileId, Stage};

/// Changes the record at `offset` so that its byte `state_offset` is written after all others. `state_stage` is
/// [`Stage::Commit`] where the state byte is the operation's last write, [`Stage::State`] where another write is.
pub fn change(
    overlay: &mut Overlay,
    file: FileId,
    offset: usize,
    state_offset: usize,
    state_stage: Stage,
    bytes: &[Symbol],
) {
    for (at, byte) in bytes.iter().enumerate() {
        let stage = if at == state_offset { state_stage } else { Stage::Fields };
        if overlay.now()[file.0].get(offset + at) != Some(byte) {
            overlay.write(file, offset + at, stage, &[*byte]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_byte_is_written_after_every_other_byte() {
        let mut overlay = Overlay::new(&vec![vec![1, 1, 1, 1]], &[]);
        change(&mut overlay, FileId(0), 1, 0, Stage::Commit, &[2, 1, 2]);
        let items = overlay.items();
        assert_eq!(items.len(), 2);
        assert_eq!((items[0].stage(), items[0].new_bytes()), (Stage::Fields, (3, &[2][..])));
        assert_eq!((items[1].stage(), items[1].new_bytes()), (Stage::Commit, (1, &[2][..])));
    }
}
