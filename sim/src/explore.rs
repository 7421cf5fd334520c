//! The exploration of one workload: the graph of the disks that kills, cuts and failed calls can leave.
//!
//! A cut is taken only where a sync or an answer comes next, or where a process ends: between two of those the set of
//! disks that a cut may leave only grows, so nothing is missed.

mod aftermath;
pub(crate) mod cuts;
pub mod failures;
mod medium;
mod node;
mod order;
mod process;
mod visit;

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use graven::vfs::fault::{ENOSPC, FaultDisk, TraceEntry};

use crate::coverage::{Place, Stage, Tally};
use crate::draws::Draws;
use crate::judge::checks::{Check, Wrong};
use crate::path::{Edge, End, Failure, Path};
use crate::subject::{Contents, Seen, Subject};
pub use medium::Medium;
pub use node::{Node, Origin};
pub use process::{Ended, execute_open, execute_run, outcome_of};
pub(crate) use process::{READER, WRITER, entropy};
pub(crate) use visit::told;

/// How far an exploration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option by itself")]
pub struct Limits {
    /// Where the randomness of processes comes from.
    pub seed: u64,
    /// Whether grown parts may hold garbage.
    pub harsh: bool,
    /// Whether writes are torn, in fine classes; otherwise a cut leaves whole writes, and files differ.
    pub torn: bool,
    /// Whether writes are torn at every byte, those of the undo, too.
    pub exact: bool,
    /// How many cuts of one disk are tried at most, drawn by the seed; 0: all.
    pub most_cuts: u64,
    /// Whether the next disk to visit is drawn by the seed; otherwise it is the one with the fewest edges.
    pub wander: bool,
    /// What the disk is.
    pub medium: Medium,
    /// How many failed syncs may lie on a way.
    pub failed_syncs: u8,
    /// Whether single calls fail in every other way, too.
    pub failed_calls: bool,
    /// After how many bytes of a write a process is killed inside it; 0: never.
    pub kill_inside: u64,
    /// How many distinct disks are judged at most; 0: all, to the fixpoint.
    pub most_distinct: u64,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
    /// The check that is left out: judging goes on as if it did not exist.
    pub skip: Option<Check>,
}

impl Limits {
    /// What a check says is wrong, unless it is left out.
    pub(crate) fn wrong(self, check: Check, message: impl Into<String>) -> Result<(), Wrong> {
        if self.skip == Some(check) {
            Ok(())
        } else {
            Err(check.wrong(message))
        }
    }
}

impl Limits {
    /// What a run that ends so leaves: on a small disk any call may have failed.
    pub(crate) fn origin(&self, end: &End) -> Origin {
        if matches!(end, End::Fail(_)) || self.medium.room.is_some() {
            Origin::Failure
        } else {
            Origin::Run
        }
    }

    /// For tables of so many workloads that each is explored in coarse classes: kills between calls, and cuts that leave
    /// whole writes.
    pub fn coarse() -> Self {
        Self {
            torn: false,
            failed_syncs: 0,
            failed_calls: false,
            kill_inside: 0,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            seed: 1,
            harsh: true,
            torn: true,
            exact: false,
            most_cuts: 0,
            wander: false,
            medium: Medium::default(),
            failed_syncs: 1,
            failed_calls: true,
            kill_inside: 64,
            most_distinct: 0,
            deadline: None,
            skip: None,
        }
    }
}

/// What an exploration saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Crash images: disks that a kill, a cut or a failure left.
    pub images: u64,
    /// Distinct ones, each recovered and judged once.
    pub distinct: u64,
    /// Whether the deadline came first.
    pub stopped: bool,
    /// Whether there were more distinct disks than are judged.
    pub bounded: bool,
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The way there.
    pub path: Path,
    /// The check that says so.
    pub check: Check,
    /// What is wrong.
    pub message: String,
}

/// What tells nodes apart: the disk's name, and the allowed states.
type Key = (u128, u32);

/// One state that the workload passes.
struct Milestone {
    disk: FaultDisk,
    contents: Contents,
    seen: Seen,
}

/// The exploration of one workload.
pub struct Explorer<'s> {
    subject: &'s dyn Subject,
    limits: Limits,
    start: FaultDisk,
    milestones: Vec<Milestone>,
    probed: HashMap<usize, Contents>,
    queue: VecDeque<(Key, Node)>,
    failing: VecDeque<(End, Place)>,
    turns: u64,
    judged: HashSet<Key>,
    cut: HashSet<Key>,
    settled: HashSet<Key>,
    failed_openings: HashSet<Stage>,
    counts: Counts,
    tally: Tally,
    findings: Vec<Finding>,
}

