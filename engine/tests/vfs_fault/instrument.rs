//! The fault disk as an instrument: forks, digests, locks, traces, kill points, and the way from and to real trees.

use graven::vfs::fault::{
    CutPlan, EDEADLK, EIO, Effect, Fault, FaultDisk, KillPoints, Kinds, Misuse, OperationKind, Outcome,
};
use graven::vfs::{Access, Directory, EntryKind, File, FileSystem, LockMode, Mode, write_all_at};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

fn root(disk: &FaultDisk, process: u32) -> Arc<dyn Directory> {
    disk.process(process)
        .open_directory(Path::new("/"))
        .expect("the root directory")
}

fn create(directory: &dyn Directory, name: &str, bytes: &[u8]) -> Arc<dyn File> {
    let file = directory.create_file(name.as_bytes(), Mode::Private).expect("a file");
    write_all_at(&*file, 0, bytes).expect("a write");
    file
}

#[test]
fn a_fork_has_the_past_and_its_own_future() {
    let disk = FaultDisk::new();
    let here = root(&disk, 1);
    let file = create(&*here, "f", b"pending");
    let fork = disk.fork();
    assert_eq!(fork.digest(), disk.digest());
    write_all_at(&*file, 0, b"PENDING").expect("a write");
    here.sync().expect("a sync");
    assert_eq!(fork.read_file("/f").expect("the file"), b"pending");
    assert_eq!(fork.pending().len(), 2);
    let there = root(&fork, 1).open_file(b"f", Access::ReadWrite).expect("the file");
    there.sync_data().expect("a sync");
    assert_eq!(fork.read_durable("/f").expect("the file"), b"pending");
    assert_eq!(disk.read_durable("/f").expect("the file"), b"");
    assert!(file.lock(LockMode::Exclusive, false).expect("an answer"));
    assert!(
        there
            .lock(LockMode::Exclusive, false)
            .expect("locks are not shared between forks")
    );
}

/// Something that happens to the root directory and the file `f`.
type Change = dyn Fn(&dyn Directory, &dyn File);

#[test]
fn the_digest_names_what_a_later_run_can_tell_apart() {
    let base = FaultDisk::new();
    create(&*root(&base, 1), "f", b"0123");
    let known = base.digest();
    let digest = |change: &Change| {
        let disk = base.fork();
        let root = root(&disk, 1);
        let file = root.open_file(b"f", Access::ReadWrite).expect("the file");
        // A name that is known already must not outlive a change.
        assert_eq!(disk.digest(), known);
        change(&*root, &*file);
        disk.digest()
    };
    let changes: [&Change; 9] = [
        &|_, _| {},
        &|_, file| drop(file.write_at(0, b"x")),
        &|_, file| drop(file.write_at(1, b"x")),
        &|_, file| file.set_len(3).expect("shorter"),
        &|_, file| file.sync_data().expect("a sync"),
        &|root, _| root.sync().expect("a sync"),
        &|root, _| root.rename(b"f", b"g").expect("a rename"),
        &|root, _| root.create_directory(b"d", Mode::Private).expect("a directory"),
        &|root, _| root.create_symlink(b"d", b"f").expect("a symlink"),
    ];
    for (at, one) in changes.iter().enumerate() {
        assert_eq!(digest(one), digest(one));
        for other in &changes[at + 1..] {
            assert_ne!(digest(one), digest(other));
        }
    }
    assert_eq!(digest(changes[0]), known);
    // Reading, locking and what only a handle keeps alive leave no trace.
    assert_eq!(
        digest(changes[0]),
        digest(&|_, file| assert!(file.lock(LockMode::Shared, false).expect("an answer")))
    );
    assert_eq!(
        digest(changes[0]),
        digest(&|root, _| drop(root.create_unnamed().expect("a file")))
    );
}

#[test]
fn the_digest_does_not_depend_on_how_the_state_came_about() {
    let one = FaultDisk::new();
    let here = root(&one, 1);
    drop(create(&*here, "gone", b"x"));
    here.remove_file(b"gone").expect("a removal");
    for name in ["a", "b"] {
        create(&*here, name, name.as_bytes()).sync_data().expect("a sync");
    }
    here.sync().expect("a sync");
    let two = FaultDisk::new();
    two.write_file("/b", b"b").expect("a file");
    two.write_file("/a", b"a").expect("a file");
    assert_eq!(one.digest(), two.digest());
    two.hard_link("/a", "/c").expect("a link");
    one.write_file("/c", b"a").expect("a file");
    assert_ne!(one.digest(), two.digest(), "one file under two names is not two files");
}

