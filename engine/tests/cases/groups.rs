//! Group commit: each member is told its own outcome, whatever becomes of the others, and of the one that leads.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use graven::format::LineIndex;
use graven::vfs::fault::{EIO, Effect, Fault, FaultDisk, Kinds};
use graven::{ErrorKind, LockWait, Outcome, Receipt, Result, Store, Txn, Workflow};

use crate::support::{NOW, create_sample, lines, options};

const STORE: &str = "/store";

type Closure = Box<dyn FnOnce(&mut Txn<'_, Workflow>) -> Result<LineIndex> + Send>;

fn sample() -> (FaultDisk, Store) {
    let disk = FaultDisk::new();
    let on = options().wait(LockWait::Block).vfs(disk.process(1));
    let store = create_sample(Path::new(STORE), &on).expect("the sample");
    (disk, store)
}

fn line(name: &'static str) -> Closure {
    Box::new(move |txn| txn.create_line(name, None))
}

/// Commits `members` as one group: they queue behind a first change, which waits inside its closure until they do, and
/// calls `ready` then. `None`: the scheduler did not let all of them queue in time; nothing can be said.
fn grouped(
    store: &Store,
    members: Vec<Closure>,
    ready: impl FnOnce() + Send + 'static,
) -> Option<Vec<Result<Receipt<LineIndex>>>> {
    let size = u32::try_from(members.len()).expect("a few members");
    let (leading, led) = mpsc::channel();
    let arriving = Arc::new(AtomicU32::new(0));
    thread::scope(|scope| {
        let first = {
            let arriving = Arc::clone(&arriving);
            scope.spawn(move || {
                store.group(NOW, move |txn| {
                    leading.send(()).expect("the test waits");
                    while arriving.load(Ordering::SeqCst) < size {
                        thread::yield_now();
                    }
                    thread::sleep(Duration::from_millis(100));
                    ready();
                    txn.create_line("first", None)
                })
            })
        };
        led.recv().expect("the first change leads");
        let members: Vec<_> = members
            .into_iter()
            .map(|member| {
                let arriving = Arc::clone(&arriving);
                let handle = scope.spawn(move || {
                    arriving.fetch_add(1, Ordering::SeqCst);
                    store.group(NOW, member)
                });
                // In this order, as far as that can be had.
                thread::sleep(Duration::from_millis(5));
                handle
            })
            .collect();
        first.join().expect("no panic").expect("the first change");
        let outcomes: Vec<_> = members
            .into_iter()
            .map(|member| member.join().expect("no panic"))
            .collect();
        Some(outcomes)
    })
}

/// Repeats until the members really were one group, as `is_one` tells from a fresh store and the outcomes.
fn until_grouped<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    for _ in 0..20 {
        if let Some(found) = attempt() {
            return found;
        }
    }
    panic!("the members never queued together");
}

#[test]
fn a_member_that_panics_or_is_refused_costs_the_others_nothing() {
    let (store, outcomes) = until_grouped(|| {
        let (_, store) = sample();
        let panics: Closure = Box::new(|txn| {
            txn.create_line("half done", None)?;
            panic!("a member's own fault")
        });
        let refused: Closure = Box::new(|txn| {
            txn.create_line("half done too", None)?;
            txn.create_line("main", None)
        });
        let before = store.stats().workflow.commits;
        let outcomes = grouped(&store, vec![line("a"), panics, refused, line("b")], || {})?;
        // The first change and the group.
        (store.stats().workflow.commits == before + 2).then_some((store, outcomes))
    });
    let [a, panicked, refused, b] = &outcomes[..] else {
        panic!("four members")
    };
    let (a, b) = (a.as_ref().expect("a"), b.as_ref().expect("b"));
    assert_eq!(
        (a.sequence, a.phases, a.syncs, a.bytes),
        (b.sequence, b.phases, b.syncs, b.bytes),
        "one commit, one receipt"
    );
    assert_ne!(a.value, b.value, "each with its own answer");
    let panicked = panicked.as_ref().expect_err("it panicked");
    assert_eq!(
        (panicked.kind(), panicked.outcome()),
        (&ErrorKind::Usage, Outcome::NotHappened),
        "{panicked}"
    );
    let refused = refused.as_ref().expect_err("two Lines of one name");
    assert!(
        matches!(refused.kind(), ErrorKind::Refused { rule: "F-2.4" }),
        "{refused}"
    );
    assert_eq!(refused.outcome(), Outcome::NotHappened);
    let names: Vec<String> = lines(&store)
        .expect("the Lines")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    for (name, there) in [
        ("first", true),
        ("a", true),
        ("b", true),
        ("half done", false),
        ("half done too", false),
    ] {
        assert_eq!(names.iter().any(|found| found == name), there, "{name} in {names:?}");
    }
    assert_eq!(
        store.stats().workflow.largest_group,
        2,
        "what was dropped is no member of the commit"
    );
}

