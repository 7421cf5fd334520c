//! Neighbour damage: what a cut leaves when the blocks of a torn write lose what they held beside it.
//!
//! That breaks the one thing that the disk is assumed to promise, so this is a report and never a finding: how many such
//! disks are recovered to a state that is allowed, how many are told as damaged, and how many are wrong without a word.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use graven::vfs::fault::{CutPlan, FaultDisk};

use crate::engine::{Engine, Workload};
use crate::explore::{Explorer, Limits, cuts, execute_open, execute_run};
use crate::flips::verify_lines;
use crate::path::End;
use crate::run::{on_every_processor, share};
use crate::subject::Subject;

/// The block that a drive writes at once, in bytes.
const BLOCK: u64 = 512;

/// How many cuts of one disk are tried at most.
const MOST_CUTS: u64 = 24;

/// What neighbour damage came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Distinct disks with damage beside a write.
    pub images: u64,
    /// Recovered to an allowed state, every byte of it.
    pub recovered: u64,
    /// Told: by the opening, by reading, or by `verify`.
    pub told: u64,
    /// Wrong, and nobody says so: how many, by workload and file.
    pub silent: BTreeMap<(String, String), u64>,
}

impl Report {
    fn add(&mut self, other: Self) {
        self.images += other.images;
        self.recovered += other.recovered;
        self.told += other.told;
        for (place, count) in other.silent {
            *self.silent.entry(place).or_default() += count;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let silent: u64 = self.images - self.recovered - self.told;
        write!(
            f,
            "neighbours: {} images with damage beside a write, {} recovered, {} told, {silent} silently wrong",
            self.images, self.recovered, self.told
        )?;
        let mut files: BTreeMap<&str, (u64, BTreeSet<&str>)> = BTreeMap::new();
        for ((workload, file), count) in &self.silent {
            let (all, workloads) = files.entry(file).or_default();
            *all += count;
            workloads.insert(workload);
        }
        let named = files.iter().map(|(file, (count, workloads))| {
            let first = workloads.first().copied().unwrap_or_default();
            format!(
                "{file} {count} in {} of the workloads, such as {first}",
                workloads.len()
            )
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() {
            Ok(())
        } else {
            write!(f, " ({})", named.join("; "))
        }
    }
}

/// Damages the neighbours of torn writes in every workload, until the deadline.
pub fn run(workloads: &[Workload], seed: u64, deadline: Option<Instant>) -> Report {
    let reports = on_every_processor(|at| {
        let workload = workloads.get(at)?.clone();
        let deadline = deadline.map(|deadline| share(deadline, workloads.len() - at));
        Some(damage(&Engine::new(workload), seed, deadline))
    });
    let mut all = Report::default();
    for report in reports {
        all.add(report);
    }
    all
}

/// One workload: the cuts before each of its syncs, their torn writes spilling over.
pub fn damage(engine: &Engine, seed: u64, deadline: Option<Instant>) -> Report {
    let limits = Limits {
        seed,
        most_cuts: MOST_CUTS,
        ..Limits::default()
    };
    let mut report = Report::default();
    let Ok(explorer) = Explorer::new(engine, limits) else {
        return report;
    };
    let ended = execute_run(engine, explorer.start(), &End::Normal, limits, true);
    let mut known = HashSet::new();
    for (operation, written, disk) in &ended.snapshots {
        let syncs = ended
            .trace
            .iter()
            .any(|entry| entry.operation == *operation && entry.kind.is_sync());
        if written.is_some() || !syncs {
            continue;
        }
        let before = ended.done.iter().filter(|at| *at < operation).count();
        let allowed = (1 << before) | (1 << engine.steps().min(before + 1));
        for (plan, whole) in cuts::distinct(engine, disk, &disk.cutter(), limits, 0) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return report;
            }
            let spilling = CutPlan { spill: BLOCK, ..plan };
            let Ok(spilt) = disk.cut(&spilling) else { continue };
            if spilt.digest() != whole.digest() && known.insert((spilt.digest(), allowed)) {
                judge(engine, &explorer, &spilt, allowed, limits, &mut report);
            }
        }
    }
    report
}

fn judge(
    engine: &Engine,
    explorer: &Explorer<'_>,
    disk: &FaultDisk,
    allowed: u32,
    limits: Limits,
    report: &mut Report,
) {
    report.images += 1;
    let opened = catch_unwind(AssertUnwindSafe(|| {
        execute_open(engine, disk, &End::Normal, limits, false)
    }));
    // A panic is not silent.
    let Ok(ended) = opened else {
        report.told += 1;
        return;
    };
    let found = engine.contents(&ended.disk);
    let states = (0..=engine.steps()).filter(|steps| allowed & (1 << steps) != 0);
    let states: Vec<_> = states.map(|steps| explorer.state(steps)).collect();
    if ended.stop.is_none() && states.iter().any(|(_, contents)| **contents == found) {
        report.recovered += 1;
        return;
    }
    let said = verify_lines(&ended.disk);
    // What stands in the prepared store already, such as raw records, is no news.
    if ended.stop.is_some() || states.iter().all(|(disk, _)| verify_lines(disk) != said) {
        report.told += 1;
        return;
    }
    let Some((_, nearest)) = states.last() else { return };
    let differs = found
        .0
        .iter()
        .filter(|(path, bytes)| nearest.0.get(*path) != Some(bytes));
    let places: Vec<String> = differs
        .map(|(path, _)| path.rsplit('/').next().unwrap_or(path).to_owned())
        .collect();
    let name = engine.workload().name.to_string();
    for file in places {
        *report.silent.entry((name.clone(), file)).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads::named;

    #[test]
    fn damage_beside_a_write_is_counted_and_content_is_never_wrong_without_a_word() {
        let engine = Engine::new(named("object-put").expect("it is in the tables"));
        let report = damage(&engine, 1, None);
        let silent: u64 = report.silent.values().sum();
        assert!(report.images > 0 && report.told > 0, "{report}");
        assert_eq!(silent, 0, "objects are hashed: {report}");
    }
}
