//! A small store with records of every family in every state: Tasks, Changes, Lands, Stashes, Lines, Tags, Snapshots,
//! objects, owner rows, and raw rows of Plans. Nothing in it is wrong or tolerated.

use graven::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, DirectoryEntry, EntryTarget, FailureKind, FileMode, LandIndex, LandMode,
    LineIndex, ObjectHash, PlanItemIndex, PlanRevisionIndex, RemoteTaskIndex, SnapshotIndex, SnapshotKind, Task,
    TaskIndex, UnixSeconds,
};
use graven::{LandedHistory, NewChange, NewLand, NewSnapshot, NewTask, Result, Store, Txn, Workflow};

/// When everything in the sample happens.
pub const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// Fills a new store. The records that tests name stand where the constants of [`at`] say.
pub fn fill(store: &Store) -> Result<()> {
    let trees = trees(store)?;
    store.write(NOW, |txn| {
        let snapshots = snapshots(txn, &trees)?;
        workflow(txn, &snapshots)
    })?;
    store.sync_spent()
}

/// Where records of the sample stand.
pub mod at {
    /// Tasks: open and published, open, and ended in each way; one that was imported.
    pub const PUBLISHED_TASK: u32 = 0;
    pub const OPEN_TASK: u32 = 1;
    pub const COMPLETED_TASK: u32 = 2;
    pub const CANCELED_TASK: u32 = 3;
    pub const ABANDONED_TASK: u32 = 4;
    /// Changes of the published Task: a published draft, a landed one, and three that are archived, for each cause.
    pub const PUBLISHED_CHANGE: u32 = 0;
    pub const LANDED_CHANGE: u32 = 1;
    pub const PLAIN_CHANGE: u32 = 2;
    pub const CANCELED_CHANGE: u32 = 3;
    pub const SUPERSEDED_CHANGE: u32 = 4;
    /// Changes of the open Task, whose Lands did not succeed.
    pub const DRAFT_CHANGE: u32 = 5;
    pub const OTHER_DRAFT: u32 = 6;
    /// A Change of an ended Task, which was imported.
    pub const IMPORTED_CHANGE: u32 = 7;
    /// Lands of the draft: queued, running, updating, blocked, failed, canceled. Between them stand the Land of the
    /// other draft, and the succeeded one of the landed Change.
    pub const QUEUED_LAND: u32 = 0;
    pub const RUNNING_LAND: u32 = 1;
    pub const OTHER_LAND: u32 = 2;
    pub const UPDATING_LAND: u32 = 3;
    pub const SUCCEEDED_LAND: u32 = 4;
    pub const BLOCKED_LAND: u32 = 5;
    pub const FAILED_LAND: u32 = 6;
    pub const CANCELED_LAND: u32 = 7;
    pub const IMPORTED_LAND: u32 = 8;
    /// A later Land of the landed Change, which failed.
    pub const LATER_LAND: u32 = 9;
    /// Snapshots: two of kind line, two of kind stash of which the second is deleted with its Stash, a deleted one.
    pub const FIRST: u32 = 0;
    pub const SECOND: u32 = 1;
    pub const OF_STASH: u32 = 2;
    pub const DELETED: u32 = 4;
    /// Lines: the main one, an archived one, a deleted one.
    pub const ARCHIVED_LINE: u32 = 1;
    pub const DELETED_LINE: u32 = 2;
    /// Stashes: a deleted one, a live one.
    pub const LIVE_STASH: u32 = 1;
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

/// The bytes of `task.bin` with a Task that comes from the Plan's revision and its item `item`.
pub fn link_to_plan(task_bin: &mut [u8], task: TaskIndex, item: u32) {
    let start = 4 + task.get() as usize * 64;
    let Some(record) = task_bin.get_mut(start..start + 64) else {
        return;
    };
    let linked = Task::decode_native(record).map(|found| Task {
        planned: true,
        plan_revision: PlanRevisionIndex::new(0),
        plan_item: PlanItemIndex::new(item),
        plan_linked_at_s: Some(NOW),
        ..found
    });
    if let Ok(bytes) = linked.and_then(|task| task.encode()) {
        record.copy_from_slice(&bytes);
    }
}
