//! Tasks, Changes, Lands and Stashes as answers.

use graven::format::{ChangeFlag, ChangeLifecycle, LineIndex, SnapshotIndex, TaskFlag, TaskStatus, UnixSeconds};
use graven::{Change, Land, Stash, Task};
use serde_json::{Value, json};

use super::{Described, identity};
use crate::verbs::arguments::By;
use crate::verbs::clock::time_text;
use crate::verbs::failure::Failure;
use crate::verbs::output::escaped;
use crate::verbs::reference::Works;

/// The states that a Land can be in, as they are asked for and told.
pub const LAND_STATES: [&str; 7] = [
    "queued",
    "running",
    "succeeded",
    "blocked",
    "failed",
    "canceled",
    "updating",
];

/// A Task.
pub fn task(task: &Task<'_>, works: &Works<'_>, by: By) -> Result<Described, Failure> {
    let text = task.text()?;
    let id = works.task_id(task.index()).to_string();
    let state = task.status.as_str();
    let flags: Vec<&str> = task.flags.iter().map(TaskFlag::as_str).collect();
    let time = match by {
        By::Created => task.created_at_s,
        By::Updated => task.updated_at_s,
    };
    let hidden = if task.hidden { "  (hidden)" } else { "" };
    Ok(Described {
        text: format!(
            "{state:<9}  {}  {}{}{hidden}",
            time_text(time),
            escaped(&text.title, false),
            marks(&flags)
        ),
        json: json!({
            "id": id,
            "index": task.index().get(),
            "state": state,
            "open": task.status == TaskStatus::Active,
            "title": text.title,
            "intent": text.intent,
            "planned": task.planned,
            "flags": flags,
            "hidden": task.hidden,
            "remote_task": task.published.map(|published| published.task.get()),
            "plan_revision": task.plan_revision.map(|revision| revision.to_string()),
            "plan_item": task.plan_item.map(graven::format::PlanItemIndex::get),
            "created_at_s": task.created_at_s.0,
            "updated_at_s": task.updated_at_s.0,
            "closed_at_s": seconds(task.closed_at_s),
            "published_at_s": seconds(task.published.map(|published| published.at)),
            "plan_linked_at_s": seconds(task.plan_linked_at_s),
        }),
        id,
    })
}

/// A Change.
pub fn change(change: &Change<'_>, works: &Works<'_>, by: By) -> Result<Described, Failure> {
    let title = change.title()?;
    let task = works.task_id(change.task).to_string();
    let id = format!("{task}/{}", change.ordinal);
    let status = change.status();
    let state = status.as_str();
    let flags: Vec<&str> = change.flags.iter().map(ChangeFlag::as_str).collect();
    let time = match by {
        By::Created => change.created_at_s,
        By::Updated => change.updated_at_s,
    };
    let archived_at_s = match change.lifecycle {
        ChangeLifecycle::Archived { at, .. } => at,
        _ => None,
    };
    let (base_line, base_line_name) = line(change.base_line, works)?;
    Ok(Described {
        text: format!(
            "{state:<10}  {}  {}{}",
            time_text(time),
            escaped(&title, false),
            marks(&flags)
        ),
        json: json!({
            "id": id,
            "index": change.index().get(),
            "task": task,
            "state": state,
            "open": status.is_open(),
            "title": title,
            "flags": flags,
            "base_line": base_line,
            "base_line_name": base_line_name,
            "fork": snapshot(change.fork, works)?,
            "remote_change": change.published.map(|published| published.ordinal.to_string()),
            "created_at_s": change.created_at_s.0,
            "updated_at_s": change.updated_at_s.0,
            "published_at_s": seconds(change.published.map(|published| published.at)),
            "archived_at_s": seconds(archived_at_s),
        }),
        id,
    })
}

/// A Land.
pub fn land(land: &Land<'_>, works: &Works<'_>, by: By) -> Result<Described, Failure> {
    let change = works.change_ref(land.change)?;
    let id = format!("{change}/{}", land.ordinal);
    let state = land.status.as_str();
    let why = land.status.why().map(graven::format::FailureKind::as_str);
    let landed = snapshot(land.status.landed(), works)?;
    let (line, line_name) = line(land.target_line, works)?;
    let time = match by {
        By::Created => land.submitted_at_s,
        By::Updated => Some(land.updated_at_s),
    };
    let time = time.map_or_else(|| "unknown time        ".to_owned(), time_text);
    let outcome = why.or(landed.as_deref()).map(|outcome| format!("  {outcome}"));
    let deleted = if land.tombstoned { "  (deleted)" } else { "" };
    Ok(Described {
        text: format!(
            "{state:<9}  {time}  {:<7}  {}{}{deleted}",
            land.mode.as_str(),
            escaped(line_name.as_deref().unwrap_or(&line), false),
            outcome.unwrap_or_default()
        ),
        json: json!({
            "id": id,
            "index": land.index().get(),
            "change": change,
            "state": state,
            "open": !land.status.is_terminal(),
            "why": why,
            "mode": land.mode.as_str(),
            "target_line": line,
            "target_line_name": line_name,
            "pre_target": snapshot(land.pre_target, works)?,
            "landed": landed,
            "submitted_at_s": seconds(land.submitted_at_s),
            "updated_at_s": land.updated_at_s.0,
            "deleted": land.tombstoned,
        }),
        id,
    })
}

/// A Stash: its own two bits, and what its Snapshot tells.
pub fn stash(stash: &Stash<'_>, works: &Works<'_>) -> Result<Described, Failure> {
    let content = stash.content()?;
    let text = content.content()?;
    let message = text.message.as_deref().unwrap_or_default();
    let on = text
        .line_name
        .as_deref()
        .map(|name| format!("  on {}", escaped(name, false)));
    let cleared = if stash.workspace_cleared { "  (cleared)" } else { "" };
    let deleted = if stash.tombstoned { "  (deleted)" } else { "" };
    let id = stash.index().to_string();
    Ok(Described {
        text: format!(
            "{}  {}  {}{}{cleared}{deleted}",
            content.id,
            time_text(content.created_at_s),
            escaped(message.lines().next().unwrap_or_default(), false),
            on.unwrap_or_default(),
        ),
        json: json!({
            "id": id,
            "index": stash.index().get(),
            "snapshot": content.id.to_string(),
            "parents": text.parents.iter().map(|parent| identity(*parent, &works.snapshots)).collect::<Result<Vec<_>, _>>()?,
            "cleared": stash.workspace_cleared,
            "line": content.line.map(|line| line.to_string()),
            "line_name": text.line_name,
            "message": text.message,
            "files": content.file_count,
            "bytes": content.total_bytes,
            "created_at_s": content.created_at_s.0,
            "deleted": stash.tombstoned,
        }),
        id,
    })
}

/// A Line's identity and its name of now; a damaged one has no name.
pub fn line(index: LineIndex, works: &Works<'_>) -> Result<(String, Option<String>), Failure> {
    match works.lines.get(index).and_then(|line| line.name()) {
        Ok(name) => Ok((index.to_string(), Some(name))),
        Err(error) if error.is_corrupt() => Ok((index.to_string(), None)),
        Err(error) => Err(error.into()),
    }
}

fn snapshot(index: Option<SnapshotIndex>, works: &Works<'_>) -> Result<Option<String>, Failure> {
    index.map(|index| identity(index, &works.snapshots)).transpose()
}

fn marks(flags: &[&str]) -> String {
    if flags.is_empty() {
        return String::new();
    }
    format!("  [{}]", flags.join(", "))
}

fn seconds(time: Option<UnixSeconds>) -> Value {
    time.map(|time| time.0).into()
}
