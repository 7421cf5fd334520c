//! Tier 2: each operation after each: in two transactions, in one, and after a recovery.

use graven_model::domain::{ArchiveCause, Operation};

use super::operations::{
    abandon, archive, begin_update, block, cancel_land, cancel_task, change, complete, drop_stash, fail, land,
    move_head, publish_change, publish_task, record, reopen, save, setup, start, submit, succeed, task,
};
use super::{line, snapshot, tag, text};
use crate::engine::{Step, Workload};

/// The operations by name; each can be done on the store of [`setup`].
fn table() -> Vec<(&'static str, Operation)> {
    let name = text("trunk");
    vec![
        ("task-create", task("four")),
        ("task-complete", complete(1)),
        ("task-cancel", cancel_task(1)),
        ("task-abandon", abandon(0)),
        ("task-publish", publish_task(1, 8)),
        ("change-create", change(1)),
        ("change-archive", archive(2, ArchiveCause::Canceled)),
        ("change-reopen", reopen(1)),
        ("change-publish", publish_change(0, 1)),
        ("land-submit", submit(2)),
        ("land-start", start(0)),
        ("land-update", begin_update(1)),
        ("land-block", block(1)),
        ("land-fail", fail(2)),
        ("land-cancel", cancel_land(0)),
        ("land-succeed", succeed(2, 0, 2)),
        ("land-at-once", land(2, 0, 1)),
        ("land-recorded", record(0, 1)),
        ("stash-save", save(3)),
        ("stash-drop", drop_stash(0)),
        ("line-create", line("topic", Some(1))),
        ("line-move", move_head(0, 0, 1)),
        ("line-rename", Operation::RenameLine { line: 0, name }),
        ("line-archive", Operation::ArchiveLine(0)),
        ("line-restore", Operation::RestoreLine(2)),
        ("line-delete", Operation::DeleteLine(1)),
        ("tag-create", tag("v2", 5, Some("a message"))),
        ("tag-delete", Operation::DeleteTag(0)),
        ("snapshot-create", snapshot(1, 17, &[5], "more")),
        ("snapshot-tombstone", Operation::TombstoneSnapshot(5)),
    ]
}

/// Every workload of tier 2: `FIRST-then-SECOND` in two transactions, `FIRST-with-SECOND` in one, and
/// `FIRST-recovered-SECOND`, where the second follows on every recovery of the first. What the first leaves for the
/// second to be refused is a workload as well.
pub fn tier_2() -> Vec<Workload> {
    let table = table();
    let mut all = Vec::new();
    for (first_name, first) in &table {
        for (second_name, second) in &table {
            let workload = |word: &str, steps: Vec<Step>, probe: Option<Operation>| Workload {
                name: format!("{first_name}-{word}-{second_name}").into(),
                setup: setup(),
                steps,
                capacity: None,
                probe,
            };
            let step = |operations: &[&Operation]| Step::Workflow(operations.iter().copied().cloned().collect());
            all.push(workload("then", vec![step(&[first]), step(&[second])], None));
            all.push(workload("with", vec![step(&[first, second])], None));
            all.push(workload("recovered", vec![step(&[first])], Some(second.clone())));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;

    #[test]
    fn each_operation_can_be_done_first_and_many_are_refused_after_another() {
        let mut refused = 0;
        for workload in tier_2() {
            let (name, setup) = (workload.name.clone(), workload.setup.len());
            let engine = Engine::new(workload);
            let answers: Vec<_> = engine.answers()[setup..].iter().flatten().collect();
            assert!(answers[0].is_ok(), "{name}: {answers:?}");
            refused += usize::from(answers.get(1).is_some_and(|answer| answer.is_err()));
        }
        assert!(refused > 100, "{refused} are refused");
    }
}
