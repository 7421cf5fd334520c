//! Streams and repositories with every oddity of git's stream format: imported, exported, and git itself asked whether the trees are the same.

mod again;
#[path = "../git_support/mod.rs"]
mod git_support;
mod kept;
mod main_line;
mod refused;
mod repository;
mod streams;

use git_support::{Home, repository_of, trees};
use graven_cli::git::import::Report;

/// The tree of every branch and tag is the same after the way through a store; answers the store and what the import said.
fn same_trees(stream: &[u8]) -> (Home, Report) {
    let truth = repository_of(stream);
    let home = Home::new();
    let report = home.import(stream).expect("an import");
    let back = repository_of(&home.export().expect("an export"));
    assert_eq!(trees(back.path()), trees(truth.path()));
    (home, report)
}
