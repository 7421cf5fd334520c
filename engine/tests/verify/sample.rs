//! A small store with records of every family in every state: Tasks, Changes, Lands, Stashes, Lines, Tags, Snapshots,
//! objects, owner rows, and raw rows of Plans. Nothing in it is wrong or tolerated.

use graven::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, DirectoryEntry, EntryTarget, FailureKind, FileMode, LandIndex, LandMode,
    LineIndex, ObjectHash, PlanItemIndex, PlanRevisionIndex, RemoteTaskIndex, SnapshotIndex, SnapshotKind, Task,
    UnixSeconds,
};
use graven::{LandedHistory, NewChange, NewLand, NewSnapshot, NewTask, Result, Store, Txn, Workflow};

/// When everything in the sample happens.
pub const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// Fills a new store.
pub fn fill(store: &Store) -> Result<()> {
    let trees = trees(store)?;
    store.write(NOW, |txn| {
        let snapshots = snapshots(txn, &trees)?;
        workflow(txn, &snapshots)
    })?;
    store.sync_spent()
}

fn trees(store: &Store) -> Result<[ObjectHash; 2]> {
    let put = store.objects().write(NOW, |txn| {
        let blob = txn.put_blob(b"some content")?;
        txn.put_blob(b"")?;
        let target = EntryTarget::File {
            mode: FileMode::Plain,
            size: blob.len,
            hash: blob.hash,
        };
        let entry = DirectoryEntry { name: b"file", target };
        Ok([txn.put_directory(&[])?.hash, txn.put_directory(&[entry])?.hash])
    })?;
    Ok(put.value)
}

struct Snapshots {
    first: SnapshotIndex,
    second: SnapshotIndex,
    stash: SnapshotIndex,
    dropped: SnapshotIndex,
    main: LineIndex,
}

fn snapshots(txn: &mut Txn<'_, Workflow>, [empty, full]: &[ObjectHash; 2]) -> Result<Snapshots> {
    let first = txn
        .create_snapshot(&NewSnapshot::new(*empty, NOW).message("first"))?
        .index;
    let main = txn.create_line("main", Some(first))?;
    let parents = [first];
    let second = NewSnapshot::new(*full, NOW)
        .parents(&parents)
        .line(main)
        .message("second");
    let second = txn.create_snapshot(&second)?.index;
    let aside = NewSnapshot::new(*full, NOW).kind(SnapshotKind::Stash);
    let stash = txn.create_snapshot(&aside.message("aside"))?.index;
    let dropped = txn.create_snapshot(&aside.message("dropped"))?.index;
    let gone = txn
        .create_snapshot(&NewSnapshot::new(*empty, NOW).message("gone"))?
        .index;
    txn.tombstone_snapshot(gone)?;
    let old = txn.create_line("old", Some(second))?;
    txn.archive_line(old)?;
    let none = txn.create_line("none", None)?;
    txn.delete_line(none)?;
    txn.create_tag("v1", first, None)?;
    let tag = txn.create_tag("v2", second, Some("a release"))?;
    txn.delete_tag(tag)?;
    Ok(Snapshots {
        first,
        second,
        stash,
        dropped,
        main,
    })
}

fn workflow(txn: &mut Txn<'_, Workflow>, snapshots: &Snapshots) -> Result<()> {
    let stash = txn.save_stash(snapshots.dropped, true)?;
    txn.drop_stash(stash)?;
    txn.save_stash(snapshots.stash, false)?;

    let task = |txn: &mut Txn<'_, Workflow>, title| {
        txn.create_task(&NewTask {
            title,
            intent: "why",
            planned: false,
        })
    };
    let published = task(txn, "published")?;
    let open = task(txn, "open")?;
    let completed = task(txn, "completed")?;
    txn.complete_task(completed)?;
    let canceled = task(txn, "canceled")?;
    txn.cancel_task(canceled)?;
    let abandoned = task(txn, "abandoned")?;
    txn.abandon_task(abandoned)?;
    txn.publish_task(published, RemoteTaskIndex::new(7).unwrap_or(RemoteTaskIndex::MAX))?;

    let change = |txn: &mut Txn<'_, Workflow>, task, title| {
        let base_line = "main";
        txn.create_change(&NewChange { task, title, base_line })
    };
    let outside = change(txn, published, "outside")?;
    txn.publish_change(outside, ChangeOrdinal::new(2).unwrap_or(ChangeOrdinal::MIN))?;
    let landed = change(txn, published, "landed")?;
    for (title, cause) in [
        ("plain", ArchiveCause::Plain),
        ("canceled", ArchiveCause::Canceled),
        ("superseded", ArchiveCause::Superseded),
    ] {
        let archived = change(txn, published, title)?;
        txn.archive_change(archived, cause)?;
    }
    let drafts = [change(txn, open, "draft")?, change(txn, open, "another draft")?];
    lands(txn, snapshots, drafts, landed)
}

