//! Snapshots: the states of a tree, each with its parents, its message and its root directory (F-2.16, F-0.3).
//!
//! - [`Snapshots`] reads: by index, by identity, parents, ancestors, message.
//! - [`create`] writes one, or answers the live one whose descriptor is equal; [`tombstone`] takes one out of use
//!   when nothing live refers to it.
//!
//! Snapshots stand in the workflow zone, the directories they refer to in the object zone: operations that need both
//! take the objects beside the transaction. Workflow's lock is taken before object's, and the objects are
//! committed before the Snapshot.
//!
//! Every check stands before the first pending write, as in `objects`.

pub mod ancestors;
pub mod operations;
pub mod records;
pub mod rules;
#[cfg(test)]
mod tests;

pub use ancestors::{Ancestors, FirstParents};
pub use operations::{Created, NewSnapshot, create, tombstone};
pub use records::{Content, SNAPSHOT_ID, Snapshots};
