//! The simulator's own test: bugs planted in the engine, disks that break a promise, and judges that lack a check.
//!
//! One build under `--cfg graven_mutant` has every planted bug; each process of it is started with one of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::{Failure, house};

/// Which mutants are tried and how long the simulator may look for each.
#[derive(clap::Args)]
pub struct Options {
    /// Only so many planted bugs, taken from the table in a place that moves with `--turn`; no broken disks.
    #[arg(long)]
    count: Option<usize>,
    /// What the place is taken from: any text, such as a commit's id.
    #[arg(long, default_value = "")]
    turn: String,
    /// Only planted bugs whose name contains this; no broken disks.
    #[arg(long, default_value = "")]
    only: String,
    /// How long the simulator looks for one planted bug, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Print the planted bugs and try nothing.
    #[arg(long)]
    list: bool,
}

/// What names the planted bug of a process.
const VARIABLE: &str = "GRAVEN_MUTANT";

/// How long a process may take, in seconds; one that hangs has found the bug, since it does not hang without it.
const MOST_SECONDS: &str = "300";

/// Tries the mutants; an error where one survives, is noticed by a check that is not responsible, or is explained and
/// noticed nevertheless.
pub fn run(options: &Options) -> Result<String, Failure> {
    let whole = options.count.is_none() && options.only.is_empty();
    need(
        cargo(&["build", "-q", "--release", "-p", "graven-sim"], "")?,
        "the build",
    )?;
    let mut rows = json_of("--planted-table")?;
    rows.retain(|row| text(row, "name").contains(&options.only));
    if rows.is_empty() {
        return Err(format!("no planted bug has `{}` in its name", options.only));
    }
    if let Some(count) = options.count {
        rows = take_turn(&rows, count, &options.turn);
    }
    if options.list {
        let line = |row: &Value| format!("{}: {}", text(row, "name"), text(row, "what"));
        return Ok(rows.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    build_tests(&rows)?;
    let mut told = Vec::new();
    for row in &rows {
        let one = if row.get("test").is_some() {
            to_a_test(row)?
        } else {
            to_the_judges(row, options.seconds, whole)?
        };
        println!("{}", line(&one));
        told.push(one);
    }
    if whole {
        let broken = broken_disks()?;
        for one in &broken {
            println!("{}", line(one));
        }
        told.extend(broken);
    }
    let place = house().join("target/mutants.json");
    fs::write(&place, json!(told).to_string()).map_err(|error| format!("{}: {error}", place.display()))?;
    summary(&told, whole)
}

/// The last line, and before it what must not be.
fn summary(told: &[Value], whole: bool) -> Result<String, Failure> {
    let of_sort = |sort: &str| told.iter().filter(|one| text(one, "sort") == sort).count();
    let mut faults = Vec::new();
    for one in told {
        if one["survivor"] == true {
            faults.push(format!("SURVIVED: {}: {}", text(one, "name"), text(one, "reason")));
        }
        if let Some(fault) = one["fault"].as_str() {
            faults.push(format!("{}: {fault}", text(one, "name")));
        }
    }
    let needed = needed_checks(told);
    if whole {
        for row in json_of("--check-table")? {
            let (check, reason) = (text(&row, "name"), row["reason"].as_str());
            match (needed.get(check), reason) {
                (Some(mutant), None) => println!("without the check `{check}` survives: {mutant}"),
                (None, Some(reason)) => println!("without the check `{check}` survives nothing: {reason}"),
                (Some(mutant), Some(_)) => faults.push(format!("STALE: {mutant} needs the check `{check}`")),
                (None, None) => faults.push(format!("UNNEEDED: no mutant needs the check `{check}`")),
            }
        }
    }
    let mut times: Vec<u64> = told
        .iter()
        .filter(|one| !text(one, "caught_by").is_empty())
        .filter_map(|one| one["millis"].as_u64())
        .collect();
    times.sort_unstable();
    let summary = format!(
        "mutants: {} planted, {} of the disk, {} checks, {} survivors, median {} ms",
        of_sort("planted"),
        of_sort("disk"),
        needed.len(),
        told.iter().filter(|one| one["survivor"] == true).count(),
        times.get(times.len() / 2).unwrap_or(&0),
    );
    if faults.is_empty() {
        Ok(summary)
    } else {
        Err(format!("{}\n{summary}", faults.join("\n")))
    }
}

/// For each check that some mutant needs: the first one that survives without it.
fn needed_checks(told: &[Value]) -> BTreeMap<String, String> {
    let alone = told.iter().filter(|one| one["alone"] == true);
    let mut checks = BTreeMap::new();
    for one in alone {
        let mutant = || text(one, "name").to_owned();
        checks.entry(text(one, "caught_by").to_owned()).or_insert_with(mutant);
    }
    checks
}

/// What notices a bug that shows to a test.
const TEST: &str = "a test";

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn line(one: &Value) -> String {
    let by = text(one, "caught_by");
    let fate = match (by.is_empty(), one["survivor"] == true) {
        (false, _) => format!("caught by {by} ({})", text(one, "workload")),
        (true, true) => "SURVIVED".to_owned(),
        (true, false) => "equivalent".to_owned(),
    };
    format!("{}: {fate}, {} ms", text(one, "name"), one["millis"])
}

/// A table that the simulator prints.
fn json_of(option: &str) -> Result<Vec<Value>, Failure> {
    let output = need(simulator(&[option], "")?, option)?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{option}: {error}"))
}

/// Looks at a planted bug with the simulator's judges. A process that dies or hangs has met the bug as well, but says
/// nothing of it, so it is told as an error.
fn to_the_judges(row: &Value, seconds: u32, checks: bool) -> Result<Value, Failure> {
    let name = text(row, "name");
    let seconds = seconds.to_string();
    let mut arguments = vec!["--planted", "--seconds", &seconds];
    arguments.extend(checks.then_some("--checks"));
    let output = need(simulator(&arguments, name)?, name)?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{name}: {error}"))
}

/// Runs the test that has to fail under a planted bug; it has to pass without one.
fn to_a_test(row: &Value) -> Result<Value, Failure> {
    let (name, file, test) = (text(row, "name"), text(row, "file"), text(row, "test"));
    let arguments = test_of(file, &[test]);
    let without = need(cargo(&arguments, "")?, test)?;
    if !String::from_utf8_lossy(&without.stdout).contains("1 passed") {
        return Err(format!("there is no test `{test}` in `{file}`"));
    }
    let started = Instant::now();
    let caught = !cargo(&arguments, name)?.status.success();
    Ok(json!({
        "sort": "planted",
        "name": name,
        "workload": if caught { test } else { "" },
        "caught_by": if caught { TEST } else { "" },
        "millis": started.elapsed().as_millis(),
        "survivor": !caught,
        "reason": text(row, "what"),
        "alone": false,
        "path": "",
        "finding": "",
        "fault": null,
    }))
}

fn test_of<'a>(file: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "test",
        "--release",
        "-p",
        "graven",
        "--features",
        "fault",
        "--test",
        file,
    ];
    arguments.extend(rest);
    arguments
}

