//! Reading records and payload, from a view or through a transaction's pending writes.

use crate::format::{IndexLayout, Layout};

use super::error::Result;

/// A family of an open zone, resolved once by [`Source::family`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyId {
    pub(super) zone: u8,
    pub(super) record_slot: u8,
    pub(super) payload_slot: Option<u8>,
    pub(super) record_size: u32,
}

impl FamilyId {
    /// The family at that position of a source that is not of this floor, with payload at the same position.
    #[must_use]
    pub fn of_slot(slot: u8, record_size: u32) -> Self {
        Self {
            zone: 0,
            record_slot: slot,
            payload_slot: Some(slot),
            record_size,
        }
    }

    /// The position that [`Self::of_slot`] was given.
    #[must_use]
    pub fn slot(self) -> u8 {
        self.record_slot
    }
}

/// Where records are read from: [`super::View`] or [`super::Transaction`].
pub trait Source {
    /// Resolves a family of the zone. A family of another authority is an error.
    fn family(&self, layout: &'static Layout) -> Result<FamilyId>;

    /// The number of records, pending appends included.
    fn record_count(&self, family: FamilyId) -> u32;

    /// Reads one record; `out` has the family's record size.
    fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()>;

    /// The length of the payload file in bytes, header and pending appends included.
    fn payload_len(&self, family: FamilyId) -> u64;

    /// Reads payload bytes at an absolute offset; past the end is corruption.
    fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()>;

    /// Finds the lowest record with that key which `accept` confirms. `accept` gets candidates only: it must compare
    /// the record itself, since an index may be stale and keys may share a hash.
    fn find(
        &self,
        index: &'static IndexDefinition,
        key: &[u8],
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>>;
}

/// How a record's key is read: the key bytes, or `None` for a record that has no row (a tombstone).
pub type KeyOf = fn(&dyn Source, FamilyId, u32) -> Result<Option<Vec<u8>>>;

/// One index over one family, declared by the domain that owns the family.
#[derive(Debug)]
pub struct IndexDefinition {
    /// The family.
    pub layout: &'static Layout,
    /// The rebuildable file, or `None` for an index that lives in memory only.
    pub file: Option<&'static IndexLayout>,
    /// A record's key now. With a file, exactly the row's key bytes.
    pub key: KeyOf,
    /// Whether a row of the file holds `index + 1` (else the index itself).
    pub plus1: bool,
    /// Whether a record's key never changes after its append.
    pub immutable: bool,
}
