//! Records as answers: their JSON form and their line for people.

use graven::format::{DirectoryEntry, EntryTarget, FileMode, LineState, ObjectKind, SnapshotIndex, SnapshotKind};
use graven::{Line, Object, Rows, Snapshot, Snapshots, Tag};
use serde_json::{Value, json};

use super::clock::time_text;
use super::failure::Failure;
use super::output::{Colour, Output, escaped, escaped_bytes, hex};

pub mod work;

/// A record's JSON form and its line for people.
pub struct Described {
    /// The JSON form.
    pub json: Value,
    /// The identity, coloured on a terminal.
    pub id: String,
    /// The rest of the line.
    pub text: String,
}

impl Described {
    /// The line for people.
    pub fn line(&self, output: &Output) -> String {
        format!("{}  {}", output.paint(Colour::Yellow, &self.id), self.text)
    }
}

/// The identity of the Snapshot of that index. A damaged one has none, and what refers to it can be told all the same.
pub fn identity(index: SnapshotIndex, snapshots: &Rows<Snapshots<'_>>) -> Result<String, Failure> {
    match snapshots.get(index) {
        Ok(snapshot) => Ok(snapshot.id.to_string()),
        Err(error) if error.is_corrupt() => Ok(format!("damaged record {}", index.get())),
        Err(error) => Err(error.into()),
    }
}

/// A Line.
pub fn line(line: &Line<'_>, snapshots: &Rows<Snapshots<'_>>) -> Result<Described, Failure> {
    let name = line.name()?;
    let head = line.head.map(|head| identity(head, snapshots)).transpose()?;
    let (state, archived_at_s) = match line.state {
        LineState::Live => ("live", None),
        LineState::Archived { at } => ("archived", Some(at.0)),
        LineState::Deleted { at } => ("deleted", Some(at.0)),
    };
    let id = line.index().to_string();
    let mark = if line.is_live() {
        String::new()
    } else {
        format!("  ({state})")
    };
    Ok(Described {
        text: format!(
            "{}  {}{mark}",
            head.as_deref().unwrap_or("no head         "),
            escaped(&name, false)
        ),
        json: json!({
            "id": id,
            "name": name,
            "head": head,
            "state": state,
            "created_at_s": line.created_at_s.0,
            "updated_at_s": line.updated_at_s.0,
            "archived_at_s": archived_at_s,
        }),
        id,
    })
}

/// A Tag.
pub fn tag(tag: &Tag<'_>, snapshots: &Rows<Snapshots<'_>>) -> Result<Described, Failure> {
    let text = tag.text()?;
    let snapshot = identity(tag.snapshot, snapshots)?;
    let annotated = if tag.annotated { "annotated" } else { "lightweight" };
    let mark = if tag.tombstoned { "  (deleted)" } else { "" };
    Ok(Described {
        text: format!("{annotated:<11}  {}{mark}", escaped(&text.name, false)),
        json: json!({
            "index": tag.index().get(),
            "name": text.name,
            "snapshot": snapshot,
            "annotated": tag.annotated,
            "message": text.message,
            "deleted": tag.tombstoned,
            "created_at_s": tag.created_at_s.0,
        }),
        id: snapshot,
    })
}

/// A Snapshot.
pub fn snapshot(snapshot: &Snapshot<'_>, snapshots: &Rows<Snapshots<'_>>) -> Result<Described, Failure> {
    let content = snapshot.content()?;
    let mut parents = Vec::with_capacity(content.parents.len());
    for parent in &content.parents {
        parents.push(identity(*parent, snapshots)?);
    }
    let message = content.message.as_deref().unwrap_or_default();
    let title = message.lines().next().unwrap_or_default();
    let mark = if snapshot.tombstoned { "  (deleted)" } else { "" };
    let id = snapshot.id.to_string();
    Ok(Described {
        text: format!("{}  {}{mark}", time_text(snapshot.created_at_s), escaped(title, false)),
        json: json!({
            "id": id,
            "index": snapshot.index().get(),
            "kind": match snapshot.kind { SnapshotKind::Line => "line", SnapshotKind::Stash => "stash" },
            "parents": parents,
            "root": snapshot.manifest_hash.to_string(),
            "files": snapshot.file_count,
            "bytes": snapshot.total_bytes,
            "created_at_s": snapshot.created_at_s.0,
            "line": snapshot.line.map(|line| line.to_string()),
            "line_name": content.line_name,
            "message": content.message,
            "deleted": snapshot.tombstoned,
        }),
        id,
    })
}

/// An object's record.
pub fn object(object: &Object<'_>) -> Described {
    let kind = match object.kind {
        ObjectKind::Blob => "blob",
        ObjectKind::Directory => "directory",
    };
    let id = object.hash.to_string();
    let mark = if object.tombstoned { "  (damaged copy)" } else { "" };
    Described {
        text: format!("{kind:<9}  {:>12}{mark}", object.payload.len()),
        json: json!({
            "id": id,
            "index": object.index().get(),
            "kind": kind,
            "bytes": object.payload.len(),
            "deleted": object.tombstoned,
        }),
        id,
    }
}

/// An entry of a directory.
pub fn entry(entry: &DirectoryEntry<'_>) -> Described {
    let (mode, size, id) = match entry.target {
        EntryTarget::File { mode, size, hash } => (mode_text(mode), Some(size), hash.to_string()),
        EntryTarget::Directory { size, hash } => ("040000", Some(size), hash.to_string()),
        EntryTarget::Link(link) => ("160000", None, hex(link.as_bytes())),
    };
    let mut json = json!({"mode": mode, "bytes": size, "target": id});
    put_path(&mut json, "name", entry.name);
    Described {
        text: format!("{mode}  {:>12}  {}", size.unwrap_or(0), escaped_bytes(entry.name)),
        json,
        id,
    }
}

/// Git's octal mode of a file.
pub fn mode_text(mode: FileMode) -> &'static str {
    match mode {
        FileMode::Plain => "100644",
        FileMode::Executable => "100755",
        FileMode::Symlink => "120000",
    }
}

/// Puts a name or path into an answer: as text, and where it is not UTF-8 its bytes in hex beside it.
pub fn put_path(json: &mut Value, key: &str, path: &[u8]) {
    if let Value::Object(fields) = json {
        fields.insert(key.to_owned(), String::from_utf8_lossy(path).into_owned().into());
        if std::str::from_utf8(path).is_err() {
            fields.insert(format!("{key}_hex"), hex(path).into());
        }
    }
}
