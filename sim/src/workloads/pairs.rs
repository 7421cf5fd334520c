//! Tier 2: each operation after each: in two transactions, in one, and after a recovery.

use graven_model::domain::{ArchiveCause, Operation};

use super::operations::{
    abandon, archive, begin_update, block, cancel_land, cancel_task, change, complete, drop_stash, fail, land,
    move_head, publish_change, publish_task, record, reopen, save, setup, start, submit, succeed, task,
};
use super::{line, snapshot, tag, text};
use crate::coverage::names::operation;
use crate::engine::{Step, Workload};

/// The operations; each can be done on the store of [`setup`].
fn table() -> Vec<Operation> {
    let name = text("trunk");
    vec![
        task("four"),
        complete(1),
        cancel_task(1),
        abandon(0),
        publish_task(1, 8),
        change(1),
        archive(2, ArchiveCause::Canceled),
        reopen(1),
        publish_change(0, 1),
        submit(2),
        start(0),
        begin_update(1),
        block(1),
        fail(2),
        cancel_land(0),
        succeed(2, 0, 2),
        land(2, 0, 1),
        record(0, 1),
        save(3),
        drop_stash(0),
        line("topic", Some(1)),
        move_head(0, 0, 1),
        Operation::RenameLine { line: 0, name },
        Operation::ArchiveLine(0),
        Operation::RestoreLine(2),
        Operation::DeleteLine(1),
        tag("v2", 5, Some("a message")),
        Operation::DeleteTag(0),
        snapshot(1, 17, &[5], "more"),
        Operation::TombstoneSnapshot(5),
    ]
}

/// Every workload of tier 2: `FIRST-then-SECOND` in two transactions, `FIRST-with-SECOND` in one, and
/// `FIRST-recovered-SECOND`, where the second follows on every recovery of the first. What the first leaves for the
/// second to be refused is a workload as well.
pub fn tier_2() -> Vec<Workload> {
    let table = table();
    let mut all = Vec::new();
    for first in &table {
        for second in &table {
            let workload = |word: &str, steps: Vec<Step>, probe: Option<Operation>| Workload {
                name: format!("{}-{word}-{}", operation(first), operation(second)).into(),
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
