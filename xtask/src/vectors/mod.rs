//! Concrete traces of the executable model as examples that the Lean kernel evaluates: `lean/Vectors.lean`.
//!
//! Each subject offers the same events to `model/src/protocol` here and to `lean/Model` there. If the two models do not
//! agree on which events are accepted, or on the state in the end, the Lean file does not compile.

mod closure;
mod compound;
mod locks;
mod queue;
mod transaction;

use std::fmt::Write as _;
use std::fs;

use crate::{Failure, house};

const FILE: &str = "lean/Vectors.lean";

/// Writes the file, or says that it is not what it would be.
pub fn run(check: bool) -> Result<String, Failure> {
    let examples: Vec<String> = [
        locks::examples(),
        queue::examples(),
        closure::examples(),
        compound::examples(),
        transaction::examples(),
    ]
    .concat();
    let mut text = String::from(
        "/-\nVectors.lean: traces of the executable model, made by `just vectors`; do not edit.\n\n\
         Each says: offered these events, the model here accepts the same ones and ends in the same state as the one in\n\
         `model/src/protocol`. The traces of the counterexamples stand here too.\n-/\nprelude\n\
         import Counterexamples.Closure\nimport Counterexamples.Compound\nimport Counterexamples.Locks\nimport Counterexamples.Queue\n\
         import Counterexamples.Traces\n",
    );
    for example in &examples {
        let _ = write!(text, "\n{example}\n");
    }
    let path = house().join(FILE);
    let now = fs::read_to_string(&path).unwrap_or_default();
    if now == text {
        return Ok(format!("{FILE}: {} examples, up to date", examples.len()));
    }
    if check {
        return Err(format!("{FILE} is not what the model computes; run `just vectors`"));
    }
    fs::write(&path, text).map_err(|error| format!("{FILE}: {error}"))?;
    Ok(format!("{FILE}: {} examples, written", examples.len()))
}

/// Offers events to a step; gives which were accepted, and the last state.
fn replay<S, E: Copy>(start: S, events: &[E], step: impl Fn(&S, E) -> Option<S>) -> (Vec<bool>, S) {
    let mut state = start;
    let mut accepted = Vec::new();
    for event in events {
        let next = step(&state, *event);
        accepted.push(next.is_some());
        state = next.unwrap_or(state);
    }
    (accepted, state)
}

/// A list in Lean's notation, broken into lines; a long one without brackets, which would need more of Lean's library.
fn list<T>(items: &[T], item: impl Fn(&T) -> String) -> String {
    let (open, between, close) = if items.len() > 20 {
        ("(", " ::", " :: [])")
    } else {
        ("[", ",", "]")
    };
    let mut text = String::from(open);
    let mut line = 0;
    for (index, part) in items.iter().map(item).enumerate() {
        if index > 0 {
            text.push_str(between);
            line += between.len();
            if line + part.len() > 100 {
                text.push_str("\n    ");
                line = 4;
            } else {
                text.push(' ');
            }
        }
        line += part.len() + 1;
        text.push_str(&part);
    }
    text + close
}

/// A constructor in Lean's notation: the models have the same names.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    format!(".{}{}", first.unwrap_or(' '), letters.as_str())
}

/// One example: a comment, the trace's beginning, its events and what comes of them.
fn example(words: &str, step: &str, start: &str, events: &str, accepted: &[bool], last: &str) -> String {
    let accepted = list(accepted, ToString::to_string);
    format!("/-- {words} -/\nexample : replay ({step}) {start}\n    {events} =\n  ⟨{accepted},\n    {last}⟩ := rfl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_vectors_is_what_the_model_computes() {
        run(true).unwrap();
    }

    #[test]
    fn every_subject_has_at_least_ten_traces() {
        for examples in [locks::examples(), queue::examples(), closure::examples()] {
            assert!(examples.len() >= 10);
            let traces = || examples.iter().filter(|example| example.contains("replay"));
            assert!(traces().all(|example| example.contains("true")));
        }
    }

    #[test]
    fn a_refused_event_changes_nothing() {
        let step = |state: &u32, event: u32| (event < 3).then_some(state + event);
        assert_eq!(replay(0, &[1, 5, 2], step), (vec![true, false, true], 3));
    }
}
