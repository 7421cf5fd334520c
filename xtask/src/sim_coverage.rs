//! Compares the lines of the store and disk floors that the simulator does not reach with the table that gives reasons.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Failure, house};

/// What is compared.
#[derive(clap::Args)]
pub struct Options {
    /// What `cargo llvm-cov --lcov` wrote about a run of the simulator.
    lcov: PathBuf,
    /// Print the table as it would have to be, the reasons taken over, and compare nothing.
    #[arg(long)]
    list: bool,
}

/// The floors whose lines have to be reached.
const FLOORS: [&str; 2] = ["engine/src/store/", "engine/src/disk/"];

/// The table: a row is a file, a function, how many of its lines are not reached, and why.
const TABLE: &str = "sim/uncovered.md";

/// A function: its file, and its name.
type Function = (String, String);

pub fn run(options: &Options) -> Result<String, Failure> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let unreached = unreached(&read(&options.lcov)?, &|file| read(&house().join(file)))?;
    let told = rows(&read(&house().join(TABLE))?)?;
    if options.list {
        let row = |((file, function), lines): (&Function, &u64)| {
            let reason = told
                .get(&(file.clone(), function.clone()))
                .map_or("", |(_, reason)| reason);
            format!("| {file} | {function} | {lines} | {reason} |")
        };
        return Ok(unreached.iter().map(row).collect::<Vec<_>>().join("\n"));
    }
    let faults = compare(&unreached, &told);
    if faults.is_empty() {
        let lines: u64 = unreached.values().sum();
        return Ok(format!(
            "not reached by the simulator: {lines} lines in {} functions, each with its reason",
            told.len()
        ));
    }
    Err(format!("{TABLE} is not as it has to be:\n{}", faults.join("\n")))
}

fn compare(unreached: &BTreeMap<Function, u64>, told: &BTreeMap<Function, (u64, String)>) -> Vec<String> {
    let mut faults = Vec::new();
    for ((file, function), lines) in unreached {
        match told.get(&(file.clone(), function.clone())) {
            None => faults.push(format!(
                "{file}: {function}: {lines} lines are not reached, and no row says why"
            )),
            Some((most, _)) if lines > most => {
                faults.push(format!(
                    "{file}: {function}: {lines} lines are not reached, the row speaks of {most}"
                ));
            }
            Some(_) => {}
        }
    }
    for (file, function) in told.keys() {
        if !unreached.contains_key(&(file.clone(), function.clone())) {
            faults.push(format!("{file}: {function}: every line is reached, the row is stale"));
        }
    }
    faults
}

/// How many lines of each function are not reached.
fn unreached(lcov: &str, source: &dyn Fn(&str) -> Result<String, Failure>) -> Result<BTreeMap<Function, u64>, Failure> {
    let mut counts = BTreeMap::new();
    let mut current: Option<(String, Vec<String>)> = None;
    let mut is_empty = true;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let file = FLOORS.iter().find_map(|floor| path.find(floor).map(|at| &path[at..]));
            current = match file {
                None => None,
                Some(file) => Some((file.to_owned(), functions_of(&source(file)?))),
            };
            is_empty &= current.is_none();
        } else if let (Some((file, functions)), Some(data)) = (&current, line.strip_prefix("DA:")) {
            let mut numbers = data.split(',').map(str::parse::<u64>);
            let (Some(Ok(at)), Some(Ok(0))) = (numbers.next(), numbers.next()) else {
                continue;
            };
            let at = usize::try_from(at).unwrap_or(0);
            let function = functions.get(at.saturating_sub(1)).cloned().unwrap_or_default();
            *counts.entry((file.clone(), function)).or_insert(0) += 1;
        }
    }
    if is_empty {
        return Err("the coverage speaks of no file of the store and disk floors".to_owned());
    }
    Ok(counts)
}

/// For each line of a source file the function that it stands in: the last one that began before it, with the type whose
/// method it is.
fn functions_of(text: &str) -> Vec<String> {
    let (mut owner, mut function) = (String::new(), String::new());
    let word = |rest: &str| -> String {
        rest.chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect()
    };
    text.lines()
        .map(|line| {
            let code = line.trim_start();
            if code.len() == line.len() {
                if code.starts_with("impl") {
                    let named = code.rsplit_once(" for ").or_else(|| code.split_once(' '));
                    owner = named.map_or_else(String::new, |(_, name)| word(name));
                } else if code.starts_with('}') {
                    owner.clear();
                }
            }
            let before = code.split_once("fn ").filter(|(before, _)| {
                let words = ["pub", "pub(super)", "pub(crate)", "const"];
                before.split_whitespace().all(|one| words.contains(&one))
            });
            if let Some((_, rest)) = before {
                let name = word(rest);
                function = if owner.is_empty() {
                    name
                } else {
                    format!("{owner}::{name}")
                };
            }
            function.clone()
        })
        .collect()
}

/// The rows of the table, by function.
fn rows(text: &str) -> Result<BTreeMap<Function, (u64, String)>, Failure> {
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| engine/")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, function, lines, reason] = cells.as_slice() else {
            return Err(format!("{TABLE}: a row has four cells: {line}"));
        };
        let lines = lines.parse().map_err(|_| format!("{TABLE}: how many lines? {line}"))?;
        if reason.is_empty() {
            return Err(format!("{TABLE}: a row gives no reason: {line}"));
        }
        rows.insert(
            ((*file).to_owned(), (*function).to_owned()),
            (lines, (*reason).to_owned()),
        );
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "impl Zone {\n    fn open() {\n        one();\n    }\n}\n\npub fn other() {\n    two();\n}\n";
    const LCOV: &str =
        "SF:/x/engine/src/store/zone.rs\nDA:3,0\nDA:8,0\nDA:2,5\nend_of_record\nSF:/x/engine/src/face/a.rs\nDA:1,0\n";

    fn found() -> BTreeMap<Function, u64> {
        unreached(LCOV, &|_| Ok(SOURCE.to_owned())).expect("the coverage is read")
    }

    #[test]
    fn a_line_that_is_not_reached_needs_a_reason_and_a_reason_such_a_line() {
        let row = |function: &str| format!("| engine/src/store/zone.rs | {function} | 1 | because |\n");
        let told = |text: &str| rows(text).expect("a table");
        assert_eq!(
            compare(&found(), &told(&(row("Zone::open") + &row("other")))),
            Vec::<String>::new()
        );
        assert_eq!(compare(&found(), &told(&row("other"))).len(), 1);
        assert_eq!(
            compare(&found(), &told(&(row("Zone::open") + &row("other") + &row("gone")))).len(),
            1
        );
    }

    #[test]
    fn a_row_speaks_of_no_more_lines_than_it_says() {
        let more = BTreeMap::from([(("engine/src/store/zone.rs".to_owned(), "other".to_owned()), 2)]);
        let told = rows("| engine/src/store/zone.rs | other | 1 | because |").expect("a table");
        assert_eq!(compare(&more, &told).len(), 1);
        assert!(rows("| engine/src/store/zone.rs | other | 1 | |").is_err());
    }

    #[test]
    fn a_coverage_without_these_floors_proves_nothing() {
        assert!(unreached("SF:/x/a.rs\nDA:1,0\n", &|_| Ok(String::new())).is_err());
    }
}
