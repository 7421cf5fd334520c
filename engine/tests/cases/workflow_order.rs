//! The commit orders that rules ask of Tasks, Changes and Lands, on the trace of the fault disk.

use graven::format::{ArchiveCause, ChangeLifecycle, FailureKind, LandMode, RemoteTaskIndex, TaskStatus, ToleranceId};
use graven::format::{Change, ChangeOrdinal, Land, LandStatus, Task};
use graven::vfs::fault::{FaultDisk, KillPoints};
use graven::{Error, Store, Txn, Workflow};

use super::traces::{killed, phases};
use super::workflow_crash::{
    NEW_TASK, Operation, begun_disk, change, land, new_change, new_land, snapshot, stash, task,
};
use super::{LATER, PATH, on};

/// What an operation writes, in phases.
fn steps(operation: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<(), Error>) -> Vec<Vec<String>> {
    phases(&begun_disk(), |store| {
        store.write(LATER, operation).unwrap();
    })
}

/// The bytes of record `index` in a file, as they are readable; `None` where they are not all there.
fn readable(disk: &FaultDisk, file: &str, size: usize, index: usize) -> Option<Vec<u8>> {
    let bytes = disk.read_file(&format!("/s.graven/workflow/{file}")).unwrap();
    bytes.get(4 + size * index..4 + size * (index + 1)).map(<[u8]>::to_vec)
}

/// What a kill at each moment of an operation leaves readable of a record, and what it is after opening again.
fn left(
    (file, size, index): (&str, usize, usize),
    operation: impl FnOnce(&mut Txn<'_, Workflow>) -> Result<(), Error>,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let disks = killed(&begun_disk(), KillPoints::InsideWrites { step: 1 }, |store| {
        store.write(LATER, operation).unwrap();
    });
    let pairs = disks.iter().map(|disk| {
        let before = readable(disk, file, size, index).unwrap();
        drop(Store::open(PATH, &on(disk, 2)).unwrap());
        (before, readable(disk, file, size, index).unwrap())
    });
    pairs.collect()
}

#[test]
fn w_task_33_creating_a_task_writes_its_payload_first_and_then_the_record_with_its_owner_rows() {
    let steps = steps(|txn| txn.create_task(&NEW_TASK).map(drop));
    let start = 4 + 64 * 2;
    let expected = [
        format!("task.bin {start}..{}", start + 64),
        "task_change_index.bin 20..28".to_owned(),
        "task_land_index.bin 20..28".to_owned(),
    ];
    assert_eq!(steps.len(), 2, "{steps:?}");
    assert!(
        matches!(&steps[0][..], [one] if one.starts_with("task_payload.bin ")),
        "{steps:?}"
    );
    assert_eq!(steps[1], expected);
}

#[test]
fn w_task_16_ending_a_task_makes_its_time_durable_before_its_status() {
    // `updated_at_s` at 32, `closed_at_s` at 56; the state byte is `task_meta`, or `local_meta` for abandoning.
    let record = 4;
    let operations: [(usize, Operation); 3] = [
        (0, |txn| txn.complete_task(task(0))),
        (0, |txn| txn.cancel_task(task(0))),
        (1, |txn| txn.abandon_task(task(0))),
    ];
    for (state, operation) in operations {
        let steps = steps(operation);
        assert_eq!(steps.len(), 2, "two phases, each synced: {steps:?}");
        let status = format!("task.bin {}..{}", record + state, record + state + 1);
        assert_eq!(steps[1], [status], "the status, alone and last");
        let times = steps[0].iter().all(|write| {
            let range = write.strip_prefix("task.bin ").unwrap();
            let (start, end) = range.split_once("..").unwrap();
            let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
            (record + 32 <= start && end <= record + 40) || (record + 56 <= start && end <= record + 64)
        });
        assert!(times, "{steps:?}");
        assert!(
            steps[0]
                .iter()
                .any(|write| write.ends_with("..68") || write.contains(" 60..")),
            "the close time: {steps:?}"
        );
    }
}

#[test]
fn w_task_17_w_task_19_until_the_status_is_written_the_task_is_open_whatever_the_time_says() {
    let old = readable(&begun_disk(), "task.bin", 64, 0).unwrap();
    let (mut open, mut leftover, mut ended) = (0, 0, 0);
    for (before, after) in left(("task.bin", 64, 0), |txn| txn.complete_task(task(0))) {
        let reading = Task::decode(&before).unwrap();
        if reading.value.status == TaskStatus::Active {
            open += 1;
            assert_eq!(reading.value.closed_at_s, None, "W-TASK-19");
            leftover += u32::from(reading.tolerated.contains(ToleranceId::TaskCloseTimeWithoutEnd));
            assert_eq!(
                after, old,
                "W-TASK-17: it is open after opening again, and the time is taken back"
            );
        } else {
            ended += 1;
            assert_eq!(
                (reading.value.status, reading.value.closed_at_s),
                (TaskStatus::Completed, Some(LATER))
            );
            assert_eq!(after, before);
        }
    }
    assert!(
        open > leftover && leftover > 1 && ended > 1,
        "{open} {leftover} {ended}"
    );
}

#[test]
fn publishing_a_task_is_one_whole_record_write() {
    let steps = steps(|txn| txn.publish_task(task(1), RemoteTaskIndex::MAX));
    assert_eq!(steps, [["task.bin 68..132"]]);
}

