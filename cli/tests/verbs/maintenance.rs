//! Verify, recover, repair, backup, restore; and what reading verbs never do.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Demo, answer, graven, text};

fn rules(json: &Value) -> Vec<&str> {
    json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect()
}

#[test]
fn ac27_no_reading_verb_changes_a_byte_or_a_time() {
    let demo = Demo::with_change();
    let (out, id) = (demo.path("out"), demo.snapshot("main"));
    demo.json("land", &["now", "C-01", "--line", "base", "--snapshot", "v2"]);
    demo.json("stash", &["save", demo.path("tree").to_str().unwrap()]);
    let before = demo.tree();
    for (verb, rest) in [
        ("stat", vec![]),
        ("list", vec!["objects"]),
        ("list", vec!["tasks", "--state", "open", "--since", "1"]),
        ("list", vec!["changes", "--task", "LT-0001", "--line", "base"]),
        ("list", vec!["lands", "--change", "C-01"]),
        ("list", vec!["stashes"]),
        ("show", vec!["main"]),
        ("show", vec!["LT-0001"]),
        ("show", vec!["LT-0001/C-01"]),
        ("show", vec!["LT-0001/C-01/L-01"]),
        ("show", vec!["STH-000001"]),
        ("log", vec!["main"]),
        ("log", vec!["base"]),
        ("stash", vec!["list"]),
        ("dump", vec!["task"]),
        ("dump", vec!["change_land_index"]),
        ("cat", vec!["v1:README"]),
        ("checkout", vec![&id[..], out.to_str().unwrap()]),
        ("diff", vec!["v1", "v2"]),
        ("dump", vec!["snapshot"]),
        ("verify", vec!["--content"]),
        ("recover", vec!["--dry-run"]),
        ("repair", vec!["--dry-run"]),
        ("backup", vec![demo.path("backup").to_str().unwrap()]),
    ] {
        assert_eq!(demo.run(verb, &rest).status.code(), Some(0), "{verb}");
        assert!(demo.tree() == before, "{verb} changed something");
    }
    let exported = graven(&["export", "git", demo.root().to_str().unwrap()]);
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
    assert!(demo.tree() == before, "export changed something");
}

#[test]
fn verify_is_1_with_findings_and_names_file_record_and_rule() {
    let demo = Demo::new();
    let clean = demo.json("verify", &["--content"]);
    assert_eq!((&clean["clean"], rules(&clean).len()), (&true.into(), 0));
    demo.damage("workflow/tag.bin", 4, 0x04);
    demo.damage("objects/object_payload.bin", 4, b'R');
    let quick = demo.run("verify", &["--json"]);
    assert_eq!(
        (quick.status.code(), rules(&answer(&quick))),
        (Some(1), vec!["W-TAG-13"])
    );
    let full = demo.run("verify", &["--content", "--json"]);
    let json = answer(&full);
    assert_eq!(
        (full.status.code(), &json["findings"][0]["file"]),
        (Some(1), &"objects/object_payload.bin".into())
    );
    assert_eq!((&json["findings"][0]["record"], rules(&json)[0]), (&0.into(), "F-0.3"));
    let people = demo.run("verify", &[]);
    assert!(
        text(&people.stdout).contains("error: workflow/tag.bin record 0: "),
        "{}",
        text(&people.stdout)
    );
}

#[test]
fn repair_rebuilds_indexes_and_touches_nothing_beside_broken_rules() {
    let demo = Demo::new();
    let dry = demo.json("repair", &["--dry-run"]);
    assert_eq!(dry["rebuilt"].as_array().unwrap().len(), 3);
    assert!(!demo.root().join("workflow/snapshot_id.idx").exists());
    assert_eq!(demo.json("repair", &[])["rebuilt"], dry["rebuilt"]);
    assert_eq!(demo.json("repair", &[])["rebuilt"].as_array().unwrap().len(), 0);
    demo.damage("workflow/snapshot_id.idx", 5, 0xEE);
    assert_eq!(demo.run("verify", &[]).status.code(), Some(1));
    demo.damage("workflow/line.bin", 5, 1);
    let refused = demo.run("repair", &["--json"]);
    assert_eq!(
        (
            refused.status.code(),
            answer(&refused)["rebuilt"].as_array().unwrap().len()
        ),
        (Some(1), 0)
    );
    demo.damage("workflow/line.bin", 5, 0);
    assert_eq!(demo.json("repair", &[])["rebuilt"].as_array().unwrap().len(), 1);
    assert_eq!(demo.run("verify", &[]).status.code(), Some(0));
}

