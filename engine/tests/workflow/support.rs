//! Stores in temporary directories with Snapshots, a Line and a Task in them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use graven::format::{LineIndex, Namespace, SnapshotIndex, SnapshotKind};
use graven::{Error, NewSnapshot, Options, Store, Txn, UnixSeconds, Workflow};

/// The time of everything that a test does not give another.
pub const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// A store in a temporary directory of its own.
pub struct TestStore {
    parent: tempfile::TempDir,
    pub store: Store,
}

/// Options with entropy that no other call gets.
pub fn options() -> Options {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let mut entropy = [0; 32];
    entropy[..8].copy_from_slice(&COUNT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    Options::new(entropy)
}

impl TestStore {
    pub fn new() -> Self {
        let parent = tempfile::tempdir().unwrap();
        let store = Store::create(parent.path().join("s.graven"), Namespace::EMPTY, &options()).unwrap();
        Self { parent, store }
    }

    pub fn path(&self) -> PathBuf {
        self.parent.path().join("s.graven")
    }

    /// Opens the store anew.
    pub fn reopen(&mut self) {
        self.store = Store::open(self.path(), &options()).unwrap();
    }

    /// One transaction at that time.
    pub fn at<T>(&self, now: u64, f: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<T, Error>) -> Result<T, Error> {
        self.store.write(UnixSeconds(now), f).map(|receipt| receipt.value)
    }

    /// A Snapshot of the empty directory with that message, those parents and that kind.
    pub fn snapshot_of(&self, message: &str, parents: &[SnapshotIndex], kind: SnapshotKind) -> SnapshotIndex {
        let root = self.store.objects().write(NOW, |txn| txn.put_directory(&[])).unwrap();
        let new = NewSnapshot::new(root.value.hash, NOW)
            .message(message)
            .parents(parents)
            .kind(kind);
        self.at(NOW.0, |txn| txn.create_snapshot(&new)).unwrap().index
    }

    /// A Snapshot of kind line.
    pub fn snapshot(&self, message: &str, parents: &[SnapshotIndex]) -> SnapshotIndex {
        self.snapshot_of(message, parents, SnapshotKind::Line)
    }

    /// A Line with that head.
    pub fn line(&self, name: &str, head: Option<SnapshotIndex>) -> LineIndex {
        self.at(NOW.0, |txn| txn.create_line(name, head)).unwrap()
    }
}
