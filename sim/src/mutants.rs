//! The simulator's own test: disks that break one promise under a workload, each of which a judge must notice.
//!
//! The trace of every reference workload is recorded once. Then each of its syncs is left out, and each of its calls
//! changes places with the next one, one at a time; the engine is not touched. What no judge notices is a survivor. A
//! survivor that the table of [`equivalent`] does not explain says that a sync is not needed or that a judge is blind.

pub mod disk;
pub mod equivalent;
mod generate;
pub mod never_alone;
pub mod planted;
mod planted_table;
pub mod told;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use graven::vfs::Vfs;
use graven::vfs::fault::FaultDisk;

use crate::engine::Engine;
use crate::explore::{Finding, Limits, explore};
use crate::judge::checks::{Check, Wrong};
use crate::subject::{After, Contents, Image, Refusal, Seen, Stop, Subject, Tears};
use crate::workloads::tier_1;
use disk::{Break, Broken};
pub use generate::{Mutant, mutants_of};
use told::{Sort, Told};

/// The workloads whose calls are broken: each kind of change, and one operation of each floor above.
pub const REFERENCE: [&str; 8] = [
    "create",
    "append",
    "replace",
    "state-last",
    "every-stage",
    "object-put",
    "task-create",
    "land-at-once",
];

/// How many distinct disks of a mutant are judged at most, in each of two depths.
pub const MOST_DISTINCT: u64 = 400;

/// A workload whose steps run on a disk that breaks a promise. What opens it afterwards has a true disk.
struct OnBrokenDisk<'e> {
    engine: &'e Engine,
    broken: Break,
}

