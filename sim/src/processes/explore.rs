//! Which schedules are tried: the usual order, each with one departure, and with two as many as there is room for.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use graven::vfs::fault::OperationKind;

use super::run::Judge;
use super::scenario::Scenario;
use super::schedule::{Action, Schedule};
use super::turns::Step;
use crate::run::share;

/// How far it goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At most so many schedules with one departure a scenario, drawn by the seed.
    pub singles: usize,
    /// With two.
    pub pairs: usize,
    /// With three.
    pub triples: usize,
    /// Where the draw comes from.
    pub seed: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::of_tier(1)
    }
}

impl Limits {
    /// How far a tier goes: every schedule with one departure, and of those with more what there is time for.
    pub fn of_tier(tier: u8) -> Self {
        let (pairs, triples) = match tier {
            0 | 1 => (100, 0),
            2 => (300, 50),
            _ => (20_000, 5000),
        };
        Self {
            singles: usize::MAX,
            pairs,
            triples,
            seed: 1,
            deadline: None,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// The scenario's name.
    pub scenario: &'static str,
    /// The schedule under which it is.
    pub schedule: Schedule,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message,
            scenario,
            schedule,
        } = self;
        write!(f, "finding: {message}\n  replay: {PREFIX}{scenario}: {schedule}")
    }
}

/// How a line begins that repeats a run of processes.
pub const PREFIX: &str = "processes/";

/// What a scenario came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Schedules that were run.
    pub schedules: u64,
    /// Those with two departures or more that there was no room for.
    pub left_out: u64,
    /// Disks that were recovered and judged, each once for what had been answered by then.
    pub images: u64,
    /// Different ones.
    pub distinct: u64,
    /// Whether the time ran out.
    pub stopped: bool,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            schedules,
            left_out,
            images,
            distinct,
            ..
        } = self;
        write!(
            f,
            "{schedules} schedules ({left_out} left out), {images} crash images, {distinct} distinct"
        )
    }
}

/// Tries a scenario's schedules. The first finding ends it.
///
/// # Errors
/// The setup does not run.
pub fn explore(scenario: &Scenario, limits: Limits) -> Result<(Counts, Vec<Finding>), String> {
    explore_with(&mut Judge::new(scenario.clone())?, limits)
}

/// The same with a judge of the caller's.
///
/// # Errors
/// As [`explore`].
pub fn explore_with(judge: &mut Judge, limits: Limits) -> Result<(Counts, Vec<Finding>), String> {
    let scenario = &judge.scenario.clone();
    let mut counts = Counts::default();
    let mut findings = Vec::new();
    let mut level = vec![Schedule::default()];
    let rooms = [limits.singles, limits.pairs, limits.triples];
    for (depth, room) in rooms.into_iter().map(Some).chain([None]).enumerate() {
        let mut next = Vec::new();
        for schedule in &level {
            if limits.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                counts.stopped = true;
                break;
            }
            let judged = judge.judge(schedule);
            counts.schedules += 1;
            if let Some(message) = judged.faults.into_iter().next() {
                findings.push(Finding {
                    message,
                    scenario: scenario.name,
                    schedule: schedule.clone(),
                });
                break;
            }
            if room.is_some_and(|room| room > 0) {
                extend(scenario, schedule, &judged.ran.trace, &mut next);
            }
        }
        if !findings.is_empty() || counts.stopped {
            break;
        }
        let room = room.unwrap_or_default();
        counts.left_out += next.len().saturating_sub(room) as u64;
        level = drawn(next, room, limits.seed, depth);
    }
    counts.images = judge.counted;
    counts.distinct = judge.distinct() as u64;
    Ok((counts, findings))
}

/// The schedules with one departure more, behind those that there are.
fn extend(scenario: &Scenario, schedule: &Schedule, trace: &[Step], next: &mut Vec<Schedule>) {
    let last = schedule.0.last();
    let from = last.map_or(0, |last| {
        let place = trace.iter().position(|step| step.point == last.point);
        place.map_or(trace.len(), |place| place + 1)
    });
    for step in trace.iter().skip(from) {
        let mut add = |action| next.push(schedule.and(&step.point, action));
        let switches = step.kind.is_none_or(is_seen);
        // Where a task gives its turn up, the first of the others is the usual one.
        let gives_up = matches!(&*step.point.what, "waits" | "ends");
        for other in step.others.iter().skip(usize::from(gives_up)).filter(|_| switches) {
            add(Action::Switch(*other));
        }
        let Some(kind) = step.kind else { continue };
        if scenario.kills && (kind.changes() || matches!(kind, OperationKind::Lock | OperationKind::Unlock)) {
            add(Action::Kill);
            if kind == OperationKind::Write && step.len > 1 {
                add(Action::Tear(step.len / 2));
            }
        }
        if scenario.failed_syncs && kind == OperationKind::SyncData {
            add(Action::Fail);
        }
    }
}

