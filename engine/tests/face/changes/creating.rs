//! Creating Changes: base Line, fork and title.

use graven::format::{ArchiveCause, Change, ChangeFlags, ChangeIndex, ChangeLifecycle, ChangeStatus, TaskIndex};
use graven::{Error, NewChange, NewSnapshot, UnixSeconds};

use super::{CREATED, LATER, at, begun, bytes, forked_from, new, ordinal, place, record, title};
use crate::support::{NOW, TestStore, corrupt, refused};

#[test]
fn w_change_47_a_change_is_a_draft_forked_from_the_head_that_its_line_has_now() {
    let (mut store, line, head, task) = begun();
    let change = store.at(LATER, |txn| txn.create_change(&new(task))).unwrap();
    store.reopen();
    let expected = Change {
        lifecycle: ChangeLifecycle::Draft,
        flags: ChangeFlags::NONE,
        ordinal: ordinal(0),
        task,
        previous: None,
        fork: Some(head),
        published: None,
        title: record(&store, change).title,
        base_line: line,
        created_at_s: UnixSeconds(LATER),
        updated_at_s: UnixSeconds(LATER),
    };
    assert_eq!(record(&store, change), expected);
    let owner = store
        .store
        .read(|view| Ok(view.changes()?.get(change)?.owner()?.index()));
    assert_eq!(owner.unwrap(), task);
    store.line("empty");
    let headless = NewChange {
        base_line: "empty",
        ..new(task)
    };
    let change = store.at(LATER, |txn| txn.create_change(&headless)).unwrap();
    assert_eq!(record(&store, change).fork, None, "a Line without a head gives none");
    assert_eq!(bytes(&store, change)[24..28], [0; 4]);
}

#[test]
fn w_change_31_the_fork_stays_when_the_line_moves_on_and_may_not_go() {
    let (store, line, head, task) = begun();
    let change = store.change(task, "a");
    let next = store.child("next", &[]);
    store
        .at(LATER, |txn| txn.move_head(line, Some(head), Some(next)))
        .unwrap();
    assert_eq!(record(&store, change).fork, Some(head));
    assert_eq!(
        store.refusal(LATER, |txn| txn.tombstone_snapshot(head)),
        ("refused", "W-CHANGE-31")
    );
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Plain))
        .unwrap();
    assert_eq!(
        store.refusal(LATER, |txn| txn.tombstone_snapshot(head)),
        ("refused", "W-CHANGE-31"),
        "archived Changes come back"
    );
}

#[test]
fn w_change_32_w_change_33_w_change_34_w_change_35_a_fork_may_be_authored_on_another_line() {
    let (store, main, head, task) = begun();
    let other = store.line("other");
    let root = store
        .store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .unwrap()
        .value
        .hash;
    let authored = NewSnapshot::new(root, NOW).message("authored on the other").line(other);
    let authored = store.at(CREATED, |txn| txn.create_snapshot(&authored)).unwrap().index;
    store
        .at(LATER, |txn| txn.move_head(main, Some(head), Some(authored)))
        .unwrap();
    let snapshots = store.bytes("workflow/snapshot.bin");
    let change = store.at(LATER, |txn| txn.create_change(&new(task))).unwrap();
    assert_eq!(
        (record(&store, change).fork, record(&store, change).base_line),
        (Some(authored), main),
        "W-CHANGE-34"
    );
    assert_eq!(
        store.bytes("workflow/snapshot.bin"),
        snapshots,
        "W-CHANGE-33: not one byte is rewritten"
    );
    let line = store
        .store
        .read(|view| Ok(view.snapshots()?.get(authored)?.line))
        .unwrap();
    assert_eq!(
        line,
        Some(other),
        "W-CHANGE-32: it says where it was authored, not whose head it is"
    );
    assert_eq!(forked_from(&store, change), "main", "W-CHANGE-35");
    assert!(
        store.is_clean(),
        "W-CHANGE-34, W-CHANGE-53: nor does verify compare them"
    );
    store.at(LATER, |txn| txn.rename_line(main, "trunk")).unwrap();
    assert_eq!(
        forked_from(&store, change),
        "trunk",
        "W-CHANGE-35: by the numeric identity"
    );
    store.at(LATER, |txn| txn.delete_line(main)).unwrap();
    assert_eq!(
        forked_from(&store, change),
        "trunk",
        "a deleted Line's record still has its name"
    );
}

#[test]
fn w_change_46_w_change_61_the_base_line_is_found_by_its_exact_name_less_the_white_space_around_it() {
    let (store, main, _, task) = begun();
    let longer = store.line("main-2");
    let inner = store.line("a  b");
    for (name, line) in [("main", main), (" main-2\t", longer), ("\na  b ", inner)] {
        let new = NewChange {
            base_line: name,
            ..new(task)
        };
        let change = store.at(LATER, |txn| txn.create_change(&new)).unwrap();
        assert_eq!(record(&store, change).base_line, line);
    }
    for name in ["mai", "main-", "MAIN", "main-22", "a b", "ma in"] {
        let new = NewChange {
            base_line: name,
            ..new(task)
        };
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_change(&new)),
            ("refused", "W-CHANGE-46"),
            "{name}"
        );
    }
    for name in ["", " \t", "n".repeat(65_536).as_str()] {
        let new = NewChange {
            base_line: name,
            ..new(task)
        };
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_change(&new)),
            ("refused", "W-CHANGE-61")
        );
    }
}

