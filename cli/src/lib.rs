//! The `graven` command as a library: its verbs, and git histories in and out.

pub mod git;
pub mod verbs;
