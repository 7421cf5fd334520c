//! AC17, AC18 and AC19: control files of other stores were empty or full of NULs after a power loss, a process that was
//! killed right after a create left something that neither opened nor could be created again, and names that were never
//! synced went missing.
//!
//! Here creating is an install: half-created means not created, creating again works, and what was created is there after
//! every cut.

use std::sync::Barrier;
use std::thread;

use graven::disk::{DurableDirectory, Install};
use graven::format::Namespace;
use graven::vfs::fault::{CutPlan, Effect, Fault, FaultDisk, KillPoints, Kinds, Level};
use graven::{ErrorKind, Flow, Options, Store};

use super::{LATER, NOW, PATH, empty_disk, fill, filled_disk, names, on, options};

fn create(options: &Options) -> graven::Result<Store> {
    Store::create(PATH, "AB".parse().unwrap(), options)
}

/// The store of that disk works, and holds nothing yet.
fn is_whole(disk: &FaultDisk, what: &str) {
    let store = Store::open(PATH, &on(disk, 8)).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(store.namespace().as_str(), "AB");
    assert_eq!(names(&store), [""; 0]);
    fill(&store);
    let found = graven::verify(PATH, &on(disk, 9), true, |_| Flow::Continue).unwrap();
    assert!(found.is_clean(), "{what}: {:?}", found.findings);
}

/// No store, and no traces that keep one from being created.
fn can_be_created_again(disk: &FaultDisk, what: &str) {
    match Store::open(PATH, &on(disk, 6)) {
        Err(error) => assert_eq!(*error.kind(), ErrorKind::NotFound, "{what}: {error}"),
        Ok(_) => panic!("{what}: it opens"),
    }
    create(&on(disk, 7)).unwrap_or_else(|error| panic!("{what}: {error}"));
    is_whole(disk, what);
    let left: Vec<String> = disk
        .files()
        .into_keys()
        .filter(|path| !path.starts_with(PATH))
        .collect();
    assert_eq!(left, [""; 0], "{what}: an interrupted create left something for good");
}

#[test]
fn ac17_ac18_a_create_that_is_killed_or_cut_anywhere_did_not_happen_or_did_and_can_be_done_again() {
    let disk = FaultDisk::new();
    disk.record_kill_points(KillPoints::BetweenOperations);
    create(&on(&disk, 1)).unwrap();
    let (mut absent, mut whole) = (0, 0);
    let mut states = disk.snapshots();
    assert!(states.len() > 60, "a create has only {} changing calls", states.len());
    for state in states.drain(..) {
        let what = format!("kill at call {}", state.operation);
        let mut images = vec![state.disk.fork()];
        for plan in [CutPlan::all_lost(), CutPlan::all_kept()] {
            images.push(state.disk.cut(&plan).unwrap());
        }
        for image in images {
            let exists = image.files().keys().any(|path| path.starts_with(PATH));
            if exists {
                whole += 1;
                is_whole(&image, &what);
            } else {
                absent += 1;
                can_be_created_again(&image, &what);
            }
        }
    }
    assert!(absent > 100 && whole > 2, "{absent} absent, {whole} whole");
}

#[test]
fn ac17_a_create_that_fails_at_any_call_leaves_nothing_in_the_way() {
    for code in [graven::vfs::fault::EIO, graven::vfs::fault::ENOSPC] {
        for at in 1.. {
            let disk = FaultDisk::new();
            disk.inject(Fault::nth(Kinds::Changes, at, Effect::Fail(code)));
            let done = create(&on(&disk, 1));
            if disk.faults_fired() == 0 {
                done.unwrap();
                break;
            }
            disk.clear_faults();
            let what = format!("call {at} fails with {code}");
            if let Err(error) = done {
                assert!(!error.is_corrupt(), "{what}: {error}");
                if disk.files().keys().any(|path| path.starts_with(PATH)) {
                    is_whole(&disk, &what);
                } else {
                    can_be_created_again(&disk.fork(), &what);
                }
            }
        }
    }
}

#[test]
fn ac17_a_header_that_is_short_or_of_nuls_is_told_and_never_made_anew() {
    let sound = empty_disk();
    let mut tried = 0;
    for path in sound.files().into_keys().filter(|path| path.contains(".bin")) {
        for header in [&[][..], &[1], &[1, 0], &[1, 0, 0], &[0, 0, 0, 0]] {
            let disk = sound.fork();
            disk.write_file(&path, header).unwrap();
            let before = disk.files();
            let error = Store::open(PATH, &on(&disk, 1)).unwrap_err();
            assert!(error.is_corrupt(), "{path} {header:?}: {error}");
            assert!(disk.files() == before, "{path} {header:?}: something was written");
            tried += 1;
        }
    }
    assert!(tried > 50);
}

