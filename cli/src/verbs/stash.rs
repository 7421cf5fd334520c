//! `graven stash`: putting a directory's state aside, listing and dropping what was put aside.

use std::cmp::Reverse;
use std::fs;
use std::path::{Component, Path};

use graven::format::{Namespace, SnapshotKind, StashIndex, UnixSeconds};
use graven::{NewSnapshot, Receipt, Txn, Workflow};
use serde_json::json;

use super::arguments::{Stash, StashOperation};
use super::describe::{Described, work};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, escaped};
use super::reference::{Names, Works};

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
            line,
            exclude,
        } => {
            let new = Save {
                directory,
                message: message.as_deref(),
                cleared: *cleared,
                line: line.as_deref(),
                exclude,
            };
            save(&mut txn, &arguments.root, &new)?
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

struct Save<'a> {
    directory: &'a Path,
    message: Option<&'a str>,
    cleared: bool,
    line: Option<&'a str>,
    exclude: &'a [String],
}

fn save(txn: &mut Txn<'_, Workflow>, root: &Path, new: &Save<'_>) -> Result<StashIndex, Failure> {
    require_apart(root, new)?;
    let line = match new.line {
        None => None,
        Some(name) => {
            let line = Names::in_transaction(txn)?.line(name)?;
            Some((line.index(), line.head))
        }
    };
    let excluded: Vec<&[u8]> = new.exclude.iter().map(String::as_bytes).collect();
    let captured = txn.capture(new.directory, &excluded)?;
    let parents: Vec<_> = line.and_then(|(_, head)| head).into_iter().collect();
    let snapshot = NewSnapshot {
        kind: SnapshotKind::Stash,
        line: line.map(|(index, _)| index),
        message: new.message,
        parents: &parents,
        ..NewSnapshot::new(captured.root, txn.now())
    };
    let snapshot = txn.create_snapshot(&snapshot)?.index;
    Ok(txn.save_stash(snapshot, new.cleared)?)
}

/// A store in the directory itself would be captured while it is written: its name has to be among the excluded ones.
fn require_apart(root: &Path, new: &Save<'_>) -> Result<(), Failure> {
    let (Ok(root), Ok(directory)) = (fs::canonicalize(root), fs::canonicalize(new.directory)) else {
        // Whichever is not there is told by the one that opens it.
        return Ok(());
    };
    let Ok(inside) = root.strip_prefix(&directory) else {
        return Ok(());
    };
    let excluded = inside.components().any(|component| match component {
        Component::Normal(name) => new.exclude.iter().any(|excluded| name == excluded.as_str()),
        _ => false,
    });
    if excluded {
        return Ok(());
    }
    let way_out = match inside.components().next() {
        Some(Component::Normal(name)) => format!("; leave it out with --exclude {}", name.display()),
        _ => String::new(),
    };
    Err(Failure::usage(format!(
        "the store itself is in {}{way_out}",
        new.directory.display()
    )))
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
