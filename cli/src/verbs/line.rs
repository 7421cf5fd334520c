//! `graven line`: the operations on Lines.

use graven::format::{LineIndex, SnapshotIndex};
use graven::{Receipt, Txn, Workflow};
use serde_json::json;

use super::arguments::{Line, LineOperation};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, escaped};
use super::reference::Names;

/// Does one operation.
pub fn run(arguments: &Line, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = apply(&mut txn, &arguments.operation)?;
    let name = txn.lines()?.get(index)?.name()?;
    let receipt = txn.commit()?;
    store.close()?;
    answer(index, &name, receipt, output)
}

fn apply(txn: &mut Txn<'_, Workflow>, operation: &LineOperation) -> Result<LineIndex, Failure> {
    let line = |txn: &Txn<'_, Workflow>, name: &str| Ok::<_, Failure>(Names::in_transaction(txn)?.line(name)?.index());
    Ok(match operation {
        LineOperation::New { name, head } => {
            let head = head.as_deref().map(|head| snapshot(txn, head)).transpose()?;
            txn.create_line(name, head)?
        }
        LineOperation::Rename { line: which, name } => {
            let index = line(txn, which)?;
            txn.rename_line(index, name)?;
            index
        }
        LineOperation::Move {
            line: which,
            head,
            expect,
        } => {
            let index = line(txn, which)?;
            let head = snapshot(txn, head)?;
            let expected = match expect.as_deref() {
                None => txn.lines()?.get(index)?.head,
                Some("none") => None,
                Some(expected) => Some(snapshot(txn, expected)?),
            };
            txn.move_head(index, expected, Some(head))?;
            index
        }
        LineOperation::Archive { line: which } => {
            let index = line(txn, which)?;
            txn.archive_line(index)?;
            index
        }
        LineOperation::Restore { line: which } => {
            let index = line(txn, which)?;
            txn.restore_line(index)?;
            index
        }
        LineOperation::Delete { line: which } => {
            let index = line(txn, which)?;
            txn.delete_line(index)?;
            index
        }
    })
}

fn snapshot(txn: &Txn<'_, Workflow>, name: &str) -> Result<SnapshotIndex, Failure> {
    Ok(Names::in_transaction(txn)?.snapshot(name)?.index())
}

fn answer(index: LineIndex, name: &str, receipt: Receipt<()>, output: &mut Output) -> Result<Verdict, Failure> {
    output.answer(&json!({
        "line": index.to_string(),
        "name": name,
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(format!("{index}  {}", escaped(name, false)))?;
    Ok(Verdict::Fine)
}
