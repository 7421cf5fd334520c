//! What the record of a server's Change may and may not say (W-CHANGE, F-2.2).

use super::*;
use crate::format::families::change::ArchiveCause;
use crate::format::flags::RemoteFlag;

fn change() -> RemoteChange {
    RemoteChange {
        lifecycle: ChangeLifecycle::Active,
        flags: ChangeFlags::NONE,
        row: RemoteFlags::NONE,
        ordinal: ChangeOrdinal::new(5).unwrap(),
        task: TaskIndex::new(2).unwrap(),
        previous: ChangeIndex::new(0),
        selected: PatchsetIndex::new(1),
        fork: SnapshotIndex::new(7),
        title: PayloadRange::new(4, 1).unwrap(),
        base_line: LineIndex::new(0).unwrap(),
        created_at_s: UnixSeconds(100),
        updated_at_s: UnixSeconds(130),
        fetched_at_s: Some(UnixSeconds(150)),
    }
}

fn changed_bytes(value: &RemoteChange, edit: impl FnOnce(&mut RemoteChangeRecord)) -> [u8; 68] {
    let mut record = RemoteChange::raw(&value.encode().unwrap()).unwrap();
    edit(&mut record);
    zerocopy::transmute!(record)
}

fn changed(edit: impl FnOnce(&mut RemoteChangeRecord)) -> Result<Reading<RemoteChange>, DecodeError> {
    RemoteChange::decode(&changed_bytes(&change(), edit))
}

/// The field and the rule of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str) {
    let error = result.unwrap_err();
    (error.field, error.rule)
}

/// The bytes are read with exactly this tolerance, refused natively by its rule, and written back as `canonical` says.
fn tolerated(bytes: &[u8], id: ToleranceId, canonical: &[u8]) -> RemoteChange {
    let reading = RemoteChange::decode(bytes).unwrap();
    let rows: Vec<_> = reading.tolerated.iter().map(|row| row.id).collect();
    assert_eq!(rows, [id]);
    let row = reading.tolerated.iter().next().unwrap();
    assert_eq!(refused(RemoteChange::decode_native(bytes)), (row.field, row.rule));
    assert_eq!(reading.value.encode().unwrap()[..], *canonical);
    reading.value
}

#[test]
fn w_change_03_a_change_of_a_server_is_exactly_68_bytes_and_its_last_field_is_unaligned() {
    for len in [0, 67, 69] {
        assert_eq!(refused(RemoteChange::decode(&vec![0; len])).1, "F-1", "{len}");
    }
    assert_eq!(REMOTE_CHANGE.record_size, 68);
    assert_eq!(REMOTE_CHANGE.field("archived_at_s").map(|field| field.offset), Some(60));
}

#[test]
fn w_change_03_every_shape_of_a_change_of_a_server_reads_back() {
    let at = Some(UnixSeconds(140));
    let ends = [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded]
        .map(|cause| ChangeLifecycle::Archived { cause, at });
    let open = [ChangeLifecycle::Draft, ChangeLifecycle::Active, ChangeLifecycle::Landed];
    for lifecycle in open.into_iter().chain(ends) {
        for selected in [None, PatchsetIndex::new(0)] {
            let value = RemoteChange {
                lifecycle,
                selected,
                ..change()
            };
            assert_eq!(RemoteChange::decode_native(&value.encode().unwrap()), Ok(value));
        }
    }
}

/// W-CHANGE-12: zero is none. W-CHANGE-11: no other byte of the record tells of the selection.
#[test]
fn w_change_11_w_change_12_the_selection_is_one_field_and_zero_is_none() {
    let none = changed_bytes(&change(), |r| r.selected_patchset_index_plus1 = 0.into());
    let read = RemoteChange::decode_native(&none).unwrap();
    assert_eq!(
        read,
        RemoteChange {
            selected: None,
            ..change()
        }
    );
    let mut zeroed = change().encode().unwrap();
    zeroed[24..28].fill(0);
    assert_eq!(zeroed, none);
}

