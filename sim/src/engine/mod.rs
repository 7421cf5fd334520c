//! The engine as a subject: a workload over a local store on the fault disk.

mod operations;
mod perform;
mod prepared;
mod read;
mod read_workflow;
mod steps;
mod workflow;

use std::path::Path;
use std::sync::Arc;

use graven::disk::LockWait;
use graven::format::{FAMILIES, HEADER_LEN};
use graven::vfs::Vfs;
use graven::vfs::fault::{CutPlan, FaultDisk};
use graven::{ErrorKind, Options, Store, UnixSeconds};
use graven_model::domain::{self, Answer};

use crate::judge::checks::Wrong;
use crate::judge::raw;
use crate::subject::{After, Contents, Image, Refusal, Seen, Stop, Subject, Tears};
pub use operations::{answer, answers, group_answers};
pub(crate) use perform::{append_blob, refusal};
pub use read::{everything, line_of};
pub use steps::{Step, Workload, Write};

/// Where the store lies.
pub const STORE: &str = "/demo.graven";
/// The time of the first step, in seconds; each step is a second later.
pub const START_S: u64 = 1_700_000_000;
/// The lock files. Lines 2 and 3 say "cache stale" and "holder"; both move with every recovery.
const LOCKS: [&str; 2] = [
    "/demo.graven/workflow/workflow.lock",
    "/demo.graven/objects/object.lock",
];
/// What a reader is told where there is no store yet.
const NO_STORE: &str = "there is no store";

/// A workload on the engine.
#[derive(Debug)]
pub struct Engine {
    workload: Workload,
    /// The model after the setup and after each step; `None`: there is no store.
    models: Vec<Option<domain::Store>>,
    /// What the model answers to the operations of each step, the setup's first.
    answers: Vec<Vec<Answer>>,
}

