//! The cursor's file on a real file system: what reads as a cursor, what is removed, what is refused.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::*;
use crate::disk::{DurableDirectory, LockWait};
use crate::domain::Error;
use crate::format::{ChangeIndex, Cursor, SnapshotIndex, TaskIndex, UnixSeconds};
use crate::vfs::os::OsVfs;
use crate::vfs::{Access, LockMode, Vfs};

const WAIT: LockWait = LockWait::TryOnce;

fn cursor() -> Cursor {
    Cursor {
        task: TaskIndex::new(0),
        selected_change: ChangeIndex::new(4),
        pending_pre_target: SnapshotIndex::new(5),
        ..Cursor::new(UnixSeconds(100))
    }
}

/// A worktree in a temporary directory.
struct Worktree(tempfile::TempDir);

impl Worktree {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with_cursor() -> Self {
        let worktree = Self::new();
        save(&worktree.open(), &cursor(), WAIT).unwrap();
        worktree
    }

    fn open(&self) -> DurableDirectory {
        let path = self.0.path();
        DurableDirectory::new(OsVfs.open_directory(path).unwrap(), path.display().to_string())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join(".ait-worktree/cursor.bin")
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path().join(".ait-worktree"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_cursor_that_was_saved_is_loaded_and_replaced_as_a_whole() {
    let worktree = Worktree::new();
    assert_eq!(look(&worktree.open()).unwrap(), None);
    save(&worktree.open(), &cursor(), WAIT).unwrap();
    assert_eq!(look(&worktree.open()).unwrap(), Some(cursor()));
    assert_eq!(fs::read(worktree.file()).unwrap(), cursor().encode_file().unwrap());
    let next = Cursor::new(UnixSeconds(101));
    save(&worktree.open(), &next, WAIT).unwrap();
    assert_eq!(load(&worktree.open(), WAIT).unwrap(), Some(next));
    assert_eq!(worktree.names(), ["cursor.bin", "cursor.lock"]);
}

/// G03, assigned by us: bit 7.
#[test]
fn a_cleared_cursor_reads_as_none_and_is_kept() {
    let worktree = Worktree::new();
    let cleared = Cursor {
        cleared: true,
        ..cursor()
    };
    save(&worktree.open(), &cleared, WAIT).unwrap();
    assert_eq!(load(&worktree.open(), WAIT).unwrap(), None);
    assert!(worktree.file().exists());
}

#[test]
fn clearing_removes_the_cursor_and_nothing_else_and_may_be_done_again() {
    let worktree = Worktree::with_cursor();
    for _ in 0..2 {
        clear(&worktree.open(), WAIT).unwrap();
        assert_eq!(worktree.names(), ["cursor.lock"]);
        assert_eq!(look(&worktree.open()).unwrap(), None);
    }
    let untouched = Worktree::new();
    clear(&untouched.open(), WAIT).unwrap();
    assert_eq!(fs::read_dir(untouched.0.path()).unwrap().count(), 0);
}

/// W-CURSOR-03, W-CURSOR-06, G04 (assigned by us): every byte damaged, every length cut.
#[test]
fn w_cursor_03_w_cursor_06_any_defect_is_no_cursor_and_a_load_removes_it() {
    let sound = cursor().encode_file().unwrap();
    let mut defects: Vec<Vec<u8>> = (0..sound.len()).map(|len| sound[..len].to_vec()).collect();
    defects.push([&sound[..], &sound[4..]].concat());
    defects.push([&sound[..], &[0]].concat());
    defects.push(vec![0; 1 << 16]);
    for position in [0, 1, 2, 3, 5, 6, 7] {
        let mut damaged = sound;
        damaged[position] ^= 1;
        defects.push(damaged.to_vec());
    }
    for bytes in defects {
        let worktree = Worktree::with_cursor();
        fs::write(worktree.file(), &bytes).unwrap();
        assert_eq!(look(&worktree.open()).unwrap(), None, "{bytes:?}");
        assert_eq!(fs::read(worktree.file()).unwrap(), bytes, "looking changed something");
        assert_eq!(load(&worktree.open(), WAIT).unwrap(), None);
        assert!(!worktree.file().exists(), "{bytes:?}");
        save(&worktree.open(), &cursor(), WAIT).unwrap();
        assert_eq!(look(&worktree.open()).unwrap(), Some(cursor()));
    }
}

#[test]
fn a_writer_replaces_a_defect_without_having_looked() {
    let worktree = Worktree::with_cursor();
    fs::write(worktree.file(), b"nonsense").unwrap();
    fs::write(worktree.file().with_file_name(".cursor.bin.graven-new"), b"half").unwrap();
    save(&worktree.open(), &cursor(), WAIT).unwrap();
    assert_eq!(load(&worktree.open(), WAIT).unwrap(), Some(cursor()));
    assert_eq!(worktree.names(), ["cursor.bin", "cursor.lock"]);
}

/// F-1: a link in place of the file is a defect; what it points to is neither read nor written.
#[test]
fn f_1_a_symlink_in_place_of_the_file_is_never_followed() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    let bytes = cursor().encode_file().unwrap();
    for (act, left) in [("load", false), ("save", true), ("clear", false)] {
        let worktree = Worktree::with_cursor();
        fs::write(&target, bytes).unwrap();
        fs::remove_file(worktree.file()).unwrap();
        symlink(&target, worktree.file()).unwrap();
        let open = worktree.open();
        assert_eq!(look(&open).unwrap(), None);
        assert!(worktree.file().is_symlink());
        match act {
            "load" => assert_eq!(load(&open, WAIT).unwrap(), None),
            "save" => save(&open, &Cursor::new(UnixSeconds(9)), WAIT).unwrap(),
            _ => clear(&open, WAIT).unwrap(),
        }
        assert!(!worktree.file().is_symlink());
        assert_eq!(worktree.file().exists(), left, "{act}");
        assert_eq!(fs::read(&target).unwrap(), bytes, "{act}: the target was touched");
    }
}

/// F-1: nor is a second name of another file.
#[test]
fn f_1_a_hard_link_in_place_of_the_file_is_no_cursor() {
    let worktree = Worktree::with_cursor();
    let other = worktree.0.path().join("other");
    fs::hard_link(worktree.file(), &other).unwrap();
    assert_eq!(look(&worktree.open()).unwrap(), None);
    save(&worktree.open(), &Cursor::new(UnixSeconds(9)), WAIT).unwrap();
    assert_eq!(fs::read(&other).unwrap(), cursor().encode_file().unwrap());
}

fn is_refused<T: std::fmt::Debug>(result: &Result<T, Error>, what: &str) {
    assert!(matches!(result, Err(Error::Store(_))), "{what}: {result:?}");
}

/// F-1: what would be written through a link in place of the directory would be another directory's.
#[test]
fn f_1_a_symlink_in_place_of_the_directory_is_refused() {
    let (worktree, outside) = (Worktree::new(), tempfile::tempdir().unwrap());
    symlink(outside.path(), worktree.0.path().join(".ait-worktree")).unwrap();
    let open = worktree.open();
    is_refused(&look(&open), "look");
    is_refused(&load(&open, WAIT), "load");
    is_refused(&save(&open, &cursor(), WAIT), "save");
    is_refused(&clear(&open, WAIT), "clear");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn writers_exclude_each_other_and_a_reader_waits_for_nobody() {
    let worktree = Worktree::with_cursor();
    let lock = OsVfs
        .open_directory(&worktree.0.path().join(".ait-worktree"))
        .and_then(|directory| directory.open_file(b"cursor.lock", Access::ReadWrite))
        .unwrap();
    assert!(lock.lock(LockMode::Exclusive, false).unwrap());
    is_refused(&save(&worktree.open(), &cursor(), WAIT), "save");
    is_refused(&clear(&worktree.open(), WAIT), "clear");
    assert_eq!(load(&worktree.open(), WAIT).unwrap(), Some(cursor()));
    lock.unlock().unwrap();
    clear(&worktree.open(), WAIT).unwrap();
}

#[test]
fn a_cursor_that_breaks_a_rule_is_refused_and_the_old_one_stays() {
    let worktree = Worktree::with_cursor();
    let loose = Cursor { task: None, ..cursor() };
    for (wrong, by) in [(loose, "G03"), (Cursor::new(UnixSeconds(0)), "F-1")] {
        let refused = save(&worktree.open(), &wrong, WAIT);
        assert!(
            matches!(refused, Err(Error::Refused { rule, .. }) if rule == by),
            "{refused:?}"
        );
    }
    assert_eq!(look(&worktree.open()).unwrap(), Some(cursor()));
}

#[test]
fn a_file_in_place_of_the_directory_is_the_callers_and_stays() {
    let worktree = Worktree::new();
    let path = worktree.0.path().join(".ait-worktree");
    fs::write(&path, b"mine").unwrap();
    is_refused(&save(&worktree.open(), &cursor(), WAIT), "save");
    assert_eq!(fs::read(Path::new(&path)).unwrap(), b"mine");
}
