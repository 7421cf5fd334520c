//! The planted bugs of the engine, one row each: what is wrong, where it shows, and which check has to notice it.
//!
//! They are there in the build under `--cfg graven_mutant` alone; the environment names the one that is planted.

use std::time::Instant;

use super::told::{Sort, Told};
use crate::engine::{Engine, Workload};
use crate::explore::{Finding, Limits, explore};
use crate::judge::checks::Check;
use crate::workloads::tier_1;

/// What names the planted bug of a process.
pub const VARIABLE: &str = "GRAVEN_MUTANT";

/// Where a planted bug shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Under one of these workloads of tier 1, tried in this order, to one of these checks.
    Judges(&'static [&'static str], &'static [Check]),
    /// To a test of the engine, since the simulator's one process cannot see it: the test's file and its name.
    Test(&'static str, &'static str),
}

/// One planted bug.
#[derive(Debug)]
pub struct Planted {
    /// Its name, as it stands in the engine's source.
    pub name: &'static str,
    /// What the engine does wrong.
    pub what: &'static str,
    /// Where that shows.
    pub shown: Shown,
}

pub use super::planted_table::TABLE;

/// The table for whoever starts the processes: an array of names, and of tests where a test notices the bug.
pub fn table() -> serde_json::Value {
    let row = |row: &Planted| match row.shown {
        Shown::Judges(..) => serde_json::json!({ "name": row.name, "what": row.what }),
        Shown::Test(file, test) => {
            serde_json::json!({ "name": row.name, "what": row.what, "file": file, "test": test })
        }
    };
    TABLE.iter().map(row).collect()
}

/// How many distinct disks of a workload are judged at most.
pub const MOST_DISTINCT: u64 = 3000;

fn workload(name: &str) -> Result<Workload, String> {
    let found = tier_1().into_iter().find(|workload| workload.name == name);
    found.ok_or_else(|| format!("no workload is named {name}"))
}

/// The first finding under any of the workloads, with the workload's name.
fn first_finding(names: &[&'static str], limits: Limits) -> Result<Option<(&'static str, Finding)>, String> {
    for name in names {
        let (_, findings) = explore(&Engine::new(workload(name)?), limits);
        if let Some(finding) = findings.into_iter().next() {
            return Ok(Some((name, finding)));
        }
    }
    Ok(None)
}

/// Judges the engine with the bug that this process was started with; `checks`: also without the check that notices it.
///
/// # Errors
/// Nothing is planted, no row has its name, or a row names no workload.
pub fn judge(limits: Limits, checks: bool) -> Result<Told, String> {
    if !cfg!(graven_mutant) {
        return Err("this simulator was built without `--cfg graven_mutant`".to_owned());
    }
    let name = std::env::var(VARIABLE).map_err(|_| format!("{VARIABLE} names no planted bug"))?;
    let row = TABLE.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| format!("no row tells what `{name}` is"))?;
    let Shown::Judges(workloads, expected) = row.shown else {
        return Err(format!("`{name}` shows to a test, not to a judge"));
    };
    let started = Instant::now();
    let found = first_finding(workloads, limits)?;
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut told = Told::new(Sort::Planted, row.name, row.what, millis);
    let Some((workload, finding)) = found else {
        return Ok(told);
    };
    told.caught(workload, &finding);
    told.finding = format!("{}: {}: {}", workload, finding.path, finding.message);
    if !expected.contains(&finding.check) {
        told.fault = Some(format!(
            "noticed by another check than the responsible one: {}",
            told.finding
        ));
    }
    if checks {
        let skip = Some(finding.check);
        told.alone = first_finding(workloads, Limits { skip, ..limits })?.is_none();
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    fn planted_in(directory: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(directory).expect("the engine's source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                planted_in(&path, names);
            } else {
                let text = fs::read_to_string(&path).expect("a source file");
                let quoted = text.split("planted!(\"").skip(1);
                names.extend(quoted.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_planted_bug_stands_at_one_place_and_has_one_row() {
        let mut planted = Vec::new();
        planted_in(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src"),
            &mut planted,
        );
        planted.sort_unstable();
        let mut rows: Vec<_> = TABLE.iter().map(|row| row.name.to_owned()).collect();
        rows.sort_unstable();
        assert_eq!(planted, rows);
        assert_eq!(planted.iter().collect::<BTreeSet<_>>().len(), planted.len());
    }

    #[test]
    fn every_row_names_workloads_that_exist_and_a_check() {
        for row in TABLE {
            if let Shown::Judges(workloads, checks) = row.shown {
                assert!(!workloads.is_empty() && !checks.is_empty(), "{}", row.name);
                for name in workloads {
                    workload(name).expect(row.name);
                }
            }
        }
    }
}
