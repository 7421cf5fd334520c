//! What reads many domains at once: verify, repair, recover, backup.
//!
//! Uses: `domain` and the floors below it.

pub mod backup;
mod derived;
pub mod error;
pub mod finding;
pub mod place;
pub mod progress;
pub mod raw;
pub mod recover;
pub mod repair;
pub mod verify;

pub use error::{Error, Result};
pub use finding::{Finding, Severity};
pub use progress::{Flow, OnProgress, Progress};
