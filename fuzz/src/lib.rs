//! Fuzz laws.
