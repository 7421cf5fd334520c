//! Records on disk: zones, families, payload, undo, transactions, recovery, group commit, caches, indexes.
//!
//! Uses: `disk`, `format`, `vfs`.
