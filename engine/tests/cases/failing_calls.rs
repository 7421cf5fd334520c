//! AC26: a call that the operating system refuses is told as what it is, changes nothing that was not to be written,
//! and is no reason to call anything corrupt; the same call made again succeeds.

use std::path::Path;

use graven::vfs::fault::{EACCES, EIO, EMFILE, EROFS, Effect, Fault, FaultDisk, Kinds, OperationKind};
use graven::{Error, ErrorKind, Flow, Options, Outcome, Store, raw_family, recover, verify};

use super::has_extension;
use crate::support::{change, create_sample, lines, options, read_all};

const STORE: &str = "/store";
/// What each code must be told as.
const CODES: [(i32, &str, ErrorKind); 4] = [
    (EIO, "EIO", ErrorKind::Io),
    (EMFILE, "EMFILE", ErrorKind::Io),
    (EACCES, "EACCES", ErrorKind::Permission),
    (EROFS, "EROFS", ErrorKind::Permission),
];

fn on(disk: &FaultDisk, read_only: bool) -> Options {
    options().read_only(read_only).vfs(disk.process(1))
}

fn sample() -> FaultDisk {
    let disk = FaultDisk::new();
    drop(create_sample(Path::new(STORE), &on(&disk, false)).expect("the sample"));
    disk.fork()
}

/// The sample with a change whose writer was killed at the `nth` write of `file`.
fn killed_at(file: &str, nth: u64) -> FaultDisk {
    let disk = sample();
    let store = Store::open(STORE, &on(&disk, false)).expect("a store");
    disk.inject(Fault::nth(Kinds::Only(OperationKind::Write), nth, Effect::Kill).on(file));
    drop(change(&store, "unfinished"));
    assert!(!disk.is_alive(1));
    drop(store);
    disk.fork()
}

/// Runs `act` with each of its calls failing once by each code; `check` judges what is left of each failure.
fn with_each_call_failing(
    base: &FaultDisk,
    act: impl Fn(&FaultDisk) -> Result<(), Error>,
    check: impl Fn(&FaultDisk, &str),
) {
    let clean = base.fork();
    act(&clean).expect("without a failing call");
    let calls = clean.operations();
    assert!(calls > 10, "{calls} calls");
    let mut told = 0;
    for call in 1..=calls {
        for (code, name, kind) in &CODES {
            let disk = base.fork();
            disk.inject(Fault::at_operation(call, Effect::Fail(*code)));
            let what = format!("{name} at call {call} of {calls}");
            match act(&disk) {
                // Giving a lock up and looking at an index file are of no consequence.
                Ok(()) => {}
                Err(error) => {
                    assert_eq!(error.kind(), kind, "{what}: {error}");
                    assert!(
                        !error.is_corrupt() && error.to_string().contains(STORE),
                        "{what}: {error}"
                    );
                    assert_eq!(error.outcome(), Outcome::NotHappened, "{what}: {error}");
                    told += 1;
                }
            }
            disk.clear_faults();
            check(&disk, &what);
        }
    }
    assert!(told > calls, "most failing calls are told: {told} of {}", 4 * calls);
}

fn open(read_only: bool) -> impl Fn(&FaultDisk) -> Result<(), Error> {
    move |disk| Store::open(STORE, &on(disk, read_only)).map(drop)
}

#[test]
fn ac26_a_failing_call_of_an_open_changes_nothing_and_the_next_open_succeeds() {
    let base = sample();
    let before = base.files();
    for read_only in [true, false] {
        with_each_call_failing(&base, open(read_only), |disk, what| {
            assert_eq!(disk.files(), before, "{what}");
            let store = Store::open(STORE, &on(disk, read_only)).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(read_all(&store).1.is_empty(), "{what}");
        });
    }
}

/// Descriptors that have run out, and permissions, do not come back with the next call.
#[test]
fn ac26_calls_that_go_on_failing_are_told_as_what_they_are() {
    let base = sample();
    let before = base.files();
    for kind in [
        OperationKind::OpenFile,
        OperationKind::OpenDirectory,
        OperationKind::Read,
    ] {
        for nth in 1..=12 {
            for (code, name, told) in &CODES {
                let disk = base.fork();
                disk.inject(Fault::nth(Kinds::Only(kind), nth, Effect::Fail(*code)).sticky());
                for read_only in [true, false] {
                    if let Err(error) = open(read_only)(&disk) {
                        assert_eq!(error.kind(), told, "{name} from {kind:?} {nth} on: {error}");
                    }
                }
                assert_eq!(disk.files(), before, "{name} from {kind:?} {nth} on");
                disk.clear_faults();
                open(false)(&disk).unwrap_or_else(|error| panic!("{name} from {kind:?} {nth} on: {error}"));
            }
        }
    }
}