impl Subject for OnBrokenDisk<'_> {
    fn steps(&self) -> usize {
        self.engine.steps()
    }

    fn prepare(&self) -> Result<FaultDisk, String> {
        self.engine.prepare()
    }

    fn run(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop> {
        let vfs: Arc<dyn Vfs> = Arc::new(Broken::new(Arc::clone(vfs), self.broken));
        self.engine.run(&vfs, entropy, done)
    }

    fn run_and_go_on(
        &self,
        vfs: &Arc<dyn Vfs>,
        entropy: [u8; 32],
        done: &mut dyn FnMut(usize),
        ended: &mut dyn FnMut(),
    ) -> (Result<(), Stop>, Option<After>) {
        let vfs: Arc<dyn Vfs> = Arc::new(Broken::new(Arc::clone(vfs), self.broken));
        self.engine.run_and_go_on(&vfs, entropy, done, ended)
    }

    fn open(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Seen, Refusal> {
        self.engine.open(vfs, entropy)
    }

    fn look(&self, vfs: &Arc<dyn Vfs>) -> Result<Option<Seen>, String> {
        self.engine.look(vfs)
    }

    fn probe(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<(), String> {
        self.engine.probe(vfs, entropy)
    }

    fn expected(&self, steps: usize) -> Seen {
        self.engine.expected(steps)
    }

    fn contents(&self, disk: &FaultDisk) -> Contents {
        self.engine.contents(disk)
    }

    fn name(&self, disk: &FaultDisk) -> u128 {
        self.engine.name(disk)
    }

    fn tears(&self, path: &str, from: u64, to: u64, grows: bool) -> Tears {
        self.engine.tears(path, from, to, grows)
    }

    fn judge_raw(&self, image: &Image<'_>) -> Vec<Wrong> {
        self.engine.judge_raw(image)
    }
}

/// What became of one mutant.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The mutant.
    pub mutant: Mutant,
    /// What was found; `None`: it survived.
    pub finding: Option<Finding>,
    /// How many distinct disks were judged.
    pub distinct: u64,
    /// How long it took.
    pub took: Duration,
    /// Whether it survives where the check that noticed it is left out; looked at only where that is asked for.
    pub alone: bool,
}

/// A glance first, with whole writes; then torn writes and failed syncs.
fn depths(limits: Limits) -> [Limits; 2] {
    let (seed, most_distinct, skip) = (limits.seed, limits.most_distinct, limits.skip);
    let coarse = Limits {
        seed,
        most_distinct,
        skip,
        ..Limits::coarse()
    };
    let fine = Limits {
        torn: true,
        failed_syncs: 1,
        ..coarse
    };
    [coarse, fine]
}

/// Explores one mutant until a judge notices it.
pub fn judge(engine: &Engine, mutant: &Mutant, limits: Limits) -> Verdict {
    let started = Instant::now();
    let broken = mutant.broken;
    let (mut distinct, mut finding) = (0, None);
    // The stage of a failed call is told by its place among the others, and here two have changed places.
    let swapped = matches!(broken, Break::Swap(_)).then_some(Check::OutcomeOfError);
    let limits = Limits {
        skip: limits.skip.or(swapped),
        ..limits
    };
    for limits in depths(limits) {
        let (counts, findings) = explore(&OnBrokenDisk { engine, broken }, limits);
        distinct += counts.distinct;
        finding = findings.into_iter().next();
        if finding.is_some() {
            break;
        }
    }
    Verdict {
        mutant: mutant.clone(),
        finding,
        distinct,
        took: started.elapsed(),
        alone: false,
    }
}

/// Explores one mutant, and once more without the check that noticed it.
fn judge_twice(engine: &Engine, mutant: &Mutant, limits: Limits) -> Verdict {
    let verdict = judge(engine, mutant, limits);
    let Some(finding) = &verdict.finding else {
        return verdict;
    };
    let skip = Some(finding.check);
    let alone = judge(engine, mutant, Limits { skip, ..limits }).finding.is_none();
    Verdict { alone, ..verdict }
}

/// All mutants of the reference workloads, judged on every processor; `checks`: each once more without the check that
/// noticed it.
///
/// # Errors
/// A reference workload is missing, or does not run.
pub fn run(limits: Limits, only: &str, checks: bool) -> Result<Report, String> {
    let started = Instant::now();
    let mut work = Vec::new();
    for name in REFERENCE {
        let workload = tier_1().into_iter().find(|workload| workload.name == name);
        let engine = Arc::new(Engine::new(
            workload.ok_or_else(|| format!("no workload is named {name}"))?,
        ));
        for mutant in mutants_of(name, &engine, limits)? {
            if mutant.to_string().contains(only) {
                work.push((Arc::clone(&engine), mutant));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(BTreeMap::new());
    let one_by_one = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((engine, mutant)) = work.get(at) else { break };
            let verdict = if checks {
                judge_twice(engine, mutant, limits)
            } else {
                judge(engine, mutant, limits)
            };
            if let Ok(mut verdicts) = verdicts.lock() {
                verdicts.insert(at, verdict);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(one_by_one);
        }
    });
    Ok(Report {
        verdicts: verdicts.into_inner().unwrap_or_default().into_values().collect(),
        whole: only.is_empty(),
        took: started.elapsed(),
    })
}

/// What became of all of them.
#[derive(Clone, Debug)]
pub struct Report {
    /// One a mutant, in the order of the calls.
    pub verdicts: Vec<Verdict>,
    /// Whether none was left out, so that a row of the table that explains nothing is stale.
    pub whole: bool,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// What became of each, for `target/mutants.json`; the faults stand with the mutants they are about.
    pub fn told(&self) -> Vec<Told> {
        let faults = self.faults();
        let broken = self
            .verdicts
            .iter()
            .filter(|verdict| verdict.mutant.broken != Break::Nothing);
        let mut told: Vec<Told> = broken
            .map(|verdict| {
                let mutant = &verdict.mutant;
                let row = equivalent::explain(mutant);
                let millis = u64::try_from(verdict.took.as_millis()).unwrap_or(u64::MAX);
                let mut told = Told::new(Sort::Disk, mutant.to_string(), row.map_or("", |row| row.reason), millis);
                told.survivor = row.is_none();
                told.alone = verdict.alone;
                if let Some(finding) = &verdict.finding {
                    told.caught(mutant.workload, finding);
                    told.finding = format!("{}: {}", finding.path, finding.message);
                }
                told
            })
            .collect();
        if let Some(first) = told.first_mut().filter(|_| !faults.is_empty()) {
            first.fault = Some(faults.join("; "));
        }
        told
    }

    fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        let survivors = self.verdicts.iter().filter(|verdict| verdict.finding.is_none());
        survivors.map(|verdict| &verdict.mutant)
    }

    /// What must not be: a survivor that nothing explains, something found where nothing is broken, a mutant caught that
    /// a row calls equivalent, a row that explains no survivor.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for Verdict { mutant, finding, .. } in &self.verdicts {
            let control = mutant.broken == Break::Nothing;
            match (finding, equivalent::explain(mutant)) {
                (None, None) if !control => faults.push(format!("SURVIVED: {mutant}")),
                (Some(finding), _) if control => {
                    faults.push(format!("FOUND: {mutant}: {}: {}", finding.message, finding.path));
                }
                (Some(finding), Some(row)) => {
                    faults.push(format!("NOT {}: {mutant}: {}", row.name, finding.message));
                }
                _ => {}
            }
        }
        let explains = |row: &equivalent::Equivalent| {
            let mut explained = self.survivors().filter_map(equivalent::explain);
            explained.any(|explained| explained.name == row.name)
        };
        for row in equivalent::TABLE.iter().filter(|row| self.whole && !explains(row)) {
            faults.push(format!("STALE: `{}` explains no survivor", row.name));
        }
        faults
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut by_check, mut by_row) = (BTreeMap::new(), BTreeMap::new());
        for verdict in &self.verdicts {
            let Verdict { mutant, took, .. } = verdict;
            let fate = match (&verdict.finding, equivalent::explain(mutant)) {
                (Some(finding), _) => {
                    let check = finding.check;
                    *by_check.entry(check).or_insert(0) += 1;
                    format!("caught by {check}")
                }
                (None, _) if mutant.broken == Break::Nothing => "as it must be".to_owned(),
                (None, Some(row)) => {
                    *by_row.entry(row.name).or_insert(0) += 1;
                    format!("equivalent: {}", row.name)
                }
                (None, None) => "SURVIVED".to_owned(),
            };
            writeln!(
                f,
                "{mutant}: {fate}, {} disks, {} ms",
                verdict.distinct,
                took.as_millis()
            )?;
        }
        for (check, count) in &by_check {
            writeln!(f, "caught by {check}: {count}")?;
        }
        for row in equivalent::TABLE {
            if let Some(count) = by_row.get(row.name) {
                writeln!(f, "equivalent: {}: {count}; {}", row.name, row.reason)?;
            }
        }
        let faults = self.faults();
        for fault in &faults {
            writeln!(f, "{fault}")?;
        }
        let mut times: Vec<_> = self
            .verdicts
            .iter()
            .filter(|verdict| verdict.finding.is_some())
            .collect();
        times.sort_by_key(|verdict| verdict.took);
        let median_ms = times.get(times.len() / 2).map_or(0, |verdict| verdict.took.as_millis());
        let mutants = self
            .verdicts
            .iter()
            .filter(|verdict| verdict.mutant.broken != Break::Nothing);
        write!(
            f,
            "mutants of the disk: {}, {} caught (median {median_ms} ms), {} equivalent, {} faults, {:.0} s",
            mutants.count(),
            times.len(),
            by_row.values().sum::<usize>(),
            faults.len(),
            self.took.as_secs_f64()
        )
    }
}
