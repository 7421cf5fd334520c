//! `graven change`: the operations on Changes.

use graven::format::{ChangeIndex, Namespace};
use graven::{NewChange, Txn, Workflow};
use serde_json::json;

use super::arguments::{By, Change, ChangeOperation, archive_cause};
use super::describe::work;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::{Names, Works};

/// Does one operation.
pub fn run(arguments: &Change, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = apply(&mut txn, store.namespace(), &arguments.operation)?;
    let described = {
        let works = Works::in_transaction(&txn, store.namespace())?;
        work::change(&works.changes.get(index)?, &works, By::Updated)?
    };
    let receipt = txn.commit()?;
    store.close()?;
    output.answer(&json!({
        "change": described.id,
        "task": described.json["task"],
        "state": described.json["state"],
        "fork": described.json["fork"],
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(described.line(output))?;
    Ok(Verdict::Fine)
}

fn apply(
    txn: &mut Txn<'_, Workflow>,
    namespace: Namespace,
    operation: &ChangeOperation,
) -> Result<ChangeIndex, Failure> {
    let change = |txn: &Txn<'_, Workflow>, text: &str| {
        Ok::<_, Failure>(Works::in_transaction(txn, namespace)?.change(text)?.index())
    };
    Ok(match operation {
        ChangeOperation::New {
            task: which,
            title,
            line,
        } => {
            let task = Works::in_transaction(txn, namespace)?.task(which)?.index();
            let base_line = &Names::in_transaction(txn)?.line_name(line)?;
            let new = NewChange { task, title, base_line };
            txn.create_change(&new).map_err(Failure::about(which))?
        }
        ChangeOperation::Archive {
            change: which,
            canceled,
            superseded,
        } => {
            let index = change(txn, which)?;
            txn.archive_change(index, archive_cause(*canceled, *superseded))
                .map_err(Failure::about(which))?;
            index
        }
        ChangeOperation::Reopen { change: which } => {
            let index = change(txn, which)?;
            txn.reopen_change(index).map_err(Failure::about(which))?;
            index
        }
        ChangeOperation::Publish { change: which, remote } => {
            let index = change(txn, which)?;
            txn.publish_change(index, *remote).map_err(Failure::about(which))?;
            index
        }
    })
}
