//! What a failing commit tells, and what is found afterwards: `NotHappened` means so, a handle in doubt is out of use,
//! and dropping it writes nothing (FACE; AC02 and AC06 at every instant stand with the simulator).

use std::path::Path;

use graven::vfs::fault::{
    CutPlan, EIO, ENOSPC, Effect, FailedSync, Fault, FaultDisk, Kinds, OperationKind, TraceEntry,
};
use graven::{Error, ErrorKind, Options, Outcome, Result, Store};

use crate::support::{NOW, change, create_sample, lines, options};

const STORE: &str = "/store";
const FAILED_SYNCS: [FailedSync; 3] = [
    FailedSync::ReadableButLost,
    FailedSync::Reverted,
    FailedSync::StillDirty,
];

fn on(disk: &FaultDisk, id: u32) -> Options {
    options().vfs(disk.process(id))
}

fn open(disk: &FaultDisk, id: u32) -> Store {
    Store::open(STORE, &on(disk, id)).expect("the store opens")
}

fn sample() -> FaultDisk {
    let disk = FaultDisk::new();
    drop(create_sample(Path::new(STORE), &on(&disk, 1)).expect("the sample"));
    disk.fork()
}

fn count(disk: &FaultDisk, id: u32) -> usize {
    lines(&open(disk, id)).expect("the Lines").len()
}

fn changes(trace: &[TraceEntry]) -> Vec<&TraceEntry> {
    trace.iter().filter(|entry| entry.kind.changes()).collect()
}

/// What a handle answers whose commit has failed.
fn every_call(store: &Store) -> Vec<(&'static str, Result<()>)> {
    vec![
        ("view", store.view().map(drop)),
        ("read", store.read(|_| Ok(()))),
        ("begin", store.begin(NOW).map(drop)),
        ("write", store.write(NOW, |txn| txn.create_line("x", None)).map(drop)),
        ("group", store.group(NOW, |txn| txn.create_line("x", None)).map(drop)),
        ("sync_spent", store.sync_spent()),
        ("backup", store.backup("/copy", |_| graven::Flow::Continue).map(drop)),
        ("close", store.clone().close()),
    ]
}

#[test]
fn ac02_after_a_failed_sync_every_call_answers_poisoned() {
    let mut failed = 0;
    for nth in 1.. {
        let before_this = failed;
        for outcome in FAILED_SYNCS {
            let disk = sample();
            let store = open(&disk, 2);
            disk.inject(Fault::nth(Kinds::Syncs, nth, Effect::FailSync(EIO, outcome)));
            let error = change(&store, "new").map(drop);
            let Err(error) = error else { continue };
            failed += 1;
            assert_eq!(error.kind(), &ErrorKind::Io, "{error}");
            disk.clear_faults();
            let before = disk.files();
            for (call, answer) in every_call(&store) {
                let error = answer.map_or_else(|error| error, |()| panic!("{call} goes on after a failed sync"));
                assert_eq!(error.kind(), &ErrorKind::Poisoned, "{call}: {error}");
                assert_eq!(error.outcome(), Outcome::NotHappened, "{call}: {error}");
                assert!(error.to_string().contains("reopen"), "{call}: {error}");
            }
            assert_eq!(disk.files(), before, "a poisoned handle writes nothing");
        }
        if failed == before_this {
            assert!(
                nth > 4,
                "a change has its undo, its payload and two files of the commit stage to sync"
            );
            break;
        }
    }
}

/// Another process has died inside a change, and a handle that was open all the time settles it.
#[test]
fn ac02_after_a_failed_sync_in_a_recovery_the_open_handle_answers_poisoned_and_a_new_one_recovers() {
    let mut failed = 0;
    for nth in 1.. {
        let before_this = failed;
        for outcome in FAILED_SYNCS {
            let disk = sample();
            let (store, dying) = (open(&disk, 2), open(&disk, 3));
            disk.inject(Fault::nth(Kinds::Syncs, 3, Effect::Kill));
            change(&dying, "half").map(drop).expect_err("it is dead");
            disk.clear_faults();
            disk.inject(Fault::nth(Kinds::Syncs, nth, Effect::FailSync(EIO, outcome)));
            let Err(error) = store.read(|_| Ok(())) else { continue };
            failed += 1;
            assert_eq!(error.kind(), &ErrorKind::Io, "{error}");
            disk.clear_faults();
            let before = disk.files();
            for (call, answer) in every_call(&store) {
                let error = answer.map_or_else(|error| error, |()| panic!("{call} goes on after a failed sync"));
                assert_eq!(error.kind(), &ErrorKind::Poisoned, "{call}: {error}");
            }
            assert_eq!(disk.files(), before, "a poisoned handle writes nothing");
            drop(store);
            change(&open(&disk, 4), "new").expect("a new handle recovers and goes on");
        }
        if failed == before_this {
            assert!(nth > 2, "a recovery syncs the undo and what it decides");
            break;
        }
    }
}

