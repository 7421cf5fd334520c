//! A small store for the tests of this floor, and its operations in few words.

use super::{
    Answer, Answered, ArchiveCause, ChangeOperation, LandMode, LandOperation, Operation, SnapshotKind, Store,
    TaskOperation,
};

/// Snapshots 0, 1 (from 0), 2 (from 0, so no ancestor of 1) and 3 (of kind stash); the Line 0, "main", on 0; the Line
/// 1, "empty", without a head; one Task. All made at 1 to 10 seconds.
pub fn store() -> Store {
    let mut store = Store::default();
    done(&mut store, 1, &Operation::PutDirectory(vec![]));
    for (created_at_s, parents) in [(1, vec![]), (2, vec![0]), (3, vec![0])] {
        done(&mut store, 1, &snapshot(SnapshotKind::Line, created_at_s, parents));
    }
    done(&mut store, 1, &snapshot(SnapshotKind::Stash, 4, vec![]));
    for (name, head) in [("main", Some(0)), ("empty", None)] {
        let name = name.to_owned();
        done(&mut store, 2, &Operation::CreateLine { name, head });
    }
    done(&mut store, 10, &task());
    store
}

/// That store with a Change of its Task, made at 11 seconds.
pub fn with_change() -> Store {
    let mut store = store();
    done(&mut store, 11, &change(0, "main"));
    store
}

/// Does what has to succeed, and answers its index.
#[track_caller]
pub fn done(store: &mut Store, now_s: u64, operation: &Operation) -> usize {
    match store.apply(now_s, operation) {
        Ok(Answered::Record(index) | Answered::Landed { land: index, .. }) => index,
        other => panic!("{operation:?}: {other:?}"),
    }
}

/// What has to be refused: it changes nothing.
#[track_caller]
pub fn refused(store: &mut Store, now_s: u64, operation: &Operation) -> Answer {
    let before = store.clone();
    let answer = store.apply(now_s, operation);
    assert!(answer.is_err(), "{operation:?}: {answer:?}");
    assert_eq!(*store, before);
    answer
}

pub fn snapshot(kind: SnapshotKind, created_at_s: u64, parents: Vec<usize>) -> Operation {
    Operation::CreateSnapshot {
        kind,
        root: 0,
        created_at_s,
        parents,
        line: None,
        message: String::new(),
    }
}

pub fn task() -> Operation {
    let (title, intent, planned) = ("a title".to_owned(), "why".to_owned(), false);
    Operation::Task(TaskOperation::Create { title, intent, planned })
}

pub fn publish_task(task: usize, remote: usize) -> Operation {
    Operation::Task(TaskOperation::Publish { task, remote })
}

pub fn change(task: usize, base_line: &str) -> Operation {
    let (title, base_line) = ("a change".to_owned(), base_line.to_owned());
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

pub fn submit(change: usize, target_line: &str) -> Operation {
    let (target_line, mode) = (target_line.to_owned(), LandMode::Direct);
    Operation::Land(LandOperation::Submit {
        change,
        target_line,
        mode,
    })
}

pub fn start(land: usize) -> Operation {
    Operation::Land(LandOperation::Start(land))
}

pub fn succeed(land: usize, expected: Option<usize>, landed: usize) -> Operation {
    Operation::Land(LandOperation::Succeed { land, expected, landed })
}

pub fn land(mode: LandMode, target_line: &str, expected: Option<usize>, landed: usize) -> Operation {
    let (change, target_line) = (0, target_line.to_owned());
    Operation::Land(LandOperation::Land {
        change,
        target_line,
        mode,
        expected,
        landed,
    })
}
