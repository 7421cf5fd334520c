//! AC26: an I/O or permission error of another store was classified as corruption, and the remedy destroyed data.
//!
//! Here EIO, EMFILE, EACCES and EROFS hit every single call of an open, clean and with something to recover: the error's
//! kind is exact, it is never corruption, nothing of the authority is lost, and the same call works afterwards.

use graven::vfs::fault::{EACCES, EIO, EMFILE, EROFS, Effect, Fault, FaultDisk, Kinds, OperationKind};
use graven::{ErrorKind, Flow, Store};

use super::{PATH, bytes, filled_disk, killed_in_rename, names, on};

const CODES: [(i32, ErrorKind); 4] = [
    (EIO, ErrorKind::Io),
    (EMFILE, ErrorKind::Io),
    (EACCES, ErrorKind::Permission),
    (EROFS, ErrorKind::Permission),
];

/// The calls that only look.
const LOOKS: [OperationKind; 6] = [
    OperationKind::OpenDirectory,
    OperationKind::OpenFile,
    OperationKind::Entries,
    OperationKind::FileSystem,
    OperationKind::Read,
    OperationKind::Metadata,
];

/// Fails the `nth` call of `kind` in an open; `None` where an open has fewer of them.
fn open_with(disk: &FaultDisk, kind: OperationKind, nth: u64, code: i32) -> Option<graven::Result<()>> {
    disk.inject(Fault::nth(Kinds::Only(kind), nth, Effect::Fail(code)));
    let opened = Store::open(PATH, &on(disk, 1)).map(drop);
    let fired = disk.faults_fired() > 0;
    disk.clear_faults();
    fired.then_some(opened)
}

#[test]
fn ac26_no_failing_look_at_a_sound_store_is_corruption_or_changes_a_byte() {
    let sound = filled_disk();
    let before = sound.files();
    let mut tried = 0;
    for kind in LOOKS {
        for (code, expected) in &CODES {
            for nth in 1.. {
                let disk = sound.fork();
                let Some(opened) = open_with(&disk, kind, nth, *code) else {
                    break;
                };
                let error = opened.expect_err("the failing call's answer is needed");
                assert_eq!(error.kind(), expected, "{kind:?} {nth}: {error}");
                assert!(disk.files() == before, "{kind:?} {nth} {code}");
                assert_eq!(names(&Store::open(PATH, &on(&disk, 2)).unwrap()), ["main", "side"]);
                tried += 1;
            }
        }
    }
    assert!(tried > 200, "only {tried} calls failed");
}

#[test]
fn ac26_no_failing_look_in_a_recovery_is_corruption_or_changes_its_outcome() {
    let sound = filled_disk();
    let (mut tried, mut at) = (0, 1);
    while let Some(dirty) = killed_in_rename(&sound, at) {
        at += 1;
        let undisturbed = dirty.fork();
        drop(Store::open(PATH, &on(&undisturbed, 1)).unwrap());
        for kind in LOOKS {
            for (code, expected) in &CODES[..1] {
                for nth in 1.. {
                    let disk = dirty.fork();
                    let Some(opened) = open_with(&disk, kind, nth, *code) else {
                        break;
                    };
                    let error = opened.expect_err("the failing call's answer is needed");
                    assert_eq!(error.kind(), expected, "{kind:?} {nth}: {error}");
                    drop(Store::open(PATH, &on(&disk, 2)).unwrap());
                    assert!(bytes(&disk) == bytes(&undisturbed), "kill {at}, {kind:?} {nth}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 300, "only {tried} calls failed");
}

#[test]
fn ac26_verify_calls_no_failing_read_a_finding() {
    let disk = filled_disk();
    for nth in 1.. {
        // A single failure may be of a neighbour that is read along; one that stays is of the record itself.
        disk.inject(Fault::nth(Kinds::Only(OperationKind::Read), nth, Effect::Fail(EIO)).sticky());
        let before = disk.faults_fired();
        let answer = graven::verify(PATH, &on(&disk, 1), true, |_| Flow::Continue);
        let fired = disk.faults_fired() > before;
        disk.clear_faults();
        match answer {
            Err(error) => assert_eq!(*error.kind(), ErrorKind::Io, "{error}"),
            Ok(found) => {
                assert!(found.is_clean(), "{:?}", found.findings);
                assert!(!fired, "failing reads were overlooked from read {nth} on");
                assert!(nth > 20, "verify reads more than that");
                return;
            }
        }
    }
}
