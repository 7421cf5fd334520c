//! `graven show` of Tasks with their Changes and Lands, and of Stashes.

use graven::format::{ChangeIndex, ChangeLifecycle, ChangeOrdinal, StashIndex, TaskIndex};
use graven::{Change, Land, Store};
use serde_json::{Value, json};

use super::{answer, field_text, tell};
use crate::verbs::arguments::By;
use crate::verbs::describe::{self, Described, work};
use crate::verbs::failure::{Failure, Verdict};
use crate::verbs::output::{Colour, Output, escaped};
use crate::verbs::reference::Works;

/// What a Task's page says beside its first line, in this order.
const TASK_PAGE: [(&str, &str); 12] = [
    ("state", "state"),
    ("planned", "planned"),
    ("flags", "flags"),
    ("hidden", "hidden"),
    ("created_at_s", "created"),
    ("updated_at_s", "updated"),
    ("closed_at_s", "closed"),
    ("remote_task", "remote Task's index"),
    ("published_at_s", "published"),
    ("plan_revision", "Plan revision"),
    ("plan_item", "Plan item"),
    ("plan_linked_at_s", "linked to its Plan"),
];

/// What a Change's page says beside its first line, in this order.
const CHANGE_PAGE: [(&str, &str); 13] = [
    ("state", "state"),
    ("flags", "flags"),
    ("base_line_name", "from the Line"),
    ("base_line", "its id"),
    ("fork", "forked at"),
    ("created_at_s", "created"),
    ("updated_at_s", "updated"),
    ("archived_at_s", "archived"),
    ("remote_change", "remote Change"),
    ("published_at_s", "published"),
    ("landed_line_name", "landed on the Line"),
    ("landed", "landed as"),
    ("landed_at_s", "landed"),
];

/// The records that belong to another one, and what keeps some of them from being shown.
struct Owned<T> {
    records: Vec<T>,
    damage: Option<String>,
}

/// A Change with its Lands.
type ChangeWithLands = (Described, Owned<Described>);

/// Shows a Task, its Changes and their Lands.
pub fn show_task(store: &Store, id: &str, output: &mut Output) -> Result<Verdict, Failure> {
    let (task, changes) = {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        let task = works.task(id)?;
        let changes = changes_of(task.index(), &works)?;
        (work::task(&task, &works, By::Created)?, changes)
    };
    let intent = task.json["intent"].as_str().map(str::to_owned);
    output.line(task.line(output))?;
    tell_page(&task.json, &TASK_PAGE, output)?;
    tell(intent.as_deref(), output)?;
    if !changes.records.is_empty() {
        output.line("")?;
    }
    for (change, lands) in &changes.records {
        output.line(change.line(output))?;
        tell_lands(lands, "  ", output)?;
    }
    tell_damage(changes.damage.as_deref(), "", output)?;
    let damaged = changes.damage.is_some() || changes.records.iter().any(|(_, lands)| lands.damage.is_some());
    let mut json = json!({"kind_of_record": "task"});
    extend(&mut json, task.json);
    json["changes_error"] = changes.damage.into();
    json["changes"] = changes.records.into_iter().map(with_lands).collect();
    output.answer(&json)?;
    Ok(Verdict::of(damaged))
}

/// Shows a Change, where and when it landed, and its Lands.
pub fn show_change(store: &Store, id: &str, output: &mut Output) -> Result<Verdict, Failure> {
    let (mut change, lands, landed) = {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        let change = works.change(id)?;
        let lands = lands_of(change.index(), &works)?;
        let landed = landed(&change, &lands, &works)?;
        (work::change(&change, &works, By::Created)?, lands.described, landed)
    };
    extend(&mut change.json, landed);
    output.line(change.line(output))?;
    tell_page(&change.json, &CHANGE_PAGE, output)?;
    if !lands.records.is_empty() {
        output.line("")?;
    }
    tell_lands(&lands, "", output)?;
    let damaged = lands.damage.is_some();
    let mut json = json!({"kind_of_record": "change"});
    extend(&mut json, with_lands((change, lands)));
    output.answer(&json)?;
    Ok(Verdict::of(damaged))
}

/// Shows a Land.
pub fn show_land(store: &Store, id: &str, output: &mut Output) -> Result<(), Failure> {
    let described = {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        work::land(&works.land(id)?, &works, By::Created)?
    };
    answer("land", described, output)
}

/// Shows a Stash, also a deleted one.
pub fn show_stash(store: &Store, index: StashIndex, output: &mut Output) -> Result<(), Failure> {
    let described = {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        if index.get() >= works.stashes.len() {
            return Err(Failure::not_found(format!("the Stash {index}")));
        }
        work::stash(&works.stashes.get(index)?, &works)?
    };
    let message = described.json["message"].as_str().map(str::to_owned);
    answer("stash", described, output)?;
    tell(message.as_deref(), output)
}

