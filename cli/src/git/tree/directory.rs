//! A directory as it is stored, and where directories come from.

use std::sync::Arc;

use crate::git::stream::Mode;

/// An object's hash.
pub type Hash = [u8; 32];
/// A name inside a directory, shared by all versions of the directory.
pub type Name = Arc<[u8]>;

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub mode: Mode,
    /// The bytes of a file or symbolic link, the bytes below a directory, 0 for a link (F-0.3).
    pub size: u64,
    /// The object; for a link the other commit's id.
    pub hash: Hash,
}

/// A stored directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    /// Its entries, strictly increasing by name bytes.
    pub entries: Vec<(Name, Entry)>,
}

impl Directory {
    /// The bytes below it, every path counted; none where they exceed 64 bits.
    pub fn total_bytes(&self) -> Option<u64> {
        self.entries
            .iter()
            .try_fold(0_u64, |sum, (_, entry)| sum.checked_add(entry.size))
    }

    /// About how much memory it takes, in bytes.
    pub fn memory_len(&self) -> usize {
        let names: usize = self.entries.iter().map(|(name, _)| name.len() + 16).sum();
        names + self.entries.len() * size_of::<(Name, Entry)>()
    }
}

/// Where directories are read from and stored.
pub trait Directories {
    /// Why one could not be.
    type Error;

    /// The directory of that hash.
    fn load(&mut self, hash: &Hash) -> Result<Arc<Directory>, Self::Error>;

    /// Stores a directory and answers its hash.
    fn store(&mut self, directory: Directory) -> Result<Hash, Self::Error>;
}
