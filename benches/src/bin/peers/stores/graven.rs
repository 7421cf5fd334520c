//! Graven, through its public face.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use graven::format::{LineIndex, ObjectIndex, SnapshotIndex, TaskIndex};
use graven::store::undo::MARK_OFFSET;
use graven::{Flow, NewSnapshot, NewTask, Options, Store, UnixSeconds};

use crate::contender::{Answer, CONTENT, Contender, Kind, SHORT_CONTENT, TASK_TEXT};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "graven",
    durability: "the only one it has: each commit is synced, the undo before it",
    reads: true,
    open: |directory| open(directory, true),
    soil: Some(soil),
};

/// The same store without its cache of records: each read is one `pread`.
pub fn open_uncached(directory: &Path) -> Answer<Box<dyn Contender>> {
    open(directory, false)
}

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
const LATER: UnixSeconds = UnixSeconds(1_700_000_001);
/// Enough for one bulk commit's pending writes.
const TRANSACTION_BYTES: u64 = 256 << 20;
/// The cache of the bench: the records of the default run fit.
const CACHE_BYTES: u64 = 128 << 20;

struct Graven {
    store: Store,
    line: LineIndex,
    heads: Mutex<(SnapshotIndex, SnapshotIndex)>,
    next_content: AtomicU64,
    open_tasks: Mutex<Vec<TaskIndex>>,
}

fn options(cached: bool) -> Options {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let mut entropy = [0; 32];
    entropy[..4].copy_from_slice(&std::process::id().to_le_bytes());
    entropy[4..12].copy_from_slice(&CALLS.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    entropy[12..28].copy_from_slice(&since.as_nanos().to_le_bytes());
    Options::new(entropy)
        .max_transaction_bytes(TRANSACTION_BYTES)
        .cache_bytes(if cached { CACHE_BYTES } else { 0 })
}

fn open(directory: &Path, cached: bool) -> Answer<Box<dyn Contender>> {
    let path = directory.join("store.graven");
    let store = if path.exists() {
        Store::open(path, &options(cached))?
    } else {
        let store = Store::create(path, "AB".parse()?, &options(cached))?;
        prepare(&store)?;
        store
    };
    Ok(Box::new(Graven {
        store,
        line: LineIndex::from_plus1(1).ok_or("a Line")?,
        heads: Mutex::new((snapshot(1)?, snapshot(2)?)),
        next_content: AtomicU64::new(1 << 48),
        open_tasks: Mutex::new(Vec::new()),
    }))
}

fn snapshot(plus1: u32) -> Answer<SnapshotIndex> {
    Ok(SnapshotIndex::from_plus1(plus1).ok_or("a Snapshot")?)
}

/// A Line and the two Snapshots that its head moves between.
fn prepare(store: &Store) -> Answer {
    let tree = store.objects().write(NOW, |txn| txn.put_directory(&[]))?.value.hash;
    store.write(NOW, |txn| {
        let first = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).message("first"))?
            .index;
        txn.create_snapshot(&NewSnapshot::new(tree, NOW).message("second"))?;
        txn.create_line("main", Some(first))
    })?;
    Ok(())
}

/// Spoils the mark of the object root's last change, as a kill between its last sync and the mark leaves it.
fn soil(directory: &Path) -> Answer {
    let undo = "store.graven/objects/object.undo";
    let file: File = OpenOptions::new().write(true).open(directory.join(undo))?;
    Ok(file.write_all_at(&[0; 40], MARK_OFFSET)?)
}

impl Graven {
    /// Content that no earlier call gave.
    fn content(&self) -> [u8; CONTENT] {
        let mut content = [0x61; CONTENT];
        content[..8].copy_from_slice(&self.next_content.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        content
    }

    fn create(&self, count: usize) -> Answer {
        let done = self.store.write(NOW, |txn| {
            let new = NewTask::new(TASK_TEXT.0, TASK_TEXT.1);
            (0..count).map(|_| txn.create_task(&new)).collect::<Result<Vec<_>, _>>()
        })?;
        let mut tasks = self.open_tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.extend(done.value);
        Ok(())
    }
}

impl Contender for Graven {
    fn append(&self, count: usize) -> Answer {
        self.store.objects().write(NOW, |txn| {
            for _ in 0..count {
                txn.put_blob(&self.content())?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn append_joined(&self) -> Answer {
        let content = self.content();
        self.store
            .objects()
            .group(NOW, move |txn| txn.put_blob(&content).map(|_| ()))?;
        Ok(())
    }

    fn replace(&self) -> Answer {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        self.store
            .write(NOW, |txn| txn.move_head(self.line, Some(heads.0), Some(heads.1)))?;
        *heads = (heads.1, heads.0);
        Ok(())
    }

    fn prepare_close(&self, count: usize) -> Answer {
        self.create(count)
    }

    fn close_task(&self) -> Answer {
        let task = self.open_tasks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let task = task.ok_or("no open Task is left")?;
        self.store.write(LATER, |txn| txn.cancel_task(task))?;
        Ok(())
    }

    fn create_task(&self) -> Answer {
        let new = NewTask::new(TASK_TEXT.0, TASK_TEXT.1);
        self.store.write(NOW, |txn| txn.create_task(&new))?;
        Ok(())
    }

    fn fill(&self, from: u32, to: u32) -> Answer {
        self.store.objects().write(NOW, |txn| {
            for index in from..to {
                txn.put_blob(&u64::from(index).to_be_bytes())?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn read(&self, indexes: &[u32]) -> Answer<u64> {
        let sum = self.store.objects().read(|view| {
            let objects = view.objects()?;
            let mut sum = 0;
            for index in indexes.iter().filter_map(|index| ObjectIndex::from_plus1(index + 1)) {
                sum += objects.get(index)?.payload.len();
            }
            Ok(sum)
        })?;
        Ok(sum)
    }

    fn scan(&self) -> Answer<u64> {
        let count = self.store.objects().read(|view| {
            let mut count = 0;
            for object in view.objects()? {
                let (_, object) = object?;
                count += u64::from(object.payload.len() <= SHORT_CONTENT as u64);
            }
            Ok(count)
        })?;
        Ok(count)
    }

    fn filtered(&self) -> Answer<u64> {
        let count = self.store.objects().read(|view| {
            let mut count = 0;
            for object in view.objects()? {
                let (_, object) = object?;
                count += u64::from(object.hash.as_bytes()[0] < 16);
            }
            Ok(count)
        })?;
        Ok(count)
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        let checked = graven::verify(self.store.path(), &options(true), false, |_| Flow::Continue)?;
        match checked.findings.iter().find(|finding| !finding.is_note()) {
            Some(finding) => Err(format!("{finding:?}").into()),
            None => Ok(Some(())),
        }
    }

    fn close(self: Box<Self>) -> Answer {
        Ok(self.store.close()?)
    }
}
