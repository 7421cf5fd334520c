//! `export git`: what live Lines and Tags reach, as a stream for `git fast-import`.
//!
//! Every Snapshot comes once, parents first (a parent's record stands before its child's, so that is the order of the records), as the
//! difference to its first parent. Every blob comes once, before its first use, in pieces: memory holds a number for each object and each
//! Snapshot, and the directories that were used lately. Locks are held for [`PAGE_LEN`] Snapshots at a time.

mod changes;
mod identity;
mod plan;
mod write;

use std::io::{self, Write};
use std::ops::ControlFlow;

use graven::Store;
use graven::format::SnapshotIndex;

use self::plan::{Plan, Ref};
use self::write::Writer;

pub use self::identity::{BadIdentity, Identity};

/// Snapshots that are written under one pair of locks.
pub const PAGE_LEN: usize = 250;

/// What an export is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Who is committer and tagger of everything: no field of a store holds that.
    pub identity: Identity,
}

/// What an export wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Commits.
    pub commits: u64,
    /// Blobs.
    pub blobs: u64,
    /// Branches.
    pub lines: u64,
    /// Tags.
    pub tags: u64,
}

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Names that cannot be git refs, or not both; nothing was written.
    #[error("these names cannot be git refs: {}", .0.join(", "))]
    Names(Vec<String>),
    /// The engine's error. The stream that was written is without its `done`, so git refuses it.
    #[error(transparent)]
    Store(#[from] graven::Error),
    /// The stream could not be written.
    #[error("the stream could not be written: {0}")]
    Output(#[from] io::Error),
    /// The caller's watch stopped it.
    #[error("stopped")]
    Stopped,
}

impl From<graven::domain::Error> for ExportError {
    fn from(error: graven::domain::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What is told how many commits of how many are written; `Break` stops the export.
pub type Watch<'w> = &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Writes the store as a stream to `out`.
///
/// `Names` before the first byte. After any other error the stream lacks its `done`.
pub fn export(store: &Store, out: impl Write, options: &Options, watch: Watch<'_>) -> Result<Report, ExportError> {
    let (workflow, objects) = (store.workflow(), store.objects());
    let plan = Plan::make(&workflow.view()?)?;
    let mut writer = Writer::new(out, &options.identity, plan.snapshot_count());
    let total = plan.reached().count() as u64;
    let reached: Vec<(SnapshotIndex, &Ref)> = plan.reached().collect();
    writer.begin()?;
    for page in reached.chunks(PAGE_LEN) {
        // In the order of the locks: workflow before object.
        let workflow = workflow.view()?;
        let objects = objects.view()?;
        let (snapshots, objects) = (workflow.snapshots()?, objects.objects()?);
        for (index, reference) in page {
            writer.commit(&snapshots, &objects, *index, &reference.full_name())?;
        }
        if watch(writer.report().commits, total).is_break() {
            return Err(ExportError::Stopped);
        }
    }
    for reference in plan.refs() {
        writer.reference(reference)?;
    }
    writer.finish()
}
