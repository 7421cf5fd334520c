//! The cases that are about crashes and failing calls, each named after its id: real failures of other stores, as fault
//! sequences for ours.

#[path = "cases/appends.rs"]
mod appends;
#[path = "cases/commits.rs"]
mod commits;
#[path = "cases/creation.rs"]
mod creation;
#[path = "cases/exactly.rs"]
mod exactly;
#[path = "cases/failures.rs"]
mod failures;
#[path = "cases/support.rs"]
mod support;
