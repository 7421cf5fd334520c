//! Runs a table of workloads on every processor, each workload by itself, so that the order of threads changes nothing.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::coverage::{Matrix, Tally};
use crate::engine::{Engine, Workload};
use crate::explore::{Counts, Finding, Limits, explore_counted};
use crate::options::Options;
use crate::report::{Explored, Report};

/// How far a run is, for whoever waits for it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Explorations that have ended.
    pub explored: AtomicU64,
    /// Their crash images.
    pub images: AtomicU64,
    /// Their findings.
    pub findings: AtomicU64,
}

impl Progress {
    pub(crate) fn add(&self, counts: &Counts, findings: &[Finding]) {
        self.explored.fetch_add(1, Ordering::Relaxed);
        self.images.fetch_add(counts.images, Ordering::Relaxed);
        self.findings.fetch_add(findings.len() as u64, Ordering::Relaxed);
    }
}

/// Does the work of 0, 1, 2 and so on, until there is none; answers what came of it in that order.
pub(crate) fn on_every_processor<T: Send>(work: impl Fn(usize) -> Option<T> + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    let one_by_one = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(result) = work(at) else { break };
            if let Ok(mut results) = results.lock() {
                results.insert(at, result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(one_by_one);
        }
    });
    results.into_inner().unwrap_or_default().into_values().collect()
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Explores every workload. Where there is a deadline, each may take its part of the time that is left, and what one does
/// not need goes to those behind it.
pub fn run(workloads: &[Workload], limits: Limits, progress: &Progress) -> Report {
    let started = Instant::now();
    let explored =
        on_every_processor(|at| Some(explore_one(workloads.get(at)?, workloads.len() - at, limits, progress)));
    let mut matrix = Matrix::new(limits);
    for (workload, (_, tally)) in workloads.iter().zip(&explored) {
        matrix.add(workload, tally);
    }
    Report {
        workloads: explored.into_iter().map(|(one, _)| one).collect(),
        matrix,
        seed: limits.seed,
        took: started.elapsed(),
        ..Report::default()
    }
}

fn explore_one(workload: &Workload, left: usize, limits: Limits, progress: &Progress) -> (Explored, Tally) {
    let deadline = limits.deadline.map(|deadline| share(deadline, left));
    let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let (counts, findings, tally) = if is_late {
        let stopped = Counts {
            stopped: true,
            ..Counts::default()
        };
        (stopped, Vec::new(), Tally::new(limits.kill_inside))
    } else {
        explore_counted(&Engine::new(workload.clone()), Limits { deadline, ..limits })
    };
    progress.add(&counts, &findings);
    let explored = Explored {
        name: workload.name.clone(),
        options: Options(Limits {
            deadline: None,
            ..limits
        }),
        drawn: None,
        counts,
        findings,
        stories: Vec::new(),
    };
    (explored, tally)
}

/// When one of the workloads that are left has to end: it may take its part of the time, so that a slow machine
/// looks at each of them.
pub(crate) fn share(deadline: Instant, left: usize) -> Instant {
    let now = Instant::now();
    let threads = u32::try_from(threads()).unwrap_or(1);
    let part = deadline.saturating_duration_since(now) * threads / u32::try_from(left.max(1)).unwrap_or(1);
    deadline.min(now + part)
}
