//! Stashes of a local root: raw layout (W-STASH).

use crate::format::record;

record! {
    pub struct StashRecord: 8 bytes;
    pub static STASH: "stash";
    meaning "One state of a worktree that was put aside.";
    rules "W-STASH-01" "F-2.5";
    zero_record legal "a live Stash of Snapshot 0";
    fields {
        stash_meta: u8, "", "State bits.", ["W-STASH-04", "W-STASH-06", "F-2.5"], bits {
            [0] workspace_cleared "The worktree was cleared when the Stash was made.",
            [1..=6] reserved "0.",
            [7] tombstone "Deleted."
        };
        reserved0: u8, "", "0.", ["F-1"];
        reserved1: u16, "", "0.", ["F-1"];
        stash_snapshot_index: u32, "index", "Its Snapshot, whose kind is stash.", ["W-STASH-03"];
    }
}
