//! One state of an exploration, what can be seen of it, and its fingerprint.

use std::hash::{Hash, Hasher};

use crate::protocol::disk::{Disk, File};
use crate::protocol::group::Content;
use crate::protocol::recovery::Opening;
use crate::protocol::transaction::Step;
use crate::protocol::undo::{FileId, Item, Zone, ZoneId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// All zones are open and nothing runs.
    Idle,
    /// One inner zone is open alone.
    IdleAlone(ZoneId),
    /// No process has the zones open.
    Closed,
    /// A program is before one of its steps; afterwards the zones are open as the opening says, or closed.
    Running {
        program: usize,
        at: usize,
        opening: Opening,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct World {
    pub(super) disk: Disk,
    pub(super) phase: Phase,
    /// The content that is known to be there.
    pub(super) known: Content,
    /// The content that may be there instead.
    pub(super) maybe: Option<Content>,
    /// How many actions of the workload have begun.
    pub(super) begun: usize,
}

/// The content after some items.
pub fn apply(content: &Content, items: &[Item]) -> Content {
    let mut content = content.clone();
    for item in items {
        let (offset, bytes) = item.new_bytes();
        let file = &mut content[item.file().0];
        for (at, &byte) in (offset..).zip(bytes) {
            match file.get_mut(at) {
                Some(slot) => *slot = byte,
                None => file.push(byte),
            }
        }
    }
    content
}

pub(super) fn writes(steps: &[Step], file: FileId) -> bool {
    steps.iter().any(|step| match step {
        Step::Write { file: written, .. } | Step::SetLen { file: written, .. } => *written == file,
        _ => false,
    })
}

pub(super) fn half(world: &World, who: &str) -> String {
    format!(
        "{who} a content that is neither old nor new: {:?}",
        contents(&world.disk)
    )
}

pub(super) fn reads_as(disk: &Disk, zones: &[Zone], content: &Content) -> bool {
    zones
        .iter()
        .flat_map(|zone| &zone.files)
        .all(|file| disk.files[file.0].bytes() == content[file.0])
}

pub(super) fn contents(disk: &Disk) -> Vec<Vec<u8>> {
    disk.files.iter().map(File::bytes).collect()
}

/// The world after someone has seen the zones; `None` when what they see is neither old nor new.
pub(super) fn observed(world: &World, zones: &[Zone]) -> Option<World> {
    let old = reads_as(&world.disk, zones, &world.known);
    let new = world
        .maybe
        .as_ref()
        .is_some_and(|maybe| reads_as(&world.disk, zones, maybe));
    let mut world = world.clone();
    match (old, new) {
        (true, true) => {}
        (true, false) => world.maybe = None,
        (false, true) => world.known = world.maybe.take()?,
        (false, false) => return None,
    }
    Some(world)
}

/// Whether the zones hold what is known of them.
pub(super) fn expect_content(world: &World, zones: &[Zone], when: &str) -> Result<(), String> {
    if reads_as(&world.disk, zones, &world.known) {
        return Ok(());
    }
    Err(format!(
        "{when} the files do not hold what is known: {:?}",
        contents(&world.disk)
    ))
}

/// A 128-bit fingerprint of a world.
pub(super) fn fingerprint(world: &World) -> u128 {
    let mut hasher = Fingerprint(0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f);
    world.hash(&mut hasher);
    (u128::from(hasher.0) << 64) | u128::from(hasher.1)
}

struct Fingerprint(u64, u64);

impl Fingerprint {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.0 ^= self.0 >> 29;
        self.1 = (self.1.rotate_left(23) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.1 ^= self.1 >> 32;
    }
}

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }

    fn write_u128(&mut self, word: u128) {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let halves = ((word >> 64) as u64, word as u64);
        self.mix(halves.0);
        self.mix(halves.1);
    }
}
