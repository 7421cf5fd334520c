//! `graven snapshot`: a directory becomes a Snapshot that can be landed, and one that nothing needs goes.

use std::fs;

use super::Demo;

fn new(demo: &Demo, more: &[&str]) -> serde_json::Value {
    let tree = demo.path("tree");
    let arguments = [&["new", tree.to_str().unwrap(), "--at", "1700000500"], more].concat();
    demo.json("snapshot", &arguments)
}

#[test]
fn a_directory_becomes_a_snapshot_with_the_head_of_its_line_and_the_given_ones_as_parents() {
    let demo = Demo::new();
    let head = demo.snapshot("main");
    let first = new(&demo, &["--message", "one", "--line", "main"]);
    let id = first["snapshot"].as_str().unwrap().to_owned();
    let shown = demo.json("show", &[&id]);
    assert_eq!((&shown["kind"], &shown["message"]), (&"line".into(), &"one".into()));
    assert_eq!(
        (&shown["line_name"], &shown["created_at_s"]),
        (&"main".into(), &1_700_000_500.into())
    );
    assert_eq!(shown["parents"], serde_json::json!([head]));
    assert_eq!(demo.snapshot("main"), head, "no Line moves");
    let out = demo.path("out");
    demo.json("checkout", &[&id, out.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(out.join("src/run.rs")).unwrap(), "fn run() {}\n");
    let merge = new(&demo, &["--message", "two", "--line", "main", "--parent", &id]);
    let shown = demo.json("show", &[merge["snapshot"].as_str().unwrap()]);
    assert_eq!(shown["parents"], serde_json::json!([head, id]));
}

#[test]
fn the_same_directory_at_the_same_time_is_the_same_snapshot() {
    let demo = Demo::new();
    let (one, two) = (new(&demo, &["-m", "same"]), new(&demo, &["-m", "same"]));
    assert_eq!(one["snapshot"], two["snapshot"]);
    assert_eq!((&one["changed"], &two["changed"]), (&true.into(), &false.into()));
}

#[test]
fn f_2_4_a_snapshot_that_something_refers_to_stays_and_another_goes() {
    let demo = Demo::new();
    let id = new(&demo, &["-m", "alone"])["snapshot"].as_str().unwrap().to_owned();
    assert_eq!(demo.rule("snapshot", &["delete", "main"]), "F-2.4");
    assert_eq!(demo.json("snapshot", &["delete", &id])["deleted"], true);
}
