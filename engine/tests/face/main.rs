//! The public face over real stores: what each operation promises, and every rule of an operation broken once.

mod changes;
mod day;
mod groups;
mod lands;
mod lines;
mod reading;
mod stashes;
mod stores;
mod support;
mod tags;
mod tasks;
mod whole;
