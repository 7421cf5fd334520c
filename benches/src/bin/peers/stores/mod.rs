//! The contenders: graven, its raw floor, the stores that are kept by key, and the plain log.

pub mod fjall;
pub mod graven;
pub mod keyed;
pub mod lmdb;
pub mod log;
pub mod raw;
pub mod redb;
pub mod sqlite;
