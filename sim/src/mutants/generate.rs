//! Which mutants a workload has: one a sync, and one a pair of neighbouring calls.

use std::fmt;

use graven::vfs::fault::{OperationKind, TraceEntry};

use super::disk::Break;
use crate::engine::{Engine, STORE};
use crate::explore::{Limits, execute_run};
use crate::path::End;
use crate::subject::Subject;

/// A call of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is called.
    pub kind: OperationKind,
    /// On what, from the store's directory on.
    pub path: String,
    /// Where a write begins, and the new length of a length change.
    pub offset: u64,
    /// The bytes of a write.
    pub len: u64,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind, self.path)?;
        match self.kind {
            OperationKind::Write => write!(f, "@{}+{}", self.offset, self.len),
            OperationKind::SetLen => write!(f, "={}", self.offset),
            _ => Ok(()),
        }
    }
}

/// A disk that breaks one promise under a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The workload.
    pub workload: &'static str,
    /// What is broken.
    pub broken: Break,
    /// The call that is left out or delayed.
    pub call: Call,
    /// The call that goes before it.
    pub next: Option<Call>,
    /// The calls of the whole run that may change something.
    pub trace: std::sync::Arc<[Call]>,
}

impl Mutant {
    /// Which call of the trace is hit, from 1.
    pub fn at(&self) -> usize {
        match self.broken {
            Break::Nothing => 0,
            Break::Drop(at) | Break::DropBoth(at, _) | Break::Swap(at) => at,
        }
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workload, call, .. } = self;
        match (self.broken, &self.next) {
            (Break::Swap(at), Some(next)) => write!(f, "{workload}: swap {at}: {call} after {next}"),
            (Break::DropBoth(at, and), _) => write!(f, "{workload}: drop {at} and {and}: {call}"),
            (Break::Drop(at) | Break::Swap(at), _) => write!(f, "{workload}: drop {at}: {call}"),
            (Break::Nothing, _) => write!(f, "{workload}: nothing"),
        }
    }
}

fn call(entry: &TraceEntry) -> Call {
    Call {
        kind: entry.kind,
        path: entry
            .path
            .strip_prefix(STORE)
            .map_or(&*entry.path, |path| path.trim_start_matches('/'))
            .to_owned(),
        offset: entry.offset,
        len: entry.len,
    }
}

/// The note in a lock file and the gate tell a person who holds the lock; they are no part of a change.
fn belongs_to_the_lock(entry: &TraceEntry) -> bool {
    entry.path.ends_with(".lock") || entry.path.ends_with(".gate")
}

fn may_wait(entry: &TraceEntry) -> bool {
    matches!(entry.kind, OperationKind::Write | OperationKind::SetLen) || entry.kind.is_sync()
}

/// The mutants of a workload, by its trace.
///
/// # Errors
/// The workload does not run.
pub fn mutants_of(workload: &'static str, engine: &Engine, limits: Limits) -> Result<Vec<Mutant>, String> {
    let start = engine.prepare()?;
    let ended = execute_run(engine, &start, &End::Normal, limits, false);
    if let Some(stop) = ended.stop {
        return Err(format!("{workload}: step {}: {}", stop.step, stop.message));
    }
    let changes: Vec<&TraceEntry> = ended.trace.iter().filter(|entry| entry.kind.changes()).collect();
    let trace: std::sync::Arc<[Call]> = changes.iter().map(|entry| call(entry)).collect();
    let mutant = |broken, entry, next: Option<&TraceEntry>| Mutant {
        workload,
        broken,
        call: call(entry),
        next: next.map(call),
        trace: std::sync::Arc::clone(&trace),
    };
    let control = changes.first().map(|first| mutant(Break::Nothing, first, None));
    let mut mutants = Vec::from_iter(control);
    for (at, entry) in changes.iter().enumerate() {
        if entry.kind.is_sync() {
            mutants.push(mutant(Break::Drop(at + 1), entry, None));
        }
        let Some(next) = changes.get(at + 1) else { continue };
        if entry.kind.is_sync() && call(entry) == call(next) {
            mutants.push(mutant(Break::DropBoth(at + 1, at + 2), entry, None));
        }
        let goes_before = may_wait(next) || matches!(next.kind, OperationKind::Rename | OperationKind::RenameNew);
        let locks = belongs_to_the_lock(entry) || belongs_to_the_lock(next);
        let swaps = may_wait(entry) && goes_before && !locks;
        // A look between the two would show the delay, and an answer between them would come before its sync.
        let between = |operation: u64| entry.operation < operation && operation < next.operation;
        let seen_between = ended
            .trace
            .iter()
            .any(|other| between(other.operation) && other.path == entry.path);
        let answers = ended
            .done
            .iter()
            .any(|at| *at >= entry.operation && *at < next.operation);
        if swaps && !seen_between && !answers {
            mutants.push(mutant(Break::Swap(at + 1), entry, Some(next)));
        }
    }
    Ok(mutants)
}
