//! The cases as a page for people.

use std::fmt::Write as _;

use super::{Index, Row};

/// `docs/cases.md`
pub fn page(index: &Index) -> String {
    let mut page = String::from(
        "# The cases\n\n\
         Failures that users of other stores reported, each restated as what this one must never do, with the tests that\n\
         show it. Made by `just docs` from `xtask/cases.toml` and from the sources: a test belongs to a case if its name\n\
         (`ac14_…`), its comments or its body (`AC14`) say so. Scripts under `.ci` run at night and count for no case alone.\n\n",
    );
    let _ = writeln!(page, "{}.", numbers(index));
    for row in &index.rows {
        entry(&mut page, row);
    }
    page
}

/// How many cases there are, and how far they are.
pub fn numbers(index: &Index) -> String {
    let count = |of: fn(&Row) -> bool| index.rows.iter().filter(|row| of(row)).count();
    let tests: usize = index
        .rows
        .iter()
        .flat_map(|row| row.tests.values())
        .map(std::collections::BTreeSet::len)
        .sum();
    format!(
        "{} cases: {} with tests ({tests} in all; {} of these cases in part), {} not yet",
        index.rows.len(),
        count(|row| !row.tests.is_empty()),
        count(|row| row.case.part_not_yet.is_some()),
        count(|row| row.case.not_yet.is_some()),
    )
}

fn entry(page: &mut String, row: &Row) {
    let _ = writeln!(page, "\n## {}\n\n{}\n", row.case.id, row.case.story);
    if let Some(why) = &row.case.not_yet {
        let _ = writeln!(page, "- Not yet: {why}.");
    }
    for (file, names) in &row.tests {
        let names: Vec<String> = names.iter().map(|name| format!("  - `{name}`")).collect();
        let _ = writeln!(page, "- `{file}`\n{}", names.join("\n"));
    }
    if !row.scripts.is_empty() {
        let scripts: Vec<String> = row.scripts.iter().map(|file| format!("`{file}`")).collect();
        let _ = writeln!(page, "- At night: {}", scripts.join(", "));
    }
    if let Some(why) = &row.case.part_not_yet {
        let _ = writeln!(page, "- Not yet: {why}.");
    }
}