#[test]
fn w_change_29_a_change_has_the_line_it_was_created_on_and_never_none() {
    let (mut store, main, _, task) = begun();
    let gone = store.line("gone");
    let away = store.line("away");
    store.at(CREATED, |txn| txn.delete_line(gone)).unwrap();
    store.at(CREATED, |txn| txn.archive_line(away)).unwrap();
    let on = |base_line| NewChange { base_line, ..new(task) };
    assert_eq!(
        store.refusal(LATER, |txn| txn.create_change(&on("gone"))),
        ("refused", "W-CHANGE-46")
    );
    assert_eq!(
        store.refusal(LATER, |txn| txn.create_change(&on("away"))),
        ("refused", "W-LINE-03")
    );
    let change = store.change(task, "a");
    assert_eq!(bytes(&store, change)[56..60], main.plus1().to_le_bytes());
    store.damage("workflow/change.bin", place(56), &[0; 4]);
    let answer = store.store.read(|view| Ok(*view.changes()?.get(change)?.record()));
    assert_eq!(corrupt(answer), ("change.bin".to_owned(), Some(0), "W-CHANGE-29"));
    store.damage("workflow/change.bin", place(56), &99_u32.to_le_bytes());
    let answer = store.store.read(|view| view.changes()?.get(change)?.forked_from_line());
    assert_eq!(corrupt(answer), ("change.bin".to_owned(), Some(0), "W-CHANGE-29"));
}

#[test]
fn w_change_04_w_change_28_w_change_30_no_record_and_no_side_file_repeats_a_text() {
    let store = TestStore::new();
    let before: Vec<_> = store.files().into_keys().collect();
    store.line("the-base-line");
    let task = store.task("a task");
    let new = NewChange {
        base_line: "the-base-line",
        ..new(task)
    };
    let change = store.at(LATER, |txn| txn.create_change(&new)).unwrap();
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Canceled))
        .unwrap();
    store.at(LATER, |txn| txn.reopen_change(change)).unwrap();
    let holds = |file: &str, text: &str| {
        store
            .bytes(file)
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(
        holds("workflow/line_name_payload.bin", "the-base-line"),
        "the search finds what is there"
    );
    for file in ["workflow/change.bin", "workflow/change_payload.bin"] {
        assert!(!holds(file, "the-base-line") && !holds(file, "LNE-"), "W-CHANGE-30");
        assert!(!holds(file, "C-01") && !holds(file, "T-0001"), "W-CHANGE-04");
    }
    assert_eq!(
        store.files().into_keys().collect::<Vec<_>>(),
        before,
        "W-CHANGE-28: no side file is ever made"
    );
    assert_eq!(
        store.bytes("workflow/change_payload.bin")[4..],
        *b"a title",
        "W-CHANGE-60: the title and nothing else"
    );
}

#[test]
fn w_change_60_a_title_loses_the_white_space_around_it_and_is_neither_empty_nor_too_long() {
    let (store, _, _, task) = begun();
    let titled = |title| NewChange { title, ..new(task) };
    let change = store
        .at(LATER, |txn| txn.create_change(&titled(" two\nlines\t")))
        .unwrap();
    assert_eq!(title(&store, change), "two\nlines");
    let longest = "t".repeat(65_535);
    let change = store.at(LATER, |txn| txn.create_change(&titled(&longest))).unwrap();
    assert_eq!(title(&store, change), longest);
    let longer = format!("{longest}t");
    for title in ["", " \n", &longer] {
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_change(&titled(title))),
            ("refused", "F-2.2")
        );
    }
}

#[test]
fn a_change_that_does_not_exist_is_not_found() {
    let (store, _, _, _) = begun();
    for missing in [at(0), ChangeIndex::MAX] {
        let archive = store.refusal(LATER, |txn| txn.archive_change(missing, ArchiveCause::Plain));
        assert_eq!(archive, ("not found", ""));
        assert_eq!(
            store.refusal(LATER, |txn| txn.reopen_change(missing)),
            ("not found", "")
        );
        assert_eq!(
            store.refusal(LATER, |txn| txn.publish_change(missing, ordinal(0))),
            ("not found", "")
        );
    }
    let no_task = new(TaskIndex::new(5).unwrap());
    assert_eq!(
        store.refusal(LATER, |txn| txn.create_change(&no_task)),
        ("not found", "")
    );
}

#[test]
fn operations_of_one_transaction_see_each_other_and_a_refused_one_drops_only_itself() {
    let (store, _, head, task) = begun();
    let changes = store.at(LATER, |txn| -> Result<_, Error> {
        let first = txn.create_change(&new(task))?;
        assert_eq!(
            refused(txn.create_change(&NewChange {
                title: " ",
                ..new(task)
            })),
            "F-2.2"
        );
        let nowhere = NewChange {
            title: "dropped",
            base_line: "nowhere",
            ..new(task)
        };
        assert_eq!(refused(txn.create_change(&nowhere)), "W-CHANGE-46");
        txn.archive_change(first, ArchiveCause::Canceled)?;
        let second = txn.create_change(&new(task))?;
        assert_eq!(txn.changes()?.of_task(task)?.len(), 2);
        txn.reopen_change(first)?;
        Ok([first, second])
    });
    let [first, second] = changes.unwrap();
    assert_eq!(
        (record(&store, first).ordinal, record(&store, second).ordinal),
        (ordinal(0), ordinal(1))
    );
    assert_eq!(
        (record(&store, first).status(), record(&store, second).fork),
        (ChangeStatus::Draft, Some(head))
    );
    assert!(!store.holds_text("dropped"));
}
