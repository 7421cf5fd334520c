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
        // Those that look at commits, locks, caches and recovery: the others cannot tell a planted bug.
        &[
            "test",
            "-q",
            "--release",
            "-p",
            "graven",
            "--features",
            "fault",
            "--lib",
            "--test",
            "cases",
            "--test",
            "store_zone",
        ],
    ),
];

/// How long a check may take, in seconds; one that hangs has found the bug, since it does not hang without it.
const CHECK_SECONDS: &str = "300";

/// Which check finds the bug `name`, if any does. A bug that does not compile is an error, not a find. A check is
/// trusted once it has passed without a bug: else it would find every one.
fn find(name: &str, seconds: u32, trusted: &mut BTreeSet<&'static str>) -> Result<Option<&'static str>, Failure> {
    plant(name)?;
    if !cargo(&["build", "-q", "--release", "-p", "graven-sim"], false)? {
        return Err(format!("{name}: does not compile"));
    }
    let seconds = seconds.to_string();
    for (check, arguments) in CHECKS {
        let mut arguments = arguments.to_vec();
        if arguments.contains(&"--tier") {
            arguments.extend(["--no-shrink", "--seconds", &seconds]);
        }
        if cargo(&arguments, true)? {
            continue;
        }
        if !trusted.contains(check) {
            plant(CONTROL)?;
            if !cargo(&arguments, true)? {
                return Err(format!(
                    "without a bug the check `{check}` fails too; it can find nothing"
                ));
            }
        }
        trusted.insert(check);
        return Ok(Some(check));
    }
    Ok(None)
}

fn cargo(arguments: &[&str], quiet: bool) -> Result<bool, Failure> {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", CHECK_SECONDS]);
    command
        .arg(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments);
    command.current_dir(house()).stdin(Stdio::null());
    command.env("RUSTC_WORKSPACE_WRAPPER", target()?.join("plant"));
    command.env("CARGO_TARGET_DIR", target()?);
    // One bug is one line: most of the engine's code is taken over from the build before.
    command
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    if quiet {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    command
        .status()
        .map(|status| status.success())
        .map_err(|error| format!("timeout cargo: {error}"))
}

/// Makes the next build one with the bug `name`: the compiler of the workspace's own crates is a script that reads the
/// name from a file, and cargo forgets that it has built them. Everything else is built once.
fn plant(name: &str) -> Result<(), Failure> {
    let target = target()?;
    let failure = |error: std::io::Error| format!("{}: {error}", target.display());
    let script = "#!/bin/sh\nexec \"$@\" --cfg \"graven_mutant=\\\"$(cat \"${0%plant}planted\")\\\"\"\n";
    let compiler = target.join("plant");
    if fs::read_to_string(&compiler).ok().as_deref() != Some(script) {
        fs::write(&compiler, script).map_err(failure)?;
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).map_err(failure)?;
    }
    fs::write(target.join("planted"), name).map_err(failure)?;
    let Ok(fingerprints) = fs::read_dir(target.join("release/.fingerprint")) else {
        return Ok(());
    };
    for entry in fingerprints {
        let entry = entry.map_err(failure)?;
        if entry.file_name().to_string_lossy().starts_with("graven") {
            fs::remove_dir_all(entry.path()).map_err(failure)?;
        }
    }
    Ok(())
}

/// The place where bugs are built, apart from everything that is not a bug.
fn target() -> Result<PathBuf, Failure> {
    let target = house().join("target/mutants");
    fs::create_dir_all(&target)
        .and_then(|()| fs::canonicalize(&target))
        .map_err(|error| format!("{}: {error}", target.display()))
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
