//! What the face promises beside the cases: `Usage` instead of a deadlock, bounds, pages, handles after `close`.

use graven::format::LineIndex;
use graven::{Error, ErrorKind, Flow, LockWait, Options, Outcome, Result, Store, UnixSeconds, verify};

use crate::support::{NOW, change, create_sample, lines, options};

pub fn sample(options: &Options) -> (tempfile::TempDir, Store) {
    let place = tempfile::tempdir().expect("a directory");
    let store = create_sample(&place.path().join("store"), options).expect("the sample");
    (place, store)
}

pub fn is_usage<T>(answer: Result<T>, what: &str) {
    let error = answer.map_or_else(|error| error, |_| panic!("{what} is allowed"));
    assert_eq!(
        (error.kind(), error.outcome()),
        (&ErrorKind::Usage, Outcome::NotHappened),
        "{what}: {error}"
    );
}

#[test]
fn a_thread_that_would_wait_for_itself_is_told_so() {
    let (_place, store) = sample(&options().wait(LockWait::Block));
    let view = store.view().expect("a view");
    is_usage(store.begin(NOW), "a transaction under a view");
    is_usage(store.write(NOW, |_| Ok(())), "a write under a view");
    is_usage(store.group(NOW, |_| Ok(())), "a group under a view");
    drop(store.view().expect("a second view"));
    drop(view);
    let txn = store.begin(NOW).expect("a transaction");
    is_usage(store.view(), "a view under a transaction");
    is_usage(store.begin(NOW), "a transaction under a transaction");
    is_usage(store.read(|_| Ok(())), "a read under a transaction");
    is_usage(store.group(NOW, |_| Ok(())), "a group under a transaction");
    drop(txn);
    store
        .write(NOW, |txn| txn.create_line("after", None))
        .expect("nothing is held any more");
}

/// Workflow's lock comes before object's: two threads that took them in different orders could wait for each other.
#[test]
fn locks_taken_against_their_order_are_usage() {
    let (_place, store) = sample(&options().wait(LockWait::Block));
    let objects = store.objects();
    for workflow in [store.view().map(drop), store.begin(NOW).map(drop)] {
        workflow.expect("alone");
    }
    let view = objects.view().expect("a view of the objects");
    is_usage(store.begin(NOW), "a workflow transaction under a view of the objects");
    is_usage(store.view(), "a workflow view under a view of the objects");
    drop(view);
    let txn = objects.begin(NOW).expect("an object transaction");
    is_usage(store.begin(NOW), "a workflow transaction under an object transaction");
    is_usage(store.view(), "a workflow view under an object transaction");
    drop(txn);
    let view = store.view().expect("a view");
    drop(objects.begin(NOW).expect("in the order"));
    drop(objects.view().expect("in the order"));
    drop(view);
}

/// In one transaction a refused operation leaves room for smaller ones.
#[test]
fn an_exhausted_operation_drops_only_itself() {
    let (_place, store) = sample(&options().max_transaction_bytes(2048));
    let written = store.objects().write(NOW, |txn| {
        txn.put_blob(&[1; 1000])?;
        let error = txn.put_blob(&[2; 1500]).expect_err("too much");
        assert!(matches!(error.kind(), ErrorKind::Exhausted { .. }), "{error}");
        txn.put_blob(&[3; 100])
    });
    let third = written.expect("the others are committed").value;
    let contents = store
        .objects()
        .read(|view| Ok((view.objects()?.len(), view.objects()?.get(third.index)?.read()?)));
    assert_eq!(contents.expect("contents").1, [3; 100]);
}

#[test]
fn a_paged_scan_is_told_that_something_moved() {
    let (place, store) = sample(&options());
    let other = Store::open(place.path().join("store"), &options()).expect("a second handle");
    let root = store.workflow();
    let counter = || root.change_counter().expect("the counter").expect("a sound lock file");
    let scan = |between: &dyn Fn(usize)| {
        let (mut from, mut seen, before) = (Some(0), Vec::new(), counter());
        while let Some(start) = from {
            let page = store.read(|view| {
                let page = view.lines()?.page(start, 1);
                let names: Result<Vec<String>> = page.rows.map(|row| row.map_err(Error::from)?.1.name()).collect();
                Ok((names?, page.next))
            });
            let (names, next) = page.expect("a page");
            seen.extend(names);
            between(seen.len());
            from = next;
        }
        (seen, counter() != before)
    };
    assert_eq!(scan(&|_| ()), (vec!["main".to_owned(), "gone".to_owned()], false));
    let by = |handle: &Store, name: &str, seen| {
        if seen == 1 {
            handle
                .write(NOW, |txn| txn.create_line(name, None))
                .expect("a change between two pages");
        }
    };
    let (seen, moved) = scan(&|seen| by(&store, "mine", seen));
    assert_eq!((seen.len(), moved), (3, true), "its own change");
    let (seen, moved) = scan(&|seen| by(&other, "another's", seen));
    assert_eq!((seen.len(), moved), (4, true), "another handle's change");
    let refused = |seen: usize| {
        if seen == 1 {
            store
                .write(NOW, |txn| txn.create_line("main", None))
                .expect_err("two Lines of one name");
        }
    };
    assert!(!scan(&refused).1, "what changes nothing moves nothing");
}

/// `close` makes the marks durable; a clone of the handle is still a handle.
#[test]
fn a_clone_outlives_the_close_of_another() {
    let (place, store) = sample(&options());
    let (root, clone) = (store.workflow(), store.clone());
    change(&store, "before").expect("a change");
    store.close().expect("closed");
    root.write(NOW, |txn| txn.create_line("after", None))
        .expect("a change by the root's handle");
    clone.close().expect("closed again");
    drop(root);
    let store = Store::open(place.path().join("store"), &options().read_only(true)).expect("nothing to recover");
    let names = lines(&store).expect("the Lines");
    assert_eq!(
        names
            .iter()
            .filter(|(name, _)| name == "before" || name == "after")
            .count(),
        2,
        "{names:?}"
    );
    is_usage(store.begin(NOW), "a write on a read-only handle");
    is_usage(store.group(NOW, |_| Ok(())), "a group on a read-only handle");
    store.close().expect("closing a read-only handle");
}

#[test]
fn the_time_zero_is_refused_and_a_stop_is_no_failure() {
    let (place, store) = sample(&options());
    let error = store
        .write(UnixSeconds(0), |txn| txn.create_line("x", None))
        .expect_err("no time");
    assert!(matches!(error.kind(), ErrorKind::Refused { rule: "F-1" }), "{error}");
    let stopped = verify(place.path().join("store"), &options(), true, |_| Flow::Stop).expect_err("stopped");
    assert_eq!(
        (stopped.kind(), stopped.outcome()),
        (&ErrorKind::Stopped, Outcome::NotHappened)
    );
    let missing = store.read(|view| view.lines()?.get(LineIndex::new(9).expect("an index")).map(drop));
    assert_eq!(missing.expect_err("nine Lines").kind(), &ErrorKind::NotFound);
}
