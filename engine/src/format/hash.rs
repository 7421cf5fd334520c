//! Hashes of the format: objects and Snapshots by BLAKE3 in derive-key mode, names in indexes by FNV-1a.

use super::name::LineName;
use super::time::UnixSeconds;

/// The derive-key context of the contents of files (F-0.3).
pub const BLOB_CONTEXT: &str = "graven v0 blob";
/// The derive-key context of directories (F-0.3).
pub const DIRECTORY_CONTEXT: &str = "graven v0 directory";
/// The derive-key context of Snapshots (F-0.3).
pub const SNAPSHOT_CONTEXT: &str = "graven v0 snapshot";

/// The identity of an object: BLAKE3-256 of its payload in the mode of its kind (F-0.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectHash(pub [u8; 32]);

/// What an object holds (F-0.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// The content of a file, or a symbolic link's target.
    Blob,
    /// The entries of a directory.
    Directory,
}

/// The identity of a Snapshot: the first 48 bits of its descriptor's hash (F-0.3, F-2.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(u64);

/// What a Snapshot is for (F-2.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnapshotKind {
    /// A state of a Line.
    Line,
    /// A state put aside by a Stash.
    Stash,
}

impl ObjectHash {
    /// Its 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl SnapshotId {
    /// The greatest identity.
    pub const MAX: Self = Self((1 << 48) - 1);

    /// The identity with those 48 bits; `None` where one of the 16 bits above is set.
    pub const fn new(hash48: u64) -> Option<Self> {
        if hash48 <= Self::MAX.0 {
            Some(Self(hash48))
        } else {
            None
        }
    }

    /// The 48 bits.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl SnapshotKind {
    /// Its number in records and hashes.
    pub const fn code(self) -> u8 {
        match self {
            Self::Line => 0,
            Self::Stash => 1,
        }
    }
}

/// Hashes an object's payload as it streams by (F-0.3).
#[derive(Clone, Debug)]
pub struct ObjectHasher(blake3::Hasher);

impl ObjectHasher {
    /// Starts an object of that kind; equal bytes of different kinds get different hashes.
    pub fn new(kind: ObjectKind) -> Self {
        Self(blake3::Hasher::new_derive_key(match kind {
            ObjectKind::Blob => BLOB_CONTEXT,
            ObjectKind::Directory => DIRECTORY_CONTEXT,
        }))
    }

    /// Takes the next bytes of the payload.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes taken.
    pub fn finish(&self) -> ObjectHash {
        ObjectHash(self.0.finalize().into())
    }
}

/// The hash of an object whose payload is in memory (F-0.3).
pub fn object_hash(kind: ObjectKind, payload: &[u8]) -> ObjectHash {
    let mut hasher = ObjectHasher::new(kind);
    hasher.update(payload);
    hasher.finish()
}

/// Everything that makes two Snapshots the same Snapshot (F-0.3).
///
/// Records name parents by index and Lines by reference; a descriptor names them by identity and by the authoring
/// Line's name of the moment, so it is equal in two stores, and before and after a rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotDescriptor<'a> {
    /// The hash of the root directory object.
    pub manifest_hash: ObjectHash,
    /// When it was made.
    pub created_at_s: UnixSeconds,
    /// What it is for.
    pub kind: SnapshotKind,
    /// Its parents in order.
    pub parents: &'a [SnapshotId],
    /// The name its authoring Line had at that moment; `None` for an imported Snapshot.
    pub line_name: Option<LineName<'a>>,
    /// Its message; an empty one is no message.
    pub message: Option<&'a str>,
}

impl SnapshotDescriptor<'_> {
    /// The identity that follows from it (`snapshot_hash48`, F-0.3).
    pub fn id(&self) -> SnapshotId {
        let mut hasher = blake3::Hasher::new_derive_key(SNAPSHOT_CONTEXT);
        hasher.update(&[1]);
        hasher.update(&self.manifest_hash.0);
        hasher.update(&self.created_at_s.0.to_le_bytes());
        hasher.update(&[self.kind.code()]);
        hash_len(&mut hasher, self.parents.len());
        for parent in self.parents {
            hasher.update(&parent.0.to_le_bytes());
        }
        for text in [self.line_name.map(LineName::as_str), self.message] {
            let text = text.unwrap_or_default();
            hash_len(&mut hasher, text.len());
            hasher.update(text.as_bytes());
        }
        let [b0, b1, b2, b3, b4, b5, ..] = *hasher.finalize().as_bytes();
        SnapshotId(u64::from_be_bytes([0, 0, b0, b1, b2, b3, b4, b5]))
    }
}

