//! `graven explain`.
//!
//! Ids are asked for in lower case: in upper case this file would count as a test of the rules that it asks about.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{answer, graven, text};

#[test]
fn a_rule_is_explained_with_its_place_and_its_test() {
    let output = graven(&["explain", "w-tag-04"]);
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output.stdout);
    assert!(
        told.starts_with(&format!("{} (refuse)\n", "w-tag-04".to_uppercase())),
        "{told}"
    );
    for part in [
        "A Tag refers to a live Snapshot",
        "What to do: Tag a Snapshot that `graven list ROOT snapshots` shows",
        "Obeyed in:\n  engine/src/",
        "  engine/src/domain/tags/rules.rs\n",
        "Tested by:\n  ",
        " (engine/tests/face/tags.rs)\n",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn the_json_holds_the_same() {
    let json = answer(&graven(&["explain", "w-tag-04", "--json"]));
    assert_eq!(json["id"], "w-tag-04".to_uppercase());
    assert_eq!(json["kind"], "refuse");
    for key in ["rule", "advice"] {
        assert!(json[key].as_str().unwrap().ends_with('.'), "{json}");
    }
    let obeyed = json["obeyed"].as_array().unwrap();
    assert!(obeyed.contains(&"engine/src/domain/tags/rules.rs".into()), "{json}");
    let test = &json["tests"][0];
    assert!(test["name"].as_str().unwrap().contains("w_tag_04"), "{json}");
    assert!(test["file"].as_str().unwrap().ends_with(".rs"), "{json}");
}

#[test]
fn a_rule_that_waits_says_why() {
    let told = text(&graven(&["explain", "w-change-13"]).stdout);
    assert!(told.contains("\nNot yet: Patchsets are no family"), "{told}");
}

#[test]
fn an_unknown_id_is_answered_with_those_near_it() {
    let output = graven(&["explain", "w-tag-44", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let error = &answer(&output)["error"];
    assert_eq!(error["kind"], "usage");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("no rule `w-tag-44`; near it: W-TAG-") && message.contains("`graven explain` lists them all"),
        "{message}"
    );
    assert!(text(&output.stderr).contains("near it"));
    let nonsense = graven(&["explain", "snapshots"]);
    assert_eq!(nonsense.status.code(), Some(2));
    assert!(!text(&nonsense.stderr).contains("near it"));
}

#[test]
fn without_an_id_all_rules_are_listed() {
    let json = answer(&graven(&["explain", "--json"]));
    let items = json["items"].as_array().unwrap();
    let lines = text(&graven(&["explain"]).stdout).lines().count();
    assert!(items.len() > 200 && lines == items.len(), "{} and {lines}", items.len());
}

#[test]
fn every_rule_that_the_engine_names_is_explained() {
    let mut ids = BTreeSet::new();
    for place in ["../engine/src", "src"] {
        gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join(place), &mut ids);
    }
    assert!(ids.len() > 40, "{ids:?}");
    for id in ids {
        let output = graven(&["explain", &id, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{id}: {}", text(&output.stderr));
        assert_eq!(answer(&output)["id"], id);
    }
}

/// The ids that stand alone between quotes, as the `rule` of an error, a finding or a layout.
fn gather(path: &Path, ids: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            gather(&entry.unwrap().path(), ids);
        }
        return;
    }
    let source = fs::read_to_string(path).unwrap();
    ids.extend(source.split('"').filter(|part| is_id(part)).map(str::to_owned));
}

fn is_id(part: &str) -> bool {
    let numbered = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    if let Some((family, ordinal)) = part.strip_prefix("W-").and_then(|rest| rest.split_once('-')) {
        return family.chars().all(|c| c.is_ascii_uppercase()) && numbered(ordinal);
    }
    part.strip_prefix("F-").is_some_and(numbered)
        || part.strip_prefix('G').is_some_and(numbered)
        || part.starts_with("PROTOCOL-")
}
