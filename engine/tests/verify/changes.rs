//! Changes: what a record may not say, what is tolerated, what it refers to.

use graven::format::{ArchiveCause, Change, ChangeLifecycle};

use crate::planted::{Planted, rule};
use crate::{at, sample};

const SOME_TIME: [u8; 8] = sample::NOW.0.to_le_bytes();

fn plant(change: u32, fields: &[(&str, &[u8])]) -> Planted {
    let mut planted = Planted::new();
    for (field, bytes) in fields {
        planted.plant("change.bin", change, field, bytes);
    }
    planted
}

/// Plants fields of a Change that its decoder refuses by that rule, and so do `verify` and `repair`.
fn refused(change: u32, fields: &[(&str, &[u8])], broken: &str) {
    let planted = plant(change, fields);
    let answer = rule(Change::decode(&planted.record("change.bin", change)));
    assert_eq!(answer, Some(broken), "{fields:?}");
    planted.refused_among(&format!("error change.bin {change} {broken}"));
}

/// W-CHANGE-05: two Changes of one Task with one ordinal; that of another Task is free.
#[test]
fn w_change_05_two_changes_of_one_task_never_have_one_ordinal() {
    plant(at::OTHER_DRAFT, &[("change_ordinal", &[0])]).refused_among("error change.bin 6 W-CHANGE-05");
    // The published Task has a Change with ordinal 1, which the draft would be if it were that Task's.
    plant(at::DRAFT_CHANGE, &[("task_index", &[0])]).refused_among("error change.bin 5 W-CHANGE-05");
}

/// F-1.2 (C13): in a local root the ordinals of a Task's Changes have no gap and stand in the order of the file.
#[test]
fn f_1_2_the_ordinals_of_a_tasks_changes_have_no_gap() {
    plant(at::OTHER_DRAFT, &[("change_ordinal", &[2])]).refused_among("error change.bin 6 F-1.2");
    let mut planted = plant(at::OTHER_DRAFT, &[("change_ordinal", &[0])]);
    planted.plant("change.bin", at::DRAFT_CHANGE, "change_ordinal", &[1]);
    planted.refused_among("error change.bin 5 F-1.2");
}

/// W-CHANGE-06, W-CHANGE-07: two Changes of one Task that are one remote Change; that of another Task is another one.
#[test]
fn w_change_06_07_a_remote_change_has_one_local_counterpart() {
    let published: &[(&str, &[u8])] = &[
        ("local_meta", &[1]),
        ("published_remote_change_ordinal_plus1", &[3]),
        ("published_at_s", &SOME_TIME),
    ];
    plant(at::PLAIN_CHANGE, published).refused(&["error change.bin 2 W-CHANGE-06"]);
    let mut planted = plant(at::DRAFT_CHANGE, published);
    planted.plant("task.bin", at::OPEN_TASK, "local_meta", &[1]);
    planted.plant("task.bin", at::OPEN_TASK, "published_at_s", &SOME_TIME);
    planted.plant("task.bin", at::OPEN_TASK, "published_remote_task_index", &[8]);
    planted.passed(&[]);
}

/// W-CHANGE-18, W-CHANGE-23, W-CHANGE-55, W-CHANGE-60: bits and bytes without a meaning.
#[test]
fn w_change_18_23_55_60_reserved_bits_and_bytes_are_refused() {
    for bit in 1..8 {
        refused(at::PLAIN_CHANGE, &[("change_state", &[1 << bit])], "W-CHANGE-18");
        refused(at::PLAIN_CHANGE, &[("local_meta", &[1 << bit])], "W-CHANGE-55");
    }
    refused(at::PLAIN_CHANGE, &[("reserved1", &[0, 1])], "W-CHANGE-60");
    refused(at::PLAIN_CHANGE, &[("reserved2", &[1])], "W-CHANGE-23");
    refused(at::PLAIN_CHANGE, &[("reserved3", &[1])], "W-CHANGE-23");
}

/// W-CHANGE-19, W-CHANGE-52: canceled and superseded are said of archived Changes only.
#[test]
fn w_change_19_52_only_an_archived_change_is_canceled_or_superseded() {
    for change in [at::DRAFT_CHANGE, at::LANDED_CHANGE] {
        refused(change, &[("change_state", &[1])], "W-CHANGE-19");
        let meta = Planted::new().record("change.bin", change)[0];
        refused(change, &[("change_meta", &[meta | 0x80])], "W-CHANGE-52");
    }
}

