//! The bytes of the workflow's records, written by hand in `golden/`, and the typed values they are: what changes one of
//! them changes the format.

#[path = "golden/read.rs"]
mod read;

use graven::format::{
    ArchiveCause, Change, ChangeFlag, ChangeFlags, ChangeIndex, ChangeLands, ChangeLifecycle, ChangeOrdinal, Cursor,
    Land, LandIndex, LandMode, LandOrdinal, LandStatus, LineIndex, PatchsetIndex, PayloadRange, PlanBinding,
    PlanItemIndex, PlanRevisionIndex, PublishedChange, PublishedTask, RemoteChange, RemoteFlag, RemoteFlags,
    RemoteTask, RemoteTaskIndex, RemoteTaskStatus, ServerLand, SnapshotIndex, Stash, Task, TaskChanges, TaskFlags,
    TaskIndex, TaskLands, TaskStatus, UnixSeconds,
};
use read::record;

/// W-TASK-01, W-TASK-09: `closed_at_s` is the tail of the record. W-TASK-23: no field says where a Task came from.
#[test]
fn w_task_01_w_task_09_the_golden_task() {
    let task = Task {
        status: TaskStatus::Completed,
        closed_at_s: Some(UnixSeconds(0x3839_3a3b_3c3d_3e3f)),
        planned: true,
        flags: TaskFlags::NONE,
        hidden: false,
        payload: PayloadRange::new(0x0405_0607_0809_0a0b, 0x0203).unwrap(),
        plan_revision: PlanRevisionIndex::from_plus1(0x0c0d_0e0f),
        plan_item: PlanItemIndex::from_plus1(0x1011_1213),
        plan_linked_at_s: Some(UnixSeconds(0x2829_2a2b_2c2d_2e2f)),
        published: Some(PublishedTask {
            task: RemoteTaskIndex::new(0x1415_1617).unwrap(),
            at: UnixSeconds(0x3031_3233_3435_3637),
        }),
        created_at_s: UnixSeconds(0x1819_1a1b_1c1d_1e1f),
        updated_at_s: UnixSeconds(0x2021_2223_2425_2627),
    };
    assert_eq!(Task::decode_native(&record("task")), Ok(task));
    assert_eq!(task.encode().unwrap()[..], record("task"));
}

/// W-TASK-02, W-TASK-09.
#[test]
fn w_task_02_the_golden_task_of_a_server() {
    let task = RemoteTask {
        status: RemoteTaskStatus::Canceled,
        closed_at_s: Some(UnixSeconds(0x3435_3637_3839_3a3b)),
        planned: true,
        flags: TaskFlags::NONE,
        row: RemoteFlags::NONE.with(RemoteFlag::Hidden),
        payload: PayloadRange::new(0x0405_0607_0809_0a0b, 0x0203).unwrap(),
        plan: Some(PlanBinding {
            revision: PlanRevisionIndex::from_plus1(0x0c0d_0e0f).unwrap(),
            item: PlanItemIndex::from_plus1(0x1011_1213).unwrap(),
            linked_at_s: Some(UnixSeconds(0x2425_2627_2829_2a2b)),
        }),
        created_at_s: UnixSeconds(0x1415_1617_1819_1a1b),
        updated_at_s: Some(UnixSeconds(0x1c1d_1e1f_2021_2223)),
        fetched_at_s: Some(UnixSeconds(0x2c2d_2e2f_3031_3233)),
    };
    assert_eq!(RemoteTask::decode_native(&record("server_task")), Ok(task));
    assert_eq!(task.encode().unwrap()[..], record("server_task"));
}

