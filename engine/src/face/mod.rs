//! The public face: what `lib.rs` exports.
//!
//! Uses: every floor below it.
