//! A change over several zones, each an abstract cell: the mirror of `lean/Model/Compound.lean`, name by name.
//!
//! A zone's part of the change is old, mixed or new; a zone's store holds no valid record, a pending or a spent one. A cell
//! is what reads, with what a cut may bring instead. (The bytes behind the cells are explored by
//! [`crate::protocol::explore`].)
//!
//! Lean: `Claim_compound_is_all_or_nothing`, `Claim_compound_acknowledged_is_new`,
//! `Claim_compound_inner_alone_is_whole`, `Claim_compound_recovery_begins`, `Claim_compound_nobody_stays_blocked`.

/// A record in a zone's store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the proof's")]
pub enum Mark {
    Nothing,
    Pending,
    Spent,
}

/// A zone's part of the change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the proof's")]
pub enum Part {
    Old,
    Mixed,
    New,
}

/// What reads, and what a cut may bring instead, the newest first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the proof's")]
pub struct Cell<T> {
    pub reads: T,
    pub others: Vec<T>,
}

impl<T: Copy + PartialEq> Cell<T> {
    fn whole(reads: T) -> Self {
        Self {
            reads,
            others: Vec::new(),
        }
    }

    /// It reads so, and no cut brings anything else.
    pub fn sure(&self, value: T) -> bool {
        self.reads == value && self.others.iter().all(|other| *other == value)
    }

    fn sync(&mut self) {
        self.others.clear();
    }

    fn cut(&mut self, choice: usize) {
        self.reads = self.others.get(choice).copied().unwrap_or(self.reads);
        self.others.clear();
    }

    fn put(&mut self, value: T) {
        self.others.insert(0, self.reads);
        self.reads = value;
    }
}

impl Cell<Part> {
    fn write(&mut self, value: Part, torn: bool) {
        if !self.sure(value) {
            self.others.splice(0..0, [value, Part::Mixed, self.reads]);
            self.reads = if torn { Part::Mixed } else { value };
        }
    }
}

/// An inner zone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the proof's")]
pub struct Inner {
    pub external: Cell<Mark>,
    pub part: Cell<Part>,
}

impl Inner {
    fn is_named(&self) -> bool {
        self.external.reads == Mark::Pending
    }
}

/// Where the process stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the proof's model says what each is")]
pub enum Phase {
    Opened,
    Preparing,
    Writing,
    Pointing,
    Marking,
    Closed,
    Completing,
    Rolling,
}

/// The zones of the change.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the proof's")]
pub struct State {
    pub undo: Cell<Mark>,
    pub part: Cell<Part>,
    pub point: Cell<Part>,
    pub inner: Vec<Inner>,
    pub phase: Phase,
    pub acknowledged: bool,
}

/// Nothing is in doubt.
pub fn start(zones: usize) -> State {
    let inner = Inner {
        external: Cell::whole(Mark::Nothing),
        part: Cell::whole(Part::Old),
    };
    State {
        undo: Cell::whole(Mark::Nothing),
        part: Cell::whole(Part::Old),
        point: Cell::whole(Part::Old),
        inner: vec![inner; zones],
        phase: Phase::Opened,
        acknowledged: false,
    }
}

/// The rules, so that a counterexample can drop one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Parts are written only when every external record is durable.
    pub externals: bool,
    /// The commit point is written only when every part is durable.
    pub ordered: bool,
}

impl Rules {
    /// All of them.
    pub const WHOLE: Self = Self {
        externals: true,
        ordered: true,
    };
}

/// What may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the proof's model says what each is")]
pub enum Event {
    Begin,
    WriteUndo,
    WriteExternal(usize),
    SyncUndo,
    SyncExternal(usize),
    StartWriting,
    WritePart(bool),
    WriteInner(usize, bool),
    SyncPart,
    SyncInner(usize),
    ToPoint,
    WritePoint(bool),
    SyncPoint,
    Acknowledge,
    SpendExternal(usize),
    SpendUndo,
    Kill,
    CutUndo(usize),
    CutPart(usize),
    CutPoint(usize),
    CutExternal(usize, usize),
    CutInner(usize, usize),
    Recover,
    SpendStale(usize),
    Reopen,
}

