//! The command line of Tasks, Changes, Lands and Stashes.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use graven::format::{ArchiveCause, ChangeOrdinal, FailureKind, LandMode};

use crate::verbs::clock::At;

/// `graven task`
#[derive(Args, Debug)]
pub struct Task {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: TaskOperation,
}

/// The operations on Tasks.
#[derive(Debug, Subcommand)]
pub enum TaskOperation {
    /// Create a Task
    New {
        /// What it is called
        #[arg(long)]
        title: String,
        /// What it is for
        #[arg(long)]
        intent: String,
        /// Make it a planned one
        #[arg(long)]
        planned: bool,
    },
    /// End a Task: the work is done
    #[command(visible_alias = "complete")]
    Close {
        /// The Task: LT-0001, with the store's namespace before the T
        task: String,
    },
    /// End a Task: it is given up
    Cancel {
        /// The Task: LT-0001, with the store's namespace before the T
        task: String,
    },
    /// End a Task: it is given up here, whatever the remote does
    Abandon {
        /// The Task: LT-0001, with the store's namespace before the T
        task: String,
    },
    /// Say which Task of the remote is its counterpart
    Publish {
        /// The Task: LT-0001, with the store's namespace before the T
        task: String,
        /// The remote Task's index, from 0: RT-0001 has the index 0
        #[arg(long, value_name = "INDEX")]
        remote: u32,
    },
}

/// `graven change`
#[derive(Args, Debug)]
pub struct Change {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: ChangeOperation,
}

/// The operations on Changes.
#[derive(Debug, Subcommand)]
pub enum ChangeOperation {
    /// Create a Change of an open Task, forked from a Line's head of now
    New {
        /// The Task: LT-0001
        task: String,
        /// What it is called
        #[arg(long)]
        title: String,
        /// The Line it is forked from: its name or LNE-…
        #[arg(long, value_name = "NAME")]
        line: String,
    },
    /// Take a Change out of use
    Archive {
        /// The Change: LT-0001/C-01, or C-01 where only one Task has it
        change: String,
        /// Because it is given up
        #[arg(long, conflicts_with = "superseded")]
        canceled: bool,
        /// Because another one takes its place
        #[arg(long)]
        superseded: bool,
    },
    /// Bring an archived Change back
    Reopen {
        /// The Change: LT-0001/C-01, or C-01 where only one Task has it
        change: String,
    },
    /// Say which Change of the remote is its counterpart; its Task is published before
    Publish {
        /// The Change: LT-0001/C-01, or C-01 where only one Task has it
        change: String,
        /// The remote Change's place in its Task
        #[arg(long, value_name = "C-03")]
        remote: ChangeOrdinal,
    },
}

/// The cause that the flags of `archive` tell.
pub fn archive_cause(canceled: bool, superseded: bool) -> ArchiveCause {
    match (canceled, superseded) {
        (true, _) => ArchiveCause::Canceled,
        (false, true) => ArchiveCause::Superseded,
        (false, false) => ArchiveCause::Plain,
    }
}

/// `graven land`
#[derive(Args, Debug)]
pub struct Land {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: LandOperation,
}

/// The operations on Lands.
#[derive(Debug, Subcommand)]
pub enum LandOperation {
    /// Land a Change in one step: submitted and succeeded at once
    Now {
        /// The Change and the Line it goes to
        #[command(flatten)]
        target: Target,
        /// What becomes the Line's head
        #[command(flatten)]
        head: Head,
    },
    /// Submit a Land: an attempt that waits to be started
    Submit {
        /// The Change and the Line it goes to
        #[command(flatten)]
        target: Target,
    },
    /// Queued to running
    Start {
        /// The Land: LT-0001/C-01/L-01
        land: String,
    },
    /// Running to updating: the Line is being moved
    Update {
        /// The Land: LT-0001/C-01/L-01
        land: String,
    },
    /// Running or updating to succeeded: moves the Line
    Succeed {
        /// The Land: LT-0001/C-01/L-01
        land: String,
        /// What becomes the Line's head
        #[command(flatten)]
        head: Head,
    },
    /// Running to blocked; its Change is blocked too, unless it landed or is archived
    Block {
        /// The Land: LT-0001/C-01/L-01
        land: String,
        /// By what
        #[arg(long, value_parser = failure_kinds())]
        why: FailureKind,
    },
    /// Running or updating to failed
    Fail {
        /// The Land: LT-0001/C-01/L-01
        land: String,
        /// Why
        #[arg(long, value_parser = failure_kinds())]
        why: FailureKind,
    },
    /// Queued or running to canceled
    Cancel {
        /// The Land: LT-0001/C-01/L-01
        land: String,
    },
}

