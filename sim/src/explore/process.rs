//! One process on a disk: the steps or an opening, to its end, to a kill, or past a failing call.

use graven::vfs::fault::{
    EACCES, EINTR, EIO, EMFILE, ENOSPC, Effect, FailedSync, Fault, FaultDisk, KillPoints, OperationKind, TraceEntry,
};

use super::{Limits, Shared};
use crate::path::{End, FAILED_SYNCS, FailedCall, Failure};
use crate::subject::{Seen, Stop, Subject};

/// The process that runs steps and openings.
pub const WRITER: u32 = 2;
/// The process that only looks.
pub const READER: u32 = 3;

/// The entropy of a process: another one on every other disk, so no two undos on one way are equal.
pub fn entropy(subject: &dyn Subject, seed: u64, disk: &FaultDisk) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"graven-sim process");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&subject.name(disk).to_le_bytes());
    hasher.finalize().into()
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// The disk it left.
    pub disk: FaultDisk,
    /// For each step that answered, how many calls there had been by then.
    pub done: Vec<u64>,
    /// Why it stopped, where it did.
    pub stop: Option<Stop>,
    /// What a reader saw, after an opening.
    pub seen: Option<Seen>,
    /// Its calls.
    pub trace: Vec<TraceEntry>,
    /// The disks that a kill could have left: before which call, after how many bytes of its write.
    pub snapshots: Vec<(u64, Option<u64>, FaultDisk)>,
}

fn arm(disk: &FaultDisk, end: &End) {
    let End::Fail(calls) = end else { return };
    for FailedCall { operation, failure } in calls {
        disk.inject(match failure {
            Failure::Errno(errno) => Fault::at_operation(*operation, Effect::Fail(*errno)),
            Failure::Sticky(errno) => Fault::at_operation(*operation, Effect::Fail(*errno)).sticky(),
            Failure::Sync(errno, left) => Fault::at_operation(*operation, Effect::FailSync(*errno, *left)),
            Failure::Short(bytes) => Fault::at_operation(*operation, Effect::Short(*bytes)),
        });
    }
}

fn start(
    subject: &dyn Subject,
    from: &FaultDisk,
    end: &End,
    limits: Limits,
    record: bool,
) -> (FaultDisk, Shared, [u8; 32]) {
    let disk = from.fork();
    let entropy = entropy(subject, limits.seed, &disk);
    disk.record_trace(true);
    if record || matches!(end, End::Kill { .. }) {
        let step = match end {
            End::Kill { written, .. } => written.unwrap_or(0),
            _ => limits.kill_inside,
        };
        disk.record_kill_points(match step {
            0 => KillPoints::BetweenOperations,
            step => KillPoints::InsideWrites { step },
        });
    }
    arm(&disk, end);
    let vfs = disk.process(WRITER);
    (disk, vfs, entropy)
}

fn finish(disk: &FaultDisk, vfs: Shared, end: &End, mut ended: Ended) -> Ended {
    drop(vfs);
    disk.clear_faults();
    ended.trace = disk.trace();
    ended.snapshots = disk
        .snapshots()
        .into_iter()
        .map(|kept| (kept.operation, kept.written, kept.disk))
        .collect();
    ended.disk = disk.fork();
    if let End::Kill { operation, written } = end {
        let killed = ended
            .snapshots
            .iter()
            .find(|(at, bytes, _)| (at, bytes) == (operation, written));
        if let Some((_, _, killed)) = killed {
            ended.disk = killed.fork();
        }
        ended.done.retain(|at| at < operation);
    }
    ended
}

fn empty(disk: &FaultDisk) -> Ended {
    Ended {
        disk: disk.fork(),
        done: Vec::new(),
        stop: None,
        seen: None,
        trace: Vec::new(),
        snapshots: Vec::new(),
    }
}

/// Runs the steps on a copy of the disk.
pub fn execute_run(subject: &dyn Subject, from: &FaultDisk, end: &End, limits: Limits, record: bool) -> Ended {
    let (disk, vfs, entropy) = start(subject, from, end, limits, record);
    let mut ended = empty(&disk);
    let mut done = Vec::new();
    ended.stop = subject.run(&vfs, entropy, &mut |_| done.push(disk.operations())).err();
    ended.done = done;
    finish(&disk, vfs, end, ended)
}

/// Opens a copy of the disk, which recovers it.
pub fn execute_open(subject: &dyn Subject, from: &FaultDisk, end: &End, limits: Limits, record: bool) -> Ended {
    let (disk, vfs, entropy) = start(subject, from, end, limits, record);
    let mut ended = empty(&disk);
    match subject.open(&vfs, entropy) {
        Ok(seen) => ended.seen = Some(seen),
        Err(message) => {
            ended.stop = Some(Stop {
                step: 0,
                unknown: true,
                message,
            });
        }
    }
    finish(&disk, vfs, end, ended)
}

/// The states that a run's answers allow.
pub fn outcome_of(ended: &Ended, steps: usize) -> u32 {
    match &ended.stop {
        None => 1 << steps,
        Some(stop) if stop.unknown => (1 << stop.step) | (1 << (stop.step + 1)),
        Some(stop) => 1 << stop.step,
    }
}

/// The ways in which a call is made to fail.
pub fn failures(entry: &TraceEntry, limits: Limits) -> Vec<Failure> {
    let mut failures = Vec::new();
    if entry.kind.is_sync() && limits.failed_syncs > 0 {
        failures.extend(FAILED_SYNCS.iter().map(|(_, left)| Failure::Sync(EIO, *left)));
        failures.push(Failure::Sync(ENOSPC, FAILED_SYNCS[0].1));
    }
    if !limits.failed_calls {
        // A known limit: an opener that is told that the store's name could not be made durable cannot make it so by
        // trying again, since a name cannot be written again without taking it away for a moment.
        let is_lost = |failure: &Failure| matches!(failure, Failure::Sync(_, FailedSync::ReadableButLost));
        failures.retain(|failure| entry.kind == OperationKind::SyncData || !is_lost(failure));
        return failures;
    }
    match entry.kind {
        OperationKind::SyncData | OperationKind::SyncDirectory => {}
        OperationKind::Write => {
            failures.extend([
                Failure::Errno(EIO),
                Failure::Errno(ENOSPC),
                Failure::Sticky(ENOSPC),
                Failure::Errno(EINTR),
            ]);
            failures.extend([0, 1, entry.len.saturating_sub(1)].map(Failure::Short));
        }
        OperationKind::SetLen | OperationKind::Reserve => {
            failures.extend([Failure::Errno(EIO), Failure::Errno(ENOSPC), Failure::Sticky(ENOSPC)]);
        }
        OperationKind::Read => {
            failures.extend([Failure::Errno(EIO), Failure::Errno(EINTR), Failure::Short(1)]);
        }
        OperationKind::OpenFile
        | OperationKind::OpenDirectory
        | OperationKind::CreateFile
        | OperationKind::CreateDirectory => {
            failures.extend([Failure::Errno(EMFILE), Failure::Errno(EACCES)]);
        }
        _ => failures.push(Failure::Errno(EIO)),
    }
    failures
}
