//! The fault disk.
