//! Lands: the attempts to bring a Change onto a Line (W-LAND, F-2.7).
//!
//! A Land belongs to its Change, which gives out the ordinals; the Task keeps the physical inventory (W-LAND-12,
//! W-LAND-14). Its target Line is part of the record from the start (W-LAND-35). A change of status writes the state
//! byte last (W-LAND-07); an attempt that succeeds moves the Line's head and makes the Change landed in the same
//! transaction. Ends are history: nothing follows them, and an attempt that fails after one that succeeded undoes
//! nothing (W-LAND-30). No rule compares a Snapshot's authoring Line with the target Line (W-LAND-26).

mod operations;
mod records;
mod rules;
mod succeeding;

pub use operations::{NewLand, begin_update, block, cancel, fail, start, submit};
pub use records::Lands;
pub use succeeding::{Landed, LandedHistory, RecordedHistory, land, record_landed, succeed};
