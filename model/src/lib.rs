//! The executable reference model: pure, no I/O, independent of the engine.
//!
//! [`protocol`] says how bytes reach the disk and what recovery makes of them. [`domain`] says what the operations on
//! objects, Snapshots, Lines and Tags answer.

pub mod domain;
pub mod protocol;
