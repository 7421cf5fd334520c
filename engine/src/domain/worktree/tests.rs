//! Directories on disk, taken into a real object zone and written out again.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::domain::objects::tree::Tree;
use crate::domain::objects::{FoldCache, Objects, SPOOL_ABOVE};
use crate::domain::testing::TestZone;
use crate::domain::{Error, Result};
use crate::format::{FileMode, ObjectHash};
use crate::vfs::os::OsVfs;
use crate::vfs::{Directory, Vfs};

const BATCH: u64 = 1 << 20;

fn open(path: &Path) -> Arc<dyn Directory> {
    OsVfs.open_directory(path).unwrap()
}

/// Captures in as many transactions as it takes; answers how many that were.
fn capture_in(zone: &TestZone, path: &Path, excluded: &[&[u8]], budget: u64) -> Result<(Captured, u32)> {
    let mut capture = Capture::new(open(path), excluded)?;
    let mut cache = FoldCache::default();
    for transactions in 1.. {
        let mut txn = zone.begin();
        let captured = capture.run(&mut txn, budget, &mut cache)?;
        txn.commit()?;
        if let Some(captured) = captured {
            return Ok((captured, transactions));
        }
    }
    unreachable!("more than 2^32 transactions")
}

fn capture(zone: &TestZone, path: &Path, excluded: &[&[u8]]) -> Result<Captured> {
    Ok(capture_in(zone, path, excluded, BATCH)?.0)
}

fn write_out(zone: &TestZone, root: &ObjectHash, path: &Path, refused: &[&[u8]]) -> Result<Materialised> {
    let view = zone.view();
    materialise(&Objects::new(&view)?, root, open(path), refused)
}

fn put(zone: &TestZone, tree: &Tree) -> ObjectHash {
    let mut txn = zone.begin();
    let root = tree.put_root(&mut txn, &mut FoldCache::default());
    txn.commit().unwrap();
    root
}

/// A directory on disk as a tree; links to other repositories look like empty directories.
fn on_disk(path: &Path) -> Tree {
    let mut below = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        let tree = if kind.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            Tree::File(FileMode::Symlink, target.into_os_string().into_encoded_bytes())
        } else if kind.is_dir() {
            on_disk(&entry.path())
        } else {
            let executable = entry.metadata().unwrap().permissions().mode() & 0o100 != 0;
            let mode = if executable {
                FileMode::Executable
            } else {
                FileMode::Plain
            };
            Tree::File(mode, fs::read(entry.path()).unwrap())
        };
        below.insert(entry.file_name().into_encoded_bytes(), tree);
    }
    Tree::Directory(below)
}

fn sample() -> Tree {
    let large: Vec<u8> = (0..SPOOL_ABOVE + 77).map(|at| (at * 7).to_le_bytes()[0]).collect();
    let mut tree = Tree::directory([
        ("a", Tree::file("content")),
        ("a.txt", Tree::file("")),
        (
            "bin",
            Tree::directory([("run", Tree::File(FileMode::Executable, b"#!/bin/sh\n".to_vec()))]),
        ),
        ("empty", Tree::directory([])),
        ("large", Tree::File(FileMode::Plain, large)),
        ("up", Tree::File(FileMode::Symlink, b"../../etc/passwd".to_vec())),
        (
            "deep",
            Tree::directory([("er", Tree::directory([("f", Tree::file("x"))]))]),
        ),
    ]);
    if let Tree::Directory(below) = &mut tree {
        below.insert(b"not \xff utf-8\n".to_vec(), Tree::file("bytes"));
    }
    tree
}

#[test]
fn a_tree_written_out_and_captured_again_is_the_same_tree() {
    let zone = TestZone::objects();
    let root = put(&zone, &sample());
    let target = tempfile::tempdir().unwrap();
    let done = write_out(&zone, &root, target.path(), &[]).unwrap();
    assert_eq!((done.files, done.symlinks, done.directories, done.links), (6, 1, 4, 0));
    assert_eq!(
        done.bytes,
        sample().fold().total_bytes - 16,
        "all but the symbolic link's target"
    );
    assert_eq!(on_disk(target.path()), sample());

    let before = zone.bytes("object.bin");
    let captured = capture(&zone, target.path(), &[]).unwrap();
    assert_eq!((captured.root, captured.added), (root, 0));
    assert_eq!(
        zone.bytes("object.bin"),
        before,
        "what is stored already is not written again"
    );
    let fresh = TestZone::objects();
    let (again, transactions) = capture_in(&fresh, target.path(), &[], 1).unwrap();
    assert_eq!((again.root, again.existing), (root, 0));
    assert!(
        transactions > 8,
        "a budget of one byte ends a transaction after each object"
    );
    assert_eq!(fresh.bytes("object.bin").len() as u64, 4 + 52 * again.added);
}

