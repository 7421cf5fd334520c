//! The calls that a warm commit makes, all of them: a look that creeps in is a look that every commit pays for.

use graven::format::SnapshotIndex;
use graven::vfs::fault::{FaultDisk, OperationKind};
use graven::{NewSnapshot, Store};

use super::{NOW, PATH, empty_disk, on};

/// The calls of `change`, which has been made often enough that the handle knows what it needs.
fn calls(disk: &FaultDisk, mut change: impl FnMut()) -> Vec<String> {
    for _ in 0..3 {
        change();
    }
    disk.record_trace(true);
    change();
    let trace = disk.trace();
    disk.record_trace(false);
    let below = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    trace
        .iter()
        .map(|call| format!("{:?} {}", call.kind, below(&call.path)))
        .collect()
}

/// What every lock acquisition calls, and what every release does.
const LOCK: [&str; 6] = [
    "Lock workflow.gate",
    "Lock workflow.lock",
    "Unlock workflow.gate",
    "Read workflow.undo",
    "Read workflow.lock",
    "Unlock workflow.lock",
];

#[test]
fn a_warm_replace_reads_the_head_of_the_undo_the_note_of_the_lock_and_the_name_it_is_found_by() {
    let disk = empty_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let (line, mut from, mut to) = two_snapshots(&store);
    let calls = calls(&disk, || {
        store
            .write(NOW, |txn| txn.move_head(line, Some(from), Some(to)))
            .unwrap();
        std::mem::swap(&mut from, &mut to);
    });
    let [gate, lock, ungate, head, note, unlock] = LOCK;
    let expected = [
        gate,
        lock,
        ungate,
        head,
        note,
        "Write workflow.undo",
        "SyncData workflow.undo",
        "Write workflow.lock",
        "Write line.bin",
        "SyncData line.bin",
        "Write workflow.undo",
        // The key of this one index stands in payload, and a changed record may name other payload.
        "Read line_name_payload.bin",
        unlock,
    ];
    assert_eq!(calls, expected);
}

#[test]
fn a_warm_append_looks_at_nothing_else_either() {
    let disk = empty_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let mut content = 0_u32;
    let calls = calls(&disk, || {
        content += 1;
        store
            .objects()
            .write(NOW, |txn| txn.put_blob(&content.to_le_bytes()))
            .unwrap();
    });
    let reads = calls.iter().filter(|call| call.starts_with("Read ")).count();
    assert_eq!(reads, 2, "{calls:?}");
    let looks = [OperationKind::Metadata, OperationKind::Entries, OperationKind::OpenFile];
    for look in looks.map(|kind| format!("{kind:?} ")) {
        assert!(!calls.iter().any(|call| call.starts_with(&look)), "{calls:?}");
    }
    let syncs: Vec<&String> = calls.iter().filter(|call| call.starts_with("SyncData ")).collect();
    assert_eq!(
        syncs,
        [
            "SyncData object.undo",
            "SyncData object_payload.bin",
            "SyncData object.bin"
        ]
    );
}

/// A Line and two Snapshots between which its head can move.
fn two_snapshots(store: &Store) -> (graven::format::LineIndex, SnapshotIndex, SnapshotIndex) {
    let tree = store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .unwrap()
        .value
        .hash;
    let made = store.write(NOW, |txn| {
        let one = txn.create_snapshot(&NewSnapshot::new(tree, NOW).message("one"))?.index;
        let other = txn
            .create_snapshot(&NewSnapshot::new(tree, NOW).message("other"))?
            .index;
        Ok((txn.create_line("main", Some(one))?, one, other))
    });
    made.unwrap().value
}
