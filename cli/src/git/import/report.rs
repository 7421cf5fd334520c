//! What an import did, and what it could not keep.

use graven::UnixSeconds;
use serde::Serialize;

use super::clamp_time;
use crate::git::repository::Warnings;
use crate::git::text::Text;

/// What no field of this version holds, for the end of every import.
pub const NOT_KEPT: &str = "not kept: authors, committers, taggers, time zones, signatures, commit ids";

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What was counted.
    pub counts: Counts,
    /// The branch whose first-parent history became Tasks; none where there is no branch.
    pub main_line: Option<String>,
    /// Refs outside of `refs/heads/` and `refs/tags/`, escaped: their commits are kept where an imported ref reaches them.
    pub skipped_refs: Vec<String>,
    /// Tags of something that is no commit.
    pub skipped_tags: Vec<SkippedTag>,
    /// Lines whose new head does not descend from the old one.
    pub moved_back: Vec<MovedBack>,
    /// Archived Lines that would have moved, and were left alone.
    pub archived_lines: Vec<String>,
    /// What was left out, beside [`NOT_KEPT`].
    pub forgotten: Forgotten,
    /// Whether the stream said `done`. Without it, a stream that was cut between two commands cannot be told from a whole one.
    pub is_end_certain: bool,
    /// What git said, where git was run.
    pub git_warnings: Option<Warnings>,
}

/// What an import counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Blobs of the stream, inline ones included.
    pub blobs: u64,
    /// Commits of the stream.
    pub commits: u64,
    /// Those of them that have more than one parent.
    pub merges: u64,
    /// Blobs that were not stored before.
    pub blobs_added: u64,
    /// Directories that were not stored before.
    pub directories_added: u64,
    /// Snapshots that were not stored before.
    pub snapshots_added: u64,
    /// Snapshots that were stored already.
    pub snapshots_existing: u64,
    /// Lines that were created.
    pub lines_created: u64,
    /// Lines that were moved.
    pub lines_moved: u64,
    /// Lines that stood right already.
    pub lines_unchanged: u64,
    /// Lines that were deleted (`--prune`).
    pub lines_deleted: u64,
    /// Tags that were created.
    pub tags_created: u64,
    /// Tags that were moved or got another message or time.
    pub tags_moved: u64,
    /// Tags that stood right already.
    pub tags_unchanged: u64,
    /// Tags that were deleted (`--prune`).
    pub tags_deleted: u64,
    /// Commits of the main line that became a Task, a Change and a Land.
    pub tasks_added: u64,
    /// Commits of the main line that had them already.
    pub tasks_existing: u64,
}

/// What an import had to change or leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// Times below 1, stored as 1.
    pub times_raised: u64,
    /// Messages of which bytes could not be decoded and became U+FFFD.
    pub messages_replaced: u64,
    /// Messages that were longer than the payload allows, and were cut.
    pub messages_cut: u64,
    /// Titles and intents of Tasks that were longer than a payload allows, and were cut.
    pub task_texts_cut: u64,
    /// Notes on commits (`N`), which name commits by ids that are not kept.
    pub notes: u64,
}

/// A tag that cannot be a Tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedTag {
    /// Its name, escaped.
    pub name: String,
    /// Why not.
    pub why: &'static str,
}

/// A Line whose new head does not descend from the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedBack {
    /// The Line's name.
    pub line: String,
    /// The Snapshot it stood on.
    pub from: String,
    /// The Snapshot it stands on now.
    pub to: String,
}

impl Report {
    /// Counts what became of a message.
    pub(super) fn note_message(&mut self, text: &Text) {
        self.forgotten.messages_replaced += u64::from(text.is_replaced);
        self.forgotten.messages_cut += u64::from(text.is_cut);
    }

    /// A time of the stream as it is stored; a raised one is counted.
    pub(super) fn store_time(&mut self, time: i128) -> UnixSeconds {
        let (time, is_raised) = clamp_time(time);
        self.forgotten.times_raised += u64::from(is_raised);
        time
    }
}
