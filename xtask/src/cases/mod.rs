//! The list of cases: failures that users of other stores reported, with the tests that show ours does not have them.

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use crate::rules::{self, Source, ids};
use crate::{Failure, house};
pub use page::page;

/// Where the cases stand, and where the long checks do, which are scripts.
const TABLE: &str = "xtask/cases.toml";
const SCRIPTS: &str = ".ci";

/// What another process of a test runs: it judges nothing by itself.
const OTHER_PROCESS: &str = "the_other_process_of_this_case";

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    #[serde(rename = "case")]
    story: String,
    /// Why it has no test.
    not_yet: Option<String>,
    /// What of it no test covers, and why.
    part_not_yet: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    case: Vec<Case>,
}

/// A case with its tests, by file, and the scripts that name it.
struct Row {
    case: Case,
    tests: BTreeMap<String, BTreeSet<String>>,
    scripts: BTreeSet<String>,
}

/// All cases, and the ids that tests, comments or scripts name and no case has.
pub struct Index {
    rows: Vec<Row>,
    dangling: BTreeMap<String, BTreeSet<String>>,
}

/// Reads the table, all sources and all scripts.
pub fn index() -> Result<Index, Failure> {
    let text = fs::read_to_string(house().join(TABLE)).map_err(|error| format!("{TABLE}: {error}"))?;
    let cases = parse(&text).map_err(|failure| format!("{TABLE}: {failure}"))?;
    Ok(index_of(cases, &rules::sources()?, &scripts()?))
}

fn parse(text: &str) -> Result<Vec<Case>, Failure> {
    let Table { case: cases } = toml::from_str(text).map_err(|error| error.to_string())?;
    for (case, next) in cases.iter().zip(cases.iter().skip(1)) {
        if case.id >= next.id {
            return Err(format!("{} does not stand before {}", case.id, next.id));
        }
    }
    for Case {
        id,
        story,
        not_yet,
        part_not_yet,
    } in &cases
    {
        if ids::cases_in_text(id) != [id.as_str()] {
            return Err(format!("`{id}` is no id"));
        }
        if !story.ends_with('.') || story.contains('\n') {
            return Err(format!("{id}: its case is not one line of whole sentences"));
        }
        if not_yet.is_some() && part_not_yet.is_some() {
            return Err(format!("{id}: where all of it waits, no part does"));
        }
    }
    Ok(cases)
}

fn scripts() -> Result<Vec<(String, String)>, Failure> {
    let fails = |error: std::io::Error| format!("{SCRIPTS}: {error}");
    let mut scripts = Vec::new();
    for entry in fs::read_dir(house().join(SCRIPTS)).map_err(fails)? {
        let entry = entry.map_err(fails)?;
        let file = format!("{SCRIPTS}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_file() {
            scripts.push((file, fs::read_to_string(entry.path()).map_err(fails)?));
        }
    }
    Ok(scripts)
}

fn index_of(cases: Vec<Case>, sources: &[(PathBuf, Source)], scripts: &[(String, String)]) -> Index {
    let new = |case| Row {
        case,
        tests: BTreeMap::new(),
        scripts: BTreeSet::new(),
    };
    let mut rows: Vec<Row> = cases.into_iter().map(new).collect();
    let mut dangling: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, source) in sources {
        let file = path.display().to_string();
        let mut named: Vec<(String, Option<&str>)> = Vec::new();
        named.extend(
            ids::cases_in_text(source.text())
                .into_iter()
                .map(|id| (id.to_string(), None)),
        );
        for test in source.tests() {
            let inside = ids::cases_in_text(test.text).into_iter().map(str::to_string);
            let of_test = ids::cases_in_name(test.name).into_iter().chain(inside);
            named.extend(of_test.map(|id| (id, Some(test.name))));
        }
        for (id, test) in named {
            match (rows.iter_mut().find(|row| row.case.id == id), test) {
                (None, _) => drop(dangling.entry(id).or_default().insert(file.clone())),
                (Some(row), Some(test)) if !test.contains(OTHER_PROCESS) => {
                    row.tests.entry(file.clone()).or_default().insert(test.to_string());
                }
                (Some(_), _) => {}
            }
        }
    }
    for (file, text) in scripts {
        for id in ids::cases_in_text(text) {
            match rows.iter_mut().find(|row| row.case.id == id) {
                Some(row) => drop(row.scripts.insert(file.clone())),
                None => drop(dangling.entry(id.to_string()).or_default().insert(file.clone())),
            }
        }
    }
    Index { rows, dangling }
}

