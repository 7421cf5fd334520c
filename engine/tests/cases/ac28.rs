//! AC28: the `fcntl` lock of another store was dropped when any descriptor of the file was closed, kept or dropped by a
//! fork, or leaked to a child.
//!
//! Here the lock is `flock` on a descriptor that no child inherits, and a handle knows its process.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use graven::format::Namespace;
use graven::vfs::os::OsVfs;
use graven::vfs::{Directory, Vfs};
use graven::{ErrorKind, Flow, LockWait, Store};

use super::interface::{is_usage, sample};
use super::support::change;
use super::{NOW, options};

/// Where the path of the store stands for the test binary that is started again as another process.
const STORE_OF_CHILD: &str = "GRAVEN_TEST_STORE_OF_CHILD";

fn new_store() -> (tempfile::TempDir, std::path::PathBuf, Store) {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    let store = Store::create(&path, Namespace::EMPTY, &options()).unwrap();
    (parent, path, store)
}

/// Whether another process gets the exclusive lock of the store at `path`.
fn another_process_gets_the_lock(path: &Path) -> bool {
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

/// A file system that says it is called by a process of any identity.
#[derive(Debug)]
struct Forked(Arc<AtomicU32>);

impl Vfs for Forked {
    fn open_directory(&self, path: &Path) -> io::Result<Arc<dyn Directory>> {
        OsVfs.open_directory(path)
    }

    fn process_id(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

#[test]
fn ac28_after_a_fork_the_childs_handle_answers_usage_and_the_parents_goes_on() {
    let process = Arc::new(AtomicU32::new(1));
    let (place, store) = sample(&options().vfs(Arc::new(Forked(Arc::clone(&process)))));
    change(&store, "before").expect("a change whose mark is not synced");
    process.store(2, Ordering::SeqCst);
    let before = std::fs::read(place.path().join("store/workflow/workflow.undo")).expect("the recovery store");
    is_usage(store.view(), "view");
    is_usage(store.read(|_| Ok(())), "read");
    is_usage(store.begin(NOW), "begin");
    is_usage(store.write(NOW, |txn| txn.create_line("x", None)), "write");
    is_usage(store.group(NOW, |txn| txn.create_line("x", None)), "group");
    is_usage(store.objects().view(), "a view of the objects");
    is_usage(store.objects().write(NOW, |txn| txn.put_blob(b"x")), "an object");
    is_usage(store.workflow().change_counter(), "change_counter");
    is_usage(store.backup(place.path().join("copy"), |_| Flow::Continue), "backup");
    assert!(!place.path().join("copy").exists());
    is_usage(store.sync_spent(), "sync_spent");
    is_usage(store.clone().close(), "close");
    assert_eq!(
        std::fs::read(place.path().join("store/workflow/workflow.undo")).expect("it"),
        before
    );
    process.store(1, Ordering::SeqCst);
    change(&store, "after").expect("the parent goes on");
    store.close().expect("closed");
    let left: Vec<_> = std::fs::read_dir(place.path())
        .expect("the directory")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["store"], "nothing is left behind");
}
