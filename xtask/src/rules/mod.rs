//! The living index of rules: which rule is obeyed where, and which test breaks it.

mod awaited;
pub mod ids;
mod page;
mod source;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Failure, house};
use awaited::AWAITED;
pub use page::{embedded, page};
pub use source::Source;

/// The crates whose sources obey rules, and those whose tests break them.
const OBEYING: &[&str] = &["engine/src", "cli/src"];
const TESTING: &[&str] = &["engine", "cli", "model", "sim", "fuzz"];

/// A rule with everything that is known about it.
#[derive(Serialize)]
pub struct Row {
    pub id: String,
    pub kind: String,
    pub rule: String,
    pub advice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_yet: Option<String>,
    /// The files that name it, outside of tests.
    pub obeyed: BTreeSet<String>,
    /// Those that tell most first.
    pub tests: BTreeSet<Test>,
}

/// A test that names a rule. Those of the model come last: they do not run the engine.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Test {
    #[serde(skip)]
    of_model: bool,
    /// Whether the rule stands in its text and not in its name.
    #[serde(skip)]
    only_inside: bool,
    pub file: String,
    pub name: String,
}

/// How far a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has a place in the code and a test.
    Covered,
    /// Its family or operation is not here.
    NotYet,
    /// It has no place in the code.
    NotObeyed,
    /// It has no test.
    NotTested,
}

impl Row {
    pub fn state(&self) -> State {
        if self.not_yet.is_some() {
            State::NotYet
        } else if self.obeyed.is_empty() {
            State::NotObeyed
        } else if self.tests.is_empty() {
            State::NotTested
        } else {
            State::Covered
        }
    }
}

/// The index: the table's parts with their rows, and the ids that sources name and no row has.
pub struct Index {
    pub parts: Vec<(&'static str, Vec<Row>)>,
    dangling: BTreeMap<String, BTreeSet<String>>,
}

impl Index {
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.parts.iter().flat_map(|(_, rows)| rows)
    }

    pub fn count(&self, state: State) -> usize {
        self.rows().filter(|row| row.state() == state).count()
    }

    /// Covered rows that no test outside of the model names.
    pub fn of_model_alone(&self) -> impl Iterator<Item = &Row> {
        let covered = self.rows().filter(|row| row.state() == State::Covered);
        covered.filter(|row| row.tests.iter().all(|test| test.of_model))
    }
}

/// Reads the table and all sources.
pub fn index() -> Result<Index, Failure> {
    let mut rows = BTreeMap::new();
    let mut parts = Vec::new();
    for part in table::read()? {
        let ids: Vec<String> = part.rules.iter().map(|rule| rule.id.clone()).collect();
        for rule in part.rules {
            let id = rule.id.clone();
            let row = Row {
                id: rule.id,
                kind: rule.kind,
                rule: rule.text,
                advice: rule.advice,
                not_yet: rule.not_yet,
                obeyed: BTreeSet::new(),
                tests: BTreeSet::new(),
            };
            if rows.insert(id.clone(), row).is_some() {
                return Err(format!("{id} stands twice in the table"));
            }
        }
        parts.push((part.heading, ids));
    }
    let dangling = scan(&mut rows)?;
    let parts = parts
        .into_iter()
        .map(|(heading, ids)| (heading, ids.iter().filter_map(|id| rows.remove(id)).collect()))
        .collect();
    Ok(Index { parts, dangling })
}

/// Every Rust file with code or tests of the engine, its command, model, simulator and laws, by its path in the project.
pub fn sources() -> Result<Vec<(PathBuf, Source)>, Failure> {
    let mut sources = Vec::new();
    for path in rust_files(TESTING)? {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = path
            .strip_prefix(house())
            .map_err(|error| error.to_string())?
            .to_path_buf();
        sources.push((path, Source::new(text)));
    }
    Ok(sources)
}

