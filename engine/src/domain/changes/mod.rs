//! Changes: the pieces of work of a Task, each forked from a Line (W-CHANGE, F-2.2).
//!
//! A Change is known by its Task and its ordinal there (W-CHANGE-05); the Task's owner row gives out the ordinals. Its
//! base Line and its fork never change: Lines move on, and no rule compares the fork's authoring Line with the base
//! Line (W-CHANGE-34). Every change of one is a whole-record overwrite (W-CHANGE-39).

mod operations;
mod records;
mod rules;

pub use operations::{NewChange, archive, create, publish, reopen};
pub(super) use operations::{append_to_task, replace_change};
pub use records::Changes;
pub(super) use rules::line_called;
