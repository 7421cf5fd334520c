//! Stores in temporary directories, with a few Snapshots in them.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use graven::format::{LineIndex, Namespace, SnapshotIndex, TagIndex};
use graven::{Error, ErrorKind, NewSnapshot, Options, Store, UnixSeconds};

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

    pub fn parent(&self) -> &Path {
        self.parent.path()
    }

    pub fn path(&self) -> PathBuf {
        self.parent.path().join("s.graven")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Opens the store anew.
    pub fn reopen(&mut self) {
        self.store = Store::open(self.path(), &options()).unwrap();
    }

    /// A Snapshot of the empty directory with that message.
    pub fn snapshot(&self, message: &str) -> SnapshotIndex {
        self.child(message, &[])
    }

    /// A Snapshot of the empty directory with that message and those parents.
    pub fn child(&self, message: &str, parents: &[SnapshotIndex]) -> SnapshotIndex {
        let root = self
            .store
            .objects()
            .write(NOW, |txn| txn.put_directory(&[]))
            .unwrap()
            .value
            .hash;
        let new = NewSnapshot::new(root, NOW).message(message).parents(parents);
        self.store
            .write(NOW, |txn| txn.create_snapshot(&new))
            .unwrap()
            .value
            .index
    }

    /// A Line of that name without a head.
    pub fn line(&self, name: &str) -> LineIndex {
        self.store.write(NOW, |txn| txn.create_line(name, None)).unwrap().value
    }

    /// A Tag.
    pub fn tag(&self, name: &str, snapshot: SnapshotIndex, message: Option<&str>) -> TagIndex {
        self.store
            .write(NOW, |txn| txn.create_tag(name, snapshot, message))
            .unwrap()
            .value
    }

    /// The bytes of a file of the store.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// Overwrites bytes of a file behind the store's back, and opens the store anew.
    pub fn damage(&mut self, name: &str, offset: u64, bytes: &[u8]) {
        overwrite(&self.file(name), offset, bytes);
        self.reopen();
    }
}

/// Overwrites bytes of a file; they must have been others.
pub fn overwrite(path: &Path, offset: u64, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut old = vec![0; bytes.len()];
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.read_exact(&mut old).unwrap();
    assert_ne!(old, bytes, "damage that changes nothing");
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(bytes).unwrap();
}

/// The rule by which something was refused.
pub fn refused<T: std::fmt::Debug>(answer: Result<T, Error>) -> &'static str {
    let error = answer.unwrap_err();
    match error.kind() {
        ErrorKind::Refused { rule } => rule,
        _ => panic!("not a refusal: {error:?}"),
    }
}

/// The rule that stored bytes break, with the file and record it names.
pub fn corrupt<T: std::fmt::Debug>(answer: Result<T, Error>) -> (String, Option<u32>, &'static str) {
    let error = answer.unwrap_err();
    match error.kind() {
        ErrorKind::Corrupt { file, record, rule } => {
            let name = file.rsplit('/').next().unwrap_or(file).to_owned();
            (name, *record, rule)
        }
        _ => panic!("not a corruption: {error:?}"),
    }
}

/// The kind of an error.
pub fn kind<T: std::fmt::Debug>(answer: Result<T, Error>) -> ErrorKind {
    answer.unwrap_err().kind().clone()
}