/// Whether a text has the form of a Change's or Land's identity without the Task.
pub fn is_short(text: &str) -> bool {
    let change = text.split_once('/').map_or(text, |(change, _)| change);
    change.parse::<ChangeOrdinal>().is_ok()
}

/// Shows the Change, or the Land of the Change, of that ordinal, where only one Task has it (F-1.1).
pub fn show_short(store: &Store, id: &str, output: &mut Output) -> Result<Verdict, Failure> {
    if id.contains('/') {
        show_land(store, id, output)?;
        return Ok(Verdict::Fine);
    }
    show_change(store, id, output)
}

/// The Changes of a Task, each with its Lands. Damage in the chain is told, and the Task is shown all the same.
fn changes_of(task: TaskIndex, works: &Works<'_>) -> Result<Owned<ChangeWithLands>, Failure> {
    let (changes, mut damage) = readable(works.changes.of_task(task))?;
    let mut records = Vec::with_capacity(changes.len());
    for change in changes {
        let lands = lands_of(change.index(), works)?.described;
        match work::change(&change, works, By::Created) {
            Ok(described) => records.push((described, lands)),
            Err(failure) => damage = Some(corrupt(failure)?),
        }
    }
    Ok(Owned { records, damage })
}

/// The Lands of a Change as they are and as they are told.
struct Lands<'v> {
    records: Vec<Land<'v>>,
    described: Owned<Described>,
}

fn lands_of<'v>(change: ChangeIndex, works: &Works<'v>) -> Result<Lands<'v>, Failure> {
    let (records, damage) = readable(works.lands.of_change(change))?;
    let described = records.iter().map(|land| work::land(land, works, By::Created));
    let described = Owned {
        records: described.collect::<Result<_, _>>()?,
        damage,
    };
    Ok(Lands { records, described })
}

/// Where and when a Change landed: what its Land tells that succeeded and has the highest ordinal (W-LAND-29).
fn landed(change: &Change<'_>, lands: &Lands<'_>, works: &Works<'_>) -> Result<Value, Failure> {
    let succeeded = |land: &&Land<'_>| !land.tombstoned && land.status.landed().is_some();
    let winning = lands.records.iter().rev().find(succeeded);
    let winning = winning.filter(|_| change.lifecycle == ChangeLifecycle::Landed);
    let Some(land) = winning else {
        return Ok(json!({"landed": null, "landed_line": null, "landed_line_name": null, "landed_at_s": null}));
    };
    let (line, line_name) = work::line(land.target_line, works)?;
    let landed = land.status.landed();
    Ok(json!({
        "landed": landed.map(|landed| describe::identity(landed, &works.snapshots)).transpose()?,
        "landed_line": line,
        "landed_line_name": line_name,
        "landed_at_s": land.updated_at_s.0,
    }))
}

/// What could be read, or none of it and why.
fn readable<T>(answer: graven::Result<Vec<T>>) -> Result<(Vec<T>, Option<String>), Failure> {
    match answer {
        Ok(records) => Ok((records, None)),
        Err(error) => Ok((Vec::new(), Some(corrupt(error.into())?))),
    }
}

/// What is damaged; any other failure stays one.
fn corrupt(failure: Failure) -> Result<String, Failure> {
    match failure {
        Failure::Engine(error) if error.is_corrupt() => Ok(error.to_string()),
        failure => Err(failure),
    }
}

/// What a page says, one field a line; what is absent, empty or not so is left out.
fn tell_page(json: &Value, page: &[(&str, &str)], output: &mut Output) -> Result<(), Failure> {
    for (key, label) in page {
        let empty = match &json[*key] {
            Value::Null | Value::Bool(false) => true,
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if !empty {
            output.line(format!("  {label}: {}", field_text(key, &json[*key])))?;
        }
    }
    Ok(())
}

fn tell_lands(lands: &Owned<Described>, indent: &str, output: &mut Output) -> Result<(), Failure> {
    for land in &lands.records {
        output.line(format!("{indent}{}", land.line(output)))?;
    }
    tell_damage(lands.damage.as_deref(), indent, output)
}

fn tell_damage(damage: Option<&str>, indent: &str, output: &mut Output) -> Result<(), Failure> {
    if let Some(damage) = damage {
        let text = output.paint(Colour::Red, &escaped(damage, false));
        output.line(format!("{indent}{text}"))?;
    }
    Ok(())
}

fn with_lands((change, lands): ChangeWithLands) -> Value {
    let mut json = change.json;
    json["lands_error"] = lands.damage.into();
    json["lands"] = lands.records.into_iter().map(|land| land.json).collect();
    json
}

fn extend(json: &mut Value, more: Value) {
    if let (Value::Object(all), Value::Object(more)) = (json, more) {
        all.extend(more);
    }
}
