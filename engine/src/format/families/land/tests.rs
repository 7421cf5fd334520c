//! What a Land's record may and may not say (W-LAND, F-2.7).

use super::*;

fn snapshot(index: u32) -> SnapshotIndex {
    SnapshotIndex::new(index).unwrap()
}

fn land() -> Land {
    Land {
        status: LandStatus::Queued,
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
    }
}

/// One value of every status, in the order of their codes.
fn statuses() -> [LandStatus; 7] {
    [
        LandStatus::Queued,
        LandStatus::Running,
        LandStatus::Succeeded { landed: snapshot(9) },
        LandStatus::Blocked {
            why: Some(FailureKind::BaseStale),
        },
        LandStatus::Failed {
            why: Some(FailureKind::Conflict),
        },
        LandStatus::Canceled,
        LandStatus::Updating,
    ]
}

fn with(status: LandStatus) -> Land {
    Land { status, ..land() }
}

fn changed_bytes(value: &Land, change: impl FnOnce(&mut LandRecord)) -> [u8; 44] {
    let mut record = Land::raw(&value.encode().unwrap()).unwrap();
    change(&mut record);
    zerocopy::transmute!(record)
}

fn changed(value: &Land, change: impl FnOnce(&mut LandRecord)) -> Result<Reading<Land>, DecodeError> {
    Land::decode(&changed_bytes(value, change))
}

/// The field and the rule of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str) {
    let error = result.unwrap_err();
    (error.field, error.rule)
}

/// The bytes are read with exactly this tolerance, refused natively by its rule, and written back as they were.
fn tolerated(bytes: &[u8], id: ToleranceId) -> Land {
    let reading = Land::decode(bytes).unwrap();
    let rows: Vec<_> = reading.tolerated.iter().map(|row| row.id).collect();
    assert_eq!(rows, [id]);
    let row = reading.tolerated.iter().next().unwrap();
    assert_eq!(refused(Land::decode_native(bytes)), (row.field, row.rule));
    assert_eq!(reading.value.encode().unwrap()[..], *bytes);
    reading.value
}

#[test]
fn w_land_03_w_land_21_a_land_is_exactly_44_bytes_and_its_target_is_the_last_field() {
    // W-LAND-45, assigned by us: 32 and 36 are the sizes of older forms.
    for len in [0, 32, 36, 43, 45, 48] {
        assert_eq!(refused(Land::decode(&vec![0; len])).1, "F-1", "{len}");
    }
    assert_eq!(LAND.record_size, 44);
    assert_eq!(
        LAND.field("target_line_index_plus1").map(|field| field.offset),
        Some(40)
    );
}

#[test]
fn w_land_03_every_shape_of_a_land_reads_back() {
    for status in statuses() {
        for mode in LandMode::ALL {
            for (tombstoned, pre_target) in [(false, None), (true, None), (false, Some(snapshot(0)))] {
                let value = Land {
                    status,
                    mode,
                    tombstoned,
                    pre_target,
                    ..land()
                };
                assert_eq!(Land::decode_native(&value.encode().unwrap()), Ok(value));
            }
        }
    }
}

/// W-LAND-40, answered by F-2.7: seven states, and the eighth is reserved.
#[test]
fn w_land_40_the_status_is_bits_0_to_2_and_code_7_fails_closed() {
    for (code, status) in statuses().into_iter().enumerate() {
        let meta = Land::raw(&with(status).encode().unwrap()).unwrap().land_meta;
        assert_eq!(usize::from(meta & 0b111), code, "{status:?}");
    }
    assert_eq!(
        refused(changed(&land(), |r| r.land_meta |= 7)),
        ("land_meta", "W-LAND-40")
    );
}

/// W-LAND-15: nothing but those bits changes with the mode; code 3 is reserved (W-LAND-40).
#[test]
fn w_land_15_w_land_40_the_mode_is_bits_5_and_6_and_code_3_fails_closed() {
    let first = land().encode().unwrap();
    for (mode, code) in [
        (LandMode::Direct, 0),
        (LandMode::Merge, 1),
        (LandMode::FastForwardOnly, 2),
    ] {
        let mut wanted = first;
        wanted[0] |= code << 5;
        assert_eq!(Land { mode, ..land() }.encode(), Ok(wanted));
    }
    assert_eq!(
        refused(changed(&land(), |r| r.land_meta |= 3 << 5)),
        ("land_meta", "W-LAND-40")
    );
}