/// W-CHANGE-20, W-CHANGE-22, W-CHANGE-24, W-CHANGE-25: the published bit, the remote ordinal and the time go together.
#[test]
fn w_change_22_24_25_a_change_is_published_as_a_whole_or_not() {
    let ordinal = "published_remote_change_ordinal_plus1";
    for beyond in [65, 255] {
        refused(at::PUBLISHED_CHANGE, &[(ordinal, &[beyond])], "W-CHANGE-22");
        refused(at::DRAFT_CHANGE, &[(ordinal, &[beyond])], "W-CHANGE-22");
    }
    refused(at::DRAFT_CHANGE, &[(ordinal, &[3])], "W-CHANGE-24");
    refused(at::PUBLISHED_CHANGE, &[(ordinal, &[0])], "W-CHANGE-24");
    refused(at::PUBLISHED_CHANGE, &[("local_meta", &[0])], "W-CHANGE-24");
    refused(at::PUBLISHED_CHANGE, &[("published_at_s", &[0; 8])], "W-CHANGE-25");
    refused(at::DRAFT_CHANGE, &[("published_at_s", &SOME_TIME)], "W-CHANGE-25");
}

/// W-CHANGE-26: a published Change of a Task that is not.
#[test]
fn w_change_26_a_published_change_has_a_published_task() {
    let mut planted = Planted::new();
    planted.plant("task.bin", at::PUBLISHED_TASK, "local_meta", &[0]);
    planted.plant("task.bin", at::PUBLISHED_TASK, "published_at_s", &[0; 8]);
    planted.plant("task.bin", at::PUBLISHED_TASK, "published_remote_task_index", &[0]);
    planted.refused(&["error change.bin 0 W-CHANGE-26"]);
}

/// W-CHANGE-29, W-CHANGE-48: no base Line.
#[test]
fn w_change_29_48_a_change_without_a_base_line_is_refused() {
    refused(at::DRAFT_CHANGE, &[("base_line_index_plus1", &[0; 4])], "W-CHANGE-29");
}

/// W-CHANGE-49: a base Line that is not there. One that is archived or deleted has its record, which is enough.
#[test]
fn w_change_49_the_base_line_of_a_change_has_a_record() {
    plant(at::DRAFT_CHANGE, &[("base_line_index_plus1", &[4])]).refused(&["error change.bin 5 W-CHANGE-49"]);
    for line in [at::ARCHIVED_LINE, at::DELETED_LINE] {
        let plus1 = (line + 1).to_le_bytes();
        plant(at::DRAFT_CHANGE, &[("base_line_index_plus1", &plus1)]).passed(&[]);
    }
}

/// W-CHANGE-31, W-CHANGE-50: a fork Snapshot that is not there, one that is deleted, one that never was a head.
#[test]
fn w_change_50_the_fork_of_a_change_is_a_live_snapshot() {
    for snapshot in [99, at::DELETED, at::OF_STASH] {
        let plus1: [u8; 4] = (snapshot + 1_u32).to_le_bytes();
        let planted = plant(at::DRAFT_CHANGE, &[("fork_snapshot_index_plus1", &plus1)]);
        planted.refused(&["error change.bin 5 W-CHANGE-50"]);
    }
    plant(at::DRAFT_CHANGE, &[("fork_snapshot_index_plus1", &[0; 4])]).passed(&[]);
}

/// W-CHANGE-33, W-CHANGE-34, W-CHANGE-53: on which Line the fork was made is no matter.
#[test]
fn w_change_33_34_53_the_authoring_line_of_the_fork_is_never_compared() {
    let second = (at::SECOND + 1).to_le_bytes();
    let archived = (at::ARCHIVED_LINE + 1).to_le_bytes();
    plant(
        at::DRAFT_CHANGE,
        &[
            ("fork_snapshot_index_plus1", &second),
            ("base_line_index_plus1", &archived),
        ],
    )
    .passed(&[]);
}

/// W-CHANGE-36, W-CHANGE-41, W-CHANGE-51: an archive time on a Change that is not archived is damage; it is not repaired,
/// other than a Task's close time.
#[test]
fn w_change_41_51_an_archive_time_on_an_open_change_is_never_repaired() {
    for change in [at::DRAFT_CHANGE, at::LANDED_CHANGE] {
        refused(change, &[("archived_at_s", &SOME_TIME)], "W-CHANGE-41");
    }
}

