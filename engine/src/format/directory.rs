//! Directories: the payload of objects of kind directory, entry by entry, without allocation in reading (F-0.3).

use super::error::{DecodeError, Problem};
use super::hash::ObjectHash;

/// The deepest a directory may lie below its root (F-0.3).
pub const MAX_DIRECTORY_DEPTH: usize = 512;
/// The longest name of an entry, in bytes (F-0.3).
pub const MAX_ENTRY_NAME_LEN: usize = u16::MAX as usize;

const PAYLOAD: &str = "DirectoryPayload";
const RULE: &str = "F-0.3";
/// mode (4), kind (1), size (8), hash (32), `name_len` (2)
const ENTRY_HEAD_LEN: usize = 47;

/// One entry of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryEntry<'a> {
    /// Its name: bytes, not necessarily text; non-empty, not `.` or `..`, without `/` and NUL.
    pub name: &'a [u8],
    /// What it names.
    pub target: EntryTarget,
}

/// What an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryTarget {
    /// A file, whose content is a blob.
    File {
        /// How it is to be used.
        mode: FileMode,
        /// The blob's length in bytes.
        size: u64,
        /// The blob's hash.
        hash: ObjectHash,
    },
    /// A directory below this one.
    Directory {
        /// The sizes of all files below it together, in bytes.
        size: u64,
        /// The directory object's hash.
        hash: ObjectHash,
    },
    /// Another repository's commit; it counts neither as a file nor in sizes.
    Link(LinkId),
}

/// How a file is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    /// 0o100644
    Plain,
    /// 0o100755
    Executable,
    /// 0o120000; the blob is the target
    Symlink,
}

/// The id of another repository's commit, left-aligned and filled with zeros.
///
/// Its length is not stored: an id whose last 12 bytes are zero is taken for one of 20 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId([u8; 32]);

impl LinkId {
    /// An id of 20 bytes.
    pub fn from_20(id: [u8; 20]) -> Self {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(id).for_each(|(to, from)| *to = from);
        Self(bytes)
    }

    /// An id of 32 bytes.
    pub const fn from_32(id: [u8; 32]) -> Self {
        Self(id)
    }

    /// The id's bytes, 20 or 32.
    pub fn as_bytes(&self) -> &[u8] {
        match self.0.split_first_chunk::<20>() {
            Some((id, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])) => id,
            _ => &self.0,
        }
    }
}

impl EntryTarget {
    /// Git's octal mode as a number.
    pub const fn mode(&self) -> u32 {
        match self {
            Self::File {
                mode: FileMode::Plain, ..
            } => 0o100_644,
            Self::File {
                mode: FileMode::Executable,
                ..
            } => 0o100_755,
            Self::File {
                mode: FileMode::Symlink,
                ..
            } => 0o120_000,
            Self::Directory { .. } => 0o040_000,
            Self::Link(_) => 0o160_000,
        }
    }

    /// The bytes below it; 0 for a link.
    pub const fn size(&self) -> u64 {
        match self {
            Self::File { size, .. } | Self::Directory { size, .. } => *size,
            Self::Link(_) => 0,
        }
    }

    /// The object it names; `None` for a link, whose commit stands in another repository.
    pub const fn object(&self) -> Option<ObjectHash> {
        match self {
            Self::File { hash, .. } | Self::Directory { hash, .. } => Some(*hash),
            Self::Link(_) => None,
        }
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::File { .. } => 0,
            Self::Directory { .. } => 1,
            Self::Link(_) => 2,
        }
    }

    fn read(mode: u32, kind: u8, size: u64, hash: [u8; 32]) -> Result<Self, &'static str> {
        let file = |mode| Self::File {
            mode,
            size,
            hash: ObjectHash(hash),
        };
        let target = match mode {
            0o100_644 => file(FileMode::Plain),
            0o100_755 => file(FileMode::Executable),
            0o120_000 => file(FileMode::Symlink),
            0o040_000 => Self::Directory {
                size,
                hash: ObjectHash(hash),
            },
            0o160_000 => Self::Link(LinkId(hash)),
            _ => return Err("a mode that is none of the five"),
        };
        if target.kind() != kind {
            return Err("mode and kind disagree");
        }
        if target.size() != size {
            return Err("a link with a size");
        }
        Ok(target)
    }
}

