//! The running machine around an image: processes, open files, locks, faults, and what is recorded of each call.

use super::KillPoints;
use super::faults::{Effect, Faults};
use super::image::Image;
use super::journal::FailedSync;
use super::node::{Node, NodeId};
use super::operation::{Call, Counters, Misuse, OperationKind, Outcome, TraceEntry, Violation, killed, os_error};
use crate::vfs::{Access, FileSystem, LockMode};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a disk is, apart from what it holds; a fork and a cut keep it.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) failed_sync: FailedSync,
    pub(super) file_system: FileSystem,
    pub(super) reserves: bool,
    pub(super) copy_on_write: bool,
    /// Bytes that all files together may take; `None`: any.
    pub(super) capacity: Option<u64>,
}

/// One open file or directory.
#[derive(Debug)]
struct Description {
    node: NodeId,
    process: usize,
    lock: Option<LockMode>,
}

#[derive(Debug)]
struct Process {
    id: u32,
    alive: bool,
}

#[derive(Debug)]
pub(super) struct Machine {
    pub(super) image: Arc<Image>,
    pub(super) settings: Settings,
    processes: Vec<Process>,
    descriptions: BTreeMap<u64, Description>,
    next_description: u64,
    pub(super) faults: Faults,
    pub(super) counters: Counters,
    pub(super) trace: Option<Vec<TraceEntry>>,
    pub(super) violations: Vec<Violation>,
    pub(super) kill_points: KillPoints,
    pub(super) snapshots: Vec<(u64, Option<u64>, Arc<Image>)>,
}

/// What the faults have decided for a call that goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Admission {
    /// At most so many bytes are moved.
    pub(super) limit: Option<u64>,
    /// The sync fails with this code and leaves this.
    pub(super) failed_sync: Option<(i32, FailedSync)>,
    /// The process dies once so many bytes are written.
    pub(super) dies_after: Option<u64>,
}

impl Machine {
    pub(super) fn new(image: Arc<Image>, settings: Settings) -> Self {
        Self {
            image,
            settings,
            processes: Vec::new(),
            descriptions: BTreeMap::new(),
            next_description: 0,
            faults: Faults::default(),
            counters: Counters::default(),
            trace: None,
            violations: Vec::new(),
            kill_points: KillPoints::Off,
            snapshots: Vec::new(),
        }
    }

    pub(super) fn image_mut(&mut self) -> &mut Image {
        Arc::make_mut(&mut self.image)
    }

    pub(super) fn start(&mut self, id: u32) -> usize {
        self.processes.push(Process { id, alive: true });
        self.processes.len() - 1
    }

    pub(super) fn process_id(&self, process: usize) -> u32 {
        self.processes.get(process).map_or(0, |process| process.id)
    }

    pub(super) fn is_alive(&self, id: u32) -> bool {
        self.processes.iter().any(|process| process.id == id && process.alive)
    }

    pub(super) fn kill_where(&mut self, dies: impl Fn(usize, u32) -> bool) {
        for (at, process) in self.processes.iter_mut().enumerate() {
            process.alive &= !dies(at, process.id);
        }
        let processes = &self.processes;
        self.descriptions
            .retain(|_, open| processes.get(open.process).is_some_and(|process| process.alive));
        self.sweep();
    }

    fn kill(&mut self, process: usize) {
        self.kill_where(|at, _| at == process);
    }

    pub(super) fn sweep(&mut self) {
        let open: Vec<_> = self.descriptions.values().map(|open| open.node).collect();
        self.image_mut().sweep(open);
    }

    pub(super) fn open(&mut self, process: usize, node: NodeId) -> u64 {
        self.next_description += 1;
        self.descriptions.insert(
            self.next_description,
            Description {
                node,
                process,
                lock: None,
            },
        );
        self.next_description
    }

    pub(super) fn close(&mut self, description: u64) {
        let Some(open) = self.descriptions.remove(&description) else {
            return;
        };
        if self.image.file(open.node).is_ok_and(|file| file.links == 0) {
            self.image_mut().set_loose();
            self.sweep();
        }
    }