#[test]
fn ac26_a_failing_call_of_a_read_is_told_and_the_same_read_succeeds_later() {
    let base = sample();
    let before = base.files();
    let read = |disk: &FaultDisk| -> Result<(), Error> {
        let store = Store::open(STORE, &on(disk, true).cache_bytes(0))?;
        match read_all(&store).1.into_iter().next() {
            None => Ok(()),
            Some(error) => Err(error),
        }
    };
    with_each_call_failing(&base, read, |disk, what| {
        assert_eq!(disk.files(), before, "{what}");
        read(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
}

#[test]
fn ac26_a_failing_call_is_never_a_finding_of_verify() {
    let base = sample();
    let before = base.files();
    let check = |disk: &FaultDisk| -> Result<(), Error> {
        let found = verify(STORE, &on(disk, true), true, |_| Flow::Continue)?;
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        Ok(())
    };
    with_each_call_failing(&base, check, |disk, what| {
        assert_eq!(disk.files(), before, "{what}");
        check(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
}

#[test]
fn ac26_a_dump_is_not_read_without_its_lock_because_a_call_failed() {
    let base = sample();
    let dump = |disk: &FaultDisk| -> Result<(), Error> {
        let raw = raw_family(STORE, "tag", &on(disk, true))?;
        assert!(raw.is_locked());
        (0..raw.count()).try_for_each(|index| raw.read(index).map(drop).map_err(Error::from))
    };
    with_each_call_failing(&base, dump, |disk, what| {
        dump(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
}

/// Wherever the writer died, and whichever call of the recovery fails: the next recovery comes to the end that an
/// undisturbed one comes to.
#[test]
fn ac26_a_failing_call_of_a_recovery_leaves_it_to_be_done_again() {
    for (file, nth) in [
        ("line_name_payload.bin", 1),
        ("tag.bin", 1),
        ("line.bin", 1),
        ("workflow.undo", 2),
    ] {
        let base = killed_at(file, nth);
        let undisturbed = base.fork();
        let store = Store::open(STORE, &on(&undisturbed, false)).expect("a recovery");
        assert!(store.open_report().recovered, "killed at {file}");
        let expected = lines(&store).expect("the Lines");
        drop(store);
        let authority = |disk: &FaultDisk| {
            let mut files = disk.files();
            files.retain(|path, _| has_extension(path, "bin"));
            files
        };
        let recovered = authority(&undisturbed);
        with_each_call_failing(&base, open(false), |disk, what| {
            let store = Store::open(STORE, &on(disk, false)).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(lines(&store).expect("the Lines"), expected, "killed at {file}, {what}");
            assert_eq!(authority(disk), recovered, "killed at {file}, {what}");
        });
        with_each_call_failing(
            &base,
            |disk| recover(STORE, &on(disk, false), false, |_| Flow::Continue).map(drop),
            |disk, what| {
                open(false)(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(authority(disk), recovered, "killed at {file}, {what}");
            },
        );
    }
}

/// A reader that meets an unfinished change writes nothing, whatever fails meanwhile, and says what is needed.
#[test]
fn ac26_a_failing_call_of_a_read_only_open_never_starts_a_recovery() {
    let base = killed_at("tag.bin", 1);
    let before = base.files();
    let clean = base.fork();
    assert_eq!(
        Store::open(STORE, &on(&clean, true)).expect_err("unfinished").kind(),
        &ErrorKind::RecoveryNeeded
    );
    for call in 1..=clean.operations() {
        for (code, name, kind) in &CODES {
            let disk = base.fork();
            disk.inject(Fault::at_operation(call, Effect::Fail(*code)));
            let error = Store::open(STORE, &on(&disk, true)).expect_err("unfinished");
            assert!(
                error.kind() == kind || error.kind() == &ErrorKind::RecoveryNeeded,
                "{name} at {call}: {error}"
            );
            assert_eq!(disk.files(), before, "{name} at {call}");
        }
    }
}