/// W-CHANGE-55, answered by G02 (assigned by us): bit 0 hides; 1 to 3 are a cache's and kept; the rest is reserved.
#[test]
fn w_change_55_g02_assigned_by_us_bits_of_remote_meta() {
    let hidden = changed(|r| r.remote_meta = 1).unwrap();
    assert!(hidden.tolerated.is_empty() && hidden.value.row.contains(RemoteFlag::Hidden));
    for bit in 1..4 {
        let bytes = changed_bytes(&change(), |r| r.remote_meta = 1 << bit);
        let value = tolerated(&bytes, ToleranceId::RemoteChangeCacheBits, &bytes);
        assert_eq!(value.row.bits(), 1 << bit);
    }
    for bit in 4..8 {
        assert_eq!(
            refused(changed(|r| r.remote_meta = 1 << bit)),
            ("remote_meta", "W-CHANGE-55")
        );
    }
}

/// W-CONV-36: only the time of fetching may be unknown. F-1: the order of times binds native rows.
#[test]
fn f_1_a_converted_change_may_lack_its_fetch_and_have_its_times_reversed() {
    let bytes = changed_bytes(&change(), |r| r.fetched_at_s = 0.into());
    let value = tolerated(&bytes, ToleranceId::RemoteChangeFetchTimeUnknown, &bytes);
    assert_eq!(value.fetched_at_s, None);
    let bytes = changed_bytes(&change(), |r| r.updated_at_s = 99.into());
    tolerated(&bytes, ToleranceId::RemoteChangeUpdatedBeforeCreated, &bytes);
    assert_eq!(refused(changed(|r| r.updated_at_s = 0.into())), ("updated_at_s", "F-1"));
    assert_eq!(refused(changed(|r| r.created_at_s = 0.into())), ("created_at_s", "F-1"));
    let zero = RemoteChange {
        fetched_at_s: Some(UnixSeconds(0)),
        ..change()
    };
    assert_eq!(refused(zero.encode()), ("fetched_at_s", "F-1"));
}

/// W-CHANGE-18, W-CHANGE-19, W-CHANGE-29, W-CHANGE-41, W-CHANGE-52 hold for a server's Changes as for local ones.
#[test]
fn w_change_18_w_change_19_w_change_29_w_change_41_w_change_52_of_a_server() {
    for bit in 1..8 {
        assert_eq!(refused(changed(|r| r.change_state = 1 << bit)).1, "W-CHANGE-18");
    }
    assert_eq!(refused(changed(|r| r.change_state = 1)).1, "W-CHANGE-19");
    assert_eq!(refused(changed(|r| r.change_meta |= 0x80)).1, "W-CHANGE-52");
    assert_eq!(refused(changed(|r| r.archived_at_s = 140.into())).1, "W-CHANGE-41");
    assert_eq!(
        refused(changed(|r| r.base_line_index_plus1 = 0.into())).1,
        "W-CHANGE-29"
    );
    assert_eq!(refused(changed(|r| r.reserved1 = 1.into())).1, "W-CHANGE-60");
    assert_eq!(refused(changed(|r| r.change_ordinal = 64)).1, "F-1");
    assert_eq!(refused(changed(|r| r.task_index = u32::MAX.into())).1, "F-1");
    assert_eq!(refused(changed(|r| r.payload_len = 0.into())).1, "F-2.2");
    assert_eq!(refused(changed(|r| r.payload_offset = 3.into())).1, "F-2.2");
}

/// W-CHANGE-37, W-CHANGE-43, W-CHANGE-56 hold for a server's Changes as for local ones.
#[test]
fn w_change_37_w_change_43_w_change_56_of_a_server() {
    let archived = |cause, at: Option<u64>| RemoteChange {
        lifecycle: ChangeLifecycle::Archived {
            cause,
            at: at.map(UnixSeconds),
        },
        ..change()
    };
    let bytes = archived(ArchiveCause::Plain, None).encode().unwrap();
    tolerated(&bytes, ToleranceId::ChangeArchiveTimeUnknown, &bytes);
    let canceled = archived(ArchiveCause::Canceled, Some(140));
    let both = changed_bytes(&canceled, |r| r.change_meta |= 0x80);
    let canonical = canceled.encode().unwrap();
    assert_eq!(
        tolerated(&both, ToleranceId::ChangeCanceledAndSuperseded, &canonical),
        canceled
    );
}
