//! What must hold after a flip, and who told of it.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use graven::vfs::fault::{CutPlan, FaultDisk};
use graven::{Flow, Store, verify};

use super::Limits;
use super::aim::{Aim, Changed, Flip, Moment, aims};
use crate::engine::{Engine, STORE, everything, options, refusal};
use crate::explore::{READER, WRITER, entropy, told};
use crate::judge::checks::{Check, Wrong};
use crate::subject::{Contents, Kind, Refusal, Seen, Subject};

/// Who told of a flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Opening,
    Reading,
    Verify,
    Settled,
    Harmless,
    Nobody,
}

/// One state that the workload passes.
struct State {
    contents: Contents,
    seen: Seen,
    /// With the last change's mark durable.
    disk: FaultDisk,
    /// What `verify` says of it.
    verified: Vec<String>,
    /// With the mark lost, where there is one that can be.
    window: Option<FaultDisk>,
    /// What the last step changed.
    changed: Changed,
}

/// What was seen of a disk with a flip.
pub(super) struct Observed {
    pub(super) before: Contents,
    pub(super) after: Contents,
    pub(super) opened: Result<(), Refusal>,
    pub(super) read: Option<Result<Seen, Refusal>>,
    pub(super) verified: Vec<String>,
}

pub(super) struct Judge<'e> {
    engine: &'e Engine,
    seed: u64,
    states: Vec<State>,
}

impl<'e> Judge<'e> {
    /// Runs the workload without faults.
    pub(super) fn new(engine: &'e Engine, seed: u64) -> Result<Self, Wrong> {
        let fails = |message: String| Check::Runs.wrong(message);
        let start = engine.prepare().map_err(fails)?;
        let mut disks = vec![start.fork()];
        let random = entropy(engine, seed, &start);
        let ran = engine.run(&start.process(WRITER), random, &mut |_| disks.push(start.fork()));
        ran.map_err(|stop| fails(stop.message))?;
        let mut states: Vec<State> = Vec::new();
        for (steps, disk) in disks.into_iter().enumerate() {
            let cut = |plan: &CutPlan| disk.cut(plan).map_err(|error| fails(error.to_string()));
            let contents = engine.contents(&disk);
            let before = states.last().map(|state| &state.contents);
            let changed = before.map_or_else(Changed::default, |before| Changed::between(before, &contents));
            let window = cut(&CutPlan::all_lost())?;
            let looked = engine.look(&window.process(READER)).map_err(fails)?;
            let disk = cut(&CutPlan::all_kept())?;
            states.push(State {
                contents,
                seen: engine.expected(steps),
                verified: verify_lines(&disk),
                disk,
                window: looked.is_none().then_some(window),
                changed,
            });
        }
        Ok(Self { engine, seed, states })
    }

    /// After each step; where its mark may be lost, with and without it.
    pub(super) fn moments(&self) -> Vec<Moment> {
        let steps = self.states.iter().enumerate().skip(1);
        let both = steps.flat_map(|(after, state)| {
            let pending = state.window.as_ref().map(|_| Moment { after, durable: false });
            [Some(Moment { after, durable: true }), pending]
        });
        both.flatten().collect()
    }

    fn disk(&self, moment: &Moment) -> &FaultDisk {
        let state = &self.states[moment.after];
        state.window.as_ref().filter(|_| !moment.durable).unwrap_or(&state.disk)
    }

    pub(super) fn aims(&self, moment: &Moment, limits: Limits) -> Vec<Aim> {
        let own = &self.states[moment.after].changed;
        // The undo of the change before is replaced: its bytes are as safe as those of the last.
        let other: Vec<&Changed> = [&self.states[moment.after - 1].changed].into_iter().collect();
        aims(self.disk(moment), &format!("{STORE}/"), own, &other, limits)
    }

    pub(super) fn judge(&self, moment: &Moment, aim: &Aim) -> Result<Told, Wrong> {
        let observed = catch_unwind(AssertUnwindSafe(|| self.observe(moment, aim)));
        let observed = observed.unwrap_or_else(|panic| Err(Check::Panics.wrong(told(&*panic))))?;
        self.expect_alone(moment, aim, &observed)?;
        self.expect_no_other(moment, aim, &observed)
    }

    /// Opens the disk with the flip for writing, reads it, and verifies it.
    pub(super) fn observe(&self, moment: &Moment, aim: &Aim) -> Result<Observed, Wrong> {
        let disk = self.disk(moment).fork();
        let struck = aim.strike(&disk);
        struck.map_err(|error| Check::Runs.wrong(format!("{aim}: {error}")))?;
        let before = self.engine.contents(&disk);
        let options = options(&disk.process(WRITER), entropy(self.engine, self.seed, &disk));
        let opened = Store::open(Path::new(STORE), &options).map_err(|error| refusal(&error));
        let (opened, read) = match opened {
            Ok(store) => (Ok(()), Some(everything(&store).map_err(|error| refusal(&error)))),
            Err(refused) => (Err(refused), None),
        };
        let after = self.engine.contents(&disk);
        let verified = verify_lines(&disk);
        Ok(Observed {
            before,
            after,
            opened,
            read,
            verified,
        })
    }

