//! Lines: every operation, and every rule broken once.

use graven::format::{LineIndex, LineState};
use graven::{Error, ErrorKind, NewSnapshot, UnixSeconds};

use super::support::{NOW, TestStore, corrupt, kind, refused};

const LATER: UnixSeconds = UnixSeconds(1_700_000_100);

/// One operation on Lines in a transaction of its own, at `LATER`.
fn write<T>(
    store: &TestStore,
    f: impl FnOnce(&mut graven::Txn<'_, graven::Workflow>) -> Result<T, Error>,
) -> Result<T, Error> {
    store.store.write(LATER, f).map(|receipt| receipt.value)
}

fn record(store: &TestStore, line: LineIndex) -> graven::format::Line {
    store.store.read(|view| Ok(*view.lines()?.get(line)?.record())).unwrap()
}

fn name(store: &TestStore, line: LineIndex) -> String {
    store.store.read(|view| view.lines()?.get(line)?.name()).unwrap()
}

fn found(store: &TestStore, name: &str) -> Option<LineIndex> {
    store
        .store
        .read(|view| Ok(view.lines()?.by_name(name)?.map(|line| line.index())))
        .unwrap()
}

#[test]
fn w_change_61_a_new_name_loses_its_ascii_white_space_and_keeps_every_other_byte() {
    let store = TestStore::new();
    let line = store.line(" \t Fix \u{e9}\u{a0}\n");
    assert_eq!(name(&store, line), "Fix \u{e9}\u{a0}");
    assert_eq!(found(&store, "Fix \u{e9}\u{a0}"), Some(line));
    assert_eq!(
        found(&store, "fix \u{e9}\u{a0}"),
        None,
        "names are compared by their exact bytes"
    );
}

#[test]
fn w_change_61_a_name_of_nothing_is_refused() {
    let store = TestStore::new();
    for name in ["", " ", "\t\r\n\x0c "] {
        assert_eq!(refused(write(&store, |txn| txn.create_line(name, None))), "W-CHANGE-61");
    }
    let line = store.line("main");
    assert_eq!(refused(write(&store, |txn| txn.rename_line(line, " "))), "W-CHANGE-61");
}

#[test]
fn w_line_02_f_2_4_a_new_line_is_live_with_both_times_and_no_archive_time() {
    let store = TestStore::new();
    let head = store.snapshot("a");
    let line = write(&store, |txn| txn.create_line("main", Some(head))).unwrap();
    let record = record(&store, line);
    assert_eq!(record.state, LineState::Live);
    assert_eq!(record.head, Some(head));
    assert_eq!((record.created_at_s, record.updated_at_s), (LATER, LATER));
}

#[test]
fn f_2_4_names_are_unique_among_lines_that_are_not_deleted() {
    let store = TestStore::new();
    let main = store.line("main");
    assert_eq!(refused(write(&store, |txn| txn.create_line(" main ", None))), "F-2.4");
    write(&store, |txn| txn.archive_line(main)).unwrap();
    assert_eq!(
        refused(write(&store, |txn| txn.create_line("main", None))),
        "F-2.4",
        "an archived Line keeps its name"
    );
    let other = store.line("other");
    assert_eq!(refused(write(&store, |txn| txn.rename_line(other, "main"))), "F-2.4");
}

#[test]
fn w_line_03_a_deleted_lines_name_may_be_used_again() {
    let store = TestStore::new();
    let first = store.line("main");
    write(&store, |txn| txn.delete_line(first)).unwrap();
    let second = store.line("main");
    assert_ne!(first, second);
    assert_eq!(found(&store, "main"), Some(second));
    assert_eq!(name(&store, first), "main", "the deleted record keeps its name");
}

#[test]
fn f_2_4_a_rename_appends_the_new_name_and_overwrites_the_record() {
    let store = TestStore::new();
    let line = store.line("main");
    let before = store.bytes("workflow/line_name_payload.bin");
    write(&store, |txn| txn.rename_line(line, "trunk")).unwrap();
    let after = store.bytes("workflow/line_name_payload.bin");
    assert_eq!(after, [&before[..], b"trunk"].concat());
    assert_eq!(record(&store, line).updated_at_s, LATER);
    assert_eq!(record(&store, line).created_at_s, NOW);
    assert_eq!((found(&store, "main"), found(&store, "trunk")), (None, Some(line)));
    assert_eq!(store.bytes("workflow/line.bin").len(), 44, "no record is added");
}

#[test]
fn f_2_4_a_rename_to_its_own_name_changes_nothing_and_to_a_given_up_one_is_allowed() {
    let store = TestStore::new();
    let line = store.line("main");
    let receipt = store.store.write(LATER, |txn| txn.rename_line(line, " main")).unwrap();
    assert_eq!((receipt.sequence, receipt.files), (0, 0));
    write(&store, |txn| txn.rename_line(line, "trunk")).unwrap();
    let second = store.line("main");
    assert_eq!(
        found(&store, "main"),
        Some(second),
        "the stale candidate of the first Line is not believed"
    );
}

#[test]
fn f_2_4_a_head_moves_only_from_the_expected_one() {
    let store = TestStore::new();
    let (a, b) = (store.snapshot("a"), store.snapshot("b"));
    let line = store.line("main");
    write(&store, |txn| txn.move_head(line, None, Some(a))).unwrap();
    let stale = write(&store, |txn| txn.move_head(line, None, Some(b)));
    assert_eq!(kind(stale), ErrorKind::Conflict);
    assert_eq!(record(&store, line).head, Some(a), "the loser changed nothing");
    write(&store, |txn| txn.move_head(line, Some(a), Some(b))).unwrap();
    write(&store, |txn| txn.move_head(line, Some(b), None)).unwrap();
    assert_eq!(record(&store, line).head, None);
}

#[test]
fn w_line_03_a_head_is_a_live_snapshot_of_kind_line() {
    let store = TestStore::new();
    let line = store.line("main");
    let root = store
        .store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .unwrap()
        .value
        .hash;
    let new = NewSnapshot::new(root, NOW).kind(graven::format::SnapshotKind::Stash);
    let stash = store
        .store
        .write(NOW, |txn| txn.create_snapshot(&new))
        .unwrap()
        .value
        .index;
    let gone = store.snapshot("gone");
    write(&store, |txn| txn.tombstone_snapshot(gone)).unwrap();
    for head in [stash, gone] {
        assert_eq!(
            refused(write(&store, |txn| txn.move_head(line, None, Some(head)))),
            "W-LINE-03"
        );
        assert_eq!(
            refused(write(&store, |txn| txn.create_line("other", Some(head)))),
            "W-LINE-03"
        );
    }
    let missing = graven::format::SnapshotIndex::new(99).unwrap();
    assert_eq!(
        kind(write(&store, |txn| txn.move_head(line, None, Some(missing)))),
        ErrorKind::NotFound
    );
}

#[test]
fn w_line_03_an_archived_line_may_only_be_restored_or_deleted() {
    let store = TestStore::new();
    let head = store.snapshot("a");
    let line = store.line("main");
    write(&store, |txn| txn.archive_line(line)).unwrap();
    assert_eq!(record(&store, line).state, LineState::Archived { at: LATER });
    assert_eq!(refused(write(&store, |txn| txn.archive_line(line))), "W-LINE-03");
    assert_eq!(refused(write(&store, |txn| txn.rename_line(line, "x"))), "W-LINE-03");
    assert_eq!(
        refused(write(&store, |txn| txn.move_head(line, None, Some(head)))),
        "W-LINE-03"
    );
    write(&store, |txn| txn.restore_line(line)).unwrap();
    assert_eq!(record(&store, line).state, LineState::Live);
    assert_eq!(refused(write(&store, |txn| txn.restore_line(line))), "W-LINE-03");
}

#[test]
fn w_line_03_deleting_sets_both_bits_keeps_the_record_and_never_comes_back() {
    let store = TestStore::new();
    let (live, archived) = (store.line("live"), store.line("archived"));
    store
        .store
        .write(UnixSeconds(7), |txn| txn.archive_line(archived))
        .unwrap();
    write(&store, |txn| {
        txn.delete_line(live)?;
        txn.delete_line(archived)
    })
    .unwrap();
    assert_eq!(record(&store, live).state, LineState::Deleted { at: LATER });
    assert_eq!(
        record(&store, archived).state,
        LineState::Deleted { at: UnixSeconds(7) },
        "it keeps its archive time"
    );
    let bytes = store.bytes("workflow/line.bin");
    assert_eq!((bytes[4], bytes[44], bytes.len()), (0b11, 0b11, 84));
    for operation in [
        write(&store, |txn| txn.delete_line(live)),
        write(&store, |txn| txn.restore_line(live)),
        write(&store, |txn| txn.archive_line(live)),
        write(&store, |txn| txn.rename_line(live, "x")),
    ] {
        assert_eq!(kind(operation), ErrorKind::NotFound);
    }
}

#[test]
fn f_1_a_time_of_zero_is_refused_and_times_may_go_backwards() {
    let store = TestStore::new();
    assert_eq!(
        refused(store.store.write(UnixSeconds(0), |txn| txn.create_line("main", None))),
        "F-1"
    );
    let line = store.line("main");
    store
        .store
        .write(UnixSeconds(1), |txn| txn.rename_line(line, "old"))
        .unwrap();
    assert_eq!(
        record(&store, line).updated_at_s,
        UnixSeconds(1),
        "imported times go backwards, and no rule compares"
    );
}

#[test]
fn f_2_4_a_name_that_two_records_have_is_corrupt_and_says_which() {
    let mut store = TestStore::new();
    store.line("main");
    store.line("maim");
    store.damage("workflow/line_name_payload.bin", 4 + 7, b"n");
    let answer = store
        .store
        .read(|view| Ok(view.lines()?.by_name("main")?.map(|line| line.index())));
    assert_eq!(corrupt(answer), ("line.bin".to_owned(), Some(1), "F-2.4"));
}

#[test]
fn f_2_4_a_name_of_other_than_utf_8_or_past_its_file_is_corrupt_for_that_line_only() {
    let mut store = TestStore::new();
    let (first, second) = (store.line("main"), store.line("side"));
    store.damage("workflow/line_name_payload.bin", 4, b"\xff");
    let answer = store.store.read(|view| view.lines()?.get(first)?.name());
    assert_eq!(corrupt(answer).1, Some(0));
    assert_eq!(name(&store, second), "side");
    assert_eq!(
        found(&store, "side"),
        Some(second),
        "what was found is not hidden by the damage"
    );
}

#[test]
fn w_line_01_a_record_that_breaks_a_rule_is_an_error_for_its_index_and_no_other() {
    let mut store = TestStore::new();
    store.line("a");
    store.line("b");
    store.line("c");
    store.damage("workflow/line.bin", 4 + 40 + 1, &[1]);
    let rows: Vec<_> = store
        .store
        .read(|view| {
            Ok(view
                .lines()?
                .map(|row| row.map(|(index, _)| index.get()).map_err(|error| error.index))
                .collect())
        })
        .unwrap();
    assert_eq!(rows, [Ok(0), Err(1), Ok(2)]);
    let answer = store.store.write(LATER, |txn| txn.create_line("b", None));
    assert!(
        answer.unwrap_err().is_corrupt(),
        "whether the damaged record has that name cannot be told"
    );
}

#[test]
fn f_2_4_the_index_file_finds_lines_and_a_damaged_one_is_only_slower() {
    let mut store = TestStore::new();
    let line = store.line("main");
    graven::repair(store.path(), &super::support::options(), false, |_| {
        graven::Flow::Continue
    })
    .unwrap();
    assert_eq!(store.bytes("workflow/line_name.idx").len(), 4 + 12);
    store.reopen();
    assert_eq!(found(&store, "main"), Some(line));
    store.damage("workflow/line_name.idx", 4, &[0xAA; 8]);
    assert_eq!(found(&store, "main"), Some(line));
    std::fs::remove_file(store.file("workflow/line_name.idx")).unwrap();
    store.reopen();
    assert_eq!(found(&store, "main"), Some(line));
}
