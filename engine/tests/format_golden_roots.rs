//! Whole stores of earlier versions, as files that never change: they open, are sound, say what they said, and go on.
//!
//! A new one is recorded with `cargo run -p xtask -- golden --approve REASON`.
#![cfg(feature = "fault")]

#[path = "golden/describe.rs"]
mod describe;
#[path = "golden/make.rs"]
mod make;
#[path = "golden/recorded.rs"]
mod recorded;
#[path = "verify/sample.rs"]
mod sample;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use describe::describe;
use graven::format::{FAMILIES, UnixSeconds};
use graven::{Flow, Options, Store, verify};
use recorded::{DESCRIPTION, Recorded, STORE, files, roots};

/// Something that is done to a file of a golden root.
type Change = fn(&Path);

const LATER: UnixSeconds = UnixSeconds(1_800_000_000);

fn options(call: u8) -> Options {
    Options::new([call; 32])
}

fn all() -> Vec<Recorded> {
    let (recorded, findings) = recorded::read(&roots()).expect("the golden roots");
    assert_eq!(findings, Vec::<String>::new());
    assert!(!recorded.is_empty(), "a golden root");
    recorded
}

fn copy(from: &Path, to: &Path) {
    for (file, bytes) in files(from).expect("its files") {
        let path = to.join(file);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, bytes).expect("a copy");
    }
}

/// A copy of a root's store, and what was recorded that it says.
fn copied(root: &Recorded) -> (tempfile::TempDir, PathBuf, Vec<String>) {
    let parent = tempfile::tempdir().expect("a directory");
    let path = parent.path().join("s");
    copy(&roots().join(&root.name).join(STORE), &path);
    let text = fs::read_to_string(roots().join(&root.name).join(DESCRIPTION)).expect("what it says");
    (parent, path, text.lines().map(str::to_string).collect())
}

fn assert_sound(path: &Path, what: &str) {
    let found = verify(path, &options(1), true, |_| Flow::Continue)
        .expect("verify")
        .findings;
    let found: Vec<_> = found.iter().filter(|finding| !finding.is_note()).collect();
    assert!(found.is_empty(), "{what}: {found:?}");
}

#[test]
fn golden_bytes_are_added_with_a_reason_and_never_changed_or_taken_away() {
    let golden = roots().join("..");
    let (new, findings) = recorded::read_bytes(&golden).expect("the golden bytes");
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(new, Vec::<String>::new(), "record them: xtask golden --approve REASON");

    // On a copy: what is changed, taken away or slipped in is found.
    let place = tempfile::tempdir().expect("a directory");
    let names = ["line.record", "tag.record", "BYTES"];
    let write = |name: &str, bytes: &[u8]| fs::write(place.path().join(name), bytes).expect("a copy");
    for name in names {
        write(name, &fs::read(golden.join(name)).expect("golden bytes"));
    }
    let found = || recorded::read_bytes(place.path()).expect("the copy");
    let has = |what: &str| found().1.iter().any(|finding| finding == what);
    assert!(has("task.record is missing") && !has("line.record has changed"));
    write("line.record", b"0 line_state 00");
    assert!(has("line.record has changed"));
    write("other.record", b"");
    assert_eq!(found().0, ["other.record"]);
    let text = fs::read_to_string(golden.join("BYTES")).expect("the list");
    let without_the_first = text.split_once('\n').expect("lines").1;
    write("BYTES", without_the_first.as_bytes());
    assert!(
        found()
            .1
            .iter()
            .any(|finding| finding.starts_with("BYTES: an entry before"))
    );
}

#[test]
fn every_golden_root_has_the_bytes_that_were_recorded() {
    all();
}

#[test]
fn every_golden_root_is_sound_and_says_what_it_said() {
    for root in all() {
        let (_parent, path, said) = copied(&root);
        let before = files(&path).expect("its files");
        assert_sound(&path, &root.name);
        assert_eq!(
            describe(&path, &options(2)).expect("a description"),
            said,
            "{}",
            root.name
        );
        assert!(
            before == files(&path).expect("its files"),
            "{}: reading changed it",
            root.name
        );
    }
}

