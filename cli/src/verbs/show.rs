//! `graven show`: one record by its identity, or a Line or Tag by its name.

use graven::Store;
use graven::format::{Identity, LineIndex, ObjectHash, ObjectKind, SnapshotId};
use serde_json::{Value, json};

use super::arguments::Show;
use super::clock::time_text;
use super::describe::{self, Described};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, escaped};
use super::reference::Names;

mod work;

/// Shows one record.
pub fn run(arguments: &Show, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let id = &arguments.id;
    match id.parse::<Identity>() {
        Ok(Identity::Snapshot(id)) => show_snapshot(&store, id, output)?,
        Ok(Identity::Object(hash)) => show_object(&store, &hash, output)?,
        Ok(Identity::Line(index)) => show_line(&store, index, output)?,
        Ok(Identity::Task(_)) => return work::show_task(&store, id, output),
        Ok(Identity::Change(_)) => return work::show_change(&store, id, output),
        Ok(Identity::Land(_)) => work::show_land(&store, id, output)?,
        Ok(Identity::Stash(index)) => work::show_stash(&store, index, output)?,
        _ => return show_named(&store, id, output),
    }
    Ok(Verdict::Fine)
}

fn show_snapshot(store: &Store, id: SnapshotId, output: &mut Output) -> Result<(), Failure> {
    let (described, message) = {
        let view = store.view()?;
        let snapshots = view.snapshots()?;
        let snapshot = snapshots
            .by_id(id)?
            .ok_or_else(|| Failure::not_found(format!("the Snapshot {id}")))?;
        (describe::snapshot(&snapshot, &snapshots)?, snapshot.content()?.message)
    };
    answer("snapshot", described, output)?;
    tell(message.as_deref(), output)
}

/// Stored text of several lines, below what was told before.
fn tell(text: Option<&str>, output: &mut Output) -> Result<(), Failure> {
    if let Some(text) = text {
        output.line("")?;
        for line in text.lines() {
            output.line(format!("    {}", escaped(line, false)))?;
        }
    }
    Ok(())
}

fn show_line(store: &Store, index: LineIndex, output: &mut Output) -> Result<(), Failure> {
    let described = {
        let view = store.view()?;
        describe::line(&view.lines()?.get(index)?, &view.snapshots()?)?
    };
    answer("line", described, output)
}

fn show_named(store: &Store, name: &str, output: &mut Output) -> Result<Verdict, Failure> {
    let (line, tag) = {
        let view = store.view()?;
        let snapshots = view.snapshots()?;
        let line = match Names::in_view(&view)?.line(name) {
            Ok(line) => Some(describe::line(&line, &snapshots)?),
            Err(Failure::NotFound(_)) => None,
            Err(failure) => return Err(failure),
        };
        let tag = view.tags()?.by_name(name)?;
        (line, tag.map(|tag| describe::tag(&tag, &snapshots)).transpose()?)
    };
    match (line, tag) {
        (None, None) if work::is_short(name) => return work::show_short(store, name, output),
        (None, None) => return Err(Failure::not_found(format!("a record, Line or Tag {name:?}"))),
        (Some(line), None) => answer("line", line, output)?,
        (None, Some(tag)) => answer("tag", tag, output)?,
        (Some(line), Some(tag)) => {
            output.line(format!("line  {}", line.line(output)))?;
            output.line(format!("tag   {}", tag.line(output)))?;
            output.answer(&json!({"kind": "line and tag", "line": line.json, "tag": tag.json}))?;
        }
    }
    Ok(Verdict::Fine)
}

fn show_object(store: &Store, hash: &ObjectHash, output: &mut Output) -> Result<(), Failure> {
    let (described, entries) = {
        let root = store.objects();
        let view = root.view()?;
        let objects = view.objects()?;
        let object = objects
            .by_hash(hash)?
            .ok_or_else(|| Failure::not_found(format!("the object {hash}")))?;
        let mut entries = Vec::new();
        if object.kind == ObjectKind::Directory {
            for entry in objects.directory(hash)?.entries() {
                entries.push(describe::entry(&entry?));
            }
        }
        (describe::object(&object), entries)
    };
    for entry in &entries {
        output.line(format!("{}  {}", entry.text, entry.id))?;
    }
    let mut json = described.json;
    if let Value::Object(fields) = &mut json {
        let entries = entries.into_iter().map(|entry| entry.json).collect();
        fields.insert("entries".to_owned(), Value::Array(entries));
    }
    if output.is_json() || json["kind"] != "directory" {
        answer("object", Described { json, ..described }, output)?;
    }
    Ok(())
}

/// Answers one record: its fields for people, one a line; what has lines of its own is told elsewhere.
fn answer(kind: &str, described: Described, output: &mut Output) -> Result<(), Failure> {
    output.line(described.line(output))?;
    let mut json = json!({"kind_of_record": kind});
    if let (Value::Object(all), Value::Object(fields)) = (&mut json, described.json) {
        for (key, value) in &fields {
            if !value.is_null() && key != "message" {
                output.line(format!("  {key}: {}", field_text(key, value)))?;
            }
        }
        all.extend(fields);
    }
    Ok(output.answer(&json)?)
}

/// A field's value for people: a time as a date, text without control characters.
fn field_text(key: &str, value: &Value) -> String {
    match value {
        Value::Number(time) if key.ends_with("_at_s") => time
            .as_u64()
            .map_or_else(String::new, |time| time_text(graven::UnixSeconds(time))),
        Value::String(text) => escaped(text, false),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            escaped(&items.join(", "), false)
        }
        other => escaped(&other.to_string(), false),
    }
}
