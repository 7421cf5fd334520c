//! The workflow through the public face: Tasks, Changes, Lands and Stashes, every operation and every rule broken once.

mod day;
mod support;
