//! What the record of a server's Task may and may not say (W-TASK, F-2.1).

use super::*;
use crate::format::families::task::Task;
use crate::format::flags::RemoteFlag;

fn task() -> RemoteTask {
    RemoteTask {
        status: RemoteTaskStatus::Active,
        closed_at_s: None,
        planned: false,
        flags: TaskFlags::NONE,
        row: RemoteFlags::NONE,
        payload: PayloadRange::new(4, 9).unwrap(),
        plan: PlanRevisionIndex::new(3)
            .zip(PlanItemIndex::new(8))
            .map(|(revision, item)| PlanBinding {
                revision,
                item,
                linked_at_s: Some(UnixSeconds(120)),
            }),
        created_at_s: UnixSeconds(100),
        updated_at_s: Some(UnixSeconds(130)),
        fetched_at_s: Some(UnixSeconds(150)),
    }
}

fn changed_bytes(value: &RemoteTask, change: impl FnOnce(&mut RemoteTaskRecord)) -> [u8; 60] {
    let mut record = RemoteTask::raw(&value.encode().unwrap()).unwrap();
    change(&mut record);
    zerocopy::transmute!(record)
}

fn changed(change: impl FnOnce(&mut RemoteTaskRecord)) -> Result<Reading<RemoteTask>, DecodeError> {
    RemoteTask::decode(&changed_bytes(&task(), change))
}

/// The field and the rule of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T, DecodeError>) -> (&'static str, &'static str) {
    let error = result.unwrap_err();
    (error.field, error.rule)
}

/// The bytes are read with exactly this tolerance, refused natively by its rule, and written back as `canonical` says.
fn tolerated(bytes: &[u8], id: ToleranceId, canonical: &[u8]) -> RemoteTask {
    let reading = RemoteTask::decode(bytes).unwrap();
    let rows: Vec<_> = reading.tolerated.iter().map(|row| row.id).collect();
    assert_eq!(rows, [id]);
    let row = reading.tolerated.iter().next().unwrap();
    assert_eq!(refused(RemoteTask::decode_native(bytes)), (row.field, row.rule));
    assert_eq!(reading.value.encode().unwrap()[..], *canonical);
    reading.value
}

#[test]
fn w_task_02_w_task_09_a_task_of_a_server_is_exactly_60_bytes() {
    // W-TASK-37, assigned by us: 36 and 40 are the sizes of older forms.
    for len in [0, 36, 40, 59, 61, 64] {
        assert_eq!(refused(RemoteTask::decode(&vec![0; len])).1, "F-1", "{len}");
    }
    assert_eq!(REMOTE_TASK.record_size, 60);
    assert_eq!(REMOTE_TASK.field("closed_at_s").map(|field| field.offset), Some(52));
}

#[test]
fn w_task_02_every_shape_of_a_task_of_a_server_reads_back() {
    for status in RemoteTaskStatus::ALL {
        for plan in [None, task().plan] {
            for row in [RemoteFlags::NONE, RemoteFlags::NONE.with(RemoteFlag::Hidden)] {
                let value = RemoteTask {
                    status,
                    closed_at_s: status.is_terminal().then_some(UnixSeconds(140)),
                    plan,
                    row,
                    ..task()
                };
                assert_eq!(RemoteTask::decode_native(&value.encode().unwrap()), Ok(value));
            }
        }
    }
}

/// W-TASK-13: what `local_meta` bit 1 ends here is a cache's bit there; the same `task_meta` stays open.
#[test]
fn w_task_13_the_status_of_a_task_of_a_server_is_told_by_task_meta_alone() {
    let read = changed(|r| r.remote_meta = 1 << 1).unwrap();
    assert_eq!(read.value.status, RemoteTaskStatus::Active);
    let texts = RemoteTaskStatus::ALL.map(RemoteTaskStatus::as_str);
    assert_eq!(texts, ["active", "completed", "abandoned"]);
}

/// F-2.1: a server refuses what a local root reads as canceled.
#[test]
fn f_2_1_completed_and_canceled_together_are_refused() {
    let both = changed(|r| {
        r.task_meta = 0xc0;
        r.closed_at_s = 140.into();
    });
    assert_eq!(refused(both), ("task_meta", "F-2.1"));
}

/// W-TASK-25, W-TASK-24, W-TASK-29.
#[test]
fn w_task_24_w_task_25_w_task_29_the_bits_of_task_meta_are_those_of_a_local_task() {
    for bits in 0..=0xff_u8 {
        if bits & 0xc0 == 0xc0 {
            continue;
        }
        let read = changed(|r| {
            r.task_meta = bits;
            r.closed_at_s = u64::from(bits & 0xc0 != 0).into();
        });
        let value = read.unwrap().value;
        assert_eq!(value.planned, bits & 1 != 0);
        assert_eq!(value.flags.bits(), bits & 0x3e);
        assert_eq!(value.encode().unwrap()[0], bits);
        let mut local = [0_u8; 64];
        local[0] = bits;
        local[2] = 9;
        local[4] = 4;
        local[24] = 1;
        local[32] = 1;
        let local = Task::decode(&local).unwrap().value;
        assert_eq!((local.planned, local.flags), (value.planned, value.flags));
        assert_eq!(local.status.is_terminal(), value.status.is_terminal());
    }
}

