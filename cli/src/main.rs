//! The `graven` command.
fn main() {}
