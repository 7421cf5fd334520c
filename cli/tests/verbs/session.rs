//! What README.md shows of the command is what is run.

use std::path::Path;
use std::process::Command;

use super::{answer, column, graven, text};

/// Two commits on `main`, as `git fast-export` writes them.
const HISTORY: &str = "feature done
commit refs/heads/main
mark :1
author A <a@b> 1700000000 +0000
committer A <a@b> 1700000000 +0000
data 6
first
M 100644 inline README
data 6
hello

commit refs/heads/main
mark :2
author A <a@b> 1700000060 +0000
committer A <a@b> 1700000060 +0000
data 7
second
from :1
M 100644 inline README
data 6
world

done
";

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap()
}

#[test]
fn the_session_of_the_readme_runs_to_its_end() {
    let readme = readme();
    let session = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let session = session.expect("a session in README.md");
    assert!(session.lines().count() >= 6, "{session}");
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("history"), HISTORY).unwrap();
    let script = format!("set -eu\ngraven import git demo.graven history >/dev/null\n{session}");
    let binary = Path::new(env!("CARGO_BIN_EXE_graven")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.path())
        .env("PATH", format!("{}:{path}", binary.display()))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    let root = place.path().join("demo.graven");
    let root = root.to_str().unwrap();
    let tasks = answer(&graven(&["list", root, "tasks", "--state", "completed", "--json"]));
    assert!(column(&tasks, "title").contains(&"First release"), "{tasks}");
    let log = answer(&graven(&["log", root, "release", "--json"]));
    assert_eq!(log["items"].as_array().unwrap().len(), 3);
    assert!(log["items"][0]["change"].is_string(), "{log}");
    assert_eq!(graven(&["verify", root, "--content"]).status.code(), Some(0));
}

#[test]
fn every_verb_that_the_readme_shows_is_one() {
    let readme = readme();
    let verbs: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("graven "))
        .filter_map(|rest| rest.split_whitespace().next())
        .collect();
    assert!(verbs.len() >= 20, "{verbs:?}");
    for verb in verbs {
        assert_eq!(graven(&[verb, "--help"]).status.code(), Some(0), "{verb}");
    }
}
