//! Tasks: what is to be done, from its request to its end (W-TASK, F-2.1).
//!
//! A Task's identity is its place in the file and is stored nowhere (W-TASK-03, W-TASK-06); records are appended and
//! never moved (W-TASK-07, W-TASK-08). It ends once: completed, canceled or abandoned; its time of ending is durable
//! before the bit that says so (W-TASK-16). Beside each Task stand two owner rows, of its Changes and of its Lands;
//! they ride in the commit stage with the record they describe. What the rules leave open is decided in
//! `docs/decisions/0018`.

mod operations;
mod records;
mod rules;

pub use operations::{NewTask, abandon, cancel, complete, create, publish};
pub use records::{TaskText, Tasks};
pub(super) use rules::{require_kept, require_open, require_order};