/// The options of every process.
pub fn options(vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Options {
    Options::new(entropy)
        .vfs(Arc::clone(vfs))
        .wait(LockWait::TryOnce)
        .holder("simulator")
}

/// The time of a step.
pub fn time_of(step: usize) -> UnixSeconds {
    UnixSeconds(START_S + step as u64)
}

impl Engine {
    /// A workload, with what the model says of each step.
    pub fn new(workload: Workload) -> Self {
        let mut model = None;
        let mut answers = Vec::new();
        for (at, step) in workload.setup.iter().enumerate() {
            answers.push(steps::apply(&mut model, step, time_of(at).0));
        }
        let mut models = vec![model.clone()];
        for (at, step) in workload.steps.iter().enumerate() {
            answers.push(steps::apply(&mut model, step, time_of(workload.setup.len() + at).0));
            models.push(model.clone());
        }
        Self {
            workload,
            models,
            answers,
        }
    }

    /// The workload.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// The model after the setup; `None`: there is no store.
    pub fn model_after_setup(&self) -> Option<&domain::Store> {
        self.models.first().and_then(Option::as_ref)
    }

    /// What the model answers to the operations of each step, the setup's first.
    pub fn answers(&self) -> &[Vec<Answer>] {
        &self.answers
    }

    /// Where the recovery store may be missing, openers are the command that accepts it.
    fn restock(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> graven::Result<()> {
        if self.workload.setup.iter().any(|step| matches!(step, Step::LoseUndo)) {
            perform::restock(vfs, entropy)
        } else {
            Ok(())
        }
    }

    /// Performs the setup or the steps one after another in one process.
    fn perform_all(
        &self,
        vfs: &Arc<dyn Vfs>,
        entropy: [u8; 32],
        explored: bool,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Stop> {
        self.perform_in(&mut perform::Session::new(vfs, entropy), explored, done)
    }

    fn perform_in(
        &self,
        session: &mut perform::Session<'_>,
        explored: bool,
        done: &mut dyn FnMut(usize),
    ) -> Result<(), Stop> {
        let Workload { setup, steps, .. } = &self.workload;
        let (steps, first) = if explored { (steps, setup.len()) } else { (setup, 0) };
        for (at, step) in steps.iter().enumerate() {
            let performed = session.perform(step, time_of(first + at), &self.answers[first + at]);
            performed.map_err(|error| Stop {
                step: at,
                unknown: error.unknown,
                kind: error.kind,
                message: error.message,
            })?;
            done(at);
        }
        Ok(())
    }
}

impl Subject for Engine {
    fn steps(&self) -> usize {
        self.workload.steps.len()
    }

    fn prepare(&self) -> Result<FaultDisk, String> {
        prepared::disk(&self.workload.setup, || {
            let disk = FaultDisk::new();
            let vfs = disk.process(1);
            let performed = self.perform_all(&vfs, [1; 32], false, &mut |_| {});
            performed.map_err(|stop| format!("setup step {}: {}", stop.step, stop.message))?;
            drop(vfs);
            disk.cut(&CutPlan::all_kept()).map_err(|error| error.to_string())
        })
    }

    fn run(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop> {
        self.perform_all(vfs, entropy, true, done)
    }

    fn run_and_go_on(
        &self,
        vfs: &Arc<dyn Vfs>,
        entropy: [u8; 32],
        done: &mut dyn FnMut(usize),
        ended: &mut dyn FnMut(),
    ) -> (Result<(), Stop>, Option<After>) {
        let mut session = perform::Session::new(vfs, entropy);
        let ran = self.perform_in(&mut session, true, done);
        ended();
        (ran, session.go_on(&self.workload.probe))
    }

    fn open(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Seen, Refusal> {
        self.restock(vfs, entropy).map_err(|error| perform::refusal(&error))?;
        let opened = Store::open(Path::new(STORE), &options(vfs, entropy));
        match opened.and_then(|store| read::everything(&store)) {
            Ok(seen) => Ok(seen),
            Err(error) if *error.kind() == ErrorKind::NotFound => Ok(vec![NO_STORE.to_owned()]),
            Err(error) => Err(perform::refusal(&error)),
        }
    }

    fn look(&self, vfs: &Arc<dyn Vfs>) -> Result<Option<Seen>, String> {
        let opened = Store::open(Path::new(STORE), &options(vfs, [2; 32]).read_only(true));
        match opened.and_then(|store| read::everything(&store)) {
            Ok(seen) => Ok(Some(seen)),
            Err(error) => match error.kind() {
                ErrorKind::NotFound => Ok(Some(vec![NO_STORE.to_owned()])),
                ErrorKind::RecoveryNeeded => Ok(None),
                _ => Err(error.to_string()),
            },
        }
    }

    fn probe(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<(), String> {
        self.restock(vfs, entropy).map_err(|error| error.to_string())?;
        let mut session = perform::Session::new(vfs, entropy);
        session.probe(&self.workload.probe).map_err(|error| error.message)
    }

    fn expected(&self, steps: usize) -> Seen {
        self.models[steps]
            .as_ref()
            .map_or_else(|| vec![NO_STORE.to_owned()], domain::Store::describe)
    }

    fn contents(&self, disk: &FaultDisk) -> Contents {
        let inside = |path: &str| path.strip_prefix(STORE).is_some_and(|rest| rest.starts_with('/'));
        let authority = |path: &str| extension(path) == Some("bin") || path.ends_with("/graven.store");
        Contents(disk.files_where(|path| inside(path) && authority(path)))
    }

    fn name(&self, disk: &FaultDisk) -> u128 {
        disk.digest_by_first_lines(&LOCKS)
    }

    fn tears(&self, path: &str, from: u64, to: u64, grows: bool) -> Tears {
        let name = path.rsplit('/').next().unwrap_or(path);
        if matches!(extension(name), Some("lock" | "gate" | "idx")) {
            return Tears::Never;
        }
        if extension(name) == Some("undo") {
            // An undo is valid by its digest, so one tear is as good as another; the mark is torn in its fields.
            return Tears::Coarse(vec![24, 31, 32, 48, 64, 96, 152, u64::midpoint(from, to)]);
        }
        if grows {
            // Inside a growth any content is as good as another; its first byte alone may also be a length re-asserted.
            return Tears::Coarse(vec![from + 1, u64::midpoint(from, to), to - 1]);
        }
        let Some(layout) = FAMILIES.iter().find(|layout| layout.file == name) else {
            return Tears::Fine(vec![HEADER_LEN]);
        };
        let size = layout.record_size as u64;
        let first = from.saturating_sub(HEADER_LEN) / size;
        let starts = (first..)
            .map(|index| HEADER_LEN + index * size)
            .take_while(|start| *start < to);
        let edges = starts.flat_map(|start| layout.fields.iter().map(move |field| start + field.offset as u64));
        Tears::Fine(edges.collect())
    }

    fn judge_raw(&self, image: &Image<'_>) -> Vec<Wrong> {
        let order = self.workload.steps.get(image.step).map(Step::order).unwrap_or_default();
        let stage_of = |path: &str, offset: u64| {
            let declared = order
                .iter()
                .find(|part| path.ends_with(part.file) && part.range.contains(&offset));
            declared.map_or(if path.ends_with("_payload.bin") { 2 } else { 5 }, |part| part.stage)
        };
        raw::judge(image, &stage_of)
    }
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, extension)| extension)
}
