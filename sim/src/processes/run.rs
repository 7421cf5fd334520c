//! One run of a scenario under a schedule, and the judgement of it and of every disk that a cut could have left of it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use graven::disk::LockWait;
use graven::vfs::Vfs;
use graven::vfs::fault::{CutPlan, FaultDisk};
use graven::{Flow, Options, Store, verify};
use graven_model::domain;

use super::act::{self, Thread};
use super::history::{NO_STORE, States};
use super::scenario::{Act, Scenario};
use super::schedule::Schedule;
use super::turns::{Baton, Ran, identity_of};
use super::vfs::{Broken, Shared};
use crate::engine::{Engine, STORE, Workload, everything};
use crate::explore::cuts::file_by_file;
use crate::subject::{Seen, Subject};

/// The process that opens what a cut left.
const OPENER: u32 = 2;
/// The name of the change that is made after everything.
const AFTERWARDS: &str = "afterwards";

/// A scenario with its first disk, and what earlier runs of it have met.
pub struct Judge {
    /// The scenario.
    pub scenario: Scenario,
    /// What the file system breaks.
    pub broken: Broken,
    first: FaultDisk,
    tasks: Vec<(usize, Arc<[Act]>)>,
    states: States,
    known: Arc<Mutex<HashSet<(u128, u64)>>>,
    /// What has been recovered: what was seen, or what was wrong.
    images: HashMap<u128, Result<Seen, String>>,
    judged: HashSet<(u128, u64)>,
    /// How many disks were recovered and judged.
    pub counted: u64,
}

/// A judged run.
pub struct Judged {
    /// The run.
    pub ran: Ran,
    /// What was wrong.
    pub faults: Vec<String>,
    /// The disk it left.
    pub disk: FaultDisk,
}

impl Judge {
    /// Prepares the scenario.
    ///
    /// # Errors
    /// The setup does not run.
    pub fn new(scenario: Scenario) -> Result<Self, String> {
        let engine = Engine::new(Workload {
            name: scenario.name.into(),
            setup: scenario.setup.clone(),
            steps: Vec::new(),
            probe: Vec::new(),
        });
        let first = engine.prepare()?;
        let model: Option<domain::Store> = engine.model_after_setup().cloned();
        let tasks = scenario.tasks();
        Ok(Self {
            states: States::new(model, tasks.clone()),
            scenario,
            broken: Broken::Nothing,
            first,
            tasks,
            known: Arc::default(),
            images: HashMap::new(),
            judged: HashSet::new(),
            counted: 0,
        })
    }

    /// How many distinct disks were met.
    pub fn distinct(&self) -> usize {
        self.images.len()
    }

    /// Runs the scenario under a schedule.
    pub fn run(&self, schedule: &Schedule) -> (Ran, FaultDisk) {
        let disk = self.first.fork();
        let processes: Vec<usize> = self.tasks.iter().map(|(process, _)| *process).collect();
        let baton = Baton::new(disk, processes, schedule, Arc::clone(&self.known));
        let file_systems: Vec<Arc<dyn Vfs>> = (0..self.scenario.processes.len())
            .map(|process| {
                let inner = baton.disk.process(identity_of(process));
                Arc::new(Shared::new(inner, Arc::clone(&baton), self.broken)) as Arc<dyn Vfs>
            })
            .collect();
        let opened: Vec<Option<Store>> = self.open(&file_systems);
        thread::scope(|scope| {
            for (task, (process, acts)) in self.tasks.iter().enumerate() {
                let (baton, vfs) = (&baton, &file_systems[*process]);
                let mut thread = Thread {
                    vfs,
                    process: *process,
                    how: &self.scenario.processes[*process],
                    store: opened[*process].clone(),
                };
                scope.spawn(move || {
                    baton.sit_down(task);
                    let performed = catch_unwind(AssertUnwindSafe(|| thread.perform(baton, task, acts)));
                    if performed.is_err() {
                        baton.panicked(task);
                    }
                    drop(thread);
                    baton.stand_up(task);
                });
            }
        });
        drop(opened);
        drop(file_systems);
        let disk = baton.disk.fork();
        (baton.result(), disk)
    }

    fn open(&self, file_systems: &[Arc<dyn Vfs>]) -> Vec<Option<Store>> {
        let open = |(process, vfs): (usize, &Arc<dyn Vfs>)| {
            let how = &self.scenario.processes[process];
            let store = how.opened.then(|| Store::open(STORE, &act::options(vfs, process, how)));
            let store = store.and_then(Result::ok)?;
            // Warm caches.
            let _ = everything(&store);
            Some(store)
        };
        file_systems.iter().enumerate().map(open).collect()
    }

