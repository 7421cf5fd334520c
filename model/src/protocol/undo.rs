//! The recovery store of a zone: the undo, its stages, its digest, the spent mark, and the next sequence.
//!
//! A digest is a name for an undo: two digests are equal exactly when the undos are. The store is a file of six cells:
//! three pieces of the undo (valid when all three are of one undo), then the mark: the sequence's bytes and two halves
//! of the digest. So an undo and a mark can be torn, and a torn mark's sequence can be read.

use super::disk::{Disk, FIRST_DIGEST, Symbol, ZERO};
use super::rules::{Protocol, Rule};

/// A file's number on the disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub usize);

/// A zone's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ZoneId(pub usize);

/// A zone: one recovery store and its authority files.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Zone {
    /// The recovery store.
    pub store: FileId,
    /// The authority files.
    pub files: Vec<FileId>,
}

/// The stages that write authority bytes, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Payload bytes.
    Payload,
    /// Bytes that a rule wants durable before the state bits or the commit point.
    Fields,
    /// State bits where some other write is the commit point.
    State,
    /// The commit-point write, and derived ranges.
    Commit,
}

/// All stages in order.
pub const STAGES: [Stage; 4] = [Stage::Payload, Stage::Fields, Stage::State, Stage::Commit];

/// One write of a change, with what it takes to undo it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// Bytes that stand below the file's old length.
    Range {
        /// When it is written.
        stage: Stage,
        /// Where.
        file: FileId,
        /// From which offset on.
        offset: usize,
        /// What stands there before.
        old: Vec<Symbol>,
        /// What stands there after.
        new: Vec<Symbol>,
    },
    /// Records at the end of a fixed-record file; their bytes stand in the undo.
    Records {
        /// When it is written.
        stage: Stage,
        /// Where.
        file: FileId,
        /// The file's length before.
        old_len: usize,
        /// The appended bytes.
        bytes: Vec<Symbol>,
    },
    /// Bytes at the end of a payload file; only their length and digest stand in the undo, so a change whose payload is
    /// not whole cannot be completed. (The model keeps the bytes as the thing that the digest names.)
    Payload {
        /// When it is written.
        stage: Stage,
        /// Where.
        file: FileId,
        /// The file's length before.
        old_len: usize,
        /// What the digest names.
        bytes: Vec<Symbol>,
    },
}

impl Item {
    /// When it is written.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Range { stage, .. } | Self::Records { stage, .. } | Self::Payload { stage, .. } => *stage,
        }
    }

    /// Where it is written.
    pub fn file(&self) -> FileId {
        match self {
            Self::Range { file, .. } | Self::Records { file, .. } | Self::Payload { file, .. } => *file,
        }
    }

    /// The offset of its first byte and its new bytes.
    pub fn new_bytes(&self) -> (usize, &[Symbol]) {
        match self {
            Self::Range { offset, new, .. } => (*offset, new),
            Self::Records { old_len, bytes, .. } | Self::Payload { old_len, bytes, .. } => (*old_len, bytes),
        }
    }
}

/// What an undo is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A change of this zone, and of inner zones whose external record names it.
    Change(Vec<Item>),
    /// An inner zone's part of the change that the named undo of the outer zone describes (C1).
    External {
        /// The outer zone.
        outer: ZoneId,
        /// The outer undo.
        undo: Digest,
    },
    /// What an install writes first: nothing to judge, but an older undo is replaced.
    Retire,
}

/// An undo record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Undo {
    /// The zone in whose store it stands.
    pub zone: ZoneId,
    /// 1 + the larger of the valid undo's and the mark's.
    pub sequence: u8,
    /// What makes it unlike every other undo.
    pub nonce: u8,
    /// What it is for.
    pub kind: Kind,
}

/// The digest of an undo.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digest(pub Symbol);

/// The digests given out so far, and what each names.
#[derive(Clone, Default, Debug)]
pub struct Digests {
    undos: Vec<Undo>,
}

impl Digests {
    /// The digest of an undo.
    ///
    /// # Panics
    /// When an exploration needs more undos than a cell has values: its scope is too large for this model.
    pub fn of(&mut self, undo: &Undo) -> Digest {
        let index = self.undos.iter().position(|known| known == undo).unwrap_or_else(|| {
            self.undos.push(undo.clone());
            self.undos.len() - 1
        });
        let symbol = u8::try_from(index)
            .ok()
            .and_then(|index| index.checked_add(FIRST_DIGEST));
        match symbol {
            Some(symbol) if symbol < 128 => Digest(symbol),
            _ => panic!("more undos than the model has names for: make the scope smaller"),
        }
    }

