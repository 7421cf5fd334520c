//! The fault disk: an in-memory file system that keeps to the seven assumptions below and to nothing more.
//!
//! It holds two states of every file and directory. The **readable** one is what any process sees: the page cache.
//! The **durable** one is what certainly survives a power cut. Between them stands, for each file and each directory,
//! the ordered list of operations that no successful sync has covered. What each assumption gives and takes:
//!
//! 1. **Any subset of unsynced bytes** ([`CutPlan`], [`FaultDisk::cut`]). A write not followed by a successful sync of
//!    its file may have persisted any subset of its bytes, in any order with other unsynced writes; no sector is
//!    atomic. A plan says of every pending operation: lost, kept, or torn to these byte ranges. Bytes outside a
//!    written range are untouched; only a plan with a [`spill`](CutPlan::spill) breaks that, which is for reports.
//! 2. **Lengths in between** ([`Length`], [`Fill`]). A length grown by an unsynced operation is anything between old
//!    and new, whether or not its bytes persisted; grown parts without bytes read as zeros, as what was written, or,
//!    in the harsh mode, as garbage. A truncation may be lost while later writes are kept.
//! 3. **Entries one by one.** Each creation, rename and removal is kept or lost by itself until its directory is
//!    synced. A rename is atomic: never neither name, never both by its own doing.
//! 4. **Failed syncs** ([`FailedSync`], [`FaultDisk::evict`]). By default the new bytes stay readable, count as clean,
//!    and are lost: no later sync reaches them, though each may have reached the medium, and [`FaultDisk::evict`]
//!    makes them vanish from the cache as well. The other variants: the old bytes are back at once; or everything
//!    stays dirty. Setting a length to what it reads as is a no-op and makes nothing durable.
//! 5. **Kills** ([`FaultDisk::kill`], [`Effect::Kill`], [`Effect::KillInside`], [`KillPoints`]). A process may die
//!    before any call and inside any write. Its handles answer [`Killed`] from then on, its locks are released, its
//!    unnamed files vanish, and the cache stays. Kills and cuts compose in any order: a cut is a disk like any other.
//! 6. **Failing calls** ([`Fault`], [`FaultDisk::set_capacity`]). Any call may answer any code, once or from then on;
//!    reads and writes may be short, down to nothing; space may end after a number of bytes, at once or, on a
//!    copy-on-write disk, also for overwrites.
//! 7. **Bit rot and foreign edits** ([`FaultDisk::flip`], [`FaultDisk::write_file`] and the rest of `tree`): made by
//!    hand, durable at once.
//!
//! Lean: `Claim_every_failure_is_trouble` says of the proof's disk that these compose in any order and number.
//!
//! The disk is for one thread at a time: a lock that somebody else holds is never waited for; where the caller would
//! wait, the answer is `EDEADLK`. A disk without living processes is a value: [`FaultDisk::fork`] costs microseconds
//! (all bytes are shared until written) and [`FaultDisk::digest`] names it.
//!
//! Rooms: `content` (bytes), `journal` (operations in between), `node` (files, directories), `image` (the tree),
//! `digest` (its name), `machine` (processes, locks, calls), `process`, `directory`, `file` (the `Vfs` face), `faults`
//! (calls to hit), `operation` (what is recorded), `plan`, `cut`, `classes` (power cuts), `tree` (from outside).

mod classes;
mod content;
mod cut;
mod digest;
mod directory;
mod faults;
mod file;
mod image;
mod journal;
mod machine;
mod node;
mod operation;
mod plan;
mod process;
mod tree;

pub use classes::{CutOptions, Detail, Level};
pub use cut::{Cutter, PendingChange, PendingOperation};
pub use faults::{EACCES, EDEADLK, EINTR, EIO, EMFILE, ENOLCK, ENOSPC, EOPNOTSUPP, EROFS, Effect, Fault, Kinds};
pub use journal::{FailedSync, Standing};
pub use operation::{Counters, Killed, Misuse, OperationKind, Outcome, TraceEntry, Violation, is_killed};
pub use plan::{Choice, CutPlan, Fill, Length, PlanError, Rest};

