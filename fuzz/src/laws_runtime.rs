//! Laws of the files beside the records, which may hold anything: lock files, and indexes that can be rebuilt.

use std::path::Path;
use std::sync::LazyLock;

use graven::disk::{DurableDirectory, LockWait, ZoneLock, new_lock_file};
use graven::format::{HEADER, ObjectHash, SnapshotId, SnapshotIndex};
use graven::vfs::Access;
use graven::vfs::fault::FaultDisk;
use graven::{NewSnapshot, Options, Store, UnixSeconds};

crate::laws!(
    a_lock_file_of_any_bytes_is_read_or_refused,
    an_index_file_of_any_bytes_hides_and_invents_nothing,
);

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);
const PATH: &str = "indexed.graven";

/// The first line is an identity as it is written, or the zone does not open; what the other lines say is what a writer
/// wrote, or unknown, and never an error.
pub fn a_lock_file_of_any_bytes_is_read_or_refused(bytes: &[u8]) {
    let mut behind_an_identity = new_lock_file(&[0x5a; 16])[..33].to_vec();
    behind_an_identity.extend_from_slice(bytes);
    for content in [bytes, &behind_an_identity] {
        let disk = FaultDisk::new();
        disk.write_file("/gate", b"").expect("the gate");
        disk.write_file("/lock", content).expect("the lock file");
        let root = disk.process(1).open_directory(Path::new("/")).expect("the root");
        let root = DurableDirectory::new(root, "/");
        let Ok(lock) = ZoneLock::open(&root, "lock", "gate", Access::ReadWrite, LockWait::TryOnce) else {
            assert!(
                !std::ptr::eq(content, behind_an_identity.as_slice()),
                "an identity was refused"
            );
            continue;
        };
        assert_eq!(new_lock_file(lock.identity())[..33], content[..33]);
        let note = lock.note().expect("a note, or nothing known");
        if let Some(counter) = note.counter {
            assert_eq!(format!("{counter:020}\n").as_bytes(), &content[33..54]);
        }
        if let Some(holder) = &note.holder {
            assert!(holder.len() <= 64 && !holder.chars().any(char::is_control));
        }
        let (counter, holder) = (note.counter.unwrap_or(7), note.holder.unwrap_or_default());
        lock.acquire_exclusive().expect("nobody else");
        lock.set_note(counter, &holder).expect("a note");
        lock.release_exclusive();
        let again = lock.note().expect("a note");
        assert_eq!(
            (again.counter, again.holder.unwrap_or_default()),
            (Some(counter), holder)
        );
    }
}

/// A disk with a store, and what is looked up in it.
struct Indexed {
    disk: FaultDisk,
    tree: ObjectHash,
    snapshot: SnapshotId,
}

static INDEXED: LazyLock<Indexed> = LazyLock::new(|| {
    let disk = FaultDisk::new();
    let store = Store::create(PATH, "AB".parse().expect("a namespace"), &options(&disk, 1)).expect("a new store");
    let tree = store.objects().write(NOW, |txn| txn.put_directory(&[]));
    let tree = tree.expect("an object").value.hash;
    let made = store.write(NOW, |txn| {
        let first = txn.create_snapshot(&NewSnapshot::new(tree, NOW))?.index;
        txn.create_line("main", Some(first))?;
        txn.create_line("other", None)?;
        Ok(txn.snapshots()?.get(first)?.record().id)
    });
    let snapshot = made.expect("a history").value;
    drop(store);
    Indexed { disk, tree, snapshot }
});

fn options(disk: &FaultDisk, process: u8) -> Options {
    Options::new([process; 32]).vfs(disk.process(u32::from(process)))
}

/// Whatever the index files hold, what is there is found and what is not there is not.
pub fn an_index_file_of_any_bytes_hides_and_invents_nothing(input: &[u8]) {
    let Indexed { disk, tree, snapshot } = &*INDEXED;
    let disk = disk.fork();
    let (plain, rows) = input
        .split_first()
        .map_or((true, input), |(first, rows)| (first % 4 == 0, rows));
    let mut bytes = if plain { Vec::new() } else { HEADER.to_vec() };
    bytes.extend_from_slice(rows);
    for file in [
        "workflow/line_name.idx",
        "workflow/snapshot_id.idx",
        "objects/object_hash.idx",
    ] {
        disk.write_file(&format!("/{PATH}/{file}"), &bytes)
            .expect("an index file");
    }
    let store = Store::open(PATH, &options(&disk, 2).read_only(true)).expect("an index file is never authority");
    let found = store.read(|view| {
        for (name, there) in [("main", true), ("other", true), ("none", false)] {
            let line = view.lines()?.by_name(name)?;
            assert_eq!(line.is_some(), there, "{name}");
        }
        let id = view.snapshots()?.by_id(*snapshot)?.map(|found| found.index());
        assert_eq!(id, SnapshotIndex::new(0));
        let absent = SnapshotId::new(snapshot.get() ^ 1).expect("another identity");
        assert!(view.snapshots()?.by_id(absent)?.is_none());
        Ok(())
    });
    found.expect("every look-up");
    let found = store.objects().read(|view| {
        assert!(view.objects()?.by_hash(tree)?.is_some());
        assert!(view.objects()?.by_hash(&ObjectHash([7; 32]))?.is_none());
        Ok(())
    });
    found.expect("every look-up");
}
