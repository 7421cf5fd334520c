//! Creating and reading Tasks: identity, text, owner rows.

use graven::format::{Namespace, RemoteTaskIndex, TaskId, TaskIndex, TaskScope, TaskStatus};
use graven::{NewChange, NewTask};

use super::{CREATED, LATER, Operation, SIZE, at, bytes, place, record, remote, text};
use crate::support::{TestStore, corrupt, refused};

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
        crate::support::kind(view.tasks().unwrap().get(missing)),
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
