//! Random operations and crashes on the queue, judged by an onlooker who remembers what is over.

use std::collections::BTreeSet;

use super::*;
use crate::protocol::traces::{Choices, queue_event};

/// What an onlooker remembers: tokens that are over, and jobs whose attempt has ended since their last claim.
#[derive(Default)]
struct Onlooker {
    over: BTreeSet<u64>,
    ended: BTreeSet<usize>,
}

fn judge(onlooker: &mut Onlooker, before: &State, event: Event, after: &State) -> Result<(), String> {
    if event.presents().is_some_and(|token| onlooker.over.contains(&token)) {
        return Err("a stale token was accepted".into());
    }
    if event.ends().is_some_and(|job| !onlooker.ended.insert(job)) {
        return Err("an attempt ended twice".into());
    }
    if let Event::Claim { job, cut: false, .. } = event {
        onlooker.ended.remove(&job);
    }
    onlooker.over = after
        .issued
        .iter()
        .copied()
        .filter(|token| !after.is_live(*token))
        .collect();
    for (index, job) in after.jobs.iter().enumerate() {
        if !job.sound() {
            return Err(format!("job {index} is none that the format allows: {job:?}"));
        }
        let holders = |now| {
            after
                .issued
                .iter()
                .filter(move |token| after.may_act(Rules::WHOLE, index, **token, now))
        };
        if (0..300).any(|now| holders(now).count() > 1) {
            return Err(format!("job {index} has two holders"));
        }
        if let Some(old) = before.jobs.get(index)
            && (old.request, old.max_attempts, old.created) != (job.request, job.max_attempts, job.created)
        {
            return Err(format!("job {index} became another"));
        }
    }
    Ok(())
}

fn run_random(rules: Rules, seed: u64) -> Result<usize, String> {
    let mut choices = Choices::new(seed);
    let (mut state, mut onlooker, mut accepted) = (State::default(), Onlooker::default(), 0);
    for around in (10..250).step_by(2) {
        let event = queue_event(&mut choices, &state, around);
        if let Some(next) = step(rules, &state, event) {
            judge(&mut onlooker, &state, event, &next).map_err(|what| format!("{what}: {event:?} on {state:?}"))?;
            (state, accepted) = (next, accepted + 1);
        }
    }
    Ok(accepted)
}

#[test]
fn random_operations_and_crashes_keep_the_claims() {
    let accepted: usize = (0..400).map(|seed| run_random(Rules::WHOLE, seed).unwrap()).sum();
    assert!(accepted > 8000, "{accepted} of 48000 events were accepted");
}

#[test]
fn a_dropped_rule_is_found() {
    let whole = Rules::WHOLE;
    for (rules, what) in [
        (
            Rules {
                compares: false,
                ..whole
            },
            "a stale token was accepted",
        ),
        (Rules { single: false, ..whole }, "two holders"),
        (Rules { once: false, ..whole }, "an attempt ended twice"),
    ] {
        let found = (0..400).any(|seed| run_random(rules, seed).is_err_and(|error| error.contains(what)));
        assert!(found, "{what}");
    }
}