/// Enters every place and every test; answers the ids without a row, with the files that name them.
fn scan(rows: &mut BTreeMap<String, Row>) -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let sources = sources()?;
    let tests_only: Vec<PathBuf> = sources
        .iter()
        .flat_map(|(path, source)| source.test_modules(path))
        .collect();
    let mut dangling: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, source) in &sources {
        let file = path.display().to_string();
        let mut unknown = |id: &str| {
            dangling.entry(id.to_string()).or_default().insert(file.clone());
        };
        for id in ids::in_text(source.text()) {
            if !rows.contains_key(id) {
                unknown(id);
            }
        }
        let is_code = OBEYING.iter().any(|place| path.starts_with(place));
        if is_code && !tests_only.iter().any(|of_tests| path.starts_with(of_tests)) {
            for id in ids::in_text(&source.text_outside_tests()) {
                if let Some(row) = rows.get_mut(id) {
                    row.obeyed.insert(file.clone());
                }
            }
        }
        for test in source.tests() {
            let named = ids::in_name(test.name, |id| rows.contains_key(id));
            let inside = ids::in_text(test.text).into_iter().map(str::to_string);
            let inside: Vec<String> = inside.filter(|id| !named.contains(id)).collect();
            for (id, only_inside) in with(&named, false).chain(with(&inside, true)) {
                let entry = Test {
                    of_model: path.starts_with("model"),
                    only_inside,
                    file: file.clone(),
                    name: test.name.to_string(),
                };
                match rows.get_mut(id) {
                    Some(row) => drop(row.tests.insert(entry)),
                    None => unknown(id),
                }
            }
        }
    }
    Ok(dangling)
}

fn with<T: Copy>(ids: &[String], with: T) -> impl Iterator<Item = (&str, T)> {
    ids.iter().map(move |id| (id.as_str(), with))
}

/// Every `.rs` file under the project's `places`, sorted.
fn rust_files(places: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for place in places {
        gather(&house().join(place), &mut files).map_err(|error| format!("{place}: {error}"))?;
    }
    files.sort();
    Ok(files)
}

fn gather(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                gather(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// What the check has to say about the index: a summary, with the rows that still wait, or everything that is wrong.
pub fn judge(index: &Index) -> Result<String, Failure> {
    let findings = findings(index, AWAITED);
    if !findings.is_empty() {
        return Err(findings.join("\n"));
    }
    let mut summary = page::numbers(index);
    let of_model: Vec<&str> = index.of_model_alone().map(|row| row.id.as_str()).collect();
    if !of_model.is_empty() {
        let _ = write!(summary, "\ntested by the model alone: {}", of_model.join(", "));
    }
    if !AWAITED.is_empty() {
        let _ = write!(summary, "\nstill waited for: {}", AWAITED.join(", "));
    }
    Ok(summary)
}

fn findings(index: &Index, awaited: &[&str]) -> Vec<String> {
    let dangling = index.dangling.iter().map(|(id, files)| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        format!("{id} is in no table of cli/rules, and named by {}", files.join(", "))
    });
    let rows = index.rows().filter_map(|row| {
        let id = &row.id;
        let waits = awaited.contains(&id.as_str());
        let covered = !row.obeyed.is_empty() && !row.tests.is_empty();
        match row.state() {
            State::NotYet if waits => Some(format!(
                "{id} is \"not yet\": take it out of AWAITED in xtask/src/rules/awaited.rs"
            )),
            State::NotYet if covered => Some(format!(
                "{id} is obeyed and tested: take its `not_yet` out of cli/rules"
            )),
            State::NotObeyed if !waits => Some(format!("{id} is named by no file of {}", OBEYING.join(" or "))),
            State::NotTested if !waits => Some(format!("{id} has no test, and no \"not yet\"")),
            _ => None,
        }
    });
    let waiting = index.rows().filter(|row| awaited.contains(&row.id.as_str()));
    let waiting = waiting.filter(|row| row.state() == State::Covered);
    let covered: Vec<&str> = waiting.map(|row| row.id.as_str()).collect();
    let covered = (!covered.is_empty()).then(|| {
        let ids = covered.join(" ");
        format!("covered by now, so take them out of AWAITED in xtask/src/rules/awaited.rs: {ids}")
    });
    let unknown = awaited.iter().filter(|id| !index.rows().any(|row| row.id == **id));
    let unknown = unknown.map(|id| format!("{id} is in AWAITED and in no table of cli/rules"));
    dangling.chain(rows).chain(covered).chain(unknown).collect()
}

#[cfg(test)]
mod tests;
