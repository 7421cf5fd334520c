//! Tasks: every operation, and every rule broken once.

use std::collections::BTreeSet;

use graven::format::{Namespace, RemoteTaskIndex, Task, TaskFlags, TaskId, TaskIndex, TaskScope, TaskStatus};
use graven::{Error, NewChange, NewTask, TaskText, Txn, UnixSeconds, Workflow};

use super::support::{NOW, TestStore, corrupt, refused};

/// An operation on one Task.
type Operation = fn(&mut Txn<'_, Workflow>, TaskIndex) -> Result<(), Error>;

const CREATED: u64 = NOW.0;
const LATER: u64 = CREATED + 100;
const SIZE: usize = 64;
const CLOSED_AT: usize = 56;

fn at(index: u32) -> TaskIndex {
    TaskIndex::new(index).unwrap()
}

fn remote(index: u32) -> RemoteTaskIndex {
    RemoteTaskIndex::new(index).unwrap()
}

fn record(store: &TestStore, task: TaskIndex) -> Task {
    store.store.read(|view| Ok(*view.tasks()?.get(task)?.record())).unwrap()
}

fn text(store: &TestStore, task: TaskIndex) -> TaskText {
    store.store.read(|view| view.tasks()?.get(task)?.text()).unwrap()
}

fn bytes(store: &TestStore, task: TaskIndex) -> Vec<u8> {
    store.record_bytes("task", SIZE, task.get())
}

/// Where a byte of the first Task's record stands in its file.
fn place(offset: usize) -> u64 {
    4 + offset as u64
}

#[test]
fn w_task_03_a_tasks_index_is_the_position_of_its_record() {
    let mut store = TestStore::new();
    let tasks = ["a", "b", "c"].map(|title| store.task(title));
    assert_eq!(tasks, [at(0), at(1), at(2)]);
    store.reopen();
    for (task, title) in tasks.into_iter().zip(["a", "b", "c"]) {
        assert_eq!(text(&store, task).title, title);
    }
    // Nothing but the place tells them apart: records of equal values are equal.
    let [first, second] = [at(0), at(1)].map(|task| {
        let mut bytes = bytes(&store, task);
        bytes[4..12].fill(0);
        bytes
    });
    assert_eq!(first, second, "they differ in the payload's place only");
}

#[test]
fn w_task_04_w_task_05_w_task_06_a_tasks_identity_is_derived_and_stored_nowhere() {
    let mut store = TestStore::new();
    let task = store.task("first");
    let id = |task: TaskIndex| TaskId {
        scope: TaskScope::Local,
        namespace: Namespace::EMPTY,
        index: task,
    };
    assert_eq!(
        id(task).to_string(),
        "LT-0001",
        "W-TASK-04: the sequence is the index plus one"
    );
    store.reopen();
    let again = store.store.read(|view| Ok(view.tasks()?.next().unwrap()?.0)).unwrap();
    assert_eq!(id(again), id(task), "W-TASK-05: the same after reopening");
    for part in ["LT-0001", "T-0001", "0001"] {
        assert!(!store.holds_text(part), "W-TASK-06: {part} is stored");
    }
    assert!(store.holds_text("first"), "the search finds what is there");
}

#[test]
fn w_task_07_w_task_08_every_operation_appends_or_keeps_each_record_at_its_place() {
    let store = TestStore::new();
    let mut seen: Vec<String> = Vec::new();
    let check = |seen: &[String]| {
        let count = (store.bytes("workflow/task.bin").len() - 4) / SIZE;
        assert_eq!(
            count,
            seen.len(),
            "W-TASK-07: as many records as were created, ended or not"
        );
        for (index, title) in (0..).zip(seen) {
            assert_eq!(&text(&store, at(index)).title, title, "W-TASK-08");
        }
    };
    for round in 0..3_u32 {
        for title in ["complete", "cancel", "abandon", "publish"] {
            let title = format!("{title} {round}");
            store.task(&title);
            seen.push(title);
        }
        let first = 4 * round;
        let others = |changed: u32| {
            let all = store.bytes("workflow/task.bin");
            let start = 4 + SIZE * changed as usize;
            [&all[..start], &all[start + SIZE..]].concat()
        };
        let operations: [(u32, Operation); 4] = [
            (3, |txn, task| txn.publish_task(task, RemoteTaskIndex::MAX)),
            (1, |txn, task| txn.cancel_task(task)),
            (2, |txn, task| txn.abandon_task(task)),
            (0, |txn, task| txn.complete_task(task)),
        ];
        for (offset, operation) in operations {
            let before = others(first + offset);
            store.at(LATER, |txn| operation(txn, at(first + offset))).unwrap();
            assert_eq!(others(first + offset), before, "no other record changes");
            check(&seen);
        }
    }
}

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

#[test]
fn w_task_33_title_and_intent_lose_the_white_space_around_them_and_are_never_empty() {
    let store = TestStore::new();
    let new = NewTask::new(" \tFaster search\n", "\r\n Two lines:\n one second. ");
    let task = store.at(CREATED, |txn| txn.create_task(&new)).unwrap();
    let expected = ("Faster search".to_owned(), "Two lines:\n one second.".to_owned());
    assert_eq!((text(&store, task).title, text(&store, task).intent), expected);
    let payload = store.bytes("workflow/task_payload.bin");
    assert_eq!(&payload[4..], b"\x0d\0Faster searchTwo lines:\n one second.");
    for (title, intent) in [("", "b"), ("a", ""), (" \n", "b"), ("a", "\t")] {
        let new = NewTask::new(title, intent);
        assert_eq!(
            store.refusal(CREATED, |txn| txn.create_task(&new)),
            ("refused", "F-2.1")
        );
    }
    // White space of other scripts is text.
    let new = NewTask::new("\u{a0}", "\u{2003}");
    let task = store.at(CREATED, |txn| txn.create_task(&new)).unwrap();
    assert_eq!(text(&store, task).title, "\u{a0}");
}

#[test]
fn w_task_33_the_longest_title_and_intent_fit_together_into_a_payload_and_one_byte_more_does_not() {
    let store = TestStore::new();
    let intent = "i".repeat(65_535 - 2 - 1);
    let task = store
        .at(CREATED, |txn| txn.create_task(&NewTask::new("t", &intent)))
        .unwrap();
    assert_eq!(text(&store, task).intent, intent);
    let title = store
        .at(CREATED, |txn| txn.create_task(&NewTask::new(&intent, "i")))
        .unwrap();
    assert_eq!(text(&store, title).title, intent);
    let longer = format!("{intent}i");
    for new in [
        NewTask::new("t", &longer),
        NewTask::new(&longer, "i"),
        NewTask::new(&longer, &longer),
    ] {
        assert_eq!(
            store.refusal(CREATED, |txn| txn.create_task(&new)),
            ("refused", "F-2.1")
        );
    }
}

#[test]
fn g01_assigned_by_us_a_hidden_task_is_looked_up_as_unknown() {
    let mut store = TestStore::new();
    store.line("main");
    let task = store.task("a");
    store.damage("workflow/task.bin", place(1), &[0b100]);
    assert!(record(&store, task).hidden, "whoever asks for the record gets it");
    assert_eq!(store.refusal(LATER, |txn| txn.complete_task(task)), ("not found", ""));
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_task(task, remote(1))),
        ("not found", "")
    );
    let new = NewChange {
        task,
        title: "a",
        base_line: "main",
    };
    assert_eq!(store.refusal(LATER, |txn| txn.create_change(&new)), ("not found", ""));
}

