//! The index as a page for people, and as the data that the command carries.

use std::fmt::Write as _;

use super::{Failure, Index, Row, State};

/// More places than these are counted, not listed: `graven explain` tells them all.
const LISTED: usize = 4;

/// `docs/rules.md`
pub fn page(index: &Index) -> String {
    let mut page = String::from(
        "# The rules\n\n\
         Which rule of the format is obeyed where, and which test breaks it. Made by `just docs` from the tables in\n\
         `cli/rules/` and from the sources; `graven explain ID` prints the same with everything that is listed here only in\n\
         part. `W-` rules are the workflow's, `F-0.n` decisions and `F-n` sections of the format, `G` its gaps.\n\n",
    );
    let _ = writeln!(page, "{}.", numbers(index));
    for (heading, rows) in &index.parts {
        let _ = writeln!(page, "\n## {heading}");
        for row in rows {
            entry(&mut page, row);
        }
    }
    page
}

/// How many rules there are, and how far they are.
pub fn numbers(index: &Index) -> String {
    format!(
        "{} rules: {} obeyed and tested ({} of them by tests of the model alone), {} not yet, {} without a place in the \
         code, {} without a test",
        index.rows().count(),
        index.count(State::Covered),
        index.of_model_alone().count(),
        index.count(State::NotYet),
        index.count(State::NotObeyed),
        index.count(State::NotTested),
    )
}

fn entry(page: &mut String, row: &Row) {
    let _ = writeln!(page, "\n### {} ({})\n\n{}\n", row.id, row.kind, row.rule);
    if let Some(why) = &row.not_yet {
        let _ = writeln!(page, "- Not yet: {why}");
        if row.obeyed.is_empty() {
            return;
        }
    }
    let places = row.obeyed.iter().map(|file| format!("`{file}`"));
    let _ = writeln!(page, "- Obeyed in: {}", listed(places.collect()));
    if row.not_yet.is_none() || !row.tests.is_empty() {
        let tests = row
            .tests
            .iter()
            .map(|test| format!("`{}` (`{}`)", test.name, test.file));
        let _ = writeln!(page, "- Tested by: {}", listed(tests.collect()));
    }
}

fn listed(all: Vec<String>) -> String {
    if all.is_empty() {
        return "nothing so far".to_string();
    }
    let more = all.len().saturating_sub(LISTED);
    let mut text = all.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(text, ", and {more} more");
    }
    text
}

/// What `graven explain` carries: an array with one row a line.
pub fn embedded(index: &Index) -> Result<String, Failure> {
    let mut lines = Vec::new();
    for row in index.rows() {
        lines.push(serde_json::to_string(row).map_err(|error| error.to_string())?);
    }
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_counted_and_an_empty_one_says_so() {
        let of = |count: usize| listed((0..count).map(|number| number.to_string()).collect());
        assert_eq!(of(0), "nothing so far");
        assert_eq!(of(4), "0, 1, 2, 3");
        assert_eq!(of(6), "0, 1, 2, 3, and 2 more");
    }
}
