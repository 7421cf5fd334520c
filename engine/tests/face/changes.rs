//! Tests of changes.
