//! Traces of the commit and the recovery without one of their rules: each ends in what the rule is there to prevent.

use graven_model::protocol::explore::scope::ONE_ZONE;
use graven_model::protocol::recovery::{Opening, recover};
use graven_model::protocol::rules::{Protocol, Rule};
use graven_model::protocol::transaction::{Change, Step, commit};
use graven_model::protocol::undo::{Digest, FileId, Item};
use graven_model::protocol::{disk::File, disk::Symbol};

use super::{Trace, step, undo};

/// The rules of one zone whose absence the bytes of a short trace tell, and what each trace does without. What readers,
/// openers that look on, installs, damage and several zones need is shown in `Counterexamples/`.
const RULES: &[(Rule, &str)] = &[
    (Rule::UndoIsSyncedFirst, "the undo is not synced first"),
    (Rule::StagesAreSynced, "no sync stands between two stages"),
    (
        Rule::CommitIsSyncedBeforeItIsAcknowledged,
        "the commit stage is acknowledged before its sync",
    ),
    (Rule::FailedSyncPoisons, "a failed sync is tried again"),
    (Rule::SpentMeansDigest, "sequences are compared in place of digests"),
    (
        Rule::RecoveryMakesTheUndoDurable,
        "recovery acts on an undo that only reads",
    ),
    (
        Rule::RecoveryWritesWhatReadsRight,
        "recovery writes only what reads wrong",
    ),
    (
        Rule::RecoverySyncsBeforeItSpends,
        "recovery spends the undo before its bytes are durable",
    ),
    (Rule::RollbackIsReversed, "rolling back is not in reverse"),
    (
        Rule::LengthsAreReasserted,
        "a length that reads right is not asserted again",
    ),
    (Rule::GrowthIsNoEvidence, "a file that has grown is evidence"),
    (
        Rule::OneByteOfGrowthIsNothing,
        "one byte of growth means that the commit has begun",
    ),
];
/// How many seeds are tried for a rule.
const SEEDS: u64 = 20_000;

pub(super) fn examples() -> Vec<String> {
    let found = RULES.iter().filter_map(|(rule, words)| without(Some(*rule), words));
    found.collect()
}

/// The first trace in which the rule is missed.
fn without(rule: Option<Rule>, words: &str) -> Option<String> {
    (0..SEEDS).find_map(|seed| {
        let mut broken = Broken {
            trace: Trace::new(seed),
            rule,
            allowed: Vec::new(),
        };
        let missed = broken.play();
        missed.then(|| broken.trace.example(&format!("Without a rule: {words}; seed {seed}.")))
    })
}

/// The bytes of the authority files.
type Content = Vec<Vec<Symbol>>;

struct Broken {
    trace: Trace,
    rule: Option<Rule>,
    /// What an opening may end with.
    allowed: Vec<Content>,
}

impl Broken {
    /// Changes and openings without the rule, with trouble between them, then one opening that keeps it. Whether any of
    /// the openings was led to what it may not end with.
    fn play(&mut self) -> bool {
        let mut open = true;
        self.allowed = vec![self.content()];
        for _ in 0..6 {
            if open && self.trace.changes < 3 {
                open = self.change();
            } else {
                let Ok((plan, _)) = self.plan(self.protocol()) else {
                    // Nothing was damaged, so nothing may be called so; the whole protocol has a plan.
                    return self.last_opening().is_some();
                };
                open = self.run(&disk_steps(&plan)).is_none();
                if open && self.ends_wrong() {
                    return true;
                }
            }
            if self.trace.choices.coin() {
                open = false;
                self.trace.trouble();
            }
        }
        self.trace.cut();
        self.last_opening().is_none_or(|()| self.ends_wrong())
    }

    /// An opening by the whole protocol, to its end; `None` where it finds damage.
    fn last_opening(&mut self) -> Option<()> {
        let planned = self.plan(Protocol::WHOLE);
        let len = planned.map_or(0, |(plan, _)| disk_steps(&plan).len());
        self.trace.open_for(len).then_some(())
    }

