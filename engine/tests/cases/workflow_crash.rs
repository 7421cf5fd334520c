//! Every operation on Tasks, Changes, Lands and Stashes, interrupted at every call and by the cuts there: after opening
//! again all of it is there, or nothing of it, and owner rows are never ahead of their records.

use std::collections::HashSet;
use std::fmt::Write as _;

use graven::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, FailureKind, LandIndex, LandMode, LineIndex, RemoteTaskIndex,
    SnapshotIndex, SnapshotKind, StashIndex, TaskIndex,
};
use graven::vfs::fault::FaultDisk;
use graven::{Error, Flow, LandedHistory, NewChange, NewLand, NewSnapshot, NewTask, Store, Txn, Workflow};

use super::traces::interrupted;
use super::{LATER, NOW, PATH, filled_disk, has_extension, on};

pub const NEW_TASK: NewTask<'static> = NewTask {
    title: "A new Task",
    intent: "Its intent.",
    planned: true,
};

macro_rules! indexes {
    ($($name:ident $index:ident)+) => {
        $(
            pub fn $name(index: u32) -> $index {
                $index::new(index).unwrap()
            }
        )+
    };
}

indexes! {
    task TaskIndex
    change ChangeIndex
    land LandIndex
    snapshot SnapshotIndex
    stash StashIndex
}

pub fn new_change(task: TaskIndex) -> NewChange<'static> {
    NewChange {
        task,
        title: "A new Change",
        base_line: "main",
    }
}

pub fn new_land(change: ChangeIndex) -> NewLand<'static> {
    NewLand {
        change,
        target_line: "main",
        mode: LandMode::Direct,
    }
}

/// A disk with a store in which work has begun: Task 0 is published and has the drafts 0 and 1 and the archived Change
/// 2; Change 0 has a queued, a running and an updating Land. Task 1 is empty. The Line `main` stands on Snapshot 1, whose
/// child is Snapshot 2; Stash 0 names Snapshot 3.
pub fn begun_disk() -> FaultDisk {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let begun = store.write(NOW, |txn| {
        let root = txn.snapshots()?.get(snapshot(0))?.manifest_hash;
        let parents = [snapshot(1)];
        txn.create_snapshot(&NewSnapshot::new(root, NOW).parents(&parents).message("next"))?;
        let aside = NewSnapshot::new(root, NOW).kind(SnapshotKind::Stash).message("aside");
        let aside = txn.create_snapshot(&aside)?.index;
        txn.save_stash(aside, true)?;
        for title in ["first", "second"] {
            txn.create_task(&NewTask::new(title, "An intent."))?;
        }
        txn.publish_task(task(0), RemoteTaskIndex::MAX)?;
        for _ in 0..3 {
            txn.create_change(&new_change(task(0)))?;
        }
        txn.archive_change(change(2), ArchiveCause::Canceled)?;
        for steps in 0..3 {
            let land = txn.submit_land(&new_land(change(0)))?;
            if steps > 0 {
                txn.start_land(land)?;
            }
            if steps > 1 {
                txn.begin_update(land)?;
            }
        }
        Ok(())
    });
    begun.unwrap();
    store.close().unwrap();
    disk.fork()
}

/// Everything that can be read of the workflow, as text.
fn seen(store: &Store) -> String {
    let mut seen = String::new();
    let read = store.read(|view| {
        for row in view.tasks()? {
            let (index, task) = row?;
            let _ = writeln!(seen, "{task:?} {:?}", task.text()?);
            for change in view.changes()?.of_task(index)? {
                let _ = writeln!(seen, "  {change:?} {}", change.title()?);
                for land in view.lands()?.of_change(change.index())? {
                    let _ = writeln!(seen, "    {land:?}");
                }
            }
            let lands = view.lands()?.of_task(index)?;
            let _ = writeln!(
                seen,
                "  {:?}",
                lands.iter().map(graven::Land::index).collect::<Vec<_>>()
            );
        }
        let counts = [view.changes()?.len(), view.lands()?.len(), view.snapshots()?.len()];
        let _ = writeln!(seen, "{counts:?}");
        for row in view.stashes()? {
            let (_, stash) = row?;
            let _ = writeln!(seen, "{stash:?} {:?}", stash.content()?);
        }
        for row in view.lines()? {
            let _ = writeln!(seen, "{:?}", row?.1);
        }
        Ok(())
    });
    read.unwrap();
    seen
}

/// The bytes of every file of records or payload.
fn records(disk: &FaultDisk) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = disk.files().into_iter().collect();
    files.retain(|(path, _)| has_extension(path, "bin"));
    files
}

