//! `graven list` of Tasks, Changes and Lands: its filters, its order, its pages.

use graven::{NewTask, Options, Store, UnixSeconds};

use super::{Demo, column, text};

/// Three Tasks: an open one with two Changes, one of them landed; a completed one with a draft; an abandoned one.
fn busy() -> Demo {
    let demo = Demo::with_change();
    let task = |at| demo.json("task", &["new", "--title", "T", "--intent", "I", "--at", at]);
    let change = |task, line, at| demo.json("change", &["new", task, "--title", "T", "--line", line, "--at", at]);
    task("1700000200");
    task("1700000300");
    change("LT-0001", "main", "1700000210");
    change("LT-0002", "base", "1700000220");
    demo.json(
        "land",
        &["submit", "LT-0002/C-01", "--line", "main", "--at", "1700000230"],
    );
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
            "1700000240",
        ],
    );
    demo.json("task", &["close", "LT-0002", "--at", "1700000250"]);
    demo.json("task", &["abandon", "LT-0003", "--at", "1700000350"]);
    demo
}

fn ids(demo: &Demo, arguments: &[&str]) -> Vec<String> {
    let json = demo.json("list", arguments);
    column(&json, "id").into_iter().map(str::to_owned).collect()
}

#[test]
fn tasks_are_listed_by_state_and_time() {
    let demo = busy();
    assert_eq!(ids(&demo, &["tasks"]), ["LT-0001", "LT-0002", "LT-0003"]);
    assert_eq!(ids(&demo, &["tasks", "--state", "open"]), ["LT-0001"]);
    assert_eq!(ids(&demo, &["tasks", "--state", "active"]), ["LT-0001"]);
    assert_eq!(ids(&demo, &["tasks", "--state", "closed"]), ["LT-0002", "LT-0003"]);
    assert_eq!(
        ids(&demo, &["tasks", "--state", "open,abandoned", "--reverse"]),
        ["LT-0003", "LT-0001"]
    );
    assert_eq!(
        ids(&demo, &["tasks", "--since", "1700000200", "--until", "1700000300"]),
        ["LT-0002"]
    );
    let updated = [
        "tasks",
        "--by",
        "updated",
        "--since",
        "1700000250",
        "--until",
        "1700000350",
    ];
    assert_eq!(ids(&demo, &updated), ["LT-0002"]);
    assert_eq!(ids(&demo, &["tasks", "--state", "closed", "--limit", "1"]), ["LT-0002"]);
    let lines = demo.text("list", &["tasks", "--state", "completed", "--by", "updated"]);
    assert_eq!(lines, "LT-0002  completed  2023-11-14T22:17:30Z  T\n");
}

#[test]
fn changes_and_lands_are_listed_by_owner_line_and_state() {
    let demo = busy();
    let all = ["LT-0001/C-01", "LT-0001/C-02", "LT-0002/C-01"];
    assert_eq!(ids(&demo, &["changes"]), all);
    assert_eq!(ids(&demo, &["changes", "--task", "LT-0001"]), all[..2]);
    assert_eq!(ids(&demo, &["changes", "--line", "base"]), [all[0], all[2]]);
    assert_eq!(ids(&demo, &["changes", "--state", "landed"]), all[..1]);
    assert_eq!(
        ids(&demo, &["changes", "--state", "open", "--task", "LT-0001"]),
        all[1..2]
    );
    let lands = ["LT-0002/C-01/L-01", "LT-0001/C-01/L-01"];
    assert_eq!(ids(&demo, &["lands"]), lands);
    assert_eq!(ids(&demo, &["lands", "--task", "LT-0001"]), lands[1..]);
    assert_eq!(ids(&demo, &["lands", "--change", "LT-0002/C-01"]), lands[..1]);
    assert_eq!(ids(&demo, &["lands", "--line", "LNE-00000001"]), lands[..1]);
    assert_eq!(ids(&demo, &["lands", "--state", "open"]), lands[..1]);
    assert_eq!(ids(&demo, &["lands", "--state", "succeeded"]), lands[1..]);
    assert_eq!(ids(&demo, &["lands", "--since", "1700000240"]), lands[1..]);
    let lines = demo.text("list", &["lands", "--state", "queued"]);
    assert_eq!(
        lines,
        "LT-0002/C-01/L-01  queued     2023-11-14T22:17:10Z  direct   main\n"
    );
}

#[test]
fn rows_have_the_promised_keys() {
    let demo = busy();
    for (kind, promised) in [
        (
            "tasks",
            "closed_at_s created_at_s flags hidden id index intent open plan_item plan_linked_at_s plan_revision planned \
             published_at_s remote_task state title updated_at_s",
        ),
        (
            "changes",
            "archived_at_s base_line base_line_name created_at_s flags fork id index open published_at_s remote_change \
             state task title updated_at_s",
        ),
        (
            "lands",
            "change deleted id index landed mode open pre_target state submitted_at_s target_line target_line_name \
             updated_at_s why",
        ),
    ] {
        let json = demo.json("list", &[kind]);
        assert_eq!(json["kind"], kind);
        for item in json["items"].as_array().unwrap() {
            let mut keys: Vec<&str> = item.as_object().unwrap().keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(keys, promised.split_whitespace().collect::<Vec<_>>(), "{kind}");
        }
    }
}