    /// Runs the scenario, and judges the run and the disks that cuts could have left of it.
    pub fn judge(&mut self, schedule: &Schedule) -> Judged {
        let (mut ran, disk) = self.run(schedule);
        let mut faults = std::mem::take(&mut ran.complaints);
        let events = ran.history.events.len();
        let ends = self.states.ends(&ran.history, events);
        if ends.is_empty() {
            faults.push("no order of whole changes explains what was answered".to_owned());
        } else if faults.is_empty() {
            faults.extend(self.judge_cuts(&ran).err());
            faults.extend(self.judge_end(&disk, &ends).err());
        }
        Judged { ran, faults, disk }
    }

    fn judge_cuts(&mut self, ran: &Ran) -> Result<(), String> {
        for moment in &ran.moments {
            let ends = self.states.ends(&ran.history, moment.events);
            let signature = ran.history.signature_at(moment.events);
            for plan in file_by_file(moment.cutter.pending()) {
                let Ok(image) = moment.cutter.cut(&plan) else { continue };
                if self.judged.insert((image.digest(), signature)) {
                    self.counted += 1;
                    let told = |message| format!("a cut, {plan}, {}: {message}", moment.point);
                    self.recovered(&image)
                        .and_then(|seen| self.allowed(&seen, &ends))
                        .map_err(told)?;
                }
            }
        }
        Ok(())
    }

    /// Every process has ended: what is readable is recovered, and every cut of it.
    fn judge_end(&mut self, disk: &FaultDisk, ends: &BTreeSet<usize>) -> Result<(), String> {
        self.counted += 1;
        let told = |message| format!("at the end: {message}");
        self.recovered(disk)
            .and_then(|seen| self.allowed(&seen, ends))
            .map_err(told)
    }

    fn allowed(&self, seen: &Seen, ends: &BTreeSet<usize>) -> Result<(), String> {
        if self.states.of(seen).is_some_and(|state| ends.contains(&state)) {
            return Ok(());
        }
        let allowed: Vec<String> = ends.iter().map(|end| format!("{:?}", self.states.text(*end))).collect();
        let allowed = allowed.join("\n  or ");
        Err(format!(
            "the opener was shown a state that nothing explains: {seen:?}\n  instead of {allowed}"
        ))
    }

    fn recovered(&mut self, disk: &FaultDisk) -> Result<Seen, String> {
        let digest = disk.digest();
        if let Some(known) = self.images.get(&digest) {
            return known.clone();
        }
        let recovered = catch_unwind(AssertUnwindSafe(|| recover(disk)));
        let recovered = recovered.unwrap_or_else(|_| Err("a panic".to_owned()));
        self.images.insert(digest, recovered.clone());
        recovered
    }
}

fn opener(disk: &FaultDisk, nonce: u8) -> Options {
    Options::new([nonce; 32])
        .vfs(disk.process(OPENER))
        .wait(LockWait::TryOnce)
}

/// Opens a disk, looks at everything, makes another change, cuts, and looks again.
fn recover(disk: &FaultDisk) -> Result<Seen, String> {
    let disk = disk.fork();
    let path = Path::new(STORE);
    let store = match Store::open(path, &opener(&disk, 1)) {
        Ok(store) => store,
        Err(error) if *error.kind() == graven::ErrorKind::NotFound => {
            create_again(&disk)?;
            return Ok(vec![NO_STORE.to_owned()]);
        }
        Err(error) => return Err(format!("it does not open: {error}")),
    };
    let told = |error: graven::Error| format!("the opener cannot read: {error}");
    let seen = everything(&store).map_err(told)?;
    let another = store.write(act::now(), |txn| txn.create_line(AFTERWARDS, None));
    another.map_err(|error| format!("another change is refused: {error}"))?;
    let with = everything(&store).map_err(told)?;
    drop(store);
    let cut = disk.cut(&CutPlan::all_lost()).map_err(|error| error.to_string())?;
    let again = Store::open(path, &opener(&cut, 2)).and_then(|store| everything(&store));
    let again = again.map_err(|error| format!("after another change and a cut it does not open: {error}"))?;
    if again != with || again.len() != seen.len() + 1 {
        return Err(format!(
            "after another change and a cut it holds {again:?} instead of {with:?}"
        ));
    }
    let verified = verify(path, &opener(&cut, 3), true, |_| Flow::Continue);
    let verified = verified.map_err(|error| format!("it cannot be verified: {error}"))?;
    if !verified.is_clean() {
        return Err(format!("verify finds {:?}", verified.findings));
    }
    Ok(seen)
}

fn create_again(disk: &FaultDisk) -> Result<(), String> {
    let namespace = "AB".parse().map_err(|error| format!("{error}"))?;
    let created = Store::create(STORE, namespace, &opener(disk, 1));
    created
        .map(drop)
        .map_err(|error| format!("what was half created cannot be created: {error}"))
}
