//! Stashes, Lines and Tags.

use graven::format::{Line, Stash, Tag};

use crate::at;
use crate::planted::{Planted, rule};

#[test]
fn the_sample_is_sound_and_a_repair_of_it_writes_nothing() {
    let planted = Planted::new();
    assert_eq!(planted.found(), [""; 0]);
    let before = planted.disk.files();
    assert!(planted.repair(false).is_nothing());
    assert_eq!(planted.disk.files(), before);
}

/// W-STASH-03: a Snapshot of another kind, one that is not there, one that is deleted.
#[test]
fn w_stash_03_a_stash_is_of_a_live_snapshot_of_kind_stash() {
    for snapshot in [at::FIRST, 99, at::DELETED] {
        let mut planted = Planted::new();
        planted.plant(
            "stash.bin",
            at::LIVE_STASH,
            "stash_snapshot_index",
            &snapshot.to_le_bytes(),
        );
        planted.refused(&["error stash.bin 1 W-STASH-03"]);
    }
}

/// W-STASH-04, W-STASH-05: the Snapshot of a deleted Stash may be deleted; its record stays, and later ones stay too.
#[test]
fn w_stash_04_05_a_deleted_stash_may_have_a_deleted_snapshot_and_a_live_one_may_not() {
    let mut planted = Planted::new();
    assert_eq!(planted.record("stash.bin", 0), [0x81, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(planted.record("stash.bin", 1), [0, 0, 0, 0, 2, 0, 0, 0]);
    planted.plant("stash.bin", 0, "stash_meta", &[0]);
    planted.refused(&["error stash.bin 0 W-STASH-03"]);
}

/// W-STASH-06, F-1: bits and bytes without a meaning.
#[test]
fn w_stash_06_reserved_bits_of_a_stash_are_refused() {
    for (field, bytes, broken) in [
        ("stash_meta", &[2][..], "W-STASH-06"),
        ("stash_meta", &[0x41], "W-STASH-06"),
        ("reserved0", &[1], "F-1"),
        ("reserved1", &[0, 1], "F-1"),
    ] {
        let mut planted = Planted::new();
        planted.plant("stash.bin", 1, field, bytes);
        assert_eq!(rule(Stash::decode(&planted.record("stash.bin", 1))), Some(broken));
        planted.refused(&[&format!("error stash.bin 1 {broken}")]);
    }
}

/// W-LINE-02: `line_meta` has an archived and a tombstone bit and no other, and a deleted Line is archived too; names
/// are unique.
#[test]
fn w_line_02_unknown_bits_of_a_line_and_a_name_used_twice_are_refused() {
    for meta in [4, 0x80, 2] {
        let mut planted = Planted::new();
        planted.plant("line.bin", 0, "line_meta", &[meta]);
        let broken = rule(Line::decode(&planted.record("line.bin", 0))).expect("refused");
        planted.refused_among(&format!("error line.bin 0 {broken}"));
    }
    let mut planted = Planted::new();
    // "main", "old", "none": the archived Line takes the name of the deleted one, which is free; then that of another.
    planted.plant("line.bin", at::DELETED_LINE, "line_meta", &[0]);
    planted.plant("line.bin", at::DELETED_LINE, "archived_at_s", &[0; 8]);
    assert_eq!(planted.found(), [""; 0]);
    let mut names = planted.read("line_name_payload.bin");
    let place = names.len() - 4;
    names[place..].copy_from_slice(b"main");
    planted.write("line_name_payload.bin", &names);
    planted.refused_among("error line.bin 2 F-2.4");
}

/// W-LINE-03: an archive time without the bit and the bit without a time; a head that is not there, deleted, of a Stash.
#[test]
fn w_line_03_archive_time_and_head_of_a_line_must_fit() {
    let mut planted = Planted::new();
    planted.plant("line.bin", at::ARCHIVED_LINE, "archived_at_s", &[0; 8]);
    let broken = rule(Line::decode(&planted.record("line.bin", at::ARCHIVED_LINE))).expect("refused");
    planted.refused_among(&format!("error line.bin 1 {broken}"));
    for head in [99_u32, at::DELETED, at::OF_STASH] {
        let mut planted = Planted::new();
        planted.plant("line.bin", 0, "head_snapshot_index_plus1", &(head + 1).to_le_bytes());
        planted.refused(&["error line.bin 0 W-LINE-03"]);
    }
}

/// W-TAG-03: an empty name, and one that is not UTF-8.
#[test]
fn w_tag_03_a_tag_without_a_name_and_one_that_is_no_text_are_refused() {
    for (byte, to) in [(4, [0]), (6, [0xff])] {
        let mut planted = Planted::new();
        let mut payload = planted.read("tag_payload.bin");
        payload[byte..=byte].copy_from_slice(&to);
        planted.write("tag_payload.bin", &payload);
        planted.refused(&["error tag_payload.bin 0 W-TAG-03"]);
    }
}

/// W-TAG-04: a Snapshot that is deleted, and one that is not there. W-TAG-10: that a deleted Tag names a Snapshot which
/// is in use is right.
#[test]
fn w_tag_04_10_a_live_tag_names_a_live_snapshot() {
    for snapshot in [at::DELETED, 99] {
        let mut planted = Planted::new();
        planted.plant("tag.bin", 0, "snapshot_index", &snapshot.to_le_bytes());
        planted.refused(&["error tag.bin 0 W-TAG-04"]);
    }
    let mut planted = Planted::new();
    planted.plant("tag.bin", 1, "snapshot_index", &at::DELETED.to_le_bytes());
    assert_eq!(planted.found(), [""; 0]);
    planted.plant("tag.bin", 1, "snapshot_index", &99_u32.to_le_bytes());
    planted.refused(&["error tag.bin 1 W-TAG-04"]);
}

/// W-TAG-08: a replacement that was cut off leaves payload that nothing refers to, which is no damage.
#[test]
fn w_tag_08_payload_that_nothing_refers_to_is_legal_and_stays() {
    for file in [
        "tag_payload.bin",
        "task_payload.bin",
        "change_payload.bin",
        "line_name_payload.bin",
    ] {
        let mut planted = Planted::new();
        let longer = [planted.read(file), b"left behind".to_vec()].concat();
        planted.write(file, &longer);
        planted.passed(&[]);
    }
}

/// W-TAG-13: bits of a Tag without a meaning.
#[test]
fn w_tag_13_reserved_bits_of_a_tag_are_refused() {
    for (field, bytes) in [("tag_meta", [2]), ("reserved0", [1])] {
        let mut planted = Planted::new();
        planted.plant("tag.bin", 0, field, &bytes);
        let broken = rule(Tag::decode(&planted.record("tag.bin", 0))).expect("refused");
        planted.refused_among(&format!("error tag.bin 0 {broken}"));
    }
}
