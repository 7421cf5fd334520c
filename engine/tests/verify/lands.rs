//! Lands: what a record may not say, what is tolerated, what it refers to.

use graven::format::{Land, LandStatus};

use crate::at;
use crate::planted::{Planted, rule};

fn plant(land: u32, fields: &[(&str, &[u8])]) -> Planted {
    let mut planted = Planted::new();
    for (field, bytes) in fields {
        planted.plant("land.bin", land, field, bytes);
    }
    planted
}

/// Plants fields of a Land that its decoder refuses by that rule, and so do `verify` and `repair`.
fn refused(land: u32, fields: &[(&str, &[u8])], broken: &str) {
    let planted = plant(land, fields);
    let answer = rule(Land::decode(&planted.record("land.bin", land)));
    assert_eq!(answer, Some(broken), "{fields:?}");
    planted.refused_among(&format!("error land.bin {land} {broken}"));
}

/// W-LAND-08: two Lands of one Change with one ordinal; those of two Changes may have the same.
#[test]
fn w_land_08_two_lands_of_one_change_never_have_one_ordinal() {
    let sound = Planted::new();
    let ordinal = |land| {
        Land::decode_native(&sound.record("land.bin", land))
            .expect("sound")
            .ordinal
    };
    assert_eq!(ordinal(at::QUEUED_LAND), ordinal(at::OTHER_LAND));
    plant(at::RUNNING_LAND, &[("land_ordinal", &[0])]).refused(&["error land.bin 1 W-LAND-08"]);
}

/// W-LAND-09, W-LAND-44: an ordinal beyond 63.
#[test]
fn w_land_09_44_ordinals_end_at_63() {
    refused(at::CANCELED_LAND, &[("land_ordinal", &[64])], "W-LAND-09");
    refused(at::CANCELED_LAND, &[("change_ordinal", &[64])], "F-2.7");
}

/// W-LAND-18, W-LAND-19: no writer makes it; a Land without a time of submission passes where it is the first, succeeded
/// one of its Change and Task, and stays so; elsewhere it is refused.
#[test]
fn w_land_18_19_only_the_first_succeeded_land_may_lack_its_time_of_submission() {
    let unknown: &[(&str, &[u8])] = &[("submitted_at_s", &[0; 8])];
    for land in [at::QUEUED_LAND, at::CANCELED_LAND, at::LATER_LAND] {
        refused(land, unknown, "W-LAND-18");
    }
    for land in [at::SUCCEEDED_LAND, at::IMPORTED_LAND] {
        let planted = plant(land, unknown);
        let native = rule(Land::decode_native(&planted.record("land.bin", land)));
        assert_eq!(native, Some("W-LAND-18"));
        planted.passed(&[&format!("warning land.bin {land} W-LAND-18")]);
    }
}

/// W-LAND-20, W-LAND-36: no target Line, and one that is not there; that it is archived or deleted is no matter.
#[test]
fn w_land_20_36_a_land_has_a_target_line_with_a_record() {
    refused(at::QUEUED_LAND, &[("target_line_index_plus1", &[0; 4])], "W-LAND-20");
    plant(at::QUEUED_LAND, &[("target_line_index_plus1", &[4])]).refused(&["error land.bin 0 W-LAND-36"]);
    for line in [at::ARCHIVED_LINE, at::DELETED_LINE] {
        let plus1 = (line + 1).to_le_bytes();
        plant(at::QUEUED_LAND, &[("target_line_index_plus1", &plus1)]).passed(&[]);
    }
}

/// W-LAND-25, W-LAND-26, W-LAND-39: on which Line a Snapshot was made is no matter.
#[test]
fn w_land_26_39_the_authoring_line_of_a_snapshot_is_never_compared() {
    let archived = (at::ARCHIVED_LINE + 1).to_le_bytes();
    plant(at::SUCCEEDED_LAND, &[("target_line_index_plus1", &archived)]).passed(&[]);
}

