//! Stores in temporary directories, with a few Snapshots in them, and ways to see that a refusal leaves no trace.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use graven::format::{ChangeIndex, LandMode, LineIndex, Namespace, SnapshotIndex, SnapshotKind, TagIndex, TaskIndex};
use graven::{
    Error, ErrorKind, Flow, NewChange, NewLand, NewSnapshot, NewTask, Options, Store, Txn, UnixSeconds, Workflow,
};

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

    /// One transaction at that time.
    pub fn at<T>(&self, now: u64, f: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<T, Error>) -> Result<T, Error> {
        self.store.write(UnixSeconds(now), f).map(|receipt| receipt.value)
    }

    /// Why an operation is refused at that time. It leaves no trace on disk, and its transaction goes on.
    pub fn refusal<T: Debug>(
        &self,
        now: u64,
        operation: impl Fn(&mut Txn<'_, Workflow>) -> Result<T, Error>,
    ) -> (&'static str, &'static str) {
        let before = self.files();
        let error = self.at(now, |txn| Ok(operation(txn).unwrap_err())).unwrap();
        assert!(self.files() == before, "{error}: it left a trace");
        let mut txn = self.store.begin(UnixSeconds(now)).unwrap();
        assert_eq!(operation(&mut txn).unwrap_err().to_string(), error.to_string());
        let line = txn.create_line("after the refusal", None).unwrap();
        assert_eq!(
            txn.lines().unwrap().get(line).unwrap().name().unwrap(),
            "after the refusal"
        );
        drop(txn);
        assert!(self.files() == before, "{error}: the dropped transaction left a trace");
        said(&error)
    }

    /// The bytes of every file of both roots that holds records or payload.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for root in ["workflow", "objects"] {
            for entry in fs::read_dir(self.file(root)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "bin") {
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path, bytes);
                }
            }
        }
        files
    }

    /// The rules that `verify` finds broken, content left out.
    pub fn found_rules(&self) -> Vec<&'static str> {
        let verified = graven::verify(self.path(), &options(), false, |_| Flow::Continue).unwrap();
        let broken = verified.findings.iter().filter(|finding| !finding.is_note());
        broken.map(|finding| finding.rule).collect()
    }

    /// Whether `verify` finds nothing wrong.
    pub fn is_clean(&self) -> bool {
        self.found_rules().is_empty()
    }

    /// The bytes of the record of that index in a family of the workflow root.
    pub fn record_bytes(&self, family: &str, size: usize, index: u32) -> Vec<u8> {
        let bytes = self.bytes(&format!("workflow/{family}.bin"));
        let start = 4 + size * index as usize;
        bytes[start..start + size].to_vec()
    }

    /// Whether some record or payload of the workflow root holds that text.
    pub fn holds_text(&self, text: &str) -> bool {
        let holds = |bytes: &Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        self.files().values().any(holds)
    }

    /// An unplanned Task of that title.
    pub fn task(&self, title: &str) -> TaskIndex {
        self.at(NOW.0, |txn| txn.create_task(&NewTask::new(title, "An intent.")))
            .unwrap()
    }

    /// A Change of that Task, forked from the Line `main`.
    pub fn change(&self, task: TaskIndex, title: &str) -> ChangeIndex {
        let new = NewChange {
            task,
            title,
            base_line: "main",
        };
        self.at(NOW.0, |txn| txn.create_change(&new)).unwrap()
    }

    /// A Line of that name with that head.
    pub fn line_at(&self, name: &str, head: SnapshotIndex) -> LineIndex {
        self.at(NOW.0, |txn| txn.create_line(name, Some(head))).unwrap()
    }

    /// A Snapshot of kind stash.
    pub fn stash_snapshot(&self, message: &str) -> SnapshotIndex {
        let root = self.store.objects().write(NOW, |txn| txn.put_directory(&[])).unwrap();
        let new = NewSnapshot::new(root.value.hash, NOW)
            .message(message)
            .kind(SnapshotKind::Stash);
        self.at(NOW.0, |txn| txn.create_snapshot(&new)).unwrap().index
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

/// An error's kind in a word, and the rule that it names.
pub fn said(error: &Error) -> (&'static str, &'static str) {
    let kind = match error.kind() {
        ErrorKind::Refused { .. } => "refused",
        ErrorKind::NotFound => "not found",
        ErrorKind::Conflict => "conflict",
        ErrorKind::Exhausted { .. } => "exhausted",
        ErrorKind::Corrupt { .. } => "corrupt",
        _ => "something else",
    };
    (kind, error.rule().unwrap_or(""))
}

/// A Land of that Change onto the Line `main`, as it is.
pub fn onto_main(change: ChangeIndex) -> NewLand<'static> {
    NewLand {
        change,
        target_line: "main",
        mode: LandMode::Direct,
    }
}

/// The kind of an error.
pub fn kind<T: std::fmt::Debug>(answer: Result<T, Error>) -> ErrorKind {
    answer.unwrap_err().kind().clone()
}
