//! What a Change's record and title may and may not say (W-CHANGE, F-2.2).

use super::*;
use crate::format::flags::ChangeFlag;
use crate::format::tolerance::ToleranceId;

fn change() -> Change {
    Change {
        lifecycle: ChangeLifecycle::Active,
        flags: ChangeFlags::NONE,
        ordinal: ChangeOrdinal::new(5).unwrap(),
        task: TaskIndex::new(2).unwrap(),
        previous: ChangeIndex::new(0),
        fork: SnapshotIndex::new(7),
        published: Some(PublishedChange {
            ordinal: ChangeOrdinal::MIN,
            at: UnixSeconds(130),
        }),
        title: PayloadRange::new(4, 1).unwrap(),
        base_line: LineIndex::new(0).unwrap(),
        created_at_s: UnixSeconds(100),
        updated_at_s: UnixSeconds(130),
    }
}

fn archived(cause: ArchiveCause, at: Option<u64>) -> Change {
    Change {
        lifecycle: ChangeLifecycle::Archived {
            cause,
            at: at.map(UnixSeconds),
        },
        ..change()
    }
}

fn changed_bytes(value: &Change, edit: impl FnOnce(&mut ChangeRecord)) -> [u8; 68] {
    let mut record = Change::raw(&value.encode().unwrap()).unwrap();
    edit(&mut record);
    zerocopy::transmute!(record)
}

fn changed(edit: impl FnOnce(&mut ChangeRecord)) -> Result<Reading<Change>, DecodeError> {
    Change::decode(&changed_bytes(&change(), edit))
}

/// The field and the rule of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str) {
    let error = result.unwrap_err();
    (error.field, error.rule)
}

/// The bytes are read with exactly this tolerance, refused natively by its rule, and written back as `canonical` says.
fn tolerated(bytes: &[u8], id: ToleranceId, canonical: &[u8]) -> Change {
    let reading = Change::decode(bytes).unwrap();
    let rows: Vec<_> = reading.tolerated.iter().map(|row| row.id).collect();
    assert_eq!(rows, [id]);
    let row = reading.tolerated.iter().next().unwrap();
    assert_eq!(refused(Change::decode_native(bytes)), (row.field, row.rule));
    assert_eq!(reading.value.encode().unwrap()[..], *canonical);
    reading.value
}

#[test]
fn w_change_02_a_change_is_exactly_68_bytes_and_its_last_field_is_unaligned() {
    // W-CHANGE-63, assigned by us: 44 and 52 are the sizes of older forms.
    for len in [0, 44, 52, 67, 69] {
        assert_eq!(refused(Change::decode(&vec![0; len])).1, "F-1", "{len}");
    }
    assert_eq!(CHANGE.record_size, 68);
    assert_eq!(CHANGE.field("archived_at_s").map(|field| field.offset), Some(60));
}

#[test]
fn w_change_02_every_shape_of_a_change_reads_back() {
    let causes = [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded];
    let ends = causes.map(|cause| archived(cause, Some(140)).lifecycle);
    let open = [ChangeLifecycle::Draft, ChangeLifecycle::Active, ChangeLifecycle::Landed];
    for lifecycle in open.into_iter().chain(ends) {
        for published in [None, change().published] {
            let value = Change {
                lifecycle,
                published,
                ..change()
            };
            assert_eq!(Change::decode_native(&value.encode().unwrap()), Ok(value));
        }
    }
}

