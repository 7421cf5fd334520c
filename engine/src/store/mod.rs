//! Records on disk: zones, families, payload, undo, transactions, recovery, group commit, caches, indexes.
//!
//! Uses: `disk`, `format`, `vfs`.

mod cache;
mod commit;
pub mod error;
mod files;
pub mod group;
pub mod index;
mod judge;
mod overlay;
mod plan;
pub mod receipt;
pub mod recovery;
pub mod source;
pub mod spool;
pub mod stats;
pub mod transaction;
pub mod undo;
pub mod view;
pub mod zone;
#[cfg(all(test, loom, feature = "fault"))]
mod zone_loom;

pub use error::{Error, Result};
pub use group::GroupQueue;
pub use judge::Decision;
pub use receipt::Receipt;
pub use recovery::{Pending, RecoveryReport};
pub use source::{FamilyId, IndexDefinition, KeyOf, Source};
pub use spool::Spool;
pub use stats::Stats;
pub use transaction::{Bookmark, Transaction};
pub use undo::Stage;
pub use view::View;
pub use zone::{Zone, ZoneOptions, create_runtime_files, create_zone};