/// An operation to interrupt.
pub type Operation = fn(&mut Txn<'_, Workflow>) -> Result<(), Error>;

/// Interrupts each operation everywhere.
fn all_or_nothing(operations: &[(&str, Operation)]) {
    let begun = begun_disk();
    for (name, operation) in operations {
        let before = seen(&Store::open(PATH, &on(&begun.fork(), 1)).unwrap());
        let done = begun.fork();
        let store = Store::open(PATH, &on(&done, 1)).unwrap();
        store.write(LATER, *operation).unwrap();
        let after = seen(&store);
        assert_ne!(before, after, "{name}");
        drop(store);
        let (mut old, mut new, mut recovered) = (0, 0, HashSet::new());
        let images = interrupted(&begun, |store| {
            store.write(LATER, *operation).unwrap();
        });
        for image in images {
            let store = Store::open(PATH, &on(&image, 2)).unwrap();
            let found = seen(&store);
            if found == before {
                old += 1;
            } else {
                assert_eq!(found, after, "{name}: neither as before nor as after");
                new += 1;
            }
            if !recovered.insert(records(&image)) {
                continue;
            }
            let verified = graven::verify(PATH, &on(&image, 3), false, |_| Flow::Continue).unwrap();
            assert!(verified.is_clean(), "{name}: {:?}", verified.findings);
            // It goes on working: what was interrupted can be done, or is refused because it was done.
            let again = store.write(LATER, *operation);
            assert!(again.is_ok() || found == after, "{name}: {:?}", again.err());
        }
        assert!(old > 5 && new > 2, "{name}: {old} old, {new} new");
    }
}

#[test]
fn w_task_15_w_task_17_an_interrupted_operation_on_a_task_is_done_whole_or_not_at_all() {
    all_or_nothing(&[
        ("create", |txn| txn.create_task(&NEW_TASK).map(drop)),
        ("complete", |txn| txn.complete_task(task(0))),
        ("cancel", |txn| txn.cancel_task(task(1))),
        ("abandon", |txn| txn.abandon_task(task(0))),
        ("publish", |txn| txn.publish_task(task(1), RemoteTaskIndex::MAX)),
    ]);
}

#[test]
fn w_change_39_w_change_40_w_change_47_an_interrupted_operation_on_a_change_is_done_whole_or_not_at_all() {
    all_or_nothing(&[
        ("create", |txn| txn.create_change(&new_change(task(1))).map(drop)),
        ("create another", |txn| {
            txn.create_change(&new_change(task(0))).map(drop)
        }),
        ("archive", |txn| txn.archive_change(change(0), ArchiveCause::Superseded)),
        ("reopen", |txn| txn.reopen_change(change(2))),
        ("publish", |txn| txn.publish_change(change(0), ChangeOrdinal::MAX)),
    ]);
}

#[test]
fn w_land_07_w_land_35_an_interrupted_change_of_a_land_is_done_whole_or_not_at_all() {
    all_or_nothing(&[
        ("submit", |txn| txn.submit_land(&new_land(change(1))).map(drop)),
        ("start", |txn| txn.start_land(land(0))),
        ("cancel", |txn| txn.cancel_land(land(0))),
        ("begin the update", |txn| txn.begin_update(land(1))),
        ("block", |txn| txn.block_land(land(1), FailureKind::BaseStale)),
        ("fail", |txn| txn.fail_land(land(2), FailureKind::TargetUpdateFailed)),
    ]);
}

#[test]
fn w_land_24_an_interrupted_success_moves_head_land_and_change_together_or_none_of_them() {
    all_or_nothing(&[
        ("succeed", |txn| {
            txn.succeed_land(land(2), Some(snapshot(1)), snapshot(2))
        }),
        ("land", |txn| {
            txn.land(&new_land(change(1)), Some(snapshot(1)), snapshot(2)).map(drop)
        }),
    ]);
}

#[test]
fn interrupted_history_is_recorded_whole_or_not_at_all() {
    all_or_nothing(&[("record", |txn| {
        let history = LandedHistory {
            title: "From a commit",
            intent: "Its message.",
            line: LineIndex::new(0).unwrap(),
            fork: Some(snapshot(1)),
            landed: snapshot(2),
            mode: LandMode::FastForwardOnly,
        };
        txn.record_landed(&history).map(drop)
    })]);
}

#[test]
fn w_stash_04_an_interrupted_save_or_drop_is_done_whole_or_not_at_all() {
    all_or_nothing(&[
        ("save", |txn| txn.save_stash(snapshot(3), false).map(drop)),
        ("drop", |txn| txn.drop_stash(stash(0))),
    ]);
}