impl State {
    fn parts_are(&self, value: Part) -> bool {
        self.part.sure(value) && self.inner.iter().all(|inner| inner.part.sure(value))
    }

    /// Every part and the commit point are durably so.
    pub fn all_are(&self, value: Part) -> bool {
        self.parts_are(value) && self.point.sure(value)
    }

    fn named_are(&self, value: Part) -> bool {
        let mut named = self.inner.iter().filter(|inner| inner.is_named());
        self.part.sure(value) && self.point.sure(value) && named.all(|inner| inner.part.sure(value))
    }

    fn target(&self) -> Option<Part> {
        match self.phase {
            Phase::Writing | Phase::Completing => Some(Part::New),
            Phase::Rolling => self.point.sure(Part::Old).then_some(Part::Old),
            _ => None,
        }
    }

    fn point_target(&self, rules: Rules) -> Option<Part> {
        match self.phase {
            Phase::Pointing => Some(Part::New),
            Phase::Completing => (!rules.ordered || self.parts_are(Part::New)).then_some(Part::New),
            Phase::Rolling => Some(Part::Old),
            _ => None,
        }
    }

    fn may_be_spent(&self) -> bool {
        match self.phase {
            Phase::Marking => true,
            Phase::Completing => self.named_are(Part::New),
            Phase::Rolling => self.named_are(Part::Old),
            _ => false,
        }
    }

    fn is_in_order(&self) -> bool {
        let mut named = self.inner.iter().filter(|inner| inner.is_named());
        self.point.reads == Part::Old
            || (self.part.reads == Part::New && named.all(|inner| inner.part.reads == Part::New))
    }
}