#[test]
fn a_task_that_does_not_exist_is_not_found() {
    let store = TestStore::new();
    let missing = at(0);
    assert_eq!(
        store.refusal(LATER, |txn| txn.complete_task(missing)),
        ("not found", "")
    );
    assert_eq!(store.refusal(LATER, |txn| txn.cancel_task(missing)), ("not found", ""));
    assert_eq!(
        store.refusal(LATER, |txn| txn.abandon_task(TaskIndex::MAX)),
        ("not found", "")
    );
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_task(missing, remote(1))),
        ("not found", "")
    );
    let view = store.store.view().unwrap();
    assert_eq!(
        super::support::kind(view.tasks().unwrap().get(missing)),
        graven::ErrorKind::NotFound
    );
}

#[test]
fn w_change_59_a_task_gets_its_owner_rows_at_its_own_index() {
    let store = TestStore::new();
    for _ in 0..3 {
        store.task("a");
    }
    for family in ["task_change_index", "task_land_index"] {
        let file = store.bytes(&format!("workflow/{family}.bin"));
        assert_eq!(file[4..], [0; 3 * 8], "{family}: a row of zeros each");
    }
}

#[test]
fn f_1_2_a_task_is_not_created_beside_owner_rows_of_another_count() {
    let mut store = TestStore::new();
    store.task("a");
    for family in ["task_change_index", "task_land_index"] {
        let path = store.file(&format!("workflow/{family}.bin"));
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], &[0; 8]].concat()).unwrap();
        store.reopen();
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_task(&NewTask::new("b", "c"))),
            ("corrupt", "F-1.2")
        );
        std::fs::write(&path, whole).unwrap();
        store.reopen();
    }
    store.task("b");
}

#[test]
fn w_task_33_a_damaged_payload_fails_closed_for_that_task_only() {
    let mut store = TestStore::new();
    let (first, second) = (store.task("a"), store.task("b"));
    // The title's length of the first becomes more than the payload has.
    store.damage("workflow/task_payload.bin", 4, &[0xff]);
    let answer = store.store.read(|view| view.tasks()?.get(first)?.text());
    assert_eq!(corrupt(answer), ("task_payload.bin".to_owned(), Some(0), "F-2.1"));
    assert_eq!(text(&store, second).title, "b");
}

#[test]
fn operations_of_one_transaction_see_each_other_and_a_refused_one_drops_only_itself() {
    let store = TestStore::new();
    let tasks = store.at(CREATED, |txn| {
        let first = txn.create_task(&NewTask::new("kept", "kept"))?;
        assert_eq!(refused(txn.create_task(&NewTask::new("dropped", " "))), "F-2.1");
        txn.complete_task(first)?;
        assert_eq!(refused(txn.cancel_task(first)), "W-TASK-18");
        let second = txn.create_task(&NewTask::new("second", "kept"))?;
        assert_eq!(txn.tasks()?.len(), 2);
        Ok([first, second])
    });
    let [first, second] = tasks.unwrap();
    assert_eq!(
        (record(&store, first).status, record(&store, second).status),
        (TaskStatus::Completed, TaskStatus::Active)
    );
    assert!(!store.holds_text("dropped"));
}