/// W-CHANGE-54, answered by F-2.2.
#[test]
fn w_change_54_the_lifecycle_is_bits_0_and_1_and_each_flag_has_its_bit() {
    let meta = |value: Change| Change::raw(&value.encode().unwrap()).unwrap().change_meta;
    let lifecycle = |lifecycle| meta(Change { lifecycle, ..change() });
    assert_eq!(lifecycle(ChangeLifecycle::Draft), 0);
    assert_eq!(lifecycle(ChangeLifecycle::Active), 1);
    assert_eq!(lifecycle(ChangeLifecycle::Landed), 2);
    assert_eq!(meta(archived(ArchiveCause::Plain, Some(140))), 3);
    let bits = [
        (ChangeFlag::HasPatchsets, 2),
        (ChangeFlag::ReviewPending, 3),
        (ChangeFlag::ValidationPending, 4),
        (ChangeFlag::ReadyToLand, 5),
        (ChangeFlag::Blocked, 6),
    ];
    for (flag, bit) in bits {
        let flags = ChangeFlags::NONE.with(flag);
        assert_eq!(meta(Change { flags, ..change() }), 1 | 1 << bit);
        let read = changed(|r| r.change_meta |= 1 << bit).unwrap();
        assert!(read.tolerated.is_empty());
        assert_eq!(read.value.flags, flags);
    }
}

/// W-CHANGE-17, W-CHANGE-38: canceled is `change_state` bit 0, superseded is `change_meta` bit 7.
#[test]
fn w_change_17_w_change_38_each_cause_of_an_archive_has_its_own_bit() {
    for (cause, meta, state) in [
        (ArchiveCause::Plain, 0x03, 0),
        (ArchiveCause::Canceled, 0x03, 1),
        (ArchiveCause::Superseded, 0x83, 0),
    ] {
        let bytes = archived(cause, Some(140)).encode().unwrap();
        let record = Change::raw(&bytes).unwrap();
        assert_eq!((record.change_meta, record.change_state), (meta, state));
        assert_eq!(
            Change::decode_native(&bytes).map(|change| change.lifecycle),
            Ok(archived(cause, Some(140)).lifecycle)
        );
    }
}

#[test]
fn w_change_18_reserved_bits_of_change_state_fail_closed() {
    for bit in 1..8 {
        assert_eq!(
            refused(changed(|r| r.change_state = 1 << bit)),
            ("change_state", "W-CHANGE-18")
        );
    }
}

#[test]
fn w_change_19_only_an_archived_change_is_canceled() {
    for lifecycle in 0..3 {
        let wrong = changed(|r| {
            r.change_meta = lifecycle;
            r.change_state = 1;
        });
        assert_eq!(refused(wrong), ("change_state", "W-CHANGE-19"));
    }
}

#[test]
fn w_change_52_only_an_archived_change_is_superseded() {
    for lifecycle in 0..3 {
        let wrong = changed(|r| r.change_meta = lifecycle | 0x80);
        assert_eq!(refused(wrong), ("change_meta", "W-CHANGE-52"));
    }
}

/// W-CHANGE-56, answered by F-0.1: canceled wins on reading; both together cannot be written.
#[test]
fn w_change_56_canceled_and_superseded_is_read_as_canceled() {
    let canonical = archived(ArchiveCause::Canceled, Some(140));
    let bytes = changed_bytes(&canonical, |r| r.change_meta |= 0x80);
    let value = tolerated(
        &bytes,
        ToleranceId::ChangeCanceledAndSuperseded,
        &canonical.encode().unwrap(),
    );
    assert_eq!(value, canonical);
}

/// W-CHANGE-20: 0 is not published. W-CHANGE-21: 1 is C-01 and 64 is C-64.
#[test]
fn w_change_20_w_change_21_the_remote_ordinal_is_stored_plus_one() {
    let unpublished = Change {
        published: None,
        ..change()
    };
    let stored = |value: Change| {
        let bytes = value.encode().unwrap();
        assert_eq!(Change::decode_native(&bytes), Ok(value));
        Change::raw(&bytes).unwrap().published_remote_change_ordinal_plus1
    };
    assert_eq!(stored(unpublished), 0);
    for (text, plus1) in [("C-01", 1), ("C-03", 3), ("C-64", 64)] {
        let published = Some(PublishedChange {
            ordinal: text.parse().unwrap(),
            at: UnixSeconds(130),
        });
        assert_eq!(stored(Change { published, ..change() }), plus1);
    }
}