#[test]
fn a_link_to_another_repository_is_written_out_as_an_empty_directory() {
    let zone = TestZone::objects();
    let root = put(&zone, &Tree::directory([("module", Tree::Link(3))]));
    let target = tempfile::tempdir().unwrap();
    assert_eq!(write_out(&zone, &root, target.path(), &[]).unwrap().links, 1);
    assert_eq!(
        on_disk(target.path()),
        Tree::directory([("module", Tree::directory([]))])
    );
}

#[test]
fn w_cursor_05_the_cursor_and_excluded_names_are_left_out() {
    let zone = TestZone::objects();
    let source = tempfile::tempdir().unwrap();
    for directory in [".ait-worktree", ".git", "sub/.git", "sub/.ait-worktree"] {
        fs::create_dir_all(source.path().join(directory)).unwrap();
        fs::write(source.path().join(directory).join("cursor.bin"), "cursor").unwrap();
    }
    let captured = capture(&zone, source.path(), &[b".git"]).unwrap();
    let cursor = Tree::directory([("cursor.bin", Tree::file("cursor"))]);
    // Below the top `.ait-worktree` is a name like any other.
    let expected = Tree::directory([("sub", Tree::directory([(".ait-worktree", cursor)]))]);
    assert_eq!(captured.root, put(&zone, &expected));
}

#[test]
fn f_0_3_what_is_no_file_directory_or_symbolic_link_is_refused() {
    let zone = TestZone::objects();
    let source = tempfile::tempdir().unwrap();
    fs::create_dir(source.path().join("sub")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(source.path().join("sub/socket")).unwrap();
    match capture(&zone, source.path(), &[]) {
        Err(Error::Refused { rule: "F-0.3", message }) => assert!(message.contains("sub/socket"), "{message}"),
        other => panic!("{other:?}"),
    }
    capture(&zone, source.path(), &[b"socket"]).unwrap();
}

#[test]
fn a_symbolic_link_is_never_followed() {
    let zone = TestZone::objects();
    let (source, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "secret").unwrap();
    symlink(outside.path(), source.path().join("way out")).unwrap();
    symlink("nowhere", source.path().join("dangling")).unwrap();
    let captured = capture(&zone, source.path(), &[]).unwrap();
    assert_eq!(captured.added, 3, "two targets and the root");
    let target = tempfile::tempdir().unwrap();
    write_out(&zone, &captured.root, target.path(), &[]).unwrap();
    assert_eq!(on_disk(target.path()), on_disk(source.path()));
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_that_holds_anything_is_not_written_into() {
    let zone = TestZone::objects();
    let root = put(&zone, &sample());
    let target = tempfile::tempdir().unwrap();
    fs::write(target.path().join(".hidden"), "mine").unwrap();
    let refused = write_out(&zone, &root, target.path(), &[]);
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    assert_eq!(
        on_disk(target.path()),
        Tree::directory([(".hidden", Tree::file("mine"))])
    );
}

#[test]
fn refused_names_are_refused_in_any_case_before_their_directory_is_written() {
    let zone = TestZone::objects();
    let hooks = Tree::directory([("config", Tree::file("[core]"))]);
    let root = put(
        &zone,
        &Tree::directory([("sub", Tree::directory([("a", Tree::file("a")), (".Git", hooks)]))]),
    );
    let target = tempfile::tempdir().unwrap();
    let refused = write_out(&zone, &root, target.path(), &[b".git"]);
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
    assert_eq!(on_disk(target.path()), Tree::directory([("sub", Tree::directory([]))]));
}

#[test]
fn f_0_3_damaged_content_is_never_left_on_disk() {
    for len in [100, SPOOL_ABOVE + 100] {
        let mut zone = TestZone::objects();
        // The only blob, so its payload starts the file.
        let root = put(
            &zone,
            &Tree::directory([("f", Tree::File(FileMode::Plain, vec![b'x'; len]))]),
        );
        zone.damage("object_payload.bin", 4 + 50, b"y");
        let target = tempfile::tempdir().unwrap();
        let written = write_out(&zone, &root, target.path(), &[]);
        assert!(
            matches!(written, Err(Error::Corrupt { rule: "F-0.3", .. })),
            "{written:?}"
        );
        assert_eq!(on_disk(target.path()), Tree::directory([]));
    }
}

#[test]
fn f_0_3_a_symbolic_link_s_target_that_no_file_system_takes_is_refused() {
    for target in [&b""[..], b"a\0b", &vec![b'x'; 70_000]] {
        let zone = TestZone::objects();
        let root = put(
            &zone,
            &Tree::directory([("l", Tree::File(FileMode::Symlink, target.to_vec()))]),
        );
        let directory = tempfile::tempdir().unwrap();
        let refused = write_out(&zone, &root, directory.path(), &[]);
        assert!(
            matches!(refused, Err(Error::Refused { rule: "F-0.3", .. })),
            "{refused:?}"
        );
    }
}
