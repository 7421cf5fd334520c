//! The recovery store's bytes: header, spent mark, and the undo of the newest change.
//!
//! ```text
//! 0    zone identity (16)
//! 16   format version (u32), zero (u32)
//! 24   mark: sequence (u64), digest (32) of the undo it spends
//! 64   digest (32): BLAKE3 of everything that follows, up to the end of the body
//! 96   magic (8), kind (u8), zero (7), sequence (u64), now (u64), nonce (16), body length (u64)
//! 152  body
//! ```
//! A body is: the identities of the inner zones (u8 count, 16 bytes each); the files (u16 count, each u8 zone, 0 for
//! the undo's own and k for the k-th inner one, u8 name length, name); the items (u32 count, each u8 stage, u8 tag,
//! u16 file, then by tag: 1 range: u64 offset, u32 length, old bytes, new bytes; 2 record append: u64 old length,
//! u64 length, bytes; 3 payload append: u64 old length, u64 length, BLAKE3). The body of kind `external` is the
//! outer zone's identity (16) and the outer undo's digest (32); that of kind `retire` is empty. All integers are
//! little-endian.
//!
//! An undo is *valid* when its digest is right: a torn one never is. It is *spent* when the mark holds its digest;
//! sequences are never compared, since a torn number can equal anything.
//!
//! Lean: `Claim_torn_undo_is_never_believed`, `Claim_mark_spends_one_undo`, `Claim_sequence_increases`.

use crate::disk::ZoneIdentity;

/// The format version of the recovery store.
pub const VERSION: u32 = 1;
/// Where the mark stands.
pub const MARK_OFFSET: u64 = 24;
/// Where the undo stands.
pub const UNDO_OFFSET: u64 = 64;
/// The length of the fixed head, header and mark included.
pub const HEAD_LEN: usize = 152;
/// The length of a new recovery store: room for small changes without growth.
pub const NEW_LEN: usize = 4096;

const MAGIC: [u8; 8] = *b"GRAVUNDO";
const BODY_IN_UNDO: usize = HEAD_LEN - 64;

/// A BLAKE3 digest.
pub type Digest = [u8; 32];

/// The stages of a change that write authority bytes, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Payload bytes.
    Payload,
    /// Writes that a rule wants durable before the state bits or the commit point.
    Fields,
    /// State bits that the rules put last, where some other write is the commit point.
    State,
    /// The commit-point write, and with it owner rows and other derived ranges.
    Commit,
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Self; 4] = [Self::Payload, Self::Fields, Self::State, Self::Commit];

    const fn byte(self) -> u8 {
        match self {
            Self::Payload => 2,
            Self::Fields => 3,
            Self::State => 4,
            Self::Commit => 5,
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.byte() == byte)
    }
}

/// A file that an undo speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoFile {
    /// 0: a file of the undo's own zone; k: of the k-th inner zone.
    pub zone: u8,
    /// Its name.
    pub name: String,
}

/// What an item did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Overwrites bytes below the file's old length.
    Range {
        /// Where.
        offset: u64,
        /// The bytes before.
        old: Vec<u8>,
        /// The bytes after; as many.
        new: Vec<u8>,
    },
    /// Grows a record file.
    RecordAppend {
        /// The file's length before.
        old_len: u64,
        /// The appended bytes.
        bytes: Vec<u8>,
    },
    /// Grows a payload file.
    PayloadAppend {
        /// The file's length before.
        old_len: u64,
        /// How many bytes were appended.
        len: u64,
        /// Their BLAKE3.
        digest: Digest,
    },
}

/// One item of a change's undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The stage that writes it.
    pub stage: Stage,
    /// The file, as an index into [`Change::files`].
    pub file: u16,
    /// What it did.
    pub action: Action,
}

/// The body of an undo of kind `change`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The identities of the inner zones.
    pub inner: Vec<ZoneIdentity>,
    /// The files.
    pub files: Vec<UndoFile>,
    /// The items.
    pub items: Vec<Item>,
}

/// What an undo is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A change of this zone, and of inner zones.
    Change(Change),
    /// This zone takes part in a change of another one.
    External {
        /// The outer zone.
        outer: ZoneIdentity,
        /// The digest of its undo.
        digest: Digest,
    },
    /// Nothing to judge: it only replaces an older undo.
    Retire,
}

impl Body {
    const fn kind(&self) -> u8 {
        match self {
            Self::Change(_) => 1,
            Self::External { .. } => 2,
            Self::Retire => 3,
        }
    }
}

/// A whole undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// Its sequence.
    pub sequence: u64,
    /// The transaction's time.
    pub now: u64,
    /// Makes no two undos equal.
    pub nonce: [u8; 16],
    /// What it is.
    pub body: Body,
}

/// The fixed head of a recovery store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The zone's identity.
    pub identity: ZoneIdentity,
    /// The format version.
    pub version: u32,
    /// The mark's sequence, as read.
    pub mark_sequence: u64,
    /// The mark's digest, as read.
    pub mark_digest: Digest,
    /// The digest that stands before the undo, right or not.
    pub undo_digest: Digest,
    /// The undo's length, digest included, as its head claims.
    pub undo_len: u64,
}

