//! Tags: names that stay on one Snapshot (W-TAG, F-2.6).
//!
//! A name has one record for ever: deleting sets its tombstone, and creating, replacing or recreating the name works on
//! the same record (W-TAG-02). A Tag is lightweight, or annotated with a message that may be empty (`G05`, `G06`,
//! assigned by us). No rule compares a Tag's time with another: imported times go backwards.

mod operations;
mod records;
mod rules;

pub use operations::{create, delete, replace};
pub use records::{TAG_NAME, TagText, Tags};