/// W-CHANGE-02, W-CHANGE-28. W-CHANGE-04, W-CHANGE-08, W-CHANGE-30: every byte is a number that this test names, so no
/// text of a Change, a Task or a Line is among them, and no index of a remote Change.
#[test]
fn w_change_02_w_change_04_w_change_08_w_change_28_the_golden_change() {
    let change = Change {
        lifecycle: ChangeLifecycle::Archived {
            cause: ArchiveCause::Canceled,
            at: Some(UnixSeconds(0x3c3d_3e3f_4041_4243)),
        },
        flags: ChangeFlags::NONE,
        ordinal: ChangeOrdinal::new(4).unwrap(),
        task: TaskIndex::new(0x1011_1213).unwrap(),
        previous: ChangeIndex::from_plus1(0x1415_1617),
        fork: SnapshotIndex::from_plus1(0x1819_1a1b),
        published: Some(PublishedChange {
            ordinal: ChangeOrdinal::from_plus1(0x1c).unwrap(),
            at: UnixSeconds(0x3031_3233_3435_3637),
        }),
        title: PayloadRange::new(0x0809_0a0b_0c0d_0e0f, 0x0203).unwrap(),
        base_line: LineIndex::from_plus1(0x3839_3a3b).unwrap(),
        created_at_s: UnixSeconds(0x2021_2223_2425_2627),
        updated_at_s: UnixSeconds(0x2829_2a2b_2c2d_2e2f),
    };
    assert_eq!(Change::decode_native(&record("change")), Ok(change));
    assert_eq!(change.encode().unwrap()[..], record("change"));
}

/// W-CHANGE-03. W-CHANGE-16: the selected Patchset stands at 24, the fork at 28, and only the last two fields behind the
/// prefix of 56 bytes were added (W-CHANGE-63).
#[test]
fn w_change_03_w_change_16_w_change_63_the_golden_change_of_a_server() {
    let change = RemoteChange {
        lifecycle: ChangeLifecycle::Archived {
            cause: ArchiveCause::Canceled,
            at: Some(UnixSeconds(0x3c3d_3e3f_4041_4243)),
        },
        flags: ChangeFlags::NONE.with(ChangeFlag::HasPatchsets),
        row: RemoteFlags::NONE.with(RemoteFlag::Hidden),
        ordinal: ChangeOrdinal::new(4).unwrap(),
        task: TaskIndex::new(0x1011_1213).unwrap(),
        previous: ChangeIndex::from_plus1(0x1415_1617),
        selected: PatchsetIndex::from_plus1(0x1819_1a1b),
        fork: SnapshotIndex::from_plus1(0x1c1d_1e1f),
        title: PayloadRange::new(0x0809_0a0b_0c0d_0e0f, 0x0203).unwrap(),
        base_line: LineIndex::from_plus1(0x3839_3a3b).unwrap(),
        created_at_s: UnixSeconds(0x2021_2223_2425_2627),
        updated_at_s: UnixSeconds(0x2829_2a2b_2c2d_2e2f),
        fetched_at_s: Some(UnixSeconds(0x3031_3233_3435_3637)),
    };
    assert_eq!(RemoteChange::decode_native(&record("server_change")), Ok(change));
    assert_eq!(change.encode().unwrap()[..], record("server_change"));
    let offset = |field| graven::format::REMOTE_CHANGE.field(field).unwrap().offset;
    assert_eq!(offset("selected_patchset_index_plus1"), 24);
    assert_eq!(offset("fork_snapshot_index_plus1"), 28);
    assert_eq!((offset("base_line_index_plus1"), offset("archived_at_s")), (56, 60));
}

/// W-LAND-03, W-LAND-05, W-LAND-21: a local Land is its Snapshots and its target, without a Patchset. W-LAND-22: every
/// byte is a number that this test names.
#[test]
fn w_land_03_w_land_05_w_land_21_w_land_22_the_golden_land() {
    let land = Land {
        status: LandStatus::Succeeded {
            landed: SnapshotIndex::from_plus1(0x1415_1617).unwrap(),
        },
        mode: LandMode::Merge,
        tombstoned: false,
        ordinal: LandOrdinal::new(1).unwrap(),
        change_ordinal: ChangeOrdinal::new(2).unwrap(),
        change: ChangeIndex::new(0x0405_0607).unwrap(),
        previous_of_task: LandIndex::from_plus1(0x0809_0a0b),
        previous_of_change: LandIndex::from_plus1(0x0c0d_0e0f),
        pre_target: SnapshotIndex::from_plus1(0x1011_1213),
        submitted_at_s: Some(UnixSeconds(0x1819_1a1b_1c1d_1e1f)),
        updated_at_s: UnixSeconds(0x2021_2223_2425_2627),
        target_line: LineIndex::from_plus1(0x2829_2a2b).unwrap(),
    };
    assert_eq!(Land::decode_native(&record("land")), Ok(land));
    assert_eq!(land.encode().unwrap()[..], record("land"));
}

