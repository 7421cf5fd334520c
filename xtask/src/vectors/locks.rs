//! Traces of the locks.

use graven_model::protocol::locks::{Agent, Event, Hold, Mode, Rules, Wait, Zone, run, start, step};
use graven_model::protocol::traces::{Choices, locks_event};

use super::{example, list, replay};

pub fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    for (index, (words, rules)) in RULES.iter().enumerate() {
        // The whole protocol gets most of them.
        for turn in 0..if index == 0 { 10 } else { 3 } {
            let mut choices = Choices::new(100 * index as u64 + turn);
            let events: Vec<_> = (0..40).map(|_| locks_event(&mut choices, 3)).collect();
            examples.push(trace(&format!("Locks, {words}, seed {turn}."), *rules, 3, &events));
        }
    }
    for (name, agents, rules, events) in counterexamples() {
        examples.push(format!("example : Locks.{name} = {} := rfl", list(&events, event)));
        let words = format!("Locks, the counterexample `{name}`.");
        examples.push(trace(&words, rules, agents, &events));
        if rules != Rules::WHOLE {
            assert!(
                run(rules, &start(agents), &events).is_some() && run(Rules::WHOLE, &start(agents), &events).is_none()
            );
            examples.push(trace(
                &format!("{words} Kept by the rule."),
                Rules::WHOLE,
                agents,
                &events,
            ));
        }
    }
    examples
}

const WHOLE: Rules = Rules::WHOLE;
const UNORDERED: Rules = Rules {
    ordered: false,
    ..WHOLE
};
const UNGATED: Rules = Rules { gated: false, ..WHOLE };
const CROWDED: Rules = Rules { alone: false, ..WHOLE };
const RULES: [(&str, Rules); 4] = [
    ("every rule", WHOLE),
    ("without order", UNORDERED),
    ("without gate", UNGATED),
    ("without waiting", CROWDED),
];

fn take(agent: usize, zone: Zone, mode: Mode) -> [Event; 3] {
    [Event::Ask(agent, zone, mode), Event::Pass(agent), Event::Enter(agent)]
}

fn counterexamples() -> Vec<(&'static str, usize, Rules, Vec<Event>)> {
    use Event::{Ask, Enter, Pass, Release, Write};
    use Mode::{Exclusive, Shared};
    use Zone::{Object, Registry, WorkerQueue, Workflow};
    let embrace = [Ask(0, Object, Exclusive), Pass(0), Ask(1, Registry, Exclusive), Pass(1)];
    let waiting = [Ask(0, Object, Exclusive), Pass(0)];
    let round = [
        Ask(0, Workflow(7), Exclusive),
        Pass(0),
        Ask(2, Workflow(7), Shared),
        Release(1),
        Enter(0),
        Write(0, WorkerQueue(7)),
        Write(0, Workflow(7)),
        Pass(2),
        Release(0),
        Release(0),
        Enter(2),
    ];
    let one = |zone, mode| take(1, zone, mode).to_vec();
    vec![
        (
            "embrace",
            2,
            UNORDERED,
            [&take(0, Registry, Exclusive)[..], &take(1, Object, Exclusive), &embrace].concat(),
        ),
        (
            "overtaking",
            3,
            UNGATED,
            [
                &one(Object, Shared)[..],
                &waiting,
                &take(2, Object, Shared),
                &[Release(1)],
            ]
            .concat(),
        ),
        (
            "overlapping",
            2,
            CROWDED,
            [one(Object, Shared), take(0, Object, Exclusive).to_vec()].concat(),
        ),
        (
            "oneRound",
            3,
            WHOLE,
            [
                &one(Workflow(7), Shared)[..],
                &take(0, WorkerQueue(7), Exclusive),
                &round,
            ]
            .concat(),
        ),
    ]
}

fn trace(words: &str, rules: Rules, agents: usize, events: &[Event]) -> String {
    let (accepted, last) = replay(start(agents), events, |state, event| step(rules, state, event));
    let rules = format!("⟨{}, {}, {}⟩", rules.ordered, rules.gated, rules.alone);
    example(
        words,
        &format!("Locks.step {rules}"),
        &format!("(Locks.start {agents})"),
        &list(events, event),
        &accepted,
        &list(&last, agent),
    )
}

fn zone(zone: Zone) -> String {
    match zone {
        Zone::Registry => ".registry".into(),
        Zone::WorkerQueue(repository) => format!("(.workerQueue {repository})"),
        Zone::Workflow(repository) => format!("(.workflow {repository})"),
        Zone::Object => ".object".into(),
    }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Shared => ".shared",
        Mode::Exclusive => ".exclusive",
    }
}

fn event(event: &Event) -> String {
    match event {
        Event::Ask(agent, of, how) => format!(".ask {agent} {} {}", zone(*of), mode(*how)),
        Event::Pass(agent) => format!(".pass {agent}"),
        Event::Enter(agent) => format!(".enter {agent}"),
        Event::Release(agent) => format!(".release {agent}"),
        Event::GiveUp(agent) => format!(".giveUp {agent}"),
        Event::Die(agent) => format!(".die {agent}"),
        Event::Write(agent, of) => format!(".write {agent} {}", zone(*of)),
    }
}

fn agent(agent: &Agent) -> String {
    let held = list(&agent.held, |hold: &Hold| {
        format!("⟨{}, {}⟩", zone(hold.zone), mode(hold.mode))
    });
    let wait = match agent.wait {
        Wait::Nothing => ".nothing".into(),
        Wait::AtGate(of, how) => format!(".atGate {} {}", zone(of), mode(how)),
        Wait::AtLock(of, how) => format!(".atLock {} {}", zone(of), mode(how)),
    };
    format!("⟨{held}, {wait}⟩")
}
