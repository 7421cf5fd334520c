//! The command line: every verb, its arguments and its help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::clock::At;
use crate::git::export::Identity;

mod cursor;
mod listing;
mod workflow;

pub use cursor::{Cursor, CursorOperation};
pub use listing::{By, Filters, Kind, List};
pub use workflow::{
    Capture, Change, ChangeOperation, Head, Land, LandOperation, Snapshot, SnapshotOperation, Stash, StashOperation,
    Target, Task, TaskOperation, archive_cause,
};

/// Keeps code-workflow state in one crash-proof directory.
#[derive(Debug, Parser)]
#[command(name = "graven", version, about, max_term_width = 100)]
pub struct Arguments {
    /// Answer as JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Create an empty store
    Init(Init),
    /// Count what a store holds
    Stat(Root),
    /// List the records of one kind
    List(List),
    /// Show one record by its identity, or a Line or Tag by its name; a Task with its Changes and Lands
    Show(Show),
    /// Show a Line's history, newest first, along first parents
    Log(Log),
    /// Write a file of a Snapshot to standard output
    Cat(Cat),
    /// Write a Snapshot's files into a new or empty directory
    Checkout(Checkout),
    /// Show which paths differ between two Snapshots
    Diff(Diff),
    /// Show a family's records as they are stored, damaged ones too
    Dump(Dump),
    /// Describe the record layout of a family, or list all families
    Layout(Layout),
    /// Explain a rule that an error or a finding names, or list all rules
    Explain(Explain),
    /// Check every rule over the whole store; changes nothing
    Verify(Verify),
    /// Finish or roll back what a dead writer left behind
    Recover(Recover),
    /// Write anew what is derived from records: owner rows, links, index files
    Repair(Repair),
    /// Copy the store into a new directory
    Backup(Backup),
    /// Create the store from a backup
    Restore(Restore),
    /// Read a history into a store
    #[command(subcommand)]
    Import(Import),
    /// Write a store's history
    #[command(subcommand)]
    Export(Export),
    /// Create, change and delete Lines
    Line(Line),
    /// Create, replace and delete Tags
    Tag(Tag),
    /// Create, close, cancel, abandon and publish Tasks
    Task(Task),
    /// Create, archive, reopen and publish Changes
    Change(Change),
    /// Land Changes: in one step, or submitted and then step by step
    Land(Land),
    /// Make a Snapshot of a directory, or take one out of use
    Snapshot(Snapshot),
    /// Put a directory's state aside, list and drop what was put aside
    Stash(Stash),
    /// Say or show what a worktree is used for; disposable, and no part of the store
    Cursor(Cursor),
}

/// A store's directory alone.
#[derive(Args, Debug)]
pub struct Root {
    /// The store's directory
    pub root: PathBuf,
}

/// `graven import`
#[derive(Debug, Subcommand)]
pub enum Import {
    /// From a `git fast-export` stream or a repository; times come from the history
    Git(ImportGit),
}

/// `graven import git`
#[derive(Args, Debug)]
pub struct ImportGit {
    /// The store's directory; it is created where it does not exist
    pub root: PathBuf,
    /// The stream, `-` for standard input (the default)
    #[arg(conflicts_with = "repo")]
    pub file: Option<PathBuf>,
    /// Run git on this repository instead
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// Delete the Lines and Tags that the history does not have
    #[arg(long)]
    pub prune: bool,
    /// The branch whose first-parent history becomes Tasks (default: that of HEAD, else `main`, else `master`, else the
    /// longest)
    #[arg(long, value_name = "BRANCH")]
    pub main: Option<String>,
}

/// `graven export`
#[derive(Debug, Subcommand)]
pub enum Export {
    /// As a stream for `git fast-import`, on standard output
    Git(ExportGit),
}

/// `graven export git`
#[derive(Args, Debug)]
pub struct ExportGit {
    /// The store's directory
    pub root: PathBuf,
    /// Who is committer and tagger (default: `Graven <graven@localhost>`)
    #[arg(long, value_name = "NAME <MAIL>")]
    pub identity: Option<Identity>,
}

/// `graven init`
#[derive(Args, Debug)]
pub struct Init {
    /// The store's directory; it must not exist, or be empty
    pub root: PathBuf,
    /// One or two of A-Z and 0-9 that stand in every Task id
    #[arg(long, value_name = "AB", default_value = "")]
    pub namespace: String,
}

/// `graven show`
#[derive(Args, Debug)]
pub struct Show {
    /// The store's directory
    pub root: PathBuf,
    /// LT-0001, LT-0001/C-01, LT-0001/C-01/L-01, STH-…, SNP-…, LNE-…, OBJ-…, or the name of a Line or a Tag
    pub id: String,
}

/// `graven log`
#[derive(Args, Debug)]
pub struct Log {
    /// The store's directory
    pub root: PathBuf,
    /// A Line's name or LNE-…; a Tag's name or SNP-… works too
    pub line: String,
    /// Show at most this many Snapshots
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<u64>,
}

