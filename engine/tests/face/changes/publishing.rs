//! Publishing Changes: who may be published as what.

use graven::UnixSeconds;
use graven::format::{ChangeIndex, ChangeOrdinal, PublishedChange};

use super::{LATER, begun, bytes, ordinal, place, record, remote};

#[test]
fn w_change_06_w_change_07_w_change_08_w_change_27_the_remote_identity_is_the_tasks_and_the_remote_ordinal() {
    let (mut store, _, _, first) = begun();
    let second = store.task("another");
    let changes = [store.change(first, "a"), store.change(second, "b")];
    for (task, index) in [(first, 7), (second, 9)] {
        store.at(LATER, |txn| txn.publish_task(task, remote(index))).unwrap();
    }
    for change in changes {
        store.at(LATER, |txn| txn.publish_change(change, ordinal(2))).unwrap();
    }
    store.reopen();
    let pair = |change: ChangeIndex| {
        store.store.read(|view| {
            let change = view.changes()?.get(change)?;
            let task = change.owner()?.published.map(|published| published.task);
            Ok((task, change.published.map(|published| published.ordinal)))
        })
    };
    assert_eq!(
        pair(changes[0]).unwrap(),
        (Some(remote(7)), Some(ordinal(2))),
        "W-CHANGE-06"
    );
    assert_eq!(
        pair(changes[1]).unwrap(),
        (Some(remote(9)), Some(ordinal(2))),
        "W-CHANGE-07: equal ordinals, two Changes"
    );
    let stored = bytes(&store, changes[0]);
    // W-CHANGE-27: the remote's ordinal, which differs from the local one. W-CHANGE-20: 0 would mean not published.
    assert_eq!((stored[1], stored[4], stored[28]), (1, 0, 3));
    assert_eq!(stored[48..56], LATER.to_le_bytes());
    let expected = PublishedChange {
        ordinal: ordinal(2),
        at: UnixSeconds(LATER),
    };
    assert_eq!(record(&store, changes[0]).published, Some(expected));
    // W-CHANGE-08: everything else is as it was but for the time; no field holds an index of the remote's file.
    assert_eq!((&stored[29..32], &stored[12..16]), (&[0; 3][..], &[0; 4][..]));
}

#[test]
fn w_change_26_w_change_27_w_change_06_who_may_be_published_as_what() {
    let (store, _, _, task) = begun();
    let changes = [store.change(task, "a"), store.change(task, "b")];
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_change(changes[0], ordinal(0))),
        ("refused", "W-CHANGE-26")
    );
    store.at(LATER, |txn| txn.publish_task(task, remote(7))).unwrap();
    store
        .at(LATER, |txn| txn.publish_change(changes[0], ChangeOrdinal::MAX))
        .unwrap();
    assert_eq!(bytes(&store, changes[0])[28], 64, "W-CHANGE-21: C-64 is 64");
    let receipt = store.store.write(UnixSeconds(LATER + 1), |txn| {
        txn.publish_change(changes[0], ChangeOrdinal::MAX)
    });
    assert_eq!(receipt.unwrap().files, 0, "said again, nothing is written");
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_change(changes[0], ordinal(0))),
        ("conflict", "W-CHANGE-27")
    );
    assert_eq!(
        store.refusal(LATER, |txn| txn.publish_change(changes[1], ChangeOrdinal::MAX)),
        ("conflict", "W-CHANGE-06"),
        "another Change of the Task has it"
    );
    store
        .at(LATER, |txn| txn.publish_change(changes[1], ordinal(0)))
        .unwrap();
}

#[test]
fn w_change_26_a_published_change_of_an_unpublished_task_is_told_by_verify() {
    let (mut store, _, _, task) = begun();
    let change = store.change(task, "a");
    store.damage("workflow/change.bin", place(1), &[1]);
    store.damage("workflow/change.bin", place(28), &[1]);
    store.damage("workflow/change.bin", place(48), &[1]);
    assert!(record(&store, change).published.is_some());
    assert!(store.found_rules().contains(&"W-CHANGE-26"));
}