impl std::fmt::Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer")
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

/// Where only so many distinct disks are judged, so many times as many wait at most: each takes memory, and most of them
/// would never be visited.
const MOST_WAITING: u64 = 16;

/// The most steps a workload may have: allowed states are kept as bits.
pub const MOST_STEPS: usize = 31;

/// Explores a workload; answers what it saw and what it found. The first finding ends it.
pub fn explore(subject: &dyn Subject, limits: Limits) -> (Counts, Vec<Finding>) {
    let (counts, findings, _) = explore_counted(subject, limits);
    (counts, findings)
}

/// The same, with what was counted where.
pub fn explore_counted(subject: &dyn Subject, limits: Limits) -> (Counts, Vec<Finding>, Tally) {
    let made = catch_unwind(AssertUnwindSafe(|| Explorer::new(subject, limits)));
    let made = made.unwrap_or_else(|panic| Err(limits.wrong(Check::Panics, visit::told(&*panic)).err()));
    let mut explorer = match made {
        Ok(explorer) => explorer,
        Err(None) => return (Counts::default(), Vec::new(), Tally::default()),
        Err(Some(Wrong { check, message })) => {
            let path = Path::default();
            let finding = Finding { path, check, message };
            return (Counts::default(), vec![finding], Tally::default());
        }
    };
    if let Err(wrong) = visit::calmly(limits, || {
        explorer.first_run();
        Ok(())
    }) {
        explorer.found(&Path::default(), wrong);
    }
    explorer.go_on();
    (explorer.counts, explorer.findings, explorer.tally)
}

impl<'s> Explorer<'s> {
    /// Prepares the disk and runs the workload once without faults.
    ///
    /// # Errors
    /// What is wrong without any fault; `None`: the check that says so is left out, and there is nothing to explore.
    pub(crate) fn new(subject: &'s dyn Subject, limits: Limits) -> Result<Self, Option<Wrong>> {
        assert!(subject.steps() <= MOST_STEPS, "a workload is short");
        let fails = |message: String| limits.wrong(Check::Runs, message).err();
        let start = subject.prepare().map_err(fails)?;
        limits.medium.apply(&start);
        let mut explorer = Self {
            subject,
            limits,
            start,
            milestones: Vec::new(),
            probed: HashMap::new(),
            queue: VecDeque::new(),
            failing: VecDeque::new(),
            turns: 0,
            judged: HashSet::new(),
            cut: HashSet::new(),
            settled: HashSet::new(),
            failed_openings: HashSet::new(),
            counts: Counts::default(),
            tally: Tally::new(limits.kill_inside),
            findings: Vec::new(),
        };
        explorer.pass_milestones()?;
        Ok(explorer)
    }

    /// The states that the workload passes: what is on the disk, and that a reader sees what the model says.
    fn pass_milestones(&mut self) -> Result<(), Option<Wrong>> {
        let limits = self.limits;
        let fails = |message: String| limits.wrong(Check::Runs, message).err();
        let disk = self.start.fork();
        disk.set_capacity(None);
        let mut disks = vec![disk.fork()];
        let entropy = process::entropy(self.subject, self.limits.seed, &disk);
        let vfs = disk.process(process::WRITER);
        let ran = self.subject.run(&vfs, entropy, &mut |_| disks.push(disk.fork()));
        ran.map_err(|stop| fails(format!("step {} failed without any fault: {}", stop.step, stop.message)))?;
        for (steps, disk) in disks.into_iter().enumerate() {
            let contents = self.subject.contents(&disk);
            let copy = disk.fork();
            let entropy = process::entropy(self.subject, self.limits.seed, &copy);
            let seen = self
                .subject
                .open(&copy.process(process::READER), entropy)
                .map_err(|refusal| fails(refusal.message))?;
            let expected = self.subject.expected(steps);
            if let Some(difference) = first_difference(&expected, &seen) {
                let message = format!("after {steps} steps a reader sees something else than the model: {difference}");
                limits.wrong(Check::Model, message).map_err(Some)?;
            }
            self.milestones.push(Milestone { disk, contents, seen });
        }
        Ok(())
    }

    /// The disk before the first step.
    pub(crate) fn start(&self) -> &FaultDisk {
        &self.start
    }

    /// The disk after so many steps, and its authority.
    pub(crate) fn state(&self, steps: usize) -> (&FaultDisk, &Contents) {
        let Milestone { disk, contents, .. } = &self.milestones[steps];
        (disk, contents)
    }

    /// The next disk to visit.
    fn next(&mut self) -> Option<(Key, Node)> {
        if !self.limits.wander {
            return self.queue.pop_front();
        }
        let at = self.draw_waiting();
        self.queue.swap_remove_back(at)
    }

