//! The locks of several zones, their holders, and the gate: the mirror of `lean/Model/Locks.lean`, name by name.
//!
//! An agent is one open handle. It asks for one zone at a time and waits at the gate, then at the lock. A reader passes
//! the gate without keeping it; a writer that has passed keeps it until it holds the lock.
//!
//! Lean: `Claim_locks_no_circle`, `Claim_locks_no_deadlock`, `Claim_locks_writer_is_alone`,
//! `Claim_locks_reader_is_undisturbed`, `Claim_locks_gate_keeps_newcomers_out`, `Claim_locks_gate_lets_the_writer_in`.

/// A zone, by its place in the lock order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Zone {
    /// The registry's.
    Registry,
    /// The worker queue of a repository.
    WorkerQueue(u32),
    /// The workflow of a repository, or of a local store as repository 0.
    Workflow(u32),
    /// The objects'.
    Object,
}

impl Zone {
    /// The place in the lock order; `None` is the last.
    pub fn place(self) -> Option<u64> {
        match self {
            Self::Registry => Some(0),
            Self::WorkerQueue(repository) => Some(2 * u64::from(repository) + 1),
            Self::Workflow(repository) => Some(2 * u64::from(repository) + 2),
            Self::Object => None,
        }
    }

    /// The lock order.
    pub fn before(self, other: Self) -> bool {
        match (self.place(), other.place()) {
            (Some(mine), Some(others)) => mine < others,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Beside other readers.
    Shared,
    /// Alone.
    Exclusive,
}

/// A lock that is held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hold {
    /// Which one.
    pub zone: Zone,
    /// How.
    pub mode: Mode,
}

/// What an agent waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wait {
    /// Nothing.
    Nothing,
    /// Its way through the gate.
    AtGate(Zone, Mode),
    /// The lock.
    AtLock(Zone, Mode),
}

/// One open handle.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Agent {
    /// What it holds, the newest first.
    pub held: Vec<Hold>,
    /// What it waits for.
    pub wait: Wait,
}

impl Agent {
    /// Whether it holds the zone.
    pub fn holds(&self, zone: Zone) -> bool {
        self.held.iter().any(|hold| hold.zone == zone)
    }

    /// Whether it holds the zone alone.
    pub fn holds_exclusively(&self, zone: Zone) -> bool {
        self.held.contains(&Hold {
            zone,
            mode: Mode::Exclusive,
        })
    }

    /// The gate is kept by the writer that waits at the lock.
    pub fn keeps_gate(&self, zone: Zone) -> bool {
        self.wait == Wait::AtLock(zone, Mode::Exclusive)
    }

    /// Whether it waits for nothing.
    pub fn is_idle(&self) -> bool {
        self.wait == Wait::Nothing
    }

    /// Every zone that it holds comes before this one.
    pub fn is_below(&self, zone: Zone) -> bool {
        self.held.iter().all(|hold| hold.zone.before(zone))
    }
}

/// The agents by their names.
pub type State = Vec<Agent>;

/// `count` agents that hold and want nothing.
pub fn start(count: usize) -> State {
    let agent = Agent {
        held: Vec::new(),
        wait: Wait::Nothing,
    };
    vec![agent; count]
}

/// The rules, so that a counterexample can drop one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// A zone is only asked for when every zone held comes before it.
    pub ordered: bool,
    /// Who asks waits at the gate while a writer keeps it.
    pub gated: bool,
    /// A writer waits until nobody holds the lock.
    pub alone: bool,
}

impl Rules {
    /// All of them.
    pub const WHOLE: Self = Self {
        ordered: true,
        gated: true,
        alone: true,
    };
}

/// What may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// An agent asks for a zone.
    Ask(usize, Zone, Mode),
    /// It passes the gate.
    Pass(usize),
    /// It is given the lock.
    Enter(usize),
    /// It releases what it took last.
    Release(usize),
    /// It does not wait any longer.
    GiveUp(usize),
    /// Its process dies.
    Die(usize),
    /// It writes in a stage of a change.
    Write(usize, Zone),
}

fn may_enter(rules: Rules, zone: Zone, state: &State, mode: Mode) -> bool {
    match mode {
        Mode::Shared => !state.iter().any(|agent| agent.holds_exclusively(zone)),
        Mode::Exclusive => !rules.alone || !state.iter().any(|agent| agent.holds(zone)),
    }
}