/// W-CHANGE-07: C-01 to C-64 inside one remote Task, which the local Task names; the Change holds no more of it.
#[test]
fn w_change_07_every_ordinal_of_a_remote_task_can_be_named() {
    for ordinal in 0..64 {
        let published = Some(PublishedChange {
            ordinal: ChangeOrdinal::new(ordinal).unwrap(),
            at: UnixSeconds(130),
        });
        let value = Change { published, ..change() };
        let read = Change::decode_native(&value.encode().unwrap()).unwrap();
        assert_eq!(read.published.map(|published| published.ordinal.get()), Some(ordinal));
    }
}

/// W-CHANGE-27: the two ordinals are two fields.
#[test]
fn w_change_27_the_remote_ordinal_may_differ_from_the_local_one() {
    let value = Change {
        ordinal: ChangeOrdinal::MIN,
        published: Some(PublishedChange {
            ordinal: "C-03".parse().unwrap(),
            at: UnixSeconds(130),
        }),
        ..change()
    };
    let record = Change::raw(&value.encode().unwrap()).unwrap();
    assert_eq!(
        (record.change_ordinal, record.published_remote_change_ordinal_plus1),
        (0, 3)
    );
}

#[test]
fn w_change_22_no_remote_ordinal_is_above_64() {
    for plus1 in [65, 66, 128, 255] {
        assert_eq!(
            refused(changed(|r| r.published_remote_change_ordinal_plus1 = plus1)),
            ("published_remote_change_ordinal_plus1", "W-CHANGE-22")
        );
    }
}

#[test]
fn w_change_23_w_change_60_every_reserved_byte_is_zero() {
    for bit in 0..8 {
        assert_eq!(
            refused(changed(|r| r.reserved2 = 1 << bit)),
            ("reserved2", "W-CHANGE-23")
        );
    }
    for bit in 0..16 {
        assert_eq!(
            refused(changed(|r| r.reserved3 = (1 << bit).into())),
            ("reserved3", "W-CHANGE-23")
        );
        assert_eq!(
            refused(changed(|r| r.reserved1 = (1 << bit).into())),
            ("reserved1", "W-CHANGE-60")
        );
    }
}

#[test]
fn w_change_24_published_and_the_remote_ordinal_stand_or_fall_together() {
    let field = "published_remote_change_ordinal_plus1";
    assert_eq!(
        refused(changed(|r| r.published_remote_change_ordinal_plus1 = 0)),
        (field, "W-CHANGE-24")
    );
    let clear = changed(|r| {
        r.local_meta = 0;
        r.published_remote_change_ordinal_plus1 = 3;
    });
    assert_eq!(refused(clear), (field, "W-CHANGE-24"));
}

#[test]
fn w_change_25_published_and_its_time_stand_or_fall_together() {
    assert_eq!(
        refused(changed(|r| r.published_at_s = 0.into())),
        ("published_at_s", "W-CHANGE-25")
    );
    let left = changed(|r| {
        r.local_meta = 0;
        r.published_remote_change_ordinal_plus1 = 0;
    });
    assert_eq!(refused(left), ("published_at_s", "W-CHANGE-25"));
    let published = change().published.map(|published| PublishedChange {
        at: UnixSeconds(0),
        ..published
    });
    assert_eq!(
        refused(Change { published, ..change() }.encode()),
        ("published_at_s", "F-1")
    );
}

/// W-CHANGE-55, answered by F-2.2.
#[test]
fn w_change_55_reserved_bits_of_local_meta_fail_closed() {
    for bit in 1..8 {
        assert_eq!(
            refused(changed(|r| r.local_meta |= 1 << bit)),
            ("local_meta", "W-CHANGE-55")
        );
    }
}

#[test]
fn w_change_29_w_change_48_a_change_without_a_base_line_is_refused() {
    assert_eq!(
        refused(changed(|r| r.base_line_index_plus1 = 0.into())),
        ("base_line_index_plus1", "W-CHANGE-29")
    );
}

