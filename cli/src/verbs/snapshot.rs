//! `graven snapshot`: making a Snapshot of a directory, and taking one out of use.

use graven::format::SnapshotIndex;
use graven::{NewSnapshot, Txn, Workflow};
use serde_json::json;

use super::arguments::{Snapshot, SnapshotOperation};
use super::capture;
use super::describe;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::Names;

/// Does one operation.
pub fn run(arguments: &Snapshot, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = match &arguments.operation {
        SnapshotOperation::New {
            directory,
            message,
            parent,
        } => {
            let more = parent
                .iter()
                .map(|name| named(&txn, name))
                .collect::<Result<Vec<_>, _>>()?;
            let work = capture::run(&mut txn, &arguments.root, directory)?.with_parents(more);
            let new = NewSnapshot {
                message: message.as_deref(),
                ..work.snapshot(txn.now())
            };
            txn.create_snapshot(&new)?.index
        }
        SnapshotOperation::Delete { snapshot } => {
            let index = named(&txn, snapshot)?;
            txn.tombstone_snapshot(index).map_err(Failure::about(snapshot))?;
            index
        }
    };
    let described = {
        let snapshots = txn.snapshots()?;
        describe::snapshot(&snapshots.get(index)?, &snapshots)?
    };
    let receipt = txn.commit()?;
    store.close()?;
    output.answer(&json!({
        "snapshot": described.id,
        "deleted": described.json["deleted"],
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(described.line(output))?;
    Ok(Verdict::Fine)
}

fn named(txn: &Txn<'_, Workflow>, name: &str) -> Result<SnapshotIndex, Failure> {
    Ok(Names::in_transaction(txn)?.snapshot(name)?.index())
}