    fn protocol(&self) -> Protocol {
        self.rule.map_or(Protocol::WHOLE, Protocol::without)
    }

    fn plan(
        &self,
        protocol: Protocol,
    ) -> Result<graven_model::protocol::recovery::Plan, graven_model::protocol::recovery::Obstacle> {
        let Trace {
            disk, zones, digests, ..
        } = &self.trace;
        recover(protocol, disk, zones, digests, Opening::All)
    }

    fn content(&self) -> Content {
        self.trace.disk.files[1..].iter().map(File::bytes).collect()
    }

    /// Whether an opening that has ended found something else than it may; what it found is all it may find from then on.
    fn ends_wrong(&mut self) -> bool {
        let found = self.content();
        let is_wrong = !self.allowed.contains(&found);
        self.allowed = vec![found];
        is_wrong
    }

    /// A change, to its end or to a kill; whether it came to its end.
    fn change(&mut self) -> bool {
        let build = ONE_ZONE[self.trace.below(ONE_ZONE.len())].1;
        let mut content: Content = self.trace.disk.files.iter().map(File::bytes).collect();
        content[0].clear();
        let (outer, items) = build(&content, self.trace.changes);
        self.trace.changes += 1;
        let change = Change { outer, items };
        let protocol = self.protocol();
        let Trace {
            disk, zones, digests, ..
        } = &mut self.trace;
        let program = commit(protocol, disk, zones, digests, &change);
        if let Some(Digest(symbol)) = program.undo
            && !self.trace.names.iter().any(|(known, _)| *known == symbol)
        {
            self.trace.names.push((symbol, undo(symbol, &change.items)));
        }
        let all = disk_steps(&program.steps);
        let told = program.steps.iter().take_while(|one| !matches!(one, Step::Acknowledge));
        let told = told.filter(|one| step(one).is_some()).count();
        let before = self.content();
        let after = applied(&before, &change.items);
        let stopped = self.run(&all);
        let is_told = stopped.is_none_or(|stop| stop > told);
        self.allowed = if is_told { vec![after] } else { vec![before, after] };
        stopped.is_none()
    }

    /// Runs a program: to its end, to a kill somewhere, or to a sync that fails; answers how many steps were done where it
    /// did not come to its end. Where failed syncs are tried again, it goes on after one.
    fn run(&mut self, program: &[Step]) -> Option<usize> {
        let syncs = program.iter().enumerate().filter_map(|(at, one)| match one {
            Step::Sync(file) => Some((at, *file)),
            _ => None,
        });
        let syncs: Vec<(usize, FileId)> = syncs.collect();
        match self.trace.below(4) {
            0 | 1 if !syncs.is_empty() => {
                let (at, file) = syncs[self.trace.below(syncs.len())];
                self.trace.other(&program[..at]);
                self.trace.fail_sync(file);
                if self.rule != Some(Rule::FailedSyncPoisons) {
                    return Some(at);
                }
                self.trace.other(&program[at..]);
                None
            }
            2 => {
                let stop = self.trace.below(program.len() + 1);
                self.trace.other(&program[..stop]);
                (stop < program.len()).then_some(stop)
            }
            _ => {
                self.trace.other(program);
                None
            }
        }
    }
}

/// The steps that touch the disk.
fn disk_steps(steps: &[Step]) -> Vec<Step> {
    steps.iter().filter(|one| step(one).is_some()).cloned().collect()
}

/// The content after a change.
fn applied(content: &Content, items: &[Item]) -> Content {
    let mut content = content.clone();
    for item in items {
        let FileId(file) = item.file();
        let (offset, bytes) = item.new_bytes();
        let of = &mut content[file - 1];
        of.resize(of.len().max(offset + bytes.len()), 0);
        of[offset..offset + bytes.len()].copy_from_slice(bytes);
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_missed_in_a_trace_and_the_whole_protocol_in_none() {
        let missing: Vec<&str> = RULES
            .iter()
            .filter(|(rule, words)| without(Some(*rule), words).is_none())
            .map(|(_, words)| *words)
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
        assert_eq!(without(None, "none"), None);
    }
}
