//! `graven stash`: putting a directory's state aside, listing and dropping what was put aside.

use std::cmp::Reverse;
use std::path::Path;

use graven::format::{Namespace, SnapshotKind, StashIndex, UnixSeconds};
use graven::{NewSnapshot, Receipt, Txn, Workflow};
use serde_json::json;

use super::arguments::{Stash, StashOperation};
use super::capture;
use super::describe::{Described, work};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, escaped};
use super::reference::Works;

/// Does one operation.
pub fn run(arguments: &Stash, output: &mut Output) -> Result<Verdict, Failure> {
    if matches!(arguments.operation, StashOperation::List) {
        return list(&arguments.root, output);
    }
    let store = open::writable(&arguments.root)?;
    let mut txn = store.begin(arguments.at.now())?;
    let index = match &arguments.operation {
        StashOperation::Save {
            directory,
            message,
            cleared,
        } => {
            let work = capture::run(&mut txn, &arguments.root, directory)?;
            let snapshot = NewSnapshot {
                kind: SnapshotKind::Stash,
                message: message.as_deref(),
                ..work.snapshot(txn.now())
            };
            let snapshot = txn.create_snapshot(&snapshot)?.index;
            txn.save_stash(snapshot, *cleared)?
        }
        StashOperation::Drop { stash } => {
            let index = Works::in_transaction(&txn, store.namespace())?.stash(stash)?.index();
            txn.drop_stash(index).map_err(Failure::about(stash))?;
            index
        }
        // Answered above, without a transaction.
        StashOperation::List => return Ok(Verdict::Fine),
    };
    let described = describe(&txn, store.namespace(), index)?;
    let receipt = txn.commit()?;
    store.close()?;
    answer(&described, &receipt, output)
}

fn describe(txn: &Txn<'_, Workflow>, namespace: Namespace, index: StashIndex) -> Result<Described, Failure> {
    let works = Works::in_transaction(txn, namespace)?;
    work::stash(&works.stashes.get(index)?, &works)
}

fn answer(described: &Described, receipt: &Receipt<()>, output: &mut Output) -> Result<Verdict, Failure> {
    output.answer(&json!({
        "stash": described.id,
        "snapshot": described.json["snapshot"],
        "deleted": described.json["deleted"],
        "changed": receipt.sequence != 0,
        "receipt": open::receipt_json(receipt),
    }))?;
    output.line(described.line(output))?;
    Ok(Verdict::Fine)
}

/// Lists the live Stashes, the newest Snapshot first, of equal times the later Stash first (F-2.5). Damaged ones come
/// after them: their time is not known.
fn list(root: &Path, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(root)?;
    let mut live = Vec::new();
    let mut damaged = Vec::new();
    {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        for row in works.stashes.clone() {
            match row.map_err(Failure::from).and_then(|(_, stash)| newest(&stash, &works)) {
                Ok(found) => live.extend(found),
                Err(Failure::Engine(error)) if error.is_corrupt() => damaged.push(error.to_string()),
                Err(failure) => return Err(failure),
            }
        }
    }
    live.sort_by_key(|(age, _)| Reverse(*age));
    let mut items = output.begin_items("stashes")?;
    for (_, stash) in live {
        items.item(&stash.json, |output| stash.line(output))?;
    }
    let verdict = Verdict::of(!damaged.is_empty());
    for why in damaged {
        items.item(&json!({"error": why}), |output| {
            output.paint(Colour::Red, &escaped(&why, false))
        })?;
    }
    items.end()?;
    Ok(verdict)
}

/// What Stashes are ordered by: time, then index.
type Age = (UnixSeconds, StashIndex);

/// The age of a live Stash, and how it is told.
fn newest(stash: &graven::Stash<'_>, works: &Works<'_>) -> Result<Option<(Age, Described)>, Failure> {
    if stash.tombstoned {
        return Ok(None);
    }
    let age = (stash.content()?.created_at_s, stash.index());
    Ok(Some((age, work::stash(stash, works)?)))
}
