//! What records mean: the operations and rules of each domain.
//!
//! Uses: `store`, `format`, `vfs`. Domains use each other only through the pairs that `tests/floors.rs` lists.

pub mod error;
pub mod lines;
pub mod objects;
pub mod snapshots;
pub mod tags;
pub mod worktree;

pub use error::{Error, Result};
