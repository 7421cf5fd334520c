//! What the processes did and were told, and whether one order of whole changes explains it.
//!
//! A history fits where its answered steps, and any of those that were never answered, can be put in an order that keeps
//! every step behind those that had answered before it began, and in which the model answers what was answered. What a
//! cut leaves has to be a state at the end of such an order: so nothing that was acknowledged is lost, and nothing that a
//! reader was shown.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use graven_model::domain::{Answer, Operation, Store};

use super::scenario::Act;
use super::schedule::name_of;
use crate::engine::START_S;
use crate::subject::Seen;

/// What a step answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The change was made; the operations answered this.
    Done(Vec<Answer>),
    /// There is a store, or none.
    Exists(bool),
    /// A reader was shown this.
    Seen(Seen),
    /// Nothing happened and nothing was told.
    Nothing,
    /// Whether it happened is not known.
    Unknown,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A task has begun a step.
    Begun {
        /// The task.
        task: usize,
        /// Which of its steps.
        act: usize,
    },
    /// It has answered.
    Answered {
        /// The task.
        task: usize,
        /// Which of its steps.
        act: usize,
        /// What.
        outcome: Outcome,
    },
}

/// The events of a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The events.
    pub events: Vec<Event>,
    signatures: Vec<u64>,
}

impl History {
    /// One event more.
    pub fn push(&mut self, event: Event) {
        // The standard hasher without keys is the same in every run.
        let mut hasher = DefaultHasher::new();
        self.signature().hash(&mut hasher);
        format!("{event:?}").hash(&mut hasher);
        self.signatures.push(hasher.finish());
        self.events.push(event);
    }

    /// A number that tells histories apart.
    pub fn signature(&self) -> u64 {
        self.signatures.last().copied().unwrap_or_default()
    }

    /// The number of its first events.
    pub fn signature_at(&self, events: usize) -> u64 {
        events
            .checked_sub(1)
            .and_then(|last| self.signatures.get(last))
            .copied()
            .unwrap_or_default()
    }
}

/// A step as it stands in a history.
struct Entry {
    act: Act,
    begun: usize,
    answered: Option<(usize, Outcome)>,
}

/// The states that the model went through, each once, and how it went on from each.
#[derive(Debug)]
pub struct States {
    tasks: Vec<(usize, Arc<[Act]>)>,
    all: Vec<(Option<Store>, Seen)>,
    by_text: HashMap<Seen, usize>,
    steps: HashMap<(usize, usize, usize), (usize, Vec<Answer>)>,
    fitting: HashMap<u64, Arc<BTreeSet<usize>>>,
}

/// What is shown of no store.
pub const NO_STORE: &str = "there is no store";

/// What the model says of a state.
fn describe(store: Option<&Store>) -> Seen {
    store.map_or_else(|| vec![NO_STORE.to_owned()], Store::describe)
}

/// The part of a state that a reader of the Lines is shown.
fn lines_of(seen: &Seen) -> Seen {
    seen.iter().filter(|row| row.starts_with("line ")).cloned().collect()
}

impl States {
    /// The states from this one on.
    pub fn new(first: Option<Store>, tasks: Vec<(usize, Arc<[Act]>)>) -> Self {
        let mut states = Self {
            tasks,
            all: Vec::new(),
            by_text: HashMap::new(),
            steps: HashMap::new(),
            fitting: HashMap::new(),
        };
        states.place(first);
        states
    }

    fn place(&mut self, store: Option<Store>) -> usize {
        let text = describe(store.as_ref());
        if let Some(known) = self.by_text.get(&text) {
            return *known;
        }
        self.by_text.insert(text.clone(), self.all.len());
        self.all.push((store, text));
        self.all.len() - 1
    }

    /// The state that looks like this.
    pub fn of(&self, seen: &Seen) -> Option<usize> {
        self.by_text.get(seen).copied()
    }

    /// What a state looks like.
    pub fn text(&self, state: usize) -> &Seen {
        &self.all[state].1
    }

    /// What a change makes of a state, and what it answers.
    fn change(&mut self, state: usize, task: usize, act: usize, operations: &[Operation]) -> (usize, Vec<Answer>) {
        if let Some(known) = self.steps.get(&(state, task, act)) {
            return known.clone();
        }
        let mut store = self.all[state].0.clone();
        let answers = store.as_mut().map_or_else(Vec::new, |store| {
            let apply = |operation| store.apply(START_S + super::NOW_STEP, operation);
            operations.iter().map(apply).collect()
        });
        let next = (self.place(store), answers);
        self.steps.insert((state, task, act), next.clone());
        next
    }

