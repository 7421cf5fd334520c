//! `graven land`: landing a Change in one step, or step by step.

use graven::format::{LandIndex, LineIndex, Namespace, SnapshotIndex};
use graven::{NewLand, Txn, Workflow};
use serde_json::json;

use super::arguments::{By, Head, Land, LandOperation, Target};
use super::describe::work;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::{Names, Works};

/// Does one operation.
pub fn run(arguments: &Land, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = apply(&mut txn, store.namespace(), &arguments.operation)?;
    let described = {
        let works = Works::in_transaction(&txn, store.namespace())?;
        work::land(&works.lands.get(index)?, &works, By::Updated)?
    };
    let receipt = txn.commit()?;
    store.close()?;
    output.answer(&json!({
        "land": described.id,
        "change": described.json["change"],
        "state": described.json["state"],
        "landed": described.json["landed"],
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(&receipt),
    }))?;
    output.line(described.line(output))?;
    Ok(Verdict::Fine)
}

fn apply(txn: &mut Txn<'_, Workflow>, namespace: Namespace, operation: &LandOperation) -> Result<LandIndex, Failure> {
    let land = |txn: &Txn<'_, Workflow>, text: &str| {
        Ok::<_, Failure>(Works::in_transaction(txn, namespace)?.land(text)?.index())
    };
    Ok(match operation {
        LandOperation::Now { target, head } => return land_now(txn, namespace, target, head),
        LandOperation::Submit { target } => {
            let line = Names::in_transaction(txn)?.line_name(&target.line)?;
            let change = Works::in_transaction(txn, namespace)?.change(&target.change)?.index();
            let new = NewLand {
                change,
                target_line: &line,
                mode: target.mode,
            };
            txn.submit_land(&new).map_err(Failure::about(&target.change))?
        }
        LandOperation::Start { land: which } => {
            let index = land(txn, which)?;
            txn.start_land(index).map_err(Failure::about(which))?;
            index
        }
        LandOperation::Update { land: which } => {
            let index = land(txn, which)?;
            txn.begin_update(index).map_err(Failure::about(which))?;
            index
        }
        LandOperation::Succeed { land: which, head } => {
            let index = land(txn, which)?;
            let line = txn.lands()?.get(index)?.target_line;
            let (expected, landed) = heads(txn, head, Some(line))?;
            txn.succeed_land(index, expected, landed)
                .map_err(Failure::about(which))?;
            index
        }
        LandOperation::Block { land: which, why } => {
            let index = land(txn, which)?;
            txn.block_land(index, *why).map_err(Failure::about(which))?;
            index
        }
        LandOperation::Fail { land: which, why } => {
            let index = land(txn, which)?;
            txn.fail_land(index, *why).map_err(Failure::about(which))?;
            index
        }
        LandOperation::Cancel { land: which } => {
            let index = land(txn, which)?;
            txn.cancel_land(index).map_err(Failure::about(which))?;
            index
        }
    })
}

fn land_now(
    txn: &mut Txn<'_, Workflow>,
    namespace: Namespace,
    target: &Target,
    head: &Head,
) -> Result<LandIndex, Failure> {
    let change = Works::in_transaction(txn, namespace)?.change(&target.change)?.index();
    let name = Names::in_transaction(txn)?.line_name(&target.line)?;
    // Where there is no such Line the operation says by which rule.
    let line = txn.lines()?.by_name(name.trim_ascii())?.map(|line| line.index());
    let (expected, landed) = heads(txn, head, line)?;
    let new = NewLand {
        change,
        target_line: &name,
        mode: target.mode,
    };
    let landed = txn.land(&new, expected, landed);
    Ok(landed.map_err(Failure::about(&target.change))?.index)
}

/// The head that the Line must have, by default the one that it has, and the one that it is to have.
fn heads(
    txn: &Txn<'_, Workflow>,
    head: &Head,
    line: Option<LineIndex>,
) -> Result<(Option<SnapshotIndex>, SnapshotIndex), Failure> {
    let names = Names::in_transaction(txn)?;
    let landed = names.snapshot(&head.snapshot)?.index();
    let expected = match (head.expected.as_deref(), line) {
        (Some("none"), _) | (None, None) => None,
        (Some(expected), _) => Some(names.snapshot(expected)?.index()),
        (None, Some(line)) => txn.lines()?.get(line)?.head,
    };
    Ok((expected, landed))
}
