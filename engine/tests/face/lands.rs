//! Tests of lands.