/// W-CHANGE-37, W-CHANGE-42, W-CHANGE-43: no writer makes it, but an archived Change without a time is history.
#[test]
fn w_change_42_43_an_archived_change_with_an_unknown_time_passes_and_stays_zero() {
    for (change, cause) in [
        (at::PLAIN_CHANGE, ArchiveCause::Plain),
        (at::CANCELED_CHANGE, ArchiveCause::Canceled),
        (at::SUPERSEDED_CHANGE, ArchiveCause::Superseded),
    ] {
        let planted = plant(change, &[("archived_at_s", &[0; 8])]);
        let reading = Change::decode(&planted.record("change.bin", change))
            .expect("tolerated")
            .value;
        assert_eq!(reading.lifecycle, ChangeLifecycle::Archived { cause, at: None });
        let native = rule(Change::decode_native(&planted.record("change.bin", change)));
        assert_eq!(native, Some("W-CHANGE-43"));
        planted.passed(&[&format!("warning change.bin {change} W-CHANGE-43")]);
    }
}

/// W-CHANGE-56 (F-0.1): canceled and superseded: canceled wins, and both bits stay.
#[test]
fn w_change_56_canceled_and_superseded_passes() {
    let planted = plant(at::SUPERSEDED_CHANGE, &[("change_state", &[1])]);
    planted.passed(&["warning change.bin 4 W-CHANGE-56"]);
}

/// F-2.2: a Change is landed exactly where a live Land of it succeeded.
#[test]
fn f_2_2_a_change_is_landed_exactly_where_a_live_land_of_it_succeeded() {
    for lifecycle in [0, 1] {
        plant(at::LANDED_CHANGE, &[("change_meta", &[lifecycle])]).refused(&["error change.bin 1 F-2.2"]);
    }
    plant(at::DRAFT_CHANGE, &[("change_meta", &[2])]).refused(&["error change.bin 5 F-2.2"]);
    let mut planted = Planted::new();
    let meta = planted.record("land.bin", at::SUCCEEDED_LAND)[0];
    planted.plant("land.bin", at::SUCCEEDED_LAND, "land_meta", &[meta | 0x80]);
    planted.refused(&["error change.bin 1 F-2.2"]);
    // An archived Change that landed.
    let archived: &[(&str, &[u8])] = &[("change_meta", &[3]), ("archived_at_s", &SOME_TIME)];
    plant(at::IMPORTED_CHANGE, archived).refused(&["error change.bin 7 F-2.2"]);
}

/// F-2.2: the Task of a Change exists. That all its Lands lose their Task with it is told too.
#[test]
fn f_2_2_a_change_has_a_task() {
    plant(at::OTHER_DRAFT, &[("task_index", &[99])]).refused_among("error change.bin 6 F-2.2");
    refused(at::OTHER_DRAFT, &[("task_index", &[0xff; 4])], "F-1");
}

/// W-CHANGE-60, F-2.2: a title that is no text, one that is empty, and ones that stand where they may not.
#[test]
fn w_change_60_a_change_has_a_title_of_its_own() {
    let mut planted = Planted::new();
    let mut titles = planted.read("change_payload.bin");
    titles[4] = 0xff;
    planted.write("change_payload.bin", &titles);
    planted.refused(&["error change.bin 0 F-2.2"]);
    refused(at::DRAFT_CHANGE, &[("payload_len", &[0])], "F-2.2");
    refused(at::DRAFT_CHANGE, &[("payload_offset", &[0; 8])], "F-2.2");
    plant(at::LANDED_CHANGE, &[("payload_offset", &[4])]).refused(&["error change.bin 0 F-1"]);
    plant(at::IMPORTED_CHANGE, &[("payload_len", &[200])]).refused(&["error change.bin 7 F-1"]);
}

/// W-CHANGE-54, F-1: an ordinal beyond 63, times out of order or 0.
#[test]
fn f_1_ordinals_and_times_of_a_change_are_bounded() {
    refused(at::DRAFT_CHANGE, &[("change_ordinal", &[64])], "F-1");
    refused(at::DRAFT_CHANGE, &[("updated_at_s", &[0; 8])], "F-1");
    refused(at::DRAFT_CHANGE, &[("created_at_s", &[0; 8])], "F-1");
}
