//! The registry's rows and the numeric directories: the mirror of `lean/Model/Closure.lean`, name by name.
//!
//! A repository is built in its numeric directory: made, filled, synced, then its entry in the parent; only then its row is
//! appended, and that row is the commit point. A row change stands as [`Pending`], which a cut keeps or loses and which
//! recovery settles either way.
//!
//! Lean: `Claim_closure_agrees_when_open`, `Claim_closure_half_made_is_unreachable`, `Claim_closure_recovery_ends`,
//! `Claim_closure_rows_stay`.

/// The lifecycle of a repository.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the format's")]
pub enum Lifecycle {
    Active,
    Retiring,
    Purged,
}

impl Lifecycle {
    /// The lifecycles that may follow one another.
    pub fn may_become(self, to: Self) -> bool {
        matches!(
            (self, to),
            (Self::Active, Self::Retiring) | (Self::Retiring, Self::Active | Self::Purged)
        )
    }
}

/// What a directory holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// A part of what belongs there.
    Part,
    /// All of it.
    Whole,
}

/// A directory as it reads, and what of it is durable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Directory {
    /// `None`: there is none.
    pub reads: Option<Content>,
    /// The parent's sync has seen the entry as it reads.
    pub entry_durable: bool,
    /// Its own sync has seen the content as it reads.
    pub content_durable: bool,
}

/// No directory.
pub const ABSENT: Directory = durable(None);
/// A whole one, for good.
pub const SETTLED: Directory = durable(Some(Content::Whole));

const fn durable(reads: Option<Content>) -> Directory {
    Directory {
        reads,
        entry_durable: true,
        content_durable: true,
    }
}

impl Directory {
    fn cut(self, choice: Choice) -> Self {
        let entry = self.entry_durable || choice.entry;
        match self.reads {
            None if entry => ABSENT,
            Some(_) if !entry => ABSENT,
            Some(Content::Whole) if self.content_durable || choice.content => SETTLED,
            // A removal that is lost brings the directory back, emptied; a content that is lost is there in part.
            None | Some(_) => durable(Some(Content::Part)),
        }
    }
}

/// A row change that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// None.
    Nothing,
    /// A new row.
    Append,
    /// Another lifecycle for a row.
    Replace(usize, Lifecycle),
}

/// Where the process stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// No process, or one that must recover first.
    Closed,
    /// Open, and nothing runs.
    Idle,
    /// The tail directory is being built.
    Making,
    /// A row change is being written.
    Committing,
    /// Recovery removes the tail directory.
    Removing,
}

/// The registry and the directories.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The durable rows.
    pub rows: Vec<Lifecycle>,
    /// What may become of them.
    pub pending: Pending,
    /// The directories of the rows, by number.
    pub directories: Vec<Directory>,
    /// The directory whose number is the count of rows.
    pub tail: Directory,
    /// Where the process stands.
    pub phase: Phase,
}

impl Default for State {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            pending: Pending::Nothing,
            directories: Vec::new(),
            tail: ABSENT,
            phase: Phase::Closed,
        }
    }
}

impl State {
    /// The state when the pending change has happened, or has not.
    #[must_use]
    pub fn settled(&self, happened: bool) -> Self {
        let mut next = self.clone();
        next.pending = Pending::Nothing;
        match self.pending {
            Pending::Append if happened => {
                next.rows.push(Lifecycle::Active);
                next.directories.push(self.tail);
                next.tail = ABSENT;
            }
            Pending::Replace(row, to) if happened => {
                if let Some(now) = next.rows.get_mut(row) {
                    *now = to;
                }
            }
            _ => {}
        }
        next
    }

    /// Rows and directories agree exactly.
    pub fn agrees(&self) -> bool {
        self.directories.len() == self.rows.len()
            && self.directories.iter().all(|directory| *directory == SETTLED)
            && self.tail == ABSENT
    }
}

/// The rules, so that a counterexample can drop one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The row is appended only when directory and entry are durable.
    pub synced: bool,
    /// Recovery removes the tail directory.
    pub removes: bool,
}

impl Rules {
    /// All of them.
    pub const WHOLE: Self = Self {
        synced: true,
        removes: true,
    };
}

/// The choice of a cut: what it keeps as it reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "they say what they are")]
pub struct Choice {
    pub entry: bool,
    pub content: bool,
    pub row: bool,
}

/// What may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the proof's model says what each is")]
pub enum Event {
    Make,
    Fill,
    SyncContent,
    SyncEntry,
    Append,
    Replace(usize, Lifecycle),
    Commit,
    Abandon,
    Kill,
    Cut(Choice),
    Settle(bool),
    Remove,
    SyncRemoved,
    Opened,
}

