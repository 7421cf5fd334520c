//! `graven explain`: what a rule says, what to do where it is named, where it is obeyed and which test breaks it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::failure::{Failure, Verdict};
use super::output::{Colour, Output};

/// The index of rules, generated from the tables beside it and from the sources of this version.
const INDEX: &str = include_str!("../../rules/generated.json");

/// A shared beginning or a change of a letter or two is a likely slip; what differs more is not suggested.
const LIKELY: f64 = 0.8;

/// A rule with everything that is known about it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    id: String,
    kind: String,
    #[serde(rename = "rule")]
    text: String,
    advice: String,
    #[serde(default)]
    not_yet: Option<String>,
    obeyed: Vec<String>,
    tests: Vec<Test>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Test {
    file: String,
    name: String,
}

/// Explains one rule, or lists them all.
pub fn run(arguments: &super::arguments::Explain, output: &mut Output) -> Result<Verdict, Failure> {
    let rules = rules()?;
    match &arguments.rule {
        None => list(&rules, output),
        Some(id) => describe(rule_named(&rules, id)?, output),
    }
}

fn rules() -> Result<Vec<Rule>, Failure> {
    serde_json::from_str(INDEX).map_err(|error| Failure::usage(format!("the index of rules does not read: {error}")))
}

/// The rule of that id, in whatever case it is written.
fn rule_named<'r>(rules: &'r [Rule], id: &str) -> Result<&'r Rule, Failure> {
    let asked = id.trim();
    if let Some(rule) = rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(asked)) {
        return Ok(rule);
    }
    let near = near(rules, asked);
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; near it: {}", near.join(", "))
    };
    let message = format!("there is no rule `{asked}`{hint}; `graven explain` lists them all");
    Err(Failure::usage(message))
}

/// The ids that `asked` may have been meant for, the likeliest first.
fn near<'r>(rules: &'r [Rule], asked: &str) -> Vec<&'r str> {
    let asked = asked.to_ascii_uppercase();
    let mut scored: Vec<(f64, &str)> = rules
        .iter()
        .map(|rule| {
            (
                strsim::jaro_winkler(&asked, &rule.id.to_ascii_uppercase()),
                rule.id.as_str(),
            )
        })
        .filter(|(score, _)| *score >= LIKELY)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    scored.into_iter().take(3).map(|(_, id)| id).collect()
}

fn list(rules: &[Rule], output: &mut Output) -> Result<Verdict, Failure> {
    let mut items = output.begin_items("rules")?;
    for rule in rules {
        let json = json!({"id": rule.id, "kind": rule.kind, "rule": rule.text});
        items.item(&json, |output| {
            let id = output.paint(Colour::Yellow, &format!("{:<14}", rule.id));
            format!("{id} {}", rule.text)
        })?;
    }
    items.end()?;
    Ok(Verdict::Fine)
}

fn describe(rule: &Rule, output: &mut Output) -> Result<Verdict, Failure> {
    output.answer(rule)?;
    let id = output.paint(Colour::Yellow, &rule.id);
    output.line(format!("{id} ({})", rule.kind))?;
    output.line("")?;
    output.line(&rule.text)?;
    output.line("")?;
    output.line(format!("What to do: {}", rule.advice))?;
    if let Some(why) = &rule.not_yet {
        output.line("")?;
        output.line(format!("Not yet: {why}."))?;
    }
    section("Obeyed in:", rule.obeyed.iter().cloned(), output)?;
    let tests = rule.tests.iter().map(|test| format!("{} ({})", test.name, test.file));
    section("Tested by:", tests, output)?;
    Ok(Verdict::Fine)
}

fn section(heading: &str, lines: impl ExactSizeIterator<Item = String>, output: &mut Output) -> Result<(), Failure> {
    if lines.len() == 0 {
        return Ok(());
    }
    output.line("")?;
    output.line(heading)?;
    for line in lines {
        output.line(format!("  {line}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::verbs::arguments::Arguments;
    use crate::verbs::layout::family_named;

    #[test]
    fn every_rule_is_found_in_any_case_and_says_what_to_do() {
        let rules = rules().unwrap();
        assert!(rules.len() > 200);
        for rule in &rules {
            for asked in [rule.id.clone(), rule.id.to_lowercase(), format!(" {} ", rule.id)] {
                assert_eq!(rule_named(&rules, &asked).unwrap().id, rule.id);
            }
            assert!(rule.text.len() > 20 && rule.advice.len() > 20, "{}", rule.id);
        }
    }

    #[test]
    fn every_command_in_an_advice_is_one_of_this_binary() {
        let command = Arguments::command();
        let mut seen = 0;
        for rule in rules().unwrap() {
            for quoted in rule.advice.split('`').skip(1).step_by(2) {
                let mut words = quoted.split_whitespace();
                if words.next() != Some("graven") {
                    continue;
                }
                let verb = words.next().unwrap_or_default();
                let place = format!("{}: `{quoted}`", rule.id);
                let verb = command.find_subcommand(verb).unwrap_or_else(|| panic!("{place}"));
                seen += 1;
                for word in words {
                    if let Some(long) = word.strip_prefix("--") {
                        assert!(
                            verb.get_arguments().any(|known| known.get_long() == Some(long)),
                            "{place}"
                        );
                    }
                }
                if let Some(family) = quoted.strip_prefix("graven layout ") {
                    assert!(family_named(family).is_ok(), "{place}");
                }
                if let Some(family) = quoted.strip_prefix("graven dump ROOT ") {
                    assert!(family_named(family).is_ok(), "{place}");
                }
            }
        }
        assert!(seen > 30, "{seen}");
    }

    #[test]
    fn a_slip_is_answered_with_the_ids_near_it_and_nonsense_with_none() {
        let rules = rules().unwrap();
        let suggests = |asked: &str, id: &str| near(&rules, asked).iter().any(|near| near.eq_ignore_ascii_case(id));
        assert!(suggests("w-tag-4", "w-tag-04"));
        assert!(suggests("w-taks-16", "w-task-16"));
        assert_eq!(near(&rules, "w-tag-99").len(), 3);
        assert_eq!(near(&rules, "snapshot"), Vec::<&str>::new());
    }
}
