//! What every durable thing shares: the root directory, locks, durable install, poison.
//!
//! Uses: `vfs`, `format`.