    /// The files hold what they held, but for the flip; in the window, also one of the two states around the change.
    pub(super) fn expect_alone(&self, moment: &Moment, aim: &Aim, observed: &Observed) -> Result<(), Wrong> {
        let Some(difference) = observed.before.difference(&observed.after) else {
            return Ok(());
        };
        let wrong = |what: &str| Err(Check::FlipStaysAlone.wrong(format!("{what}: {difference}")));
        if moment.durable {
            return wrong("a recovery wrote to a change whose mark is durable");
        }
        if observed.opened.is_err() {
            return wrong("an opening that was refused wrote to the files");
        }
        let holds = |step: &usize| aim.0.iter().any(|flip| self.states[*step].changed.holds(flip));
        let Some(step) = self.open_changes(moment.after).into_iter().find(holds) else {
            return wrong("a recovery wrote because of a flip outside the change");
        };
        if observed.after == self.states[moment.after].contents {
            return Ok(());
        }
        let changed = &self.states[step].changed;
        let may_be_undone = changed.is_put_back(aim) || aim.0.iter().any(|flip| changed.has_appended(flip));
        if may_be_undone && observed.after == self.without(moment.after, step) {
            return Ok(());
        }
        wrong("in the window a recovery left neither the state before nor the state after the change")
    }

    /// The steps whose marks may be lost after so many steps: the newest of each zone.
    fn open_changes(&self, after: usize) -> Vec<usize> {
        let mut zones = BTreeSet::new();
        let newest = |step: &usize| {
            let known = zones.len();
            zones.extend(self.states[*step].changed.directories());
            zones.len() > known
        };
        (1..=after).rev().filter(newest).collect()
    }

    /// What the files hold after so many steps, one of which, the newest of its zones, was taken back.
    fn without(&self, after: usize, step: usize) -> Contents {
        let mut contents = self.states[after].contents.clone();
        for path in self.states[step].changed.paths() {
            match self.states[step - 1].contents.0.get(path) {
                Some(bytes) => contents.0.insert(path.into(), Arc::clone(bytes)),
                None => contents.0.remove(path),
            };
        }
        contents
    }

    /// Nothing is told but damage, and a record that is shown otherwise is the one that was hit.
    fn expect_no_other(&self, moment: &Moment, aim: &Aim, observed: &Observed) -> Result<Told, Wrong> {
        let damage = |refused: &Refusal| match refused.kind {
            Kind::Corrupt | Kind::RecoveryNeeded | Kind::Other => Ok(()),
            kind => Err(Check::KindOfError.wrong(format!("a flip is told as {kind:?}: {refused}"))),
        };
        if let Err(refused) = &observed.opened {
            damage(refused)?;
            return Ok(Told::Opening);
        }
        let seen = match &observed.read {
            Some(Ok(seen)) => seen,
            Some(Err(refused)) => {
                damage(refused)?;
                return Ok(Told::Reading);
            }
            None => return Ok(Told::Opening),
        };
        // Flipped back exactly, the files hold the state before the change already.
        let undone = !moment.durable && observed.after == self.states[moment.after - 1].contents;
        let settled = undone || observed.before != observed.after;
        if settled && !undone && observed.after != self.states[moment.after].contents {
            // An older change of another zone is gone: the model has no such state.
            return Ok(Told::Settled);
        }
        let state = &self.states[if undone { moment.after - 1 } else { moment.after }];
        let in_authority = |flip: &Flip| state.contents.0.contains_key(&*flip.path);
        let untouched = settled || !aim.0.iter().any(in_authority);
        let others = differing(&state.seen, seen).next();
        if let Some(other) = others
            .filter(|_| untouched)
            .or_else(|| wrong_family(&state.seen, seen, aim))
        {
            return Err(Check::FlipStaysAlone.wrong(format!("another record is shown otherwise: {other}")));
        }
        Ok(if settled {
            Told::Settled
        } else if observed.verified != state.verified {
            Told::Verify
        } else if untouched {
            Told::Harmless
        } else {
            Told::Nobody
        })
    }
}

/// The lines that differ.
fn differing<'s>(expected: &'s Seen, seen: &'s Seen) -> impl Iterator<Item = String> + 's {
    let longest = expected.len().max(seen.len());
    (0..longest)
        .filter(|&at| expected.get(at) != seen.get(at))
        .map(|at| seen.get(at).or(expected.get(at)).cloned().unwrap_or_default())
}

/// Whose records show something of whose: Snapshots show objects by their place, Tasks list their Changes and both their
/// Lands.
const SHOWN_IN: [(&str, &str); 4] = [
    ("object", "snapshot"),
    ("change", "task"),
    ("land", "task"),
    ("land", "change"),
];

/// The first line that differs though no flip is in a file of its family, or of one that is shown in it.
fn wrong_family(expected: &Seen, seen: &Seen, aim: &Aim) -> Option<String> {
    let names: Vec<&str> = aim.0.iter().filter_map(|flip| flip.path.rsplit('/').next()).collect();
    differing(expected, seen).find(|line| {
        let family = line.split(' ').next().unwrap_or_default();
        let hit = |family: &str| names.iter().any(|name| name.starts_with(family));
        let shows_it = SHOWN_IN.iter().any(|(shown, own)| *own == family && hit(shown));
        !hit(family) && !shows_it
    })
}

/// What `verify` says of every byte: its findings, or why it cannot.
pub(crate) fn verify_lines(disk: &FaultDisk) -> Vec<String> {
    let options = options(&disk.process(READER), [3; 32]);
    match verify(STORE, &options, true, |_| Flow::Continue) {
        Ok(verified) => verified
            .findings
            .iter()
            .filter(|finding| !finding.is_note())
            .map(ToString::to_string)
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}
