//! The verbs that write: stores, Lines, Tags.

use std::fs;

use super::{Demo, answer, column, graven};

#[test]
fn init_makes_an_empty_store_once() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("new.graven");
    let root = root.to_str().unwrap();
    let made = answer(&graven(&["init", root, "--namespace", "ab", "--json"]));
    assert_eq!(made["namespace"], "AB");
    assert_eq!(
        fs::read(format!("{root}/graven.store")).unwrap(),
        b"graven 1\nnamespace AB\n"
    );
    assert_eq!(answer(&graven(&["stat", root, "--json"]))["snapshots"], 0);
    let again = graven(&["init", root, "--json"]);
    assert_eq!(
        (again.status.code(), &answer(&again)["error"]["rule"]),
        (Some(2), &"F-0.8".into())
    );
    let other = parent.path().join("other");
    assert_eq!(
        graven(&["init", other.to_str().unwrap(), "--namespace", "A-"])
            .status
            .code(),
        Some(2)
    );
    assert!(!other.exists());
}

#[test]
fn a_line_goes_through_its_whole_life() {
    let demo = Demo::new();
    let (first, second) = (demo.snapshot("v1"), demo.snapshot("v2"));
    let made = demo.json("line", &["new", " side "]);
    assert_eq!((&made["line"], &made["name"]), (&"LNE-00000002".into(), &"side".into()));
    assert!(made["receipt"]["syncs"].as_u64().unwrap() > 0);
    demo.json("line", &["move", "side", "v1", "--expect", "none"]);
    assert_eq!(
        demo.failure("line", &["move", "side", "v2", "--expect", "v2"]).0,
        "conflict"
    );
    demo.json("line", &["move", "side", &second, "--expect", &first]);
    assert_eq!(demo.json("show", &["side"])["head"], second.as_str());
    demo.json("line", &["rename", "side", "topic"]);
    assert_eq!(demo.failure("line", &["rename", "topic", "main"]).0, "refused");
    demo.json("line", &["archive", "topic"]);
    assert_eq!(demo.json("show", &["topic"])["state"], "archived");
    assert_eq!(demo.failure("line", &["move", "topic", "v1"]).0, "refused");
    demo.json("line", &["restore", "LNE-00000002"]);
    demo.json("line", &["delete", "topic"]);
    assert_eq!(demo.failure("line", &["delete", "topic"]).0, "not_found");
    assert_eq!(column(&demo.json("list", &["lines"]), "name"), ["main"]);
    assert_eq!(
        column(&demo.json("list", &["lines", "--all"]), "state"),
        ["live", "deleted"]
    );
}

#[test]
fn a_change_that_changes_nothing_says_so_and_touches_nothing() {
    let demo = Demo::new();
    let before = demo.tree();
    assert_eq!(demo.json("line", &["rename", "main", "main"])["changed"], false);
    assert_eq!(demo.json("line", &["move", "main", "v2"])["changed"], false);
    assert!(demo.tree() == before);
}

#[test]
fn a_tag_goes_through_its_whole_life() {
    let demo = Demo::new();
    assert_eq!(demo.json("tag", &["new", "v3", "main", "-m", ""])["index"], 2);
    assert_eq!(demo.json("show", &["v3"])["message"], "");
    assert_eq!(demo.failure("tag", &["new", "v3", "v1"]).0, "refused");
    assert_eq!(demo.json("tag", &["replace", "v3", "v1"])["index"], 2);
    assert_eq!(demo.json("show", &["v3"])["annotated"], false);
    demo.json("tag", &["delete", "v3"]);
    assert_eq!(demo.failure("tag", &["delete", "v3"]).0, "not_found");
    assert_eq!(
        demo.json("tag", &["new", "v3", "main"])["index"],
        2,
        "W-TAG-12: the same record"
    );
    assert_eq!(demo.json("tag", &["replace", "v4", "main"])["index"], 3);
}
