//! Tier 1 of Tasks, Changes, Lands and Stashes: each of their operations once, in small groups.

use graven_model::domain::{ArchiveCause, Operation};

use super::operations::{
    abandon, archive, begin_update, block, cancel_land, cancel_task, change, complete, drop_stash, fail, land,
    publish_change, publish_task, record, reopen, save, setup, start, submit, succeed, task,
};
use crate::engine::{Step, Workload};

fn after_setup(name: &'static str, steps: &[Operation]) -> Workload {
    Workload {
        name: name.into(),
        setup: setup(),
        steps: steps.iter().map(|step| Step::Workflow(vec![step.clone()])).collect(),
        probe: Vec::new(),
    }
}

/// The workloads.
pub fn workloads() -> Vec<Workload> {
    let mut all = vec![
        after_setup("task-create", &[task("four")]),
        after_setup("task-complete", &[complete(1)]),
        after_setup("task-cancel-abandon", &[cancel_task(0), abandon(1)]),
        after_setup("task-publish", &[publish_task(1, 8), publish_task(2, 0)]),
        after_setup("change-create", &[change(1)]),
        after_setup(
            "change-archive-reopen",
            &[archive(0, ArchiveCause::Canceled), reopen(1)],
        ),
        after_setup("change-publish", &[publish_change(0, 63)]),
        after_setup("land-submit", &[submit(3)]),
        after_setup("land-start-update", &[start(0), begin_update(1)]),
        after_setup("land-cancel-fail", &[cancel_land(0), fail(1)]),
        after_setup("land-block", &[block(1)]),
        after_setup("land-succeed", &[succeed(2, 0, 2)]),
        after_setup("land-at-once", &[land(3, 0, 1)]),
        after_setup("land-recorded", &[record(0, 1)]),
        after_setup("stash-save", &[save(4)]),
        after_setup("stash-drop", &[drop_stash(0)]),
    ];
    all.push(a_day());
    all
}

/// A Task from its request to its end in two transactions, each operation seeing those before it, a refused one leaving
/// the others.
fn a_day() -> Workload {
    let asked = vec![
        task("five"),
        change(3),
        change(9),
        submit(4),
        start(3),
        archive(3, ArchiveCause::Plain),
    ];
    let done = vec![
        succeed(3, 0, 1),
        succeed(3, 1, 2),
        land(4, 0, 1),
        complete(3),
        cancel_task(3),
        drop_stash(0),
    ];
    Workload {
        name: "workflow-group".into(),
        setup: setup(),
        steps: vec![Step::Workflow(asked), Step::Workflow(done)],
        probe: Vec::new(),
    }
}
