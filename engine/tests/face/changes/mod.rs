//! Changes: every operation, and every rule broken once. What makes one landed stands with the Lands.

mod archiving;
mod chains;
mod creating;
mod publishing;

use graven::NewChange;
use graven::format::{Change, ChangeIndex, ChangeOrdinal, LineIndex, RemoteTaskIndex, SnapshotIndex, TaskIndex};

use crate::support::{NOW, TestStore};

const CREATED: u64 = NOW.0;
const LATER: u64 = CREATED + 100;
const SIZE: usize = 68;
const ARCHIVED_AT: usize = 60;

fn at(index: u32) -> ChangeIndex {
    ChangeIndex::new(index).unwrap()
}

fn ordinal(position: u8) -> ChangeOrdinal {
    ChangeOrdinal::new(position).unwrap()
}

fn remote(index: u32) -> RemoteTaskIndex {
    RemoteTaskIndex::new(index).unwrap()
}

fn new(task: TaskIndex) -> NewChange<'static> {
    NewChange {
        task,
        title: "a title",
        base_line: "main",
    }
}

fn record(store: &TestStore, change: ChangeIndex) -> Change {
    store
        .store
        .read(|view| Ok(*view.changes()?.get(change)?.record()))
        .unwrap()
}

fn title(store: &TestStore, change: ChangeIndex) -> String {
    store.store.read(|view| view.changes()?.get(change)?.title()).unwrap()
}

fn forked_from(store: &TestStore, change: ChangeIndex) -> String {
    store
        .store
        .read(|view| view.changes()?.get(change)?.forked_from_line())
        .unwrap()
}

fn bytes(store: &TestStore, change: ChangeIndex) -> Vec<u8> {
    store.record_bytes("change", SIZE, change.get())
}

/// Where a byte of the first Change's record stands in its file.
fn place(offset: usize) -> u64 {
    4 + offset as u64
}

/// A store with the Line `main`, its head, and a Task.
fn begun() -> (TestStore, LineIndex, SnapshotIndex, TaskIndex) {
    let store = TestStore::new();
    let head = store.snapshot("head");
    let line = store.line_at("main", head);
    let task = store.task("a task");
    (store, line, head, task)
}
