//! Long random histories: what `git fast-import` makes of a stream of changes and what the way through a store makes of it are the same trees.

mod git_support;

use std::collections::BTreeSet;
use std::io::Write as _;

use git_support::{Home, git, repository_of};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A change of a commit, with names to be made sense of when it is written.
#[derive(Clone, Debug)]
enum Change {
    Modify {
        path: Vec<u8>,
        mode: usize,
        content: usize,
    },
    Delete {
        path: Vec<u8>,
    },
    Rename {
        source: usize,
        depth: usize,
        target: Vec<u8>,
    },
    Copy {
        source: usize,
        depth: usize,
        target: Vec<u8>,
    },
    EmptyDirectory {
        path: Vec<u8>,
    },
    DeleteAll,
}

/// A commit: its branch, the branch it starts from (where it is another), a branch it merges, and its changes.
type Commit = (usize, Option<usize>, Option<usize>, Vec<Change>);

const MODES: [&str; 3] = ["100644", "100755", "120000"];
const CONTENTS: usize = 4;
const BRANCHES: usize = 3;

fn any_path() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(0..3_u8, 1..4)
}

fn any_change() -> impl Strategy<Value = Change> {
    // Nothing moves to the root: `git fast-import` 2.47 crashes on `deleteall` after that.
    let moved = || (any::<usize>(), 1..4_usize, any_path());
    prop_oneof![
        8 => (any_path(), 0..MODES.len(), 0..CONTENTS).prop_map(|(path, mode, content)| Change::Modify { path, mode, content }),
        3 => any_path().prop_map(|path| Change::Delete { path }),
        3 => moved().prop_map(|(source, depth, target)| Change::Rename { source, depth, target }),
        3 => moved().prop_map(|(source, depth, target)| Change::Copy { source, depth, target }),
        1 => any_path().prop_map(|path| Change::EmptyDirectory { path }),
        1 => Just(Change::DeleteAll),
    ]
}

fn any_commit() -> impl Strategy<Value = Commit> {
    let changes = proptest::collection::vec(any_change(), 0..6);
    let other = || proptest::option::weighted(0.2, 0..BRANCHES);
    (0..BRANCHES, other(), other(), changes)
}

/// A stream in the making, with the files of each branch: only what exists may be moved.
struct Writer {
    out: Vec<u8>,
    branches: [Option<BTreeSet<String>>; BRANCHES],
}

impl Writer {
    fn new() -> Self {
        let mut out = Vec::new();
        for content in 0..CONTENTS {
            writeln!(out, "blob\nmark :{}\ndata 1\n{content}", content + 1).expect("memory is enough");
        }
        Self {
            out,
            branches: [const { None }; BRANCHES],
        }
    }

    fn line(&mut self, text: &str) {
        writeln!(self.out, "{text}").expect("memory is enough");
    }

    fn commit(&mut self, at: usize, (branch, from, merge, changes): &Commit) {
        let exists = |other: &usize| other != branch && self.branches.get(*other).is_some_and(Option::is_some);
        let (from, merge) = (from.filter(exists), merge.filter(exists));
        self.line(&format!("commit refs/heads/b{branch}\nmark :{}", 100 + at));
        self.line(&format!("committer C <c> {} +0000\ndata 0\n", 1_000 + at));
        let mut files = self.branches[*branch].clone().unwrap_or_default();
        if let Some(from) = from {
            self.line(&format!("from refs/heads/b{from}"));
            files = self.branches[from].clone().unwrap_or_default();
        }
        if let Some(merge) = merge {
            self.line(&format!("merge refs/heads/b{merge}"));
        }
        for change in changes {
            self.change(change, &mut files);
        }
        self.line("");
        self.branches[*branch] = Some(files);
    }

    fn change(&mut self, change: &Change, files: &mut BTreeSet<String>) {
        match change {
            Change::Modify { path, mode, content } => {
                let path = text(path);
                self.line(&format!("M {} :{} {path}", MODES[*mode], content + 1));
                put(files, &path, vec![String::new()]);
            }
            Change::Delete { path } => {
                let path = text(path);
                self.line(&format!("D {path}"));
                take(files, &path);
            }
            Change::EmptyDirectory { path } => {
                let path = text(path);
                self.line(&format!("M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 {path}"));
                take(files, &path);
            }
            Change::DeleteAll => {
                self.line("deleteall");
                files.clear();
            }
            Change::Rename { source, depth, target } => {
                let Some((source, target)) = movable(files, *source, *depth, target) else {
                    return;
                };
                self.line(&format!("R {source} {target}"));
                let moved = take(files, &source);
                put(files, &target, moved);
            }
            Change::Copy { source, depth, target } => {
                let Some((source, target)) = movable(files, *source, *depth, target) else {
                    return;
                };
                self.line(&format!("C {source} {target}"));
                let copied = take(&mut files.clone(), &source);
                put(files, &target, copied);
            }
        }
    }
}

fn text(path: &[u8]) -> String {
    let names: Vec<_> = path.iter().map(|name| char::from(b'a' + name).to_string()).collect();
    names.join("/")
}

/// A source that exists (a file, or a directory above one), and the target.
fn movable(files: &BTreeSet<String>, source: usize, depth: usize, target: &[u8]) -> Option<(String, String)> {
    let file = files.iter().nth(source.checked_rem(files.len())?)?;
    let names: Vec<_> = file.split('/').take(depth).collect();
    Some((names.join("/"), text(target)))
}

/// Takes what stands at `top`; answers the paths below it.
fn take(files: &mut BTreeSet<String>, top: &str) -> Vec<String> {
    let inside = |path: &String| path == top || path.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
    let taken: Vec<_> = files.iter().filter(|path| inside(path)).cloned().collect();
    files.retain(|path| !inside(path));
    taken.into_iter().map(|path| path[top.len()..].to_owned()).collect()
}

fn put(files: &mut BTreeSet<String>, target: &str, moved: Vec<String>) {
    take(files, target);
    files.retain(|path| !target.starts_with(&format!("{path}/")));
    files.extend(moved.into_iter().map(|rest| format!("{target}{rest}")));
}

#[test]
fn random_histories_have_the_trees_that_git_gives_them() {
    let mut runner = TestRunner::new(Config {
        cases: 12,
        failure_persistence: None,
        max_shrink_iters: 3_000,
        ..Config::default()
    });
    let histories = proptest::collection::vec(any_commit(), 1..120);
    let run = runner.run(&histories, |commits| {
        let mut writer = Writer::new();
        for (at, commit) in commits.iter().enumerate() {
            writer.commit(at, commit);
        }
        let stream = writer.out;
        let truth = repository_of(&stream);
        let home = Home::new();
        home.import(stream.as_slice()).expect("an import");
        let back = repository_of(&home.export().expect("an export"));
        // Every commit, not only the last: dates are unique, so they name the commits.
        let log = ["log", "--all", "--date-order", "--format=%ct %T"];
        let (truth, back) = (git(truth.path(), &log), git(back.path(), &log));
        prop_assert_eq!(String::from_utf8_lossy(&back), String::from_utf8_lossy(&truth));
        Ok(())
    });
    run.expect("the same trees");
}