    /// `flock`: a lock belongs to the open file description. As on Linux, a conversion gives the old lock up first.
    pub(super) fn lock(&mut self, description: u64, mode: LockMode, wait: bool) -> io::Result<bool> {
        let Some(open) = self.descriptions.get_mut(&description) else {
            return Err(killed());
        };
        if open.lock == Some(mode) {
            return Ok(true);
        }
        open.lock = None;
        let node = open.node;
        let conflict = self.descriptions.values().any(|other| {
            other.node == node
                && other
                    .lock
                    .is_some_and(|held| held == LockMode::Exclusive || mode == LockMode::Exclusive)
        });
        if conflict {
            return if wait {
                Err(os_error(super::faults::EDEADLK))
            } else {
                Ok(false)
            };
        }
        if let Some(open) = self.descriptions.get_mut(&description) {
            open.lock = Some(mode);
        }
        Ok(true)
    }

    pub(super) fn unlock(&mut self, description: u64, path: &Arc<str>) {
        let held = self
            .descriptions
            .get_mut(&description)
            .and_then(|open| open.lock.take());
        if held.is_none() {
            self.misused(OperationKind::Unlock, path, Misuse::UnlockWithoutLock);
        }
    }

    /// How many more bytes files may take; `None`: any.
    pub(super) fn space_left(&self) -> Option<u64> {
        self.settings
            .capacity
            .map(|capacity| capacity.saturating_sub(self.used()))
    }

    pub(super) fn used(&self) -> u64 {
        let allocated = self.image.nodes().filter_map(|(node, _)| self.image.file(node).ok());
        allocated.map(super::node::FileNode::allocated).sum()
    }

    pub(super) fn misused(&mut self, kind: OperationKind, path: &Arc<str>, fault: Misuse) {
        let path = Arc::clone(path);
        self.violations.push(Violation {
            operation: self.counters.total(),
            kind,
            path,
            fault,
        });
    }

    pub(super) fn check_access(&mut self, call: &Call<'_>, access: Access) -> io::Result<()> {
        if access == Access::ReadWrite {
            return Ok(());
        }
        self.misused(call.kind, call.path, Misuse::ChangeThroughReader);
        Err(os_error(Errno::BADF.raw_os_error()))
    }

    /// Counts the call, keeps the state before it where that is asked for, and applies its fault.
    fn begin(&mut self, call: &Call<'_>) -> io::Result<Admission> {
        if !self.processes.get(call.process).is_some_and(|process| process.alive) {
            if call.kind.changes() {
                self.misused(call.kind, call.path, Misuse::ChangeByTheDead);
            }
            return Err(killed());
        }
        self.counters.count(call.kind);
        let operation = self.counters.total();
        if let Some(trace) = &mut self.trace {
            trace.push(TraceEntry {
                operation,
                process: self.processes[call.process].id,
                kind: call.kind,
                path: Arc::clone(call.path),
                to: call.to.map(Arc::clone),
                offset: call.offset,
                len: call.len,
                outcome: Outcome::Done(0),
            });
        }
        if call.kind.changes() && self.kill_points != KillPoints::Off {
            self.image.prepare_digest();
            self.snapshots.push((operation, None, Arc::clone(&self.image)));
        }
        let mut admission = Admission::default();
        match self.faults.hit(call.kind, call.path, call.to.map(|to| &**to)) {
            None => {}
            Some(Effect::Fail(errno) | Effect::FailAmong(errno, _)) if call.kind.is_sync() => {
                admission.failed_sync = Some((errno, self.settings.failed_sync));
            }
            Some(Effect::Fail(errno) | Effect::FailAmong(errno, _)) => return Err(os_error(errno)),
            Some(Effect::FailSync(errno, outcome)) => admission.failed_sync = Some((errno, outcome)),
            Some(Effect::Short(limit)) => admission.limit = Some(limit),
            Some(Effect::KillInside(bytes)) => admission.dies_after = Some(bytes),
            Some(Effect::Kill) => {
                self.kill(call.process);
                return Err(killed());
            }
        }
        Ok(admission)
    }