/// Syncs of the first change: undo, payload, commit. The failing one is that of the group's undo or of its commit.
#[test]
fn a_failed_sync_gives_every_member_the_same_outcome() {
    for (nth, outcome) in [
        (4, Outcome::NotHappened),
        (5, Outcome::NotHappened),
        (6, Outcome::Unknown),
    ] {
        let outcomes = until_grouped(|| {
            let (disk, store) = sample();
            let arm = {
                let disk = Arc::new(disk);
                move || disk.inject(Fault::nth(Kinds::Syncs, nth, Effect::Fail(EIO)))
            };
            let outcomes = grouped(&store, vec![line("a"), line("b"), line("c")], arm)?;
            let kinds: Vec<_> = outcomes
                .iter()
                .map(|told| told.as_ref().err().map(|error| error.kind().clone()))
                .collect();
            // Alone, the others would have succeeded before or found the handle poisoned after.
            kinds
                .iter()
                .all(|kind| *kind == Some(ErrorKind::Io))
                .then_some(outcomes)
        });
        for told in outcomes {
            let error = told.expect_err("the sync failed");
            assert_eq!(error.outcome(), outcome, "sync {nth}: {error}");
        }
    }
}

#[test]
fn a_group_that_cannot_begin_tells_every_member_why() {
    let (_, store) = sample();
    let read_only = {
        let (disk, store) = sample();
        drop(store);
        Store::open(STORE, &options().read_only(true).vfs(disk.process(2))).expect("the store opens")
    };
    assert_eq!(
        read_only
            .group(NOW, |txn| txn.create_line("x", None))
            .expect_err("read-only")
            .kind(),
        &ErrorKind::Usage
    );
    let zero = store
        .group(graven::UnixSeconds(0), |txn| txn.create_line("x", None))
        .expect_err("no time");
    assert!(matches!(zero.kind(), ErrorKind::Refused { rule: "F-1" }), "{zero}");
    store
        .group(NOW, |txn| txn.create_line("x", None))
        .expect("the queue goes on");
}

/// A group asked for where it could only wait for itself: inside a member, and under the caller's own view, whoever
/// leads.
#[test]
fn a_group_inside_a_group_or_under_a_view_is_usage_and_no_deadlock() {
    let (_, store) = sample();
    let inner = store.clone();
    let told = store.group(NOW, move |txn| {
        let error = inner
            .group(NOW, |txn| txn.create_line("inner", None))
            .expect_err("it would wait for itself");
        assert_eq!(error.kind(), &ErrorKind::Usage, "{error}");
        txn.create_line("outer", None)
    });
    told.expect("the member goes on");
    let view = store.view().expect("a view");
    let (leading, led) = mpsc::channel();
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            leading.send(()).expect("the test waits");
            store.group(NOW, |txn| txn.create_line("other", None))
        });
        led.recv().expect("the other thread");
        // It leads by now, as a rule, and waits for the view.
        thread::sleep(Duration::from_millis(50));
        let error = store
            .group(NOW, |txn| txn.create_line("mine", None))
            .expect_err("the view is held");
        assert_eq!(error.kind(), &ErrorKind::Usage, "{error}");
        drop(view);
        other.join().expect("no panic").expect("once the view is dropped");
    });
}