#[test]
fn a_lock_belongs_to_an_open_file_across_processes() {
    let disk = FaultDisk::new();
    disk.write_file("/lock", b"").expect("a file");
    let open = |process| {
        root(&disk, process)
            .open_file(b"lock", Access::ReadWrite)
            .expect("the file")
    };
    let (one, again, two) = (open(1), open(1), open(2));
    assert!(one.lock(LockMode::Shared, false).expect("an answer"));
    assert!(two.lock(LockMode::Shared, true).expect("an answer"));
    assert!(
        !again
            .lock(LockMode::Exclusive, false)
            .expect("two handles of one process exclude each other")
    );
    let waits = again
        .lock(LockMode::Exclusive, true)
        .expect_err("nobody would ever give it up");
    assert_eq!(waits.raw_os_error(), Some(EDEADLK));
    drop(open(1));
    assert!(!two.lock(LockMode::Exclusive, false).expect("a conversion that fails"));
    assert!(
        one.lock(LockMode::Exclusive, false)
            .expect("has given the shared lock up")
    );
    drop(one);
    assert!(two.lock(LockMode::Exclusive, false).expect("closing gives up"));
    disk.kill(2);
    assert!(again.lock(LockMode::Exclusive, false).expect("so does dying"));
    again.unlock().expect("given up");
    again.unlock().expect("twice");
    assert_eq!(
        disk.violations().last().map(|violation| violation.fault),
        Some(Misuse::UnlockWithoutLock)
    );
}

