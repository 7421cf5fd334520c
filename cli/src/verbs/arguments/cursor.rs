//! The command line of `graven cursor`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::verbs::clock::At;

/// `graven cursor`
#[derive(Args, Debug)]
pub struct Cursor {
    /// The store's directory
    pub root: PathBuf,
    /// The time of the change
    #[command(flatten)]
    pub at: At,
    /// What to do
    #[command(subcommand)]
    pub operation: CursorOperation,
}

/// The operations on the cursor of a worktree.
#[derive(Debug, Subcommand)]
pub enum CursorOperation {
    /// Show what a worktree is used for; changes nothing
    Show {
        /// The worktree
        #[arg(long, value_name = "DIR")]
        worktree: PathBuf,
    },
    /// Say what a worktree is used for, in place of what was said before
    Set {
        /// The worktree
        #[arg(long, value_name = "DIR")]
        worktree: PathBuf,
        /// The Task: LT-0001
        #[arg(long, required_unless_present = "change")]
        task: Option<String>,
        /// The Change: LT-0001/C-01, or C-01 of the Task
        #[arg(long)]
        change: Option<String>,
    },
    /// Forget what a worktree is used for
    Clear {
        /// The worktree
        #[arg(long, value_name = "DIR")]
        worktree: PathBuf,
    },
}
