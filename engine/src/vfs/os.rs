//! The real file system, on rustix.
