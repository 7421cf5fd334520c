//! What one exploration counts: images by step, stage and fault, and what was there to be hit.

use std::collections::BTreeSet;

use graven::vfs::fault::{CutPlan, Cutter, OperationKind, PendingChange, Standing, TraceEntry};

use super::fault::Fault;
use super::stage::{self, Place, Stage};
use crate::path::Path;
use crate::subject::{Subject, Tears};

/// What was there in a stage, as bits: the kinds of calls (their ordinals), and what was pending where a cut was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct There(u64);

impl There {
    /// A write that is long enough for a kill inside it.
    pub const LONG_WRITE: u32 = 32;
    /// A read or write of more than one byte.
    pub const DIVISIBLE: u32 = 33;
    /// A place where a cut was taken.
    pub const CUT: u32 = 34;
    /// Something pending there.
    pub const PENDING: u32 = 35;
    /// More than one thing.
    pub const SEVERAL: u32 = 36;
    /// A write that is torn.
    pub const TORN: u32 = 37;
    /// A write inside a file that is torn in fine classes.
    pub const FINE: u32 = 38;
    /// A growth that is torn.
    pub const GROWS: u32 = 39;
    /// A changed name.
    pub const NAMES: u32 = 40;
    /// Bytes that a failed sync has left readable and lost.
    pub const CLEAN: u32 = 41;
    /// A cut was taken behind an earlier cut.
    pub const AGAIN: u32 = 42;
    /// A cut was taken behind a failed call, with something pending.
    pub const FAILED: u32 = 43;
    /// A sync of a recovery that is near enough to the start for it to fail.
    pub const NEAR_SYNC: u32 = 44;

    /// Whether a call of this kind was there.
    pub fn called(self, kind: OperationKind) -> bool {
        self.has(kind as u32)
    }

    /// Whether this bit is set.
    pub fn has(self, bit: u32) -> bool {
        self.0 & (1 << bit) != 0
    }

    /// Whether nothing was there.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn set(&mut self, bit: u32) {
        self.0 |= 1 << bit;
    }

    fn note_call(&mut self, entry: &TraceEntry, kill_inside: u64) {
        self.set(entry.kind as u32);
        let moves = matches!(entry.kind, OperationKind::Read | OperationKind::Write);
        if moves && entry.len > 1 {
            self.set(Self::DIVISIBLE);
        }
        if entry.kind == OperationKind::Write && kill_inside > 0 && entry.len > kill_inside {
            self.set(Self::LONG_WRITE);
        }
    }
}

/// The counts of one stage of one step.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Images by fault.
    pub images: [u64; Fault::COUNT],
    /// What was there.
    pub there: There,
}

impl Default for Cell {
    fn default() -> Self {
        Self {
            images: [0; Fault::COUNT],
            there: There::default(),
        }
    }
}

/// The counts of one exploration.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    steps: Vec<[Cell; Stage::COUNT]>,
    kill_inside: u64,
    /// The names among what is pending on the disk that is being cut.
    names: BTreeSet<usize>,
}

impl Tally {
    /// Nothing counted yet; processes are killed inside writes after each so many bytes.
    pub fn new(kill_inside: u64) -> Self {
        Self {
            kill_inside,
            ..Self::default()
        }
    }

    /// The stages of each step.
    pub fn steps(&self) -> &[[Cell; Stage::COUNT]] {
        &self.steps
    }

    /// All images.
    pub fn images(&self) -> u64 {
        let cells = self.steps.iter().flatten();
        cells.flat_map(|cell| cell.images).sum()
    }

    fn cell(&mut self, place: Place) -> &mut Cell {
        if self.steps.len() <= place.step {
            self.steps.resize(place.step + 1, [Cell::default(); Stage::COUNT]);
        }
        &mut self.steps[place.step][place.stage as usize]
    }

    /// Counts the image at the end of a way.
    pub fn count(&mut self, place: Place, path: &Path) {
        if let Some((edge, before)) = path.0.split_last() {
            let fault = Fault::of(before, edge, &self.names);
            self.cell(place).images[fault as usize] += 1;
        }
    }

    /// Counts the image that a cut at the end of a way leaves.
    pub fn count_cut(&mut self, place: Place, before: &Path, plan: &CutPlan) {
        let fault = Fault::of_cut(&before.0, plan, &self.names);
        self.cell(place).images[fault as usize] += 1;
    }

