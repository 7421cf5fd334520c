//! The exploration of a small scope: every kill, cut, failed sync, full disk and eviction at every step, to a number of
//! faults, with recovery interrupted in the same ways.
//!
//! A cut is taken only where a sync, an answer or the end of a program comes next: between two of those the set of
//! disks that a cut may leave only grows, so nothing is missed.

pub mod finding;
pub mod scope;
mod world;

use std::collections::HashMap;

use super::compound::{is_blocked, may_read};
use super::disk::{Disk, File};
use super::group::Content;
use super::invariants::{Place, before_step, values_are_old_or_new};
use super::recovery::{Obstacle, Opening, recover};
use super::rules::{Protocol, Rule};
use super::transaction::{Change, Program, Purpose, Step, close, commit, install, zone_of};
use super::undo::{Digests, FileId, Item, Kind, Stage, Zone, ZoneId};
use finding::{Event, Finding};
use scope::{Action, Scope};
use world::{Phase, World, apply, contents, expect_content, fingerprint, half, observed, reads_as, writes};

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checks {
    /// The outcomes only: what readers, callers and openers see.
    Outcomes,
    /// The outcomes, and I1 to I6 at every step.
    Everything,
}

/// What an exploration saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Distinct states.
    pub states: usize,
    /// Disks that cuts left.
    pub crash_images: usize,
}

/// Explores a scope under a protocol with at most `faults` faults on a way.
///
/// # Errors
/// The first finding, if there is one.
pub fn explore(scope: &Scope, protocol: Protocol, faults: u8, checks: Checks) -> Result<Counts, Finding> {
    let mut explorer = Explorer {
        scope,
        protocol,
        checks,
        digests: Digests::default(),
        programs: Vec::new(),
        program_ids: HashMap::new(),
        crash_images: 0,
    };
    let start = World {
        disk: Disk {
            files: scope.files.iter().map(|bytes| File::durable(bytes)).collect(),
        },
        phase: Phase::Idle,
        known: scope.content(),
        maybe: None,
        begun: 0,
    };
    let mut best: HashMap<u128, u8> = HashMap::new();
    best.insert(fingerprint(&start), faults);
    let mut events: Vec<(Option<usize>, Event)> = vec![(None, Event::Open(Opening::All))];
    let mut open = vec![(start, faults, 0)];
    while let Some((world, left, event)) = open.pop() {
        let successors = explorer.successors(&world, left).map_err(|message| Finding {
            message,
            trace: trace(&events, event),
        })?;
        for (happened, next, cost) in successors {
            let left = left - cost;
            let known = best.entry(fingerprint(&next)).or_insert(0);
            // A count of 0 stands for "not seen", so what is kept is one more than the faults left.
            if *known < left + 1 {
                *known = left + 1;
                events.push((Some(event), happened));
                open.push((next, left, events.len() - 1));
            }
        }
    }
    Ok(Counts {
        states: best.len(),
        crash_images: explorer.crash_images,
    })
}

fn trace(events: &[(Option<usize>, Event)], last: usize) -> Vec<Event> {
    let mut trace = Vec::new();
    let mut at = Some(last);
    while let Some(index) = at {
        trace.push(events[index].1.clone());
        at = events[index].0;
    }
    trace.reverse();
    trace
}

type Successor = (Event, World, u8);

struct Explorer<'a> {
    scope: &'a Scope,
    protocol: Protocol,
    checks: Checks,
    digests: Digests,
    programs: Vec<Program>,
    program_ids: HashMap<Program, usize>,
    crash_images: usize,
}

