//! AC27: read-only opens of other stores created files, skipped the check whether recovery is needed, leaked locks, or
//! needed a writable lock file.
//!
//! Here the fault disk tells that a read-only handle makes no changing call, an unfinished change is `RecoveryNeeded`
//! whatever state it is in, every error path gives its locks back, and it all works on a read-only tree.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::SystemTime;

use graven::format::Namespace;
use graven::vfs::fault::{CutPlan, FaultDisk, OperationKind};
use graven::{ErrorKind, Flow, LockWait, Store};

use super::{LATER, PATH, bytes, fill, filled_disk, killed_in_rename, names, on, options};

/// Everything a read-only handle can be asked.
fn read_all(options: &graven::Options, path: &Path) {
    let store = Store::open(path, &options.clone().read_only(true)).unwrap();
    assert_eq!(names(&store), ["main", "side"]);
    store.read(|view| Ok(view.tags()?.by_name("v1")?.is_some())).unwrap();
    store.read(|view| Ok(view.snapshots()?.count())).unwrap();
    let objects = store.objects();
    let view = objects.view().unwrap();
    for row in view.objects().unwrap() {
        row.unwrap().1.read().unwrap();
    }
    drop(view);
    store.close().unwrap();
    assert!(
        graven::verify(path, options, true, |_| Flow::Continue)
            .unwrap()
            .is_clean()
    );
    graven::repair(path, options, true, |_| Flow::Continue).unwrap();
    graven::pending(path, options).unwrap();
    graven::raw_family(path, "line", options).unwrap().read(0).unwrap();
}

#[test]
fn ac27_a_read_only_handle_makes_no_changing_call() {
    let disk = filled_disk();
    let before = disk.files();
    disk.record_trace(true);
    read_all(&on(&disk, 1), Path::new(PATH));
    let changing: Vec<_> = disk.trace().into_iter().filter(|entry| entry.kind.changes()).collect();
    assert_eq!(changing, []);
    assert!(disk.files() == before);
    assert_eq!(disk.violations(), []);
}

#[test]
fn ac27_a_read_only_tree_is_read_and_nothing_of_it_changes() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    let store = Store::create(&path, Namespace::EMPTY, &options()).unwrap();
    fill(&store);
    store.close().unwrap();
    set_modes(&path, 0o555, 0o444);
    let before = tree(&path);
    read_all(&options(), &path);
    assert!(tree(&path) == before);
    set_modes(&path, 0o755, 0o644);
}

/// The names, bytes and times of everything below `path`.
fn tree(path: &Path) -> Vec<(String, Vec<u8>, SystemTime)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        let bytes = if metadata.is_dir() {
            Vec::new()
        } else {
            fs::read(entry.path()).unwrap()
        };
        all.push((entry.path().display().to_string(), bytes, metadata.modified().unwrap()));
        if metadata.is_dir() {
            all.extend(tree(&entry.path()));
        }
    }
    all.sort();
    all
}

fn set_modes(path: &Path, directory: u32, file: u32) {
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        if entry.metadata().unwrap().is_dir() {
            set_modes(&entry.path(), directory, file);
        } else {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(file)).unwrap();
        }
    }
    fs::set_permissions(path, fs::Permissions::from_mode(directory)).unwrap();
}

#[test]
fn ac27_an_unfinished_change_is_recovery_needed_until_somebody_may_write() {
    let sound = filled_disk();
    let (mut unfinished, mut at) = (0, 1);
    while let Some(disk) = killed_in_rename(&sound, at) {
        at += 1;
        let before = disk.files();
        let reader = Store::open(PATH, &on(&disk, 2).read_only(true));
        let expected = match reader {
            Ok(store) => names(&store),
            Err(error) => {
                assert_eq!(*error.kind(), ErrorKind::RecoveryNeeded, "{error}");
                unfinished += 1;
                assert!(graven::pending(PATH, &on(&disk, 2)).unwrap()[0].pending.is_some());
                let found = graven::verify(PATH, &on(&disk, 2), true, |_| Flow::Continue).unwrap();
                assert_eq!(
                    found.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(),
                    ["F-0.5"]
                );
                assert!(disk.files() == before, "nobody has written");
                names(&Store::open(PATH, &on(&disk, 3)).unwrap())
            }
        };
        let reader = Store::open(PATH, &on(&disk, 2).read_only(true)).unwrap();
        assert_eq!(names(&reader), expected);
        assert!(["main", "trunk"].contains(&expected[0].as_str()), "{expected:?}");
    }
    assert!(unfinished >= 3, "only {unfinished} kills left something to recover");
}

#[test]
fn ac27_every_error_path_gives_its_locks_back() {
    let sound = filled_disk();
    let dirty = killed_in_rename(&sound, 4).unwrap();
    for (disk, what) in [(dirty, "an unfinished change"), (damaged(&sound), "a damaged header")] {
        let refused = Store::open(PATH, &on(&disk, 2).read_only(true)).unwrap_err();
        assert!(!refused.is_retryable(), "{what}: {refused}");
        let answer = Store::open(PATH, &on(&disk, 3).wait(LockWait::TryOnce));
        let busy = answer.is_err_and(|error| *error.kind() == ErrorKind::Busy);
        assert!(!busy, "{what}: a lock was kept");
    }
    let disk = sound.fork();
    let store = Store::open(PATH, &on(&disk, 2)).unwrap();
    store.write(LATER, |txn| txn.create_line("", None)).unwrap_err();
    store.read(|_| Err::<(), _>(refusal(&store))).unwrap_err();
    Store::open(PATH, &on(&disk, 3).wait(LockWait::TryOnce))
        .unwrap()
        .begin(LATER)
        .unwrap();
}

fn refusal(store: &Store) -> graven::Error {
    store.begin(LATER).unwrap_err()
}

fn damaged(sound: &FaultDisk) -> FaultDisk {
    let disk = sound.fork();
    disk.flip("/s.graven/workflow/tag.bin", 0, 0xFF).unwrap();
    disk
}

#[test]
fn ac27_a_cut_after_a_read_only_session_leaves_what_was_there() {
    let disk = filled_disk();
    let before = bytes(&disk);
    read_all(&on(&disk, 1), Path::new(PATH));
    for plan in [CutPlan::all_lost(), CutPlan::all_kept()] {
        assert!(bytes(&disk.cut(&plan).unwrap()) == before, "{plan:?}");
    }
    assert_eq!(disk.counters().calls(OperationKind::SyncData), 0);
}
