//! `graven land`, `graven show` of a Land, and the Changes beside a log's Snapshots.

use serde_json::Value;

use super::{Demo, column};

fn submitted() -> Demo {
    let demo = Demo::with_change();
    let made = demo.json("land", &["submit", "C-01", "--line", "base", "--at", "1700000130"]);
    assert_eq!(
        (&made["land"], &made["state"]),
        (&"LT-0001/C-01/L-01".into(), &"queued".into())
    );
    demo
}

const LAND: &str = "LT-0001/C-01/L-01";

#[test]
fn a_land_goes_step_by_step_and_moves_its_line_at_the_end() {
    let demo = submitted();
    let (first, second) = (demo.snapshot("v1"), demo.snapshot("v2"));
    assert_eq!(demo.json("land", &["start", LAND])["state"], "running");
    assert_eq!(demo.json("land", &["update", LAND])["state"], "updating");
    assert_eq!(demo.json("show", &["base"])["head"], first[..]);
    let done = demo.json(
        "land",
        &[
            "succeed",
            LAND,
            "--snapshot",
            "v2",
            "--expected",
            &first,
            "--at",
            "1700000140",
        ],
    );
    assert_eq!(
        (&done["state"], &done["landed"]),
        (&"succeeded".into(), &second[..].into())
    );
    assert_eq!(demo.json("show", &["base"])["head"], second[..]);
    assert_eq!(demo.json("show", &["C-01"])["state"], "landed");
    let land = demo.json("show", &[LAND]);
    assert_eq!(
        (&land["pre_target"], &land["landed"]),
        (&first[..].into(), &second[..].into())
    );
    assert_eq!(
        (&land["submitted_at_s"], &land["updated_at_s"]),
        (&1_700_000_130.into(), &1_700_000_140.into())
    );
    for end in [
        vec!["start", LAND],
        vec!["cancel", LAND],
        vec!["fail", LAND, "--why", "conflict"],
    ] {
        assert_eq!(demo.rule("land", &end), "G35", "{end:?}");
    }
}

#[test]
fn a_land_that_is_blocked_or_failed_says_why() {
    let demo = submitted();
    assert_eq!(demo.rule("land", &["block", LAND, "--why", "base_stale"]), "G35");
    demo.json("land", &["start", LAND]);
    assert_eq!(
        demo.json("land", &["block", LAND, "--why", "base_stale"])["state"],
        "blocked"
    );
    assert_eq!(demo.json("show", &[LAND])["why"], "base_stale");
    assert_eq!(demo.json("show", &["C-01"])["flags"][0], "blocked");
    demo.json("land", &["submit", "C-01", "--line", "base"]);
    demo.json("land", &["start", "C-01/L-02"]);
    demo.json("land", &["fail", "C-01/L-02", "--why", "ci_blocked"]);
    demo.json("land", &["submit", "C-01", "--line", "base"]);
    assert_eq!(demo.json("land", &["cancel", "C-01/L-03"])["state"], "canceled");
    let lands = demo.json("list", &["lands"]);
    assert_eq!(column(&lands, "state"), ["blocked", "failed", "canceled"]);
    assert_eq!(column(&lands, "why"), ["base_stale", "ci_blocked", ""]);
    assert_eq!(
        demo.run("land", &["fail", LAND, "--why", "bad luck"]).status.code(),
        Some(2)
    );
}

#[test]
fn landing_at_once_takes_the_head_of_now_unless_it_is_told_which_to_expect() {
    let demo = Demo::with_change();
    let now = |more: &[&'static str]| [&["now", "C-01", "--line", "base", "--snapshot", "v2"], more].concat();
    assert_eq!(demo.rule("land", &now(&["--expected", "none"])), "F-2.4");
    assert_eq!(demo.rule("land", &now(&["--expected", "v2"])), "F-2.4");
    let landed = demo.json("land", &now(&["--mode", "ff-only"]));
    assert_eq!(
        (&landed["state"], &landed["changed"]),
        (&"succeeded".into(), &true.into())
    );
    assert_eq!(demo.json("show", &["base"])["head"], demo.snapshot("v2"));
    let before = demo.tree();
    assert_eq!(demo.json("land", &now(&[]))["changed"], false, "it landed already");
    assert!(demo.tree() == before);
}

#[test]
fn ff_only_does_not_go_back() {
    let demo = Demo::with_change();
    let back = ["now", "C-01", "--line", "main", "--snapshot", "v1", "--mode", "ff-only"];
    assert_eq!(demo.rule("land", &back), "F-2.7");
    assert_eq!(
        demo.run("land", &["submit", "C-01", "--line", "main", "--mode", "rebase"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn what_may_not_land_is_refused_by_its_rule() {
    let demo = Demo::with_change();
    assert_eq!(demo.rule("land", &["submit", "C-01", "--line", "nothing"]), "W-LAND-34");
    assert_eq!(
        demo.rule("land", &["now", "C-01", "--line", "nothing", "--snapshot", "v2"]),
        "W-LAND-34"
    );
    demo.json("change", &["archive", "C-01"]);
    assert_eq!(demo.rule("land", &["submit", "C-01", "--line", "base"]), "F-2.7");
    for (id, kind) in [
        ("L-01", "usage"),
        ("LT-0001/L-01", "usage"),
        ("LT-0001/C-01", "usage"),
        ("LT-0001/C-01/L-1", "usage"),
        ("LXT-0001/C-01/L-01", "usage"),
        ("LT-0001/C-01/L-01", "not_found"),
        ("LT-0009/C-01/L-01", "not_found"),
    ] {
        assert_eq!(demo.failure("land", &["start", id]).0, kind, "{id}");
    }
}

#[test]
fn the_log_of_a_line_names_the_change_that_landed_each_snapshot() {
    let demo = Demo::with_change();
    assert_eq!(demo.json("log", &["main"])["items"][0]["change"], Value::Null);
    demo.json("land", &["now", "C-01", "--line", "base", "--snapshot", "v2"]);
    assert_eq!(column(&demo.json("log", &["base"]), "change"), ["LT-0001/C-01", ""]);
    assert!(demo.text("log", &["base"]).contains("  second  (LT-0001/C-01)\n"));
    demo.json("task", &["new", "--title", "Release", "--intent", "I"]);
    demo.json("change", &["new", "LT-0002", "--title", "T", "--line", "base"]);
    demo.json("land", &["now", "LT-0002/C-01", "--line", "main", "--snapshot", "v2"]);
    // Each Line's own Land counts on it, whichever came first.
    assert_eq!(column(&demo.json("log", &["base"]), "change")[0], "LT-0001/C-01");
    assert_eq!(column(&demo.json("log", &["main"]), "change")[0], "LT-0002/C-01");
    assert_eq!(column(&demo.json("log", &["v2"]), "change")[0], "LT-0001/C-01");
}

#[test]
fn a_damaged_land_is_a_finding_of_the_log_and_hides_no_snapshot() {
    let demo = Demo::with_change();
    demo.json("land", &["now", "C-01", "--line", "base", "--snapshot", "v2"]);
    // Status 7 is none.
    demo.damage("workflow/land.bin", 4, 0b0001_1111);
    let output = demo.run("log", &["base", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        column(&super::answer(&output), "message"),
        ["second", "first\n\nwith a body"]
    );
    assert!(super::text(&output.stderr).contains("land.bin record 0"));
}