/// W-TASK-31, answered by G02 (assigned by us): bit 0 hides; 1 to 3 are a cache's and kept; the rest is reserved.
#[test]
fn w_task_31_g02_assigned_by_us_bits_of_remote_meta() {
    let hidden = changed(|r| r.remote_meta = 1).unwrap();
    assert!(hidden.tolerated.is_empty() && hidden.value.row.contains(RemoteFlag::Hidden));
    for (bit, flag) in [
        (1, RemoteFlag::Stale),
        (2, RemoteFlag::PartialFetch),
        (3, RemoteFlag::Cache),
    ] {
        let bytes = changed_bytes(&task(), |r| r.remote_meta = 1 << bit);
        let value = tolerated(&bytes, ToleranceId::RemoteTaskCacheBits, &bytes);
        assert_eq!(value.row, RemoteFlags::NONE.with(flag));
    }
    for bit in 4..8 {
        assert_eq!(
            refused(changed(|r| r.remote_meta = 1 << bit)),
            ("remote_meta", "W-TASK-31")
        );
    }
}

/// F-2.1: only converted rows lack the times of change and of fetching; 0 is unknown.
#[test]
fn f_2_1_native_rows_of_a_server_have_their_times() {
    let bytes = changed_bytes(&task(), |r| r.updated_at_s = 0.into());
    let value = tolerated(&bytes, ToleranceId::RemoteTaskUpdateTimeUnknown, &bytes);
    assert_eq!(value.updated_at_s, None);
    let bytes = changed_bytes(&task(), |r| r.fetched_at_s = 0.into());
    let value = tolerated(&bytes, ToleranceId::RemoteTaskFetchTimeUnknown, &bytes);
    assert_eq!(value.fetched_at_s, None);
    assert_eq!(refused(changed(|r| r.created_at_s = 0.into())), ("created_at_s", "F-1"));
    for (wrong, field) in [
        (
            RemoteTask {
                updated_at_s: Some(UnixSeconds(0)),
                ..task()
            },
            "updated_at_s",
        ),
        (
            RemoteTask {
                fetched_at_s: Some(UnixSeconds(0)),
                ..task()
            },
            "fetched_at_s",
        ),
    ] {
        assert_eq!(refused(wrong.encode()), (field, "F-1"));
    }
}

/// F-1: the order of times binds native rows; a converted one keeps what its source said.
#[test]
fn f_1_a_converted_row_may_have_been_changed_before_it_was_created() {
    let bytes = changed_bytes(&task(), |r| r.updated_at_s = 99.into());
    tolerated(&bytes, ToleranceId::RemoteTaskUpdatedBeforeCreated, &bytes);
}

/// W-TASK-10, W-TASK-11, W-TASK-12, W-TASK-19, W-TASK-22 hold for a server's Tasks as for local ones.
#[test]
fn w_task_10_w_task_11_w_task_12_w_task_19_w_task_22_close_times_of_a_server() {
    let open = tolerated(
        &changed_bytes(&task(), |r| r.closed_at_s = 140.into()),
        ToleranceId::TaskCloseTimeWithoutEnd,
        &task().encode().unwrap(),
    );
    assert_eq!(open.closed_at_s, None);
    let closed = RemoteTask {
        status: RemoteTaskStatus::Completed,
        ..task()
    };
    let bytes = closed.encode().unwrap();
    assert_eq!(tolerated(&bytes, ToleranceId::TaskCloseTimeUnknown, &bytes), closed);
    let wrong = RemoteTask {
        closed_at_s: Some(UnixSeconds(140)),
        ..task()
    };
    assert_eq!(refused(wrong.encode()), ("closed_at_s", "W-TASK-12"));
}

/// W-TASK-35, answered by F-2.1: a server has revision and item both, or neither, and no time without them.
#[test]
fn w_task_35_a_plan_of_a_server_is_whole_or_absent() {
    let item = "plan_item_index_plus1";
    let no_item = changed(|r| r.plan_item_index_plus1 = 0.into());
    assert_eq!(refused(no_item), (item, "W-TASK-35"));
    let no_revision = changed(|r| r.origin_plan_revision_index_plus1 = 0.into());
    assert_eq!(refused(no_revision), (item, "W-TASK-35"));
    let neither = changed(|r| {
        r.origin_plan_revision_index_plus1 = 0.into();
        r.plan_item_index_plus1 = 0.into();
    });
    assert_eq!(refused(neither), ("plan_linked_at_s", "W-TASK-35"));
    assert!(changed(|r| r.plan_linked_at_s = 0.into()).is_ok_and(|read| read.tolerated.is_empty()));
}

#[test]
fn f_2_1_a_task_of_a_server_has_a_payload_of_4_to_65535_bytes() {
    assert_eq!(refused(changed(|r| r.payload_len = 3.into())), ("payload_len", "F-2.1"));
    assert_eq!(
        refused(changed(|r| r.payload_offset = 3.into())),
        ("payload_offset", "F-2.1")
    );
    let long = PayloadRange::new(4, 65536).unwrap();
    assert_eq!(
        refused(
            RemoteTask {
                payload: long,
                ..task()
            }
            .encode()
        ),
        ("payload_len", "F-2.1")
    );
}
