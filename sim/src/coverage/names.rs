//! The names of operations: of the matrix' rows, and of what workloads are named after.

use graven_model::domain::{ChangeOperation, LandOperation, Operation, SnapshotKind, StashOperation, TaskOperation};

use crate::engine::{Step, Write};

/// The name of an operation.
pub fn operation(operation: &Operation) -> &'static str {
    match operation {
        Operation::PutBlob(_) => "object-put",
        Operation::PutDirectory(_) => "directory-put",
        Operation::CreateSnapshot { kind, .. } => match kind {
            SnapshotKind::Stash => "snapshot-stash",
            SnapshotKind::Line => "snapshot-create",
        },
        Operation::TombstoneSnapshot(_) => "snapshot-tombstone",
        Operation::CreateLine { .. } => "line-create",
        Operation::RenameLine { .. } => "line-rename",
        Operation::MoveHead { .. } => "line-move",
        Operation::ArchiveLine(_) => "line-archive",
        Operation::RestoreLine(_) => "line-restore",
        Operation::DeleteLine(_) => "line-delete",
        Operation::CreateTag { .. } => "tag-create",
        Operation::ReplaceTag { .. } => "tag-replace",
        Operation::DeleteTag(_) => "tag-delete",
        Operation::Task(operation) => match operation {
            TaskOperation::Create { .. } => "task-create",
            TaskOperation::Complete(_) => "task-complete",
            TaskOperation::Cancel(_) => "task-cancel",
            TaskOperation::Abandon(_) => "task-abandon",
            TaskOperation::Publish { .. } => "task-publish",
        },
        Operation::Change(operation) => match operation {
            ChangeOperation::Create { .. } => "change-create",
            ChangeOperation::Archive { .. } => "change-archive",
            ChangeOperation::Reopen(_) => "change-reopen",
            ChangeOperation::Publish { .. } => "change-publish",
        },
        Operation::Land(operation) => match operation {
            LandOperation::Submit { .. } => "land-submit",
            LandOperation::Start(_) => "land-start",
            LandOperation::BeginUpdate(_) => "land-update",
            LandOperation::Block { .. } => "land-block",
            LandOperation::Fail { .. } => "land-fail",
            LandOperation::Cancel(_) => "land-cancel",
            LandOperation::Succeed { .. } => "land-succeed",
            LandOperation::Land { .. } => "land-at-once",
            LandOperation::Record { .. } => "land-recorded",
        },
        Operation::Stash(operation) => match operation {
            StashOperation::Save { .. } => "stash-save",
            StashOperation::Drop(_) => "stash-drop",
        },
    }
}

/// The names of what a step does; of several operations in one transaction each, and each once.
pub fn step(step: &Step) -> Vec<&'static str> {
    let mut names = match step {
        Step::Create => vec!["create"],
        Step::Close => vec!["close"],
        Step::Objects(operations) | Step::Workflow(operations) | Step::Group(operations) => {
            operations.iter().map(operation).collect()
        }
        Step::Compound(_) => vec!["compound"],
        Step::Raw(writes) => vec![raw(writes)],
        Step::Indexes => vec!["indexes"],
        Step::Retire => vec!["retire"],
        Step::Directory => vec!["directory"],
        Step::CreateAgain => vec!["create-again"],
        Step::LoseUndo => vec!["undo-lost"],
        Step::Restock => vec!["restock"],
    };
    names.sort_unstable();
    names.dedup();
    names
}

/// The kind of change that raw writes are.
fn raw(writes: &[Write]) -> &'static str {
    match writes {
        [Write::Append { .. }] => "append",
        [Write::Replace { .. }] => "replace",
        [Write::StateLast { .. }] => "state-last",
        writes if writes.iter().any(|write| matches!(write, Write::Streamed { .. })) => "streamed",
        writes if writes.iter().any(|write| matches!(write, Write::TakenBack(_))) => "taken-back",
        writes if writes.iter().any(|write| matches!(write, Write::Payload { .. })) => "every-stage",
        _ => "state-before-commit",
    }
}
