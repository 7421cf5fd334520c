//! AC29: a stale lock file of another store blocked every open after a kill, with an empty error text.
//!
//! Here the lock is the kernel's, not the file's existence: after a kill at any call the store opens at once, and what
//! lines 2 and 3 of the lock file hold never matters.

use graven::vfs::fault::{Effect, Fault};
use graven::{ErrorKind, LockWait, Store};

use super::{LATER, NOW, PATH, filled_disk, names, on, rename_main};

#[test]
fn ac29_after_a_kill_at_any_call_the_store_opens_at_once() {
    let sound = filled_disk();
    for at in 1.. {
        let disk = sound.fork();
        disk.inject(Fault::at_operation(at, Effect::Kill));
        let died = Store::open(PATH, &on(&disk, 1).holder("the dead")).and_then(|store| rename_main(&store));
        if disk.faults_fired() == 0 {
            died.unwrap();
            assert!(at > 50, "the whole run has only {at} calls");
            return;
        }
        let store = Store::open(PATH, &on(&disk, 2).wait(LockWait::TryOnce)).unwrap();
        let first = names(&store).swap_remove(0);
        assert!(["main", "trunk"].contains(&first.as_str()), "call {at}: {first}");
        store.write(LATER, |txn| txn.create_line("after", None)).unwrap();
    }
}

#[test]
fn ac29_garbage_in_the_lock_file_means_an_unknown_holder_and_nothing_else() {
    let disk = filled_disk();
    let path = "/s.graven/workflow/workflow.lock";
    let identity = disk.read_file(path).unwrap()[..33].to_vec();
    for rest in [
        &b""[..],
        b"\xff\xff\xff",
        b"99999999999999999999\npid 1\n",
        b"not a number\n\0\0\0\0",
        &[0; 4096],
    ] {
        let disk = disk.fork();
        disk.write_file(path, &[&identity[..], rest].concat()).unwrap();
        let first = Store::open(PATH, &on(&disk, 1)).unwrap();
        let second = Store::open(PATH, &on(&disk, 2).wait(LockWait::TryOnce)).unwrap();
        assert_eq!(names(&first), ["main", "side"]);
        let view = first.view().unwrap();
        let error = second.begin(NOW).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Busy);
        assert!(error.to_string().contains("workflow.lock"), "{error}");
        drop(view);
        first.write(NOW, |txn| txn.create_line("one", None)).unwrap();
        second.write(NOW, |txn| txn.create_line("two", None)).unwrap();
        assert_eq!(names(&first), ["main", "side", "one", "two"]);
    }
}

#[test]
fn ac29_the_message_names_the_holder_if_it_is_known() {
    let disk = filled_disk();
    let first = Store::open(PATH, &on(&disk, 1).holder("service \u{1b}[31mseven")).unwrap();
    first.write(NOW, |txn| txn.create_line("one", None)).unwrap();
    let _txn = first.begin(NOW).unwrap();
    let second = Store::open(PATH, &on(&disk, 2).wait(LockWait::TryOnce));
    let error = second.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Busy);
    let text = error.to_string();
    assert!(text.contains("service") && !text.contains('\u{1b}'), "{text:?}");
}