impl Head {
    /// Reads the head; `None` where there are too few bytes for one.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes.get(..HEAD_LEN)?);
        let identity = reader.array()?;
        let version = reader.u32()?;
        reader.take(4)?;
        let mark_sequence = reader.u64()?;
        let mark_digest = reader.array()?;
        let undo_digest = reader.array()?;
        reader.take(BODY_IN_UNDO - 32 - 8)?;
        let body_len = reader.u64()?;
        Some(Self {
            identity,
            version,
            mark_sequence,
            mark_digest,
            undo_digest,
            undo_len: (BODY_IN_UNDO as u64).saturating_add(body_len),
        })
    }

    /// Whether the mark spends the undo. True also of a new store, where both digests are zero.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.mark_digest == self.undo_digest
    }
}

/// The bytes of a new recovery store: nothing to recover.
#[must_use]
pub fn new_file(identity: &ZoneIdentity) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(NEW_LEN);
    bytes.extend_from_slice(identity);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.resize(NEW_LEN, 0);
    bytes
}

/// The mark's bytes.
#[must_use]
pub fn encode_mark(sequence: u64, digest: &Digest) -> [u8; 40] {
    let mut bytes = [0; 40];
    bytes[..8].copy_from_slice(&sequence.to_le_bytes());
    bytes[8..].copy_from_slice(digest);
    bytes
}

impl Undo {
    /// The undo's bytes, digest first, and the digest.
    #[must_use]
    pub fn encode(&self) -> (Vec<u8>, Digest) {
        let mut bytes = vec![0; 32];
        bytes.extend_from_slice(&MAGIC);
        bytes.push(self.body.kind());
        bytes.extend_from_slice(&[0; 7]);
        bytes.extend_from_slice(&self.sequence.to_le_bytes());
        bytes.extend_from_slice(&self.now.to_le_bytes());
        bytes.extend_from_slice(&self.nonce);
        bytes.extend_from_slice(&[0; 8]);
        match &self.body {
            Body::Change(change) => encode_change(change, &mut bytes),
            Body::External { outer, digest } => {
                bytes.extend_from_slice(outer);
                bytes.extend_from_slice(digest);
            }
            Body::Retire => {}
        }
        let body_len = (bytes.len() - BODY_IN_UNDO) as u64;
        bytes[BODY_IN_UNDO - 8..BODY_IN_UNDO].copy_from_slice(&body_len.to_le_bytes());
        let digest: Digest = blake3::hash(&bytes[32..]).into();
        bytes[..32].copy_from_slice(&digest);
        (bytes, digest)
    }

    /// Reads an undo, digest first. `None`: torn, or never written; nothing had started.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (digest, rest) = bytes.split_at_checked(32)?;
        if blake3::hash(rest).as_bytes() != digest && !planted!("accept_a_torn_undo") {
            return None;
        }
        let mut reader = Reader(rest);
        if reader.array::<8>()? != MAGIC {
            return None;
        }
        let kind = reader.u8()?;
        reader.take(7)?;
        let sequence = reader.u64()?;
        let now = reader.u64()?;
        let nonce = reader.array()?;
        if reader.u64()? != reader.0.len() as u64 {
            return None;
        }
        let body = match kind {
            1 => Body::Change(decode_change(&mut reader)?),
            2 => Body::External {
                outer: reader.array()?,
                digest: reader.array()?,
            },
            3 => Body::Retire,
            _ => return None,
        };
        reader.0.is_empty().then_some(Self {
            sequence,
            now,
            nonce,
            body,
        })
    }
}

fn encode_change(change: &Change, bytes: &mut Vec<u8>) {
    // The builder bounds every count and length: 255 zones, 65,535 files, the transaction's bytes.
    bytes.push(u8::try_from(change.inner.len()).unwrap_or(u8::MAX));
    for identity in &change.inner {
        bytes.extend_from_slice(identity);
    }
    bytes.extend_from_slice(&u16::try_from(change.files.len()).unwrap_or(u16::MAX).to_le_bytes());
    for file in &change.files {
        bytes.push(file.zone);
        bytes.push(u8::try_from(file.name.len()).unwrap_or(u8::MAX));
        bytes.extend_from_slice(file.name.as_bytes());
    }
    bytes.extend_from_slice(&u32::try_from(change.items.len()).unwrap_or(u32::MAX).to_le_bytes());
    for item in &change.items {
        bytes.push(item.stage.byte());
        bytes.push(match item.action {
            Action::Range { .. } => 1,
            Action::RecordAppend { .. } => 2,
            Action::PayloadAppend { .. } => 3,
        });
        bytes.extend_from_slice(&item.file.to_le_bytes());
        match &item.action {
            Action::Range { offset, old, new } => {
                bytes.extend_from_slice(&offset.to_le_bytes());
                bytes.extend_from_slice(&u32::try_from(old.len()).unwrap_or(u32::MAX).to_le_bytes());
                bytes.extend_from_slice(old);
                bytes.extend_from_slice(new);
            }
            Action::RecordAppend {
                old_len,
                bytes: appended,
            } => {
                bytes.extend_from_slice(&old_len.to_le_bytes());
                bytes.extend_from_slice(&(appended.len() as u64).to_le_bytes());
                bytes.extend_from_slice(appended);
            }
            Action::PayloadAppend { old_len, len, digest } => {
                bytes.extend_from_slice(&old_len.to_le_bytes());
                bytes.extend_from_slice(&len.to_le_bytes());
                bytes.extend_from_slice(digest);
            }
        }
    }
}

