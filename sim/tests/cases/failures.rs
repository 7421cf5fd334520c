//! Failing calls: full disks, short writes, failed syncs, kills.

use graven::vfs::fault::{EINTR, EIO, ENOSPC, OperationKind};
use graven_sim::explore::execute_open;
use graven_sim::path::{Edge, End, FAILED_SYNCS, Failure};
use graven_sim::subject::Subject;

use super::support::{after, fail, kill, kinds, last_sync, limits, line, replace, run, sound, state_last, trace};

/// A failed sync was tried again or passed over, success was told, and the data were gone. Every sync of a change fails
/// once, in each of the three ways; then the store is opened in the same boot, changed once more, and cut.
#[test]
fn ac02_a_failed_sync_is_never_taken_for_success() {
    for engine in kinds() {
        for entry in trace(&engine)
            .iter()
            .filter(|entry| entry.kind == OperationKind::SyncData)
        {
            for (_, left) in FAILED_SYNCS {
                let end = fail(entry.operation, Failure::Sync(EIO, left));
                assert!(run(&engine, &end).stop.is_some(), "{end}");
                sound(&engine, vec![Edge::Run(end.clone())]);
                sound(&engine, vec![Edge::Run(end), Edge::Evict]);
            }
        }
    }
}

/// The same for the syncs of a recovery.
#[test]
fn ac02_a_failed_sync_of_a_recovery_is_never_taken_for_success() {
    let engine = state_last();
    let commit = last_sync(&trace(&engine), "plan_item.bin");
    let killed = run(&engine, &kill(commit)).disk;
    let recovery = execute_open(&engine, &killed, &End::Normal, limits(), false);
    for entry in recovery
        .trace
        .iter()
        .filter(|entry| entry.kind == OperationKind::SyncData)
    {
        for (_, left) in FAILED_SYNCS {
            let end = fail(entry.operation, Failure::Sync(EIO, left));
            assert!(
                execute_open(&engine, &killed, &end, limits(), false).stop.is_some(),
                "{end}"
            );
            sound(&engine, vec![Edge::Run(kill(commit)), Edge::Open(end.clone())]);
            sound(&engine, vec![Edge::Run(kill(commit)), Edge::Open(end), Edge::Evict]);
        }
    }
}

/// A full disk left the store unopenable, or half written. No space at every write, length and reservation, once and from
/// then on, then space again.
#[test]
fn ac05_a_full_disk_leaves_the_old_state_and_a_store_that_goes_on() {
    for engine in [replace(), line()] {
        for entry in &trace(&engine) {
            if !matches!(
                entry.kind,
                OperationKind::Write | OperationKind::SetLen | OperationKind::Reserve | OperationKind::SyncData
            ) {
                continue;
            }
            let mut failures = vec![Failure::Errno(ENOSPC), Failure::Sticky(ENOSPC)];
            if entry.kind.is_sync() {
                failures = FAILED_SYNCS
                    .iter()
                    .map(|(_, left)| Failure::Sync(ENOSPC, *left))
                    .collect();
            }
            for failure in failures {
                sound(&engine, vec![Edge::Run(fail(entry.operation, failure))]);
            }
        }
    }
}

/// One transient error, after which everything works again, and a drop that marked the file clean. Each call of a change
/// fails once.
#[test]
fn ac06_one_failing_call_never_leaves_a_half_change() {
    for engine in [replace(), line()] {
        for entry in trace(&engine).iter().filter(|entry| !entry.kind.is_sync()) {
            sound(&engine, vec![Edge::Run(fail(entry.operation, Failure::Errno(EIO)))]);
        }
    }
}

/// A short write was not continued. Every write takes 1 to all but one of its bytes once, or none at all; is interrupted;
/// and every read is short.
#[test]
fn ac14_short_calls_are_continued_and_interrupted_ones_made_again() {
    for engine in [replace(), line()] {
        for entry in &trace(&engine) {
            let most = entry.len.saturating_sub(1);
            let shorts: Vec<u64> = match entry.kind {
                OperationKind::Write => (1..=most.min(16))
                    .chain([most / 2, most])
                    .filter(|bytes| *bytes > 0)
                    .collect(),
                OperationKind::Read => [1, most].into_iter().filter(|bytes| *bytes > 0).collect(),
                _ => continue,
            };
            let failures = shorts.into_iter().map(Failure::Short).chain([Failure::Errno(EINTR)]);
            for failure in failures {
                let ended = run(&engine, &fail(entry.operation, failure));
                assert_eq!(ended.stop, None);
                assert_eq!(engine.contents(&ended.disk), after(&engine));
            }
            if entry.kind == OperationKind::Write {
                sound(&engine, vec![Edge::Run(fail(entry.operation, Failure::Short(0)))]);
            }
        }
    }
}

/// A lock file that a killed process left kept everybody out. After a kill at every call the store opens at once.
#[test]
fn ac29_after_a_kill_at_every_call_the_store_opens_at_once() {
    for engine in kinds() {
        for entry in trace(&engine).iter().filter(|entry| entry.kind.changes()) {
            let killed = run(&engine, &kill(entry.operation)).disk;
            assert_eq!(execute_open(&engine, &killed, &End::Normal, limits(), false).stop, None);
        }
    }
}

/// Reading changed what it read. At every moment of a change a reader is shown a whole state or told that recovery is
/// needed, and changes nothing.
#[test]
fn ac27_a_reader_of_an_unrecovered_store_changes_nothing() {
    for engine in [state_last(), line()] {
        let mut refused = 0;
        for entry in trace(&engine).iter().filter(|entry| entry.kind.changes()) {
            let killed = run(&engine, &kill(entry.operation)).disk;
            let before = killed.digest();
            let seen = engine.look(&killed.process(3)).unwrap();
            assert_eq!(killed.digest(), before);
            match seen {
                None => refused += 1,
                Some(seen) => assert!(seen == engine.expected(0) || seen == engine.expected(1)),
            }
        }
        assert!(refused > 0);
    }
}