/// `graven cat`
#[derive(Args, Debug)]
pub struct Cat {
    /// The store's directory
    pub root: PathBuf,
    /// SNP-…, STH-…, or the name of a Line or a Tag, then a colon and the path
    #[arg(value_name = "SNAPSHOT:PATH")]
    pub path: String,
}

/// `graven checkout`
#[derive(Args, Debug)]
pub struct Checkout {
    /// The store's directory
    pub root: PathBuf,
    /// SNP-…, STH-…, or the name of a Line or a Tag
    pub snapshot: String,
    /// The directory to write; it must not exist, or be empty
    pub directory: PathBuf,
}

/// `graven diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// The store's directory
    pub root: PathBuf,
    /// The older side: SNP-…, STH-…, or the name of a Line or a Tag
    pub old: String,
    /// The newer side
    pub new: String,
}

/// `graven dump`
#[derive(Args, Debug)]
pub struct Dump {
    /// The store's directory
    pub root: PathBuf,
    /// The family: a record file's name without .bin
    pub family: String,
    /// Show each record's bytes in hex instead of its fields
    #[arg(long)]
    pub raw: bool,
    /// Start at this index
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub from: u32,
    /// Stop before this index
    #[arg(long, value_name = "M")]
    pub to: Option<u32>,
}

/// `graven explain`
#[derive(Args, Debug)]
pub struct Explain {
    /// The rule's id, in any case; without it, all rules are listed
    #[arg(value_name = "RULE-ID")]
    pub rule: Option<String>,
}

/// `graven layout`
#[derive(Args, Debug)]
pub struct Layout {
    /// The family: a record file's name without .bin
    pub family: Option<String>,
}

/// `graven verify`
#[derive(Args, Debug)]
pub struct Verify {
    /// The store's directory
    pub root: PathBuf,
    /// Read every object and check its content's hash, and every Snapshot's counts
    #[arg(long)]
    pub content: bool,
}

/// `graven recover`
#[derive(Args, Debug)]
pub struct Recover {
    /// The store's directory
    pub root: PathBuf,
    /// Only say what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Where a recovery store is missing: verify the root, and make a new one. A half-done change cannot be ruled out
    #[arg(long)]
    pub accept_missing_undo: bool,
}

/// `graven repair`
#[derive(Args, Debug)]
pub struct Repair {
    /// The store's directory
    pub root: PathBuf,
    /// Only say what would be done
    #[arg(long)]
    pub dry_run: bool,
}

/// `graven backup`
#[derive(Args, Debug)]
pub struct Backup {
    /// The store's directory
    pub root: PathBuf,
    /// The directory to write; it must not exist, or be empty
    pub directory: PathBuf,
}

/// `graven restore`
#[derive(Args, Debug)]
pub struct Restore {
    /// The store's directory; it must not exist, or be empty
    pub root: PathBuf,
    /// The backup's directory
    pub directory: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
}

/// `graven line`
#[derive(Args, Debug)]
pub struct Line {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: LineOperation,
}

/// The operations on Lines.
#[derive(Debug, Subcommand)]
pub enum LineOperation {
    /// Create a Line
    New {
        /// Its name
        name: String,
        /// Its head: SNP-…, or the name of a Line or a Tag
        #[arg(long, value_name = "SNAPSHOT")]
        head: Option<String>,
    },
    /// Give a Line another name
    Rename {
        /// The Line: its name or LNE-…
        line: String,
        /// Its new name
        name: String,
    },
    /// Move a Line's head
    Move {
        /// The Line: its name or LNE-…
        line: String,
        /// The new head: SNP-…, or the name of a Line or a Tag
        head: String,
        /// Refuse where the head is not this Snapshot (`none`: where there is one)
        #[arg(long, value_name = "SNAPSHOT")]
        expect: Option<String>,
    },
    /// Put a Line aside
    Archive {
        /// The Line: its name or LNE-…
        line: String,
    },
    /// Bring an archived Line back
    Restore {
        /// The Line: its name or LNE-…
        line: String,
    },
    /// Delete a Line; its record stays, its name is free again
    Delete {
        /// The Line: its name or LNE-…
        line: String,
    },
}

/// `graven tag`
#[derive(Args, Debug)]
pub struct Tag {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: TagOperation,
}

/// The operations on Tags.
#[derive(Debug, Subcommand)]
pub enum TagOperation {
    /// Create a Tag, or bring a deleted one of that name back
    New {
        /// Its name
        name: String,
        /// SNP-…, or the name of a Line or a Tag
        snapshot: String,
        /// Make it an annotated Tag with this message, which may be empty
        #[arg(long, short)]
        message: Option<String>,
    },
    /// Point a Tag at another Snapshot, or create it
    Replace {
        /// Its name
        name: String,
        /// SNP-…, or the name of a Line or a Tag
        snapshot: String,
        /// Make it an annotated Tag with this message, which may be empty
        #[arg(long, short)]
        message: Option<String>,
    },
    /// Delete a Tag; its Snapshot stays
    Delete {
        /// Its name
        name: String,
    },
}