/// The state after an event; `None` where it is refused or has to wait.
pub fn step(rules: Rules, state: &State, event: Event) -> Option<State> {
    let (Event::Ask(name, ..)
    | Event::Pass(name)
    | Event::Enter(name)
    | Event::Release(name)
    | Event::GiveUp(name)
    | Event::Die(name)
    | Event::Write(name, _)) = event;
    let mut agent = state.get(name)?.clone();
    match event {
        Event::Ask(_, zone, mode) => {
            (agent.is_idle() && (!rules.ordered || agent.is_below(zone))).then_some(())?;
            agent.wait = Wait::AtGate(zone, mode);
        }
        Event::Pass(_) => {
            let Wait::AtGate(zone, mode) = agent.wait else {
                return None;
            };
            (!rules.gated || !state.iter().any(|other| other.keeps_gate(zone))).then_some(())?;
            agent.wait = Wait::AtLock(zone, mode);
        }
        Event::Enter(_) => {
            let Wait::AtLock(zone, mode) = agent.wait else {
                return None;
            };
            may_enter(rules, zone, state, mode).then_some(())?;
            agent.held.insert(0, Hold { zone, mode });
            agent.wait = Wait::Nothing;
        }
        Event::Release(_) => {
            (agent.is_idle() && !agent.held.is_empty()).then_some(())?;
            agent.held.remove(0);
        }
        Event::GiveUp(_) => agent.wait = Wait::Nothing,
        Event::Die(_) => {
            agent.held.clear();
            agent.wait = Wait::Nothing;
        }
        Event::Write(_, zone) => (agent.is_idle() && agent.holds_exclusively(zone)).then_some(())?,
    }
    let mut next = state.clone();
    next[name] = agent;
    Some(next)
}

/// The state after all events.
pub fn run(rules: Rules, state: &State, events: &[Event]) -> Option<State> {
    events
        .iter()
        .try_fold(state.clone(), |state, event| step(rules, &state, *event))
}

/// Whether what `other` has keeps `agent` waiting.
pub fn obstructs(rules: Rules, agent: &Agent, other: &Agent) -> bool {
    match agent.wait {
        Wait::Nothing => false,
        Wait::AtGate(zone, _) => rules.gated && other.keeps_gate(zone),
        Wait::AtLock(zone, Mode::Shared) => other.holds_exclusively(zone),
        Wait::AtLock(zone, Mode::Exclusive) => rules.alone && other.holds(zone),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const ZONES: [Zone; 2] = [Zone::Workflow(0), Zone::Object];

    fn events(agents: usize) -> Vec<Event> {
        let mut events = Vec::new();
        for agent in 0..agents {
            events.extend([Event::Pass(agent), Event::Enter(agent), Event::Release(agent)]);
            events.extend([Event::GiveUp(agent), Event::Die(agent)]);
            for zone in ZONES {
                events.push(Event::Write(agent, zone));
                events.extend([Mode::Shared, Mode::Exclusive].map(|mode| Event::Ask(agent, zone, mode)));
            }
        }
        events
    }

    fn judge(state: &State) -> Result<(), String> {
        for (name, agent) in state.iter().enumerate() {
            for (other_name, other) in state.iter().enumerate().filter(|(other, _)| *other != name) {
                for zone in ZONES {
                    if agent.holds_exclusively(zone) && other.holds(zone) {
                        return Err(format!("{name} is not alone in {zone:?}"));
                    }
                    if agent.holds(zone) && step(Rules::WHOLE, state, Event::Write(other_name, zone)).is_some() {
                        return Err(format!("{other_name} writes under {name}'s eyes"));
                    }
                }
            }
        }
        let waits = state.iter().any(|agent| !agent.is_idle());
        let goes_on = (0..state.len()).any(|agent| {
            [Event::Pass(agent), Event::Enter(agent), Event::Release(agent)]
                .iter()
                .any(|event| step(Rules::WHOLE, state, *event).is_some())
        });
        if waits && !goes_on {
            return Err("nobody can go on".into());
        }
        Ok(())
    }

    /// The number of states, or the first that a claim does not hold in.
    fn explore(rules: Rules, agents: usize) -> Result<usize, String> {
        let first = start(agents);
        let (mut seen, mut open) = (HashSet::from([first.clone()]), vec![first]);
        while let Some(state) = open.pop() {
            judge(&state).map_err(|what| format!("{what}: {state:?}"))?;
            for event in events(agents) {
                if let Some(next) = step(rules, &state, event)
                    && seen.insert(next.clone())
                {
                    open.push(next);
                }
            }
        }
        Ok(seen.len())
    }

    #[test]
    fn every_state_of_three_agents_and_two_zones_keeps_the_claims() {
        assert!(explore(Rules::WHOLE, 3).unwrap() > 1000);
    }

    #[test]
    fn a_dropped_rule_is_found() {
        let unordered = Rules {
            ordered: false,
            ..Rules::WHOLE
        };
        assert!(explore(unordered, 2).unwrap_err().contains("nobody can go on"));
        let crowded = Rules {
            alone: false,
            ..Rules::WHOLE
        };
        assert!(explore(crowded, 2).is_err());
    }

    #[test]
    fn without_the_gate_a_reader_overtakes_a_waiting_writer() {
        let ungated = Rules {
            gated: false,
            ..Rules::WHOLE
        };
        let (zone, mode) = (Zone::Object, Mode::Shared);
        let late = [
            Event::Ask(1, zone, mode),
            Event::Pass(1),
            Event::Enter(1),
            Event::Ask(0, zone, Mode::Exclusive),
            Event::Pass(0),
            Event::Ask(2, zone, mode),
            Event::Pass(2),
        ];
        assert!(run(ungated, &start(3), &late).is_some());
        assert!(run(Rules::WHOLE, &start(3), &late).is_none());
    }
}