    /// The state behind a step, where the step can have answered so; a step without an answer can answer anything.
    fn after(&mut self, state: usize, task: usize, act: usize, entry: &Entry) -> Option<usize> {
        let exists = self.all[state].0.is_some();
        let outcome = entry.answered.as_ref().map(|(_, outcome)| outcome);
        match (&entry.act, outcome) {
            (_, Some(Outcome::Exists(told))) => (exists == *told).then_some(state),
            (_, Some(Outcome::Nothing)) => Some(state),
            (Act::Create, _) => (!exists).then(|| self.place(Some(Store::default()))),
            (Act::Write(operations) | Act::Compound(operations) | Act::Group(operations), outcome) => {
                let (next, answers) = self.change(state, task, act, operations);
                let fits = match outcome {
                    Some(Outcome::Done(told)) => *told == answers,
                    _ => true,
                };
                fits.then_some(next)
            }
            (Act::Read, Some(Outcome::Seen(seen))) => (self.all[state].1 == *seen).then_some(state),
            (Act::ReadLines, Some(Outcome::Seen(seen))) => (lines_of(&self.all[state].1) == *seen).then_some(state),
            _ => Some(state),
        }
    }

    /// The states in which the first events can have ended; none: no order explains them.
    pub fn ends(&mut self, history: &History, events: usize) -> Arc<BTreeSet<usize>> {
        let signature = history.signature_at(events);
        if let Some(known) = self.fitting.get(&signature) {
            return Arc::clone(known);
        }
        let mut entries: BTreeMap<(usize, usize), Entry> = BTreeMap::new();
        for (at, event) in history.events.iter().take(events).enumerate() {
            match event {
                Event::Begun { task, act } => {
                    let entry = Entry {
                        act: self.tasks[*task].1[*act].clone(),
                        begun: at,
                        answered: None,
                    };
                    entries.insert((*task, *act), entry);
                }
                Event::Answered { task, act, outcome } => {
                    if let Some(entry) = entries.get_mut(&(*task, *act)) {
                        entry.answered = Some((at, outcome.clone()));
                    }
                }
            }
        }
        let entries: Vec<((usize, usize), Entry)> = entries.into_iter().collect();
        let mut ends = BTreeSet::new();
        let mut seen = HashSet::new();
        self.search(&entries, 0, 0, &mut seen, &mut ends);
        let ends = Arc::new(ends);
        self.fitting.insert(signature, Arc::clone(&ends));
        ends
    }

    /// Puts one more step behind those in `done`, in every way.
    fn search(
        &mut self,
        entries: &[((usize, usize), Entry)],
        done: u64,
        state: usize,
        seen: &mut HashSet<(u64, usize)>,
        ends: &mut BTreeSet<usize>,
    ) {
        if !seen.insert((done, state)) {
            return;
        }
        let is_known = |entry: &Entry| !matches!(entry.answered, None | Some((_, Outcome::Unknown)));
        let left = || {
            let left = entries.iter().enumerate();
            left.filter(move |(at, _)| done & (1 << at) == 0)
        };
        if left().all(|(_, (_, entry))| !is_known(entry)) {
            ends.insert(state);
        }
        let earliest = left()
            .filter(|(_, (_, entry))| is_known(entry))
            .filter_map(|(_, (_, entry))| entry.answered.as_ref().map(|(at, _)| *at))
            .min()
            .unwrap_or(usize::MAX);
        for (at, ((task, act), entry)) in left() {
            // Whatever had answered before this one began stands before it.
            if entry.begun < earliest
                && let Some(next) = self.after(state, *task, *act, entry)
            {
                self.search(entries, done | (1 << at), next, seen, ends);
            }
        }
    }
}

impl std::fmt::Display for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for event in &self.events {
            match event {
                Event::Begun { task, act } => writeln!(f, "{} begins step {}", name_of(*task), act + 1)?,
                Event::Answered { task, act, outcome } => {
                    writeln!(f, "{} step {}: {outcome:?}", name_of(*task), act + 1)?;
                }
            }
        }
        Ok(())
    }
}
