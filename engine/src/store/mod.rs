//! Records on disk: zones, families, payload, undo, transactions, recovery, group commit, caches, indexes.
//!
//! Uses: `disk`, `format`, `vfs`.

pub mod error;
mod skeleton;
pub mod source;

pub use error::{Error, Result};
pub use skeleton::{Receipt, Spool, Stage, Transaction, View};
pub use source::{FamilyId, IndexDefinition, KeyOf, Source};
