//! A scenario as a value: which processes there are, and what each of their threads does.

use std::sync::Arc;

use graven::disk::LockWait;
use graven_model::domain::Operation;

use crate::engine::Step;

/// What one thread does at a time; each is one call of the public face, or one transaction.
#[derive(Clone, Debug)]
pub enum Act {
    /// Creates the store, and opens it.
    Create,
    /// Opens the store.
    Open,
    /// A transaction of the root that the operations belong to.
    Write(Vec<Operation>),
    /// A transaction over both roots: objects first, the commit point in the workflow root.
    Compound(Vec<Operation>),
    /// A member of a group, of the workflow root.
    Group(Vec<Operation>),
    /// Reads both roots, as they are at one moment.
    Read,
    /// Reads the Lines.
    ReadLines,
    /// Closes the handle: its marks become durable.
    Close,
}

/// One process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Whether its handle is for reading only.
    pub read_only: bool,
    /// Whether it waits for locks.
    pub wait: LockWait,
    /// Whether the store is open, and has been read once, before the first turn; its threads share the handle.
    pub opened: bool,
    /// What each of its threads does.
    pub threads: Vec<Vec<Act>>,
}

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name in lines that reproduce a finding.
    pub name: &'static str,
    /// What stands before; empty: nothing.
    pub setup: Vec<Step>,
    /// The processes.
    pub processes: Vec<Process>,
    /// Whether processes are killed, before every call and inside writes.
    pub kills: bool,
    /// Whether syncs fail.
    pub failed_syncs: bool,
}

impl Scenario {
    /// Each task as its process and its acts, in order.
    pub fn tasks(&self) -> Vec<(usize, Arc<[Act]>)> {
        let of_process = |(at, process): (usize, &Process)| {
            let threads = process.threads.iter();
            threads
                .map(move |acts| (at, acts.as_slice().into()))
                .collect::<Vec<_>>()
        };
        self.processes.iter().enumerate().flat_map(of_process).collect()
    }
}
