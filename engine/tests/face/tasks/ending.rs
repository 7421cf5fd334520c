//! Ending and publishing Tasks.

use std::collections::BTreeSet;

use graven::format::{TaskFlags, TaskStatus};
use graven::{NewChange, NewTask, UnixSeconds};

use super::{CLOSED_AT, CREATED, LATER, Operation, SIZE, bytes, place, record, remote};
use crate::support::{TestStore, refused};

#[test]
fn w_task_09_w_task_15_creating_writes_no_close_time_and_closing_writes_it_in_the_record_only() {
    let store = TestStore::new();
    let task = store.task("a");
    assert_eq!(bytes(&store, task)[CLOSED_AT..], [0; 8], "W-TASK-15");
    let before = store.files();
    store.at(LATER, |txn| txn.complete_task(task)).unwrap();
    assert_eq!(bytes(&store, task)[CLOSED_AT..], LATER.to_le_bytes(), "W-TASK-09");
    let after = store.files();
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>(),
        "no side file"
    );
    let changed: BTreeSet<_> = after
        .iter()
        .filter(|(path, bytes)| before[*path] != **bytes)
        .map(|(path, _)| path)
        .collect();
    assert_eq!(changed.len(), 1, "task.bin alone");
}

#[test]
fn w_task_10_w_task_11_w_task_22_a_zero_close_time_means_open_or_unknown() {
    let mut store = TestStore::new();
    let (open, ended) = (store.task("open"), store.task("ended"));
    store.at(LATER, |txn| txn.complete_task(ended)).unwrap();
    assert_eq!(
        (record(&store, open).status, record(&store, open).closed_at_s),
        (TaskStatus::Active, None),
        "W-TASK-10"
    );
    store.damage("workflow/task.bin", place(SIZE + CLOSED_AT), &[0; 8]);
    let unknown = record(&store, ended);
    assert_eq!(
        (unknown.status, unknown.closed_at_s),
        (TaskStatus::Completed, None),
        "W-TASK-11"
    );
    // W-TASK-22: it is worked with, and stays unknown.
    store.at(LATER, |txn| txn.publish_task(ended, remote(0))).unwrap();
    assert_eq!(bytes(&store, ended)[CLOSED_AT..], [0; 8]);
    assert_eq!(
        store.refusal(LATER, |txn| txn.cancel_task(ended)),
        ("refused", "W-TASK-18")
    );
}

#[test]
fn w_task_12_w_task_19_a_close_time_on_an_open_task_is_read_as_absent_and_replaced_by_the_next_end() {
    let mut store = TestStore::new();
    let task = store.task("a");
    store.damage("workflow/task.bin", place(CLOSED_AT), &CREATED.to_le_bytes());
    assert_eq!(record(&store, task).closed_at_s, None);
    assert_eq!(record(&store, task).status, TaskStatus::Active);
    store.at(LATER, |txn| txn.abandon_task(task)).unwrap();
    assert_eq!(record(&store, task).closed_at_s, Some(UnixSeconds(LATER)));
}

#[test]
fn w_task_12_another_write_takes_a_close_time_off_an_open_task() {
    let mut store = TestStore::new();
    let task = store.task("a");
    store.damage("workflow/task.bin", place(CLOSED_AT), &CREATED.to_le_bytes());
    store.at(LATER, |txn| txn.publish_task(task, remote(3))).unwrap();
    assert_eq!(bytes(&store, task)[CLOSED_AT..], [0; 8]);
}

#[test]
fn w_task_13_w_task_25_w_task_26_each_end_is_a_bit_of_its_own() {
    let store = TestStore::new();
    let tasks = ["complete", "cancel", "abandon"].map(|title| store.task(title));
    store.at(LATER, |txn| txn.complete_task(tasks[0])).unwrap();
    store.at(LATER, |txn| txn.cancel_task(tasks[1])).unwrap();
    store.at(LATER, |txn| txn.abandon_task(tasks[2])).unwrap();
    let expected = [
        (TaskStatus::Completed, [0x40, 0]),
        (TaskStatus::Canceled, [0x80, 0]),
        (TaskStatus::Abandoned, [0, 0b10]),
    ];
    for (task, (status, meta)) in tasks.into_iter().zip(expected) {
        let found = record(&store, task);
        assert_eq!((found.status, found.closed_at_s), (status, Some(UnixSeconds(LATER))));
        assert!(found.status.is_terminal());
        assert_eq!((found.created_at_s.0, found.updated_at_s.0), (CREATED, LATER));
        assert_eq!(bytes(&store, task)[..2], meta);
    }
}

#[test]
fn w_task_14_publishing_after_the_end_moves_the_update_time_and_keeps_the_close_time() {
    let store = TestStore::new();
    let task = store.task("a");
    store.at(LATER, |txn| txn.cancel_task(task)).unwrap();
    store.at(LATER + 1, |txn| txn.publish_task(task, remote(9))).unwrap();
    let found = record(&store, task);
    assert_eq!(
        (found.closed_at_s, found.updated_at_s.0),
        (Some(UnixSeconds(LATER)), LATER + 1)
    );
    assert_eq!(
        found.published.map(|published| (published.task, published.at.0)),
        Some((remote(9), LATER + 1))
    );
    assert_eq!(found.status, TaskStatus::Canceled);
}