#[test]
fn ac17_a_store_file_of_nuls_or_of_nothing_is_told() {
    for bytes in [&[][..], &[0; 16], b"graven 1"] {
        let disk = filled_disk();
        disk.write_file("/s.graven/graven.store", bytes).unwrap();
        let error = Store::open(PATH, &on(&disk, 1)).unwrap_err();
        assert_eq!(error.rule(), Some("F-0.8"), "{error}");
    }
}

#[test]
fn ac18_an_empty_store_opens_right_after_it_was_created() {
    let disk = FaultDisk::new();
    drop(create(&on(&disk, 1)).unwrap());
    disk.kill(1);
    is_whole(&disk.fork(), "after a kill");
    is_whole(&disk.cut(&CutPlan::all_lost()).unwrap(), "after a cut");
}

/// What a living creator has prepared is nobody else's to remove.
#[test]
fn ac18_a_second_creator_leaves_what_a_living_one_prepares() {
    let disk = FaultDisk::new();
    let parent = |process| DurableDirectory::new(disk.process(process).open_directory("/".as_ref()).unwrap(), "/");
    let begin = |process: u32| Install::begin(&parent(process), "s", u64::from(process).to_be_bytes(), "marker", b"");
    let first = begin(1).unwrap();
    let second = begin(2).unwrap();
    first.directory().create_file("a", b"1").unwrap();
    first.finish().unwrap();
    assert_eq!(second.finish().unwrap_err().to_string().matches("not empty").count(), 1);
    assert_eq!(disk.read_file("/s/a").unwrap(), b"1");
}

#[test]
fn ac18_of_creates_that_race_one_wins_and_the_others_are_told() {
    for _ in 0..20 {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("s");
        let barrier = Barrier::new(6);
        let outcomes: Vec<graven::Result<Store>> = thread::scope(|scope| {
            let racer = || {
                barrier.wait();
                Store::create(&path, Namespace::EMPTY, &options())
            };
            let racers: Vec<_> = (0..6).map(|_| scope.spawn(racer)).collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1, "{lost:?}");
        for error in lost.into_iter().map(Result::unwrap_err) {
            // One that was cleared away before its marker was locked is told to come again.
            assert!(error.rule() == Some("F-0.8") || error.is_retryable(), "{error}");
        }
        let found = graven::verify(&path, &options(), true, |_| Flow::Continue).unwrap();
        assert!(found.is_clean(), "{:?}", found.findings);
    }
}

#[test]
fn ac19_what_was_created_backed_up_or_restored_is_there_after_every_cut() {
    let disk = FaultDisk::new();
    let store = create(&on(&disk, 1)).unwrap();
    for plan in disk.cut_plans(Level::Classes) {
        is_whole(&disk.cut(&plan).unwrap(), "created");
    }
    fill(&store);
    store.close().unwrap();
    let store = Store::open(PATH, &on(&disk, 2)).unwrap();
    store.backup("/backup", |_| Flow::Continue).unwrap();
    graven::restore("/backup", "/restored", &on(&disk, 3), NOW, |_| Flow::Continue).unwrap();
    store.write(LATER, |txn| txn.create_line("acknowledged", None)).unwrap();
    for plan in disk.cut_plans(Level::Classes) {
        let image = disk.cut(&plan).unwrap();
        for (path, lines) in [(PATH, 3), ("/backup", 2), ("/restored", 2)] {
            let opened = Store::open(path, &on(&image, 4)).unwrap();
            assert_eq!(names(&opened).len(), lines, "{path} {plan:?}");
        }
    }
}

#[test]
fn ac19_index_files_whose_names_are_lost_or_old_only_cost_time() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    store.write(LATER, |txn| txn.create_line("more", None)).unwrap();
    disk.record_kill_points(KillPoints::BetweenOperations);
    store.write_indexes().unwrap();
    let states = disk.snapshots();
    assert!(states.len() > 5);
    for state in states {
        for plan in state.disk.cut_plans(Level::Classes) {
            let image = state.disk.cut(&plan).unwrap();
            let opened = Store::open(PATH, &on(&image, 2)).unwrap();
            assert_eq!(names(&opened), ["main", "side", "more"]);
            let found = opened
                .read(|view| Ok(view.lines()?.by_name("more")?.is_some()))
                .unwrap();
            assert!(found, "{plan:?}");
        }
    }
    let namespace: Namespace = Namespace::EMPTY;
    assert_eq!(store.namespace(), namespace);
}
