//! What the simulator drives: a program over a disk, in steps that are each all or nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use graven::vfs::Vfs;
use graven::vfs::fault::FaultDisk;

use crate::judge::checks::Wrong;

/// The authority bytes on a disk: by path, what a process reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents(pub BTreeMap<Arc<str>, Arc<Vec<u8>>>);

impl Contents {
    /// The first difference to another, in words; `None` where there is none.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        for path in self.0.keys().chain(other.0.keys()) {
            let (one, two) = (self.0.get(path), other.0.get(path));
            if one == two {
                continue;
            }
            let (Some(one), Some(two)) = (one, two) else {
                return Some(format!("{path} exists on one side only"));
            };
            let at = one.iter().zip(&**two).take_while(|(one, two)| one == two).count();
            return Some(format!(
                "{path} differs from byte {at} on; {} and {} bytes",
                one.len(),
                two.len()
            ));
        }
        None
    }
}

/// What a reader sees, one line a record.
pub type Seen = Vec<String>;

/// What kind of answer a refusal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The disk is full.
    NoSpace,
    /// The operating system forbids it.
    Permission,
    /// Another failure of the operating system.
    Io,
    /// Stored bytes break a rule.
    Corrupt,
    /// A handle that may write has to open it first.
    RecoveryNeeded,
    /// An earlier failure has put the handle out of use.
    Poisoned,
    /// Anything else.
    Other,
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind.
    pub kind: Kind,
    /// The error's text.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What a handle answers after its run has ended, whatever made a step fail being gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// What it reads.
    pub read: Result<Seen, Refusal>,
    /// Whether another change commits: the probe. Where it does not read, nothing is changed: whether every root lets
    /// a change begin.
    pub change: Result<(), Refusal>,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The step that failed, from 0; it and those behind it did not answer.
    pub step: usize,
    /// Whether the step may have happened nevertheless.
    pub unknown: bool,
    /// The error's kind.
    pub kind: Kind,
    /// The error's text.
    pub message: String,
}

/// One crash image for the judge that looks before recovery.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// The step that was in progress, or had just ended.
    pub step: usize,
    /// The authority before it.
    pub before: &'a Contents,
    /// The authority after it.
    pub after: &'a Contents,
    /// The authority in the image.
    pub found: &'a Contents,
    /// Whether no recovery has touched the disk: then a file that has grown tells of its stage.
    pub untouched: bool,
}

/// How cuts tear one write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tears {
    /// At steps, and at these offsets in the file.
    Fine(Vec<u64>),
    /// At these offsets in the file only: what is whole or nothing is torn as well in one place as in another.
    Coarse(Vec<u64>),
    /// Not at all: it goes with the rest, since nothing depends on it.
    Never,
}

/// A program in steps. Everything it does is determined by the disk and the entropy.
pub trait Subject: Sync {
    /// How many steps it has.
    fn steps(&self) -> usize;

    /// The disk before the first step; nothing pending.
    fn prepare(&self) -> Result<FaultDisk, String>;

    /// Runs all steps in one process, calling `done` after each with its number.
    fn run(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32], done: &mut dyn FnMut(usize)) -> Result<(), Stop>;

    /// The same; at its end, wherever that is, calls `ended`, which takes the cause of a failure away, and then goes on in
    /// the same handle: it reads, makes the probe's change, and closes. `None`: no handle was left.
    fn run_and_go_on(
        &self,
        vfs: &Arc<dyn Vfs>,
        entropy: [u8; 32],
        done: &mut dyn FnMut(usize),
        ended: &mut dyn FnMut(),
    ) -> (Result<(), Stop>, Option<After>) {
        let ran = self.run(vfs, entropy, done);
        ended();
        (ran, None)
    }

    /// Opens for writing, which recovers, and reads everything.
    fn open(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Seen, Refusal>;

    /// Opens for reading and reads everything; `None`: it says that it must be recovered first.
    fn look(&self, vfs: &Arc<dyn Vfs>) -> Result<Option<Seen>, String>;

    /// Opens and makes one more change, of another kind than the steps.
    fn probe(&self, vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<(), String>;

    /// What a reader must see after so many steps.
    fn expected(&self, steps: usize) -> Seen;

    /// The authority bytes of a disk.
    fn contents(&self, disk: &FaultDisk) -> Contents;

    /// 128 bits that name the disk, but for what distinguishes nothing (such as the note in a lock file).
    fn name(&self, disk: &FaultDisk) -> u128;

    /// How a write in the file of that path, between two offsets, is torn by cuts; `grows`: it is at the file's end.
    fn tears(&self, path: &str, from: u64, to: u64, grows: bool) -> Tears;

    /// The judge that looks before recovery: what its checks find wrong.
    fn judge_raw(&self, image: &Image<'_>) -> Vec<Wrong>;
}
