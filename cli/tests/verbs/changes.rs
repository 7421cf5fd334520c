//! `graven change`, and `graven show` of a Change.

use serde_json::Value;

use super::Demo;

#[test]
fn a_change_is_forked_from_its_lines_head() {
    let demo = Demo::with_change();
    let first = demo.snapshot("v1");
    let change = demo.json("show", &["LT-0001/C-01"]);
    assert_eq!(
        (&change["state"], &change["task"]),
        (&"draft".into(), &"LT-0001".into())
    );
    assert_eq!(
        (&change["base_line_name"], &change["fork"]),
        (&"base".into(), &first[..].into())
    );
    assert_eq!(change["landed_at_s"], Value::Null);
    let made = demo.json("change", &["new", "LT-0001", "--title", "T", "--line", "LNE-00000001"]);
    assert_eq!(
        (&made["change"], &made["fork"]),
        (&"LT-0001/C-02".into(), &demo.snapshot("v2")[..].into())
    );
}

#[test]
fn w_change_46_a_change_needs_a_line_of_exactly_that_name() {
    // W-CHANGE-46
    let demo = Demo::with_change();
    let new = |line: &str| demo.rule("change", &["new", "LT-0001", "--title", "T", "--line", line]);
    assert_eq!(new("bas"), "W-CHANGE-46");
    demo.json("line", &["archive", "base"]);
    assert_eq!(new("base"), "W-LINE-03");
    demo.json("line", &["delete", "base"]);
    demo.json("line", &["new", "base"]);
    let (kind, message) = demo.failure("change", &["new", "LT-0001", "--title", "T", "--line", "LNE-00000002"]);
    assert_eq!(kind, "not_found", "the name is another Line's by now: {message}");
}

#[test]
fn an_ended_task_gets_no_further_change() {
    let demo = Demo::with_change();
    demo.json("task", &["cancel", "LT-0001"]);
    assert_eq!(
        demo.rule("change", &["new", "LT-0001", "--title", "T", "--line", "base"]),
        "W-TASK-18"
    );
    assert_eq!(
        demo.rule("change", &["new", "LT-0001", "--title", " ", "--line", "base"]),
        "F-2.2"
    );
}

#[test]
fn a_change_is_archived_with_its_cause_and_comes_back_as_a_draft() {
    let demo = Demo::with_change();
    for (flag, state) in [
        (None, "archived"),
        (Some("--canceled"), "canceled"),
        (Some("--superseded"), "superseded"),
    ] {
        let mut arguments = vec!["archive", "C-01", "--at", "1700000200"];
        arguments.extend(flag);
        assert_eq!(demo.json("change", &arguments)["state"], state);
        assert_eq!(demo.json("show", &["C-01"])["archived_at_s"], 1_700_000_200);
        assert_eq!(demo.rule("change", &["archive", "C-01"]), "F-2.2");
        assert_eq!(demo.json("change", &["reopen", "C-01"])["state"], "draft");
        assert_eq!(demo.json("show", &["C-01"])["archived_at_s"], Value::Null);
    }
    assert_eq!(demo.rule("change", &["reopen", "C-01"]), "F-2.2");
    let both = demo.run("change", &["archive", "C-01", "--canceled", "--superseded"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn w_change_26_27_06_a_change_is_published_after_its_task_and_alone_at_its_place() {
    let demo = Demo::with_change();
    // W-CHANGE-26
    assert_eq!(
        demo.rule("change", &["publish", "C-01", "--remote", "C-03"]),
        "W-CHANGE-26"
    );
    demo.json("task", &["publish", "LT-0001", "--remote", "4"]);
    assert_eq!(
        demo.json("change", &["publish", "C-01", "--remote", "C-03"])["changed"],
        true
    );
    assert_eq!(demo.json("show", &["C-01"])["remote_change"], "C-03");
    assert_eq!(
        demo.json("change", &["publish", "C-01", "--remote", "C-03"])["changed"],
        false
    );
    // W-CHANGE-27
    assert_eq!(
        demo.rule("change", &["publish", "C-01", "--remote", "C-04"]),
        "W-CHANGE-27"
    );
    demo.json("change", &["new", "LT-0001", "--title", "T", "--line", "base"]);
    // W-CHANGE-06
    assert_eq!(
        demo.rule("change", &["publish", "C-02", "--remote", "C-03"]),
        "W-CHANGE-06"
    );
    for place in ["C-65", "C-00", "3", "C-3"] {
        let output = demo.run("change", &["publish", "C-02", "--remote", place]);
        assert_eq!(output.status.code(), Some(2), "{place}");
    }
}

#[test]
fn a_bare_ordinal_stands_for_a_change_only_where_one_task_has_it() {
    let demo = Demo::with_change();
    assert_eq!(demo.json("show", &["C-01"])["id"], "LT-0001/C-01");
    demo.json("task", &["new", "--title", "T", "--intent", "I"]);
    demo.json("change", &["new", "LT-0002", "--title", "T", "--line", "base"]);
    let (kind, message) = demo.failure("change", &["archive", "C-01"]);
    assert_eq!(kind, "usage");
    assert!(message.contains("LT-0001/C-01 or LT-0002/C-01"), "{message}");
    assert_eq!(demo.failure("show", &["C-01"]).0, "usage");
    demo.json("line", &["new", "C-01"]);
    assert_eq!(
        demo.json("show", &["C-01"])["kind_of_record"],
        "line",
        "a name comes first"
    );
    for (id, kind) in [
        ("C-02", "not_found"),
        ("LT-0001/C-02", "not_found"),
        ("LT-0003/C-01", "not_found"),
        ("LXT-0001/C-01", "usage"),
        ("LT-0001/C-1", "usage"),
        ("LT-0001/C-01/L-01", "usage"),
        ("C-65", "usage"),
        ("nonsense", "usage"),
    ] {
        assert_eq!(demo.failure("change", &["archive", id]).0, kind, "{id}");
    }
}

#[test]
fn a_landed_change_tells_where_when_and_as_what_it_landed() {
    let demo = Demo::with_change();
    demo.json(
        "land",
        &[
            "now",
            "C-01",
            "--line",
            "base",
            "--snapshot",
            "v2",
            "--at",
            "1700000130",
        ],
    );
    let change = demo.json("show", &["LT-0001/C-01"]);
    assert_eq!(
        (&change["landed_line_name"], &change["landed_at_s"]),
        (&"base".into(), &1_700_000_130.into())
    );
    assert_eq!(change["landed"], demo.snapshot("v2"));
    let page = demo.text("show", &["C-01"]);
    assert!(
        page.contains("  from the Line: base\n") && page.contains("  landed: 2023-11-14T22:15:30Z\n"),
        "{page}"
    );
    assert_eq!(demo.rule("change", &["archive", "C-01"]), "F-2.2");
}