/// What is no failed sync leaves the change to be settled by the next acquisition.
#[test]
fn ac06_a_recovery_that_meets_a_full_disk_is_made_again_by_the_same_handle() {
    let disk = sample();
    let (store, dying) = (open(&disk, 2), open(&disk, 3));
    disk.inject(Fault::nth(Kinds::Syncs, 3, Effect::Kill));
    change(&dying, "half").map(drop).expect_err("it is dead");
    disk.clear_faults();
    let writes = Kinds::Only(OperationKind::Write);
    disk.inject(Fault::nth(writes, 1, Effect::Fail(ENOSPC)));
    let error = store.read(|_| Ok(())).expect_err("there is no space");
    assert_eq!(error.kind(), &ErrorKind::NoSpace, "{error}");
    disk.clear_faults();
    store.read(|_| Ok(())).expect("there is space");
    change(&store, "new").expect("the handle goes on");
}

#[test]
fn ac06_dropping_a_handle_writes_nothing_whatever_came_before() {
    let disk = sample();
    let store = open(&disk, 2);
    change(&store, "done").expect("a change");
    let dropped_txn = store.begin(NOW).expect("a transaction");
    disk.record_trace(true);
    drop(dropped_txn);
    drop(store);
    assert_eq!(changes(&disk.trace()), Vec::<&TraceEntry>::new(), "after a change");

    let calls = commit_calls(&sample());
    for call in 1..=calls {
        let disk = sample();
        let store = open(&disk, 2);
        disk.inject(Fault::nth(Kinds::Changes, call, Effect::Fail(EIO)));
        drop(change(&store, "new"));
        disk.clear_faults();
        disk.record_trace(true);
        drop(store);
        assert_eq!(
            changes(&disk.trace()),
            Vec::<&TraceEntry>::new(),
            "after a failure of call {call}"
        );
    }
}

/// How many changing calls the change makes.
fn commit_calls(base: &FaultDisk) -> u64 {
    let disk = base.fork();
    let store = open(&disk, 2);
    disk.record_trace(true);
    change(&store, "new").expect("a change");
    changes(&disk.trace()).len() as u64
}

/// Each changing call of a commit fails once, by each code and in each way a sync can fail. What the caller was told
/// must agree with what the next handle finds: at once, after the cache was dropped, and after a cut that loses or
/// keeps all that no sync covers.
#[test]
fn ac06_what_a_failed_commit_told_agrees_with_what_is_found() {
    let base = sample();
    let (old, calls) = (count(&base, 9), commit_calls(&base));
    assert!(
        calls > 12,
        "{calls} calls: an undo, payload, a commit stage and the mark"
    );
    let (mut unknown, mut not_happened, mut done) = (0, 0, 0);
    for call in 1..=calls {
        for errno in [EIO, ENOSPC] {
            for failed_sync in FAILED_SYNCS {
                let disk = base.fork();
                disk.set_failed_sync(failed_sync);
                let store = open(&disk, 2);
                disk.inject(Fault::nth(Kinds::Changes, call, Effect::Fail(errno)));
                let told = change(&store, "new").map(drop);
                let what = format!("code {errno} at call {call} of {calls}, {failed_sync:?}: {told:?}");
                disk.clear_faults();
                drop(store);
                let evicted = disk.fork();
                evicted.evict();
                let lost = disk.cut(&CutPlan::all_lost()).expect("a cut");
                let kept = disk.cut(&CutPlan::all_kept()).expect("a cut");
                for (image, when) in [
                    (disk.fork(), "at once"),
                    (evicted, "evicted"),
                    (lost, "lost"),
                    (kept, "kept"),
                ] {
                    let found = count(&image, 3) - old;
                    match &told {
                        Ok(()) => assert_eq!(found, 1, "{when}: {what}"),
                        Err(error) if error.outcome() == Outcome::NotHappened => assert_eq!(found, 0, "{when}: {what}"),
                        Err(_) => assert!(found <= 1, "{when}: {what}"),
                    }
                    let store = open(&image, 4);
                    change(&store, "later")
                        .unwrap_or_else(|error| panic!("{when}: the store goes on: {error}: {what}"));
                }
                match told {
                    Ok(()) => done += 1,
                    Err(error) if error.outcome() == Outcome::Unknown => unknown += 1,
                    Err(_) => not_happened += 1,
                }
            }
        }
    }
    assert!(
        unknown > 0 && not_happened > 0 && done > 0,
        "{unknown} {not_happened} {done}"
    );
}

/// A full disk before the commit stage is undone in the process: the handle goes on, and once there is room the same
/// change succeeds on it.
#[test]
fn ac05_a_full_disk_is_told_as_such_and_the_handle_goes_on() {
    let disk = sample();
    let store = open(&disk, 2);
    let before = lines(&store).expect("the Lines");
    for kind in [OperationKind::Reserve, OperationKind::Write] {
        disk.inject(Fault::nth(Kinds::Only(kind), 1, Effect::Fail(ENOSPC)));
        let error = change(&store, "new").expect_err("a full disk");
        assert_eq!(
            (error.kind(), error.outcome()),
            (&ErrorKind::NoSpace, Outcome::NotHappened),
            "{error}"
        );
        disk.clear_faults();
        assert_eq!(lines(&store).expect("the Lines"), before);
    }
    change(&store, "new").expect("there is room again");
    assert_eq!(lines(&store).expect("the Lines").len(), before.len() + 1);
}