#[test]
fn f_1_2_repair_names_the_records_that_it_writes_from_others() {
    let demo = Demo::with_change();
    demo.json("repair", &[]);
    // The Task's row forgets its Change.
    demo.damage("workflow/task_change_index.bin", 4 + 4, 0);
    let found = demo.run("verify", &["--json"]);
    assert_eq!((found.status.code(), rules(&answer(&found))), (Some(1), vec!["F-1.2"]));
    let dry = demo.json("repair", &["--dry-run"]);
    let rewritten = &dry["rewritten"][0];
    assert_eq!(
        (&rewritten["file"], &rewritten["rule"], &rewritten["records"][0]),
        (&"workflow/task_change_index.bin".into(), &"F-1.2".into(), &0.into())
    );
    assert_eq!(
        demo.text("repair", &["--dry-run"]).trim(),
        "workflow/task_change_index.bin: record 0 would be rewritten (F-1.2)"
    );
    assert_eq!(
        demo.text("repair", &[]).trim(),
        "workflow/task_change_index.bin: record 0 rewritten (F-1.2)"
    );
    assert_eq!(demo.text("repair", &[]).trim(), "nothing to repair");
    assert_eq!(demo.json("verify", &[])["clean"], true);
}

#[test]
fn recover_tells_of_a_missing_recovery_store_and_makes_one_on_demand() {
    let demo = Demo::new();
    let nothing = demo.json("recover", &["--dry-run"]);
    assert_eq!(nothing["roots"][0]["pending"], Value::Null);
    assert_eq!(demo.json("recover", &[])["recoveries"].as_array().unwrap().len(), 0);
    fs::remove_file(demo.root().join("objects/object.undo")).unwrap();
    assert_eq!(demo.failure("stat", &[]).0, "recovery_needed");
    let dry = demo.run("recover", &["--dry-run", "--json"]);
    assert_eq!(
        (dry.status.code(), &answer(&dry)["roots"][1]["missing_undo"]),
        (Some(1), &true.into())
    );
    assert_eq!(demo.failure("recover", &[]).0, "recovery_needed");
    assert_eq!(
        demo.json("recover", &["--accept-missing-undo"])["new_undo"][0],
        "objects"
    );
    assert_eq!(demo.json("stat", &[])["snapshots"], 2);
}

#[test]
fn ac34_a_backup_restores_to_the_same_store_and_neither_overwrites_anything() {
    let demo = Demo::new();
    let (backup, restored) = (demo.path("backup"), demo.path("restored"));
    let (backup, restored) = (backup.to_str().unwrap(), restored.to_str().unwrap());
    let stat = demo.json("stat", &[]);
    assert!(demo.json("backup", &[backup])["files"].as_u64().unwrap() > 20);
    assert_eq!(demo.failure("backup", &[backup]).0, "refused");
    demo.json("line", &["new", "later"]);
    let output = graven(&["restore", restored, backup, "--json"]);
    assert_eq!(
        (output.status.code(), &answer(&output)["recovered"]),
        (Some(0), &false.into())
    );
    let mut again = answer(&graven(&["stat", restored, "--json"]));
    again["bytes"] = stat["bytes"].clone();
    assert_eq!(again, stat);
    assert_eq!(
        answer(&graven(&["verify", restored, "--content", "--json"]))["clean"],
        true
    );
    assert_eq!(
        demo.run("restore", &[backup]).status.code(),
        Some(2),
        "a store in use is never restored over"
    );
    assert_eq!(demo.json("stat", &[])["lines"], 2);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let demo = Demo::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_graven"))
        .args(["dump", demo.root().to_str().unwrap(), "object", "--raw"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}

#[test]
fn ac29_a_killed_writer_blocks_nobody() {
    let demo = Demo::new();
    for attempt in 0..8 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_graven"))
            .args(["line", demo.root().to_str().unwrap(), "new", &format!("line {attempt}")])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_micros(500 * attempt));
        // It may be done already.
        let _ = child.kill();
        child.wait().unwrap();
        let recovered = demo.run("recover", &["--json"]);
        assert_eq!(recovered.status.code(), Some(0), "{}", text(&recovered.stderr));
        assert_eq!(demo.json("verify", &["--content"])["clean"], true);
    }
}
