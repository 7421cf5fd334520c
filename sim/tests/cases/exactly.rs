//! What a failed call is answered as, and what the same handle does afterwards, in single runs.

use graven::vfs::fault::{EIO, ENOSPC, OperationKind};
use graven_sim::explore::execute_run;
use graven_sim::path::{Edge, End, FailedCall, Failure};
use graven_sim::subject::{Kind, Subject};

use super::support::{fail, kinds, limits, line, run, sound, trace};

/// One run, one trace: everything that a seed decides is decided by it alone.
#[test]
fn two_runs_of_one_seed_make_the_same_calls_and_leave_the_same_disk() {
    for engine in kinds() {
        let start = engine.prepare().unwrap();
        let run = || execute_run(&engine, &start, &End::Normal, limits(), true);
        let (one, two) = (run(), run());
        assert_eq!(one.trace, two.trace);
        assert_eq!(one.disk.digest(), two.disk.digest());
        let digests = |ended: &graven_sim::explore::Ended| {
            let snapshots = ended.snapshots.iter();
            snapshots
                .map(|(at, written, disk)| (*at, *written, disk.digest()))
                .collect::<Vec<_>>()
        };
        assert_eq!(digests(&one), digests(&two));
    }
}

/// A full disk was met while a change was being written, and then again, or worse, while it was being undone. Every call
/// of the undoing fails: the handle is out of use, the change has not happened, and the next opening settles it.
#[test]
fn ac05_a_failure_in_the_undoing_of_a_full_disk_poisons_and_loses_nothing() {
    let engine = line();
    let payload = trace(&engine);
    let payload = payload
        .iter()
        .find(|entry| entry.kind == OperationKind::Write && entry.path.ends_with("_payload.bin"));
    let first = FailedCall {
        operation: payload.unwrap().operation,
        failure: Failure::Errno(ENOSPC),
    };
    let undone = run(&engine, &End::Fail(vec![first.clone()]));
    let stop = undone.stop.unwrap();
    assert_eq!((stop.kind, stop.unknown), (Kind::NoSpace, false));
    let after = undone.went_on.unwrap().after;
    assert_eq!(after.read.unwrap(), engine.expected(0));
    assert_eq!(after.change, Ok(()));
    let behind = undone.trace.iter().filter(|entry| entry.operation > first.operation);
    let mut hit = 0;
    for entry in behind.filter(|entry| entry.kind.changes()) {
        for errno in [EIO, ENOSPC] {
            let operation = entry.operation;
            let failure = Failure::Errno(errno);
            let end = End::Fail(vec![first.clone(), FailedCall { operation, failure }]);
            let ended = run(&engine, &end);
            let stop = ended.stop.unwrap();
            assert_eq!((stop.kind, stop.unknown), (Kind::NoSpace, false), "{end}");
            let after = ended.went_on.unwrap().after;
            assert_eq!(after.read.unwrap_err().kind, Kind::Poisoned, "{end}");
            assert_eq!(after.change.unwrap_err().kind, Kind::Poisoned, "{end}");
            sound(&engine, vec![Edge::Run(end)]);
            hit += 1;
        }
    }
    assert!(hit > 6, "{hit}");
}

/// A failed sync was told once and forgotten. The handle answers nothing any more, and dropping it writes nothing.
#[test]
fn ac02_after_a_failed_sync_the_handle_answers_poisoned_and_writes_nothing() {
    let engine = line();
    let trace = trace(&engine);
    let undo = trace
        .iter()
        .filter(|entry| entry.kind == OperationKind::SyncData && !entry.path.ends_with(".lock"));
    let mut told = 0;
    for entry in undo {
        let ended = run(&engine, &fail(entry.operation, Failure::Errno(EIO)));
        let Some(went_on) = ended.went_on else { continue };
        assert_eq!(ended.stop.unwrap().kind, Kind::Io);
        assert_eq!(went_on.after.read.unwrap_err().kind, Kind::Poisoned);
        assert_eq!(went_on.disk.digest(), ended.disk.digest());
        told += 1;
    }
    assert!(told >= 3, "{told}");
}
