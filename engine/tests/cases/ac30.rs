//! AC30: two hosts on a network file system destroyed the store of others.
//!
//! Here such a file system is refused unless the caller accepts it, and a lock that cannot be had is an error.

use graven::format::Namespace;
use graven::vfs::FileSystem;
use graven::vfs::fault::{ENOLCK, EOPNOTSUPP, Effect, Fault, Kinds, OperationKind};
use graven::{ErrorKind, Flow, Store};

use super::{LATER, PATH, filled_disk, names, on};

#[test]
fn ac30_a_network_file_system_is_refused_unless_the_options_accept_it() {
    let disk = filled_disk();
    disk.set_file_system(FileSystem::Network(0x6969));
    let error = Store::open(PATH, &on(&disk, 1)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Refused { rule: "F-0.4" });
    assert!(error.to_string().contains("network"), "{error}");
    let error = Store::create("/new", Namespace::EMPTY, &on(&disk, 1)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Refused { rule: "F-0.4" });
    let accepted = Store::open(PATH, &on(&disk, 1).accept_network_file_system(true)).unwrap();
    assert_eq!(names(&accepted), ["main", "side"]);
}

#[test]
fn ac30_whoever_writes_a_store_that_is_not_open_is_refused_there_too() {
    let disk = filled_disk();
    disk.set_file_system(FileSystem::Network(0x6969));
    let before = disk.files();
    let go_on = |_| Flow::Continue;
    for refused in [
        graven::recover(PATH, &on(&disk, 1), false, go_on).map(drop),
        graven::recover(PATH, &on(&disk, 1), true, go_on).map(drop),
        graven::repair(PATH, &on(&disk, 1), false, go_on).map(drop),
    ] {
        assert_eq!(*refused.unwrap_err().kind(), ErrorKind::Refused { rule: "F-0.4" });
    }
    assert!(disk.files() == before);
    let accepting = on(&disk, 1).accept_network_file_system(true);
    graven::recover(PATH, &accepting, false, go_on).unwrap();
    graven::repair(PATH, &accepting, false, go_on).unwrap();
}

/// A lock that the file system cannot give is an error for everybody who needs one, and never "unlocked".
#[test]
fn ac30_a_lock_that_cannot_be_had_is_a_clear_error_and_never_done_without() {
    let go_on = |_| Flow::Continue;
    for code in [ENOLCK, EOPNOTSUPP] {
        let disk = filled_disk();
        let store = Store::open(PATH, &on(&disk, 1)).unwrap();
        let before = disk.files();
        disk.inject(Fault::nth(Kinds::Only(OperationKind::Lock), 1, Effect::Fail(code)).sticky());
        let reading = on(&disk, 2).read_only(true);
        for (call, answer) in [
            ("open", Store::open(PATH, &on(&disk, 2)).map(drop)),
            ("open for reading", Store::open(PATH, &reading).map(drop)),
            ("view", store.view().map(drop)),
            ("begin", store.begin(LATER).map(drop)),
            ("group", store.group(LATER, |_| Ok(())).map(drop)),
            ("a view of the objects", store.objects().view().map(drop)),
            ("verify", graven::verify(PATH, &reading, false, go_on).map(drop)),
            ("recover", graven::recover(PATH, &on(&disk, 2), false, go_on).map(drop)),
            ("pending", graven::pending(PATH, &reading).map(drop)),
            ("dump", graven::raw_family(PATH, "line", &reading).map(drop)),
            ("backup", store.backup("/copy", go_on).map(drop)),
            (
                "restore",
                graven::restore(PATH, "/restored", &on(&disk, 2), LATER, go_on).map(drop),
            ),
            (
                "create",
                Store::create("/new", Namespace::EMPTY, &on(&disk, 2)).map(drop),
            ),
        ] {
            let error = answer.map_or_else(|error| error, |()| panic!("{call} goes on without a lock"));
            assert_eq!(*error.kind(), ErrorKind::Io, "{call}: {error}");
            let text = error.to_string();
            assert!(
                text.contains("cannot lock") && text.contains(&format!("os error {code}")),
                "{call}: {text}"
            );
            assert!(!error.is_retryable(), "{call}: {text}");
        }
        let mut after = disk.files();
        after.retain(|path, _| path.starts_with(PATH));
        assert!(after == before, "nobody has written");
        disk.clear_faults();
        store.write(LATER, |txn| txn.create_line("after", None)).unwrap();
    }
}