    /// The place of one of the disks that wait, drawn by the seed.
    fn draw_waiting(&mut self) -> usize {
        self.turns += 1;
        let at = Draws::new(self.limits.seed, self.turns).below(self.queue.len() as u64);
        usize::try_from(at).unwrap_or(0)
    }

    pub(crate) fn found(&mut self, path: &Path, wrong: Wrong) {
        let Wrong { check, message } = wrong;
        let path = path.clone();
        self.findings.push(Finding { path, check, message });
    }

    /// The first run of the workload: a node for each moment of a kill, and for each failed call.
    fn first_run(&mut self) {
        let ended = execute_run(self.subject, &self.start, &End::Normal, self.limits, true);
        let places = self.tally.run(&ended.trace, &ended.done);
        let place_of = |operation: u64| {
            usize::try_from(operation)
                .ok()
                .and_then(|at| places.get(at.checked_sub(1)?))
        };
        let place_of = |operation: u64| place_of(operation).or(places.last()).copied().unwrap_or(Place::START);
        let origin = self.limits.origin(&End::Normal);
        let outcome = outcome_of(&ended, self.subject.steps());
        for (operation, written, disk) in ended.snapshots {
            let end = End::Kill { operation, written };
            let allowed = allowed_at(&ended.done, operation, self.subject.steps());
            let cuttable = written.is_none() && comes_before_a_sync(&ended.trace, operation);
            let path = Path::from([Edge::Run(end)]);
            let node = Node::new(disk, allowed, path, origin, cuttable, self.limits);
            self.push(node.at(place_of(operation)));
        }
        let path = Path::from([Edge::Run(End::Normal)]);
        let node = Node::new(ended.disk, outcome, path, origin, true, self.limits);
        self.push(node.at(place_of(u64::MAX)));
        for entry in &ended.trace {
            let place = place_of(entry.operation);
            let ends = failures::of_run(entry, self.limits).into_iter();
            self.failing.extend(ends.map(|end| (end, place)));
        }
    }

