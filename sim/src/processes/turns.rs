//! The baton: of all threads of a run, one goes on; before each call that others can see it asks who is next.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use graven::disk::sync::turns::Turns;
use graven::vfs::LockMode;
use graven::vfs::fault::{Cutter, EIO, Effect, FailedSync, Fault, FaultDisk, Kinds, Misuse, OperationKind, Violation};

use super::history::{Event, History, Outcome};
use super::schedule::{Action, Choice, Point, Schedule, name_of};

/// After so many calls a run is taken for one that does not end.
const MOST_CALLS: usize = 20_000;

/// A moment at which somebody else could have gone on.
#[derive(Clone, Debug)]
pub struct Step {
    /// The moment.
    pub point: Point,
    /// The call that is about to be made; `None`: the task begins a step, waits or ends.
    pub kind: Option<OperationKind>,
    /// The bytes it moves.
    pub len: u64,
    /// The other tasks that can run.
    pub others: Vec<usize>,
}

/// A disk that a cut could have met.
#[derive(Debug)]
pub struct Moment {
    /// When.
    pub point: String,
    /// How many events there had been.
    pub events: usize,
    /// The disk.
    pub cutter: Cutter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Ready,
    /// Nothing to do before the progress of the others exceeds this.
    Waiting(u64),
    Done,
}

#[derive(Debug)]
struct State {
    running: usize,
    phases: Vec<Phase>,
    /// Moves with everything that may let another task go on.
    progress: u64,
    counts: BTreeMap<(usize, Arc<str>), u32>,
    left: Vec<Choice>,
    trace: Vec<Step>,
    history: History,
    complaints: Vec<String>,
    /// For each task that waits for an exclusive lock: the path, and who has got the lock meanwhile.
    overtaken: BTreeMap<usize, (String, BTreeSet<usize>)>,
    /// Whether the last lock that a task has asked for in this step was refused.
    refused: Vec<bool>,
    hurt: BTreeSet<usize>,
    anybody_killed: bool,
    stuck: bool,
    moments: Vec<Moment>,
}

/// What a run shares: whose turn it is, the disk, and what has happened.
#[derive(Debug)]
pub struct Baton {
    /// The disk.
    pub disk: FaultDisk,
    processes: Vec<usize>,
    state: Mutex<State>,
    turns: Vec<Condvar>,
    /// The disks and events that earlier runs have met.
    known: Arc<Mutex<HashSet<(u128, u64)>>>,
}

/// The identity of a process on the disk.
pub fn identity_of(process: usize) -> u32 {
    10 + u32::try_from(process).unwrap_or(u32::MAX / 2)
}

/// What the engine is told of its turn.
#[derive(Debug)]
pub struct Seat {
    baton: Arc<Baton>,
    task: usize,
}

impl Turns for Seat {
    fn wait(&self) {
        self.baton.wait(self.task);
    }
}

