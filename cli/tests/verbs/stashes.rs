//! `graven stash`, and what a Stash's identity stands for.

use std::fs;

use serde_json::Value;

use super::{Demo, answer, column};

#[test]
fn a_directory_is_put_aside_and_comes_back() {
    let demo = Demo::new();
    let (tree, out) = (demo.path("tree"), demo.path("out"));
    let made = demo.json(
        "stash",
        &[
            "save",
            tree.to_str().unwrap(),
            "--message",
            "before\nlunch",
            "--cleared",
            "--line",
            "main",
            "--at",
            "1700000200",
        ],
    );
    assert_eq!(
        (&made["stash"], &made["deleted"]),
        (&"STH-000001".into(), &false.into())
    );
    let stash = demo.json("show", &["STH-000001"]);
    assert_eq!(
        (&stash["message"], &stash["cleared"]),
        (&"before\nlunch".into(), &true.into())
    );
    assert_eq!(
        (&stash["line_name"], &stash["created_at_s"]),
        (&"main".into(), &1_700_000_200.into())
    );
    assert_eq!(stash["parents"][0], demo.snapshot("main"));
    assert_eq!(
        demo.json("show", &[made["snapshot"].as_str().unwrap()])["kind"],
        "stash"
    );
    demo.json("checkout", &["STH-000001", out.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(out.join("src/run.rs")).unwrap(), "fn run() {}\n");
    assert_eq!(
        demo.json("diff", &["main", "STH-000001"])["items"],
        Value::Array(vec![])
    );
    assert!(tree.join("src/run.rs").exists(), "the directory stays as it is");
    assert_eq!(demo.rule("line", &["move", "main", "STH-000001"]), "W-LINE-03");
}

#[test]
fn the_newest_stash_is_listed_first() {
    let demo = Demo::new();
    let tree = demo.path("tree");
    for (message, at) in [("old", "1700000200"), ("new", "1700000400"), ("middle", "1700000300")] {
        demo.json("stash", &["save", tree.to_str().unwrap(), "-m", message, "--at", at]);
    }
    assert_eq!(
        column(&demo.json("stash", &["list"]), "message"),
        ["new", "middle", "old"]
    );
    assert_eq!(
        column(&demo.json("list", &["stashes"]), "message"),
        ["old", "new", "middle"]
    );
    let listed = demo.text("stash", &["list"]);
    assert!(
        listed.starts_with("STH-000002  SNP-") && listed.contains("2023-11-14T22:20:00Z  new\n"),
        "{listed}"
    );
    let some = ["stashes", "--since", "1700000300", "--until", "1700000400"];
    assert_eq!(column(&demo.json("list", &some), "message"), ["middle"]);
}

#[test]
fn a_damaged_stash_is_a_finding_and_the_others_are_listed() {
    let demo = Demo::new();
    let tree = demo.path("tree");
    for at in ["1700000200", "1700000300"] {
        demo.json("stash", &["save", tree.to_str().unwrap(), "--at", at]);
    }
    demo.damage("workflow/stash.bin", 4, 0x02);
    let output = demo.run("stash", &["list", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json = answer(&output);
    assert_eq!(column(&json, "id"), ["STH-000002", ""]);
    assert!(column(&json, "error")[1].contains("W-STASH-06"), "{json}");
    assert_eq!(demo.run("list", &["stashes"]).status.code(), Some(1));
    assert_eq!(demo.failure("stash", &["drop", "STH-000001"]).0, "corrupt");
}

#[test]
fn a_dropped_stash_takes_its_snapshot_with_it() {
    let demo = Demo::new();
    let made = demo.json("stash", &["save", demo.path("tree").to_str().unwrap()]);
    let snapshot = made["snapshot"].as_str().unwrap();
    let dropped = demo.json("stash", &["drop", "STH-000001"]);
    assert_eq!(
        (&dropped["deleted"], &dropped["snapshot"]),
        (&true.into(), &snapshot.into())
    );
    assert_eq!(demo.failure("show", &[snapshot]).0, "not_found");
    assert_eq!(demo.failure("stash", &["drop", "STH-000001"]).0, "not_found");
    assert_eq!(
        demo.failure("checkout", &["STH-000001", demo.path("none").to_str().unwrap()])
            .0,
        "not_found"
    );
    assert_eq!(demo.json("stash", &["list"])["items"], Value::Array(vec![]));
    assert_eq!(demo.json("show", &["STH-000001"])["deleted"], true);
    for (id, kind) in [
        ("STH-000002", "not_found"),
        ("STH-1", "usage"),
        ("STH-000000", "usage"),
        ("x", "usage"),
    ] {
        assert_eq!(demo.failure("stash", &["drop", id]).0, kind, "{id}");
    }
    assert_eq!(demo.failure("show", &["STH-000002"]).0, "not_found");
}

#[test]
fn a_store_is_never_put_aside_into_itself() {
    let demo = Demo::new();
    let parent = demo.path("");
    let parent = parent.to_str().unwrap();
    let before = demo.tree();
    let (kind, message) = demo.failure("stash", &["save", parent]);
    assert_eq!(kind, "usage");
    assert!(message.contains("--exclude demo.graven"), "{message}");
    assert!(demo.tree() == before);
    assert_eq!(
        demo.failure(
            "stash",
            &["save", demo.root().join("workflow").to_str().unwrap(), "--line", "no"]
        )
        .0,
        "not_found"
    );
    demo.json("stash", &["save", parent, "--exclude", "demo.graven"]);
    let root = demo.json("show", &["STH-000001"])["snapshot"]
        .as_str()
        .unwrap()
        .to_owned();
    let root = demo.json("show", &[&root])["root"].as_str().unwrap().to_owned();
    let entries = demo.json("show", &[&root])["entries"].clone();
    assert_eq!(
        (entries.as_array().unwrap().len(), &entries[0]["name"]),
        (1, &"tree".into())
    );
}