/// Whether somebody else's calls can make a difference to it, or it to theirs.
fn is_seen(kind: OperationKind) -> bool {
    !matches!(kind, OperationKind::Reserve | OperationKind::OpenDirectory)
}

/// So many of them, drawn by the seed, in their order.
fn drawn(all: Vec<Schedule>, room: usize, seed: u64, depth: usize) -> Vec<Schedule> {
    if all.len() <= room {
        return all;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"graven-sim schedules");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&[u8::try_from(depth).unwrap_or(u8::MAX)]);
    let mut stream = hasher.finalize_xof();
    let mut places = BTreeSet::new();
    while places.len() < room {
        let mut bytes = [0; 8];
        stream.fill(&mut bytes);
        places.insert(usize::try_from(u64::from_le_bytes(bytes) % all.len() as u64).unwrap_or_default());
    }
    let all = all.into_iter().enumerate();
    all.filter_map(|(at, schedule)| places.contains(&at).then_some(schedule))
        .collect()
}

/// What all scenarios came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Each scenario's name, counts and findings.
    pub scenarios: Vec<(&'static str, Counts, Vec<Finding>)>,
    /// How long it took.
    pub took: Duration,
}

/// Tries the schedules of all scenarios, on every processor.
pub fn run(scenarios: &[Scenario], limits: Limits) -> Report {
    let started = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let one_by_one = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(scenario) = scenarios.get(at) else { break };
            let deadline = limits.deadline.map(|deadline| share(deadline, scenarios.len() - at));
            let limits = Limits { deadline, ..limits };
            let (counts, findings) = explore(scenario, limits).unwrap_or_else(|message| {
                let finding = Finding {
                    message,
                    scenario: scenario.name,
                    schedule: Schedule::default(),
                };
                (Counts::default(), vec![finding])
            });
            if let Ok(mut results) = results.lock() {
                results.push((at, (scenario.name, counts, findings)));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(one_by_one);
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(at, _)| *at);
    Report {
        scenarios: results.into_iter().map(|(_, result)| result).collect(),
        took: started.elapsed(),
    }
}

impl Report {
    /// All findings.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.scenarios.iter().flat_map(|(_, _, findings)| findings)
    }

    fn sum(&self, of: impl Fn(&Counts) -> u64) -> u64 {
        self.scenarios.iter().map(|(_, counts, _)| of(counts)).sum()
    }

    /// How many disks were judged.
    pub fn images(&self) -> u64 {
        self.sum(|counts| counts.images)
    }

    /// How many different ones.
    pub fn distinct(&self) -> u64 {
        self.sum(|counts| counts.distinct)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in self.findings() {
            writeln!(f, "{finding}")?;
        }
        let stopped = self.scenarios.iter().filter(|(_, counts, _)| counts.stopped).count();
        if stopped > 0 {
            writeln!(f, "processes: out of time in {stopped} scenarios")?;
        }
        write!(
            f,
            "processes: {} scenarios, {} schedules ({} left out), {} crash images, {} distinct, {} findings, {:.0} s",
            self.scenarios.len(),
            self.sum(|counts| counts.schedules),
            self.sum(|counts| counts.left_out),
            self.images(),
            self.distinct(),
            self.findings().count(),
            self.took.as_secs_f64()
        )
    }
}

/// Runs a line again that a finding printed, without its prefix: `SCENARIO: SCHEDULE`. Answers what is wrong, and what
/// was answered.
///
/// # Errors
/// There is no such scenario; the line is none; a moment that it names does not come any more.
pub fn replay(scenarios: &[Scenario], line: &str) -> Result<(Vec<String>, String), String> {
    let (name, schedule) = line.split_once(": ").ok_or("a line is `SCENARIO: SCHEDULE`")?;
    let scenario = scenarios.iter().find(|scenario| scenario.name == name.trim());
    let scenario = scenario.ok_or_else(|| format!("there is no scenario `{name}`"))?;
    let judged = Judge::new(scenario.clone())?.judge(&schedule.parse()?);
    match judged.ran.unreached {
        Some(point) => Err(format!("the run does not come to `{point}` any more")),
        None => Ok((judged.faults, judged.ran.history.to_string())),
    }
}
