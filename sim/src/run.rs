//! Runs a table of workloads on every processor, each workload by itself, so that the order of threads changes nothing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::coverage::Matrix;
use crate::engine::{Engine, Workload};
use crate::explore::{Limits, explore_counted};
use crate::report::Report;

/// Explores every workload.
pub fn run(workloads: &[Workload], limits: Limits) -> Report {
    let started = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let matrix = Mutex::new(Matrix::new(limits));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(workload) = workloads.get(at) else { break };
            let limits = Limits {
                deadline: limits
                    .deadline
                    .map(|deadline| share(deadline, workloads.len() - at, threads)),
                ..limits
            };
            let (counts, findings, tally) = explore_counted(&Engine::new(workload.clone()), limits);
            if let Ok(mut matrix) = matrix.lock() {
                matrix.add(workload, &tally);
            }
            if let Ok(mut results) = results.lock() {
                results.push((at, (workload.name.clone(), counts, findings)));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(at, _)| *at);
    Report {
        workloads: results.into_iter().map(|(_, result)| result).collect(),
        matrix: matrix.into_inner().unwrap_or_default(),
        seed: limits.seed,
        took: started.elapsed(),
    }
}

/// When one of the workloads that are left has to end: it may take its part of the time, so that a slow machine
/// looks at each of them.
fn share(deadline: Instant, left: usize, threads: usize) -> Instant {
    let now = Instant::now();
    let part = deadline.saturating_duration_since(now) * u32::try_from(threads).unwrap_or(1);
    deadline.min(now + part / u32::try_from(left.max(1)).unwrap_or(1))
}
