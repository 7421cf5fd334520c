//! What records mean: the operations and rules of each domain.
//!
//! Uses: every floor below it. Domains use each other only through the pairs that `tests/floors.rs` lists.

pub mod changes;
pub mod cursor;
pub mod error;
mod family;
pub mod lands;
pub mod lines;
pub mod objects;
pub mod snapshots;
pub mod stashes;
pub mod tags;
pub mod tasks;
#[cfg(test)]
mod testing;
pub mod worktree;

pub use error::{Error, Result};
