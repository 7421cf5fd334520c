//! The operations of both tiers, and the store that they are made for.

use graven_model::domain::{
    ArchiveCause, ChangeOperation, FailureKind, LandMode, LandOperation, Operation, SnapshotKind, StashOperation,
    Target, TaskOperation,
};

use super::{blob, directory, line, snapshot, tag, text};
use crate::engine::Step;

pub fn task(title: &str) -> Operation {
    Operation::Task(TaskOperation::Create {
        title: text(title),
        intent: text("what for"),
        planned: true,
    })
}

pub fn complete(task: usize) -> Operation {
    Operation::Task(TaskOperation::Complete(task))
}

pub fn cancel_task(task: usize) -> Operation {
    Operation::Task(TaskOperation::Cancel(task))
}

pub fn abandon(task: usize) -> Operation {
    Operation::Task(TaskOperation::Abandon(task))
}

pub fn publish_task(task: usize, remote: usize) -> Operation {
    Operation::Task(TaskOperation::Publish { task, remote })
}

pub fn change(task: usize) -> Operation {
    let (title, base_line) = (text("a change"), text("main"));
    Operation::Change(ChangeOperation::Create { task, title, base_line })
}

pub fn archive(change: usize, cause: ArchiveCause) -> Operation {
    Operation::Change(ChangeOperation::Archive { change, cause })
}

pub fn reopen(change: usize) -> Operation {
    Operation::Change(ChangeOperation::Reopen(change))
}

pub fn publish_change(change: usize, remote: usize) -> Operation {
    Operation::Change(ChangeOperation::Publish { change, remote })
}

pub fn submit(change: usize) -> Operation {
    let (target_line, mode) = (text("main"), LandMode::FastForwardOnly);
    Operation::Land(LandOperation::Submit {
        change,
        target_line,
        mode,
    })
}

pub fn start(land: usize) -> Operation {
    Operation::Land(LandOperation::Start(land))
}

pub fn begin_update(land: usize) -> Operation {
    Operation::Land(LandOperation::BeginUpdate(land))
}

pub fn block(land: usize) -> Operation {
    let why = FailureKind::PolicyBlocked;
    Operation::Land(LandOperation::Block { land, why })
}

pub fn fail(land: usize) -> Operation {
    let why = FailureKind::Conflict;
    Operation::Land(LandOperation::Fail { land, why })
}

pub fn cancel_land(land: usize) -> Operation {
    Operation::Land(LandOperation::Cancel(land))
}

pub fn succeed(land: usize, from: usize, landed: usize) -> Operation {
    let expected = Some(from);
    Operation::Land(LandOperation::Succeed { land, expected, landed })
}

pub fn land(change: usize, from: usize, landed: usize) -> Operation {
    Operation::Land(LandOperation::Land {
        change,
        target_line: text("main"),
        mode: LandMode::Direct,
        expected: Some(from),
        landed,
    })
}

pub fn record(fork: usize, landed: usize) -> Operation {
    Operation::Land(LandOperation::Record {
        title: text("landed before"),
        intent: text("what for"),
        line: 0,
        fork: Some(fork),
        landed,
        mode: LandMode::Merge,
    })
}

pub fn save(snapshot: usize) -> Operation {
    Operation::Stash(StashOperation::Save {
        snapshot,
        workspace_cleared: true,
    })
}

pub fn drop_stash(stash: usize) -> Operation {
    Operation::Stash(StashOperation::Drop(stash))
}

pub fn move_head(line: usize, from: usize, to: usize) -> Operation {
    let (expected, head) = (Some(from), Some(to));
    Operation::MoveHead { line, expected, head }
}

pub fn stash_snapshot(created_at_s: u64) -> Operation {
    Operation::CreateSnapshot {
        kind: SnapshotKind::Stash,
        root: 1,
        created_at_s,
        parents: Vec::new(),
        line: None,
        message: text("aside"),
    }
}

/// A store in which each operation of the tables has something to do.
///
/// Snapshots: 0, 1 from it, 2 from that, 3 and 4 of kind stash, 5 alone. Lines: 0 "main" on 0, 1 "side" on 0, 2 "old",
/// which is archived. Tag 0 on 0. Tasks: 0, published, with the Changes 0 and 1, of which 1 is archived; 1 with the
/// Changes 2 and 3; 2, which is completed. Lands of Change 2: 0 queued, 1 running, 2 updating. Stash 0 of Snapshot 3.
pub fn setup() -> Vec<Step> {
    let content = vec![
        snapshot(1, 11, &[], "first"),
        snapshot(1, 12, &[0], "second"),
        snapshot(1, 13, &[1], "third"),
        stash_snapshot(14),
        stash_snapshot(15),
        snapshot(1, 16, &[], "alone"),
        line("main", Some(0)),
        line("side", Some(0)),
        line("old", None),
        Operation::ArchiveLine(2),
        tag("v1", 0, None),
    ];
    let tasks = vec![
        task("one"),
        task("two"),
        task("three"),
        complete(2),
        publish_task(0, 7),
        change(0),
        change(0),
        archive(1, ArchiveCause::Superseded),
        change(1),
        change(1),
    ];
    let lands = vec![
        submit(2),
        submit(2),
        submit(2),
        start(1),
        start(2),
        begin_update(2),
        save(3),
    ];
    vec![
        Step::Create,
        Step::Objects(vec![blob("first content"), directory(&[("a", Target::File(0))])]),
        Step::Workflow(content),
        Step::Workflow(tasks),
        Step::Workflow(lands),
        Step::Close,
    ]
}
