//! What every durable thing shares: files and directories that sync, the zone lock, the durable install.
//!
//! Uses: `vfs`, `format`.

pub mod durable;
pub mod error;
pub mod install;
mod latch;
pub mod lock;
pub mod sync;

pub use durable::{DurableDirectory, DurableFile};
pub use error::{Error, Outcome, Result};
pub use install::{Install, replace_file};
pub use lock::{LockNote, LockWait, SharedHold, ZoneIdentity, ZoneLock, new_lock_file};