#[test]
fn w_land_40_bit_7_is_the_tombstone() {
    let read = changed(&land(), |r| r.land_meta |= 1 << 7).unwrap();
    assert_eq!(
        read.value,
        Land {
            tombstoned: true,
            ..land()
        }
    );
    assert!(read.tolerated.is_empty());
}

/// W-LAND-17, W-LAND-41, answered by F-2.7: one byte tells, and codes from 8 on are reserved.
#[test]
fn w_land_17_w_land_41_the_kind_of_failure_is_one_byte_of_8_codes() {
    let texts = [
        "base_stale",
        "policy_blocked",
        "review_blocked",
        "ci_blocked",
        "conflict",
        "target_update_failed",
        "internal_error",
    ];
    for (code, (kind, text)) in (1..).zip(FailureKind::ALL.into_iter().zip(texts)) {
        assert_eq!(kind.as_str(), text);
        for status in [
            LandStatus::Blocked { why: Some(kind) },
            LandStatus::Failed { why: Some(kind) },
        ] {
            let bytes = with(status).encode().unwrap();
            assert_eq!(bytes[3], code);
            assert_eq!(
                Land::decode_native(&bytes).map(|land| land.status.why()),
                Ok(Some(kind))
            );
        }
    }
    for code in 8..=255 {
        let wrong = changed(&with(statuses()[3]), |r| r.failure_kind = code);
        assert_eq!(refused(wrong), ("failure_kind", "W-LAND-41"));
    }
}

/// F-2.7: other states have none; blocked and failed without one are read, and not made natively.
#[test]
fn f_2_7_a_kind_of_failure_stands_exactly_with_blocked_and_failed() {
    for status in [0, 1, 2, 5, 6].map(|code: usize| statuses()[code]) {
        let wrong = changed(&with(status), |r| r.failure_kind = 1);
        assert_eq!(refused(wrong), ("failure_kind", "F-2.7"), "{status:?}");
    }
    for status in [LandStatus::Blocked { why: None }, LandStatus::Failed { why: None }] {
        let bytes = with(status).encode().unwrap();
        assert_eq!(bytes[3], 0);
        assert_eq!(tolerated(&bytes, ToleranceId::LandFailureKindMissing).status, status);
    }
}

/// W-LAND-42, answered by F-0.1: the bit tells whether the Snapshot is there, in every state.
#[test]
fn w_land_42_has_pre_target_stands_exactly_with_its_snapshot() {
    for status in statuses() {
        let without = changed(&with(status), |r| r.land_meta |= 1 << 3);
        assert_eq!(refused(without), ("land_meta", "W-LAND-42"));
        let unsaid = changed(&with(status), |r| r.pre_land_target_snapshot_index_plus1 = 1.into());
        assert_eq!(refused(unsaid), ("land_meta", "W-LAND-42"));
    }
}

/// W-LAND-38, W-LAND-42: the landed Snapshot stands exactly with success, and its bit exactly with it.
#[test]
fn w_land_38_w_land_42_a_landed_snapshot_stands_exactly_with_success() {
    let landed = |r: &mut LandRecord| r.landed_snapshot_index_plus1 = 1.into();
    let field = "landed_snapshot_index_plus1";
    for status in [0, 1, 3, 4, 5, 6].map(|code: usize| statuses()[code]) {
        let said = changed(&with(status), |r| {
            landed(r);
            r.land_meta |= 1 << 4;
        });
        assert_eq!(refused(said), (field, "W-LAND-38"), "{status:?}");
        assert_eq!(refused(changed(&with(status), landed)), ("land_meta", "W-LAND-42"));
        let bit = changed(&with(status), |r| r.land_meta |= 1 << 4);
        assert_eq!(refused(bit), ("land_meta", "W-LAND-42"));
    }
    let succeeded = with(statuses()[2]);
    let missing = changed(&succeeded, |r| r.landed_snapshot_index_plus1 = 0.into());
    assert_eq!(refused(missing), (field, "W-LAND-38"));
    let unsaid = changed(&succeeded, |r| r.land_meta &= !(1 << 4));
    assert_eq!(refused(unsaid), ("land_meta", "W-LAND-42"));
}

/// W-LAND-28: every state but success is valid with its target and without any Snapshot.
#[test]
fn w_land_28_an_attempt_keeps_its_target_although_it_has_no_snapshot() {
    for status in [0, 1, 3, 4, 5, 6].map(|code: usize| statuses()[code]) {
        let bytes = with(status).encode().unwrap();
        let record = Land::raw(&bytes).unwrap();
        assert_eq!(record.pre_land_target_snapshot_index_plus1.get(), 0);
        assert_eq!(record.landed_snapshot_index_plus1.get(), 0);
        assert_eq!(record.target_line_index_plus1.get(), 1);
        assert!(Land::decode_native(&bytes).is_ok());
    }
}

