//! A node of the graph: a disk, and which states it may hold.

use graven::vfs::fault::FaultDisk;

use super::Limits;
use crate::coverage::Place;
use crate::path::Path;

/// What was done to a disk last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Steps ran, and no recovery.
    Run,
    /// A call failed, and the program dealt with it.
    Failure,
    /// A recovery ran.
    Recovery,
}

/// A disk to visit.
#[derive(Clone, Debug)]
pub struct Node {
    /// The disk.
    pub disk: FaultDisk,
    /// Bit n: the state after n steps is allowed.
    pub allowed: u32,
    /// The way here.
    pub path: Path,
    /// What was done last.
    pub origin: Origin,
    /// Whether a cut is to be tried here.
    pub cuttable: bool,
    /// How many more failed syncs may come.
    pub failed_syncs: u8,
    /// Where it is counted.
    pub place: Place,
}

impl Node {
    /// A node with everything still ahead.
    pub fn new(disk: FaultDisk, allowed: u32, path: Path, origin: Origin, cuttable: bool, limits: Limits) -> Self {
        Self {
            disk,
            allowed,
            path,
            origin,
            cuttable,
            failed_syncs: limits.failed_syncs,
            place: Place::START,
        }
    }

    /// The same node, counted there.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The step in progress: the one behind the first allowed state.
    pub fn step(&self) -> usize {
        self.allowed.trailing_zeros() as usize
    }
}
