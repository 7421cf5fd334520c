//! Generators and checks of the project.
fn main() {}
