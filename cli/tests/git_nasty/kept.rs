//! What comes back from the way through a store.

use std::collections::BTreeMap;

use super::git_support::{Home, git, repository_of};
use super::same_trees;
use super::streams::{Stream, nasty_refs, nasty_trees};

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
    let mut tags = BTreeMap::new();
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
