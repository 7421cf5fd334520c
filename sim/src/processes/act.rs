//! One thread of a process: performs its steps through the public face, and tells what each answered.

use std::path::Path;
use std::sync::Arc;

use graven::disk::{self, DurableDirectory, LockWait};
use graven::domain::lines;
use graven::format::{LOCAL_WORKFLOW, OBJECT_ZONE, ZoneLayout};
use graven::store::{Zone, ZoneOptions};
use graven::vfs::Vfs;
use graven::{ErrorKind, Options, Store, UnixSeconds};
use graven_model::domain::{self, Operation};

use super::history::Outcome;
use super::scenario::{Act, Process};
use super::turns::{Baton, Excuse};
use crate::engine::{START_S, STORE, answers, append_blob, everything, group_answers};

/// The time of every change, so that any order of changes is one that the rules allow.
pub fn now() -> UnixSeconds {
    UnixSeconds(START_S + super::NOW_STEP)
}

/// The options of a process.
pub fn options(vfs: &Arc<dyn Vfs>, process: usize, how: &Process) -> Options {
    Options::new(entropy(process))
        .vfs(Arc::clone(vfs))
        .wait(how.wait)
        .read_only(how.read_only)
        .holder(format!("process {process}"))
}

fn entropy(process: usize) -> [u8; 32] {
    [u8::try_from(process).unwrap_or(u8::MAX - 64) + 64; 32]
}

/// A thread of a process.
pub struct Thread<'r> {
    /// What the process sees.
    pub vfs: &'r Arc<dyn Vfs>,
    /// The process, by its place in the scenario.
    pub process: usize,
    /// How it opens the store.
    pub how: &'r Process,
    /// Its handle, where it has one.
    pub store: Option<Store>,
}

impl Thread<'_> {
    /// Performs every step, until one fails.
    pub fn perform(&mut self, baton: &Baton, task: usize, acts: &[Act]) {
        for (at, act) in acts.iter().enumerate() {
            baton.begins(task, at);
            let (outcome, excuse, message) = match self.act(act) {
                Ok(outcome) => (outcome, Excuse::NotNeeded, String::new()),
                Err(error) => {
                    let (outcome, excuse) = meaning(act, &error);
                    (outcome, excuse, error.to_string())
                }
            };
            baton.answered(task, at, outcome, excuse, &message);
        }
    }

    fn store(&self) -> Option<Store> {
        self.store.clone()
    }

    fn act(&mut self, act: &Act) -> graven::Result<Outcome> {
        let options = options(self.vfs, self.process, self.how);
        let path = Path::new(STORE);
        match act {
            Act::Create => {
                let namespace = "AB".parse().map_err(|_| misplaced("the namespace"))?;
                self.store = Some(Store::create(path, namespace, &options)?);
                return Ok(Outcome::Done(Vec::new()));
            }
            Act::Open => {
                self.store = Some(Store::open(path, &options)?);
                return Ok(Outcome::Exists(true));
            }
            Act::Compound(operations) => return self.compound(operations),
            _ => {}
        }
        // Without a handle, since the opening said so, nothing more happens.
        let Some(store) = self.store() else {
            return Ok(Outcome::Nothing);
        };
        match act {
            Act::Write(operations) => Ok(Outcome::Done(answers(&store, now(), operations)?)),
            Act::Group(operations) => Ok(Outcome::Done(group_answers(&store, now(), operations)?)),
            Act::Read => {
                // The objects are read in one view of theirs, and this one outlives it: so both are of one moment.
                let _workflow = store.view()?;
                Ok(Outcome::Seen(everything(&store)?))
            }
            Act::ReadLines => store.read(|view| {
                let mut model = domain::Store::default();
                for row in view.lines()? {
                    model.lines.push(crate::engine::line_of(&row?.1)?);
                }
                Ok(Outcome::Seen(model.describe()))
            }),
            Act::Close => {
                self.store = None;
                store.close()?;
                Ok(Outcome::Done(Vec::new()))
            }
            Act::Create | Act::Open | Act::Compound(_) => Err(misplaced("the step")),
        }
    }

    fn compound(&self, operations: &[Operation]) -> graven::Result<Outcome> {
        let (workflow, objects) = (
            self.attach("workflow", &LOCAL_WORKFLOW)?,
            self.attach("objects", &OBJECT_ZONE)?,
        );
        Zone::link(&[&workflow, &objects]);
        for zone in [&workflow, &objects] {
            zone.make_ready()?;
        }
        let mut transaction = Zone::begin_several(&[&workflow, &objects], 0, now())?;
        let mut answers = Vec::new();
        for operation in operations {
            let index = match operation {
                Operation::PutBlob(content) => append_blob(&mut transaction, content)?,
                Operation::CreateLine { name, head: None } => lines::create(&mut transaction, name, None)?.get(),
                _ => return Err(misplaced("an operation over both roots")),
            };
            answers.push(Ok(domain::Answered::Record(index as usize)));
        }
        transaction.commit()?;
        Ok(Outcome::Done(answers))
    }

    fn attach(&self, directory: &str, layout: &'static ZoneLayout) -> graven::Result<Zone> {
        let path = format!("{STORE}/{directory}");
        let handle = self.vfs.open_directory(Path::new(&path));
        let handle = handle.map_err(|error| disk::Error::io(path.clone(), "open", error))?;
        let mut entropy = entropy(self.process);
        entropy[0] ^= 0xff;
        let options = ZoneOptions {
            read_only: false,
            wait: LockWait::Block,
            entropy,
            max_transaction_bytes: 1 << 20,
            cache_bytes: 1 << 16,
            holder: format!("process {}", self.process),
            sync_spent: false,
        };
        Ok(Zone::attach(
            self.vfs,
            &DurableDirectory::new(handle, path),
            layout,
            options,
        )?)
    }
}

fn misplaced(what: &str) -> graven::Error {
    graven::domain::Error::refused("simulator", format!("{what} does not belong here")).into()
}

/// What an error says of the state of the store, and what alone can excuse it.
fn meaning(act: &Act, error: &graven::Error) -> (Outcome, Excuse) {
    let unknown = error.outcome() == disk::Outcome::Unknown;
    let nothing = if unknown { Outcome::Unknown } else { Outcome::Nothing };
    match (act, error.kind()) {
        // Something has the name. That says nothing of how durable it is: nobody builds on it.
        (Act::Create, ErrorKind::Refused { .. }) => (Outcome::Nothing, Excuse::NotNeeded),
        // Another creator may have taken this one, which had not come far, for dead, or this one another.
        (Act::Create, ErrorKind::Busy) => (nothing, Excuse::NotNeeded),
        (Act::Open, ErrorKind::NotFound) => (Outcome::Exists(false), Excuse::NotNeeded),
        (_, ErrorKind::Busy) if !unknown => (nothing, Excuse::Busy),
        (Act::Read | Act::ReadLines | Act::Open, ErrorKind::RecoveryNeeded) => (nothing, Excuse::DeadWriter),
        (_, ErrorKind::Io | ErrorKind::Poisoned) => (nothing, Excuse::Failure),
        _ => (nothing, Excuse::None),
    }
}
