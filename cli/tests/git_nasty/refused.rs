//! What is refused, where, and that nothing is moved by it.

use std::ops::ControlFlow;

use graven_cli::git::export::{self, ExportError};

use super::git_support::Home;
use super::streams::ZEROS;

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
    for name in [
        "\\xff\"",
        "trimmed \"",
        "\\xfe\"",
        "\"refs/heads/\"",
        "\"refs/tags/ x\"",
    ] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert!(!text.contains("good") && !text.contains("refs/other"), "{text}");
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
