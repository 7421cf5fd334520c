//! The commit protocol as an executable model: disk, undo, transaction, recovery, and the kinds of change.
//!
//! The modules have the names of the proof's. Everything is a value: a change becomes a [`transaction::Program`], a
//! list of steps; an opening becomes another; [`explore`] runs them on every disk that kills, cuts, failed syncs and
//! full disks can leave, and checks the outcome and the invariants I1 to I6 at every step.

pub mod append;
pub mod closure;
pub mod compound;
pub mod disk;
pub mod explore;
pub mod group;
pub mod invariants;
pub mod locks;
pub mod queue;
pub mod recovery;
pub mod rules;
pub mod state_last;
pub mod traces;
pub mod transaction;
pub mod undo;
