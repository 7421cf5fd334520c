//! Seeded choices for traces: the same seed gives the same trace everywhere, so what is made from them can be compared.

use super::compound::cells;
use super::{closure, locks, queue};

/// A generator of choices; not for secrets.
#[derive(Clone, Debug)]
pub struct Choices(u64);

impl Choices {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`; 0 where the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // xorshift with a multiplication; the upper bits are the good ones.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33)
            .checked_rem(bound)
            .unwrap_or(0)
    }

    /// Heads or tails.
    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn pick<T: Copy>(choices: &mut Choices, of: &[T]) -> Option<T> {
    let at = choices.below(of.len() as u64);
    usize::try_from(at).ok().and_then(|at| of.get(at)).copied()
}

/// An event of the locks that may or may not be accepted; `agents` of them.
pub fn locks_event(choices: &mut Choices, agents: u64) -> locks::Event {
    let agent = usize::try_from(choices.below(agents)).unwrap_or(0);
    let zones = [
        locks::Zone::Registry,
        locks::Zone::WorkerQueue(3),
        locks::Zone::Workflow(3),
        locks::Zone::Object,
    ];
    let zone = pick(choices, &zones).unwrap_or(locks::Zone::Object);
    let mode = if choices.coin() {
        locks::Mode::Shared
    } else {
        locks::Mode::Exclusive
    };
    match choices.below(12) {
        0..=3 => locks::Event::Ask(agent, zone, mode),
        4..=5 => locks::Event::Pass(agent),
        6..=7 => locks::Event::Enter(agent),
        8 => locks::Event::Release(agent),
        9 => locks::Event::GiveUp(agent),
        10 => locks::Event::Write(agent, zone),
        _ => locks::Event::Die(agent),
    }
}

/// An event of the queue that may or may not be accepted, at about this time.
pub fn queue_event(choices: &mut Choices, state: &queue::State, around: u64) -> queue::Event {
    let job = usize::try_from(choices.below(state.jobs.len() as u64 + 1)).unwrap_or(0);
    let now = around + choices.below(8);
    let token = match pick(choices, &state.issued) {
        Some(token) if choices.below(5) > 0 => token,
        _ => 100 + choices.below(40),
    };
    let fresh = 100 + state.issued.len() as u64;
    let expires = now + choices.below(60);
    let available = choices.below(2) * (now + choices.below(9));
    let of_lease = choices.coin();
    let ending = match choices.below(3) {
        0 => queue::Ending::Complete { skipped: of_lease },
        1 => queue::Ending::Retry {
            available,
            expired: of_lease,
        },
        _ => queue::Ending::Fail { expired: of_lease },
    };
    let cut = pick(
        choices,
        &[queue::Cut::Nowhere, queue::Cut::RowOnly, queue::Cut::MirrorOnly],
    );
    let cut = cut.unwrap_or(queue::Cut::Nowhere);
    let dispositions = [
        queue::Disposition::Queued,
        queue::Disposition::Queued,
        queue::Disposition::Attached,
        queue::Disposition::Skipped,
        queue::Disposition::Superseded,
    ];
    let disposition = pick(choices, &dispositions).unwrap_or(queue::Disposition::Queued);
    let cut_claim = choices.below(4) == 0;
    match choices.below(if state.jobs.len() < 3 { 22 } else { 18 }) {
        0..=4 => queue::Event::Claim {
            job,
            token: fresh,
            now,
            expires,
            cut: cut_claim,
        },
        5..=7 => queue::Event::Heartbeat {
            job,
            token,
            now,
            expires,
            cut: cut_claim,
        },
        8..=11 => queue::Event::Finish {
            job,
            token,
            now,
            ending,
            cut,
        },
        12..=14 => queue::Event::Lost {
            job,
            now,
            delay: choices.below(20),
        },
        15 => queue::Event::Forget { token },
        16 => queue::Event::Reload { now },
        17 if choices.below(6) == 0 => queue::Event::Drop { now },
        17 => queue::Event::Claim {
            job,
            token,
            now,
            expires,
            cut: cut_claim,
        },
        _ => {
            let max_attempts = choices.below(4);
            queue::Event::Enqueue {
                request: choices.below(9),
                max_attempts,
                available: now,
                now,
                disposition,
            }
        }
    }
}

/// Every event of the closure that a registry with at most so many rows can meet.
pub fn every_closure_event(most_rows: usize) -> Vec<closure::Event> {
    use closure::Event::{
        Abandon, Append, Commit, Cut, Fill, Kill, Make, Opened, Remove, Replace, Settle, SyncContent, SyncEntry,
        SyncRemoved,
    };
    let mut events = vec![
        Make,
        Fill,
        SyncContent,
        SyncEntry,
        Append,
        Commit,
        Abandon,
        Kill,
        Settle(true),
        Settle(false),
        Remove,
        SyncRemoved,
        Opened,
    ];
    for row in 0..most_rows {
        let lifecycles = [
            closure::Lifecycle::Active,
            closure::Lifecycle::Retiring,
            closure::Lifecycle::Purged,
        ];
        events.extend(lifecycles.map(|to| Replace(row, to)));
    }
    for choice in 0..8 {
        events.push(Cut(closure::Choice {
            entry: choice & 1 != 0,
            content: choice & 2 != 0,
            row: choice & 4 != 0,
        }));
    }
    events
}

/// An event of the closure that is accepted in this state, rarely a crash.
pub fn closure_event(choices: &mut Choices, rules: closure::Rules, state: &closure::State) -> Option<closure::Event> {
    let crash = choices.below(6) == 0;
    let mut events = every_closure_event(2);
    events.retain(|event| {
        let crashes = matches!(
            event,
            closure::Event::Kill | closure::Event::Cut(_) | closure::Event::Abandon
        );
        crashes == crash && closure::step(rules, state, *event).is_some_and(|next| next != *state)
    });
    pick(choices, &events)
}

/// An event of a change over several zones that changes this state, rarely a crash.
pub fn compound_event(choices: &mut Choices, rules: cells::Rules, state: &cells::State) -> Option<cells::Event> {
    use cells::Event as E;
    let torn = choices.coin();
    let mut events = vec![
        E::Begin,
        E::WriteUndo,
        E::SyncUndo,
        E::StartWriting,
        E::WritePart(torn),
        E::WritePart(false),
        E::SyncPart,
        E::ToPoint,
        E::WritePoint(torn),
        E::WritePoint(false),
        E::SyncPoint,
        E::Acknowledge,
        E::SpendUndo,
        E::Kill,
        E::Recover,
        E::Reopen,
    ];
    for zone in 0..state.inner.len() {
        events.extend([
            E::WriteExternal(zone),
            E::SyncExternal(zone),
            E::WriteInner(zone, torn),
            E::WriteInner(zone, false),
        ]);
        events.extend([E::SyncInner(zone), E::SpendExternal(zone), E::SpendStale(zone)]);
        events.extend((0..3).flat_map(|choice| [E::CutExternal(zone, choice), E::CutInner(zone, choice)]));
    }
    events.extend((0..3).flat_map(|choice| [E::CutUndo(choice), E::CutPart(choice), E::CutPoint(choice)]));
    let crash = choices.below(12) == 0;
    events.retain(|event| (*event == E::Kill) == crash);
    // What only makes a list of possibilities longer is of no use here.
    events.retain(|event| {
        let next = cells::step(rules, state, *event);
        next.is_some_and(|next| next != *state && next.undo.others.len() < 4 && next.part.others.len() < 7)
    });
    pick(choices, &events)
}