#[test]
fn w_change_47_creating_a_change_writes_its_title_first_and_then_the_record_with_its_owner_rows() {
    let steps = steps(|txn| txn.create_change(&new_change(task(1))).map(drop));
    let start = 4 + 68 * 3;
    let expected = [
        format!("change.bin {start}..{}", start + 68),
        "change_land_index.bin 28..36".to_owned(),
        "task_change_index.bin 12..20".to_owned(),
    ];
    assert_eq!(steps.len(), 2, "{steps:?}");
    assert!(
        matches!(&steps[0][..], [one] if one.starts_with("change_payload.bin ")),
        "{steps:?}"
    );
    assert_eq!(steps[1], expected);
}

#[test]
fn w_change_39_archiving_and_reopening_are_one_whole_record_write_each() {
    let one = [["change.bin 4..72"]];
    for cause in [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded] {
        assert_eq!(steps(|txn| txn.archive_change(change(0), cause)), one);
    }
    assert_eq!(steps(|txn| txn.reopen_change(change(2))), [["change.bin 140..208"]]);
    assert_eq!(steps(|txn| txn.publish_change(change(0), ChangeOrdinal::MAX)), one);
}

#[test]
fn w_change_40_no_kill_shows_archived_bits_with_the_old_time_or_the_reverse() {
    let old = readable(&begun_disk(), "change.bin", 68, 0).unwrap();
    let (mut kept, mut changed) = (0, 0);
    let archive = |txn: &mut Txn<'_, Workflow>| txn.archive_change(change(0), ArchiveCause::Superseded);
    for (_, after) in left(("change.bin", 68, 0), archive) {
        if after == old {
            kept += 1;
            continue;
        }
        changed += 1;
        let archived = ChangeLifecycle::Archived {
            cause: ArchiveCause::Superseded,
            at: Some(LATER),
        };
        assert_eq!(Change::decode_native(&after).unwrap().lifecycle, archived);
    }
    assert!(kept > 3 && changed > 1, "{kept} {changed}");
}

#[test]
fn w_land_35_submitting_appends_the_whole_record_with_its_target_and_its_owner_rows() {
    let steps = steps(|txn| txn.submit_land(&new_land(change(1))).map(drop));
    let start = 4 + 44 * 3;
    let expected = vec![
        "change_land_index.bin 12..20".to_owned(),
        format!("land.bin {start}..{}", start + 44),
        "task_land_index.bin 4..12".to_owned(),
    ];
    assert_eq!(steps, [expected]);
}

#[test]
fn w_land_07_a_change_of_status_writes_the_status_last() {
    let operations: [(usize, Operation); 5] = [
        (0, |txn| txn.start_land(land(0))),
        (0, |txn| txn.cancel_land(land(0))),
        (1, |txn| txn.begin_update(land(1))),
        (1, |txn| txn.fail_land(land(1), FailureKind::Conflict)),
        (2, |txn| txn.fail_land(land(2), FailureKind::Conflict)),
    ];
    for (index, operation) in operations {
        let steps = steps(operation);
        let record = 4 + 44 * index;
        assert_eq!(steps.len(), 2, "{steps:?}");
        assert_eq!(
            steps[1],
            [format!("land.bin {record}..{}", record + 1)],
            "the status, alone and last"
        );
        assert!(steps[0].iter().all(|write| write.starts_with("land.bin ")), "{steps:?}");
    }
}

#[test]
fn w_land_07_what_follows_a_status_is_written_after_it() {
    let record = 4 + 44;
    let status = [format!("land.bin {record}..{}", record + 1)];
    let blocked = steps(|txn| txn.block_land(land(1), FailureKind::BaseStale));
    assert_eq!(blocked.len(), 3, "{blocked:?}");
    assert_eq!(
        (&blocked[1][..], &blocked[2][..]),
        (&status[..], &["change.bin 4..72".to_owned()][..])
    );
    let succeeded = steps(|txn| txn.succeed_land(land(1), Some(snapshot(1)), snapshot(2)));
    assert_eq!(succeeded.len(), 3, "{succeeded:?}");
    assert_eq!(succeeded[1], status);
    assert_eq!(succeeded[2], ["change.bin 4..72", "line.bin 4..44"]);
}

#[test]
fn w_land_07_until_the_status_is_written_it_is_the_old_one() {
    let old = readable(&begun_disk(), "land.bin", 44, 1).unwrap();
    let (mut running, mut failed) = (0, 0);
    for (before, after) in left(("land.bin", 44, 1), |txn| txn.fail_land(land(1), FailureKind::Conflict)) {
        if before[0] == old[0] {
            running += 1;
            assert_eq!(after, old);
        } else {
            failed += 1;
            let land = Land::decode_native(&before).unwrap();
            let why = Some(FailureKind::Conflict);
            assert_eq!((land.status, land.updated_at_s), (LandStatus::Failed { why }, LATER));
            assert_eq!(after, before);
        }
    }
    assert!(running > 3 && failed > 1, "{running} {failed}");
}

#[test]
fn landing_at_once_and_dropping_a_stash_are_one_phase_each() {
    let landed = steps(|txn| {
        let new = graven::NewLand {
            mode: LandMode::FastForwardOnly,
            ..new_land(change(0))
        };
        txn.land(&new, Some(snapshot(1)), snapshot(2)).map(drop)
    });
    let files: Vec<Vec<&str>> = super::traces::files(&landed);
    let expected = [
        "change.bin",
        "change_land_index.bin",
        "land.bin",
        "line.bin",
        "task_land_index.bin",
    ];
    assert_eq!(files, [expected]);
    let dropped = steps(|txn| txn.drop_stash(stash(0)));
    assert_eq!(super::traces::files(&dropped), [["snapshot.bin", "stash.bin"]]);
}