fn build_tests(rows: &[Value]) -> Result<(), Failure> {
    let mut files: Vec<&str> = rows
        .iter()
        .map(|row| text(row, "file"))
        .filter(|file| !file.is_empty())
        .collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        need(cargo(&test_of(file, &["--no-run"]), "")?, file)?;
    }
    Ok(())
}

/// Every mutant of the disk, each also without the check that notices it.
fn broken_disks() -> Result<Vec<Value>, Failure> {
    let place = target()?.join("disk.json");
    let path = place.display().to_string();
    let output = simulator(&["--disk-mutants", "--checks", "--json", &path], "")?;
    if output.status.code() == Some(2) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let bytes = fs::read(&place).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{path}: {error}"))
}

fn need(output: Output, what: &str) -> Result<Output, Failure> {
    if output.status.success() {
        return Ok(output);
    }
    Err(format!(
        "{what}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

fn simulator(arguments: &[&str], planted: &str) -> Result<Output, Failure> {
    let simulator = target()?.join("release/graven-sim").display().to_string();
    start(&simulator, arguments, planted, "1800")
}

fn cargo(arguments: &[&str], planted: &str) -> Result<Output, Failure> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    // A build may take as long as it takes; only a planted bug hangs.
    let seconds = if planted.is_empty() { "0" } else { MOST_SECONDS };
    start(&cargo, arguments, planted, seconds)
}

/// Starts a process of the build that has the planted bugs, with one of them.
fn start(program: &str, arguments: &[&str], planted: &str, seconds: &str) -> Result<Output, Failure> {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", seconds, program]).args(arguments);
    command.current_dir(house()).stdin(Stdio::null());
    command
        .env("CARGO_TARGET_DIR", target()?)
        .env("RUSTFLAGS", "--cfg graven_mutant")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env(VARIABLE, planted);
    command.output().map_err(|error| format!("timeout {program}: {error}"))
}

/// The place where the bugs are built, apart from everything that is not a bug.
fn target() -> Result<PathBuf, Failure> {
    let target = house().join("target/mutants");
    fs::create_dir_all(&target)
        .and_then(|()| fs::canonicalize(&target))
        .map_err(|error| format!("{}: {error}", target.display()))
}

/// `count` of `rows`, beginning at a place that depends on `turn` and going round.
fn take_turn<T: Clone>(rows: &[T], count: usize, turn: &str) -> Vec<T> {
    let start = turn.bytes().fold(0_usize, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    });
    let start = start.checked_rem(rows.len()).unwrap_or(0);
    let from_there = rows.iter().cycle().skip(start);
    from_there.take(count.min(rows.len())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
        assert_eq!(take_turn::<String>(&[], 10, "x").len(), 0);
    }

    #[test]
    fn a_survivor_and_a_finding_of_the_wrong_check_are_errors() {
        let one = |survivor: bool, fault: Option<&str>| {
            json!({ "sort": "planted", "name": "a", "caught_by": if survivor { "" } else { "c" }, "millis": 7,
                    "survivor": survivor, "alone": true, "fault": fault })
        };
        let good = summary(&[one(false, None)], false).expect("nothing is wrong");
        assert_eq!(
            good,
            "mutants: 1 planted, 0 of the disk, 1 checks, 0 survivors, median 7 ms"
        );
        assert!(summary(&[one(true, None)], false).is_err());
        assert!(summary(&[one(false, Some("by another"))], false).is_err());
    }
}