    /// What a digest names.
    pub fn undo(&self, digest: Digest) -> &Undo {
        &self.undos[usize::from(digest.0 - FIRST_DIGEST)]
    }
}

/// How many cells the undo has.
pub const PIECES: usize = 3;
/// The cell of the mark's sequence.
pub const MARK_SEQUENCE: usize = PIECES;
/// The cells of the mark's digest.
pub const MARK_DIGEST: [usize; 2] = [PIECES + 1, PIECES + 2];
/// A new store: nothing to recover.
pub const EMPTY_STORE: [Symbol; PIECES + 3] = [ZERO; PIECES + 3];

fn whole(cells: impl Iterator<Item = Option<Symbol>>) -> Option<Digest> {
    let mut seen = None;
    for cell in cells {
        match (cell, seen) {
            (Some(symbol), None) if symbol >= FIRST_DIGEST => seen = Some(symbol),
            (Some(symbol), Some(first)) if symbol == first => {}
            _ => return None,
        }
    }
    seen.map(Digest)
}

/// The undo that reads as valid in a zone's store; `None` when it is torn or there never was one.
pub fn read_undo(disk: &Disk, zone: &Zone) -> Option<Digest> {
    let store = &disk.files[zone.store.0];
    whole((0..PIECES).map(|piece| store.get(piece)))
}

/// The undo that the mark spends, as it reads.
pub fn read_mark(disk: &Disk, zone: &Zone) -> Option<Digest> {
    let store = &disk.files[zone.store.0];
    whole(MARK_DIGEST.iter().map(|&cell| store.get(cell)))
}

fn marked_sequence(disk: &Disk, zone: &Zone, digests: &Digests) -> u8 {
    match disk.files[zone.store.0].get(MARK_SEQUENCE) {
        Some(symbol) if symbol >= FIRST_DIGEST => digests.undo(Digest(symbol)).sequence,
        _ => 0,
    }
}

/// Whether the mark spends this undo: the digests are equal. Numbers alone are never compared.
pub fn is_spent(protocol: Protocol, disk: &Disk, zone: &Zone, digests: &Digests, undo: Digest) -> bool {
    if protocol.keeps(Rule::SpentMeansDigest) {
        read_mark(disk, zone) == Some(undo)
    } else {
        marked_sequence(disk, zone, digests) >= digests.undo(undo).sequence
    }
}

/// The valid, unspent undo of a zone.
pub fn pending(protocol: Protocol, disk: &Disk, zone: &Zone, digests: &Digests) -> Option<Digest> {
    read_undo(disk, zone).filter(|&undo| !is_spent(protocol, disk, zone, digests, undo))
}

/// 1 + the larger of the valid undo's sequence and the mark's as it reads.
pub fn next_sequence(protocol: Protocol, disk: &Disk, zone: &Zone, digests: &Digests) -> u8 {
    let of_undo = read_undo(disk, zone).map_or(0, |undo| digests.undo(undo).sequence);
    if !protocol.keeps(Rule::SequenceFollowsTheMark) || !protocol.keeps(Rule::SpentMeansDigest) {
        return 1 + of_undo;
    }
    1 + of_undo.max(marked_sequence(disk, zone, digests))
}

/// A new undo of a zone. The nonce makes it unlike every undo of which a byte may still stand in the store: the smallest
/// that does so, because one that stands nowhere any more cannot be told from one that never was.
pub fn new_undo(
    protocol: Protocol,
    disk: &Disk,
    zones: &[Zone],
    zone: ZoneId,
    digests: &mut Digests,
    kind: Kind,
) -> Digest {
    let sequence = next_sequence(protocol, disk, &zones[zone.0], digests);
    let mut undo = Undo {
        zone,
        sequence,
        nonce: 0,
        kind,
    };
    let unique = protocol.keeps(Rule::NonceIsFresh) && protocol.keeps(Rule::SequenceFollowsTheMark);
    loop {
        let digest = digests.of(&undo);
        let stands = zones.iter().any(|zone| {
            let store = &disk.files[zone.store.0];
            (0..EMPTY_STORE.len())
                .any(|cell| store.get(cell) == Some(digest.0) || store.possible(cell).contains(digest.0))
        });
        if !stands || !unique {
            return digest;
        }
        undo.nonce += 1;
    }
}
