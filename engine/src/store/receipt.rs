//! What a commit cost.

/// What a committed transaction did. All zero for one that changed nothing: that touches no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The change's sequence in the zone of its commit point; 0 where nothing changed.
    pub sequence: u64,
    /// Sync phases: one for the undo and one for each stage it had.
    pub phases: u32,
    /// Files synced, the undo's included, each as often as it was.
    pub syncs: u32,
    /// Authority files changed.
    pub files: u32,
    /// Bytes written: undo, records and payload.
    pub bytes: u64,
}