/// W-LAND-23, W-LAND-24, W-LAND-37: a Snapshot that is not there, one that is deleted, one that never was a head. A
/// deleted Land may name a deleted one.
#[test]
fn w_land_37_the_snapshots_of_a_land_are_live() {
    for field in ["landed_snapshot_index_plus1", "pre_land_target_snapshot_index_plus1"] {
        for snapshot in [99, at::DELETED, at::OF_STASH] {
            let plus1: [u8; 4] = (snapshot + 1_u32).to_le_bytes();
            plant(at::SUCCEEDED_LAND, &[(field, &plus1)]).refused(&["error land.bin 4 W-LAND-37"]);
        }
    }
    let deleted = (at::DELETED + 1).to_le_bytes();
    let missing = 100_u32.to_le_bytes();
    let tombstoned: &[(&str, &[u8])] = &[
        ("land_meta", &[0x80 | 0x08]),
        ("pre_land_target_snapshot_index_plus1", &deleted),
    ];
    plant(at::QUEUED_LAND, tombstoned).passed(&[]);
    let mut planted = plant(at::QUEUED_LAND, tombstoned);
    planted.plant(
        "land.bin",
        at::QUEUED_LAND,
        "pre_land_target_snapshot_index_plus1",
        &missing,
    );
    planted.refused(&["error land.bin 0 W-LAND-37"]);
}

/// W-LAND-38: succeeded without a landed Snapshot, and a landed Snapshot without success.
#[test]
fn w_land_38_a_land_has_a_landed_snapshot_exactly_where_it_succeeded() {
    refused(
        at::SUCCEEDED_LAND,
        &[("landed_snapshot_index_plus1", &[0; 4])],
        "W-LAND-38",
    );
    refused(
        at::QUEUED_LAND,
        &[("landed_snapshot_index_plus1", &[1]), ("land_meta", &[0x10])],
        "W-LAND-38",
    );
}

/// W-LAND-42: the bits that tell which Snapshots are there.
#[test]
fn w_land_42_the_bits_of_the_snapshots_fit_the_snapshots() {
    refused(at::QUEUED_LAND, &[("land_meta", &[0x08])], "W-LAND-42");
    refused(
        at::QUEUED_LAND,
        &[("pre_land_target_snapshot_index_plus1", &[1])],
        "W-LAND-42",
    );
    refused(at::QUEUED_LAND, &[("land_meta", &[0x10])], "W-LAND-42");
    refused(at::QUEUED_LAND, &[("landed_snapshot_index_plus1", &[1])], "W-LAND-42");
}

/// W-LAND-40: a status and a mode that do not exist.
#[test]
fn w_land_40_unknown_states_and_modes_are_refused() {
    refused(at::QUEUED_LAND, &[("land_meta", &[7])], "W-LAND-40");
    refused(at::QUEUED_LAND, &[("land_meta", &[0x60])], "W-LAND-40");
}

/// W-LAND-17, W-LAND-41: an unknown kind of failure, and one on a Land that did not fail; a failure without a kind passes.
#[test]
fn w_land_41_a_kind_of_failure_is_known_and_stands_where_there_is_one() {
    for kind in [8, 255] {
        refused(at::BLOCKED_LAND, &[("failure_kind", &[kind])], "W-LAND-41");
    }
    refused(at::QUEUED_LAND, &[("failure_kind", &[1])], "F-2.7");
    for land in [at::BLOCKED_LAND, at::FAILED_LAND] {
        let planted = plant(land, &[("failure_kind", &[0])]);
        let status = Land::decode(&planted.record("land.bin", land))
            .expect("tolerated")
            .value
            .status;
        assert!(matches!(
            status,
            LandStatus::Blocked { why: None } | LandStatus::Failed { why: None }
        ));
        planted.passed(&[&format!("warning land.bin {land} F-2.7")]);
    }
}

/// F-2.7: the Change exists, and has the ordinal that the Land says.
#[test]
fn f_2_7_a_land_has_a_change_of_that_ordinal() {
    plant(at::CANCELED_LAND, &[("change_index", &[99])]).refused_among("error land.bin 7 F-2.7");
    plant(at::CANCELED_LAND, &[("change_ordinal", &[9])]).refused(&["error land.bin 7 F-2.7"]);
    refused(at::CANCELED_LAND, &[("change_index", &[0xff; 4])], "F-1");
}

/// W-LAND-30: what failed after a success undoes nothing; and where it succeeds too, nothing changes either.
#[test]
fn w_land_30_lands_after_a_success_leave_the_change_landed() {
    let second = (at::SECOND + 1).to_le_bytes();
    let succeeded: &[(&str, &[u8])] = &[
        ("land_meta", &[0x12]),
        ("failure_kind", &[0]),
        ("landed_snapshot_index_plus1", &second),
    ];
    plant(at::LATER_LAND, succeeded).passed(&[]);
}

/// F-1: a Land is changed when it was submitted or later.
#[test]
fn f_1_the_times_of_a_land_are_in_order() {
    refused(at::QUEUED_LAND, &[("updated_at_s", &[0; 8])], "F-1");
    refused(at::QUEUED_LAND, &[("submitted_at_s", &[0xff; 8])], "F-1");
}
