//! What every durable thing shares: the root directory, locks, durable install, poison.
//!
//! Uses: `vfs`, `format`.

pub mod error;

pub use error::{Error, Outcome, Result};
