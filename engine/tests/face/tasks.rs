//! Tasks: every operation, and every rule broken once.

mod ending;
mod records;

use graven::format::{RemoteTaskIndex, Task, TaskIndex};
use graven::{Error, TaskText, Txn, Workflow};

use crate::support::{NOW, TestStore};

/// An operation on one Task.
type Operation = fn(&mut Txn<'_, Workflow>, TaskIndex) -> Result<(), Error>;

const CREATED: u64 = NOW.0;
const LATER: u64 = CREATED + 100;
const SIZE: usize = 64;
const CLOSED_AT: usize = 56;

fn at(index: u32) -> TaskIndex {
    TaskIndex::new(index).unwrap()
}

fn remote(index: u32) -> RemoteTaskIndex {
    RemoteTaskIndex::new(index).unwrap()
}

fn record(store: &TestStore, task: TaskIndex) -> Task {
    store.store.read(|view| Ok(*view.tasks()?.get(task)?.record())).unwrap()
}

fn text(store: &TestStore, task: TaskIndex) -> TaskText {
    store.store.read(|view| view.tasks()?.get(task)?.text()).unwrap()
}

fn bytes(store: &TestStore, task: TaskIndex) -> Vec<u8> {
    store.record_bytes("task", SIZE, task.get())
}

/// Where a byte of the first Task's record stands in its file.
fn place(offset: usize) -> u64 {
    4 + offset as u64
}