fn lands(
    txn: &mut Txn<'_, Workflow>,
    snapshots: &Snapshots,
    [draft, other]: [ChangeIndex; 2],
    landed: ChangeIndex,
) -> Result<()> {
    let new = |change, mode| NewLand {
        change,
        target_line: "main",
        mode,
    };
    txn.submit_land(&new(draft, LandMode::Direct))?;
    let running = |txn: &mut Txn<'_, Workflow>, change| -> Result<LandIndex> {
        let land = txn.submit_land(&new(change, LandMode::Merge))?;
        txn.start_land(land)?;
        Ok(land)
    };
    running(txn, draft)?;
    txn.submit_land(&new(other, LandMode::Direct))?;
    let updating = running(txn, draft)?;
    txn.begin_update(updating)?;
    let ahead = new(landed, LandMode::FastForwardOnly);
    txn.land(&ahead, Some(snapshots.first), snapshots.second)?;
    let blocked = running(txn, draft)?;
    txn.block_land(blocked, FailureKind::BaseStale)?;
    let failed = running(txn, draft)?;
    txn.fail_land(failed, FailureKind::InternalError)?;
    let canceled = running(txn, draft)?;
    txn.cancel_land(canceled)?;
    txn.record_landed(&LandedHistory {
        title: "imported",
        intent: "history",
        line: snapshots.main,
        fork: None,
        landed: snapshots.first,
        mode: LandMode::Direct,
    })?;
    let again = running(txn, landed)?;
    txn.fail_land(again, FailureKind::Conflict).map(drop)
}

/// The files of a Plan with one revision and two items, whole; no operation of this version writes them.
pub fn plan_files() -> [(&'static str, Vec<u8>); 6] {
    let header = [1, 0, 0, 0];
    let now = NOW.0.to_le_bytes();
    let file = |parts: &[&[u8]]| [&header[..], &parts.concat()].concat();
    let none = [0; 4];
    let plan: [&[u8]; 8] = [
        &[0, 0, 4, 0],
        &[4, 0, 0, 0, 0, 0, 0, 0],
        &[1, 0, 0, 0],
        &none,
        &none,
        &now,
        &now,
        &[0; 8],
    ];
    let revision: [&[u8]; 10] = [
        &[0, 0, 10, 0, 1, 0, 2, 0],
        &[4, 0, 0, 0, 0, 0, 0, 0],
        &none,
        &none,
        &none,
        &none,
        &none,
        &none,
        &now,
        &[0; 8],
    ];
    let item = |meta: u8, offset: u8| -> Vec<u8> {
        [&[meta, 0, 6, 0][..], &[offset, 0, 0, 0, 0, 0, 0, 0], &[offset, 0, 0, 0]].concat()
    };
    [
        ("plan.bin", file(&plan)),
        ("plan_payload.bin", file(&[b"plan"])),
        ("plan_revision.bin", file(&revision)),
        ("plan_revision_payload.bin", file(&[b"a revision"])),
        ("plan_item.bin", file(&[&item(0b0101, 4), &item(0b0110, 10)])),
        ("plan_item_payload.bin", file(&[b"first ", b"second"])),
    ]
}

/// Makes the open Task come from the Plan's revision and its second item, in the bytes of `task.bin`; no operation of this
/// version does.
pub fn link_to_plan(task_bin: &mut [u8]) {
    // The open Task is the second.
    let Some(record) = task_bin.get_mut(4 + 64..4 + 2 * 64) else {
        return;
    };
    let linked = Task::decode_native(record).map(|found| Task {
        planned: true,
        plan_revision: PlanRevisionIndex::new(0),
        plan_item: PlanItemIndex::new(1),
        plan_linked_at_s: Some(NOW),
        ..found
    });
    if let Ok(bytes) = linked.and_then(|task| task.encode()) {
        record.copy_from_slice(&bytes);
    }
}
