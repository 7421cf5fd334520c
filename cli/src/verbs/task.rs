//! `graven task`: the operations on Tasks.

use graven::format::{Namespace, RemoteTaskIndex, TaskIndex};
use graven::{NewTask, Txn, Workflow};
use serde_json::json;

use super::arguments::{By, Task, TaskOperation};
use super::describe::work;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::Works;

/// Does one operation.
pub fn run(arguments: &Task, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = apply(&mut txn, store.namespace(), &arguments.operation)?;
    let described = {
        let works = Works::in_transaction(&txn, store.namespace())?;
        work::task(&works.tasks.get(index)?, &works, By::Updated)?
    };
    let receipt = txn.commit()?;
    store.close()?;
    output.answer(&json!({
        "task": described.id,
        "state": described.json["state"],
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(described.line(output))?;
    Ok(Verdict::Fine)
}

fn apply(txn: &mut Txn<'_, Workflow>, namespace: Namespace, operation: &TaskOperation) -> Result<TaskIndex, Failure> {
    let task = |txn: &Txn<'_, Workflow>, text: &str| {
        Ok::<_, Failure>(Works::in_transaction(txn, namespace)?.task(text)?.index())
    };
    Ok(match operation {
        TaskOperation::New { title, intent, planned } => txn.create_task(&NewTask {
            title,
            intent,
            planned: *planned,
        })?,
        TaskOperation::Close { task: which } => {
            let index = task(txn, which)?;
            txn.complete_task(index).map_err(Failure::about(which))?;
            index
        }
        TaskOperation::Cancel { task: which } => {
            let index = task(txn, which)?;
            txn.cancel_task(index).map_err(Failure::about(which))?;
            index
        }
        TaskOperation::Abandon { task: which } => {
            let index = task(txn, which)?;
            txn.abandon_task(index).map_err(Failure::about(which))?;
            index
        }
        TaskOperation::Publish { task: which, remote } => {
            let index = task(txn, which)?;
            let remote = RemoteTaskIndex::new(*remote)
                .ok_or_else(|| Failure::usage(format!("no Task of a remote has the index {remote} (F-1)")))?;
            txn.publish_task(index, remote).map_err(Failure::about(which))?;
            index
        }
    })
}
