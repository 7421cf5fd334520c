//! The command line of `graven list`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `list` lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Tasks, by index
    Tasks,
    /// Changes, by index
    Changes,
    /// Lands, by index
    Lands,
    /// Stashes, by index; `graven stash ROOT list` has the newest first
    Stashes,
    /// Lines, by index
    Lines,
    /// Tags, by index
    Tags,
    /// Snapshots, by index
    Snapshots,
    /// Objects, by index
    Objects,
}

impl Kind {
    /// Its name on the command line and in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Changes => "changes",
            Self::Lands => "lands",
            Self::Stashes => "stashes",
            Self::Lines => "lines",
            Self::Tags => "tags",
            Self::Snapshots => "snapshots",
            Self::Objects => "objects",
        }
    }
}

/// `graven list`
#[derive(Args, Debug)]
pub struct List {
    /// The store's directory
    pub root: PathBuf,
    /// The kind of record
    #[arg(value_enum)]
    pub kind: Kind,
    /// Show deleted and hidden records too
    #[arg(long)]
    pub all: bool,
    /// Start at this index
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub from: u32,
    /// Stop before this index
    #[arg(long, value_name = "M")]
    pub to: Option<u32>,
    /// Newest (highest index) first
    #[arg(long)]
    pub reverse: bool,
    /// Show at most this many
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<u64>,
    /// Which records
    #[command(flatten)]
    pub filters: Filters,
}

/// Which records are listed; those that fulfil all of it.
#[derive(Args, Debug, Default)]
pub struct Filters {
    /// Tasks, Changes, Lands in one of these states; `open` and `closed` stand for several
    #[arg(long, value_name = "STATE", value_delimiter = ',')]
    pub state: Vec<String>,
    /// Changes and Lands of this Task
    #[arg(long, value_name = "LT-0001")]
    pub task: Option<String>,
    /// Lands of this Change
    #[arg(long, value_name = "LT-0001/C-01")]
    pub change: Option<String>,
    /// Changes from this Line, Lands onto it, Stashes that were worked on it
    #[arg(long, value_name = "NAME")]
    pub line: Option<String>,
    /// Tasks, Changes, Lands, Stashes of this time or later
    #[arg(long, value_name = "UNIX_SECONDS")]
    pub since: Option<u64>,
    /// Tasks, Changes, Lands, Stashes of before this time
    #[arg(long, value_name = "UNIX_SECONDS")]
    pub until: Option<u64>,
    /// Which time --since and --until ask about, and the list shows (default: created)
    #[arg(long, value_enum, value_name = "TIME")]
    pub by: Option<By>,
}

/// Which of a record's times is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// When it was created; a Land: submitted
    #[default]
    Created,
    /// When it was last changed
    Updated,
}
