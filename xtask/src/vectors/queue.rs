//! Traces of the worker queue.

use graven_model::protocol::queue::{
    Cut, Disposition, Ending, Event, Fault, Job, Lease, Outcome, Rules, State, Status, step,
};
use graven_model::protocol::traces::{Choices, queue_event};

use super::{example, list, lower, replay};

const WHOLE: Rules = Rules::WHOLE;
const CARELESS: Rules = Rules {
    compares: false,
    ..WHOLE
};
const PILING: Rules = Rules { single: false, ..WHOLE };
const REPEATING: Rules = Rules { once: false, ..WHOLE };
const UNBOUNDED: Rules = Rules { budget: false, ..WHOLE };

pub fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    let rules = [
        ("every rule", WHOLE),
        ("without comparing the token", CARELESS),
        ("without removing older leases", PILING),
        ("without asking whether the job runs", REPEATING),
        ("without comparing with the maximum", UNBOUNDED),
    ];
    for (index, (words, rules)) in rules.into_iter().enumerate() {
        for turn in 0..if index == 0 { 10 } else { 2 } {
            let events = random(rules, 100 * index as u64 + turn);
            let words = format!("Queue, {words}, seed {turn}.");
            examples.push(trace(&words, rules, &State::default(), &events));
        }
    }
    for (name, rules, mut events, last) in counterexamples() {
        examples.push(format!("example : Queue.{name} = {} := rfl", list(&events, event)));
        events.extend(last);
        let words = format!("Queue, the counterexample `{name}`.");
        examples.push(trace(&words, rules, &State::default(), &events));
        if rules != WHOLE {
            examples.push(trace(
                &format!("{words} Kept by the rule."),
                WHOLE,
                &State::default(),
                &events,
            ));
        }
    }
    let claim = [claim(102, 50, 60, false)];
    for rules in [UNBOUNDED, WHOLE] {
        examples.push(trace(
            "Queue, the counterexample `overdrawn`.",
            rules,
            &overdrawn(),
            &claim,
        ));
    }
    examples.push(format!("example : Queue.overdrawn = {} := rfl", state(&overdrawn())));
    examples
}

fn random(rules: Rules, seed: u64) -> Vec<Event> {
    let mut choices = Choices::new(seed);
    let (mut state, mut events) = (State::default(), Vec::new());
    for around in (10..90).step_by(2) {
        let event = queue_event(&mut choices, &state, around);
        state = step(rules, &state, event).unwrap_or(state);
        events.push(event);
    }
    events
}

fn claim(token: u64, now: u64, expires: u64, cut: bool) -> Event {
    Event::Claim {
        job: 0,
        token,
        now,
        expires,
        cut,
    }
}

fn completed(token: u64, now: u64, skipped: bool, cut: Cut) -> Event {
    Event::Finish {
        job: 0,
        token,
        now,
        ending: Ending::Complete { skipped },
        cut,
    }
}

fn enqueued(max_attempts: u64) -> Event {
    Event::Enqueue {
        request: 7,
        max_attempts,
        available: 10,
        now: 10,
        disposition: Disposition::Queued,
    }
}

fn lost(now: u64, delay: u64) -> Event {
    Event::Lost { job: 0, now, delay }
}

/// Each trace of the counterexamples, and the event that shows what is wrong.
fn counterexamples() -> Vec<(&'static str, Rules, Vec<Event>, Option<Event>)> {
    let done = completed(101, 55, false, Cut::Nowhere);
    vec![
        (
            "lateWorker",
            CARELESS,
            vec![
                enqueued(3),
                claim(101, 20, 30, false),
                lost(40, 5),
                claim(102, 50, 60, false),
            ],
            Some(done),
        ),
        (
            "cutClaim",
            PILING,
            vec![enqueued(3), claim(101, 20, 90, true), claim(102, 30, 90, false)],
            Some(done),
        ),
        (
            "finishedJob",
            REPEATING,
            vec![
                enqueued(3),
                claim(101, 20, 90, false),
                completed(101, 30, false, Cut::Nowhere),
            ],
            Some(lost(100, 5)),
        ),
        (
            "lastAttempt",
            WHOLE,
            vec![enqueued(1), claim(101, 20, 30, false), lost(40, 5)],
            None,
        ),
        (
            "twoAttempts",
            WHOLE,
            vec![
                enqueued(2),
                claim(101, 20, 80, false),
                Event::Heartbeat {
                    job: 0,
                    token: 101,
                    now: 30,
                    expires: 90,
                    cut: false,
                },
                Event::Forget { token: 101 },
                Event::Reload { now: 40 },
                lost(40, 15),
                claim(102, 60, 120, false),
                completed(102, 70, true, Cut::RowOnly),
                Event::Reload { now: 75 },
            ],
            None,
        ),
    ]
}