#[test]
fn a_filter_that_cannot_be_meant_is_a_mistake() {
    let demo = busy();
    for (arguments, part) in [
        (
            vec!["tasks", "--state", "landed"],
            "active, completed, canceled, abandoned",
        ),
        (vec!["changes", "--state", "completed"], "superseded"),
        (vec!["lands", "--state", "landed"], "queued"),
        (
            vec!["stashes", "--state", "open"],
            "--state is for tasks, changes, lands",
        ),
        (vec!["tasks", "--task", "LT-0001"], "--task is for changes, lands"),
        (vec!["changes", "--change", "C-01"], "--change is for lands"),
        (vec!["tasks", "--line", "main"], "--line is for changes, lands, stashes"),
        (
            vec!["lines", "--since", "1"],
            "--since is for tasks, changes, lands, stashes",
        ),
        (vec!["stashes", "--by", "updated"], "--by is for tasks, changes, lands"),
        (vec!["changes", "--task", "LT-1"], "not the identity of a Task"),
    ] {
        let (kind, message) = demo.failure("list", &arguments);
        assert_eq!(kind, "usage", "{arguments:?}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert_eq!(demo.failure("list", &["changes", "--task", "LT-0009"]).0, "not_found");
    assert_eq!(demo.failure("list", &["changes", "--line", "nothing"]).0, "not_found");
}

#[test]
fn a_hidden_task_is_unknown_and_listed_only_on_demand() {
    let demo = busy();
    // local_meta, bit 2 (G01, assigned by us).
    demo.damage("workflow/task.bin", 4 + 64 + 1, 4);
    assert_eq!(ids(&demo, &["tasks"]), ["LT-0001", "LT-0003"]);
    assert_eq!(ids(&demo, &["tasks", "--all"]).len(), 3);
    assert!(demo.text("list", &["tasks", "--all"]).contains("  T  (hidden)\n"));
    assert_eq!(demo.failure("show", &["LT-0002"]).0, "not_found");
    assert_eq!(demo.failure("show", &["LT-0002/C-01"]).0, "not_found");
    assert_eq!(
        demo.json("show", &["C-01"])["id"],
        "LT-0001/C-01",
        "a hidden Task's Change is no other choice"
    );
    assert_eq!(demo.json("stat", &[])["tasks"], 2);
}

#[test]
fn a_list_longer_than_a_page_is_whole_and_in_order() {
    let demo = Demo::new();
    let store = Store::open(demo.root(), &Options::new([9; 32])).unwrap();
    store
        .write(UnixSeconds(1_700_000_100), |txn| {
            for ordinal in 1..=2500 {
                txn.create_task(&NewTask::new(&format!("task {ordinal}"), "many"))?;
            }
            Ok(())
        })
        .unwrap();
    store.close().unwrap();
    let all = ids(&demo, &["tasks"]);
    assert_eq!((all.len(), &all[0][..], &all[2499][..]), (2500, "LT-0001", "LT-2500"));
    let mut back = ids(&demo, &["tasks", "--reverse"]);
    back.reverse();
    assert!(back == all);
    assert_eq!(
        ids(&demo, &["tasks", "--from", "1020", "--to", "1030", "--limit", "8"])[7],
        "LT-1028"
    );
}

#[test]
fn stat_tells_people_how_much_is_open() {
    let demo = busy();
    let stat = demo.json("stat", &[]);
    assert_eq!(
        (&stat["tasks"], &stat["changes"], &stat["lands"]),
        (&3.into(), &3.into(), &2.into())
    );
    let lines = demo.text("stat", &[]);
    for part in [
        "\ntasks                       3  (1 open, 2 closed)",
        "\nchanges                     3  (2 open, 1 closed)\n",
        "\nlands                       2  (1 open, 1 closed)\n",
        "\nstashes                     0\n",
    ] {
        assert!(lines.contains(part), "{part:?}: {lines}");
    }
}

#[test]
fn dump_judges_the_records_of_work_too() {
    let demo = busy();
    for family in [
        "task",
        "change",
        "land",
        "task_change_index",
        "task_land_index",
        "change_land_index",
        "stash",
    ] {
        assert_eq!(demo.run("dump", &[family]).status.code(), Some(0), "{family}");
    }
    demo.damage("workflow/land.bin", 4, 7);
    let output = demo.run("dump", &["land"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("W-LAND-40"), "{}", text(&output.stdout));
}
