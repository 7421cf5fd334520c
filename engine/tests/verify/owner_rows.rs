//! Owner rows and links: what disagrees with the committed records is found and rebuilt from them.

use graven::format::{Land, LandIndex};

use crate::at;
use crate::planted::Planted;

const FILES: [&str; 3] = ["task_change_index.bin", "task_land_index.bin", "change_land_index.bin"];

/// W-CHANGE-58, W-LAND-12, W-LAND-14, W-LAND-44 (F-1.2): the latest, the count and the next ordinal of every row.
#[test]
fn w_change_58_w_land_12_14_44_a_row_that_disagrees_is_rebuilt_from_the_records() {
    let sound = Planted::new();
    for (file, owner, field) in [
        (FILES[0], at::OPEN_TASK, "latest_change_index_plus1"),
        (FILES[0], at::OPEN_TASK, "change_count"),
        (FILES[0], at::OPEN_TASK, "next_change_ordinal"),
        (FILES[0], at::COMPLETED_TASK, "next_change_ordinal"),
        (FILES[1], at::OPEN_TASK, "latest_land_index_plus1"),
        (FILES[1], at::OPEN_TASK, "land_count"),
        (FILES[1], at::CANCELED_TASK, "latest_land_index_plus1"),
        (FILES[2], at::DRAFT_CHANGE, "latest_land_index_plus1"),
        (FILES[2], at::DRAFT_CHANGE, "land_count"),
        (FILES[2], at::DRAFT_CHANGE, "next_land_ordinal"),
    ] {
        // A wrong value, and one that no row may have.
        for value in [1, 99] {
            let mut planted = Planted::new();
            planted.plant(file, owner, field, &[value]);
            if planted.data() == sound.data() {
                continue;
            }
            let full = format!("workflow/{file}");
            planted.repaired(
                &[&format!("warning {file} {owner} F-1.2")],
                &[(&full, "F-1.2", &[owner])],
                &sound,
            );
        }
    }
}

/// W-CHANGE-59 (F-1.2): row n belongs to owner n; rows that are missing are appended.
#[test]
fn w_change_59_missing_rows_are_appended() {
    let sound = Planted::new();
    for (file, owners) in [(FILES[0], 6_u32), (FILES[1], 6), (FILES[2], 8)] {
        for missing in [1, 2, owners] {
            let mut planted = Planted::new();
            let rows = planted.read(file);
            planted.write(file, &rows[..rows.len() - missing as usize * 8]);
            let records: Vec<u32> = (owners - missing..owners).collect();
            let found: Vec<String> = records
                .iter()
                .map(|record| format!("warning {file} {record} F-1.2"))
                .collect();
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            planted.repaired(&found, &[(&format!("workflow/{file}"), "F-1.2", &records)], &sound);
        }
    }
}

/// F-1.2: a row without an owner is told; no change takes a row out.
#[test]
fn f_1_2_rows_without_an_owner_are_told_and_stay() {
    for file in FILES {
        let mut planted = Planted::new();
        let rows = [planted.read(file), vec![0; 8]].concat();
        planted.write(file, &rows);
        planted.refused(&[&format!("error {file} F-1.2")]);
    }
}

/// F-1: reserved bytes of a row.
#[test]
fn f_1_reserved_bytes_of_a_row_are_refused() {
    for file in FILES {
        let mut planted = Planted::new();
        planted.plant(file, 0, "reserved0", &[1]);
        planted.refused(&[&format!("error {file} 0 F-1")]);
    }
}

/// W-LAND-13, W-LAND-14, W-CHANGE-58 (F-1.2): the links to the record before; the first has none.
#[test]
fn w_land_13_14_w_change_58_a_link_that_disagrees_is_rebuilt_from_the_records() {
    let sound = Planted::new();
    for (file, record, field) in [
        ("change.bin", at::OTHER_DRAFT, "previous_change_index_plus1"),
        ("change.bin", at::DRAFT_CHANGE, "previous_change_index_plus1"),
        ("land.bin", at::QUEUED_LAND, "previous_task_land_index_plus1"),
        ("land.bin", at::UPDATING_LAND, "previous_task_land_index_plus1"),
        ("land.bin", at::UPDATING_LAND, "previous_change_land_index_plus1"),
        ("land.bin", at::LATER_LAND, "previous_change_land_index_plus1"),
    ] {
        for value in [0_u32, 1, 99, u32::MAX] {
            let mut planted = Planted::new();
            planted.plant(file, record, field, &value.to_le_bytes());
            if planted.data() == sound.data() {
                continue;
            }
            planted.repaired(
                &[&format!("warning {file} {record} F-1.2")],
                &[(&format!("workflow/{file}"), "F-1.2", &[record])],
                &sound,
            );
        }
    }
}

/// W-LAND-14: the Task's chain follows the file, over the Lands of all its Changes; W-LAND-13: the Change's chain follows
/// its own ordinals.
#[test]
fn w_land_13_14_the_chain_of_a_task_follows_the_file_and_that_of_a_change_its_ordinals() {
    let sound = Planted::new();
    let land = |record| Land::decode_native(&sound.record("land.bin", record)).expect("sound");
    let updating = land(at::UPDATING_LAND);
    assert_eq!(updating.previous_of_task.map(LandIndex::get), Some(at::OTHER_LAND));
    assert_eq!(updating.previous_of_change.map(LandIndex::get), Some(at::RUNNING_LAND));
    // Gaps between the ordinals of Lands are legal, and nothing is renumbered: only the next ordinal follows.
    let mut gap = Planted::new();
    gap.plant("land.bin", at::CANCELED_LAND, "land_ordinal", &[40]);
    let mut wanted = Planted::new();
    wanted.plant("land.bin", at::CANCELED_LAND, "land_ordinal", &[40]);
    wanted.plant("change_land_index.bin", at::DRAFT_CHANGE, "next_land_ordinal", &[41]);
    gap.repaired(
        &["warning change_land_index.bin 5 F-1.2"],
        &[("workflow/change_land_index.bin", "F-1.2", &[at::DRAFT_CHANGE])],
        &wanted,
    );
}

/// W-LAND-18: a Land without a time of submission is the first of its chains; where the records have one before it, its
/// link is not rebuilt.
#[test]
fn w_land_18_a_link_is_not_rebuilt_where_it_would_make_the_land_illegal() {
    let second = (at::SECOND + 1).to_le_bytes();
    let mut planted = Planted::new();
    let fields: [(&str, &[u8]); 7] = [
        ("land_meta", &[0x12]),
        ("land_ordinal", &[0]),
        ("failure_kind", &[0]),
        ("landed_snapshot_index_plus1", &second),
        ("submitted_at_s", &[0; 8]),
        ("previous_task_land_index_plus1", &[0; 4]),
        ("previous_change_land_index_plus1", &[0; 4]),
    ];
    for (field, bytes) in fields {
        planted.plant("land.bin", at::LATER_LAND, field, bytes);
    }
    planted.refused_among("error land.bin 9 F-1.2");
}
