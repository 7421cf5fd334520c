//! One process on a disk: the steps or an opening, to its end, to a kill, or past a failing call.

use graven::vfs::fault::{Effect, Fault, FaultDisk, KillPoints, TraceEntry};

use super::aftermath::WentOn;
use super::{Limits, Shared, failures};
use crate::path::{End, FailedCall, Failure};
use crate::subject::{Refusal, Seen, Stop, Subject};

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
    /// What the same handle answered when its calls failed no more, where a call was made to fail.
    pub went_on: Option<WentOn>,
}

fn arm(disk: &FaultDisk, end: &End) {
    let End::Fail(calls) = end else { return };
    for FailedCall { operation, failure } in calls {
        disk.inject(match failure {
            Failure::Errno(errno) => Fault::at_operation(*operation, Effect::Fail(*errno)),
            Failure::Sticky(errno) => {
                Fault::at_operation(*operation, Effect::FailAmong(*errno, failures::kinds_of(*errno))).sticky()
            }
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
        went_on: None,
    }
}

/// Runs the steps on a copy of the disk.
pub fn execute_run(subject: &dyn Subject, from: &FaultDisk, end: &End, limits: Limits, record: bool) -> Ended {
    let (disk, vfs, entropy) = start(subject, from, end, limits, record);
    let mut ended = empty(&disk);
    let mut done = Vec::new();
    if let End::Fail(_) = end {
        let (mut left, mut trace) = (None, Vec::new());
        let (ran, after) = subject.run_and_go_on(&vfs, entropy, &mut |_| done.push(disk.operations()), &mut || {
            disk.clear_faults();
            (left, trace) = (Some(disk.fork()), disk.trace());
            disk.set_capacity(None);
            disk.record_trace(false);
        });
        drop(vfs);
        ended.stop = ran.err();
        ended.went_on = after.map(|after| WentOn {
            after,
            disk: disk.fork(),
        });
        ended.disk = left.unwrap_or_else(|| disk.fork());
        (ended.done, ended.trace) = (done, trace);
        return ended;
    }
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
        Err(Refusal { kind, message }) => {
            ended.stop = Some(Stop {
                step: 0,
                unknown: true,
                kind,
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
