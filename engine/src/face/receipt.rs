//! What a commit tells.

/// What a committed transaction cost and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt<T> {
    /// What the transaction's closure answered.
    pub value: T,
    /// The sequence of the transaction's undo in its zone; 0 where nothing was changed.
    pub sequence: u64,
    /// Sync phases: one for the undo and one for each stage the transaction had.
    pub phases: u32,
    /// The files that were synced, counted once for each phase.
    pub syncs: u32,
    /// The authority files that were written.
    pub files: u32,
    /// The bytes that were written: undo, records and payload.
    pub bytes: u64,
}

impl Receipt<()> {
    pub(super) fn of(receipt: &crate::store::Receipt) -> Self {
        Self {
            value: (),
            sequence: receipt.sequence,
            phases: receipt.phases,
            syncs: receipt.syncs,
            files: receipt.files,
            bytes: receipt.bytes,
        }
    }

    /// The same receipt with a value.
    pub(super) fn with<T>(self, value: T) -> Receipt<T> {
        Receipt {
            value,
            sequence: self.sequence,
            phases: self.phases,
            syncs: self.syncs,
            files: self.files,
            bytes: self.bytes,
        }
    }
}