/// The state after an event; `None` where it is refused.
pub fn step(rules: Rules, state: &State, event: Event) -> Option<State> {
    let mut next = state.clone();
    let is = |phase: Phase| (state.phase == phase).then_some(());
    let alive = (state.phase != Phase::Closed).then_some(());
    let pending = state.undo.reads == Mark::Pending;
    let nobody_named = !state.inner.iter().any(Inner::is_named);
    match event {
        Event::Begin => {
            is(Phase::Opened)?;
            state.all_are(Part::Old).then_some(())?;
            next.phase = Phase::Preparing;
        }
        Event::WriteUndo => is(Phase::Preparing).map(|()| next.undo.put(Mark::Pending))?,
        Event::WriteExternal(zone) => {
            is(Phase::Preparing)?;
            next.inner.get_mut(zone)?.external.put(Mark::Pending);
        }
        Event::SyncUndo => alive.map(|()| next.undo.sync())?,
        Event::SyncExternal(zone) => alive.and(next.inner.get_mut(zone))?.external.sync(),
        Event::StartWriting => {
            is(Phase::Preparing)?;
            let externals = state.inner.iter().all(|inner| inner.external.sure(Mark::Pending));
            (state.undo.sure(Mark::Pending) && (!rules.externals || externals)).then_some(())?;
            next.phase = Phase::Writing;
        }
        Event::WritePart(torn) => next.part.write(state.target()?, torn),
        Event::WriteInner(zone, torn) => {
            let inner = next.inner.get_mut(zone)?;
            (state.phase == Phase::Writing || inner.is_named()).then_some(())?;
            inner.part.write(state.target()?, torn);
        }
        Event::SyncPart => alive.map(|()| next.part.sync())?,
        Event::SyncInner(zone) => alive.and(next.inner.get_mut(zone))?.part.sync(),
        Event::ToPoint => {
            is(Phase::Writing)?;
            (!rules.ordered || state.parts_are(Part::New)).then_some(())?;
            next.phase = Phase::Pointing;
        }
        Event::WritePoint(torn) => next.point.write(state.point_target(rules)?, torn),
        Event::SyncPoint => alive.map(|()| next.point.sync())?,
        Event::Acknowledge => {
            is(Phase::Pointing)?;
            state.point.sure(Part::New).then_some(())?;
            next.phase = Phase::Marking;
            next.acknowledged = true;
        }
        Event::SpendExternal(zone) => {
            let inner = next.inner.get_mut(zone)?;
            (state.may_be_spent() && inner.is_named()).then_some(())?;
            inner.external.put(Mark::Spent);
        }
        Event::SpendUndo => {
            (state.may_be_spent() && nobody_named).then_some(())?;
            next.undo.put(Mark::Spent);
            next.phase = Phase::Opened;
        }
        Event::Kill => next.phase = Phase::Closed,
        Event::CutUndo(choice) => is(Phase::Closed).map(|()| next.undo.cut(choice))?,
        Event::CutPart(choice) => is(Phase::Closed).map(|()| next.part.cut(choice))?,
        Event::CutPoint(choice) => is(Phase::Closed).map(|()| next.point.cut(choice))?,
        Event::CutExternal(zone, choice) => is(Phase::Closed).and(next.inner.get_mut(zone))?.external.cut(choice),
        Event::CutInner(zone, choice) => is(Phase::Closed).and(next.inner.get_mut(zone))?.part.cut(choice),
        Event::Recover => {
            is(Phase::Closed)?;
            (pending && state.is_in_order()).then_some(())?;
            next.undo.sync();
            for inner in next.inner.iter_mut().filter(|inner| inner.is_named()) {
                inner.external.sync();
            }
            let old = state.point.reads == Part::Old;
            next.phase = if old { Phase::Rolling } else { Phase::Completing };
        }
        Event::SpendStale(zone) => {
            let inner = next.inner.get_mut(zone)?;
            (state.phase == Phase::Closed && !pending && inner.is_named()).then_some(())?;
            inner.external.put(Mark::Spent);
        }
        Event::Reopen => {
            (state.phase == Phase::Closed && !pending && nobody_named).then_some(())?;
            next.phase = Phase::Opened;
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::traces::{Choices, compound_event};

    fn judge(state: &State) -> Result<(), String> {
        let alike = state.all_are(Part::Old) || state.all_are(Part::New);
        let blocked = state.inner.iter().any(Inner::is_named);
        if state.phase == Phase::Opened && (!alike || blocked) {
            return Err(format!("open with a half or a blocked zone: {state:?}"));
        }
        if state.acknowledged && !state.all_are(Part::New) {
            return Err(format!("an acknowledged change is not all new: {state:?}"));
        }
        if state.phase == Phase::Closed && state.undo.reads == Mark::Pending && !state.is_in_order() {
            return Err(format!("recovery finds evidence out of order: {state:?}"));
        }
        Ok(())
    }

    fn run_random(rules: Rules, seed: u64) -> Result<bool, String> {
        let mut choices = Choices::new(seed);
        let mut state = start(2);
        for _ in 0..200 {
            if let Some(event) = compound_event(&mut choices, rules, &state) {
                state = step(rules, &state, event).unwrap_or(state);
                judge(&state)?;
            }
        }
        Ok(state.acknowledged)
    }

    #[test]
    fn random_changes_over_three_zones_keep_the_claims_through_kills_and_cuts() {
        let acknowledged = (0..500).filter(|seed| run_random(Rules::WHOLE, *seed).unwrap()).count();
        assert!(acknowledged > 20, "{acknowledged} of 500 were acknowledged");
    }

    #[test]
    fn a_dropped_rule_is_found() {
        for rules in [
            Rules {
                externals: false,
                ..Rules::WHOLE
            },
            Rules {
                ordered: false,
                ..Rules::WHOLE
            },
        ] {
            assert!((0..3000).any(|seed| run_random(rules, seed).is_err()), "{rules:?}");
        }
    }
}