    /// What `write_at` does; answers how many bytes.
    pub(super) fn write(
        &mut self,
        call: &Call<'_>,
        node: NodeId,
        bytes: &[u8],
        admitted: Admission,
    ) -> io::Result<u64> {
        let mut len = bytes.len() as u64;
        let end = call
            .offset
            .checked_add(len)
            .filter(|end| *end <= super::content::MAX_LEN);
        let Some(end) = end else {
            self.misused(call.kind, call.path, Misuse::BeyondAnyFile);
            return Err(os_error(Errno::FBIG.raw_os_error()));
        };
        if let Some(free) = self.space_left() {
            let allocated = self.image.file(node)?.allocated();
            let grows = end.saturating_sub(allocated);
            let needs = if self.settings.copy_on_write { len } else { grows };
            if needs > free {
                // What still fits is written, as far as that is a prefix.
                len = len.saturating_sub(needs - free);
                if len == 0 {
                    return Err(os_error(super::faults::ENOSPC));
                }
            }
        }
        len = len
            .min(admitted.limit.unwrap_or(len))
            .min(admitted.dies_after.unwrap_or(len));
        let bytes = bytes.get(..usize::try_from(len).unwrap_or(usize::MAX)).unwrap_or(bytes);
        if let KillPoints::InsideWrites { step } = self.kill_points {
            self.keep_inside_write(call, node, bytes, step)?;
        }
        if !bytes.is_empty() {
            let image = self.image_mut();
            let sequence = image.next_sequence();
            image.file_mut(node)?.write(sequence, call.offset, bytes);
        }
        if admitted.dies_after.is_some() {
            self.kill(call.process);
            return Err(killed());
        }
        self.counters.bytes_written += len;
        Ok(len)
    }

    /// What a sync does: to the bytes of a file, or to the entries of a directory.
    pub(super) fn sync(&mut self, node: NodeId, admitted: Admission) -> io::Result<()> {
        let failed = admitted.failed_sync;
        let entries = match self.image.node(node)? {
            Node::File(file) if file.journal.is_empty() => None,
            Node::Directory(directory) if directory.journal.is_empty() => None,
            Node::File(_) => Some(false),
            Node::Directory(_) => Some(true),
            Node::Symlink(_) | Node::Special => None,
        };
        if let Some(entries) = entries {
            let image = self.image_mut();
            match (image.node_mut(node)?, failed) {
                (Node::File(file), None) => file.synced(),
                (Node::File(file), Some((_, outcome))) => file.sync_failed(outcome),
                (Node::Directory(directory), None) => directory.synced(),
                (Node::Directory(directory), Some((_, outcome))) => directory.sync_failed(outcome),
                _ => {}
            }
            if entries {
                if failed.is_some() {
                    image.recount();
                }
                self.sweep();
            }
        }
        failed.map_or(Ok(()), |(errno, _)| Err(os_error(errno)))
    }

    /// A kill inside a write leaves a prefix of it readable.
    fn keep_inside_write(&mut self, call: &Call<'_>, node: NodeId, bytes: &[u8], step: u64) -> io::Result<()> {
        let step = usize::try_from(step.max(1)).unwrap_or(usize::MAX);
        for written in (step..bytes.len()).step_by(step) {
            let mut image = (*self.image).clone();
            let sequence = image.next_sequence();
            image.file_mut(node)?.write(sequence, call.offset, &bytes[..written]);
            self.snapshots
                .push((self.counters.total(), Some(written as u64), Arc::new(image)));
        }
        Ok(())
    }
}

/// The machine as its handles share it.
#[derive(Debug)]
pub(super) struct Shared(Mutex<Machine>);

impl Shared {
    pub(super) fn new(machine: Machine) -> Arc<Self> {
        Arc::new(Self(Mutex::new(machine)))
    }

    pub(super) fn machine(&self) -> MutexGuard<'_, Machine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one call: counted, traced, hit by its fault, or answered by `act`, which tells how much was moved.
    pub(super) fn call<T>(
        &self,
        call: &Call<'_>,
        act: impl FnOnce(&mut Machine, Admission) -> io::Result<(T, u64)>,
    ) -> io::Result<T> {
        let mut machine = self.machine();
        let recorded = machine.trace.as_ref().map(Vec::len);
        let answer = machine.begin(call).and_then(|admission| act(&mut machine, admission));
        let outcome = match &answer {
            Ok((_, moved)) => Outcome::Done(*moved),
            Err(error) if super::is_killed(error) => Outcome::Killed,
            Err(error) => Outcome::Failed(error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error())),
        };
        if let (Some(at), Some(trace)) = (recorded, &mut machine.trace)
            && let Some(entry) = trace.get_mut(at)
        {
            entry.outcome = outcome;
        }
        answer.map(|(value, _)| value)
    }
}
