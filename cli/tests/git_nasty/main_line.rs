//! The main line as finished work: Tasks, Changes and Lands that say what git's own first-parent history says.

use std::ops::ControlFlow;

use graven::format::{ChangeLifecycle, LandMode, TaskIndex, TaskStatus};
use graven_cli::git::import::{self, ImportError, Options};

use super::git_support::{Home, git};

/// A repository with a merge on its branch `trunk`, which HEAD names, beside a longer branch `main`.
fn repository() -> tempfile::TempDir {
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    git(at, &["init", "-q", "-b", "trunk"]);
    for (name, value) in [("user.name", "A U Thor"), ("user.email", "a@b")] {
        git(at, &["config", name, value]);
    }
    let commit = |message: &str| {
        git(
            at,
            &["commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message],
        );
    };
    commit("first line\n\nand why");
    git(at, &["checkout", "-q", "-b", "side"]);
    commit("on the side");
    git(at, &["checkout", "-q", "trunk"]);
    commit("");
    git(at, &["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    git(at, &["checkout", "-q", "-b", "main"]);
    commit("longer than trunk");
    git(at, &["checkout", "-q", "trunk"]);
    work
}

fn import(home: &Home, work: &tempfile::TempDir, main: Option<&str>) -> Result<import::Report, ImportError> {
    let options = Options {
        main: main.map(str::to_owned),
        ..Options::default()
    };
    import::import_repository(&home.store, work.path(), &options, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn every_first_parent_commit_of_heads_branch_is_a_completed_task_with_a_landed_change_and_its_land() {
    let work = repository();
    let home = Home::new();
    let report = import(&home, &work, None).expect("an import");
    assert_eq!(report.main_line.as_deref(), Some("trunk"));
    assert_eq!((report.counts.tasks_added, report.counts.tasks_existing), (3, 0));

    let view = home.store.view().expect("a view");
    let (tasks, changes, lands) = (view.tasks().unwrap(), view.changes().unwrap(), view.lands().unwrap());
    let expected = [
        ("first line", "first line\n\nand why", LandMode::Direct),
        ("(no message)", "(no message)", LandMode::Direct),
        ("merged", "merged", LandMode::Merge),
    ];
    let mut before = None;
    for (number, (title, intent, mode)) in expected.into_iter().enumerate() {
        let index = TaskIndex::new(u32::try_from(number).unwrap()).unwrap();
        let task = tasks.get(index).expect("a Task");
        let text = task.text().expect("a text");
        assert_eq!((text.title.as_str(), text.intent.as_str()), (title, intent));
        let change = changes.of_task(index).expect("Changes").pop().expect("a Change");
        let land = lands.winning(change.index()).expect("a look").expect("a Land");
        let landed = land.status.landed().expect("a Snapshot");
        let at = view.snapshots().unwrap().get(landed).expect("a Snapshot").created_at_s;
        assert_eq!(
            (task.status, change.lifecycle),
            (TaskStatus::Completed, ChangeLifecycle::Landed)
        );
        assert_eq!(change.title().expect("a title"), title);
        assert_eq!((change.fork, land.pre_target, land.mode), (before, before, mode));
        let times = [
            task.created_at_s,
            task.updated_at_s,
            task.closed_at_s.expect("an end"),
            change.created_at_s,
            change.updated_at_s,
            land.submitted_at_s.expect("a time"),
            land.updated_at_s,
        ];
        assert_eq!(times, [at; 7], "every time is the commit's");
        before = Some(landed);
    }
    let head = view
        .lines()
        .unwrap()
        .by_name("trunk")
        .expect("a look")
        .expect("trunk")
        .head;
    assert_eq!(head, before);
}

#[test]
fn a_second_import_adds_the_tasks_of_new_commits_only() {
    let work = repository();
    let home = Home::new();
    import(&home, &work, None).expect("an import");
    let before = home.authority();
    let again = import(&home, &work, None).expect("again");
    assert_eq!((again.counts.tasks_added, again.counts.tasks_existing), (0, 3));
    assert_eq!(home.authority(), before);
    git(work.path(), &["commit", "-q", "--allow-empty", "-m", "one more"]);
    let more = import(&home, &work, None).expect("once more");
    assert_eq!((more.counts.tasks_added, more.counts.tasks_existing), (1, 3));
}

#[test]
fn another_main_line_may_be_asked_for_and_one_that_is_not_there_moves_nothing() {
    let work = repository();
    let home = Home::new();
    let refused = import(&home, &work, Some("nowhere"));
    assert!(matches!(refused, Err(ImportError::NoMainLine(name)) if name == "nowhere"));
    assert_eq!(home.store.read(|view| Ok(view.lines()?.len())).expect("a look"), 0);
    let report = import(&home, &work, Some("main")).expect("an import");
    assert_eq!(
        (report.main_line.as_deref(), report.counts.tasks_added),
        (Some("main"), 4)
    );
}
