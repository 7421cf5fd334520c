//! The Lands of a Change and of a Task: ordinals, owner rows and chains.

use graven::ErrorKind;
use graven::format::{
    ChangeIndex, ChangeRef, LandIndex, LandOrdinal, LandRef, Namespace, TaskId, TaskIndex, TaskScope,
};

use super::{Begun, LATER, SIZE, at, begun};
use crate::support::{corrupt, kind, onto_main};

fn of_change(begun: &Begun, change: ChangeIndex) -> Vec<LandIndex> {
    let view = begun.store.store.view().unwrap();
    let lands = view.lands().unwrap().of_change(change).unwrap();
    lands.iter().map(graven::Land::index).collect()
}

fn of_task(begun: &Begun, task: TaskIndex) -> Vec<LandIndex> {
    let view = begun.store.store.view().unwrap();
    let lands = view.lands().unwrap().of_task(task).unwrap();
    lands.iter().map(graven::Land::index).collect()
}

#[test]
fn w_land_08_w_land_12_w_land_13_w_land_14_two_changes_of_a_task_have_ordinals_and_chains_of_their_own() {
    let begun = begun();
    let Begun {
        store,
        task,
        change: first,
        ..
    } = &begun;
    let second = store.change(*task, "another");
    let other_task = store.task("other");
    let third = store.change(other_task, "of another Task");
    let order = [*first, second, third, second, *first, *first];
    let lands = order.map(|change| begun.queued(change));
    assert_eq!(lands, [0, 1, 2, 3, 4, 5].map(at));
    let ordinals = lands.map(|land| begun.record(land).ordinal.get());
    assert_eq!(
        ordinals,
        [0, 0, 0, 1, 1, 2],
        "W-LAND-12: the Change's row alone gives them; W-LAND-08: equal ones are legal"
    );
    assert_eq!(of_change(&begun, *first), [0, 4, 5].map(at));
    assert_eq!(of_change(&begun, second), [1, 3].map(at));
    assert_eq!(
        of_task(&begun, *task),
        [0, 1, 3, 4, 5].map(at),
        "W-LAND-14: the order of the file"
    );
    assert_eq!(of_task(&begun, other_task), [2].map(at));
    let links = lands.map(|land| {
        let land = begun.record(land);
        let index = |link: Option<LandIndex>| link.map(LandIndex::get);
        (index(land.previous_of_change), index(land.previous_of_task))
    });
    let expected = [
        (None, None),
        (None, Some(0)),
        (None, None),
        (Some(1), Some(1)),
        (Some(0), Some(3)),
        (Some(4), Some(4)),
    ];
    assert_eq!(links, expected, "W-LAND-13, W-LAND-14");
    // Newest, count and next ordinal of each Change; newest and count of each Task.
    let rows = store.bytes("workflow/change_land_index.bin");
    assert_eq!(
        rows[4..],
        [6, 0, 0, 0, 3, 0, 3, 0, 4, 0, 0, 0, 2, 0, 2, 0, 3, 0, 0, 0, 1, 0, 1, 0]
    );
    let rows = store.bytes("workflow/task_land_index.bin");
    assert_eq!(rows[4..], [6, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0]);
    assert!(store.is_clean());
}

#[test]
fn w_land_09_the_first_and_the_last_land_of_a_change_are_l_01_and_l_64_and_there_is_no_l_65() {
    let begun = begun();
    let Begun {
        store, change, task, ..
    } = &begun;
    let lands = store.at(LATER, |txn| {
        let mut lands = Vec::new();
        for _ in 0..64 {
            let land = txn.submit_land(&onto_main(*change))?;
            txn.cancel_land(land)?;
            lands.push(land);
        }
        Ok(lands)
    });
    let lands = lands.unwrap();
    let name = |land: LandIndex| {
        let task = TaskId {
            scope: TaskScope::Local,
            namespace: Namespace::EMPTY,
            index: *task,
        };
        let change = ChangeRef {
            task,
            change: begun.change_record(*change).ordinal,
        };
        let land = begun.record(land).ordinal;
        LandRef { change, land }.to_string()
    };
    assert_eq!(name(lands[0]), "LT-0001/C-01/L-01");
    assert_eq!(name(lands[63]), "LT-0001/C-01/L-64");
    // W-LAND-44: an ordinal is never given twice, whatever became of its Land.
    assert_eq!(
        store.refusal(LATER, |txn| txn.submit_land(&onto_main(*change))),
        ("exhausted", "")
    );
    let land = store.refusal(LATER, |txn| txn.land(&onto_main(*change), Some(begun.head), begun.head));
    assert_eq!(land, ("exhausted", ""));
    let view = store.store.view().unwrap();
    let rows = view.lands().unwrap();
    let found = rows
        .by_ordinal(*change, LandOrdinal::MAX)
        .unwrap()
        .map(|land| land.index());
    assert_eq!(found, Some(lands[63]));
    assert_eq!(rows.of_change(*change).unwrap().len(), 64);
    drop(view);
    let other = store.change(*task, "another");
    assert_eq!(begun.record(begun.queued(other)).ordinal, LandOrdinal::MIN);
    assert!(store.is_clean());
}