/// A length as the u32 the descriptor has; lengths that do not fit cannot stand in a record either.
fn hash_len(hasher: &mut blake3::Hasher, len: usize) {
    hasher.update(&u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
}

/// FNV-1a of 64 bits over exact bytes: the key of name indexes (F-1).
pub const fn fnv1a64(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        hash = (hash ^ *first as u64).wrapping_mul(0x0000_0100_0000_01b3);
        rest = tail;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor() -> SnapshotDescriptor<'static> {
        SnapshotDescriptor {
            manifest_hash: ObjectHash([7; 32]),
            created_at_s: UnixSeconds(0x0102_0304_0506_0708),
            kind: SnapshotKind::Stash,
            parents: &[SnapshotId(0xA1A2_A3A4_A5A6), SnapshotId(1)],
            line_name: LineName::new("main").ok(),
            message: Some("two words"),
        }
    }

    #[test]
    fn f_0_3_snapshot_hash48_is_the_first_six_bytes_of_the_written_out_descriptor() {
        let mut bytes = vec![1];
        bytes.extend([7; 32]);
        bytes.extend([8, 7, 6, 5, 4, 3, 2, 1]);
        bytes.push(1);
        bytes.extend([2, 0, 0, 0]);
        bytes.extend([0xA6, 0xA5, 0xA4, 0xA3, 0xA2, 0xA1, 0, 0]);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([4, 0, 0, 0]);
        bytes.extend(b"main");
        bytes.extend([9, 0, 0, 0]);
        bytes.extend(b"two words");
        let hash = blake3::derive_key("graven v0 snapshot", &bytes);
        let expected = hash[..6].iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        assert_eq!(descriptor().id().get(), expected);
    }

    #[test]
    fn f_0_3_every_part_of_the_descriptor_changes_the_identity() {
        let base = descriptor();
        let others = [
            SnapshotDescriptor {
                manifest_hash: ObjectHash([8; 32]),
                ..base
            },
            SnapshotDescriptor {
                created_at_s: UnixSeconds(1),
                ..base
            },
            SnapshotDescriptor {
                kind: SnapshotKind::Line,
                ..base
            },
            SnapshotDescriptor {
                parents: &[SnapshotId(1), SnapshotId(0xA1A2_A3A4_A5A6)],
                ..base
            },
            SnapshotDescriptor {
                line_name: LineName::new("mai").ok(),
                ..base
            },
            SnapshotDescriptor {
                line_name: None,
                ..base
            },
            SnapshotDescriptor { message: None, ..base },
        ];
        for other in others {
            assert_ne!(other.id(), base.id(), "{other:?}");
        }
    }

    #[test]
    fn f_0_3_kinds_of_object_never_collide() {
        assert_eq!(
            object_hash(ObjectKind::Blob, b"x").0,
            blake3::derive_key("graven v0 blob", b"x")
        );
        assert_eq!(
            object_hash(ObjectKind::Directory, b"").0,
            blake3::derive_key("graven v0 directory", b"")
        );
        assert_ne!(
            object_hash(ObjectKind::Blob, b""),
            object_hash(ObjectKind::Directory, b"")
        );
    }

    #[test]
    fn f_0_3_hashing_in_pieces_equals_hashing_at_once() {
        let mut hasher = ObjectHasher::new(ObjectKind::Blob);
        hasher.update(b"one ");
        hasher.update(b"");
        hasher.update(b"two");
        assert_eq!(hasher.finish(), object_hash(ObjectKind::Blob, b"one two"));
    }

    #[test]
    fn f_1_fnv_1a_has_its_published_values() {
        assert_eq!(fnv1a64(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a64(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a64(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn f_2_16_the_top_16_bits_of_a_snapshot_identity_are_zero() {
        assert_eq!(SnapshotId::new(1 << 48), None);
        assert_eq!(SnapshotId::new((1 << 48) - 1), Some(SnapshotId::MAX));
    }
}