#[test]
fn every_golden_root_is_committed_to_and_keeps_what_it_said() {
    for root in all() {
        let (_parent, path, said) = copied(&root);
        let store = Store::open(&path, &options(3)).expect("a store");
        store
            .objects()
            .write(LATER, |txn| txn.put_blob(b"new content"))
            .expect("a blob");
        store
            .write(LATER, |txn| txn.create_line("a new line", None))
            .expect("a Line");
        store.close().expect("a closed store");
        assert_sound(&path, &root.name);
        let says = describe(&path, &options(4)).expect("a description");
        let lost: Vec<_> = said.iter().filter(|line| !says.contains(line)).collect();
        assert!(lost.is_empty(), "{}: {lost:?}", root.name);
        let new: Vec<_> = says.iter().filter(|line| !said.contains(line)).collect();
        assert!(
            new.iter().any(|line| line.ends_with(": a new line")),
            "{}: {new:?}",
            root.name
        );
        assert_eq!(new.len(), 4, "a record and a text of each: {new:?}");
    }
}

#[test]
fn the_newest_golden_root_has_every_family_and_is_what_this_version_writes() {
    let recorded = all();
    let newest = recorded.last().expect("a root");
    let (_parent, path, said) = copied(newest);
    for layout in FAMILIES {
        let first = format!("{} 0:", layout.family);
        assert!(said.iter().any(|line| line.starts_with(&first)), "no {first}");
    }
    let of_format = |files: BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        let is_of_format = |file: &str| {
            Path::new(file)
                .extension()
                .is_some_and(|kind| kind != "lock" && kind != "gate" && kind != "undo")
        };
        files.into_iter().filter(|(file, _)| is_of_format(file)).collect()
    };
    let (today, then) = (of_format(make::make()), of_format(files(&path).expect("its files")));
    assert!(today.keys().eq(then.keys()), "{:?}", today.keys());
    for (file, bytes) in &today {
        assert!(
            then[file] == *bytes,
            "{file} is written with other bytes than in {}; if that is meant: `cargo run -p xtask -- golden --approve REASON`",
            newest.name
        );
    }
}

#[test]
fn a_golden_root_that_changes_in_any_way_is_found() {
    let newest = all().pop().expect("a root").name;
    let bin = format!("{newest}/{STORE}/workflow/line.bin");
    let flip: Change = |path| {
        let mut bytes = fs::read(path).expect("a file");
        *bytes.last_mut().expect("a byte") ^= 1;
        fs::write(path, bytes).expect("a file");
    };
    let remove: Change = |path| fs::remove_file(path).expect("a file");
    let add: Change = |path| fs::write(path.with_extension("more"), "").expect("a file");
    let reorder: Change = |path| {
        let text = fs::read_to_string(path).expect("the manifest");
        fs::write(path, text.replacen("root 0001", "root 0002", 1)).expect("the manifest");
    };
    let chain: Change = |path| {
        let text = fs::read_to_string(path).expect("the manifest");
        let again = text.replacen("root 0001", "root 0002", 1);
        fs::write(path, text + again.lines().next().expect("a heading") + "\n").expect("the manifest");
    };
    for (file, change) in [
        (bin.as_str(), flip),
        (&bin, remove),
        (&bin, add),
        ("MANIFEST", reorder),
        ("MANIFEST", remove),
        ("MANIFEST", chain),
    ] {
        let parent = tempfile::tempdir().expect("a directory");
        copy(&roots(), parent.path());
        assert_eq!(
            recorded::read(parent.path()).expect("the roots").1,
            Vec::<String>::new()
        );
        change(&parent.path().join(file));
        assert!(
            !recorded::read(parent.path()).expect("the roots").1.is_empty(),
            "{file}"
        );
    }
}