use super::{FileSystem, Vfs};
use image::Image;
use machine::{Machine, Settings, Shared};
use node::Node;
use std::collections::HashSet;
use std::sync::Arc;

/// Which states a run leaves behind as [`Snapshot`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillPoints {
    /// None.
    Off,
    /// The state before every call that may change something.
    BetweenOperations,
    /// Those, and the states inside every write after each `step` bytes.
    InsideWrites {
        /// In bytes; 0 counts as 1.
        step: u64,
    },
}

/// The disk as a kill at one moment would have left it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The call that had not been made yet, or in which the process died; from 1.
    pub operation: u64,
    /// How much of that call's write was readable already; `None`: it had not begun.
    pub written: Option<u64>,
    /// The disk, without living processes.
    pub disk: FaultDisk,
}

/// A simulated disk. `clone` is [`fork`](Self::fork): a disk of its own.
#[derive(Debug)]
pub struct FaultDisk {
    shared: Arc<Shared>,
}

impl Default for FaultDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for FaultDisk {
    fn clone(&self) -> Self {
        self.fork()
    }
}

impl FaultDisk {
    /// A local disk of unlimited size with an empty root directory.
    pub fn new() -> Self {
        let settings = Settings {
            failed_sync: FailedSync::default(),
            file_system: FileSystem::Local,
            reserves: true,
            copy_on_write: false,
            capacity: None,
        };
        Self {
            shared: Shared::new(Machine::new(Arc::new(Image::new()), settings)),
        }
    }

    fn from_image(mut image: Arc<Image>, settings: Settings) -> Self {
        if image.is_loose() {
            Arc::make_mut(&mut image).sweep([]);
        }
        Self {
            shared: Shared::new(Machine::new(image, settings)),
        }
    }

    fn image(&self) -> Arc<Image> {
        Arc::clone(&self.shared.machine().image)
    }

    /// The same disk for another future: what is readable, durable and pending, and the disk's settings. Processes
    /// and what only their handles keep alive, faults, counters, trace and snapshots stay behind, as if every
    /// process had been killed.
    #[must_use]
    pub fn fork(&self) -> Self {
        let machine = self.shared.machine();
        Self::from_image(Arc::clone(&machine.image), machine.settings.clone())
    }

    /// Starts a process and answers its file system.
    pub fn process(&self, id: u32) -> Arc<dyn Vfs> {
        let process = self.shared.machine().start(id);
        Arc::new(process::FaultProcess {
            shared: Arc::clone(&self.shared),
            process,
        })
    }

    /// Kills every living process with this identity (assumption 5).
    pub fn kill(&self, id: u32) {
        self.shared.machine().kill_where(|_, other| other == id);
    }

    /// Kills every process.
    pub fn kill_all(&self) {
        self.shared.machine().kill_where(|_, _| true);
    }

    /// Whether a process with this identity lives.
    pub fn is_alive(&self, id: u32) -> bool {
        self.shared.machine().is_alive(id)
    }

    /// 128 bits that name the disk: durable bytes and entries and what is pending (the readable state follows from
    /// them), from BLAKE3. Not in it: processes, files that only a handle keeps alive, settings,
    /// and the order of operations on different files.
    pub fn digest(&self) -> u128 {
        self.image().digest()
    }

    /// The digest of a disk that differs from this one in these files alone: each that exists holds its first line
    /// only, without its end, and nothing of it is pending.
    pub fn digest_by_first_lines(&self, paths: &[&str]) -> u128 {
        self.image().digest_by_first_lines(paths)
    }

    /// What is not known to be durable, in the order of the calls.
    pub fn pending(&self) -> Vec<PendingOperation> {
        self.cutter().pending().to_vec()
    }

    /// The disk at this moment, ready for many cuts.
    pub fn cutter(&self) -> Cutter {
        let machine = self.shared.machine();
        let mut image = Arc::clone(&machine.image);
        if image.is_loose() {
            Arc::make_mut(&mut image).sweep([]);
        }
        Cutter::new(image, machine.settings.clone())
    }

    /// The disk that a power cut and a reboot leave (assumptions 1 to 3); this one goes on as it is.
    pub fn cut(&self, plan: &CutPlan) -> Result<Self, PlanError> {
        self.cutter().cut(plan)
    }

