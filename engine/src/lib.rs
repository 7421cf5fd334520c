//! Graven: an embedded storage engine for code-workflow state.

pub mod disk;
pub mod domain;
pub mod face;
pub mod format;
pub mod store;
pub mod vfs;
pub mod whole;