/// W-LAND-04: the accepted Patchset is a field of the record. W-LAND-21: the target stands at 44.
#[test]
fn w_land_04_w_land_21_the_golden_land_of_a_server() {
    let land = ServerLand {
        patchset: PatchsetIndex::new(0x0809_0a0b).unwrap(),
        attempt: Land {
            status: LandStatus::Succeeded {
                landed: SnapshotIndex::from_plus1(0x1819_1a1b).unwrap(),
            },
            mode: LandMode::FastForwardOnly,
            tombstoned: true,
            ordinal: LandOrdinal::new(1).unwrap(),
            change_ordinal: ChangeOrdinal::new(2).unwrap(),
            change: ChangeIndex::new(0x0405_0607).unwrap(),
            previous_of_task: LandIndex::from_plus1(0x0c0d_0e0f),
            previous_of_change: LandIndex::from_plus1(0x1011_1213),
            pre_target: SnapshotIndex::from_plus1(0x1415_1617),
            submitted_at_s: Some(UnixSeconds(0x1c1d_1e1f_2021_2223)),
            updated_at_s: UnixSeconds(0x2425_2627_2829_2a2b),
            target_line: LineIndex::from_plus1(0x2c2d_2e2f).unwrap(),
        },
    };
    assert_eq!(ServerLand::decode_native(&record("server_land")), Ok(land));
    assert_eq!(land.encode().unwrap()[..], record("server_land"));
}

/// W-STASH-01, W-STASH-06.
#[test]
fn w_stash_01_w_stash_06_the_golden_stash() {
    let stash = Stash {
        tombstoned: true,
        workspace_cleared: true,
        snapshot: SnapshotIndex::new(0x0405_0607).unwrap(),
    };
    assert_eq!(Stash::decode_native(&record("stash")), Ok(stash));
    assert_eq!(stash.encode()[..], record("stash"));
}

/// W-CHANGE-01, W-LAND-01, W-LAND-02.
#[test]
fn w_change_01_w_land_01_w_land_02_the_golden_owner_rows() {
    let changes = TaskChanges {
        latest: ChangeIndex::from_plus1(0x0001_0203),
        count: 0x0405,
        next: 6,
    };
    assert_eq!(TaskChanges::decode_native(&record("task_change_index")), Ok(changes));
    assert_eq!(changes.encode().unwrap()[..], record("task_change_index"));
    let inventory = TaskLands {
        latest: LandIndex::from_plus1(0x0001_0203),
        count: 0x0405,
    };
    assert_eq!(TaskLands::decode_native(&record("task_land_index")), Ok(inventory));
    assert_eq!(inventory.encode()[..], record("task_land_index"));
    let lands = ChangeLands {
        latest: LandIndex::from_plus1(0x0001_0203),
        count: 0x0405,
        next: 6,
    };
    assert_eq!(ChangeLands::decode_native(&record("change_land_index")), Ok(lands));
    assert_eq!(lands.encode().unwrap()[..], record("change_land_index"));
}

/// W-CURSOR-01, and the file around the record: G04, assigned by us.
#[test]
fn w_cursor_01_g04_assigned_by_us_the_golden_cursor() {
    let cursor = Cursor {
        cleared: true,
        task: TaskIndex::new(0x0405_0607),
        selected_change: ChangeIndex::from_plus1(0x0809_0a0b),
        pending_pre_target: SnapshotIndex::from_plus1(0x0c0d_0e0f),
        pending_landed: SnapshotIndex::from_plus1(0x1011_1213),
        updated_at_s: UnixSeconds(0x1415_1617_1819_1a1b),
    };
    assert_eq!(Cursor::decode_native(&record("worktree_cursor")), Ok(cursor));
    assert_eq!(cursor.encode().unwrap()[..], record("worktree_cursor"));
    let file = [vec![1, 0, 0, 0], record("worktree_cursor")].concat();
    assert_eq!(Cursor::decode_file(&file), Ok(cursor));
    assert_eq!(cursor.encode_file().unwrap()[..], file);
}
