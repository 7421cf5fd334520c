//! Failures that users of other stores reported, as tests of the public face; each is named after its case.
//!
//! What the face promises beside the cases, and nothing else tests, stands here too. Cases about crashes at every instant
//! stand with the simulator.
#![cfg(feature = "fault")]

mod ac25;
mod ac26;
mod ac27;
mod ac28;
mod ac29;
mod ac30;
mod ac34;
mod ac36;
mod ac41;
mod ac43;
mod commit_failures;
mod creating;
mod damage;
mod failing_calls;
mod groups;
mod holders;
mod interface;
mod new_undo;
mod several_zones;
mod support;
mod tag_order;
mod traces;
mod warm_calls;
mod workflow_crash;
mod workflow_order;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use graven::format::{Namespace, SnapshotIndex};
use graven::vfs::fault::{Effect, Fault, FaultDisk, Kinds};
use graven::{NewSnapshot, Options, Store, UnixSeconds};

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
const LATER: UnixSeconds = UnixSeconds(1_700_000_100);
const PATH: &str = "/s.graven";

/// Options with entropy that no other call gets.
fn options() -> Options {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let mut entropy = [0; 32];
    entropy[..8].copy_from_slice(&COUNT.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    Options::new(entropy)
}

/// Options for a process of that number on a fault disk.
fn on(disk: &FaultDisk, process: u32) -> Options {
    options().vfs(disk.process(process))
}

/// A disk with an empty store.
fn empty_disk() -> FaultDisk {
    let disk = FaultDisk::new();
    Store::create(PATH, Namespace::EMPTY, &on(&disk, 1))
        .unwrap()
        .close()
        .unwrap();
    disk.fork()
}

/// A disk with a store that holds a few of everything.
fn filled_disk() -> FaultDisk {
    let disk = empty_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    fill(&store);
    store.close().unwrap();
    disk.fork()
}

/// A few of everything.
fn fill(store: &Store) {
    let root = store
        .objects()
        .write(NOW, |txn| {
            txn.put_blob(b"some content")?;
            Ok(txn.put_directory(&[])?.hash)
        })
        .unwrap()
        .value;
    store
        .write(NOW, |txn| {
            let first = txn
                .create_snapshot(&NewSnapshot::new(root, NOW).message("first"))?
                .index;
            let parents = [first];
            let second = txn
                .create_snapshot(&NewSnapshot::new(root, LATER).parents(&parents).message("second"))?
                .index;
            txn.create_line("main", Some(second))?;
            txn.create_line("side", Some(first))?;
            txn.create_tag("v1", first, None)?;
            txn.create_tag("v2", second, Some("message"))?;
            Ok(())
        })
        .unwrap();
}

/// The changes that the cases below interrupt: a replacement with payload.
fn rename_main(store: &Store) -> graven::Result<()> {
    let line = store.read(|view| Ok(view.lines()?.by_name("main")?.map(|line| line.index())))?;
    store
        .write(LATER, |txn| txn.rename_line(line.expect("the Line"), "trunk"))
        .map(drop)
}

/// The disk after a process was killed at the `nth` changing call of a rename; `None` where it has fewer.
fn killed_in_rename(disk: &FaultDisk, nth: u64) -> Option<FaultDisk> {
    let disk = disk.fork();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    disk.inject(Fault::nth(Kinds::Changes, nth, Effect::Kill));
    let done = rename_main(&store);
    if disk.faults_fired() == 0 {
        done.unwrap();
        return None;
    }
    drop(store);
    Some(disk.fork())
}

/// The names of all Lines.
fn names(store: &Store) -> Vec<String> {
    store
        .read(|view| view.lines()?.map(|row| row?.1.name()).collect())
        .unwrap()
}

fn snapshot_zero() -> SnapshotIndex {
    SnapshotIndex::new(0).unwrap()
}

/// Whether a path ends in that extension.
fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// The bytes of every file below the store, but for what handles may always write: lock files.
fn bytes(disk: &FaultDisk) -> BTreeMap<String, Vec<u8>> {
    let mut files = disk.files();
    files.retain(|path, _| !has_extension(path, "lock"));
    files
}
