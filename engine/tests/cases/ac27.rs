//! AC27: read-only opens of other stores created files, skipped the check whether recovery is needed, leaked locks, or
//! needed a writable lock file.
//!
//! Here the fault disk tells that a read-only handle makes no changing call, an unfinished change is `RecoveryNeeded`
//! whatever state it is in, every error path gives its locks back, and it all works on a read-only tree.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use graven::format::Namespace;
use graven::vfs::fault::{CutPlan, EIO, Effect, Fault, FaultDisk, OperationKind};
use graven::{ErrorKind, Flow, LockWait, Store};

use super::{LATER, PATH, bytes, fill, filled_disk, killed_in_rename, names, on, options, snapshot_zero};

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

/// Where the path of the store stands for the test binary that is started again as a process without privileges.
const STORE_OF_READER: &str = "GRAVEN_TEST_STORE_OF_READER";

/// Does nothing in an ordinary run; the test below starts it as another process.
#[test]
fn the_reader_without_privileges() {
    let Some(path) = std::env::var_os(STORE_OF_READER) else {
        return;
    };
    let path = Path::new(&path);
    read_all(&options(), path);
    let refused = Store::open(path, &options()).unwrap_err();
    assert_eq!(*refused.kind(), ErrorKind::Permission, "{refused}");
    for refused in [
        graven::recover(path, &options(), false, |_| Flow::Continue).map(drop),
        Store::create(path.join("new"), Namespace::EMPTY, &options()).map(drop),
    ] {
        assert_eq!(*refused.unwrap_err().kind(), ErrorKind::Permission);
    }
}

#[test]
fn ac27_who_may_only_read_needs_no_writable_lock_file_and_is_told_permission_when_writing() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    let store = Store::create(&path, Namespace::EMPTY, &options()).unwrap();
    fill(&store);
    store.close().unwrap();
    set_modes(&path, 0o555, 0o444);
    fs::set_permissions(parent.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Somebody without privileges may not reach the binary where it stands.
    let binary = parent.path().join("reader");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let before = tree(&path);
    let mut reader = Command::new(&binary);
    reader.args(["--exact", "ac27::the_reader_without_privileges", "--test-threads=1"]);
    reader.env(STORE_OF_READER, &path).current_dir("/");
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        reader.uid(65_534).gid(65_534);
    }
    let output = reader.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert!(tree(&path) == before);
    set_modes(&path, 0o755, 0o644);
}

#[test]
fn ac27_a_backup_a_restore_and_a_checkout_change_nothing_in_their_source() {
    let parent = tempfile::tempdir().unwrap();
    let (path, copy) = (parent.path().join("s"), parent.path().join("copy"));
    let store = Store::create(&path, Namespace::EMPTY, &options()).unwrap();
    fill(&store);
    store.close().unwrap();
    let before = tree(&path);
    let reader = Store::open(&path, &options().read_only(true)).unwrap();
    reader.backup(&copy, |_| Flow::Continue).unwrap();
    let root = reader
        .read(|view| Ok(view.snapshots()?.get(snapshot_zero())?.manifest_hash))
        .unwrap();
    reader.check_out(&root, &parent.path().join("tree"), &[]).unwrap();
    assert!(tree(&path) == before);
    let before = tree(&copy);
    graven::restore(&copy, parent.path().join("restored"), &options(), LATER, |_| {
        Flow::Continue
    })
    .unwrap();
    assert!(tree(&copy) == before);
}

/// Something that takes locks.
type Act = fn(&Store) -> graven::Result<()>;

/// Any call at which a view, a transaction, a commit, a backup or the sync of a mark fails: the next process gets the
/// lock, though the handle that failed is still there.
#[test]
fn ac27_whatever_call_fails_the_locks_are_given_back() {
    let sound = filled_disk();
    let acts: [(&str, Act); 6] = [
        ("view", |store| store.view().map(drop)),
        ("begin", |store| store.begin(LATER).map(drop)),
        ("write", |store| {
            store.write(LATER, |txn| txn.create_line("new", None)).map(drop)
        }),
        ("group", |store| {
            store.group(LATER, |txn| txn.create_line("new", None)).map(drop)
        }),
        ("sync_spent", Store::sync_spent),
        ("backup", |store| store.backup("/copy", |_| Flow::Continue).map(drop)),
    ];
    for (what, act) in acts {
        let mut failed = 0;
        for call in 1.. {
            let disk = sound.fork();
            let store = Store::open(PATH, &on(&disk, 1).cache_bytes(0)).unwrap();
            store.write(LATER, |txn| txn.create_line("before", None)).unwrap();
            disk.record_trace(true);
            disk.inject(Fault::at_operation(call, Effect::Fail(EIO)));
            let answer = act(&store);
            if disk.faults_fired() == 0 {
                answer.unwrap();
                break;
            }
            disk.clear_faults();
            let hit = disk.trace()[usize::try_from(call - 1).unwrap()].kind;
            if hit == OperationKind::Unlock {
                // Giving a lock up does not fail on a descriptor that is open.
                continue;
            }
            failed += u64::from(answer.is_err());
            let other = Store::open(PATH, &on(&disk, 2).wait(LockWait::TryOnce));
            let other = other.unwrap_or_else(|error| panic!("{what}, {hit:?} at call {call}: {error}"));
            other.write(LATER, |txn| txn.create_line("after", None)).unwrap();
            drop(store);
        }
        assert!(failed > 0, "{what}");
    }
}