#[test]
fn w_land_20_w_land_36_a_land_without_a_target_line_is_refused() {
    for status in statuses() {
        let wrong = changed(&with(status), |r| r.target_line_index_plus1 = 0.into());
        assert_eq!(refused(wrong), ("target_line_index_plus1", "W-LAND-20"));
    }
}

/// W-LAND-09: 0 is L-01 and 63 is L-64; nothing else is an ordinal.
#[test]
fn w_land_09_f_1_ordinals_are_0_to_63() {
    let read = |ordinal| changed(&land(), |r| r.land_ordinal = ordinal).map(|read| read.value.ordinal.to_string());
    assert_eq!((read(0).as_deref(), read(63).as_deref()), (Ok("L-01"), Ok("L-64")));
    for ordinal in [64, 255] {
        assert_eq!(refused(read(ordinal)), ("land_ordinal", "W-LAND-09"));
        let owner = changed(&land(), |r| r.change_ordinal = ordinal);
        assert_eq!(refused(owner), ("change_ordinal", "F-2.7"));
    }
    let none = changed(&land(), |r| r.change_index = u32::MAX.into());
    assert_eq!(refused(none), ("change_index", "F-1"));
}

/// W-LAND-18, W-LAND-19: without a time of submission only the legacy form is read, and nothing is written natively.
#[test]
fn w_land_18_w_land_19_only_a_first_succeeded_land_may_lack_its_time_of_submission() {
    let first = Land {
        submitted_at_s: None,
        ..with(statuses()[2])
    };
    let bytes = first.encode().unwrap();
    assert_eq!(tolerated(&bytes, ToleranceId::LandSubmitTimeUnknown), first);
    let others = [
        Land {
            ordinal: LandOrdinal::new(1).unwrap(),
            ..first
        },
        Land {
            previous_of_task: LandIndex::new(0),
            ..first
        },
        Land {
            previous_of_change: LandIndex::new(0),
            ..first
        },
    ];
    let unfinished = [0, 1, 3, 4, 5, 6].map(|code: usize| Land {
        status: statuses()[code],
        ..first
    });
    for wrong in others.into_iter().chain(unfinished) {
        assert_eq!(refused(wrong.encode()), ("submitted_at_s", "W-LAND-18"));
        let submitted = Land {
            submitted_at_s: Some(UnixSeconds(1)),
            ..wrong
        };
        let zero = changed(&submitted, |r| r.submitted_at_s = 0.into());
        assert_eq!(refused(zero), ("submitted_at_s", "W-LAND-18"));
    }
}

#[test]
fn f_1_the_times_of_a_land_are_there_and_in_order() {
    assert!(changed(&land(), |r| r.updated_at_s = 100.into()).is_ok());
    let early = changed(&land(), |r| r.updated_at_s = 99.into());
    assert_eq!(refused(early), ("updated_at_s", "F-1"));
    let legacy = Land {
        submitted_at_s: None,
        ..with(statuses()[2])
    };
    let zero = changed(&legacy, |r| r.updated_at_s = 0.into());
    assert_eq!(refused(zero), ("updated_at_s", "F-1"));
    let value = Land {
        submitted_at_s: Some(UnixSeconds(0)),
        ..land()
    };
    assert_eq!(refused(value.encode()), ("submitted_at_s", "F-1"));
}

/// F-0.2: the byte that a change of status writes last.
#[test]
fn f_0_2_the_state_byte_of_a_land_is_the_first() {
    assert_eq!(Land::META_OFFSET, 0);
}

/// W-CONV-63: its time of submission is then not known, and nothing takes its place.
#[test]
fn w_conv_63_a_zero_time_of_submission_is_unknown() {
    let legacy = Land {
        submitted_at_s: None,
        ..with(statuses()[2])
    };
    let read = Land::decode(&legacy.encode().unwrap()).unwrap().value;
    assert_eq!((read.submitted_at_s, read.updated_at_s), (None, UnixSeconds(130)));
}

/// G35, assigned by us.
#[test]
fn g35_assigned_by_us_queued_running_and_updating_are_no_ends() {
    let ends = statuses().map(LandStatus::is_terminal);
    assert_eq!(ends, [false, false, true, true, true, true, false]);
    let texts = statuses().map(LandStatus::as_str);
    assert_eq!(
        texts,
        [
            "queued",
            "running",
            "succeeded",
            "blocked",
            "failed",
            "canceled",
            "updating"
        ]
    );
}
