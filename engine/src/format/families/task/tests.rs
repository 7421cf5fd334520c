//! What a Task's record and payload may and may not say (W-TASK, F-2.1).

use super::*;
use crate::format::flags::TaskFlag;

fn index<T>(index: Option<T>) -> T {
    index.unwrap()
}

/// An open Task with everything that an open Task may have.
fn task() -> Task {
    Task {
        status: TaskStatus::Active,
        closed_at_s: None,
        planned: true,
        flags: TaskFlags::NONE,
        hidden: false,
        payload: PayloadRange::new(4, 9).unwrap(),
        plan_revision: PlanRevisionIndex::new(3),
        plan_item: PlanItemIndex::new(8),
        plan_linked_at_s: Some(UnixSeconds(120)),
        published: Some(PublishedTask {
            task: index(RemoteTaskIndex::new(0)),
            at: UnixSeconds(130),
        }),
        created_at_s: UnixSeconds(100),
        updated_at_s: UnixSeconds(130),
    }
}

fn changed_bytes(value: &Task, change: impl FnOnce(&mut TaskRecord)) -> [u8; 64] {
    let mut record = Task::raw(&value.encode().unwrap()).unwrap();
    change(&mut record);
    zerocopy::transmute!(record)
}

/// The reading of `task()`'s bytes after one change.
fn changed(change: impl FnOnce(&mut TaskRecord)) -> Result<Reading<Task>, DecodeError> {
    Task::decode(&changed_bytes(&task(), change))
}

fn rule<T>(result: Result<T, DecodeError>) -> Option<&'static str> {
    result.err().map(|error| error.rule)
}

/// The bytes are read with exactly this tolerance, refused natively by its rule, and written back as `canonical` says.
fn tolerated(bytes: &[u8], id: ToleranceId, canonical: &[u8]) -> Task {
    let reading = Task::decode(bytes).unwrap();
    let rows: Vec<_> = reading.tolerated.iter().map(|row| row.id).collect();
    assert_eq!(rows, [id]);
    let refused = Task::decode_native(bytes).unwrap_err();
    let row = reading.tolerated.iter().next().unwrap();
    assert_eq!((refused.rule, refused.field), (row.rule, row.field));
    assert_eq!(reading.value.encode().unwrap()[..], *canonical);
    reading.value
}

fn closed(status: TaskStatus, at: Option<u64>) -> Task {
    Task {
        status,
        closed_at_s: at.map(UnixSeconds),
        ..task()
    }
}

#[test]
fn w_task_01_a_task_is_exactly_64_bytes() {
    for len in [0, 60, 63, 65] {
        assert_eq!(rule(Task::decode(&vec![0; len])), Some("F-1"), "{len}");
    }
    assert_eq!(TASK.record_size, 64);
    assert_eq!(TASK.field("closed_at_s").map(|field| field.offset), Some(56));
}

/// W-TASK-37, assigned by us: the sizes of older forms are no Tasks.
#[test]
fn w_task_37_assigned_by_us_records_of_other_sizes_are_no_tasks() {
    for len in [36, 40, 44, 60] {
        assert_eq!(rule(Task::decode(&vec![0; len])), Some("F-1"), "{len}");
    }
}

