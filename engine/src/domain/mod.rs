//! What records mean: the operations and rules of each domain.
//!
//! Uses: every floor below it. Domains use each other only through the pairs that `tests/floors.rs` lists.

pub mod error;
pub mod lines;
pub mod objects;
pub mod snapshots;
pub mod tags;
#[cfg(test)]
mod testing;
pub mod worktree;

pub use error::{Error, Result};