/// The entries of a directory's payload, in order.
///
/// Every entry is checked as it comes, its place in the order included; after the first error nothing more comes.
pub const fn entries(payload: &[u8]) -> Entries<'_> {
    Entries {
        rest: payload,
        previous: None,
        position: 0,
    }
}

/// The iterator of [`entries`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    rest: &'a [u8],
    previous: Option<&'a [u8]>,
    position: u64,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<DirectoryEntry<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let entry = self.read();
        if entry.is_err() {
            self.rest = &[];
        }
        self.position = self.position.saturating_add(1);
        Some(entry)
    }
}

impl<'a> Entries<'a> {
    fn read(&mut self) -> Result<DirectoryEntry<'a>, DecodeError> {
        let position = self.position;
        let refuse = |field, what| entry_error(position, field, what);
        let short = refuse("entry", "it ends after the payload");
        let (head, rest) = self.rest.split_first_chunk::<ENTRY_HEAD_LEN>().ok_or(short)?;
        let [m0, m1, m2, m3, kind, s0, s1, s2, s3, s4, s5, s6, s7, hash @ .., n0, n1] = *head;
        let (name, rest) = rest
            .split_at_checked(u16::from_le_bytes([n0, n1]).into())
            .ok_or(short)?;
        let mode = u32::from_le_bytes([m0, m1, m2, m3]);
        let size = u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]);
        let target = EntryTarget::read(mode, kind, size, hash).map_err(|what| refuse("mode", what))?;
        check_name(name, self.previous).map_err(|what| refuse("name", what))?;
        self.rest = rest;
        self.previous = Some(name);
        Ok(DirectoryEntry { name, target })
    }
}

/// The entry of that name, if the directory has one. Reads up to its place in the order.
///
/// # Errors
/// The first entry on the way that is wrong.
pub fn find<'a>(payload: &'a [u8], name: &[u8]) -> Result<Option<DirectoryEntry<'a>>, DecodeError> {
    for entry in entries(payload) {
        let entry = entry?;
        if entry.name >= name {
            return Ok((entry.name == name).then_some(entry));
        }
    }
    Ok(None)
}

/// Builds a directory's payload from entries that come in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct DirectoryBuilder {
    payload: Vec<u8>,
    previous: Option<Vec<u8>>,
    count: u64,
    size: u64,
}

impl DirectoryBuilder {
    /// An empty directory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// `F-0.3` for a name no entry may have or that does not come after the one before, and where the sizes together
    /// overflow. The builder is as before then.
    pub fn push(&mut self, name: &[u8], target: EntryTarget) -> Result<(), DecodeError> {
        let refuse = |field, what| entry_error(self.count, field, what);
        check_name(name, self.previous.as_deref()).map_err(|what| refuse("name", what))?;
        let name_len = u16::try_from(name.len()).map_err(|_| refuse("name", "longer than 65535 bytes"))?;
        let size = self
            .size
            .checked_add(target.size())
            .ok_or(refuse("size", "the sizes together overflow"))?;
        let hash = match target {
            EntryTarget::File { hash, .. } | EntryTarget::Directory { hash, .. } => hash.0,
            EntryTarget::Link(id) => id.0,
        };
        self.payload.extend(target.mode().to_le_bytes());
        self.payload.push(target.kind());
        self.payload.extend(target.size().to_le_bytes());
        self.payload.extend(hash);
        self.payload.extend(name_len.to_le_bytes());
        self.payload.extend(name);
        let previous = self.previous.get_or_insert_default();
        previous.clear();
        previous.extend(name);
        self.size = size;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// The sizes of all entries together: what this directory's own entry above it says.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The payload.
    pub fn finish(self) -> Vec<u8> {
        self.payload
    }
}

/// What a name may be, and where it may stand.
fn check_name(name: &[u8], previous: Option<&[u8]>) -> Result<(), &'static str> {
    match name {
        b"" => return Err("an empty name"),
        b"." | b".." => return Err("the name `.` or `..`"),
        _ if name.contains(&b'/') => return Err("a `/` in the name"),
        _ if name.contains(&0) => return Err("a NUL in the name"),
        _ => {}
    }
    match previous {
        Some(previous) if previous >= name => Err("the name does not come after the one before"),
        _ => Ok(()),
    }
}

fn entry_error(entry: u64, field: &'static str, what: &'static str) -> DecodeError {
    DecodeError::new(PAYLOAD, field, RULE, Problem::Entry { entry, what })
}

#[cfg(test)]
mod tests;