/// W-TASK-36, assigned by us: little-endian, plus one, and no byte between the fields.
#[test]
fn w_task_36_assigned_by_us_integers_are_little_endian_and_0_is_absent() {
    let bytes = task().encode().unwrap();
    assert_eq!(bytes[2..12], [9, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[12..20], [4, 0, 0, 0, 9, 0, 0, 0]);
    assert_eq!(crate::format::HEADER, [1, 0, 0, 0]);
    let bare = Task {
        plan_revision: None,
        plan_item: None,
        plan_linked_at_s: None,
        ..task()
    };
    assert_eq!(bare.encode().unwrap()[12..20], [0; 8]);
}

/// W-TASK-06, W-TASK-23: a Task read back from its bytes is the value that was written; neither its place in the file
/// nor its origin is among them.
#[test]
fn w_task_06_w_task_23_every_shape_of_a_task_reads_back() {
    for status in TaskStatus::ALL {
        for planned in [false, true] {
            for published in [None, task().published] {
                let value = Task {
                    planned,
                    published,
                    ..closed(status, status.is_terminal().then_some(140))
                };
                assert_eq!(Task::decode_native(&value.encode().unwrap()), Ok(value));
            }
        }
    }
}

/// W-TASK-10: zero on an open Task is no close time.
#[test]
fn w_task_10_an_open_task_with_zero_has_no_close_time() {
    let read = changed(|r| r.closed_at_s = 0.into()).unwrap();
    assert_eq!(read.value.closed_at_s, None);
    assert!(read.tolerated.is_empty());
}

/// W-TASK-11, W-TASK-22: zero on a closed Task is a time that is not known, stays zero, and is not made natively.
#[test]
fn w_task_11_w_task_22_a_closed_task_with_zero_was_closed_at_an_unknown_time() {
    for status in [TaskStatus::Completed, TaskStatus::Canceled, TaskStatus::Abandoned] {
        let bytes = closed(status, None).encode().unwrap();
        let value = tolerated(&bytes, ToleranceId::TaskCloseTimeUnknown, &bytes);
        assert_eq!((value.status, value.closed_at_s), (status, None));
    }
}

/// W-TASK-12: a value that says so cannot be written.
#[test]
fn w_task_12_an_open_task_is_never_written_with_a_close_time() {
    let wrong = closed(TaskStatus::Active, Some(140));
    assert_eq!(rule(wrong.encode()), Some("W-TASK-12"));
    let zero = closed(TaskStatus::Completed, Some(0));
    assert_eq!(rule(zero.encode()), Some("F-1"));
}

/// W-TASK-19: what a close that did not come to its end left behind is read as absent, and written back as 0.
#[test]
fn w_task_12_w_task_19_a_close_time_on_an_open_task_is_read_as_absent() {
    let bytes = changed_bytes(&task(), |r| r.closed_at_s = 140.into());
    let value = tolerated(&bytes, ToleranceId::TaskCloseTimeWithoutEnd, &task().encode().unwrap());
    assert_eq!(value, task());
}

/// W-TASK-13: `task_meta` and `local_meta` together tell.
#[test]
fn w_task_13_a_task_ended_by_local_meta_alone_is_terminal() {
    let bytes = closed(TaskStatus::Abandoned, Some(140)).encode().unwrap();
    let record = Task::raw(&bytes).unwrap();
    assert_eq!(record.task_meta & (COMPLETED | CANCELED), 0);
    assert_eq!(
        Task::decode_native(&bytes).map(|task| task.status.is_terminal()),
        Ok(true)
    );
}

/// W-TASK-24: bit 0, and no third state.
#[test]
fn w_task_24_bit_0_of_task_meta_is_all_there_is_of_planning() {
    for planned in [false, true] {
        let value = Task { planned, ..task() };
        let record = Task::raw(&value.encode().unwrap()).unwrap();
        assert_eq!(record.task_meta, u8::from(planned));
    }
}

/// W-TASK-25: bit 7. W-TASK-26: `local_meta` bit 1, with bit 7 clear.
#[test]
fn w_task_25_w_task_26_canceled_and_abandoned_are_two_bits() {
    let meta = |status: TaskStatus| {
        let at = status.is_terminal().then_some(140);
        let record = Task::raw(&closed(status, at).encode().unwrap()).unwrap();
        (record.task_meta & 0xfe, record.local_meta & 0xfe)
    };
    assert_eq!(meta(TaskStatus::Active), (0, 0));
    assert_eq!(meta(TaskStatus::Completed), (0x40, 0));
    assert_eq!(meta(TaskStatus::Canceled), (0x80, 0));
    assert_eq!(meta(TaskStatus::Abandoned), (0, 0x02));
}

/// F-2.1: canceled, then abandoned, then completed; one end is written back.
#[test]
fn f_2_1_several_ends_are_read_as_the_first_of_them() {
    let both = |r: &mut TaskRecord, meta, local| {
        r.task_meta |= meta;
        r.local_meta |= local;
        r.closed_at_s = 140.into();
    };
    for (meta, local, status) in [
        (0xc0, 0x02, TaskStatus::Canceled),
        (0xc0, 0x00, TaskStatus::Canceled),
        (0x80, 0x02, TaskStatus::Canceled),
        (0x40, 0x02, TaskStatus::Abandoned),
    ] {
        let bytes = changed_bytes(&task(), |r| both(r, meta, local));
        let canonical = closed(status, Some(140)).encode().unwrap();
        assert_eq!(
            tolerated(&bytes, ToleranceId::TaskSeveralEnds, &canonical).status,
            status
        );
    }
}

/// W-TASK-29, answered by F-2.1 and G36 (assigned by us): bits 1 to 5 are kept as they are found.
#[test]
fn w_task_29_g36_assigned_by_us_the_status_bits_have_their_places_and_are_kept() {
    let bits = [
        (TaskFlag::Snapshotted, 1),
        (TaskFlag::ReviewPending, 2),
        (TaskFlag::ValidationPending, 3),
        (TaskFlag::Blocked, 4),
        (TaskFlag::ReadyToLand, 5),
    ];
    for (flag, bit) in bits {
        let read = changed(|r| r.task_meta |= 1 << bit).unwrap();
        assert!(read.tolerated.is_empty());
        assert_eq!(read.value.flags, TaskFlags::NONE.with(flag));
        assert_eq!(read.value.encode().unwrap()[0], 1 | 1 << bit);
    }
}

/// W-TASK-30, answered by F-2.1 and G01 (assigned by us): bit 0 is published, bit 2 hides and is not made natively.
#[test]
fn w_task_30_g01_assigned_by_us_bit_2_of_local_meta_hides_and_is_kept() {
    let bytes = changed_bytes(&task(), |r| r.local_meta |= 1 << 2);
    let value = tolerated(&bytes, ToleranceId::TaskHidden, &bytes);
    assert_eq!(value, Task { hidden: true, ..task() });
}

#[test]
fn w_task_30_f_1_reserved_bits_of_local_meta_fail_closed() {
    for bit in 3..8 {
        let refused = changed(|r| r.local_meta |= 1 << bit).unwrap_err();
        assert_eq!((refused.field, refused.rule), ("local_meta", "W-TASK-30"));
    }
}

/// W-TASK-34, answered by F-1: the bit tells, since 0 is an index too.
#[test]
fn w_task_34_publication_is_told_by_its_bit_and_index_0_is_an_index() {
    assert_eq!(
        Task::decode_native(&task().encode().unwrap()).map(|task| task.published.map(|published| published.task.get())),
        Ok(Some(0))
    );
    let unpublished = Task {
        published: None,
        ..task()
    };
    let bytes = unpublished.encode().unwrap();
    assert_eq!(Task::raw(&bytes).unwrap().published_remote_task_index.get(), 0);
    let left = changed_bytes(&unpublished, |r| r.published_remote_task_index = 7.into());
    assert_eq!(tolerated(&left, ToleranceId::TaskUnpublishedIndex, &bytes), unpublished);
    assert_eq!(
        rule(changed(|r| r.published_remote_task_index = u32::MAX.into())),
        Some("F-1")
    );
}

/// W-TASK-35, answered by F-2.1: published exactly with its time.
#[test]
fn w_task_35_published_and_its_time_stand_or_fall_together() {
    let refused = changed(|r| r.published_at_s = 0.into()).unwrap_err();
    assert_eq!((refused.field, refused.rule), ("published_at_s", "W-TASK-35"));
    let refused = changed(|r| r.local_meta &= !1).unwrap_err();
    assert_eq!((refused.field, refused.rule), ("published_at_s", "W-TASK-35"));
    let published = task().published.map(|published| PublishedTask {
        at: UnixSeconds(0),
        ..published
    });
    assert_eq!(rule(Task { published, ..task() }.encode()), Some("F-1"));
}

/// W-TASK-35, answered by F-2.1: an item or a time of linking without a revision is refused, a revision alone is not.
#[test]
fn w_task_35_a_plan_item_and_its_time_need_a_revision() {
    let refused = changed(|r| r.origin_plan_revision_index_plus1 = 0.into()).unwrap_err();
    assert_eq!((refused.field, refused.rule), ("plan_item_index_plus1", "W-TASK-35"));
    let refused = changed(|r| {
        r.origin_plan_revision_index_plus1 = 0.into();
        r.plan_item_index_plus1 = 0.into();
    })
    .unwrap_err();
    assert_eq!((refused.field, refused.rule), ("plan_linked_at_s", "W-TASK-35"));
    for alone in [
        Task {
            plan_item: None,
            ..task()
        },
        Task {
            plan_item: None,
            plan_linked_at_s: None,
            ..task()
        },
        Task {
            plan_revision: None,
            plan_item: None,
            plan_linked_at_s: None,
            ..task()
        },
    ] {
        assert_eq!(Task::decode_native(&alone.encode().unwrap()), Ok(alone));
    }
    assert_eq!(
        rule(
            Task {
                plan_revision: None,
                ..task()
            }
            .encode()
        ),
        Some("W-TASK-35")
    );
}

#[test]
fn f_1_the_times_of_a_task_are_there_and_in_order() {
    for (change, field) in [
        (changed(|r| r.created_at_s = 0.into()), "created_at_s"),
        (changed(|r| r.updated_at_s = 99.into()), "updated_at_s"),
        (changed(|r| r.updated_at_s = 0.into()), "updated_at_s"),
    ] {
        let refused = change.unwrap_err();
        assert_eq!((refused.field, refused.rule), (field, "F-1"));
    }
    assert!(changed(|r| r.updated_at_s = 100.into()).is_ok());
    assert!(changed(|r| r.updated_at_s = u64::MAX.into()).is_ok());
}

#[test]
fn f_2_1_a_task_has_a_payload_of_4_to_65535_bytes_behind_the_header() {
    for len in 0..4 {
        assert_eq!(rule(changed(|r| r.payload_len = len.into())), Some("F-2.1"), "{len}");
    }
    for offset in [0, 3, u64::MAX] {
        assert_eq!(
            rule(changed(|r| r.payload_offset = offset.into())),
            Some("F-2.1"),
            "{offset}"
        );
    }
    for (len, fits) in [(4, true), (65535, true), (65536, false), (3, false)] {
        let payload = PayloadRange::new(4, len).unwrap();
        assert_eq!(Task { payload, ..task() }.encode().is_ok(), fits, "{len}");
    }
}

/// F-0.2: the bytes that a close writes last.
#[test]
fn f_0_2_the_state_bytes_of_a_close_are_the_first_two() {
    assert_eq!((Task::META_OFFSET, Task::LOCAL_META_OFFSET), (0, 1));
}

/// W-TASK-33, answered by F-2.1.
#[test]
fn w_task_33_title_and_intent_are_exact_bytes_and_neither_is_empty() {
    let payload = TaskPayload {
        title: " a ",
        intent: "ä\n",
    };
    let bytes = payload.encode().unwrap();
    assert_eq!(bytes, b"\x03\x00 a \xc3\xa4\n");
    assert_eq!(TaskPayload::decode(&bytes), Ok(payload));
    for wrong in [
        &b""[..],
        b"\x01",
        b"\x00\x00ab",
        b"\x02\x00ab",
        b"\x03\x00ab",
        b"\x01\x00\xffb",
        b"\x01\x00a\xff",
    ] {
        assert_eq!(rule(TaskPayload::decode(wrong)), Some("F-2.1"), "{wrong:?}");
    }
}

#[test]
fn f_2_1_writers_trim_title_and_intent_and_refuse_what_is_then_empty() {
    let payload = TaskPayload::new("\t a b \n", " why ").unwrap();
    assert_eq!((payload.title, payload.intent), ("a b", "why"));
    for (title, intent) in [("", "why"), (" \n", "why"), ("a", ""), ("a", "\t")] {
        assert_eq!(rule(TaskPayload::new(title, intent)), Some("F-2.1"));
    }
    // Only ASCII white space is dropped.
    assert_eq!(
        TaskPayload::new("\u{a0}a", "b").map(|payload| payload.title),
        Ok("\u{a0}a")
    );
}

#[test]
fn f_2_1_title_and_intent_together_fit_into_65533_bytes() {
    let title = "t".repeat(TaskPayload::MAX_LEN - 1);
    let longest = TaskPayload::new(&title, "i").unwrap();
    assert_eq!(longest.encode().map(|bytes| bytes.len()), Ok(65535));
    assert_eq!(rule(TaskPayload::new(&title, "ii").unwrap().encode()), Some("F-2.1"));
    let huge = "t".repeat(65536);
    assert_eq!(rule(TaskPayload::new(&huge, "i").unwrap().encode()), Some("F-2.1"));
}
