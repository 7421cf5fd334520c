//! `graven task`, and `graven show` of a Task.

use serde_json::Value;

use super::{Demo, answer, column, graven, text};

fn new_task(demo: &Demo, title: &str, at: &str) -> Value {
    demo.json(
        "task",
        &["new", "--title", title, "--intent", "So that it works.", "--at", at],
    )
}

#[test]
fn w_task_15_a_new_task_is_open_and_its_texts_are_trimmed() {
    // W-TASK-15: no time of ending.
    let demo = Demo::new();
    let made = new_task(&demo, "  Faster search\t", "1700000100");
    assert_eq!(
        (&made["task"], &made["state"], &made["changed"]),
        (&"LT-0001".into(), &"active".into(), &true.into())
    );
    assert!(made["receipt"]["syncs"].as_u64().unwrap() > 0);
    let task = demo.json("show", &["LT-0001"]);
    assert_eq!(task["title"], "Faster search");
    assert_eq!((&task["planned"], &task["closed_at_s"]), (&false.into(), &Value::Null));
    let planned = demo.json("task", &["new", "--title", "T", "--intent", "I", "--planned"]);
    assert_eq!(planned["task"], "LT-0002");
    assert_eq!(demo.json("show", &["LT-0002"])["planned"], true);
    assert_eq!(demo.rule("task", &["new", "--title", " ", "--intent", "I"]), "F-2.1");
    assert_eq!(demo.rule("task", &["new", "--title", "T", "--intent", "\n"]), "F-2.1");
}

#[test]
fn each_end_has_its_own_state_and_there_is_no_way_back() {
    let demo = Demo::new();
    for (ordinal, (verb, state)) in [
        ("close", "completed"),
        ("complete", "completed"),
        ("cancel", "canceled"),
        ("abandon", "abandoned"),
    ]
    .into_iter()
    .enumerate()
    {
        new_task(&demo, state, "1700000100");
        let id = format!("LT-{:04}", ordinal + 1);
        let ended = demo.json("task", &[verb, &id, "--at", "1700000200"]);
        assert_eq!((&ended["task"], &ended["state"]), (&id[..].into(), &state.into()));
        let shown = demo.json("show", &[&id]);
        assert_eq!((&shown["state"], &shown["open"]), (&state.into(), &false.into()));
        assert_eq!(shown["closed_at_s"], 1_700_000_200);
        assert_eq!(demo.rule("task", &["close", &id]), "W-TASK-18");
        let told = demo.failure("task", &["close", &id]).1;
        assert!(told.starts_with(&format!("{id}: ")), "{told}");
    }
}

#[test]
fn a_task_is_not_ended_before_it_was_made() {
    let demo = Demo::new();
    new_task(&demo, "late", "1700000100");
    assert_eq!(demo.rule("task", &["close", "LT-0001", "--at", "1700000099"]), "F-1");
    assert_eq!(demo.rule("task", &["close", "LT-0001", "--at", "0"]), "F-1");
    assert_eq!(demo.json("show", &["LT-0001"])["state"], "active");
}

#[test]
fn a_task_is_published_once_and_saying_it_again_writes_nothing() {
    let demo = Demo::new();
    new_task(&demo, "public", "1700000100");
    demo.json("task", &["publish", "LT-0001", "--remote", "0", "--at", "1700000150"]);
    let task = demo.json("show", &["LT-0001"]);
    assert_eq!(
        (&task["remote_task"], &task["published_at_s"]),
        (&0.into(), &1_700_000_150.into())
    );
    let before = demo.tree();
    assert_eq!(
        demo.json("task", &["publish", "LT-0001", "--remote", "0"])["changed"],
        false
    );
    assert!(demo.tree() == before);
    assert_eq!(demo.rule("task", &["publish", "LT-0001", "--remote", "7"]), "F-2.1");
    assert_eq!(
        demo.failure("task", &["publish", "LT-0001", "--remote", "4294967295"])
            .0,
        "usage"
    );
}

