//! Importing again: the same stream, a changed one, after a stop, beside what the store's user did meanwhile.

use std::ops::ControlFlow;

use graven::format::LineState;
use graven_cli::git::import::{self, ImportError, Limits, Options};

use super::git_support::{Home, repository_of, trees};
use super::same_trees;
use super::streams::{Stream, nasty_refs, nasty_trees};

#[test]
fn a_second_import_writes_nothing_and_a_changed_stream_moves_what_changed() {
    let stream = nasty_refs();
    let (home, _) = same_trees(&stream);
    let before = home.authority();
    let again = home.import(stream.as_slice()).expect("again");
    assert_eq!(home.authority(), before);
    assert_eq!(
        again.counts.snapshots_added + again.counts.lines_created + again.counts.tags_created,
        0
    );

    let mut changed = Stream::default();
    let one = changed.commit("refs/heads/main", b"elsewhere", &[]);
    changed.line("tag annotated");
    changed.line(&format!("from :{one}"));
    changed.line("tagger T <t@u> 99 +0000");
    changed.data(b"moved");
    let report = home.import(changed.bytes.as_slice()).expect("the changed stream");
    assert_eq!((report.counts.lines_moved, report.counts.tags_moved), (1, 1));
    assert_eq!(report.moved_back.len(), 1);
    assert_eq!(report.moved_back[0].line, "main");
    assert_eq!(report.counts.lines_deleted + report.counts.tags_deleted, 0);
    let before = home.authority();
    home.import(changed.bytes.as_slice()).expect("again");
    assert_eq!(home.authority(), before);

    let pruned = home.import_pruning(changed.bytes.as_slice()).expect("pruned");
    assert!(pruned.counts.lines_deleted > 60 && pruned.counts.tags_deleted > 5);
    let back = repository_of(&home.export().expect("an export"));
    assert_eq!(
        trees(back.path()).into_keys().collect::<Vec<_>>(),
        ["refs/heads/main", "refs/tags/annotated"]
    );
    let before = home.authority();
    home.import_pruning(changed.bytes.as_slice()).expect("pruned again");
    assert_eq!(home.authority(), before);
}

#[test]
fn an_import_that_is_stopped_anywhere_and_run_again_ends_in_the_same_bytes() {
    let stream = [
        nasty_refs(),
        nasty_trees()[b"feature done\nfeature date-format=raw\noption git quiet\n".len()..].to_vec(),
    ]
    .concat();
    let options = Options {
        limits: Limits {
            batch_commits: 3,
            batch_bytes: 2_000,
        },
        ..Options::default()
    };
    let whole = Home::new();
    let mut batches = 0;
    let mut count = |_: &import::Progress| {
        batches += 1;
        ControlFlow::Continue(())
    };
    import::import(&whole.store, stream.as_slice(), &options, &mut count).expect("an import");
    assert!(batches > 20, "{batches}");
    let uninterrupted = whole.authority();
    // One batch or many: the bytes are the same.
    let large = Home::new();
    large.import(stream.as_slice()).expect("an import");
    assert_eq!(large.authority(), uninterrupted);

    for stop in (0..batches).step_by(5) {
        let home = Home::new();
        let mut seen = 0;
        let mut until = |_: &import::Progress| {
            seen += 1;
            if seen > stop {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let stopped = import::import(&home.store, stream.as_slice(), &options, &mut until);
        assert!(matches!(stopped, Err(ImportError::Stopped)));
        home.import(stream.as_slice()).expect("run again");
        assert_eq!(home.authority(), uninterrupted, "stopped at batch {stop}");
    }
}

#[test]
fn an_archived_line_is_left_alone_and_a_deleted_one_comes_back() {
    let stream = |message: &str| {
        format!(
            "commit refs/heads/a\ncommitter C <c> 5 +0000\ndata {}\n{message}\n",
            message.len()
        )
    };
    let home = Home::new();
    home.import(stream("one").as_bytes()).expect("an import");
    let find = |home: &Home| {
        let view = home.store.view().expect("a view");
        (*view.lines().expect("lines"))
            .find("a")
            .expect("lines")
            .expect("the line")
    };
    let (index, line) = find(&home);
    home.store
        .write(graven::UnixSeconds(9), |txn| txn.archive_line(index))
        .expect("archived");
    let report = home.import(stream("two").as_bytes()).expect("an import");
    assert_eq!(report.archived_lines, ["a"]);
    assert_eq!(find(&home).1.head, line.head);
    home.store
        .write(graven::UnixSeconds(9), |txn| txn.delete_line(index))
        .expect("deleted");
    let report = home.import(stream("two").as_bytes()).expect("an import");
    assert_eq!(report.counts.lines_created, 1);
    assert_eq!(find(&home).1.state, LineState::Live);
}
