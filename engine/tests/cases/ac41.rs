//! AC41: a checkpoint of another store raced with a commit in one interleaving, for years; it was found only once that
//! interleaving could be forced.
//!
//! Here every order of two commits of one process and the looks of another, whose caches are warm, is played out.

use graven::format::SnapshotIndex;
use graven::vfs::fault::{FaultDisk, OperationKind};
use graven::{ErrorKind, LockWait, Store};

use super::support::create_sample;
use super::{LATER, PATH, on};

fn disk() -> FaultDisk {
    let disk = FaultDisk::new();
    let store = create_sample(PATH.as_ref(), &on(&disk, 1)).unwrap();
    store.write_indexes().unwrap();
    store.close().unwrap();
    disk.fork()
}

fn open(disk: &FaultDisk, process: u32, cache_bytes: u64) -> Store {
    let options = on(disk, process).cache_bytes(cache_bytes).wait(LockWait::TryOnce);
    Store::open(PATH, &options).unwrap()
}

/// Renames the Line `from` and moves its head: a payload that grows, and a record that keeps its place and its length.
fn commit(store: &Store, from: &str, to: &str, head: u32) {
    store
        .write(LATER, |txn| {
            let (index, old) = {
                let found = txn.lines()?.by_name(from)?.expect("the Line has this name now");
                (found.index(), found.head)
            };
            txn.rename_line(index, to)?;
            txn.move_head(index, old, SnapshotIndex::new(head))
        })
        .unwrap();
}

/// What a reader sees: which of the names leads to the Line, the name that the Line has itself, and its head.
fn seen(store: &Store) -> (Vec<&'static str>, String, Option<u32>) {
    store
        .read(|view| {
            let lines = view.lines()?;
            let mut leading = Vec::new();
            for name in ["main", "trunk", "stem!"] {
                if lines.by_name(name)?.is_some() {
                    leading.push(name);
                }
            }
            let line = lines.get(graven::format::LineIndex::new(0).expect("an index"))?;
            Ok((leading, line.name()?, line.head.map(SnapshotIndex::get)))
        })
        .unwrap()
}

#[test]
fn ac41_a_reader_with_warm_caches_sees_every_commit_of_another_process_in_every_order_of_looks() {
    let sound = disk();
    // Whether the reader looks before, between and after the commits; whether it opens its handle before or after them.
    for (looks, cache_bytes) in (0..8).flat_map(|looks| [(looks, 0), (looks, 1 << 20)]) {
        let disk = sound.fork();
        let (reader, writer) = (open(&disk, 2, cache_bytes), open(&disk, 3, cache_bytes));
        let look = |turn: u32, name: &'static str, head: u32| {
            if looks & (1 << turn) != 0 {
                let wanted = (vec![name], name.to_string(), Some(head));
                assert_eq!(seen(&reader), wanted, "looks {looks:03b}, turn {turn}");
            }
        };
        look(0, "main", 1);
        commit(&writer, "main", "trunk", 0);
        look(1, "trunk", 0);
        commit(&writer, "trunk", "stem!", 1);
        look(2, "stem!", 1);
        assert_eq!(seen(&reader).0, ["stem!"]);
        assert_eq!(seen(&open(&disk, 4, cache_bytes)), seen(&reader), "a new handle");
    }
}

#[test]
fn ac41_a_writer_with_warm_caches_builds_on_the_two_commits_that_another_process_made_meanwhile() {
    let disk = disk();
    let (first, second) = (open(&disk, 2, 1 << 20), open(&disk, 3, 1 << 20));
    assert_eq!(seen(&first).0, ["main"]);
    commit(&second, "main", "trunk", 0);
    commit(&second, "trunk", "stem!", 1);
    // In its caches the name `stem!` is free, `main` taken, and the payload file shorter than it is.
    let taken = first.write(LATER, |txn| txn.create_line("stem!", None)).unwrap_err();
    assert!(taken.to_string().contains("already called"), "{taken}");
    first.write(LATER, |txn| txn.create_line("main", None)).unwrap();
    commit(&first, "stem!", "trunk", 0);
    for store in [&first, &second, &open(&disk, 4, 0)] {
        let (leading, own, head) = seen(store);
        assert_eq!((leading, own.as_str(), head), (vec!["main", "trunk"], "trunk", Some(0)));
    }
}

#[test]
fn ac41_no_commit_comes_between_two_looks_of_one_view() {
    let disk = disk();
    let (reader, writer) = (open(&disk, 2, 1 << 20), open(&disk, 3, 1 << 20));
    let view = reader.view().unwrap();
    let name = |view: &graven::View<'_, graven::Workflow>| view.lines().unwrap().by_name("main").unwrap().is_some();
    assert!(name(&view));
    let busy = writer.write(LATER, |txn| txn.create_line("other", None)).unwrap_err();
    assert_eq!(*busy.kind(), ErrorKind::Busy);
    assert!(name(&view));
    drop(view);
    commit(&writer, "main", "trunk", 0);
    assert!(!name(&reader.view().unwrap()));
}

/// Everything that a commit writes and syncs, it does under the lock of its root.
#[test]
fn ac41_no_authority_byte_is_written_without_the_lock() {
    let disk = disk();
    let store = Store::open(PATH, &on(&disk, 2)).unwrap();
    disk.record_trace(true);
    store
        .write(LATER, |txn| txn.create_line("under-the-lock", None))
        .unwrap();
    let (mut locked, mut writes) = (false, 0);
    for entry in disk.trace() {
        let is = |suffix| entry.path.ends_with(suffix);
        match entry.kind {
            OperationKind::Lock if is(".lock") => locked = true,
            OperationKind::Unlock if is(".lock") => locked = false,
            OperationKind::Write | OperationKind::SetLen if is(".bin") || is(".undo") => {
                assert!(locked, "{entry:?}");
                writes += 1;
            }
            _ => {}
        }
    }
    assert!(writes > 2 && !locked, "{writes}");
}
