//! The kinds of root a local store has, as types: a view of one cannot be asked for the records of another.

/// The kind of a root.
pub trait Kind: sealed::Sealed + Send + Sync + 'static {
    /// The root's directory inside the store.
    const DIRECTORY: &'static str;
}

/// The workflow root: Lines, Tags, Snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workflow {}

/// The object root: contents of files, and directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objects {}

impl Kind for Workflow {
    const DIRECTORY: &'static str = crate::format::store_file::WORKFLOW_DIRECTORY;
}

impl Kind for Objects {
    const DIRECTORY: &'static str = crate::format::store_file::OBJECTS_DIRECTORY;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Workflow {}
    impl Sealed for super::Objects {}
}