#[test]
fn w_task_18_an_ended_task_is_never_ended_again_nor_worked_on() {
    let store = TestStore::new();
    store.line("main");
    let ends: [Operation; 3] = [
        |txn, task| txn.complete_task(task),
        |txn, task| txn.cancel_task(task),
        |txn, task| txn.abandon_task(task),
    ];
    for first in ends {
        let task = store.task("a");
        store.at(LATER, |txn| first(txn, task)).unwrap();
        for second in ends {
            assert_eq!(
                store.refusal(LATER + 1, |txn| second(txn, task)),
                ("refused", "W-TASK-18")
            );
        }
        let new = NewChange {
            task,
            title: "more",
            base_line: "main",
        };
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_change(&new)),
            ("refused", "W-TASK-18")
        );
    }
}

#[test]
fn w_task_21_nothing_ends_nor_begins_at_time_0() {
    let store = TestStore::new();
    let task = store.task("a");
    let before = store.files();
    let zero = UnixSeconds(0);
    assert_eq!(refused(store.store.write(zero, |txn| txn.complete_task(task))), "F-1");
    assert_eq!(
        refused(store.store.write(zero, |txn| txn.create_task(&NewTask::new("b", "c")))),
        "F-1"
    );
    assert_eq!(refused(store.at(LATER, |txn| txn.set_now(zero))), "F-1");
    assert_eq!(store.files(), before);
}

#[test]
fn f_1_a_task_is_not_changed_before_it_was_created() {
    let store = TestStore::new();
    let task = store.task("a");
    let early = CREATED - 1;
    assert_eq!(store.refusal(early, |txn| txn.complete_task(task)), ("refused", "F-1"));
    assert_eq!(store.refusal(early, |txn| txn.cancel_task(task)), ("refused", "F-1"));
    assert_eq!(store.refusal(early, |txn| txn.abandon_task(task)), ("refused", "F-1"));
    assert_eq!(
        store.refusal(early, |txn| txn.publish_task(task, remote(0))),
        ("refused", "F-1")
    );
    store.at(CREATED, |txn| txn.complete_task(task)).unwrap();
}

#[test]
fn w_task_24_planned_is_one_bit_that_every_operation_keeps() {
    let store = TestStore::new();
    let new = NewTask::new("a", "b");
    let unplanned = store.at(CREATED, |txn| txn.create_task(&new)).unwrap();
    let planned = store.at(CREATED, |txn| txn.create_task(&new.planned())).unwrap();
    assert_eq!((bytes(&store, unplanned)[0], bytes(&store, planned)[0]), (0, 1));
    for task in [unplanned, planned] {
        let before = record(&store, task).planned;
        store.at(LATER, |txn| txn.publish_task(task, remote(1))).unwrap();
        store.at(LATER, |txn| txn.complete_task(task)).unwrap();
        assert_eq!(record(&store, task).planned, before);
    }
}

#[test]
fn w_task_29_g36_assigned_by_us_status_bits_1_to_5_are_kept_as_found() {
    let mut store = TestStore::new();
    let task = store.task("a");
    store.damage("workflow/task.bin", place(0), &[0b0011_1110]);
    assert_eq!(record(&store, task).flags, TaskFlags::of(0b0011_1110));
    store.at(LATER, |txn| txn.publish_task(task, remote(1))).unwrap();
    store.at(LATER, |txn| txn.cancel_task(task)).unwrap();
    assert_eq!(bytes(&store, task)[0], 0b1011_1110);
}

#[test]
fn w_task_30_w_task_34_publishing_sets_its_bit_the_index_and_the_time_and_index_0_is_an_index() {
    let store = TestStore::new();
    let task = store.task("a");
    assert_eq!(
        record(&store, task).published,
        None,
        "W-TASK-34: an unpublished Task has 0 there as well"
    );
    store.at(LATER, |txn| txn.publish_task(task, remote(0))).unwrap();
    let stored = bytes(&store, task);
    assert_eq!((stored[1], &stored[20..24]), (1, &[0; 4][..]), "W-TASK-30");
    assert_eq!(
        record(&store, task).published.map(|published| published.task),
        Some(remote(0))
    );
    // W-TASK-35: the bit and the time go together.
    assert_eq!(stored[48..56], LATER.to_le_bytes());
    let before = store.files();
    let receipt = store
        .store
        .write(UnixSeconds(LATER + 5), |txn| txn.publish_task(task, remote(0)))
        .unwrap();
    assert_eq!(
        (receipt.files, store.files() == before),
        (0, true),
        "said again, nothing is written"
    );
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_task(task, remote(1))),
        ("conflict", "F-2.1")
    );
}