    /// The plans worth trying, without field edges and without garbage.
    pub fn cut_plans(&self, level: Level) -> Vec<CutPlan> {
        self.cutter().plans(&CutOptions::plain(level))
    }

    /// The clean-and-lost state of failed syncs leaves the cache: what the medium holds for certain is readable
    /// again (assumption 4).
    pub fn evict(&self) {
        let mut machine = self.shared.machine();
        let nodes: Vec<_> = machine.image.nodes().map(|(id, _)| id).collect();
        let image = machine.image_mut();
        for id in nodes {
            match image.node_mut(id) {
                Ok(Node::File(file)) => file.evict(),
                Ok(Node::Directory(directory)) => directory.evict(),
                _ => {}
            }
        }
        image.set_loose();
        image.recount();
        machine.sweep();
    }

    /// Arms a fault.
    pub fn inject(&self, fault: Fault) {
        self.shared.machine().faults.inject(fault);
    }

    /// Disarms every fault.
    pub fn clear_faults(&self) {
        self.shared.machine().faults.clear();
    }

    /// How many calls a fault has hit.
    pub fn faults_fired(&self) -> u64 {
        self.shared.machine().faults.fired
    }

    /// What a sync leaves that fails by [`Effect::Fail`].
    pub fn set_failed_sync(&self, outcome: FailedSync) {
        self.shared.machine().settings.failed_sync = outcome;
    }

    /// How many bytes all files together may take, reservations included; `None`: any.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.shared.machine().settings.capacity = bytes;
    }

    /// How many bytes all files take, reservations included.
    pub fn used(&self) -> u64 {
        self.shared.machine().used()
    }

    /// Whether an overwrite needs new space too, as on a copy-on-write file system.
    pub fn set_copy_on_write(&self, yes: bool) {
        self.shared.machine().settings.copy_on_write = yes;
    }

    /// Whether blocks can be reserved; `reserve` answers `false` where not.
    pub fn set_reserves(&self, yes: bool) {
        self.shared.machine().settings.reserves = yes;
    }

    /// What `file_system` answers.
    pub fn set_file_system(&self, file_system: FileSystem) {
        self.shared.machine().settings.file_system = file_system;
    }

    /// How many calls there were.
    pub fn operations(&self) -> u64 {
        self.shared.machine().counters.total()
    }

    /// How often what was called, and how much was moved.
    pub fn counters(&self) -> Counters {
        self.shared.machine().counters.clone()
    }

    /// Starts a new trace, or ends tracing.
    pub fn record_trace(&self, yes: bool) {
        self.shared.machine().trace = yes.then(Vec::new);
    }

    /// The calls since the trace was started; empty where none was.
    pub fn trace(&self) -> Vec<TraceEntry> {
        self.shared.machine().trace.clone().unwrap_or_default()
    }

    /// The calls that a correct program does not make.
    pub fn violations(&self) -> Vec<Violation> {
        self.shared.machine().violations.clone()
    }

    /// From now on, keeps the states in which a kill could leave the disk.
    pub fn record_kill_points(&self, points: KillPoints) {
        self.shared.machine().kill_points = points;
    }

    /// Takes the states kept so far, in order.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let mut machine = self.shared.machine();
        let kept = std::mem::take(&mut machine.snapshots);
        let snapshot = |(operation, written, image)| {
            let disk = Self::from_image(image, machine.settings.clone());
            Snapshot {
                operation,
                written,
                disk,
            }
        };
        kept.into_iter().map(snapshot).collect()
    }
}

impl Cutter {
    /// The plans worth trying, each once, all-lost and all-kept first.
    pub fn plans(&self, options: &CutOptions<'_>) -> Vec<CutPlan> {
        classes::plans(self, options)
    }

    /// The distinct disks that those plans lead to, each with the first plan that does.
    pub fn distinct(&self, options: &CutOptions<'_>) -> Vec<(CutPlan, FaultDisk)> {
        let mut seen = HashSet::new();
        let cut = |plan: CutPlan| self.cut(&plan).ok().map(|disk| (plan, disk));
        self.plans(options)
            .into_iter()
            .filter_map(cut)
            .filter(|(_, disk)| seen.insert(disk.digest()))
            .collect()
    }
}
