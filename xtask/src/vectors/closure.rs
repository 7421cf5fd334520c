//! Traces of the registry's rows and directories.

use graven_model::protocol::closure::{
    Choice, Content, Directory, Event, Lifecycle, Pending, Phase, Rules, State, step,
};
use graven_model::protocol::traces::{Choices, closure_event};

use super::{example, list, lower, replay};

const WHOLE: Rules = Rules::WHOLE;
const HASTY: Rules = Rules { synced: false, ..WHOLE };
const LEAVING: Rules = Rules {
    removes: false,
    ..WHOLE
};

pub fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    let rules = [
        ("every rule", WHOLE),
        ("without syncs", HASTY),
        ("without removal", LEAVING),
    ];
    for (index, (words, rules)) in rules.into_iter().enumerate() {
        for turn in 0..if index == 0 { 12 } else { 3 } {
            let events = random(rules, 100 * index as u64 + turn);
            examples.push(trace(&format!("Closure, {words}, seed {turn}."), rules, &events));
        }
    }
    for (name, rules, events) in counterexamples() {
        examples.push(format!("example : Closure.{name} = {} := rfl", list(&events, event)));
        let words = format!("Closure, the counterexample `{name}`.");
        examples.push(trace(&words, rules, &events));
        if rules != WHOLE {
            examples.push(trace(&format!("{words} Kept by the rule."), WHOLE, &events));
        }
    }
    examples
}

fn random(rules: Rules, seed: u64) -> Vec<Event> {
    let mut choices = Choices::new(seed);
    let (mut state, mut events) = (State::default(), Vec::new());
    for _ in 0..40 {
        // Where nothing is accepted, the trace holds an event that is refused.
        let event = closure_event(&mut choices, rules, &state).unwrap_or(Event::Append);
        state = step(rules, &state, event).unwrap_or(state);
        events.push(event);
    }
    events
}

fn cut(entry: bool, content: bool, row: bool) -> Event {
    Event::Cut(Choice { entry, content, row })
}

fn counterexamples() -> Vec<(&'static str, Rules, Vec<Event>)> {
    use Event::{
        Append, Commit, Fill, Kill, Make, Opened, Remove, Replace, Settle, SyncContent, SyncEntry, SyncRemoved,
    };
    use Lifecycle::{Purged, Retiring};
    let one_life = [
        vec![
            Opened,
            Make,
            Fill,
            cut(true, false, false),
            Settle(false),
            Remove,
            Kill,
            Settle(false),
        ],
        vec![
            cut(false, true, false),
            Settle(false),
            Remove,
            SyncRemoved,
            Opened,
            Make,
            Fill,
            SyncContent,
            SyncEntry,
        ],
        vec![
            Append,
            Commit,
            Replace(0, Retiring),
            Commit,
            Replace(0, Purged),
            Kill,
            Settle(true),
            Opened,
        ],
    ];
    vec![
        (
            "earlyRow",
            HASTY,
            vec![
                Opened,
                Make,
                Fill,
                Append,
                cut(false, false, true),
                Settle(true),
                Opened,
            ],
        ),
        (
            "halfMade",
            HASTY,
            vec![Opened, Make, Fill, SyncEntry, Append, cut(true, false, true)],
        ),
        (
            "leftOver",
            LEAVING,
            vec![Opened, Make, Fill, SyncContent, SyncEntry, Kill, Settle(false), Opened],
        ),
        ("oneLife", WHOLE, one_life.concat()),
    ]
}

fn trace(words: &str, rules: Rules, events: &[Event]) -> String {
    let (accepted, last) = replay(State::default(), events, |state, event| step(rules, state, event));
    let rules = format!("⟨{}, {}⟩", rules.synced, rules.removes);
    let step = format!("Closure.step {rules}");
    example(
        words,
        &step,
        "Closure.empty",
        &list(events, event),
        &accepted,
        &state(&last),
    )
}

fn lifecycle(lifecycle: Lifecycle) -> String {
    lower(&format!("{lifecycle:?}"))
}

fn event(event: &Event) -> String {
    match event {
        Event::Replace(row, to) => format!(".replace {row} {}", lifecycle(*to)),
        Event::Cut(Choice { entry, content, row }) => format!(".cut ⟨{entry}, {content}, {row}⟩"),
        Event::Settle(happened) => format!(".settle {happened}"),
        other => lower(&format!("{other:?}")),
    }
}

fn directory(directory: Directory) -> String {
    let reads = match directory.reads {
        None => "none",
        Some(Content::Part) => "some .part",
        Some(Content::Whole) => "some .whole",
    };
    format!("⟨{reads}, {}, {}⟩", directory.entry_durable, directory.content_durable)
}

fn state(state: &State) -> String {
    let pending = match state.pending {
        Pending::Nothing => ".nothing".into(),
        Pending::Append => ".append".into(),
        Pending::Replace(row, to) => format!(".replace {row} {}", lifecycle(to)),
    };
    let phase: Phase = state.phase;
    format!(
        "⟨{}, {pending}, {}, {}, {}⟩",
        list(&state.rows, |row| lifecycle(*row)),
        list(&state.directories, |of| directory(*of)),
        directory(state.tail),
        lower(&format!("{phase:?}"))
    )
}
