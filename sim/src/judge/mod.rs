//! The judge that looks before recovery. (The one that looks after it is the exploration's visit itself.)

pub mod checks;
pub mod raw;
