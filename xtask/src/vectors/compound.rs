//! Traces of a change over several zones.

use graven_model::protocol::compound::cells::{Cell, Event, Inner, Rules, State, start, step};
use graven_model::protocol::traces::{Choices, compound_event};

use super::{example, list, lower, replay};

const WHOLE: Rules = Rules::WHOLE;
const UNMARKED: Rules = Rules {
    externals: false,
    ..WHOLE
};
const UNORDERED: Rules = Rules {
    ordered: false,
    ..WHOLE
};

pub fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    let rules = [
        ("every rule", WHOLE),
        ("without externals", UNMARKED),
        ("without order", UNORDERED),
    ];
    for (index, (words, rules)) in rules.into_iter().enumerate() {
        for turn in 0..if index == 0 { 12 } else { 3 } {
            let events = random(rules, 100 * index as u64 + turn);
            examples.push(trace(
                &format!("Several zones, {words}, seed {turn}."),
                rules,
                2,
                &events,
            ));
        }
    }
    for (name, zones, rules, events) in counterexamples() {
        examples.push(format!("example : Compound.{name} = {} := rfl", list(&events, event)));
        let words = format!("Several zones, the counterexample `{name}`.");
        examples.push(trace(&words, rules, zones, &events));
        if rules != WHOLE {
            examples.push(trace(&format!("{words} Kept by the rule."), WHOLE, zones, &events));
        }
    }
    examples
}

fn random(rules: Rules, seed: u64) -> Vec<Event> {
    let mut choices = Choices::new(seed);
    let (mut state, mut events) = (start(2), Vec::new());
    for _ in 0..24 {
        // Where nothing is accepted, the trace holds an event that is refused.
        let event = compound_event(&mut choices, rules, &state).unwrap_or(Event::Acknowledge);
        state = step(rules, &state, event).unwrap_or(state);
        events.push(event);
    }
    events
}

fn counterexamples() -> Vec<(&'static str, usize, Rules, Vec<Event>)> {
    use Event::{
        Acknowledge, Begin, CutExternal, CutInner, CutPart, Kill, Recover, SpendExternal, SpendUndo, StartWriting,
        SyncExternal, SyncInner, SyncPart, SyncPoint, SyncUndo, ToPoint, WriteExternal, WriteInner, WritePart,
        WritePoint, WriteUndo,
    };
    let prepared = [
        Begin,
        WriteUndo,
        WriteExternal(0),
        SyncUndo,
        SyncExternal(0),
        StartWriting,
    ];
    let parts = [WritePart(false), WriteInner(0, false)];
    let early = [ToPoint, WritePoint(false), SyncPoint, Kill, CutInner(0, 2)];
    let carried = [
        [SyncPart, SyncInner(0), ToPoint, WritePoint(false), SyncPoint],
        [Acknowledge, SpendExternal(0), Kill, CutExternal(0, 0), Recover],
    ];
    let rolled = [
        [Begin, WriteUndo, WriteExternal(0), WriteExternal(1), SyncUndo],
        [
            SyncExternal(0),
            SyncExternal(1),
            StartWriting,
            WritePart(false),
            WriteInner(0, true),
        ],
        [Kill, CutPart(7), Recover, WritePart(false), Kill],
        [Recover, WritePart(false), WriteInner(0, false), SyncPart, SyncInner(0)],
        [SpendExternal(0), Kill, Recover, SpendExternal(1), SpendUndo],
    ];
    let passed = [
        Begin,
        WriteUndo,
        SyncUndo,
        StartWriting,
        WriteInner(0, false),
        SyncInner(0),
        Kill,
        Recover,
        SpendUndo,
    ];
    vec![
        ("passedBy", 1, UNMARKED, passed.to_vec()),
        ("pointFirst", 1, UNORDERED, [&prepared[..], &parts, &early].concat()),
        ("rolledBack", 2, WHOLE, rolled.concat()),
        (
            "carriedOut",
            1,
            WHOLE,
            [&prepared[..], &parts, &carried.concat(), &[SpendExternal(0), SpendUndo]].concat(),
        ),
    ]
}

fn trace(words: &str, rules: Rules, zones: usize, events: &[Event]) -> String {
    let (accepted, last) = replay(start(zones), events, |state, event| step(rules, state, event));
    let step = format!("Compound.step ⟨{}, {}⟩", rules.externals, rules.ordered);
    let begin = format!("(Compound.start {zones})");
    example(words, &step, &begin, &list(events, event), &accepted, &state(&last))
}

/// The names are the same; what stands between brackets and commas there stands after blanks here.
fn event(event: &Event) -> String {
    lower(&format!("{event:?}").replace(['(', ','], " ").replace(')', "")).replace("  ", " ")
}

fn cell<T: std::fmt::Debug>(cell: &Cell<T>) -> String {
    let value = |value: &T| lower(&format!("{value:?}"));
    format!("⟨{}, {}⟩", value(&cell.reads), list(&cell.others, value))
}

fn state(state: &State) -> String {
    let inner = list(&state.inner, |inner: &Inner| {
        format!("⟨{}, {}⟩", cell(&inner.external), cell(&inner.part))
    });
    format!(
        "⟨{}, {}, {},\n    {inner}, {}, {}⟩",
        cell(&state.undo),
        cell(&state.part),
        cell(&state.point),
        lower(&format!("{:?}", state.phase)),
        state.acknowledged
    )
}
