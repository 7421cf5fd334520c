//! `graven tag`: the operations on Tags.

use graven::format::{SnapshotIndex, TagIndex};
use graven::{Txn, Workflow};
use serde_json::json;

use super::arguments::{Tag, TagOperation};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, escaped};
use super::reference::Names;

/// Does one operation.
pub fn run(arguments: &Tag, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = apply(&mut txn, &arguments.operation)?;
    let name = txn.tags()?.get(index)?.text()?.name;
    let receipt = txn.commit()?;
    store.close()?;
    output.answer(&json!({
        "tag": name,
        "index": index.get(),
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(escaped(&name, false))?;
    Ok(Verdict::Fine)
}

fn apply(txn: &mut Txn<'_, Workflow>, operation: &TagOperation) -> Result<TagIndex, Failure> {
    Ok(match operation {
        TagOperation::New {
            name,
            snapshot: which,
            message,
        } => {
            let index = snapshot(txn, which)?;
            txn.create_tag(name, index, message.as_deref())?
        }
        TagOperation::Replace {
            name,
            snapshot: which,
            message,
        } => {
            let index = snapshot(txn, which)?;
            txn.replace_tag(name, index, message.as_deref())?
        }
        TagOperation::Delete { name } => {
            let found = txn.tags()?.by_name(name)?.map(|tag| tag.index());
            let index = found.ok_or_else(|| Failure::not_found(format!("the Tag {name:?}")))?;
            txn.delete_tag(index)?;
            index
        }
    })
}

fn snapshot(txn: &Txn<'_, Workflow>, name: &str) -> Result<SnapshotIndex, Failure> {
    Ok(Names::in_transaction(txn)?.snapshot(name)?.index())
}