#[test]
fn w_land_08_w_land_12_a_row_that_would_give_an_ordinal_twice_gives_none() {
    let mut begun = begun();
    let other = begun.store.change(begun.task, "another");
    let lands = [begun.queued(begun.change), begun.queued(begun.change)];
    begun.queued(other);
    let sound = begun.store.bytes("workflow/change_land_index.bin")[4..12].to_vec();
    let rows: [[u8; 8]; 6] = [
        [2, 0, 0, 0, 2, 0, 1, 0],  // the next ordinal is that of the latest
        [2, 0, 0, 0, 2, 0, 3, 0],  // it leaves one out
        [0, 0, 0, 0, 0, 0, 2, 0],  // none, and still a next one
        [0, 0, 0, 0, 2, 0, 0, 0],  // none, and still two
        [3, 0, 0, 0, 2, 0, 1, 0],  // another Change's
        [99, 0, 0, 0, 2, 0, 2, 0], // nobody's
    ];
    for row in rows {
        begun.store.damage("workflow/change_land_index.bin", 4, &row);
        let submit = begun
            .store
            .refusal(LATER, |txn| txn.submit_land(&onto_main(begun.change)));
        assert_eq!(submit, ("corrupt", "F-1.2"), "{row:?}");
        begun.store.damage("workflow/change_land_index.bin", 4, &sound);
    }
    let next = begun.queued(begun.change);
    assert_eq!(
        (begun.record(next).ordinal.get(), begun.record(next).previous_of_change),
        (2, Some(lands[1]))
    );
}

#[test]
fn w_land_14_a_tasks_row_that_names_no_land_of_it_is_not_built_upon() {
    let mut begun = begun();
    begun.queued(begun.change);
    let other_task = begun.store.task("other");
    let other = begun.store.change(other_task, "another");
    begun.queued(other);
    // The Land that comes next would be its own predecessor; the second is another Task's.
    for latest in [3, 2] {
        begun.store.damage("workflow/task_land_index.bin", 4, &[latest]);
        let submit = begun
            .store
            .refusal(LATER, |txn| txn.submit_land(&onto_main(begun.change)));
        assert_eq!(submit, ("corrupt", "W-LAND-14"));
    }
    begun.store.damage("workflow/task_land_index.bin", 4, &[1]);
    begun.queued(begun.change);
    assert!(begun.store.is_clean());
}

#[test]
fn w_land_08_w_land_13_w_land_14_chains_that_lead_astray_are_told() {
    let mut begun = begun();
    let other = begun.store.change(begun.task, "another");
    let elsewhere = begun.store.task("other");
    let far = begun.store.change(elsewhere, "of another Task");
    for change in [begun.change, begun.change, other, far] {
        begun.queued(change);
    }
    let (change, task) = (begun.change, begun.task);
    let by_change = |begun: &Begun| {
        corrupt(
            begun
                .store
                .store
                .read(|view| Ok(view.lands()?.of_change(change)?.len())),
        )
    };
    let by_task = |begun: &Begun| corrupt(begun.store.store.read(|view| Ok(view.lands()?.of_task(task)?.len())));
    let link = |land: usize, offset: usize| (4 + SIZE * land + offset) as u64;
    let damage = |begun: &mut Begun, place: u64, plus1: u32| {
        begun.store.damage("workflow/land.bin", place, &plus1.to_le_bytes());
    };
    let file = "land.bin".to_owned();
    // The Change's chain, from Land 1.
    damage(&mut begun, link(1, 12), 3);
    assert_eq!(
        by_change(&begun),
        (file.clone(), Some(2), "W-LAND-08"),
        "another Change's"
    );
    damage(&mut begun, link(1, 12), 2);
    assert_eq!(
        by_change(&begun),
        (file.clone(), Some(1), "W-LAND-13"),
        "its own predecessor"
    );
    damage(&mut begun, link(1, 12), 99);
    assert_eq!(by_change(&begun), (file.clone(), Some(1), "F-1.2"), "nobody's");
    damage(&mut begun, link(1, 12), 1);
    // The Task's chain, from Land 2.
    damage(&mut begun, link(2, 8), 3);
    assert_eq!(
        by_task(&begun),
        (file.clone(), Some(2), "W-LAND-14"),
        "its own predecessor"
    );
    damage(&mut begun, link(2, 8), 4);
    assert_eq!(by_task(&begun), (file.clone(), Some(3), "W-LAND-14"), "a later one");
    damage(&mut begun, link(2, 8), 2);
    begun.store.damage("workflow/task_land_index.bin", 4, &[4]);
    assert_eq!(by_task(&begun), (file.clone(), Some(3), "W-LAND-14"), "another Task's");
    begun.store.damage("workflow/task_land_index.bin", 4, &[99]);
    assert_eq!(
        by_task(&begun),
        ("task_land_index.bin".to_owned(), Some(0), "W-LAND-14")
    );
    // Its owner.
    damage(&mut begun, link(0, 4), 99);
    let owner = begun
        .store
        .store
        .read(|view| view.lands()?.get(at(0))?.owner().map(drop));
    assert_eq!(corrupt(owner), (file, Some(0), "W-LAND-08"));
}

#[test]
fn the_lands_of_what_does_not_exist_are_not_found() {
    let begun = begun();
    let view = begun.store.store.view().unwrap();
    let lands = view.lands().unwrap();
    assert_eq!(kind(lands.of_change(ChangeIndex::MAX)), ErrorKind::NotFound);
    assert_eq!(kind(lands.winning(ChangeIndex::MAX)), ErrorKind::NotFound);
    assert_eq!(kind(lands.of_task(TaskIndex::MAX)), ErrorKind::NotFound);
    assert_eq!(kind(lands.get(at(0))), ErrorKind::NotFound);
    assert!(lands.of_change(begun.change).unwrap().is_empty());
}
