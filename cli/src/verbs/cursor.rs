//! `graven cursor`: what a worktree is used for. It stands in the worktree; the store is only asked what there is.

use std::path::Path;

use graven::cursor;
use graven::format::{ChangeIndex, SnapshotIndex, TaskIndex};
use graven::{ErrorKind, Store};
use serde_json::{Value, json};

use super::arguments::{Cursor, CursorOperation};
use super::clock::time_text;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::Works;

/// Does one operation.
pub fn run(arguments: &Cursor, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    match &arguments.operation {
        CursorOperation::Show { worktree } => {
            let found = cursor::load(worktree, &open::options()?.read_only(true))?;
            tell(&store, found, output)?;
        }
        CursorOperation::Set { worktree, task, change } => {
            let (task, selected_change) = selected(&store, task.as_deref(), change.as_deref())?;
            let new = cursor::Cursor {
                task: Some(task),
                selected_change,
                ..cursor::Cursor::new(arguments.at.now())
            };
            cursor::save(worktree, &new, &open::options()?)?;
            tell(&store, Some(new), output)?;
        }
        CursorOperation::Clear { worktree } => clear(&store, worktree, output)?,
    }
    store.close()?;
    Ok(Verdict::Fine)
}

fn clear(store: &Store, worktree: &Path, output: &mut Output) -> Result<(), Failure> {
    cursor::clear(worktree, &open::options()?)?;
    tell(store, None, output)
}

/// The Task and the Change that are named; a Change says its Task too.
fn selected(
    store: &Store,
    task: Option<&str>,
    change: Option<&str>,
) -> Result<(TaskIndex, Option<ChangeIndex>), Failure> {
    let root = store.workflow();
    let view = root.view()?;
    let works = Works::in_view(&view, store.namespace())?;
    let task = task.map(|task| works.task(task)).transpose()?;
    let Some(text) = change else {
        let task = task.ok_or_else(|| Failure::usage("say --task, --change or both".to_owned()))?;
        return Ok((task.index(), None));
    };
    let Some(task) = task else {
        let change = works.change(text)?;
        return Ok((change.task, Some(change.index())));
    };
    let id = works.task_id(task.index());
    let change = if text.contains('/') {
        works.change(text)?
    } else {
        works.change(&format!("{id}/{text}"))?
    };
    if change.task != task.index() {
        return Err(Failure::usage(format!("{text} is no Change of {id}")));
    }
    Ok((task.index(), Some(change.index())))
}

/// Tells a cursor by the identities of what it selects. What is not there any more is told as missing: the cursor of a
/// worktree outlives a store that was restored or exchanged (W-CURSOR-03).
fn tell(store: &Store, found: Option<cursor::Cursor>, output: &mut Output) -> Result<(), Failure> {
    let Some(found) = found else {
        output.answer(&json!({"cursor": null}))?;
        output.line("no cursor")?;
        return Ok(());
    };
    let root = store.workflow();
    let view = root.view()?;
    let works = Works::in_view(&view, store.namespace())?;
    let task = match found.task {
        None => Value::Null,
        Some(index) => json!({
            "id": works.task_id(index).to_string(),
            "missing": is_missing(works.tasks.get(index))?,
        }),
    };
    let change = found
        .selected_change
        .map(|index| change(&works, index))
        .transpose()?
        .unwrap_or_default();
    let snapshot = |index: Option<SnapshotIndex>| {
        index
            .map(|index| snapshot(&works, index))
            .transpose()
            .map(Option::unwrap_or_default)
    };
    let (pre_target, landed) = (snapshot(found.pending_pre_target)?, snapshot(found.pending_landed)?);
    output.answer(&json!({"cursor": {
        "task": task,
        "change": change,
        "pending_pre_target": pre_target,
        "pending_landed": landed,
        "updated_at_s": found.updated_at_s.0,
    }}))?;
    let parts = [
        ("", &task),
        ("", &change),
        ("a Land in work, from ", &pre_target),
        ("a Land in work, to ", &landed),
    ];
    let parts = parts.iter().filter(|(_, part)| !part.is_null());
    let mut text: Vec<String> = parts.map(|(before, part)| format!("{before}{}", words(part))).collect();
    text.push(format!("since {}", time_text(found.updated_at_s)));
    output.line(text.join("  "))?;
    Ok(())
}

fn change(works: &Works<'_>, index: ChangeIndex) -> Result<Value, Failure> {
    if is_missing(works.changes.get(index))? {
        return Ok(json!({"id": format!("Change record {}", index.get()), "missing": true}));
    }
    Ok(json!({"id": works.change_ref(index)?, "missing": false}))
}

fn snapshot(works: &Works<'_>, index: SnapshotIndex) -> Result<Value, Failure> {
    if is_missing(works.snapshots.get(index))? {
        return Ok(json!({"id": format!("Snapshot record {}", index.get()), "missing": true}));
    }
    Ok(json!({"id": works.snapshots.get(index)?.id.to_string(), "missing": false}))
}

/// Whether there is no such record; a damaged one is an error.
fn is_missing<T>(record: graven::Result<T>) -> Result<bool, Failure> {
    match record {
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(true),
        other => Ok(other.map(|_| false)?),
    }
}

/// What a person reads of a part.
fn words(part: &Value) -> String {
    let id = part["id"].as_str().unwrap_or_default();
    if part["missing"] == true {
        format!("{id} (not in this store)")
    } else {
        id.to_owned()
    }
}