    /// The places of the calls of a run, and behind the last one the place of its end.
    pub fn run(&mut self, trace: &[TraceEntry], done: &[u64]) -> Vec<Place> {
        let places = stage::of_run(trace, done);
        let kill_inside = self.kill_inside;
        for (entry, place) in trace.iter().zip(&places) {
            self.cell(*place).there.note_call(entry, kill_inside);
        }
        if let Some(end) = places.last() {
            self.cell(*end).there.set(There::CUT);
        }
        places
    }

    /// The stages of the calls of an opening, and behind the last one that of its end; `near`: its syncs may fail.
    pub fn opening(&mut self, place: Place, trace: &[TraceEntry], near: bool) -> Vec<Stage> {
        let stages = stage::of_opening(trace);
        let kill_inside = self.kill_inside;
        for (entry, stage) in trace.iter().zip(&stages) {
            let there = &mut self.cell(place.in_stage(*stage)).there;
            there.note_call(entry, kill_inside);
            if near && entry.kind.is_sync() {
                there.set(There::NEAR_SYNC);
            }
        }
        stages
    }

    /// Before cuts are tried at the end of a way: what is pending there.
    pub fn cutting(&mut self, subject: &dyn Subject, place: Place, before: &Path, cutter: &Cutter) {
        let pending = cutter.pending();
        let mut there = There::default();
        let mut names = BTreeSet::new();
        there.set(There::CUT);
        if !pending.is_empty() {
            there.set(match Fault::of_cut(&before.0, &CutPlan::all_lost(), &names) {
                Fault::CutAgain => There::AGAIN,
                Fault::CutAfterFailure => There::FAILED,
                _ => There::PENDING,
            });
        }
        let is_first = there.has(There::PENDING);
        let mut torn = 0;
        for operation in pending {
            if operation.standing == Standing::Clean {
                there.set(There::CLEAN);
            }
            let range = match operation.change {
                PendingChange::Write { offset, len, .. } => (offset, offset + len),
                PendingChange::SetLen { from, to } => (from, to),
                _ => {
                    names.insert(operation.ordinal);
                    there.set(There::NAMES);
                    continue;
                }
            };
            let grows = operation.growth().is_some();
            let tears = subject.tears(&operation.path, range.0, range.1, grows);
            if tears == Tears::Never || !is_first {
                continue;
            }
            torn += 1;
            if grows {
                there.set(There::GROWS);
            }
            if operation.written().is_some_and(|(_, len)| len > 1) {
                let differing = cutter.differing(operation.ordinal);
                if is_torn(&tears, range.0, differing.as_deref()) {
                    there.set(There::TORN);
                }
                let many = differing.is_none_or(|differing| differing.len() > STEP);
                if many && matches!(tears, Tears::Fine(_)) {
                    there.set(There::FINE);
                }
            }
        }
        if torn > 1 {
            there.set(There::SEVERAL);
        }
        self.cell(place).there.add(there);
        self.names = names;
    }
}

/// How far apart fine tears are: a hole may coincide with another tear where no more bytes differ than that.
const STEP: usize = 8;

/// Whether a tear of a write that begins at `from` leaves something of it: a byte that differs stands on each side. Where
/// a single byte differs, a tear is all or nothing.
fn is_torn(tears: &Tears, from: u64, differing: Option<&[u64]>) -> bool {
    let Some(differing) = differing else { return true };
    let (Some(first), Some(last)) = (differing.first(), differing.last()) else {
        return false;
    };
    match tears {
        Tears::Coarse(edges) => edges.iter().any(|edge| (from + first + 1..=from + last).contains(edge)),
        _ => first < last,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Engine;
    use crate::explore::{Limits, explore_counted};
    use crate::workloads::tier_1;

    #[test]
    fn every_image_that_is_counted_stands_in_one_cell_of_the_tally() {
        let limits = Limits {
            most_distinct: 60,
            ..Limits::default()
        };
        let names = ["create-over-empty", "every-stage", "line-create", "indexes"];
        for workload in tier_1().into_iter().filter(|workload| names.contains(&&*workload.name)) {
            let (counts, findings, tally) = explore_counted(&Engine::new(workload.clone()), limits);
            assert_eq!(findings, [], "{}", workload.name);
            assert!(counts.images > 1000, "{}: {}", workload.name, counts.images);
            assert_eq!(tally.images(), counts.images, "{}", workload.name);
        }
    }
}
