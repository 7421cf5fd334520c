//! The cursor of a worktree, through the public face and on the fault disk: disposable, durable, and no part of a store.
#![cfg(feature = "fault")]

use std::path::Path;

use graven::cursor::{self, Cursor};
use graven::format::TaskIndex;
use graven::vfs::fault::{CutPlan, EIO, ENOSPC, Effect, Fault, FaultDisk, KillPoints, Kinds, Level};
use graven::vfs::{Mode, write_all_at};
use graven::{ErrorKind, Flow, NewTask, Options, Outcome, Store, UnixSeconds};

const STORE: &str = "/store";
const WORKTREE: &str = "/worktree";

fn on(disk: &FaultDisk, entropy: u8) -> Options {
    Options::new([entropy; 32]).vfs(disk.process(u32::from(entropy)))
}

fn at(seconds: u64) -> Cursor {
    Cursor {
        task: TaskIndex::new(0),
        ..Cursor::new(UnixSeconds(seconds))
    }
}

/// A disk with a store that has a Task, and with a worktree beside it.
fn disk() -> FaultDisk {
    let disk = FaultDisk::new();
    let store = Store::create(STORE, "AB".parse().unwrap(), &on(&disk, 1)).unwrap();
    store
        .write(UnixSeconds(10), |txn| {
            txn.create_task(&NewTask {
                title: "t",
                intent: "i",
                planned: false,
            })
        })
        .unwrap();
    store.close().unwrap();
    let root = disk.process(2).open_directory(Path::new("/")).unwrap();
    root.create_directory(b"worktree", Mode::Shared).unwrap();
    let worktree = root.open_directory(b"worktree").unwrap();
    let file = worktree.create_file(b"readme", Mode::Shared).unwrap();
    write_all_at(&*file, 0, b"read me").unwrap();
    file.sync_data().unwrap();
    worktree.sync().unwrap();
    root.sync().unwrap();
    disk.kill_all();
    disk.cut(&CutPlan::all_kept()).unwrap()
}

/// Every file of the store.
fn store_files(disk: &FaultDisk) -> Vec<(String, Vec<u8>)> {
    let files = disk.files().into_iter();
    files.filter(|(path, _)| path.starts_with(STORE)).collect()
}

/// What a run is about to do to the cursor.
type Act<'a> = &'a dyn Fn(&FaultDisk) -> graven::Result<()>;

/// Kills and cuts `act` before every call, and inside every write; afterwards the cursor is among `allowed`, can be
/// written, and neither the store nor the worktree's own file has changed.
fn killed_and_cut(start: &FaultDisk, act: Act<'_>, allowed: &[Option<Cursor>]) {
    let disk = start.fork();
    disk.record_kill_points(KillPoints::InsideWrites { step: 5 });
    act(&disk).unwrap();
    let states = disk.snapshots();
    assert!(states.len() > 1, "only {} changing calls", states.len());
    let mut seen = vec![false; allowed.len()];
    for state in states {
        let mut images = vec![state.disk.fork()];
        for plan in state.disk.cut_plans(Level::Exact) {
            images.push(state.disk.cut(&plan).unwrap());
        }
        for image in images {
            let what = format!("call {}", state.operation);
            let found = cursor::load(WORKTREE, &on(&image, 3)).unwrap();
            let place = allowed.iter().position(|allowed| *allowed == found);
            seen[place.unwrap_or_else(|| panic!("{what}: {found:?}"))] = true;
            assert!(
                store_files(&image) == store_files(start),
                "{what}: the store was touched"
            );
            assert_eq!(image.read_file("/worktree/readme").unwrap(), b"read me");
            cursor::save(WORKTREE, &at(99), &on(&image, 4)).unwrap();
            assert_eq!(cursor::load(WORKTREE, &on(&image, 5)).unwrap(), Some(at(99)), "{what}");
        }
    }
    assert!(seen.iter().all(|seen| *seen), "not every outcome occurs: {seen:?}");
    // What was answered is durable.
    let after = disk.cut(&CutPlan::all_lost()).unwrap();
    assert_eq!(
        cursor::load(WORKTREE, &on(&after, 3)).unwrap(),
        *allowed.last().unwrap()
    );
}

/// W-CURSOR-03: at every instant the cursor is the old one, the new one or none, and nothing else is damaged.
#[test]
fn w_cursor_03_a_save_that_is_killed_or_cut_anywhere_leaves_the_old_cursor_or_the_new_one() {
    let start = disk();
    let save = |disk: &FaultDisk| cursor::save(WORKTREE, &at(20), &on(disk, 3));
    killed_and_cut(&start, &save, &[None, Some(at(20))]);
    save(&start).unwrap();
    start.kill_all();
    let again = |disk: &FaultDisk| cursor::save(WORKTREE, &at(30), &on(disk, 3));
    killed_and_cut(&start, &again, &[Some(at(20)), Some(at(30))]);
    let clear = |disk: &FaultDisk| cursor::clear(WORKTREE, &on(disk, 3));
    killed_and_cut(&start, &clear, &[Some(at(20)), None]);
}