#[test]
fn a_trace_tells_every_call_and_counters_count_without_it() {
    let disk = FaultDisk::new();
    disk.write_file("/f", b"0123").expect("a file");
    disk.record_trace(true);
    let root = root(&disk, 5);
    let file = root.open_file(b"f", Access::Read).expect("the file");
    file.read_at(1, &mut [0; 9]).expect("a read");
    file.write_at(0, b"x").expect_err("a handle for reading");
    root.rename(b"f", b"g").expect("a rename");
    disk.inject(Fault::nth(Kinds::Syncs, 1, Effect::Fail(EIO)));
    root.sync().expect_err("EIO");
    let trace = disk.trace();
    let told: Vec<_> = trace
        .iter()
        .map(|call| (call.kind, &*call.path, call.offset, call.len, call.outcome))
        .collect();
    let ebadf = rustix::io::Errno::BADF.raw_os_error();
    let expected = [
        (OperationKind::OpenDirectory, "", 0, 0, Outcome::Done(0)),
        (OperationKind::OpenFile, "/f", 0, 0, Outcome::Done(0)),
        (OperationKind::Read, "/f", 1, 9, Outcome::Done(3)),
        (OperationKind::Write, "/f", 0, 1, Outcome::Failed(ebadf)),
        (OperationKind::Rename, "/f", 0, 0, Outcome::Done(0)),
        (OperationKind::SyncDirectory, "", 0, 0, Outcome::Failed(EIO)),
    ];
    assert_eq!(told, expected);
    assert_eq!(trace[4].to.as_deref(), Some("/g"));
    assert_eq!(
        trace.iter().map(|call| call.operation).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
    assert!(trace.iter().all(|call| call.process == 5));
    disk.record_trace(false);
    root.entries().expect("entries");
    assert_eq!((disk.trace().len(), disk.operations()), (0, 7));
    assert_eq!(
        (disk.counters().calls(OperationKind::Read), disk.counters().bytes_read),
        (1, 3)
    );
}

#[test]
fn calls_that_no_correct_program_makes_are_reported() {
    let disk = FaultDisk::new();
    let root = root(&disk, 1);
    root.create_directory(b"d", Mode::Private).expect("a directory");
    let removed = root.open_directory(b"d").expect("it");
    root.remove_directory(b"d").expect("a removal");
    let file = create(&*root, "f", b"x");
    let reader = root.open_file(b"f", Access::Read).expect("the file");
    assert_eq!(
        removed.create_file(b"x", Mode::Private).expect_err("removed").kind(),
        ErrorKind::NotFound
    );
    reader.set_len(0).expect_err("a handle for reading");
    root.rename(b"f", b"../f").expect_err("a path");
    file.write_at(u64::MAX, b"xx").expect_err("an overflow");
    disk.kill(1);
    root.rename(b"f", b"g").expect_err("dead");
    let said: Vec<_> = disk.violations().into_iter().map(|violation| violation.fault).collect();
    let expected = [
        Misuse::RemovedDirectory,
        Misuse::ChangeThroughReader,
        Misuse::BadName,
        Misuse::BeyondAnyFile,
        Misuse::ChangeByTheDead,
    ];
    assert_eq!(said, expected);
    assert_eq!(disk.files().into_keys().collect::<Vec<_>>(), ["/f"]);
}

#[test]
fn one_run_yields_the_disk_of_every_kill() {
    let disk = FaultDisk::new();
    disk.record_kill_points(KillPoints::InsideWrites { step: 2 });
    let root = root(&disk, 1);
    let file = create(&*root, "f", b"abcde");
    file.metadata().expect("no change, no kill point");
    file.sync_data().expect("a sync");
    root.sync().expect("a sync");
    let told: Vec<_> = disk
        .snapshots()
        .into_iter()
        .map(|at| {
            (
                at.operation,
                at.written,
                at.disk.read_file("/f").ok(),
                at.disk.pending().len(),
            )
        })
        .collect();
    let text = |bytes: &[u8]| Some(bytes.to_vec());
    let expected = [
        (2, None, None, 0),
        (3, None, text(b""), 1),
        (3, Some(2), text(b"ab"), 2),
        (3, Some(4), text(b"abcd"), 2),
        (5, None, text(b"abcde"), 2),
        (6, None, text(b"abcde"), 1),
    ];
    assert_eq!(told, expected);
    assert_eq!(disk.snapshots().len(), 0, "they are handed out once");
    disk.record_kill_points(KillPoints::BetweenOperations);
    root.remove_file(b"f").expect("a removal");
    let before = disk.snapshots();
    assert_eq!(before.len(), 1);
    // A snapshot is what a run that is killed there leaves.
    assert_eq!(before[0].disk.files().len(), 1);
    assert_eq!(
        before[0].disk.cut(&CutPlan::all_lost()).expect("a plan").files().len(),
        1
    );
}

#[test]
fn a_kill_at_an_operation_leaves_the_snapshot_before_it() {
    let run = |disk: &FaultDisk| -> std::io::Result<()> {
        let root = disk.process(1).open_directory(Path::new("/"))?;
        let file = root.create_file(b"tmp", Mode::Private)?;
        write_all_at(&*file, 0, b"content")?;
        file.sync_data()?;
        root.rename(b"tmp", b"f")?;
        root.sync()
    };
    let disk = FaultDisk::new();
    disk.record_kill_points(KillPoints::BetweenOperations);
    run(&disk).expect("a whole run");
    let snapshots = disk.snapshots();
    assert_eq!(snapshots.len(), 5);
    for snapshot in snapshots {
        let other = FaultDisk::new();
        other.inject(Fault::at_operation(snapshot.operation, Effect::Kill));
        run(&other).expect_err("killed");
        assert_eq!(
            other.digest(),
            snapshot.disk.digest(),
            "operation {}",
            snapshot.operation
        );
    }
}

#[test]
fn a_path_is_resolved_through_symlinks_and_a_name_never() {
    let disk = FaultDisk::new();
    disk.make_directory("/srv/real").expect("a directory");
    disk.make_symlink("/srv/alias", "real").expect("a symlink");
    disk.make_symlink("/abs", "/srv/alias/../alias").expect("a symlink");
    disk.make_symlink("/loop", "loop").expect("a symlink");
    disk.write_file("/srv/real/x", b"x").expect("a file");
    let vfs = disk.process(1);
    for path in ["/srv/real", "srv/alias", "/abs", "/abs/./../real/"] {
        let directory = vfs.open_directory(Path::new(path)).expect("a way");
        assert_eq!(directory.entries().expect("entries")[0].name, b"x");
    }
    vfs.open_directory(Path::new("/loop")).expect_err("a loop");
    let srv = vfs.open_directory(Path::new("/srv")).expect("it");
    srv.open_directory(b"alias").expect_err("a symlink");
}

#[test]
fn what_a_store_must_refuse_can_be_put_on_the_disk() {
    let disk = FaultDisk::new();
    disk.write_file("/f", b"x").expect("a file");
    disk.hard_link("/f", "/g").expect("a hard link");
    disk.make_special("/pipe").expect("a pipe");
    disk.set_file_system(FileSystem::Network(0x6969));
    let root = root(&disk, 1);
    assert_eq!(
        root.open_file(b"g", Access::Read)
            .expect("the file")
            .metadata()
            .expect("metadata")
            .links,
        2
    );
    let pipe = root.open_file(b"pipe", Access::ReadWrite).expect("it opens");
    assert!(!pipe.metadata().expect("metadata").is_file);
    pipe.read_at(0, &mut [0]).expect_err("no offsets");
    assert_eq!(root.entries().expect("entries")[2].kind, EntryKind::Other);
    assert_eq!(
        root.file_system().expect("an answer"),
        FileSystem::Network(0x6969),
        "AC30"
    );
    disk.erase("/f").expect("gone");
    assert_eq!(
        root.open_file(b"g", Access::Read)
            .expect("the file")
            .metadata()
            .expect("metadata")
            .links,
        1
    );
}

#[test]
fn a_tree_goes_to_a_real_directory_and_comes_back() {
    let disk = FaultDisk::new();
    let here = root(&disk, 1);
    here.create_directory(b"d", Mode::Private).expect("a directory");
    let inner = here.open_directory(b"d").expect("it");
    create(&*inner, "pending", b"not synced, and yet readable");
    inner.create_file(b"run", Mode::Executable).expect("a file");
    inner.create_symlink(b"link", b"../d/run").expect("a symlink");
    create(&*here, "large", &vec![7; 10_000]);
    let tree = tempfile::tempdir().expect("a directory");
    disk.write_to(&tree.path().join("out")).expect("written");
    let back = FaultDisk::from_directory(&tree.path().join("out")).expect("loaded");
    assert_eq!(back.files(), disk.files());
    assert_eq!(back.pending(), []);
    assert_eq!(back.digest(), disk.cut(&CutPlan::all_kept()).expect("a plan").digest());
    assert_eq!(std::fs::read(tree.path().join("out/d/pending")).expect("it").len(), 28);
}