/// The state after an event; `None` where it is refused.
pub fn step(rules: Rules, state: &State, event: Event) -> Option<State> {
    let mut next = state.clone();
    let recovering = matches!(state.phase, Phase::Closed | Phase::Removing);
    let quiet = state.pending == Pending::Nothing;
    let making = state.phase == Phase::Making;
    match event {
        Event::Make => {
            (state.phase == Phase::Idle && state.tail == ABSENT).then_some(())?;
            next.tail = Directory {
                reads: Some(Content::Part),
                entry_durable: false,
                content_durable: false,
            };
            next.phase = Phase::Making;
        }
        Event::Fill => {
            (making && state.tail.reads == Some(Content::Part)).then_some(())?;
            next.tail.reads = Some(Content::Whole);
            next.tail.content_durable = false;
        }
        Event::SyncContent => {
            making.then_some(())?;
            next.tail.content_durable = true;
        }
        Event::SyncEntry => {
            making.then_some(())?;
            next.tail.entry_durable = true;
        }
        Event::Append => {
            (making && (!rules.synced || state.tail == SETTLED)).then_some(())?;
            next.pending = Pending::Append;
            next.phase = Phase::Committing;
        }
        Event::Replace(row, to) => {
            (state.phase == Phase::Idle && state.rows.get(row)?.may_become(to)).then_some(())?;
            next.pending = Pending::Replace(row, to);
            next.phase = Phase::Committing;
        }
        Event::Commit => {
            (state.phase == Phase::Committing).then_some(())?;
            next = state.settled(true);
            next.phase = Phase::Idle;
        }
        Event::Abandon => {
            making.then_some(())?;
            next.phase = Phase::Removing;
        }
        Event::Kill => next.phase = Phase::Closed,
        Event::Cut(choice) => {
            next = state.settled(choice.row);
            for directory in &mut next.directories {
                *directory = directory.cut(choice);
            }
            next.tail = next.tail.cut(choice);
            next.phase = Phase::Closed;
        }
        Event::Settle(happened) => {
            (state.phase == Phase::Closed).then_some(())?;
            next = state.settled(happened);
        }
        Event::Remove => {
            (recovering && quiet && rules.removes).then_some(())?;
            match state.tail.reads? {
                Content::Whole => {
                    next.tail.reads = Some(Content::Part);
                    next.tail.content_durable = false;
                }
                Content::Part => {
                    next.tail = Directory {
                        reads: None,
                        entry_durable: false,
                        content_durable: true,
                    };
                }
            }
            next.phase = Phase::Removing;
        }
        Event::SyncRemoved => {
            (recovering && state.tail.reads.is_none()).then_some(())?;
            next.tail = ABSENT;
        }
        Event::Opened => {
            (recovering && quiet && (!rules.removes || state.tail == ABSENT)).then_some(())?;
            next.phase = Phase::Idle;
        }
    }
    Some(next)
}

/// The state after all events.
pub fn run(rules: Rules, state: &State, events: &[Event]) -> Option<State> {
    events
        .iter()
        .try_fold(state.clone(), |state, event| step(rules, &state, *event))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::protocol::traces::every_closure_event;

    fn judge(state: &State) -> Result<(), String> {
        let reachable = state.settled(true);
        if reachable.directories.iter().any(|directory| *directory != SETTLED) {
            return Err(format!("a half-made directory has a row: {state:?}"));
        }
        if state.phase == Phase::Idle && !state.agrees() {
            return Err(format!("open, and rows and directories do not agree: {state:?}"));
        }
        Ok(())
    }

    fn explore(rules: Rules, most_rows: usize) -> Result<usize, String> {
        let (mut seen, mut open) = (HashSet::from([State::default()]), vec![State::default()]);
        while let Some(state) = open.pop() {
            judge(&state)?;
            for event in every_closure_event(most_rows) {
                if let Some(next) = step(rules, &state, event)
                    && next.rows.len() <= most_rows
                    && seen.insert(next.clone())
                {
                    open.push(next);
                }
            }
        }
        Ok(seen.len())
    }

    #[test]
    fn every_crash_of_every_create_retire_and_purge_of_three_repositories_keeps_the_claims() {
        assert!(explore(Rules::WHOLE, 3).unwrap() > 500);
    }

    #[test]
    fn a_dropped_rule_is_found() {
        let hasty = Rules {
            synced: false,
            ..Rules::WHOLE
        };
        assert!(explore(hasty, 2).unwrap_err().starts_with("a half-made directory"));
        let leaving = Rules {
            removes: false,
            ..Rules::WHOLE
        };
        assert!(explore(leaving, 2).unwrap_err().starts_with("open, and rows"));
    }
}
