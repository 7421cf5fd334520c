//! Runs a table of workloads on every processor, each workload by itself, so that the order of threads changes nothing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::engine::{Engine, Workload};
use crate::explore::{Limits, explore};
use crate::report::Report;

/// Explores every workload.
pub fn run(workloads: &[Workload], limits: Limits) -> Report {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(workload) = workloads.get(at) else { break };
            let (counts, findings) = explore(&Engine::new(workload.clone()), limits);
            if let Ok(mut results) = results.lock() {
                results.push((at, (workload.name, counts, findings)));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(at, _)| *at);
    Report {
        workloads: results.into_iter().map(|(_, result)| result).collect(),
        seed: limits.seed,
        took: started.elapsed(),
    }
}
