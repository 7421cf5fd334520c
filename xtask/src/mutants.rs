//! Plants the bugs that stand behind `cfg(graven_mutant = "...")`, one by one, and runs the checks that must find them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Failure, house};

/// Which bugs are planted and how long the simulator may look for each.
#[derive(clap::Args)]
pub struct Options {
    /// Plant only this many, taken from the list in a place that moves with `--turn`.
    #[arg(long)]
    count: Option<usize>,
    /// What the place is taken from: any text, such as a commit's id.
    #[arg(long, default_value = "")]
    turn: String,
    /// Plant only those whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// How long the simulator looks for one bug, in seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Print the names and plant nothing.
    #[arg(long)]
    list: bool,
}

pub fn run(options: &Options) -> Result<String, Failure> {
    let mut names = planted(&house().join("engine/src"))?;
    names.retain(|name| name.contains(&options.only));
    if names.is_empty() {
        return Err(format!("no planted bug has `{}` in its name", options.only));
    }
    if let Some(count) = options.count {
        names = take_turn(&names, count, &options.turn);
    }
    if options.list {
        return Ok(names.join("\n"));
    }
    let mut trusted = BTreeSet::new();
    let mut survivors = Vec::new();
    for name in &names {
        let finder = find(name, options.seconds, &mut trusted)?;
        println!("{name}: {}", finder.unwrap_or("SURVIVED"));
        if finder.is_none() {
            survivors.push(name.as_str());
        }
    }
    let summary = format!(
        "mutants: {} planted, {} found",
        names.len(),
        names.len() - survivors.len()
    );
    if survivors.is_empty() {
        Ok(summary)
    } else {
        Err(format!("{summary}; survived: {}", survivors.join(", ")))
    }
}

/// A name that stands nowhere in the source: nothing is planted.
const CONTROL: &str = "nothing";

/// The checks that a bug meets, the quickest first; the first that fails has found it.
const CHECKS: &[(&str, &[&str])] = &[
    (
        "simulator, a glance",
        &[
            "run",
            "-q",
            "--release",
            "-p",
            "graven-sim",
            "--",
            "--tier",
            "1",
            "--distinct",
            "300",
        ],
    ),
    (
        "simulator",
        &["run", "-q", "--release", "-p", "graven-sim", "--", "--tier", "1"],
    ),
    (
        "engine's tests",
        &["test", "-q", "--release", "-p", "graven", "--features", "fault"],
    ),
];

/// Which check finds the bug `name`, if any does. A bug that does not compile is an error, not a find. A check is
/// trusted once it has passed without a bug: else it would find every one.
fn find(name: &str, seconds: u32, trusted: &mut BTreeSet<&'static str>) -> Result<Option<&'static str>, Failure> {
    let with_the_bug = wrapper(name)?;
    if !cargo(&with_the_bug, &["build", "-q", "--release", "-p", "graven-sim"], false)? {
        return Err(format!("{name}: does not compile"));
    }
    let seconds = seconds.to_string();
    for (check, arguments) in CHECKS {
        let mut arguments = arguments.to_vec();
        if arguments.contains(&"--tier") {
            arguments.extend(["--seconds", &seconds]);
        }
        if cargo(&with_the_bug, &arguments, true)? {
            continue;
        }
        if !trusted.contains(check) && !cargo(&wrapper(CONTROL)?, &arguments, true)? {
            return Err(format!(
                "without a bug the check `{check}` fails too; it can find nothing"
            ));
        }
        trusted.insert(check);
        return Ok(Some(check));
    }
    Ok(None)
}

fn cargo(wrapper: &Path, arguments: &[&str], quiet: bool) -> Result<bool, Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(house())
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
        .args(arguments)
        .stdin(Stdio::null());
    command
        .env("CARGO_TARGET_DIR", house().join("target/mutants"))
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    if quiet {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    command
        .status()
        .map(|status| status.success())
        .map_err(|error| format!("cargo: {error}"))
}

/// A compiler that plants `name`. Cargo uses it for the workspace's own crates alone, so everything else is built once.
fn wrapper(name: &str) -> Result<PathBuf, Failure> {
    let directory = house().join("target/mutants/wrappers");
    let path = directory.join(name);
    let text = format!("#!/bin/sh\nexec \"$@\" --cfg 'graven_mutant=\"{name}\"'\n");
    let written = fs::create_dir_all(&directory)
        .and_then(|()| fs::write(&path, text))
        .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)))
        .and_then(|()| fs::canonicalize(&path));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// The names of all planted bugs below `directory`, in order.
fn planted(directory: &Path) -> Result<Vec<String>, Failure> {
    let mut names = BTreeSet::new();
    let mut pending = vec![directory.to_path_buf()];
    while let Some(path) = pending.pop() {
        let failure = |error: std::io::Error| format!("{}: {error}", path.display());
        if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(failure)? {
                pending.push(entry.map_err(failure)?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(names_in(&fs::read_to_string(&path).map_err(failure)?));
        }
    }
    Ok(names.into_iter().collect())
}

fn names_in(text: &str) -> Vec<String> {
    let quoted = text.split("graven_mutant = \"").skip(1);
    quoted
        .filter_map(|rest| rest.split('"').next())
        .filter(|name| is_plain(name))
        .map(str::to_string)
        .collect()
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// `count` of `names`, beginning at a place that depends on `turn` and going round.
fn take_turn(names: &[String], count: usize, turn: &str) -> Vec<String> {
    let start = turn.bytes().fold(0_usize, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    });
    let start = start.checked_rem(names.len()).unwrap_or(0);
    names
        .iter()
        .cycle()
        .skip(start)
        .take(count.min(names.len()))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_planted_bugs_are_read_from_the_source() {
        let text = "#[cfg(graven_mutant = \"skip_undo_sync\")]\nif cfg!(not(graven_mutant = \"b-2\")) {} // graven_mutant = \"...\"";
        assert_eq!(names_in(text), ["skip_undo_sync", "b-2"]);
    }

    #[test]
    fn every_bug_has_its_turn_and_none_twice_in_one() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        let mut seen = BTreeSet::new();
        for commit in ["0", "1", "2", "3"] {
            let turn = take_turn(&names, 3, commit);
            assert_eq!(turn.iter().collect::<BTreeSet<_>>().len(), 3);
            seen.extend(turn);
        }
        assert_eq!(seen.len(), 4);
        assert_eq!(take_turn(&names, 10, "x").len(), 4);
        assert_eq!(take_turn(&[], 10, "x").len(), 0);
    }
}