/// What the check has to say: a summary, or everything that is wrong.
pub fn judge(index: &Index) -> Result<String, Failure> {
    let findings = findings(index);
    if findings.is_empty() {
        Ok(page::numbers(index))
    } else {
        Err(findings.join("\n"))
    }
}

/// A script alone is no test of a case: it runs at night, and only where the machine has what it needs.
fn findings(index: &Index) -> Vec<String> {
    let dangling = index.dangling.iter().map(|(id, files)| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        format!("{id} is not in {TABLE}, and named by {}", files.join(", "))
    });
    let rows = index.rows.iter().filter_map(|row| {
        let id = &row.case.id;
        match (&row.case.not_yet, row.tests.is_empty()) {
            (None, true) => Some(format!("{id} has no test, and no reason why not")),
            (Some(_), false) => Some(format!("{id} has a test: take its `not_yet` out of {TABLE}")),
            _ => None,
        }
    });
    dangling.chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(more: &str) -> Vec<Case> {
        parse(&format!("[[case]]\nid = \"AC14\"\ncase = \"It fails.\"\n{more}")).expect("a table")
    }

    fn with(cases: Vec<Case>, test: &str) -> Index {
        let sources = [(PathBuf::from("sim/x.rs"), Source::new(test.to_string()))];
        index_of(cases, &sources, &[])
    }

    #[test]
    fn a_case_has_a_test_or_a_reason_and_never_both() {
        for (more, test, content) in [
            ("", "#[test]\nfn ac14_it_holds() {}", true),
            ("", "/// Of AC14.\n#[test]\nfn it_holds() {}", true),
            ("", "#[test]\nfn it_holds() { /* AC14 */ }", true),
            ("", "/// AC14\nfn it_holds() {}", false),
            ("", "#[test]\nfn ac14_the_other_process_of_this_case() {}", false),
            ("", "", false),
            ("not_yet = \"later\"", "", true),
            ("not_yet = \"later\"", "#[test]\nfn ac14_it_holds() {}", false),
            ("part_not_yet = \"later\"", "#[test]\nfn ac14_it_holds() {}", true),
            ("part_not_yet = \"later\"", "", false),
        ] {
            assert_eq!(findings(&with(row(more), test)).is_empty(), content, "{more} {test}");
        }
    }

    #[test]
    fn an_id_without_a_case_is_found_wherever_it_stands() {
        for test in ["#[test]\nfn ac15_it_holds() {}", "// AC15", "fn x() { \"AC15\" }"] {
            let found = findings(&with(row("not_yet = \"later\""), test));
            assert!(found.len() == 1 && found[0].starts_with("AC15 "), "{test}: {found:?}");
        }
        let script = (".ci/x".to_string(), "# AC15 AC14".to_string());
        let found = findings(&index_of(row(""), &[], &[script]));
        assert!(found.len() == 2, "a dangling id, and a script is no test: {found:?}");
    }

    #[test]
    fn a_table_that_is_not_well_formed_is_refused() {
        let of = |id: &str, case: &str, more: &str| {
            parse(&format!("[[case]]\nid = \"{id}\"\ncase = \"{case}\"\n{more}")).map(|cases| cases.len())
        };
        assert_eq!(of("AC14", "It fails.", ""), Ok(1));
        assert!(of("AC1", "It fails.", "").is_err());
        assert!(of("AC14", "It fails", "").is_err());
        assert!(of("AC14", "It fails.", "not_yet = \"a\"\npart_not_yet = \"b\"").is_err());
        assert!(of("AC14", "It fails.", "[[case]]\nid = \"AC14\"\ncase = \"Again.\"").is_err());
        assert!(of("AC14", "It fails.", "[[case]]\nid = \"AC12\"\ncase = \"Before.\"").is_err());
    }
}