#[test]
fn what_names_no_task_of_this_store_is_told_apart() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("named.graven");
    let root = root.to_str().unwrap();
    assert_eq!(graven(&["init", root, "--namespace", "C"]).status.code(), Some(0));
    let made = graven(&["task", root, "new", "--title", "T", "--intent", "I", "--json"]);
    assert_eq!(answer(&made)["task"], "LCT-0001");
    for (id, kind, part) in [
        ("LT-0001", "usage", "another namespace"),
        ("LXT-0001", "usage", "another namespace"),
        ("RCT-0001", "usage", "a Task of the remote"),
        ("LCT-1", "usage", "not the identity of a Task"),
        ("LCT-0000", "usage", "not the identity of a Task"),
        ("LCT-0001/C-01", "usage", "not the identity of a Task"),
        ("", "usage", "not the identity of a Task"),
        ("LCT-0002", "not_found", "the Task LCT-0002 does not exist"),
        ("LCT-99999", "not_found", "the Task LCT-99999 does not exist"),
    ] {
        let output = graven(&["task", root, "close", id, "--json"]);
        assert_eq!(output.status.code(), Some(2), "{id}");
        let error = &answer(&output)["error"];
        assert_eq!(error["kind"], kind, "{id}: {error}");
        assert!(error["message"].as_str().unwrap().contains(part), "{id}: {error}");
    }
    for id in ["LT-0001", "RCT-0001"] {
        assert_eq!(graven(&["show", root, id]).status.code(), Some(2), "{id}");
    }
}

#[test]
fn a_tasks_page_shows_its_changes_and_their_lands() {
    let demo = Demo::with_change();
    demo.json("change", &["new", "LT-0001", "--title", "Another", "--line", "main"]);
    demo.json(
        "land",
        &[
            "now",
            "LT-0001/C-01",
            "--line",
            "base",
            "--snapshot",
            "v2",
            "--at",
            "1700000130",
        ],
    );
    let task = demo.json("show", &["LT-0001"]);
    assert_eq!(
        (&task["kind_of_record"], &task["intent"]),
        (&"task".into(), &"Make it fast.".into())
    );
    let changes = task["changes"].as_array().unwrap();
    let told: Vec<_> = changes.iter().map(|change| (&change["id"], &change["state"])).collect();
    assert_eq!(
        told,
        [
            (&Value::from("LT-0001/C-01"), &Value::from("landed")),
            (&"LT-0001/C-02".into(), &"draft".into())
        ]
    );
    let land = &changes[0]["lands"][0];
    assert_eq!(
        (&land["id"], &land["state"]),
        (&"LT-0001/C-01/L-01".into(), &"succeeded".into())
    );
    assert_eq!(changes[1]["lands"].as_array().unwrap().len(), 0);
    let page = demo.text("show", &["LT-0001"]);
    for part in [
        "LT-0001  active     2023-11-14T22:15:10Z  Search\n",
        "\n    Make it fast.\n",
        "\nLT-0001/C-01  landed      2023-11-14T22:15:20Z  An index\n  LT-0001/C-01/L-01  succeeded  ",
        "\nLT-0001/C-02  draft       ",
    ] {
        assert!(page.contains(part), "{part:?}: {page}");
    }
}

#[test]
fn damage_below_a_task_is_a_finding_on_its_page() {
    let demo = Demo::with_change();
    // The Change's state byte: 1 is canceled, which only an archived one may be.
    demo.damage("workflow/change.bin", 4 + 5, 1);
    let output = demo.run("show", &["LT-0001", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let task = answer(&output);
    assert_eq!(task["title"], "Search");
    let told = task["changes_error"].as_str().unwrap();
    assert!(
        told.contains("change.bin record 0") && told.contains("W-CHANGE-19"),
        "{told}"
    );
    let people = demo.run("show", &["LT-0001"]);
    assert!(text(&people.stdout).contains("W-CHANGE-19"));
    let listed = demo.run("list", &["changes", "--json"]);
    assert_eq!(
        (listed.status.code(), &answer(&listed)["items"][0]["index"]),
        (Some(1), &0.into())
    );
}

#[test]
fn control_characters_of_a_task_are_escaped_for_people() {
    let demo = Demo::new();
    demo.json(
        "task",
        &["new", "--title", "bell\u{7}", "--intent", "one\u{1b}[31m\ntwo"],
    );
    for shown in [demo.text("show", &["LT-0001"]), demo.text("list", &["tasks"])] {
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        assert!(shown.contains("bell\\u{7}"), "{shown}");
    }
    assert_eq!(column(&demo.json("list", &["tasks"]), "intent"), ["one\u{1b}[31m\ntwo"]);
}
