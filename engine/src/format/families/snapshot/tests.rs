//! What a Snapshot's record may and may not say (F-0.3, F-2.16).

use super::*;

fn snapshot() -> Snapshot {
    Snapshot {
        tombstoned: false,
        kind: SnapshotKind::Line,
        id: SnapshotId::new(0xA1A2_A3A4_A5A6).unwrap(),
        parents: Parents::One(SnapshotIndex::new(3).unwrap()),
        line: LineIndex::new(0),
        has_message: true,
        payload: PayloadRange::new(4, 10).unwrap(),
        manifest_hash: ObjectHash([9; 32]),
        file_count: 2,
        total_bytes: 30,
        created_at_s: UnixSeconds(1),
    }
}

fn changed(change: impl FnOnce(&mut SnapshotRecord)) -> Result<Reading<Snapshot>, DecodeError> {
    let mut record = Snapshot::raw(&snapshot().encode().unwrap()).unwrap();
    change(&mut record);
    let bytes: [u8; 88] = zerocopy::transmute!(record);
    Snapshot::decode(&bytes)
}

/// W-CHANGE-62, answered by F-2.16: 88 bytes, of kind line or stash, live or deleted, with its authoring Line.
#[test]
fn w_change_62_f_2_16_every_shape_of_a_snapshot_reads_back() {
    assert_eq!(SNAPSHOT.record_size, 88);
    let first = SnapshotIndex::new(3).unwrap();
    for parents in [
        Parents::None,
        Parents::Boundary,
        Parents::One(first),
        Parents::Many(first),
    ] {
        for (tombstoned, kind) in [(true, SnapshotKind::Line), (false, SnapshotKind::Stash)] {
            let value = Snapshot {
                tombstoned,
                kind,
                parents,
                ..snapshot()
            };
            assert_eq!(Snapshot::decode_native(&value.encode().unwrap()), Ok(value));
        }
    }
    let bare = Snapshot {
        parents: Parents::None,
        line: None,
        has_message: false,
        payload: PayloadRange::EMPTY,
        ..snapshot()
    };
    assert_eq!(Snapshot::decode_native(&bare.encode().unwrap()), Ok(bare));
}

#[test]
fn f_0_3_a_root_locator_is_refused() {
    assert_eq!(changed(|r| r.snapshot_meta |= 1 << 5).map_err(|e| e.rule), Err("F-0.3"));
    assert_eq!(
        changed(|r| r.root_tree_pack_index_plus1 = 1.into()).map_err(|e| e.rule),
        Err("F-0.3")
    );
    assert_eq!(
        changed(|r| r.root_entry_ordinal = 1.into()).map_err(|e| e.rule),
        Err("F-0.3")
    );
}

#[test]
fn f_2_16_reserved_kinds_and_bits_fail_closed() {
    for kind in [2, 3] {
        let refused = changed(|r| r.snapshot_meta = r.snapshot_meta & !3 | kind);
        assert_eq!(refused.map_err(|e| e.field), Err("snapshot_meta"));
    }
    assert_eq!(
        changed(|r| r.snapshot_meta |= 1 << 6).map_err(|e| e.rule),
        Err("F-2.16")
    );
    for bit in 1..8 {
        assert_eq!(
            changed(|r| r.history_flags = 1 << bit).map_err(|e| e.field),
            Err("history_flags")
        );
    }
}

#[test]
fn f_2_16_a_history_boundary_has_no_parent_and_further_parents_need_a_first() {
    assert_eq!(changed(|r| r.history_flags = 1).map_err(|e| e.rule), Err("F-2.16"));
    let orphan = changed(|r| {
        r.snapshot_meta |= HAS_MORE_PARENTS;
        r.parent_snapshot_index_plus1 = 0.into();
    });
    assert_eq!(orphan.map_err(|e| e.field), Err("parent_snapshot_index_plus1"));
}

#[test]
fn f_2_16_the_identity_has_48_bits() {
    assert_eq!(
        changed(|r| r.snapshot_hash48 = (1 << 48).into()).map_err(|e| e.field),
        Err("snapshot_hash48")
    );
}

#[test]
fn f_0_3_an_authoring_line_and_its_name_go_together() {
    assert_eq!(
        changed(|r| r.line_index_plus1 = 0.into()).map_err(|e| e.rule),
        Err("F-0.3")
    );
    assert_eq!(
        changed(|r| r.snapshot_meta &= !HAS_LINE_NAME).map_err(|e| e.rule),
        Err("F-0.3")
    );
}

#[test]
fn f_2_16_a_payload_is_as_long_as_its_parts_need() {
    assert_eq!(
        changed(|r| r.payload_len = 2.into()).map_err(|e| e.field),
        Err("payload_len")
    );
    assert_eq!(
        changed(|r| r.payload_offset = 3.into()).map_err(|e| e.field),
        Err("payload_offset")
    );
    let many = Snapshot {
        parents: Parents::Many(SnapshotIndex::new(0).unwrap()),
        line: None,
        ..snapshot()
    };
    let short = Snapshot {
        payload: PayloadRange::new(4, 8).unwrap(),
        ..many
    };
    assert_eq!(short.encode().map_err(|e| e.field), Err("payload_len"));
    let fits = Snapshot {
        payload: PayloadRange::new(4, 9).unwrap(),
        ..many
    };
    assert!(fits.encode().is_ok());
    let says_nothing = Snapshot {
        parents: Parents::None,
        line: None,
        has_message: false,
        ..snapshot()
    };
    assert_eq!(says_nothing.encode().map_err(|e| e.field), Err("payload_len"));
}

#[test]
fn f_2_16_the_offset_of_no_payload_is_4_natively_and_not_looked_at_in_reading() {
    let bare = Snapshot {
        parents: Parents::None,
        line: None,
        has_message: false,
        payload: PayloadRange::EMPTY,
        ..snapshot()
    };
    let mut bytes = bare.encode().unwrap();
    assert_eq!(bytes[4..12], [4, 0, 0, 0, 0, 0, 0, 0]);
    bytes[4] = 0;
    let reading = Snapshot::decode(&bytes).unwrap();
    assert_eq!(reading.value, bare);
    assert!(reading.tolerated.contains(ToleranceId::SnapshotEmptyPayloadOffset));
    assert_eq!(Snapshot::decode_native(&bytes).map_err(|e| e.rule), Err("F-2.16"));
}

#[test]
fn f_1_a_snapshot_has_a_time() {
    assert_eq!(changed(|r| r.created_at_s = 0.into()).map_err(|e| e.rule), Err("F-1"));
}
