//! The verbs that read.

use std::fs;

use graven::UnixSeconds;
use serde_json::Value;

use super::{Demo, answer, column, graven, text};

#[test]
fn stat_counts_what_is_live_under_the_promised_keys() {
    let demo = Demo::new();
    let stat = demo.json("stat", &[]);
    let mut keys: Vec<&str> = stat.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let promised = "blobs bytes changes directories format lands lines links longest_first_parent_chain merges snapshots \
                    stashes tags_annotated tags_lightweight tasks";
    assert_eq!(keys, promised.split_whitespace().collect::<Vec<_>>());
    for (key, value) in [
        ("snapshots", 2),
        ("merges", 0),
        ("lines", 1),
        ("tags_lightweight", 1),
        ("tags_annotated", 1),
        // README, link, and two states of main.rs, run.rs; the root and src, twice each.
        ("blobs", 5),
        ("directories", 4),
        ("links", 0),
        ("longest_first_parent_chain", 2),
    ] {
        assert_eq!(stat[key], value, "{key}");
    }
    assert!(stat["bytes"].as_u64().unwrap() > 8_000);
    assert!(demo.text("stat", &[]).contains("snapshots                   2"));
}

#[test]
fn list_answers_every_kind_and_damaged_records_as_findings() {
    let demo = Demo::new();
    assert_eq!(column(&demo.json("list", &["lines"]), "name"), ["main"]);
    assert_eq!(column(&demo.json("list", &["tags"]), "name"), ["v1", "v2"]);
    assert_eq!(
        column(&demo.json("list", &["tags", "--reverse", "--limit", "1"]), "name"),
        ["v2"]
    );
    assert_eq!(column(&demo.json("list", &["tags", "--from", "1"]), "name"), ["v2"]);
    assert_eq!(column(&demo.json("list", &["tags", "--to", "1"]), "name"), ["v1"]);
    assert_eq!(demo.json("list", &["snapshots"])["items"].as_array().unwrap().len(), 2);
    assert_eq!(demo.json("list", &["objects"])["items"].as_array().unwrap().len(), 9);
    demo.damage("workflow/tag.bin", 4, 0x04);
    let output = demo.run("list", &["tags", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json = answer(&output);
    assert_eq!(json["items"][0]["index"], 0);
    let told = json["items"][0]["error"].as_str().unwrap();
    assert!(
        told.contains("demo.graven/workflow/tag.bin record 0: tag_meta: ") && told.contains("W-TAG-13"),
        "{told}"
    );
    assert_eq!(json["items"][1]["name"], "v2");
}

#[test]
fn list_hides_what_is_deleted_unless_it_is_asked_for() {
    let demo = Demo::new();
    demo.text("tag", &["delete", "v1"]);
    assert_eq!(column(&demo.json("list", &["tags"]), "name"), ["v2"]);
    let all = demo.json("list", &["tags", "--all"]);
    assert_eq!(
        (column(&all, "name"), &all["items"][0]["deleted"]),
        (vec!["v1", "v2"], &Value::Bool(true))
    );
}

#[test]
fn show_takes_identities_and_names() {
    let demo = Demo::new();
    let id = demo.snapshot("main");
    let snapshot = demo.json("show", &[&id]);
    assert_eq!(
        (&snapshot["kind_of_record"], &snapshot["message"]),
        (&"snapshot".into(), &"second".into())
    );
    assert_eq!(demo.json("show", &["main"])["id"], "LNE-00000001");
    assert_eq!(demo.json("show", &["LNE-00000001"])["name"], "main");
    assert_eq!(demo.json("show", &["v1"])["annotated"], false);
    let root = snapshot["root"].as_str().unwrap();
    let directory = demo.json("show", &[root]);
    let names: Vec<_> = directory["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["name"])
        .collect();
    assert_eq!(names, ["link", "src"]);
    let (kind, message) = demo.failure("show", &["nothing"]);
    assert_eq!(kind, "not_found");
    assert!(message.contains("nothing"));
}

#[test]
fn log_goes_back_along_first_parents() {
    let demo = Demo::new();
    let log = demo.json("log", &["main"]);
    assert_eq!(column(&log, "message"), ["second", "first\n\nwith a body"]);
    assert_eq!(log["items"][0]["parents"][0], log["items"][1]["id"]);
    assert_eq!(column(&demo.json("log", &["v1"]), "message"), ["first\n\nwith a body"]);
    let lines = demo.text("log", &["main", "--limit", "1"]);
    assert!(
        lines.contains("2023-11-14T22:14:20Z  second") && lines.lines().count() == 1,
        "{lines}"
    );
}

#[test]
fn cat_writes_a_files_bytes_and_nothing_else() {
    let demo = Demo::new();
    assert_eq!(demo.text("cat", &["v1:README"]), "read me\n");
    assert_eq!(demo.text("cat", &["main:src/main.rs"]), "fn main() { run() }\n");
    assert_eq!(demo.json("cat", &["v1:src/main.rs"])["text"], "fn main() {}\n");
    let id = demo.snapshot("v1");
    assert_eq!(demo.text("cat", &[&format!("{id}:README")]), "read me\n");
    assert_eq!(demo.failure("cat", &["main:README"]).0, "not_found");
    assert_eq!(demo.failure("cat", &["main:src"]).0, "usage");
    assert_eq!(demo.failure("cat", &["main:../x"]).0, "refused");
    assert_eq!(demo.failure("cat", &["main"]).0, "usage");
}

#[test]
fn checkout_writes_a_tree_into_a_new_or_empty_directory_only() {
    let demo = Demo::new();
    let target = demo.path("out");
    let written = demo.json("checkout", &["v1", target.to_str().unwrap()]);
    assert_eq!((&written["files"], &written["symlinks"]), (&2.into(), &1.into()));
    assert_eq!(fs::read_to_string(target.join("README")).unwrap(), "read me\n");
    assert_eq!(fs::read_link(target.join("link")).unwrap().to_str(), Some("README"));
    assert_eq!(
        demo.failure("checkout", &["main", target.to_str().unwrap()]).0,
        "conflict"
    );
    assert_eq!(
        fs::read_to_string(target.join("src/main.rs")).unwrap(),
        "fn main() {}\n",
        "nothing was written over"
    );
}

#[test]
fn diff_tells_paths_and_how_they_differ() {
    let demo = Demo::new();
    let diff = demo.json("diff", &["v1", "main"]);
    let changes: Vec<_> = diff["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (&item["path"], &item["change"]))
        .collect();
    let expected = [
        ("README", "removed"),
        ("src/main.rs", "modified"),
        ("src/run.rs", "added"),
    ];
    assert_eq!(changes.len(), expected.len());
    for ((path, change), (expected_path, expected_change)) in changes.into_iter().zip(expected) {
        assert_eq!(
            (path.as_str(), change.as_str()),
            (Some(expected_path), Some(expected_change))
        );
    }
    assert_eq!(demo.text("diff", &["main", "main"]), "");
}

#[test]
fn dump_shows_stored_fields_and_bytes_and_goes_on_after_damage() {
    let demo = Demo::new();
    let dump = demo.json("dump", &["tag"]);
    assert_eq!(dump["items"][1]["fields"]["tag_meta"], 1);
    demo.damage("workflow/tag.bin", 4, 0x04);
    demo.damage("workflow/tag.bin", 1, 0xFF);
    let output = demo.run("dump", &["tag", "--raw", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let dump = answer(&output);
    assert_eq!(
        (&dump["items"][0]["rule"], dump["items"].as_array().unwrap().len()),
        (&"W-TAG-13".into(), 2)
    );
    assert_eq!(dump["items"][1]["hex"].as_str().unwrap().len(), 48);
    assert_eq!(
        demo.json("dump", &["tag", "--from", "1", "--to", "2"])["items"][0]["index"],
        1
    );
    assert_eq!(demo.failure("dump", &["nothing"]).0, "usage");
}

#[test]
fn layout_needs_no_store_and_describes_every_field() {
    let families = answer(&graven(&["layout", "--json"]));
    assert_eq!(
        families["items"].as_array().unwrap().len(),
        graven::format::FAMILIES.len() + graven::format::ELSEWHERE.len()
    );
    assert_eq!(families["items"][0]["elsewhere"], Value::Null);
    let server = answer(&graven(&["layout", "server_task", "--json"]));
    assert_eq!(
        (&server["record"], &server["file"], &server["record_size"]),
        (&"RemoteTaskRecord".into(), &"task.bin".into(), &60.into())
    );
    let tag = answer(&graven(&["layout", "tag", "--json"]));
    assert_eq!(
        (&tag["record_size"], &tag["fields"][5]["name"]),
        (&24.into(), &"created_at_s".into())
    );
    assert!(text(&graven(&["layout", "tag"]).stdout).contains("bit 7: tombstone"));
    assert_eq!(graven(&["layout", "nothing"]).status.code(), Some(2));
}

#[test]
fn control_characters_of_stored_text_are_escaped_for_people_and_kept_in_json() {
    let demo = Demo::new();
    assert_eq!(demo.json("show", &["v2"])["message"], "the \u{1b}[31msecond");
    demo.text("tag", &["new", "bell\u{7}", "v1", "--message", "x\u{9b}31my"]);
    for verb in [
        demo.text("list", &["tags"]),
        demo.text("show", &["v2"]),
        demo.text("show", &["bell\u{7}"]),
    ] {
        assert!(!verb.chars().any(|c| c.is_control() && c != '\n'), "{verb:?}");
    }
    assert!(demo.text("list", &["tags"]).contains("bell\\u{7}"));
    let (_, message) = demo.failure("show", &["no\u{1b}such"]);
    assert!(message.contains("no"));
    let output = demo.run("show", &["no\u{1b}such"]);
    assert!(!text(&output.stderr).contains('\u{1b}'));
}

#[test]
fn a_line_and_a_tag_of_one_name_are_told_apart() {
    let demo = Demo::new();
    demo.text("line", &["new", "v1", "--head", "v2"]);
    assert_eq!(demo.failure("log", &["v1"]).0, "usage");
    assert_eq!(demo.json("log", &["line:v1"])["items"].as_array().unwrap().len(), 2);
    assert_eq!(demo.json("log", &["tag:v1"])["items"].as_array().unwrap().len(), 1);
    assert_eq!(demo.json("show", &["v1"])["kind"], "line and tag");
}

#[test]
fn what_is_no_store_is_not_found_whatever_the_verb() {
    let demo = Demo::new();
    let nowhere = demo.path("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    for verb in [
        vec!["stat", nowhere],
        vec!["list", nowhere, "lines"],
        vec!["show", nowhere, "x"],
        vec!["log", nowhere, "x"],
        vec!["cat", nowhere, "x:y"],
        vec!["diff", nowhere, "x", "y"],
        vec!["dump", nowhere, "line"],
        vec!["verify", nowhere],
        vec!["recover", nowhere],
        vec!["repair", nowhere],
        vec!["backup", nowhere, "/tmp/x"],
        vec!["restore", nowhere, nowhere],
        vec!["line", nowhere, "new", "x"],
        vec!["tag", nowhere, "delete", "x"],
        vec!["task", nowhere, "close", "LT-0001"],
        vec!["change", nowhere, "reopen", "C-01"],
        vec!["land", nowhere, "start", "C-01/L-01"],
        vec!["stash", nowhere, "list"],
        vec!["stash", nowhere, "save", "/tmp"],
    ] {
        let output = graven(&[&verb[..], &["--json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{verb:?}");
        assert_eq!(answer(&output)["error"]["kind"], "not_found", "{verb:?}");
        assert!(!demo.path("nowhere").exists(), "{verb:?}");
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_help_is_0() {
    assert_eq!(graven(&["nonsense"]).status.code(), Some(2));
    assert_eq!(graven(&["stat"]).status.code(), Some(2));
    assert_eq!(graven(&["--help"]).status.code(), Some(0));
    assert_eq!(graven(&["--version"]).status.code(), Some(0));
}

#[test]
fn reading_verbs_need_no_clock_and_write_takes_the_time_it_is_given() {
    let demo = Demo::new();
    demo.text("line", &["new", "old", "--at", "5"]);
    assert_eq!(demo.json("show", &["old"])["created_at_s"], 5);
    let (kind, message) = demo.failure("line", &["new", "zero", "--at", "0"]);
    assert_eq!(kind, "refused");
    assert!(message.contains("F-1"), "{message}");
    let before = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    demo.text("line", &["new", "now"]);
    let stored = UnixSeconds(demo.json("show", &["now"])["created_at_s"].as_u64().unwrap());
    assert!((before..before + 60).contains(&stored.0));
}

#[test]
fn an_answer_that_fails_half_way_is_one_error_and_no_half_json() {
    let demo = Demo::new();
    demo.damage("objects/object_payload.bin", 4, b'R');
    let (kind, message) = demo.failure("cat", &["v1:README"]);
    assert_eq!(kind, "corrupt");
    assert!(message.contains("object_payload.bin"), "{message}");
    // The first parent of the Line's head is damaged: the head itself is told before that.
    demo.damage("workflow/snapshot.bin", 4 + 1, 0xFE);
    assert_eq!(demo.failure("log", &["main"]).0, "corrupt");
    let lines = demo.run("log", &["main"]);
    assert_eq!((lines.status.code(), text(&lines.stdout).lines().count()), (Some(2), 1));
    assert!(
        text(&lines.stderr).contains("snapshot.bin record 0"),
        "{}",
        text(&lines.stderr)
    );
}