    /// Visits disks and makes calls fail, in turn, so that a short run sees something of both.
    fn go_on(&mut self) {
        while self.findings.is_empty() && !(self.queue.is_empty() && self.failing.is_empty()) {
            let limits = self.limits;
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.counts.stopped = true;
                break;
            }
            if limits.most_distinct > 0 && self.counts.distinct >= limits.most_distinct {
                // What a failing call answers is judged all the same.
                self.counts.bounded |= !self.queue.is_empty();
                let Some((end, place)) = self.failing.pop_front() else {
                    break;
                };
                self.make_fail(&end, place);
                continue;
            }
            if let Some((key, node)) = self.next() {
                self.visit(key, &node);
            }
            if self.findings.is_empty()
                && let Some((end, place)) = self.failing.pop_front()
                && let Some((key, node)) = self.make_fail(&end, place)
            {
                self.visit(key, &node);
            }
        }
    }

    /// A run in which calls fail, the first at `place`, judged; answers the disk it left, unless that is known.
    fn make_fail(&mut self, end: &End, place: Place) -> Option<(Key, Node)> {
        let mut left = None;
        let judged = visit::calmly(self.limits, || {
            left = self.failed_run(end, place)?;
            Ok(())
        });
        if let Err(wrong) = judged {
            self.found(&Path::from([Edge::Run(end.clone())]), wrong);
        }
        let node = left?;
        let key = self.key(&node.disk, node.allowed);
        self.is_news(key, &node).then_some((key, node))
    }

    /// The disk that such a run left; `None`: one of which nothing can be said.
    fn failed_run(&mut self, end: &End, place: Place) -> Result<Option<Node>, Wrong> {
        let ended = execute_run(self.subject, &self.start, end, self.limits, false);
        let allowed = outcome_of(&ended, self.subject.steps());
        self.judge_failed_run(end, &ended, place)?;
        if let End::Fail(calls) = end
            && let [first] = calls.as_slice()
            && first.failure == Failure::Errno(ENOSPC)
            && is_undone(place.stage)
        {
            // A full disk was undone: the undoing fails, too.
            for later in ended.trace.iter().filter(|later| later.operation > first.operation) {
                let ends = failures::of_rollback(first, later).into_iter();
                self.failing.extend(ends.map(|end| (end, place)));
            }
        }
        if failures::loses_a_name(&ended.trace) {
            return Ok(None);
        }
        let path = Path::from([Edge::Run(end.clone())]);
        let mut node = Node::new(ended.disk, allowed, path, Origin::Failure, true, self.limits).at(place);
        node.failed_syncs = node.failed_syncs.saturating_sub(1);
        Ok(Some(node))
    }

    fn key(&self, disk: &FaultDisk, allowed: u32) -> Key {
        (self.subject.name(disk), allowed)
    }

    pub(crate) fn push(&mut self, node: Node) {
        let key = self.key(&node.disk, node.allowed);
        self.push_named(key, node);
    }

    /// Counts an image, and puts the node into the queue unless a visit would add nothing.
    fn push_named(&mut self, key: Key, node: Node) {
        if !self.is_news(key, &node) {
            return;
        }
        let most = self.limits.most_distinct.saturating_mul(MOST_WAITING);
        if most > 0 && self.queue.len() as u64 >= most {
            self.counts.bounded = true;
            if !self.limits.wander {
                return;
            }
            let at = self.draw_waiting();
            self.queue.swap_remove_back(at);
        }
        self.queue.push_back((key, node));
    }

    /// Counts an image; answers whether a visit would add something.
    fn is_news(&mut self, key: Key, node: &Node) -> bool {
        self.counts.images += 1;
        self.tally.count(node.place, &node.path);
        !self.judged.contains(&key) || (node.cuttable && !self.cut.contains(&key))
    }

    /// Which state the files hold, of the allowed ones.
    fn recognise(&self, disk: &FaultDisk, allowed: u32) -> Result<usize, String> {
        let contents = self.subject.contents(disk);
        let mut differences = Vec::new();
        for steps in (0..self.milestones.len()).filter(|steps| allowed & (1 << steps) != 0) {
            match self.milestones[steps].contents.difference(&contents) {
                None => return Ok(steps),
                Some(difference) => differences.push(format!("after {steps} steps: {difference}")),
            }
        }
        Err(format!(
            "the files hold none of the allowed states ({})",
            differences.join("; ")
        ))
    }

    /// Which of the allowed states a reader sees; where it is none of them, the last.
    fn state_seen(&self, seen: &Seen, allowed: u32) -> usize {
        let mut states = (0..self.milestones.len()).filter(|steps| allowed & (1 << steps) != 0);
        let last = states.clone().next_back().unwrap_or(0);
        states
            .find(|&steps| self.milestones[steps].seen == *seen)
            .unwrap_or(last)
    }

    fn expect_seen(&self, check: Check, seen: &Seen, steps: usize) -> Result<(), Wrong> {
        first_difference(&self.milestones[steps].seen, seen).map_or(Ok(()), |difference| {
            let message = format!("a reader does not see the state after {steps} steps: {difference}");
            self.limits.wrong(check, message)
        })
    }

    /// What the files hold after the probe on the state after so many steps.
    fn probed(&mut self, steps: usize) -> Result<Contents, String> {
        if let Some(contents) = self.probed.get(&steps) {
            return Ok(contents.clone());
        }
        let disk = self.milestones[steps].disk.fork();
        let entropy = process::entropy(self.subject, self.limits.seed, &disk);
        self.subject.probe(&disk.process(process::WRITER), entropy)?;
        let contents = self.subject.contents(&disk);
        self.probed.insert(steps, contents.clone());
        Ok(contents)
    }
}

/// Whether a change that meets a full disk in this stage has begun, and is undone.
fn is_undone(stage: Stage) -> bool {
    matches!(stage, Stage::Undo | Stage::Payload | Stage::Fields | Stage::State)
}

/// The states allowed before a call of the first run: those before and after the step that makes it. Where the call
/// belongs to no step any more, the last.
fn allowed_at(done: &[u64], operation: u64, steps: usize) -> u32 {
    let ended = done.iter().filter(|&&at| at < operation).count();
    (1 << ended) | (1 << steps.min(ended + 1))
}

/// Whether the call is a sync, or there is none: the places where a cut leaves more than at the call before.
fn comes_before_a_sync(trace: &[TraceEntry], operation: u64) -> bool {
    let entry = usize::try_from(operation - 1).ok().and_then(|at| trace.get(at));
    entry.is_none_or(|entry| entry.kind.is_sync())
}

fn first_difference(expected: &Seen, seen: &Seen) -> Option<String> {
    let longest = expected.len().max(seen.len());
    (0..longest).find(|&at| expected.get(at) != seen.get(at)).map(|at| {
        let text = |seen: &Seen| seen.get(at).map_or("nothing".to_owned(), |line| format!("`{line}`"));
        format!("{} instead of {}", text(seen), text(expected))
    })
}

/// Shared by the parts of an exploration.
type Shared = Arc<dyn graven::vfs::Vfs>;
