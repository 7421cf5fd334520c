//! Group commits: members that queue share a transaction, and each is told its own outcome.

use std::sync::{Arc, Barrier};

use graven::{ErrorKind, Outcome, UnixSeconds};

use super::support::{NOW, TestStore, kind, refused};

#[test]
fn every_member_is_committed_once_and_fewer_transactions_than_members_are_needed() {
    let store = TestStore::new();
    let barrier = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..8)
        .map(|thread| {
            let (store, barrier) = (store.store.clone(), Arc::clone(&barrier));
            std::thread::spawn(move || {
                barrier.wait();
                for number in 0..20 {
                    let name = format!("{thread} {number}");
                    let receipt = store.group(NOW, move |txn| txn.create_line(&name, None)).unwrap();
                    let line = store.read(|view| view.lines()?.get(receipt.value)?.name()).unwrap();
                    assert_eq!(line, format!("{thread} {number}"), "each is told its own index");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(store.store.read(|view| Ok(view.lines()?.len())).unwrap(), 160);
    let stats = store.store.stats().workflow;
    assert_eq!(stats.group_members, 160);
    assert!(stats.commits < 160 && stats.largest_group > 1, "{stats:?}");
}

#[test]
fn a_refused_member_and_one_that_panics_leave_nothing_behind() {
    let store = TestStore::new();
    let refusal = store.store.group(NOW, |txn| {
        txn.create_line("dropped", None)?;
        txn.create_line("", None)
    });
    assert_eq!(refused(refusal), "W-CHANGE-61");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let panicked = store.store.group(NOW, |txn| -> graven::Result<()> {
        txn.create_line("dropped", None)?;
        panic!("a member's own mistake");
    });
    std::panic::set_hook(hook);
    let error = panicked.unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (&ErrorKind::Usage, Outcome::NotHappened)
    );
    store.store.group(NOW, |txn| txn.create_line("kept", None)).unwrap();
    let names: Vec<_> = store
        .store
        .read(|view| view.lines()?.map(|row| row?.1.name()).collect())
        .unwrap();
    assert_eq!(names, ["kept"]);
}

#[test]
fn each_member_writes_its_own_time() {
    let store = TestStore::new();
    let line = store
        .store
        .group(UnixSeconds(5), |txn| txn.create_line("a", None))
        .unwrap()
        .value;
    let time = store
        .store
        .read(|view| Ok(view.lines()?.get(line)?.created_at_s))
        .unwrap();
    assert_eq!(time, UnixSeconds(5));
    assert_eq!(
        refused(store.store.group(UnixSeconds(0), |txn| txn.create_line("b", None))),
        "F-1"
    );
}

#[test]
fn a_group_of_ones_own_read_is_usage_and_no_deadlock() {
    let store = TestStore::new();
    let view = store.store.view().unwrap();
    assert_eq!(
        kind(store.store.group(NOW, |txn| txn.create_line("a", None))),
        ErrorKind::Usage
    );
    drop(view);
    store.store.group(NOW, |txn| txn.create_line("a", None)).unwrap();
}
