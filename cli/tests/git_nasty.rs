//! Streams and repositories with every oddity of git's stream format: imported, exported, and git itself asked whether the trees are the same.

mod git_support;

use std::ops::ControlFlow;

use git_support::{Home, git, git_number, git_with, repository_of, trees};
use graven::format::LineState;
use graven_cli::git::export::{self, ExportError};
use graven_cli::git::import::{self, ImportError, Limits, Options, Report};

const ZEROS: &str = "0000000000000000000000000000000000000000";

/// A stream that is written piece by piece.
#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    last_mark: u64,
    clock_s: u64,
}

impl Stream {
    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn data(&mut self, bytes: &[u8]) {
        self.line(&format!("data {}", bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self.bytes.push(b'\n');
    }

    fn mark(&mut self) -> u64 {
        self.last_mark += 1;
        let mark = self.last_mark;
        self.line(&format!("mark :{mark}"));
        mark
    }

    fn blob(&mut self, content: &[u8]) -> u64 {
        self.line("blob");
        let mark = self.mark();
        self.data(content);
        mark
    }

    /// A commit with its header lines (`from`, `merge`) and changes; answers its mark.
    fn commit(&mut self, reference: &str, message: &[u8], lines: &[&str]) -> u64 {
        self.line(&format!("commit {reference}"));
        let mark = self.mark();
        // Times that go up and down.
        self.clock_s += 7;
        let at = 1_000_000 + (self.clock_s * 13) % 1_000;
        self.line(&format!("committer C <c@d> {at} +0130"));
        self.data(message);
        for line in lines {
            self.line(line);
        }
        self.line("");
        mark
    }
}

/// The tree of every branch and tag is the same after the way through a store; answers the store and what the import said.
fn same_trees(stream: &[u8]) -> (Home, Report) {
    let truth = repository_of(stream);
    let home = Home::new();
    let report = home.import(stream).expect("an import");
    let back = repository_of(&home.export().expect("an export"));
    assert_eq!(trees(back.path()), trees(truth.path()));
    (home, report)
}

fn nasty_trees() -> Vec<u8> {
    let mut stream = Stream::default();
    stream.line("feature done");
    stream.line("feature date-format=raw");
    stream.line("option git quiet");
    stream.line("option other whatever");
    stream.line("# a comment");
    let a = stream.blob(b"a\n");
    let b = stream.blob(b"b with \0 and \xff");
    let _again = stream.blob(b"a\n");
    let _never_used = stream.blob(b"never used");
    let empty = stream.blob(b"");
    stream.line("blob");
    let delimited = stream.mark();
    stream.bytes.extend_from_slice(b"data <<END\nsome\nlines\nEND\n");
    stream.line("progress a third");
    stream.line("checkpoint");

    let main = "refs/heads/main";
    stream.line(&format!("reset {main}"));
    stream.commit(
        main,
        b"first",
        &[
            &format!("M 100644 :{a} file"),
            &format!("M 644 :{a} short mode"),
            &format!("M 100755 :{b} run"),
            &format!("M 120000 :{a} link"),
            &format!("M 100644 :{empty} empty"),
            &format!("M 100644 :{delimited} d/e/f"),
            &format!("M 100644 :{a} d/e/g"),
            &format!("M 100644 :{a} d/h"),
            "M 160000 00112233445566778899aabbccddeeff00112233 sub",
            &format!("M 160000 {ZEROS} sub-zero"),
            "M 100644 inline said",
            "data <<X",
            "here",
            "X",
        ],
    );
    // No `from`: on top of the last one. A file becomes a directory and a directory a file; directories that empty vanish.
    stream.commit(
        main,
        b"second",
        &[
            &format!("M 100644 :{b} file/now/deep"),
            &format!("M 100644 :{b} d/e"),
            "D sub",
            "D run/not/there",
            "D nowhere",
        ],
    );
    let third = stream.commit(
        main,
        b"third",
        &[
            "D file/now/deep",
            "R d moved/to",
            "C moved copied",
            &format!("M 100755 :{a} copied/to/h"),
            "C \"short mode\" \"with \\\"quotes\\\"\"",
            "R said \"new\\nline\"",
            &format!("M 100644 :{a} \"back\\\\slash\""),
            &format!("M 100644 :{a} \"\\377\\376 not utf-8\""),
            &format!("M 100644 :{b} \"tab\\there/\\303\\244\""),
            &format!("M 100644 :{b} ünquoted/ä b"),
        ],
    );
    stream.commit(
        "refs/heads/roots",
        b"whole trees move",
        &[
            &format!("from :{third}"),
            "C \"\" all",
            "R all/moved/to \"\"",
            "C \"\" inner/again",
            "M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 inner/nothing",
        ],
    );
    stream.commit("refs/heads/roots", b"", &["deleteall"]);
    stream.commit(
        "refs/heads/roots",
        b"from nothing",
        &[
            &format!("M 100644 :{b} x/y/z"),
            "M 040000 4b825dc642cb6eb9a060e54bf8d69288fbee4904 x/y",
        ],
    );
    stream.commit(
        "refs/heads/roots",
        b"rename below itself",
        &[&format!("M 100644 :{a} p/q"), "R p p/r/s", "C p/r p"],
    );
    let deep = vec!["deep"; 500].join("/");
    stream.commit("refs/heads/deep", b"deep", &[&format!("M 100644 :{a} {deep}")]);
    // The branch starts anew: a second root.
    stream.line(&format!("reset {main}"));
    stream.commit(main, b"another root", &[&format!("M 100644 :{b} only")]);
    stream.line("done");
    stream.line("what comes after is not read");
    stream.bytes
}

#[test]
fn trees_of_every_kind_survive() {
    let (home, report) = same_trees(&nasty_trees());
    assert!(report.is_end_certain);
    assert_eq!(report.counts.blobs, 7);
    // Two of the seven are one object.
    assert_eq!(report.counts.blobs_added, 6);
    assert_eq!(
        home.import(nasty_trees().as_slice())
            .expect("again")
            .counts
            .snapshots_existing,
        report.counts.commits
    );
}

fn nasty_refs() -> Vec<u8> {
    let mut stream = Stream::default();
    let a = stream.blob(b"a");
    let b = stream.blob(b"b");
    let (file_a, file_b) = (format!("M 100644 :{a} f"), format!("M 100644 :{b} f"));
    let one = stream.commit("refs/heads/main", b"one", &[&file_a]);
    let two = stream.commit("refs/heads/main", b"two", &[&file_b]);
    stream.line("checkpoint");
    stream.line("");
    stream.commit(
        "refs/heads/main",
        b"peeled",
        &["from refs/heads/main^0", "D f", "M 100644 inline g", "data 1", "g"],
    );
    stream.commit("refs/heads/side", b"side", &["from refs/heads/main", &file_a]);
    stream.commit(
        "refs/heads/merge",
        b"merge",
        &[
            &format!("from :{one}"),
            "merge refs/heads/side",
            "merge refs/heads/main",
        ],
    );
    // Without `from`, the first merge is the first parent and the tree is empty.
    stream.commit(
        "refs/heads/merge-only",
        b"merge only",
        &[&format!("merge :{two}"), &format!("M 100644 :{a} alone")],
    );
    let roots: Vec<_> = (0..64)
        .map(|number| {
            stream.commit(
                &format!("refs/heads/root{number:02}"),
                format!("{number}").as_bytes(),
                &[&file_a],
            )
        })
        .collect();
    let merges: Vec<_> = roots
        .iter()
        .enumerate()
        .map(|(at, mark)| format!("{} :{mark}", if at == 0 { "from" } else { "merge" }))
        .collect();
    let merges: Vec<_> = merges.iter().map(String::as_str).collect();
    stream.commit("refs/heads/octopus", b"sixty-four parents", &merges);

    tags_of_every_kind(&mut stream, a, one, two);
    refs_that_hide(&mut stream, a, b, one, two);
    messages(&mut stream);
    stream.bytes
}

fn tags_of_every_kind(stream: &mut Stream, a: u64, one: u64, two: u64) {
    stream.commit("refs/tags/made-by-commit", b"light", &[&format!("from :{two}")]);
    stream.line("reset refs/tags/light");
    stream.line(&format!("from :{one}"));
    stream.line("");
    stream.line("tag annotated");
    let annotated = stream.mark();
    stream.line(&format!("from :{two}"));
    stream.line("tagger T <t@u> 1234 -0500");
    stream.data(b"a message\n");
    stream.line("tag empty-message");
    stream.line("from refs/heads/side");
    stream.line("tagger T <t@u> 0 -0500");
    stream.data(b"");
    stream.line("tag without-tagger");
    stream.line(&format!("from :{two}"));
    stream.data(b"m");
    stream.line("tag outer");
    stream.line(&format!("from :{annotated}"));
    stream.line("tagger T <t@u> 1236 +0000");
    stream.data(b"a tag of a tag");
    stream.line("tag of-blob");
    stream.line(&format!("from :{a}"));
    stream.line("tagger T <t@u> 1236 +0000");
    stream.data(b"no commit");
    // As in git, the annotated tag wins over the ref that is set later.
    stream.line("tag twice");
    stream.line(&format!("from :{one}"));
    stream.data(b"wins");
    stream.line("reset refs/tags/twice");
    stream.line(&format!("from :{two}"));
    stream.line("");
    // Refs that come and go.
    stream.line("reset refs/heads/gone");
    stream.line(&format!("from :{one}"));
    stream.line("reset refs/heads/gone");
    stream.line(&format!("from {ZEROS}"));
    stream.line("");
    stream.line("reset refs/heads/forgotten");
    stream.line("");
    stream.line("tag deleted");
    stream.line(&format!("from :{one}"));
    stream.data(b"m");
    stream.line("reset refs/tags/deleted");
    stream.line(&format!("from {ZEROS}"));
    stream.line("");
}

fn refs_that_hide(stream: &mut Stream, a: u64, b: u64, one: u64, two: u64) {
    let (file_a, file_b) = (format!("M 100644 :{a} f"), format!("M 100644 :{b} f"));
    // Refs that are not imported: one reached by a branch, one not.
    let hidden = stream.commit("refs/hidden/reached", b"hidden", &[&file_a]);
    stream.commit("refs/hidden/reached", b"not reached", &[&file_b]);
    stream.commit(
        "refs/heads/reaches",
        b"reaches",
        &[&format!("from :{hidden}"), &format!("M 100644 :{b} h")],
    );
    stream.commit(
        "refs/notes/commits",
        b"a note",
        &[&format!("N :{a} :{one}"), &format!("N inline :{two}"), "data 1", "n"],
    );
}

fn messages(stream: &mut Stream) {
    stream.commit("refs/heads/texts", "grün\n".as_bytes(), &[]);
    stream.commit("refs/heads/texts", b"not utf-8: \xff\xfe", &[]);
    stream.commit("refs/heads/texts", &vec![b'm'; 200 * 1024], &[]);
    stream.commit("refs/heads/texts", b"", &[]);
    stream.line("commit refs/heads/texts");
    stream.line("author Ä <ä@b> 5 +0000");
    stream.line("committer C <c@d> 0 +0000");
    stream.line("encoding ISO-8859-1");
    stream.data(b"gr\xfcn");
}

#[test]
fn refs_tags_and_messages_of_every_kind_survive() {
    let (home, report) = same_trees(&nasty_refs());
    assert!(!report.is_end_certain);
    assert_eq!(
        report.skipped_refs,
        ["\"refs/hidden/reached\"", "\"refs/notes/commits\""]
    );
    let skipped: Vec<_> = report.skipped_tags.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(skipped, ["\"of-blob\""]);
    // All but the commits of hidden refs that nothing reaches.
    assert_eq!(report.counts.snapshots_added, report.counts.commits - 2);
    assert_eq!(report.forgotten.times_raised, 2);
    assert_eq!(report.forgotten.messages_replaced, 1);
    assert_eq!(report.forgotten.messages_cut, 1);
    assert_eq!(report.forgotten.notes, 2);

    let view = home.store.view().expect("a view");
    let mut tags = std::collections::BTreeMap::new();
    for row in view.tags().expect("tags") {
        let (_, tag) = row.expect("a tag");
        let text = tag.text().expect("a text");
        tags.insert(text.name, (text.message, tag.created_at_s.0));
    }
    let annotated = |message: &str, at: u64| (Some(message.to_owned()), at);
    assert_eq!(tags["annotated"], annotated("a message\n", 1234));
    assert_eq!(tags["empty-message"], annotated("", 1));
    assert_eq!(tags["outer"], annotated("a tag of a tag", 1236));
    assert_eq!(tags["twice"].0.as_deref(), Some("wins"));
    assert_eq!(tags["light"].0, None);
    assert!(
        tags["without-tagger"].1 > 1_000_000,
        "without a tagger the time is the Snapshot's"
    );
    assert!(!tags.contains_key("deleted") && !tags.contains_key("of-blob"));

    let snapshots = view.snapshots().expect("snapshots");
    let (_, line) = (*view.lines().expect("lines"))
        .find("texts")
        .expect("lines")
        .expect("the line");
    assert_eq!(line.updated_at_s.0, 1);
    let mut messages = Vec::new();
    for step in snapshots.first_parents(line.head.expect("a head")) {
        let snapshot = step.expect("a snapshot");
        messages.push(snapshot.content().expect("content").message);
    }
    assert_eq!(messages[0].as_deref(), Some("grün"));
    assert_eq!(messages[1], None);
    assert_eq!(messages[2].as_ref().map(String::len), Some(65_533));
    assert_eq!(messages[3].as_deref(), Some("not utf-8: \u{fffd}\u{fffd}"));
    assert_eq!(messages[4].as_deref(), Some("grün\n"));
    let (_, octopus) = (*view.lines().expect("lines"))
        .find("octopus")
        .expect("lines")
        .expect("the line");
    assert_eq!(
        snapshots.parents(octopus.head.expect("a head")).expect("parents").len(),
        64
    );
}

#[test]
fn what_git_itself_would_refuse_is_understood_where_the_mapping_says_so() {
    let mut stream = Stream::default();
    let a = stream.blob(b"a");
    let one = stream.commit("refs/heads/main", b"one", &[&format!("M 100644 :{a} d/f")]);
    let tag = |stream: &mut Stream, name: &str, from: u64, message: &[u8]| {
        stream.line(&format!("tag {name}"));
        let mark = stream.mark();
        stream.line(&format!("from :{from}"));
        stream.data(message);
        mark
    };
    // The same name twice, as git writes nested tags; the last one wins.
    tag(&mut stream, "nested", one, b"inner");
    let inner = stream.last_mark;
    tag(&mut stream, "nested", inner, b"outer");
    // A lightweight tag of a blob, and one of a tag of a blob.
    stream.line("reset refs/tags/light-blob");
    stream.line(&format!("from :{a}"));
    let of_blob = tag(&mut stream, "of-blob", a, b"");
    tag(&mut stream, "of-tag-of-blob", of_blob, b"");
    // A commit's root as a directory.
    stream.commit(
        "refs/heads/grafted",
        b"graft",
        &[&format!("M 040000 :{one} vendor/lib"), &format!("M 100644 :{a} x")],
    );
    // A signature, a negative time, a zone that does not exist.
    stream.line("commit refs/heads/signed");
    stream.line("committer C <c@d> -5 +051800");
    stream.line("gpgsig sha1 openpgp");
    stream.data(b"-----BEGIN\nfrom :1\n-----END\n");
    stream.data(b"signed");

    let home = Home::new();
    let report = home.import(stream.bytes.as_slice()).expect("an import");
    let skipped: Vec<_> = report.skipped_tags.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(skipped, ["\"light-blob\"", "\"of-blob\"", "\"of-tag-of-blob\""]);
    assert_eq!(report.forgotten.times_raised, 1);
    let back = repository_of(&home.export().expect("an export"));
    let listing = git(back.path(), &["ls-tree", "-r", "--name-only", "grafted"]);
    assert_eq!(String::from_utf8_lossy(&listing), "vendor/lib/d/f\nx\n");
    let message = git(back.path(), &["tag", "-l", "--format=%(contents)", "nested"]);
    assert_eq!(String::from_utf8_lossy(&message).trim(), "outer");
}

/// A refused stream: the error's text, and that nothing was moved.
fn refusal(stream: &[u8]) -> String {
    let home = Home::new();
    let error = home.import(stream).expect_err("refused");
    let view = home.store.view().expect("a view");
    assert!(
        view.lines().expect("lines").is_empty() && view.tags().expect("tags").is_empty(),
        "{error}"
    );
    error.to_string()
}

#[test]
fn what_the_mapping_refuses_is_refused_with_its_place_and_moves_nothing() {
    let base = "blob\nmark :1\ndata 1\na\ncommit refs/heads/main\nmark :2\ncommitter C <c> 5 +0000\ndata 0\nM 100644 :1 d/f\n\n";
    let id = "00112233445566778899aabbccddeeff00112233";
    let commit = |body: &str| format!("{base}commit refs/heads/x\nmark :3\ncommitter C <c> 5 +0000\ndata 0\n{body}\n");
    let many: String = (0..65).map(|_| "merge :2\n").collect();
    for (stream, reason) in [
        (commit(&format!("from {id}")), "incremental stream"),
        (commit("from refs/heads/unknown^0"), "incremental stream"),
        (commit("from :99"), "incremental stream"),
        (commit("from :1"), "a commit is expected"),
        (commit("merge :1"), "a commit is expected"),
        (commit(&format!("merge {ZEROS}")), "a merge needs a commit"),
        (commit("M 100644 :99 f"), "incremental stream"),
        (commit(&format!("M 100644 {id} f")), "incremental stream"),
        (
            commit("M 100644 :2 f"),
            "the mark names nothing that has the mode 100644",
        ),
        (
            commit("M 040000 :1 f"),
            "the mark names nothing that has the mode 040000",
        ),
        (commit("from :2\nR x y"), "the source path does not exist"),
        (commit("from :2\nC d/f/g y"), "the source path does not exist"),
        (commit("from :2\nC d/f \"\""), "the root can only be a directory"),
        (commit("from :2\nD ../x"), "`.` or `..`"),
        (commit(&many), "more than 64 parents"),
        (
            commit(&format!("from :2\n{}", "merge :2\n".repeat(64))),
            "commit :3 has more than 64 parents",
        ),
        (format!("{base}reset refs/heads/x\nfrom :1\n"), "a commit is expected"),
        (format!("{base}tag x\nfrom {ZEROS}\ndata 0\n"), "a tag needs a commit"),
        (format!("{base}tag x\nfrom {id}\ndata 0\n"), "incremental stream"),
        (format!("{base}get-mark :1\n"), "not supported"),
        (format!("feature done\n{base}"), "truncated"),
        (format!("{base}blob\ndata 10\nabc"), "truncated"),
    ] {
        let text = refusal(stream.as_bytes());
        assert!(text.contains(reason), "{text} for {stream}");
        assert!(text.contains("line ") && text.contains("byte "), "{text}");
    }
}

#[test]
fn w_change_61_w_tag_03_names_that_are_not_kept_exactly_are_refused_together() {
    let commit = |name: &[u8]| [b"commit ".as_slice(), name, b"\ncommitter C <c> 5 +0000\ndata 0\n\n"].concat();
    let mut stream = Vec::new();
    for name in [
        &b"refs/heads/good"[..],
        b"refs/heads/bad\xff",
        b"refs/heads/trimmed ",
        b"refs/tags/\xfe",
        b"refs/heads/",
        b"refs/other/\xff",
    ] {
        stream.extend(commit(name));
    }
    stream.extend(b"tag  x\nfrom refs/heads/good\ndata 0\n");
    let text = refusal(&stream);
    for name in ["\\xff", "trimmed ", "\\xfe", "refs/heads/\"", "\" x\"", "refs/tags/ x"] {
        assert!(text.contains(name) || name == "\" x\"", "{name}: {text}");
    }
    assert!(!text.contains("good") && !text.contains("refs/other"), "{text}");
}

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
fn an_exported_store_imports_into_the_same_trees_and_messages() {
    let (home, _) = same_trees(&nasty_refs());
    let exported = home.export().expect("an export");
    let second = Home::new();
    second.import(exported.as_slice()).expect("an import of our own stream");
    let third = second.export().expect("an export");
    let (second, third) = (repository_of(&exported), repository_of(&third));
    let refs = ["for-each-ref", "--format=%(refname) %(*tree)%(tree) %(contents)"];
    assert_eq!(git(second.path(), &refs), git(third.path(), &refs));
}

#[test]
fn names_that_cannot_be_git_refs_are_listed_before_the_first_byte() {
    let home = Home::new();
    home.import(&b"commit refs/heads/a\ncommitter C <c> 5 +0000\ndata 0\n"[..])
        .expect("an import");
    home.store
        .write(graven::UnixSeconds(9), |txn| {
            let head = (*txn.lines()?).find("a")?.and_then(|(_, line)| line.head);
            for name in ["a/b", "x..y", "with space", "fine"] {
                txn.create_line(name, head)?;
            }
            txn.create_tag("a", head.expect("a head"), None)?;
            txn.create_tag("t/.hidden", head.expect("a head"), Some("m"))?;
            graven::Result::Ok(())
        })
        .expect("written");
    let mut out = Vec::new();
    let options = export::Options::default();
    let refused = export::export(&home.store, &mut out, &options, &mut |_, _| ControlFlow::Continue(()));
    let Err(ExportError::Names(names)) = refused else {
        panic!("refused for its names: {refused:?}");
    };
    let text = names.join("\n");
    assert_eq!(names.len(), 4, "{text}");
    for part in ["\"a\" and \"a/b\"", "x..y", "with space", "t/.hidden"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(out.is_empty());
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

#[test]
fn a_repository_is_imported_by_running_git() {
    let work = tempfile::tempdir().expect("a directory");
    let at = work.path();
    git(at, &["init", "-q", "-b", "main"]);
    for (name, value) in [
        ("user.name", "A U Thor"),
        ("user.email", "a@b"),
        ("core.fsmonitor", "false"),
    ] {
        git(at, &["config", name, value]);
    }
    std::fs::create_dir_all(at.join("dir/below")).expect("made");
    std::fs::write(at.join("dir/below/file"), "content").expect("written");
    std::fs::write(at.join("ünïcode \"name\""), "x").expect("written");
    std::os::unix::fs::symlink("dir/below/file", at.join("link")).expect("linked");
    git(at, &["add", "."]);
    git(at, &["update-index", "--chmod=+x", "dir/below/file"]);
    git(
        at,
        &[
            "update-index",
            "--add",
            "--cacheinfo",
            "160000,00112233445566778899aabbccddeeff00112233,module",
        ],
    );
    git(at, &["commit", "-q", "-m", "first"]);
    git(at, &["checkout", "-q", "-b", "side"]);
    git(at, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    git(at, &["checkout", "-q", "main"]);
    git(at, &["rm", "-q", "-r", "--cached", "dir"]);
    git(at, &["commit", "-q", "-m", "gone"]);
    git(at, &["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    git(at, &["tag", "light"]);
    git(at, &["tag", "-a", "-m", "annotated", "annotated"]);
    git(at, &["tag", "-a", "-m", "nested", "nested", "annotated"]);
    let blob = String::from_utf8(git_with(at, &["hash-object", "-w", "--stdin"], b"tagged")).expect("an id");
    git(at, &["tag", "blob", blob.trim()]);
    // A hook that would leave a trace.
    std::fs::write(at.join(".git/hooks/post-checkout"), "#!/bin/sh\ntouch HOOK").expect("written");

    let home = Home::new();
    let import = || {
        let options = Options::default();
        import::import_repository(&home.store, at, &options, &mut |_| ControlFlow::Continue(()))
    };
    let report = import().expect("an import");
    assert!(report.is_end_certain);
    let warnings = report.git_warnings.expect("git was run").lines;
    assert!(warnings.iter().any(|line| line.contains("blob")), "{warnings:?}");
    assert_eq!(
        report.counts.snapshots_added,
        git_number(at, &["rev-list", "--count", "--all"])
    );
    let back = repository_of(&home.export().expect("an export"));
    let mut truth = trees(at);
    truth.remove("refs/tags/blob");
    // A tag of a tag is peeled: git's own answer for the commit's tree.
    let nested = git(at, &["rev-parse", "nested^{tree}"]);
    truth.insert(
        "refs/tags/nested".to_owned(),
        String::from_utf8_lossy(&nested).trim().to_owned(),
    );
    assert_eq!(trees(back.path()), truth);
    let before = home.authority();
    import().expect("a second import");
    assert_eq!(home.authority(), before);

    let nowhere = tempfile::tempdir().expect("a directory");
    std::fs::write(nowhere.path().join(".git"), "gitdir: nowhere").expect("written");
    let options = Options::default();
    let failed = import::import_repository(
        &home.store,
        nowhere.path(),
        &options,
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(matches!(failed, Err(ImportError::Git { .. })), "{failed:?}");
    assert_eq!(home.authority(), before);
}

#[test]
fn g13_a_message_beside_many_parents_is_cut_so_that_both_fit() {
    let mut stream = Stream::default();
    let roots: Vec<_> = (0..64)
        .map(|number| stream.commit(&format!("refs/heads/r{number}"), &[b'a' + number % 26; 3], &[]))
        .collect();
    let merges: Vec<_> = roots.iter().map(|mark| format!("merge :{mark}")).collect();
    let merges: Vec<_> = merges.iter().map(String::as_str).collect();
    stream.commit("refs/heads/octopus", "ä".repeat(40_000).as_bytes(), &merges);
    let (_, report) = same_trees(&stream.bytes);
    assert_eq!(report.forgotten.messages_cut, 1);
}