#[test]
fn w_change_31_the_fork_is_optional() {
    let value = Change { fork: None, ..change() };
    let bytes = value.encode().unwrap();
    assert_eq!(Change::raw(&bytes).unwrap().fork_snapshot_index_plus1.get(), 0);
    assert_eq!(Change::decode_native(&bytes), Ok(value));
}

/// W-CHANGE-36, W-CHANGE-41, W-CHANGE-51: an archive time on a Change that is not archived is refused, and not repaired.
#[test]
fn w_change_36_w_change_41_w_change_51_only_an_archived_change_has_an_archive_time() {
    for lifecycle in 0..3 {
        let wrong = changed(|r| {
            r.change_meta = lifecycle;
            r.archived_at_s = 140.into();
        });
        assert_eq!(refused(wrong), ("archived_at_s", "W-CHANGE-41"));
    }
    assert_eq!(
        refused(archived(ArchiveCause::Plain, Some(0)).encode()),
        ("archived_at_s", "F-1")
    );
}

/// W-CHANGE-37, W-CHANGE-43: archived without a time is archived at an unknown time and stays so.
#[test]
fn w_change_37_w_change_43_an_archived_change_with_zero_was_archived_at_an_unknown_time() {
    for cause in [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded] {
        let unknown = archived(cause, None);
        let bytes = unknown.encode().unwrap();
        assert_eq!(
            tolerated(&bytes, ToleranceId::ChangeArchiveTimeUnknown, &bytes),
            unknown
        );
    }
}

#[test]
fn f_1_a_change_ordinal_is_0_to_63() {
    assert!(changed(|r| r.change_ordinal = 63).is_ok());
    for ordinal in [64, 255] {
        assert_eq!(
            refused(changed(|r| r.change_ordinal = ordinal)),
            ("change_ordinal", "F-1")
        );
    }
}

#[test]
fn f_1_the_times_of_a_change_are_there_and_in_order_and_its_task_is_an_index() {
    assert_eq!(refused(changed(|r| r.created_at_s = 0.into())), ("created_at_s", "F-1"));
    assert_eq!(
        refused(changed(|r| r.updated_at_s = 99.into())),
        ("updated_at_s", "F-1")
    );
    assert!(changed(|r| r.updated_at_s = 100.into()).is_ok());
    assert_eq!(
        refused(changed(|r| r.task_index = u32::MAX.into())),
        ("task_index", "F-1")
    );
}

#[test]
fn f_2_2_a_change_has_a_title_of_1_to_65535_bytes_behind_the_header() {
    assert_eq!(refused(changed(|r| r.payload_len = 0.into())), ("payload_len", "F-2.2"));
    for offset in [0, 3, u64::MAX] {
        assert_eq!(
            refused(changed(|r| r.payload_offset = offset.into())),
            ("payload_offset", "F-2.2")
        );
    }
    let long = PayloadRange::new(4, 65536).unwrap();
    assert_eq!(
        refused(
            Change {
                title: long,
                ..change()
            }
            .encode()
        ),
        ("payload_len", "F-2.2")
    );
}

/// W-CHANGE-60, answered by F-2.2.
#[test]
fn w_change_60_a_title_is_exact_bytes_and_writers_trim_it_first() {
    assert_eq!(ChangeTitle::read(b" a ").map(ChangeTitle::as_str), Ok(" a "));
    assert_eq!(ChangeTitle::new("\t a b \n").map(ChangeTitle::as_str), Ok("a b"));
    assert_eq!(refused(ChangeTitle::read(b"")), ("title", "F-2.2"));
    assert_eq!(refused(ChangeTitle::read(b"\xff")), ("title", "F-2.2"));
    assert_eq!(refused(ChangeTitle::new(" \n")), ("title", "F-2.2"));
    let longest = "t".repeat(ChangeTitle::MAX_LEN);
    assert!(ChangeTitle::new(&format!(" {longest} ")).is_ok());
    assert_eq!(refused(ChangeTitle::new(&format!("{longest}t"))), ("title", "F-2.2"));
}
