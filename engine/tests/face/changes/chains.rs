//! The Changes of a Task: ordinals, owner rows and chains.

use graven::ErrorKind;
use graven::format::{ArchiveCause, ChangeOrdinal, TaskIndex};

use super::{CREATED, LATER, SIZE, begun, new, ordinal, place, record};
use crate::support::{TestStore, corrupt, kind};

#[test]
fn w_change_05_w_change_58_ordinals_count_up_in_each_task_by_itself() {
    let (store, _, _, first) = begun();
    let second = store.task("another");
    let changes = [
        store.change(first, "f0"),
        store.change(second, "s0"),
        store.change(first, "f1"),
    ];
    let found = changes.map(|change| (record(&store, change).task, record(&store, change).ordinal));
    assert_eq!(found, [(first, ordinal(0)), (second, ordinal(0)), (first, ordinal(1))]);
    assert_eq!(
        record(&store, changes[2]).previous,
        Some(changes[0]),
        "the chain is the Task's own"
    );
    let view = store.store.view().unwrap();
    let rows = view.changes().unwrap();
    let of = |task| {
        rows.of_task(task)
            .unwrap()
            .iter()
            .map(graven::Change::index)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (of(first), of(second)),
        (vec![changes[0], changes[2]], vec![changes[1]])
    );
    let by_ordinal = |task, place| {
        rows.by_ordinal(task, ordinal(place))
            .unwrap()
            .map(|change| change.index())
    };
    assert_eq!(by_ordinal(first, 1), Some(changes[2]));
    assert_eq!((by_ordinal(second, 0), by_ordinal(second, 1)), (Some(changes[1]), None));
    assert_eq!(kind(rows.of_task(TaskIndex::new(2).unwrap())), ErrorKind::NotFound);
    // W-CHANGE-59: row n belongs to Task n: newest, count, next ordinal.
    assert_eq!(
        store.bytes("workflow/task_change_index.bin")[4..],
        [3, 0, 0, 0, 2, 0, 2, 0, 2, 0, 0, 0, 1, 0, 1, 0]
    );
    assert_eq!(store.bytes("workflow/change_land_index.bin").len(), 4 + 3 * 8);
}

#[test]
fn w_change_58_f_1_the_64th_change_of_a_task_is_the_last() {
    let (store, _, _, task) = begun();
    let last = store.at(CREATED, |txn| {
        let mut last = txn.create_change(&new(task))?;
        for _ in 1..64 {
            last = txn.create_change(&new(task))?;
        }
        Ok(last)
    });
    let last = last.unwrap();
    assert_eq!(record(&store, last).ordinal, ChangeOrdinal::MAX);
    assert_eq!(
        store.refusal(LATER, |txn| txn.create_change(&new(task))),
        ("exhausted", "")
    );
    store
        .at(LATER, |txn| txn.archive_change(last, ArchiveCause::Plain))
        .unwrap();
    assert_eq!(
        store.refusal(LATER, |txn| txn.create_change(&new(task))),
        ("exhausted", ""),
        "an ordinal is never given twice"
    );
    let view = store.store.view().unwrap();
    assert_eq!(view.changes().unwrap().of_task(task).unwrap().len(), 64);
    drop(view);
    let other = store.task("another");
    assert_eq!(record(&store, store.change(other, "a")).ordinal, ordinal(0));
}

#[test]
fn w_change_05_a_row_that_would_give_an_ordinal_twice_gives_none() {
    let (mut store, _, _, task) = begun();
    let (other, changes) = (
        store.task("another"),
        [store.change(task, "a"), store.change(task, "b")],
    );
    store.change(other, "c");
    let sound = store.bytes("workflow/task_change_index.bin")[4..12].to_vec();
    let rows: [[u8; 8]; 6] = [
        [2, 0, 0, 0, 2, 0, 1, 0],  // the next ordinal is that of the latest
        [2, 0, 0, 0, 2, 0, 3, 0],  // it leaves one out
        [0, 0, 0, 0, 0, 0, 2, 0],  // none, and still a next one
        [0, 0, 0, 0, 2, 0, 0, 0],  // none, and still two
        [3, 0, 0, 0, 2, 0, 1, 0],  // another Task's
        [99, 0, 0, 0, 2, 0, 2, 0], // nobody's
    ];
    for row in rows {
        store.damage("workflow/task_change_index.bin", 4, &row);
        assert_eq!(
            store.refusal(LATER, |txn| txn.create_change(&new(task))),
            ("corrupt", "F-1.2"),
            "{row:?}"
        );
        store.damage("workflow/task_change_index.bin", 4, &sound);
    }
    let next = store.change(task, "d");
    assert_eq!(
        (record(&store, next).ordinal, record(&store, next).previous),
        (ordinal(2), Some(changes[1]))
    );
}

#[test]
fn w_change_05_f_1_2_a_chain_that_leads_astray_is_told() {
    let (mut store, _, _, task) = begun();
    let other = store.task("another");
    let changes = [store.change(task, "a"), store.change(task, "b")];
    store.change(other, "c");
    let walk = |store: &TestStore| corrupt(store.store.read(|view| Ok(view.changes()?.of_task(task)?.len())));
    let previous = place(SIZE + 20);
    store.damage("workflow/change.bin", previous, &3_u32.to_le_bytes());
    assert_eq!(walk(&store), ("change.bin".to_owned(), Some(2), "W-CHANGE-05"));
    store.damage("workflow/change.bin", previous, &2_u32.to_le_bytes());
    assert_eq!(
        walk(&store),
        ("change.bin".to_owned(), Some(1), "F-1.2"),
        "a Change that is before itself"
    );
    store.damage("workflow/change.bin", previous, &99_u32.to_le_bytes());
    assert_eq!(walk(&store), ("change.bin".to_owned(), Some(1), "F-1.2"));
    store.damage("workflow/change.bin", previous, &changes[0].plus1().to_le_bytes());
    store.damage("workflow/task_change_index.bin", 4, &[99]);
    assert_eq!(walk(&store), ("task_change_index.bin".to_owned(), Some(0), "F-1.2"));
    store.damage("workflow/change.bin", place(16), &99_u32.to_le_bytes());
    let owner = store
        .store
        .read(|view| view.changes()?.get(changes[0])?.owner().map(drop));
    assert_eq!(corrupt(owner), ("change.bin".to_owned(), Some(0), "W-CHANGE-05"));
}
