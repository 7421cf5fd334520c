//! What README.md shows is what is compiled and run.

use std::fs;
use std::path::{Path, PathBuf};

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(name: &str) -> String {
    fs::read_to_string(house().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_example_of_the_readme_is_the_one_that_is_compiled_and_run() {
    let readme = read("README.md");
    let shown = readme
        .split("```rust\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a rust block");
    let example = read("engine/examples/embed.rs");
    let code: Vec<&str> = example
        .lines()
        .skip_while(|line| line.starts_with("//!") || line.is_empty())
        .collect();
    assert_eq!(shown.trim_end(), code.join("\n"));
    assert!(
        code.iter().filter(|line| !line.is_empty()).count() <= 24,
        "an embedding example of some 20 lines"
    );
}

#[test]
fn the_two_commands_stand_in_the_readme_to_the_letter() {
    let readme = read("README.md");
    for command in [
        "cargo run --release -p graven-cli -- import git demo.graven --repo .",
        "cargo test --workspace",
    ] {
        assert!(
            readme.lines().any(|line| line == command),
            "README.md lacks the line `{command}`"
        );
    }
}
