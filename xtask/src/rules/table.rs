//! The table of rules as it stands in `cli/rules/`, read and checked.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use crate::{Failure, house};

/// The files of the table, in the order of the page, with the heading of each.
pub const FILES: &[(&str, &str)] = &[
    ("task", "Tasks"),
    ("change", "Changes"),
    ("land", "Lands"),
    ("line", "Lines"),
    ("stash", "Stashes"),
    ("tag", "Tags"),
    ("cursor", "The worktree's cursor"),
    ("conversion", "Converted records"),
    ("format", "The format and the protocol"),
    ("gap", "Gaps, assigned by us"),
];

const KINDS: &[&str] = &[
    "layout", "encode", "decode", "identity", "commit", "recovery", "refuse", "derive", "index", "gap", "format",
];

/// One rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub id: String,
    pub kind: String,
    #[serde(rename = "rule")]
    pub text: String,
    /// What to do where an error or a finding names it.
    pub advice: String,
    /// Why it is not obeyed yet, for a rule whose family or operation is not here.
    pub not_yet: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    shared: BTreeMap<String, String>,
    rule: Vec<Rule>,
}

/// A part of the table: a file's heading and its rules.
pub struct Part {
    pub heading: &'static str,
    pub rules: Vec<Rule>,
}

/// The whole table.
pub fn read() -> Result<Vec<Part>, Failure> {
    FILES
        .iter()
        .map(|(name, heading)| {
            let file = format!("cli/rules/{name}.toml");
            let text = fs::read_to_string(house().join(&file)).map_err(|error| format!("{file}: {error}"))?;
            let rules = parse(&text).map_err(|failure| format!("{file}: {failure}"))?;
            Ok(Part { heading, rules })
        })
        .collect()
}

fn parse(text: &str) -> Result<Vec<Rule>, Failure> {
    let File { mut shared, rule } = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut rules: Vec<Rule> = rule;
    let mut used = Vec::new();
    for rule in &mut rules {
        if let Some(name) = rule.advice.strip_prefix('@') {
            let text = shared
                .get(name)
                .ok_or_else(|| format!("{}: no shared advice `{name}`", rule.id))?;
            used.push(name.to_string());
            rule.advice.clone_from(text);
        }
        check(rule)?;
    }
    shared.retain(|name, _| !used.contains(name));
    match shared.keys().next() {
        Some(name) => Err(format!("the shared advice `{name}` is used nowhere")),
        None => Ok(rules),
    }
}

fn check(rule: &Rule) -> Result<(), Failure> {
    let id = &rule.id;
    if super::ids::in_text(id) != [id.as_str()] {
        return Err(format!("`{id}` is no id"));
    }
    if !KINDS.contains(&rule.kind.as_str()) {
        return Err(format!("{id}: there is no kind `{}`", rule.kind));
    }
    for (what, text) in [("rule", &rule.text), ("advice", &rule.advice)] {
        if !text.ends_with('.') || text.contains('\n') {
            return Err(format!("{id}: its {what} is not one line of whole sentences"));
        }
    }
    if rule.kind == "gap" && !rule.text.to_ascii_lowercase().contains("assigned by us") {
        return Err(format!("{id}: a gap's answer says that it is assigned by us"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_gets_its_shared_advice() {
        let row = |advice: &str| {
            format!(
                "[shared]\na = \"Do.\"\n[[rule]]\nid = \"G13\"\nkind = \"gap\"\nrule = \"Assigned by us.\"\nadvice = \"{advice}\"\n"
            )
        };
        assert_eq!(
            parse(&row("@a")).map(|rules| rules[0].advice.clone()),
            Ok("Do.".to_string())
        );
        assert!(parse(&row("@b")).is_err());
        assert!(parse(&row("Do it.")).is_err(), "`a` is used nowhere");
    }

    #[test]
    fn a_row_that_is_not_well_formed_is_refused() {
        let row = |id: &str, kind: &str, rule: &str| {
            let text = format!("[[rule]]\nid = \"{id}\"\nkind = \"{kind}\"\nrule = \"{rule}\"\nadvice = \"Do.\"\n");
            parse(&text).map(|rules| rules.len())
        };
        assert_eq!(row("W-TAG-04", "refuse", "It is."), Ok(1));
        assert!(row("W-TAG", "refuse", "It is.").is_err());
        assert!(row("W-TAG-04", "refusal", "It is.").is_err());
        assert!(row("W-TAG-04", "refuse", "It is").is_err());
        assert!(row("G13", "gap", "It is.").is_err());
        assert!(parse("[[rule]]\nid = \"G13\"\n").is_err());
    }
}