/// A mark that cannot be written takes nothing back: the change is acknowledged, and the handle is out of use.
#[test]
fn ac06_a_failed_mark_takes_nothing_back_and_poisons() {
    let disk = sample();
    let store = open(&disk, 2);
    disk.inject(Fault::nth(Kinds::Only(OperationKind::Write), 2, Effect::Fail(EIO)).on("workflow.undo"));
    let told = change(&store, "new").expect("acknowledged");
    assert!(told.syncs > 0);
    assert_eq!(store.view().expect_err("poisoned").kind(), &ErrorKind::Poisoned);
    drop(store);
    let names = lines(&open(&disk, 3)).expect("the Lines");
    assert!(names.iter().any(|(name, _)| name == "new"), "{names:?}");
}

/// A refusal is an answer and no failure: it costs nothing, and the handle goes on.
#[test]
fn a_refused_write_touches_no_file_and_poisons_nothing() {
    let disk = sample();
    let store = open(&disk, 2);
    let before = disk.files();
    disk.record_trace(true);
    let refused: Result<_, Error> = store.write(NOW, |txn| {
        txn.create_line("another", None)?;
        txn.create_line("main", None)
    });
    let error = refused.expect_err("two Lines of one name");
    assert!(matches!(error.kind(), ErrorKind::Refused { rule: "F-2.4" }), "{error}");
    assert_eq!(error.outcome(), Outcome::NotHappened);
    assert_eq!((changes(&disk.trace()).len(), disk.files() == before), (0, true));
    change(&store, "another").expect("the handle goes on");
}

/// A full disk in the middle of a change, and then the undoing of that change fails too, at any of its calls: told as
/// not having happened, it must not come back at any later open, however that one is interrupted.
#[test]
fn ac05_a_change_that_a_full_disk_undid_by_halves_never_comes_back() {
    let base = sample();
    let (old, calls) = (count(&base, 9), commit_calls(&base));
    let (mut poisoned, mut interrupted) = (0, 0);
    for full_at in 1..=calls {
        for then_at in full_at + 1.. {
            let disk = base.fork();
            let store = open(&disk, 2);
            disk.inject(Fault::nth(Kinds::Changes, full_at, Effect::Fail(ENOSPC)));
            disk.inject(Fault::nth(Kinds::Changes, then_at, Effect::Fail(EIO)));
            let told = change(&store, "new").map(drop);
            if disk.faults_fired() < 2 {
                break;
            }
            let Err(error) = told else { continue };
            if error.outcome() == Outcome::Unknown {
                continue;
            }
            let what = format!("full at {full_at}, failing at {then_at}: {error}");
            assert_eq!(error.kind(), &ErrorKind::NoSpace, "{what}");
            assert_eq!(
                store.view().map(drop).expect_err("in doubt").kind(),
                &ErrorKind::Poisoned,
                "{what}"
            );
            poisoned += 1;
            drop(store);
            let left = disk.fork();
            interrupted += never_comes_back(&left, old, &what);
        }
    }
    assert!(poisoned > 20 && interrupted > 100, "{poisoned} {interrupted}");
}

/// Whatever call the next open dies at, the one after it finds what the caller was told: nothing happened. Answers how
/// many calls that were.
fn never_comes_back(left: &FaultDisk, old: usize, what: &str) -> u64 {
    assert_eq!(count(&left.fork(), 3), old, "{what}");
    for dies_at in 1.. {
        let image = left.fork();
        image.inject(Fault::nth(Kinds::Changes, dies_at, Effect::Kill));
        if Store::open(STORE, &on(&image, 4)).is_ok() {
            return dies_at - 1;
        }
        for image in [image.fork(), image.cut(&CutPlan::all_kept()).expect("a cut")] {
            assert_eq!(count(&image, 5), old, "then killed at {dies_at}; {what}");
        }
    }
    0
}

/// The same after a failure that poisons: a rollback that is interrupted stays a rollback.
#[test]
fn ac06_a_change_told_as_not_having_happened_never_comes_back() {
    let base = sample();
    let (old, calls) = (count(&base, 9), commit_calls(&base));
    let (mut failures, mut interrupted) = (0, 0);
    for call in 1..=calls {
        let disk = base.fork();
        disk.set_failed_sync(FailedSync::StillDirty);
        let store = open(&disk, 2);
        disk.inject(Fault::nth(Kinds::Changes, call, Effect::Fail(EIO)));
        let told = change(&store, "new").map(drop);
        drop(store);
        if let Err(error) = told
            && error.outcome() == Outcome::NotHappened
        {
            failures += 1;
            interrupted += never_comes_back(&disk.fork(), old, &format!("call {call}: {error}"));
        }
    }
    assert!(failures > 5 && interrupted > 50, "{failures} {interrupted}");
}