/// W-CURSOR-03: and so it is where any call fails; the answer then says what may have happened.
#[test]
fn w_cursor_03_a_save_that_fails_at_any_call_leaves_the_old_cursor_or_says_that_it_may_not() {
    let start = disk();
    cursor::save(WORKTREE, &at(20), &on(&start, 3)).unwrap();
    start.kill_all();
    for code in [EIO, ENOSPC] {
        let mut failures = 0;
        for call in 1.. {
            let disk = start.fork();
            disk.inject(Fault::nth(Kinds::Changes, call, Effect::Fail(code)));
            let done = cursor::save(WORKTREE, &at(30), &on(&disk, 3));
            if disk.faults_fired() == 0 {
                done.unwrap();
                break;
            }
            disk.clear_faults();
            failures += 1;
            let error = done.unwrap_err();
            assert!(!error.is_corrupt(), "{error}");
            let found = cursor::load(WORKTREE, &on(&disk, 4)).unwrap();
            match error.outcome() {
                Outcome::NotHappened => assert_eq!(found, Some(at(20)), "call {call}: {error}"),
                Outcome::Unknown => assert!([Some(at(20)), Some(at(30))].contains(&found), "{error}"),
            }
            assert!(store_files(&disk) == store_files(&start), "the store was touched");
            cursor::save(WORKTREE, &at(40), &on(&disk, 5)).unwrap();
            assert_eq!(cursor::load(WORKTREE, &on(&disk, 6)).unwrap(), Some(at(40)));
        }
        assert!(failures >= 4, "only {failures} calls failed");
    }
}

/// W-CURSOR-02, W-CURSOR-04: the store is the same with a cursor and without one, and no root may hold one.
#[test]
fn w_cursor_02_w_cursor_04_no_root_has_a_cursor_and_no_answer_of_a_store_depends_on_one() {
    let disk = disk();
    let look = |disk: &FaultDisk| {
        let store = Store::open(STORE, &on(disk, 7).read_only(true)).unwrap();
        let titles = store.read(|view| Ok(view.tasks()?.len())).unwrap();
        (titles, store_files(disk))
    };
    let without = look(&disk);
    cursor::save(WORKTREE, &at(20), &on(&disk, 3)).unwrap();
    assert!(look(&disk) == without, "an answer depends on the cursor");
    let inside = disk.fork();
    let bytes = inside.read_file("/worktree/.ait-worktree/cursor.bin").unwrap();
    inside.write_file("/store/workflow/cursor.bin", &bytes).unwrap();
    let refused = Store::open(STORE, &on(&inside, 8)).unwrap_err();
    assert!(refused.to_string().contains("cursor.bin"), "{refused}");
    let clean = graven::verify(STORE, &on(&disk, 9), true, |_| Flow::Continue).unwrap();
    assert!(clean.is_clean(), "{:?}", clean.findings);
}

/// W-CURSOR-05: a capture leaves `.ait-worktree` out at the top, and takes it as anything else further down.
#[test]
fn w_cursor_05_a_captured_worktree_has_no_cursor() {
    let disk = disk();
    let capture = |disk: &FaultDisk| {
        let store = Store::open(STORE, &on(disk, 7)).unwrap();
        let captured = store.write(UnixSeconds(50), |txn| txn.capture(Path::new(WORKTREE), &[]));
        let captured = captured.unwrap();
        captured.value.root
    };
    let without = capture(&disk.fork());
    cursor::save(WORKTREE, &at(20), &on(&disk, 3)).unwrap();
    assert_eq!(capture(&disk.fork()), without);
    let worktree = disk.process(4).open_directory(Path::new(WORKTREE)).unwrap();
    worktree.create_directory(b"below", Mode::Shared).unwrap();
    let below = worktree.open_directory(b"below").unwrap();
    below.create_directory(b".ait-worktree", Mode::Shared).unwrap();
    let with_it = capture(&disk.fork());
    below.remove_directory(b".ait-worktree").unwrap();
    assert_ne!(capture(&disk.fork()), with_it);
}

#[test]
fn options_for_reading_only_change_nothing_and_a_missing_worktree_is_not_found() {
    let disk = disk();
    let read_only = on(&disk, 3).read_only(true);
    let usage = |result: graven::Result<()>| *result.unwrap_err().kind() == ErrorKind::Usage;
    assert!(usage(cursor::save(WORKTREE, &at(20), &read_only)));
    assert!(usage(cursor::clear(WORKTREE, &read_only)));
    cursor::save(WORKTREE, &at(20), &on(&disk, 4)).unwrap();
    disk.write_file("/worktree/.ait-worktree/cursor.bin", b"nonsense")
        .unwrap();
    let before = disk.files();
    assert_eq!(cursor::load(WORKTREE, &read_only).unwrap(), None);
    assert!(disk.files() == before, "something was written");
    assert_eq!(cursor::load(WORKTREE, &on(&disk, 5)).unwrap(), None);
    assert!(!disk.files().contains_key("/worktree/.ait-worktree/cursor.bin"));
    let missing = cursor::load("/nowhere", &read_only).unwrap_err();
    assert_eq!(*missing.kind(), ErrorKind::NotFound);
}