fn overdrawn() -> State {
    let job = Job {
        request: 7,
        status: Status::Queued,
        outcome: Outcome::None,
        error: Fault::LeaseExpired,
        attempts: 1,
        max_attempts: 1,
        available: 45,
        locked: 0,
        created: 10,
        updated: 40,
        dropped: false,
    };
    State {
        jobs: vec![job],
        leases: Vec::new(),
        issued: vec![101],
    }
}

fn trace(words: &str, rules: Rules, start: &State, events: &[Event]) -> String {
    let (accepted, last) = replay(start.clone(), events, |state, event| step(rules, state, event));
    let rules = format!(
        "⟨{}, {}, {}, {}⟩",
        rules.compares, rules.single, rules.once, rules.budget
    );
    example(
        words,
        &format!("Queue.step {rules}"),
        &state(start),
        &list(events, event),
        &accepted,
        &state(&last),
    )
}

fn event(event: &Event) -> String {
    match event {
        Event::Enqueue {
            request,
            max_attempts,
            available,
            now,
            disposition,
        } => {
            let as_what = lower(&format!("{disposition:?}"));
            format!(".enqueue {request} {max_attempts} {available} {now} {as_what}")
        }
        Event::Claim {
            job,
            token,
            now,
            expires,
            cut,
        } => format!(".claim {job} {token} {now} {expires} {cut}"),
        Event::Heartbeat {
            job,
            token,
            now,
            expires,
            cut,
        } => {
            format!(".heartbeat {job} {token} {now} {expires} {cut}")
        }
        Event::Finish {
            job,
            token,
            now,
            ending,
            cut,
        } => {
            let ending = match ending {
                Ending::Complete { skipped } => format!("(.complete {skipped})"),
                Ending::Retry { available, expired } => format!("(.retry {available} {expired})"),
                Ending::Fail { expired } => format!("(.fail {expired})"),
            };
            format!(".finish {job} {token} {now} {ending} {}", lower(&format!("{cut:?}")))
        }
        Event::Lost { job, now, delay } => format!(".lost {job} {now} {delay}"),
        Event::Forget { token } => format!(".forget {token}"),
        Event::Reload { now } => format!(".reload {now}"),
        Event::Drop { now } => format!(".drop {now}"),
    }
}

fn job(job: &Job) -> String {
    let Job {
        request,
        attempts,
        max_attempts,
        available,
        locked,
        created,
        updated,
        dropped,
        ..
    } = job;
    let [status, outcome, error] = [
        format!("{:?}", job.status),
        format!("{:?}", job.outcome),
        format!("{:?}", job.error),
    ]
    .map(|name| lower(&name));
    format!(
        "⟨{request}, {status}, {outcome}, {error}, {attempts}, {max_attempts}, {available}, {locked}, {created}, \
         {updated}, {dropped}⟩"
    )
}

fn state(state: &State) -> String {
    let leases = list(&state.leases, |lease: &Lease| {
        let Lease {
            job,
            attempt,
            token,
            heartbeat,
            expires,
        } = lease;
        format!("⟨{job}, {attempt}, {token}, {heartbeat}, {expires}⟩")
    });
    format!(
        "⟨{}, {leases}, {}⟩",
        list(&state.jobs, job),
        list(&state.issued, u64::to_string)
    )
}