thread_local! {
    static TASK: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The task that the calling thread is; `None`: it takes no turns.
pub fn current() -> Option<usize> {
    TASK.with(Cell::get)
}

impl Baton {
    /// A baton for tasks of these processes; the first task begins.
    pub fn new(
        disk: FaultDisk,
        processes: Vec<usize>,
        schedule: &Schedule,
        known: Arc<Mutex<HashSet<(u128, u64)>>>,
    ) -> Arc<Self> {
        let tasks = processes.len();
        let state = State {
            running: 0,
            phases: vec![Phase::Ready; tasks],
            progress: 0,
            counts: BTreeMap::new(),
            left: schedule.0.clone(),
            trace: Vec::new(),
            history: History::default(),
            complaints: Vec::new(),
            overtaken: BTreeMap::new(),
            refused: vec![false; tasks],
            hurt: BTreeSet::new(),
            anybody_killed: false,
            stuck: false,
            moments: Vec::new(),
        };
        Arc::new(Self {
            disk,
            processes,
            state: Mutex::new(state),
            turns: (0..tasks).map(|_| Condvar::new()).collect(),
            known,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_alive(&self, task: usize) -> bool {
        self.disk.is_alive(identity_of(self.processes[task]))
    }

    /// The calling thread becomes the task and waits for its first turn.
    pub fn sit_down(self: &Arc<Self>, task: usize) {
        TASK.with(|mine| mine.set(Some(task)));
        let seat = Seat {
            baton: Arc::clone(self),
            task,
        };
        graven::disk::sync::turns::take_turns(Some(Arc::new(seat)));
        drop(self.until_my_turn(self.state(), task));
    }

    /// The task has ended.
    pub fn stand_up(&self, task: usize) {
        let mut state = self.state();
        state.phases[task] = Phase::Done;
        state.progress += 1;
        self.give_up(&mut state, task, "ends");
        graven::disk::sync::turns::take_turns(None);
        TASK.with(|mine| mine.set(None));
    }

    fn until_my_turn<'a>(&'a self, mut state: MutexGuard<'a, State>, task: usize) -> MutexGuard<'a, State> {
        while state.running != task {
            state = self.turns[task].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    fn hand_over(&self, state: &mut State, to: usize) {
        state.phases[to] = Phase::Ready;
        state.running = to;
        self.turns[to].notify_one();
    }

    /// A task that cannot go on lets another one: the first that can, unless the schedule names one.
    fn give_up(&self, state: &mut State, task: usize, what: &str) {
        let others = runnable(state, task);
        let Some(first) = others.first().copied() else { return };
        let named = self.note(state, task, what, None, 0, others.clone());
        let to = named.into_iter().find_map(|action| match action {
            Action::Switch(to) if others.contains(&to) => Some(to),
            _ => None,
        });
        self.hand_over(state, to.unwrap_or(first));
    }

    /// Writes a moment down; answers what the schedule says of it.
    fn note(
        &self,
        state: &mut State,
        task: usize,
        what: &str,
        kind: Option<OperationKind>,
        len: u64,
        others: Vec<usize>,
    ) -> Vec<Action> {
        let what: Arc<str> = what.into();
        let nth = state.counts.entry((task, Arc::clone(&what))).or_insert(0);
        *nth += 1;
        let point = Point { task, what, nth: *nth };
        let mut actions = Vec::new();
        let can = |action: Action| match action {
            Action::Switch(to) => others.contains(&to),
            Action::Kill => kind.is_some(),
            Action::Tear(_) => kind == Some(OperationKind::Write),
            Action::Fail => kind.is_some_and(OperationKind::is_sync),
        };
        state.left.retain(|choice| {
            let now = choice.point == point && can(choice.action);
            if now {
                actions.push(choice.action);
            }
            !now
        });
        if self.is_alive(task) {
            state.trace.push(Step {
                point,
                kind,
                len,
                others,
            });
        }
        actions
    }

    /// Keeps the disk as a cut would meet it now, unless an earlier run has met it after the same events.
    fn keep(&self, state: &mut State, point: String) {
        let key = (self.disk.digest(), state.history.signature());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(key) {
            state.moments.push(Moment {
                point,
                events: state.history.events.len(),
                cutter: self.disk.cutter(),
            });
        }
    }

    /// Before a call of the task: others may go on first, and its process may die. Dead tasks go on to their end, unseen.
    pub fn before(&self, task: usize, kind: OperationKind, path: &str, len: u64) {
        let mut state = self.state();
        if !self.is_alive(task) {
            return;
        }
        if state.trace.len() > MOST_CALLS {
            self.stop(&mut state, "the run does not end".to_owned());
            return;
        }
        let what = format!("{kind:?} {}", path.strip_prefix(crate::engine::STORE).unwrap_or(path));
        if kind.changes() {
            let point = format!("before {} {what}", name_of(task));
            self.keep(&mut state, point);
        }
        let others = runnable(&state, task);
        for action in self.note(&mut state, task, &what, Some(kind), len, others) {
            match action {
                Action::Switch(to) => {
                    self.hand_over(&mut state, to);
                    state = self.until_my_turn(state, task);
                }
                Action::Kill => self.kill(&mut state, Effect::Kill),
                Action::Tear(bytes) => self.kill(&mut state, Effect::KillInside(bytes)),
                Action::Fail => {
                    let effect = Effect::FailSync(EIO, FailedSync::ReadableButLost);
                    self.disk.inject(Fault::nth(Kinds::Any, 1, effect));
                    state.hurt.insert(self.processes[task]);
                }
            }
        }
        // Asking for a lock lets nobody go on; getting it does.
        state.progress += u64::from(kind != OperationKind::Lock);
    }

    /// The next call is the last of its process.
    fn kill(&self, state: &mut State, effect: Effect) {
        self.disk.inject(Fault::nth(Kinds::Any, 1, effect));
        state.anybody_killed = true;
        // Its locks are free.
        state.progress += 1;
    }

    /// The task begins a step; others may go on first.
    pub fn begins(&self, task: usize, act: usize) {
        let mut state = self.state();
        if !self.is_alive(task) {
            return;
        }
        let others = runnable(&state, task);
        for action in self.note(&mut state, task, "begins", None, 0, others) {
            if let Action::Switch(to) = action {
                self.hand_over(&mut state, to);
                state = self.until_my_turn(state, task);
            }
        }
        state.refused[task] = false;
        state.history.push(Event::Begun { task, act });
    }

    /// The step has answered. What a dead process is told, nobody hears.
    pub fn answered(&self, task: usize, act: usize, outcome: Outcome, excuse: Excuse, message: &str) {
        let mut state = self.state();
        if !self.is_alive(task) {
            return;
        }
        let hurt = state.hurt.contains(&self.processes[task]);
        let excused = match excuse {
            Excuse::NotNeeded => true,
            Excuse::Busy => state.refused[task],
            Excuse::DeadWriter => state.anybody_killed || !state.hurt.is_empty(),
            Excuse::Failure => hurt,
            Excuse::None => false,
        };
        if !excused {
            let complaint = format!("{} step {}: it answered: {message}", name_of(task), act + 1);
            state.complaints.push(complaint);
        }
        state.history.push(Event::Answered { task, act, outcome });
        self.keep(&mut state, format!("{} step {} has answered", name_of(task), act + 1));
    }

    /// The task cannot go on before another one has done something.
    pub fn wait(&self, task: usize) {
        let mut state = self.state();
        if state.stuck && !std::thread::panicking() {
            drop(state);
            // It unwinds without a word: the finding is told already.
            std::panic::resume_unwind(Box::new("stuck"));
        }
        state.phases[task] = Phase::Waiting(state.progress);
        if runnable(&state, task).is_empty() {
            let waiting = state.phases.iter().enumerate();
            let waiting = waiting.filter(|(_, phase)| matches!(phase, Phase::Waiting(_)));
            let names: String = waiting.map(|(task, _)| name_of(task)).collect();
            self.stop(&mut state, format!("{names} wait for each other"));
            return;
        }
        self.give_up(&mut state, task, "waits");
        drop(self.until_my_turn(state, task));
    }

    /// The engine panicked.
    pub fn panicked(&self, task: usize) {
        let mut state = self.state();
        // Who was let go because nobody could go on unwinds as well.
        if !state.stuck {
            state.complaints.push(format!("a panic in {}", name_of(task)));
        }
    }

    /// The run has to end: whoever waits is let go, and finds itself dead.
    fn stop(&self, state: &mut State, complaint: String) {
        if !state.stuck {
            state.complaints.push(complaint);
        }
        state.stuck = true;
        self.disk.kill_all();
        for phase in &mut state.phases {
            if matches!(phase, Phase::Waiting(_)) {
                *phase = Phase::Ready;
            }
        }
    }

    /// A lock was given. A reader that comes behind a waiting writer may have passed the gate before, once.
    pub fn locked(&self, task: usize, path: &str, mode: LockMode) {
        let mut state = self.state();
        state.progress += 1;
        state.refused[task] = false;
        state.overtaken.remove(&task);
        if mode == LockMode::Shared && self.is_alive(task) {
            let mut again = Vec::new();
            for (writer, (waits_for, by)) in &mut state.overtaken {
                if waits_for == path && !by.insert(task) {
                    again.push(*writer);
                }
            }
            for writer in again {
                let (reader, writer) = (name_of(task), name_of(writer));
                let complaint = format!("{reader} has overtaken {writer}, which waits for {path}, a second time");
                state.complaints.push(complaint);
            }
        }
    }

    /// A lock was not given.
    pub fn refused(&self, task: usize, path: &str, mode: LockMode) {
        let mut state = self.state();
        state.refused[task] = true;
        if mode == LockMode::Exclusive && !path.ends_with(".gate") {
            let entry = (path.to_owned(), BTreeSet::new());
            state.overtaken.entry(task).or_insert(entry);
        }
    }

    /// What the run came to.
    pub fn result(&self) -> Ran {
        let mut state = self.state();
        let lost = state.left.first().map(|choice| choice.point.to_string());
        let mut complaints = std::mem::take(&mut state.complaints);
        let many = |task: &usize| self.processes.iter().filter(|process| *process == task).count() > 1;
        let has_threads = self.processes.iter().any(many);
        let excused = |violation: &Violation| match violation.fault {
            // A thread of a dead process may not have noticed yet; one whose own call was answered so has no excuse, but
            // for syncs that are asked for together and for a name whose sync failed and that is taken back.
            Misuse::ChangeByTheDead => {
                let follows = violation.kind.is_sync() || violation.kind == OperationKind::RenameNew;
                has_threads || state.stuck || follows
            }
            // Another creator has taken this one for dead: the answer tells it so.
            Misuse::RemovedDirectory => true,
            _ => false,
        };
        let violations = self.disk.violations();
        let misuse = violations.iter().find(|violation| !excused(violation));
        complaints.extend(misuse.map(|misuse| format!("a misuse of the disk: {misuse:?}")));
        Ran {
            trace: std::mem::take(&mut state.trace),
            history: std::mem::take(&mut state.history),
            moments: std::mem::take(&mut state.moments),
            complaints,
            unreached: lost,
        }
    }
}

fn runnable(state: &State, except: usize) -> Vec<usize> {
    let can = |(task, phase): (usize, &Phase)| {
        let can = match phase {
            Phase::Ready => true,
            Phase::Waiting(since) => state.progress > *since,
            Phase::Done => false,
        };
        (can && task != except).then_some(task)
    };
    state.phases.iter().enumerate().filter_map(can).collect()
}

/// What has to have happened for an answer to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// It is an answer of a rule.
    NotNeeded,
    /// A lock that it asked for was held.
    Busy,
    /// A writer died, or came to a failure.
    DeadWriter,
    /// A call of this process failed.
    Failure,
    /// Nothing excuses it.
    None,
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    /// Every moment at which somebody else could have gone on.
    pub trace: Vec<Step>,
    /// What was begun and answered.
    pub history: History,
    /// The disks that cuts could have met.
    pub moments: Vec<Moment>,
    /// What was wrong.
    pub complaints: Vec<String>,
    /// The first moment of the schedule that did not come.
    pub unreached: Option<String>,
}
