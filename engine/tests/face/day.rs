//! A day of a service: a Task is requested, a Change forked, landed, and the Task completed.

use graven::format::{ChangeLifecycle, LandMode, LandStatus, TaskStatus};
use graven::{NewChange, NewLand, NewTask};

use super::support::TestStore;

#[test]
fn a_task_goes_from_its_request_to_its_landed_change_and_everything_is_there_after_reopening() {
    let mut store = TestStore::new();
    let base = store.snapshot("base");
    let done = store.child("done", &[base]);
    let line = store.line_at("main", base);
    let task = store
        .at(1_700_000_010, |txn| {
            txn.create_task(&NewTask::new(" Faster search ", "One second."))
        })
        .unwrap();
    let change = store
        .at(1_700_000_020, |txn| {
            txn.create_change(&NewChange {
                task,
                title: "Index the words",
                base_line: "main",
            })
        })
        .unwrap();
    let new = NewLand {
        change,
        target_line: "main",
        mode: LandMode::FastForwardOnly,
    };
    let landed = store.at(1_700_000_030, |txn| txn.land(&new, Some(base), done)).unwrap();
    assert!(landed.added);
    store.at(1_700_000_040, |txn| txn.complete_task(task)).unwrap();
    store.reopen();
    store
        .store
        .read(|view| {
            let record = view.tasks()?.get(task)?;
            assert_eq!(
                (record.status, record.closed_at_s.map(|at| at.0)),
                (TaskStatus::Completed, Some(1_700_000_040))
            );
            assert_eq!(record.text()?.title, "Faster search");
            let record = view.changes()?.get(change)?;
            assert_eq!((record.lifecycle, record.fork), (ChangeLifecycle::Landed, Some(base)));
            let (winning, land) = view
                .lands()?
                .winning(change)?
                .map(|land| (land.index(), *land.record()))
                .unwrap();
            assert_eq!(
                (winning, land.status),
                (landed.index, LandStatus::Succeeded { landed: done })
            );
            assert_eq!((land.pre_target, land.target_line), (Some(base), line));
            assert_eq!(view.lines()?.get(line)?.head, Some(done));
            Ok(())
        })
        .unwrap();
}
