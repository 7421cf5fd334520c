//! `graven cursor`: what a worktree is used for, which no store holds.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::Demo;

/// A store with a Change, and a worktree beside it.
fn demo() -> (Demo, PathBuf) {
    let demo = Demo::with_change();
    let worktree = demo.path("worktree");
    fs::create_dir(&worktree).unwrap();
    fs::write(worktree.join("README"), "read me\n").unwrap();
    (demo, worktree)
}

fn cursor(demo: &Demo, rest: &[&str]) -> Value {
    let worktree = demo.path("worktree");
    let worktree = ["--worktree", worktree.to_str().unwrap()];
    demo.json("cursor", &[rest, &worktree].concat())["cursor"].clone()
}

fn failure(demo: &Demo, rest: &[&str]) -> (String, String) {
    let worktree = demo.path("worktree");
    let worktree = ["--worktree", worktree.to_str().unwrap()];
    demo.failure("cursor", &[rest, &worktree].concat())
}

#[test]
fn a_cursor_is_set_shown_and_cleared() {
    let (demo, worktree) = demo();
    assert_eq!(cursor(&demo, &["show"]), Value::Null);
    let set = cursor(&demo, &["set", "--task", "LT-0001", "--at", "1700000300"]);
    assert_eq!((&set["task"]["id"], &set["change"]), (&"LT-0001".into(), &Value::Null));
    assert_eq!(set["updated_at_s"], 1_700_000_300);
    for change in ["C-01", "LT-0001/C-01"] {
        for task in [&["--task", "LT-0001"][..], &[]] {
            let set = cursor(&demo, &[&["set", "--change", change], task].concat());
            assert_eq!(set["task"]["id"], "LT-0001");
            assert_eq!(set["change"]["id"], "LT-0001/C-01");
            assert_eq!(cursor(&demo, &["show"]), set);
        }
    }
    let shown = demo.text("cursor", &["show", "--worktree", worktree.to_str().unwrap()]);
    assert!(shown.starts_with("LT-0001  LT-0001/C-01  since 20"), "{shown}");
    assert_eq!(cursor(&demo, &["clear"]), Value::Null);
    assert_eq!(cursor(&demo, &["show"]), Value::Null);
}

#[test]
fn what_is_not_there_is_not_set_and_the_old_cursor_stays() {
    let (demo, _) = demo();
    demo.json("task", &["new", "--title", "Other", "--intent", "Why."]);
    let set = cursor(&demo, &["set", "--task", "LT-0001"]);
    for (rest, kind) in [
        (&["set", "--task", "LT-0009"][..], "not_found"),
        (&["set", "--task", "LT-0002", "--change", "C-01"], "not_found"),
        (&["set", "--task", "LT-0002", "--change", "LT-0001/C-01"], "usage"),
        (&["set", "--task", "RT-0001"], "usage"),
        (&["set", "--task", "LT-0001", "--at", "0"], "refused"),
    ] {
        assert_eq!(failure(&demo, rest).0, kind, "{rest:?}");
    }
    assert_eq!(cursor(&demo, &["show"]), set);
}

/// W-CURSOR-03, W-CURSOR-06: a damaged cursor is none; showing it changes nothing, setting it anew replaces it.
#[test]
fn w_cursor_03_w_cursor_06_a_damaged_cursor_is_none() {
    let (demo, worktree) = demo();
    cursor(&demo, &["set", "--task", "LT-0001"]);
    let file = worktree.join(".ait-worktree/cursor.bin");
    fs::write(&file, b"\x01\0\0\0nonsense").unwrap();
    assert_eq!(cursor(&demo, &["show"]), Value::Null);
    assert_eq!(fs::read(&file).unwrap(), b"\x01\0\0\0nonsense");
    assert_eq!(cursor(&demo, &["set", "--task", "LT-0001"])["task"]["id"], "LT-0001");
    assert_eq!(fs::read(&file).unwrap().len(), 32);
}

/// W-CURSOR-03: a cursor outlives the store it was set with; what another one does not have is said to be missing.
#[test]
fn w_cursor_03_a_cursor_of_another_store_names_what_is_missing() {
    let (demo, worktree) = demo();
    cursor(&demo, &["set", "--change", "LT-0001/C-01"]);
    let empty = Demo::new();
    let shown = empty.json("cursor", &["show", "--worktree", worktree.to_str().unwrap()]);
    assert_eq!(shown["cursor"]["task"]["missing"], true);
    assert_eq!(shown["cursor"]["change"]["missing"], true);
    let text = empty.text("cursor", &["show", "--worktree", worktree.to_str().unwrap()]);
    assert!(text.contains("LT-0001 (not in this store)"), "{text}");
}

/// W-CURSOR-04, W-CURSOR-05: history, content and every file of the store are the same with a cursor and without.
#[test]
fn w_cursor_04_w_cursor_05_history_and_content_are_the_same_with_a_cursor_and_without() {
    let (demo, worktree) = demo();
    let worktree = worktree.to_str().unwrap();
    let answers = |demo: &Demo| {
        (
            demo.text("log", &["main"]),
            demo.text("list", &["tasks"]),
            demo.text("verify", &["--content"]),
        )
    };
    let export = |demo: &Demo| {
        let root = demo.root();
        super::graven(&["export", "git", root.to_str().unwrap()]).stdout
    };
    let without = demo.json("stash", &["save", worktree, "--message", "without"]);
    let before = (answers(&demo), export(&demo));
    assert!(!before.1.is_empty());
    cursor(&demo, &["set", "--change", "LT-0001/C-01"]);
    assert_eq!((answers(&demo), export(&demo)), before);
    let with = demo.json("stash", &["save", worktree, "--message", "with"]);
    let content = |stash: &Value| {
        let id = stash["snapshot"].as_str().unwrap();
        demo.json("show", &[id])["root"].clone()
    };
    assert_eq!(content(&without), content(&with));
    assert!(content(&with).is_string());
}
