//! What the record of a server's Land says more than a local one (W-LAND, F-2.7).

use super::*;
use crate::format::families::land::{FailureKind, LandMode, LandStatus};
use crate::format::ordinal::{ChangeOrdinal, LandOrdinal};
use crate::format::reference::{ChangeIndex, LineIndex, SnapshotIndex};
use crate::format::time::UnixSeconds;
use crate::format::tolerance::ToleranceId;

fn land() -> ServerLand {
    ServerLand {
        patchset: PatchsetIndex::new(0).unwrap(),
        attempt: Land {
            status: LandStatus::Succeeded {
                landed: SnapshotIndex::new(9).unwrap(),
            },
            mode: LandMode::Direct,
            tombstoned: false,
            ordinal: LandOrdinal::MIN,
            change_ordinal: ChangeOrdinal::MIN,
            change: ChangeIndex::new(3).unwrap(),
            previous_of_task: None,
            previous_of_change: None,
            pre_target: None,
            submitted_at_s: Some(UnixSeconds(100)),
            updated_at_s: UnixSeconds(130),
            target_line: LineIndex::new(0).unwrap(),
        },
    }
}

fn with(status: LandStatus) -> ServerLand {
    let attempt = Land {
        status,
        ..land().attempt
    };
    ServerLand { attempt, ..land() }
}

fn changed(value: &ServerLand, change: impl FnOnce(&mut ServerLandRecord)) -> Result<Reading<ServerLand>, DecodeError> {
    let mut record = ServerLand::raw(&value.encode().unwrap()).unwrap();
    change(&mut record);
    let bytes: [u8; 48] = zerocopy::transmute!(record);
    ServerLand::decode(&bytes)
}

/// What a refusal speaks of.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str, &'static str) {
    let error = result.unwrap_err();
    (error.record, error.field, error.rule)
}

#[test]
fn w_land_04_w_land_21_a_land_of_a_server_is_exactly_48_bytes() {
    // W-LAND-45, assigned by us: 36 and 40 are the sizes of older forms.
    for len in [0, 36, 40, 44, 47, 49] {
        assert_eq!(refused(ServerLand::decode(&vec![0; len])).2, "F-1", "{len}");
    }
    assert_eq!(SERVER_LAND.record_size, 48);
    assert_eq!(
        SERVER_LAND.field("target_line_index_plus1").map(|field| field.offset),
        Some(44)
    );
    assert_eq!(ServerLand::decode_native(&land().encode().unwrap()), Ok(land()));
}

/// F-2.7: the Patchset is a direct index, 0 among them.
#[test]
fn f_2_7_the_accepted_patchset_is_always_there() {
    let read = changed(&land(), |r| r.patchset_index = (u32::MAX - 1).into()).unwrap();
    assert_eq!(read.value.patchset, PatchsetIndex::MAX);
    let none = changed(&land(), |r| r.patchset_index = u32::MAX.into());
    assert_eq!(refused(none), ("ServerLandRecord", "patchset_index", "F-1"));
}

/// F-2.7: a server accepts a blocked or failed Land without a kind of failure; writers of this version always say it.
#[test]
fn f_2_7_a_server_may_lack_the_kind_of_failure_and_no_writer_does() {
    for status in [LandStatus::Blocked { why: None }, LandStatus::Failed { why: None }] {
        let bytes = with(status).encode().unwrap();
        let reading = ServerLand::decode(&bytes).unwrap();
        assert!(reading.tolerated.contains(ToleranceId::LandFailureKindMissing));
        assert_eq!(refused(ServerLand::decode_native(&bytes)).2, "F-2.7");
    }
    let told = with(LandStatus::Blocked {
        why: Some(FailureKind::CiBlocked),
    });
    assert_eq!(ServerLand::decode_native(&told.encode().unwrap()), Ok(told));
    let queued = changed(&with(LandStatus::Queued), |r| r.failure_kind = 1);
    assert_eq!(refused(queued), ("ServerLandRecord", "failure_kind", "F-2.7"));
}

/// W-LAND-15, W-LAND-18, W-LAND-20, W-LAND-38, W-LAND-40 to W-LAND-42 hold for a server's Lands as for local ones, and the errors
/// speak of the server's record.
#[test]
fn w_land_18_w_land_20_w_land_38_w_land_40_w_land_41_w_land_42_of_a_server() {
    let of = |result| {
        let (record, _, rule) = refused(result);
        assert_eq!(record, "ServerLandRecord");
        rule
    };
    assert_eq!(
        of(changed(&land(), |r| r.target_line_index_plus1 = 0.into())),
        "W-LAND-20"
    );
    assert_eq!(
        of(changed(&land(), |r| r.landed_snapshot_index_plus1 = 0.into())),
        "W-LAND-38"
    );
    assert_eq!(of(changed(&land(), |r| r.land_meta |= 7)), "W-LAND-40");
    assert_eq!(of(changed(&land(), |r| r.land_meta |= 3 << 5)), "W-LAND-40");
    assert_eq!(of(changed(&land(), |r| r.failure_kind = 8)), "W-LAND-41");
    assert_eq!(of(changed(&land(), |r| r.land_meta |= 1 << 3)), "W-LAND-42");
    assert_eq!(of(changed(&land(), |r| r.land_ordinal = 64)), "W-LAND-09");
    assert_eq!(of(changed(&land(), |r| r.change_ordinal = 64)), "F-2.7");
    assert_eq!(of(changed(&land(), |r| r.updated_at_s = 99.into())), "F-1");
    let queued = changed(&with(LandStatus::Queued), |r| r.submitted_at_s = 0.into());
    assert_eq!(of(queued), "W-LAND-18");
    let legacy = changed(&land(), |r| r.submitted_at_s = 0.into()).unwrap();
    assert!(legacy.tolerated.contains(ToleranceId::LandSubmitTimeUnknown));
}
