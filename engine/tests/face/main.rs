//! The public face over real stores: what each operation promises, and every rule of Lines and Tags broken once.

mod groups;
mod lines;
mod reading;
mod stores;
mod support;
mod tags;
mod whole;