fn decode_change(reader: &mut Reader<'_>) -> Option<Change> {
    let mut change = Change::default();
    for _ in 0..reader.u8()? {
        change.inner.push(reader.array()?);
    }
    for _ in 0..reader.u16()? {
        let zone = reader.u8()?;
        let name_len = reader.u8()?;
        let name = std::str::from_utf8(reader.take(usize::from(name_len))?)
            .ok()?
            .to_owned();
        if usize::from(zone) > change.inner.len() {
            return None;
        }
        change.files.push(UndoFile { zone, name });
    }
    for _ in 0..reader.u32()? {
        let stage = Stage::from_byte(reader.u8()?)?;
        let tag = reader.u8()?;
        let file = reader.u16()?;
        if usize::from(file) >= change.files.len() {
            return None;
        }
        let action = match tag {
            1 => {
                let offset = reader.u64()?;
                let len = reader.u32()? as usize;
                offset.checked_add(len as u64)?;
                Action::Range {
                    offset,
                    old: reader.take(len)?.to_vec(),
                    new: reader.take(len)?.to_vec(),
                }
            }
            2 => {
                let old_len = reader.u64()?;
                let len = reader.u64()?;
                old_len.checked_add(len)?;
                Action::RecordAppend {
                    old_len,
                    bytes: reader.take(usize::try_from(len).ok()?)?.to_vec(),
                }
            }
            3 => {
                let old_len = reader.u64()?;
                let len = reader.u64()?;
                old_len.checked_add(len)?.checked_add(1)?;
                Action::PayloadAppend {
                    old_len,
                    len,
                    digest: reader.array()?,
                }
            }
            _ => return None,
        };
        change.items.push(Item { stage, file, action });
    }
    Some(change)
}

/// Takes bytes from the front of a slice, and never more than there are.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Undo {
        Undo {
            sequence: 7,
            now: 1_700_000_000,
            nonce: [3; 16],
            body: Body::Change(Change {
                inner: vec![[9; 16]],
                files: vec![
                    UndoFile {
                        zone: 0,
                        name: "line.bin".to_owned(),
                    },
                    UndoFile {
                        zone: 1,
                        name: "object_payload.bin".to_owned(),
                    },
                ],
                items: vec![
                    Item {
                        stage: Stage::Payload,
                        file: 1,
                        action: Action::PayloadAppend {
                            old_len: 4,
                            len: 10,
                            digest: [1; 32],
                        },
                    },
                    Item {
                        stage: Stage::Fields,
                        file: 0,
                        action: Action::Range {
                            offset: 4,
                            old: vec![0, 1],
                            new: vec![2, 3],
                        },
                    },
                    Item {
                        stage: Stage::Commit,
                        file: 0,
                        action: Action::RecordAppend {
                            old_len: 44,
                            bytes: vec![7; 40],
                        },
                    },
                ],
            }),
        }
    }

    #[test]
    fn an_undo_reads_back_what_was_written() {
        let external = Body::External {
            outer: [1; 16],
            digest: [2; 32],
        };
        for body in [sample().body, external, Body::Retire] {
            let undo = Undo { body, ..sample() };
            let (bytes, digest) = undo.encode();
            assert_eq!(bytes[..32], digest);
            assert_eq!(Undo::decode(&bytes), Some(undo));
        }
    }

    #[test]
    fn a_torn_undo_is_never_believed() {
        let (bytes, _) = sample().encode();
        for position in 0..bytes.len() {
            let mut torn = bytes.clone();
            torn[position] ^= 1;
            assert_eq!(Undo::decode(&torn), None, "a flip at {position} was believed");
            assert_eq!(
                Undo::decode(&bytes[..position]),
                None,
                "a prefix of {position} bytes was believed"
            );
        }
    }

    #[test]
    fn a_new_store_has_nothing_to_recover() {
        let head = Head::parse(&new_file(&[5; 16])).unwrap();
        assert!(head.is_spent());
        assert_eq!((head.identity, head.version, head.mark_sequence), ([5; 16], VERSION, 0));
    }

    #[test]
    fn the_head_tells_the_undos_length_and_whether_it_is_spent() {
        let (undo, digest) = sample().encode();
        let mut file = new_file(&[5; 16]);
        file[64..64 + undo.len()].copy_from_slice(&undo);
        let head = Head::parse(&file).unwrap();
        assert_eq!(head.undo_len, undo.len() as u64);
        assert!(!head.is_spent());
        file[24..64].copy_from_slice(&encode_mark(7, &digest));
        assert!(Head::parse(&file).unwrap().is_spent());
    }
}
