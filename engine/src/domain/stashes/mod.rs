//! Stashes: states of a worktree that were put aside (W-STASH, F-2.5). They exist only locally.
//!
//! A Stash names a Snapshot of kind stash and has no payload: its time and message are the Snapshot's. Dropping one
//! takes the Snapshot with it when no other live Stash names it.

mod operations;
mod records;

pub use operations::{drop, save};
pub use records::Stashes;
