//! AC28: the `fcntl` lock of another store was dropped when any descriptor of the file was closed, kept or dropped by a
//! fork, or leaked to a child.
//!
//! Here the lock is `flock` on a descriptor that no child inherits, and a handle knows its process.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use graven::format::Namespace;
use graven::vfs::os::OsVfs;
use graven::{ErrorKind, LockWait, Store};

use super::{Forked, NOW, names, options};

/// Where the path of the store stands for the test binary that is started again as another process.
const STORE_OF_CHILD: &str = "GRAVEN_TEST_STORE_OF_CHILD";

fn new_store() -> (tempfile::TempDir, std::path::PathBuf, Store) {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    let store = Store::create(&path, Namespace::EMPTY, &options()).unwrap();
    (parent, path, store)
}

/// Whether another process gets the exclusive lock of the store at `path`.
fn another_process_gets_the_lock(path: &std::path::Path) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ac28::ac28_the_other_process_of_this_case", "--nocapture"])
        .env(STORE_OF_CHILD, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    status.success()
}

#[test]
fn ac28_the_other_process_of_this_case() {
    let Some(path) = std::env::var_os(STORE_OF_CHILD) else {
        return;
    };
    let store = Store::open(path, &options().wait(LockWait::TryOnce)).unwrap();
    drop(store.begin(NOW).expect("the lock"));
}

#[test]
fn ac28_closing_another_descriptor_of_the_lock_file_keeps_the_lock() {
    let (_parent, path, store) = new_store();
    assert!(another_process_gets_the_lock(&path));
    let txn = store.begin(NOW).unwrap();
    drop(File::open(path.join("workflow/workflow.lock")).unwrap());
    assert!(!another_process_gets_the_lock(&path), "the lock is still held");
    drop(txn);
    assert!(another_process_gets_the_lock(&path));
}

#[test]
fn ac28_a_child_that_outlives_the_handle_does_not_hold_its_lock() {
    let (_parent, path, store) = new_store();
    let txn = store.begin(NOW).unwrap();
    let mut child: Child = Command::new("sleep").arg("30").spawn().unwrap();
    drop(txn);
    drop(store);
    let again = Store::open(&path, &options().wait(LockWait::TryOnce)).unwrap();
    again.write(NOW, |txn| txn.create_line("main", None)).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "the child is still there");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn ac28_two_handles_of_one_process_exclude_each_other() {
    let (_parent, path, first) = new_store();
    let second = Store::open(&path, &options().wait(LockWait::TryOnce)).unwrap();
    let txn = first.begin(NOW).unwrap();
    assert_eq!(*second.begin(NOW).unwrap_err().kind(), ErrorKind::Busy);
    assert_eq!(*second.view().unwrap_err().kind(), ErrorKind::Busy);
    drop(txn);
    drop(second.begin(NOW).unwrap());
}

#[test]
fn ac28_a_handle_that_came_through_a_fork_answers_usage() {
    let (_parent, path, store) = new_store();
    store.write(NOW, |txn| txn.create_line("main", None)).unwrap();
    drop(store);
    let vfs = Arc::new(Forked {
        inner: Arc::new(OsVfs),
        process: AtomicU32::new(1),
    });
    let store = Store::open(&path, &options().vfs(vfs.clone())).unwrap();
    assert_eq!(names(&store), ["main"]);
    vfs.process.store(2, Ordering::Relaxed);
    assert_eq!(*store.view().unwrap_err().kind(), ErrorKind::Usage);
    assert_eq!(*store.begin(NOW).unwrap_err().kind(), ErrorKind::Usage);
    vfs.process.store(1, Ordering::Relaxed);
    assert_eq!(names(&store), ["main"], "the parent goes on");
}
