//! Lines: names whose heads move from Snapshot to Snapshot (W-LINE, F-2.4).
//!
//! A Line is live, archived or deleted. Live and archived Lines keep their names to themselves; a deleted Line's name
//! is free again, and its record stays so that old Snapshots still find their authoring Line. An archived Line may
//! only be restored or deleted. No rule compares the times of a Line with each other or with `now`: imported times go
//! backwards. A `now` of 0 is refused by the transaction.

mod operations;
mod records;
mod rules;

pub use operations::{archive, create, delete, move_head, rename, restore};
pub use records::{LINE_NAME, Lines};
pub(super) use rules::{require_head, require_kept};