/// Which Change goes where, and how.
#[derive(Args, Debug)]
pub struct Target {
    /// The Change: LT-0001/C-01, or C-01 where only one Task has it
    pub change: String,
    /// The Line it goes to: its name or LNE-…
    #[arg(long, value_name = "NAME")]
    pub line: String,
    /// How; `ff-only` refuses a Snapshot that does not descend from the Line's head
    #[arg(long, default_value = "direct", value_parser = modes())]
    pub mode: LandMode,
}

/// What becomes a Line's head, and what it was.
#[derive(Args, Debug)]
pub struct Head {
    /// The new head: SNP-…, or the name of a Line or a Tag
    #[arg(long)]
    pub snapshot: String,
    /// Refuse where the head is not this Snapshot (`none`: where there is one)
    #[arg(long, visible_alias = "expect", value_name = "SNAPSHOT")]
    pub expected: Option<String>,
}

fn failure_kinds() -> impl TypedValueParser<Value = FailureKind> {
    PossibleValuesParser::new(FailureKind::ALL.map(FailureKind::as_str)).try_map(|text| {
        let found = FailureKind::ALL.into_iter().find(|kind| kind.as_str() == text);
        found.ok_or("no kind of failure")
    })
}

fn modes() -> impl TypedValueParser<Value = LandMode> {
    PossibleValuesParser::new(LandMode::ALL.map(LandMode::as_str)).try_map(|text| {
        let found = LandMode::ALL.into_iter().find(|mode| mode.as_str() == text);
        found.ok_or("no mode")
    })
}

/// A directory on disk that is taken into the store.
#[derive(Args, Debug)]
pub struct Capture {
    /// The directory to read; it stays as it is
    pub directory: PathBuf,
    /// The Line it was worked on: its head becomes the first parent
    #[arg(long, value_name = "NAME")]
    pub line: Option<String>,
    /// Leave out every file and directory of this name, at every depth
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,
}

/// `graven snapshot`
#[derive(Args, Debug)]
pub struct Snapshot {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: SnapshotOperation,
}

/// The operations on Snapshots.
#[derive(Debug, Subcommand)]
pub enum SnapshotOperation {
    /// Make a Snapshot of a directory; no Line moves (`graven line ROOT move NAME SNAPSHOT` does, or `graven land`)
    New {
        /// The directory to take
        #[command(flatten)]
        directory: Capture,
        /// What it is
        #[arg(long, short)]
        message: Option<String>,
        /// A parent, after the head of the Line; may be given several times
        #[arg(long, value_name = "SNAPSHOT")]
        parent: Vec<String>,
    },
    /// Take a Snapshot out of use that nothing refers to; its record and its objects stay
    Delete {
        /// The Snapshot: SNP-000000000000
        snapshot: String,
    },
}

/// `graven stash`
#[derive(Args, Debug)]
pub struct Stash {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: StashOperation,
}

/// The operations on Stashes.
#[derive(Debug, Subcommand)]
pub enum StashOperation {
    /// Put a directory's state aside; `graven checkout ROOT STH-000001 DIR` brings it back
    Save {
        /// The directory to put aside
        #[command(flatten)]
        directory: Capture,
        /// What it is
        #[arg(long, short)]
        message: Option<String>,
        /// Note that you clear the directory; this verb does not
        #[arg(long)]
        cleared: bool,
    },
    /// Delete a Stash; its Snapshot goes with it where nothing else needs that
    Drop {
        /// The Stash: STH-000001
        stash: String,
    },
    /// List the Stashes, the newest first; changes nothing
    List,
}