impl Explorer<'_> {
    fn zones(&self) -> &[Zone] {
        &self.scope.zones
    }

    fn run(&mut self, program: Program, opening: Opening) -> Phase {
        let next = self.programs.len();
        let id = *self.program_ids.entry(program.clone()).or_insert(next);
        if id == next {
            self.programs.push(program);
        }
        Phase::Running {
            program: id,
            at: 0,
            opening,
        }
    }

    fn successors(&mut self, world: &World, left: u8) -> Result<Vec<Successor>, String> {
        if self.checks == Checks::Everything {
            let maybe = world.maybe.as_ref().unwrap_or(&world.known);
            values_are_old_or_new(&world.disk, self.zones(), &world.known, maybe)?;
        }
        let mut out = Vec::new();
        if left > 0 {
            self.power_and_process(world, &mut out);
        }
        match world.phase {
            Phase::Idle => {
                expect_content(world, self.zones(), "while idle")?;
                self.begin(world, &mut out);
            }
            Phase::IdleAlone(zone) => {
                expect_content(world, &self.zones()[zone.0..=zone.0], "while open alone")?;
                out.push((
                    Event::Kill,
                    World {
                        phase: Phase::Closed,
                        ..world.clone()
                    },
                    0,
                ));
                self.begin_alone(world, zone, &mut out);
            }
            Phase::Closed => {
                self.read(world, &mut out)?;
                self.open(world, &mut out)?;
            }
            Phase::Running { program, at, opening } => {
                let program = self.programs[program].clone();
                self.step(world, &program, at, opening, left, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Kill, cut, eviction.
    fn power_and_process(&mut self, world: &World, out: &mut Vec<Successor>) {
        let program = match world.phase {
            Phase::Running { program, at, .. } => Some((&self.programs[program], at)),
            _ => None,
        };
        let next = program.map(|(program, at)| &program.steps[at]);
        if !matches!(next, Some(Step::Write { .. } | Step::SetLen { .. })) {
            for disk in world.disk.images() {
                self.crash_images += 1;
                let event = Event::Cut(contents(&disk));
                out.push((
                    event,
                    World {
                        disk,
                        phase: Phase::Closed,
                        ..world.clone()
                    },
                    1,
                ));
            }
        }
        if program.is_some() || world.phase == Phase::Idle {
            out.push((
                Event::Kill,
                World {
                    phase: Phase::Closed,
                    ..world.clone()
                },
                1,
            ));
        }
        for (index, file) in world.disk.files.iter().enumerate() {
            // What a running program does not write may as well vanish when it has ended: it does not look again.
            if program.is_some_and(|(program, at)| !writes(&program.steps[at..], FileId(index))) {
                continue;
            }
            for evicted in file.evictions() {
                let mut next = world.clone();
                next.disk.files[index] = evicted;
                out.push((Event::Evict(FileId(index)), next, 1));
            }
        }
    }

    fn begin(&mut self, world: &World, out: &mut Vec<Successor>) {
        let Some(action) = self.scope.actions.get(world.begun) else {
            return;
        };
        let mut next = world.clone();
        next.begun += 1;
        let (protocol, scope) = (self.protocol, self.scope);
        let program = match action {
            Action::Change(build) => {
                let change = change(*build, &world.known, world.begun);
                next.maybe = Some(apply(&world.known, &change.items));
                commit(protocol, &world.disk, &scope.zones, &mut self.digests, &change)
            }
            Action::Install(file, bytes) => {
                let mut content = world.known.clone();
                content[file.0].clone_from(bytes);
                next.maybe = Some(content);
                install(protocol, &world.disk, &scope.zones, &mut self.digests, *file, bytes)
            }
            Action::Close => close(&scope.zones),
        };
        let event = Event::Begin(program.purpose);
        next.phase = self.run(program, Opening::All);
        out.push((event, next, 0));
    }

    /// An inner zone that is open alone may be changed alone.
    fn begin_alone(&mut self, world: &World, zone: ZoneId, out: &mut Vec<Successor>) {
        let Some(Action::Change(build)) = self.scope.actions.get(world.begun) else {
            return;
        };
        let change = change(*build, &world.known, world.begun);
        if world.maybe.is_some()
            || change
                .items
                .iter()
                .any(|item| zone_of(self.zones(), item.file()) != zone)
        {
            return;
        }
        let program = commit(
            self.protocol,
            &world.disk,
            &self.scope.zones,
            &mut self.digests,
            &change,
        );
        let mut next = world.clone();
        next.begun += 1;
        next.maybe = Some(apply(&world.known, &change.items));
        next.phase = self.run(program, Opening::Alone(zone));
        out.push((Event::Begin(Purpose::Commit), next, 0));
    }

    /// A reader with the shared lock looks at every zone that it may read.
    fn read(&self, world: &World, out: &mut Vec<Successor>) -> Result<(), String> {
        let may = |zone: &Zone| {
            may_read(self.protocol, &world.disk, zone, &self.digests)
                || (!self.protocol.keeps(Rule::ReadersRefuseAnyUnspentUndo)
                    && world
                        .maybe
                        .as_ref()
                        .is_some_and(|maybe| reads_as(&world.disk, std::slice::from_ref(zone), maybe)))
        };
        if !self.zones().iter().all(may) {
            return Ok(());
        }
        let next = observed(world, self.zones()).ok_or_else(|| half(world, "a reader is shown"))?;
        if next != *world {
            out.push((Event::Read, next, 0));
        }
        Ok(())
    }

    fn open(&mut self, world: &World, out: &mut Vec<Successor>) -> Result<(), String> {
        let mut openings = vec![Opening::All];
        openings.extend((1..self.zones().len()).map(|zone| Opening::Alone(ZoneId(zone))));
        for opening in openings {
            match recover(self.protocol, &world.disk, &self.scope.zones, &self.digests, opening) {
                Ok((steps, undo)) => {
                    let program = Program {
                        purpose: Purpose::Recover,
                        steps,
                        undo,
                    };
                    let phase = self.run(program, opening);
                    out.push((Event::Open(opening), World { phase, ..world.clone() }, 0));
                }
                Err(Obstacle::Corrupt) => {
                    return Err(format!(
                        "{opening:?} answers Corrupt without damage: {:?}",
                        contents(&world.disk)
                    ));
                }
                Err(Obstacle::RecoveryNeeded) => {}
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        world: &World,
        program: &Program,
        at: usize,
        opening: Opening,
        left: u8,
        out: &mut Vec<Successor>,
    ) -> Result<(), String> {
        let step = &program.steps[at];
        if self.checks == Checks::Everything {
            let place = Place {
                protocol: self.protocol,
                disk: &world.disk,
                zones: &self.scope.zones,
                digests: &self.digests,
            };
            before_step(place, program.purpose, step)?;
        }
        let mut next = world.clone();
        if let Phase::Running { at, .. } = &mut next.phase {
            *at += 1;
        }
        if at + 1 == program.steps.len() {
            next.phase = match (program.purpose, opening) {
                (Purpose::Close, _) => Phase::Closed,
                (_, Opening::All) => Phase::Idle,
                (_, Opening::Alone(zone)) => Phase::IdleAlone(zone),
            };
        }
        match step {
            Step::Write { file, offset, value } => {
                if left > 0 && program.purpose == Purpose::Commit {
                    self.full_disk(world, program, at, opening, out);
                }
                next.disk.files[file.0].write(*offset, *value);
            }
            Step::SetLen { file, len } => next.disk.files[file.0].set_len(*len),
            Step::Sync(file) => {
                if left > 0 && !world.disk.files[file.0].is_durable() {
                    self.failed_syncs(world, &next, *file, out);
                }
                next.disk.files[file.0].sync();
            }
            Step::Install { file, bytes } => next.disk.files[file.0] = File::durable(bytes),
            Step::Acknowledge => {
                next.known = next.maybe.take().ok_or("an acknowledgement of nothing")?;
            }
            Step::Refuse => next.maybe = None,
            Step::Open => next = self.opened(&next, opening, program.steps.len() > 1)?,
        }
        out.push((Event::Step(step.clone()), next, 0));
        Ok(())
    }

    fn opened(&self, next: &World, opening: Opening, recovered: bool) -> Result<World, String> {
        let zones = match opening {
            Opening::All => self.zones(),
            Opening::Alone(zone) => &self.zones()[zone.0..=zone.0],
        };
        let observed = observed(next, zones).ok_or_else(|| half(next, "an opener is shown"))?;
        if opening == Opening::All {
            let blocked = |zone| is_blocked(self.protocol, &observed.disk, zone, &self.digests);
            if self.zones().iter().any(blocked) {
                return Err("C5: a zone is blocked after its outer zone was opened".into());
            }
        }
        if !recovered {
            return Ok(observed);
        }
        match recover(self.protocol, &observed.disk, self.zones(), &self.digests, opening) {
            Ok((steps, _)) if steps == [Step::Open] => Ok(observed),
            again => Err(format!("a second recovery would not rest: {again:?}")),
        }
    }

    /// The three kinds of failed sync: the zones are poisoned, which closes them here.
    fn failed_syncs(&self, world: &World, next: &World, file: FileId, out: &mut Vec<Successor>) {
        let poisoned = World {
            phase: Phase::Closed,
            ..world.clone()
        };
        let mut clean = poisoned.clone();
        if !self.protocol.keeps(Rule::FailedSyncPoisons) {
            clean = next.clone();
        }
        clean.disk.files[file.0].fail_sync_clean();
        out.push((Event::FailedSync(file, "readable and clean"), clean, 1));
        out.push((Event::FailedSync(file, "readable and dirty"), poisoned.clone(), 1));
        for image in world.disk.files[file.0].images() {
            let mut back = poisoned.clone();
            back.disk.files[file.0] = image;
            out.push((Event::FailedSync(file, "the medium's bytes come back"), back, 1));
        }
    }

    /// A full disk before the commit stage rolls back in process; in the commit stage, or after it, it poisons.
    fn full_disk(&mut self, world: &World, program: &Program, at: usize, opening: Opening, out: &mut Vec<Successor>) {
        let Step::Write { file, offset, .. } = program.steps[at] else {
            return;
        };
        let items: &[Item] = match program.undo.map(|undo| &self.digests.undo(undo).kind) {
            Some(Kind::Change(items)) => items,
            _ => &[],
        };
        let in_commit = items.iter().any(|item| {
            let (start, new) = item.new_bytes();
            item.stage() == Stage::Commit && item.file() == file && (start..start + new.len()).contains(&offset)
        });
        if in_commit || program.steps[..at].contains(&Step::Acknowledge) {
            return;
        }
        let zones = &self.scope.zones;
        if let Ok((mut steps, undo)) = recover(self.protocol, &world.disk, zones, &self.digests, opening) {
            steps.pop();
            steps.push(Step::Refuse);
            let phase = self.run(
                Program {
                    purpose: Purpose::Recover,
                    steps,
                    undo,
                },
                opening,
            );
            out.push((Event::NoSpace, World { phase, ..world.clone() }, 1));
        }
    }
}

/// A change of a scope.
pub type Build = fn(&Content, usize) -> (ZoneId, Vec<Item>);

fn change(build: Build, known: &Content, ordinal: usize) -> Change {
    let (outer, items) = build(known, ordinal);
    Change { outer, items }
}
