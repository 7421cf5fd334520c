//! What reads many domains at once: verify, repair, backup.
//!
//! Uses: `domain` and the floors below it.

pub mod error;
pub mod place;

pub use error::{Error, Result};
