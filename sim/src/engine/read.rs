//! Everything that the public face shows of a store, in the model's words.

use graven::format::{DirectoryEntry, EntryTarget, FileMode, LineState, ObjectHash, ObjectKind, SnapshotKind};
use graven::{Result, Store};
use graven_model::domain::{self, Entry, Object, Snapshot, Tag, Target};

use super::read_workflow;
use crate::subject::Seen;

/// Reads every record of both roots; objects are verified by their hash.
pub fn everything(store: &Store) -> Result<Seen> {
    let mut model = domain::Store::default();
    let mut hashes: Vec<ObjectHash> = Vec::new();
    let mut kinds = Vec::new();
    store.objects().read(|view| {
        for row in view.objects()? {
            let (_, object) = row?;
            hashes.push(object.hash);
            kinds.push((object.kind, object.read()?));
        }
        Ok(())
    })?;
    let place = |hash: &ObjectHash| hashes.iter().position(|known| known == hash).unwrap_or(usize::MAX);
    for (kind, content) in kinds {
        model.objects.push(match kind {
            ObjectKind::Blob => Object::Blob(content),
            ObjectKind::Directory => Object::Directory(entries(&content, &place)),
        });
    }
    let workflow = store.read(|view| {
        for row in view.snapshots()? {
            let (_, snapshot) = row?;
            let content = snapshot.content()?;
            let line = snapshot
                .line
                .map(|line| (line.get() as usize, content.line_name.clone().unwrap_or_default()));
            model.snapshots.push(Snapshot {
                tombstoned: snapshot.tombstoned,
                kind: match snapshot.kind {
                    SnapshotKind::Line => domain::SnapshotKind::Line,
                    SnapshotKind::Stash => domain::SnapshotKind::Stash,
                },
                root: place(&snapshot.manifest_hash),
                created_at_s: snapshot.created_at_s.0,
                parents: content.parents.iter().map(|parent| parent.get() as usize).collect(),
                line,
                message: content.message.unwrap_or_default(),
                file_count: snapshot.file_count.into(),
                total_bytes: snapshot.total_bytes,
            });
        }
        for row in view.lines()? {
            let (_, line) = row?;
            model.lines.push(line_of(&line)?);
        }
        for row in view.tags()? {
            let (_, tag) = row?;
            let text = tag.text()?;
            model.tags.push(Tag {
                name: text.name,
                tombstoned: tag.tombstoned,
                snapshot: tag.snapshot.get() as usize,
                message: text.message,
                created_at_s: tag.created_at_s.0,
            });
        }
        read_workflow::everything(view)
    })?;
    let mut seen = model.describe();
    seen.extend(workflow);
    Ok(seen)
}

/// A Line in the model's words.
pub fn line_of(line: &graven::Line<'_>) -> Result<domain::Line> {
    Ok(domain::Line {
        name: line.name()?,
        head: line.head.map(|head| head.get() as usize),
        state: match line.state {
            LineState::Live => domain::LineState::Live,
            LineState::Archived { at } => domain::LineState::Archived { at_s: at.0 },
            LineState::Deleted { at } => domain::LineState::Deleted { at_s: at.0 },
        },
        created_at_s: line.created_at_s.0,
        updated_at_s: line.updated_at_s.0,
    })
}

fn entries(content: &[u8], place: &dyn Fn(&ObjectHash) -> usize) -> Vec<Entry> {
    let entry = |entry: DirectoryEntry<'_>| {
        let target = match entry.target {
            EntryTarget::File { mode, hash, .. } => match mode {
                FileMode::Plain => Target::File(place(&hash)),
                FileMode::Executable => Target::Executable(place(&hash)),
                FileMode::Symlink => Target::Symlink(place(&hash)),
            },
            EntryTarget::Directory { hash, .. } => Target::Directory(place(&hash)),
            EntryTarget::Link(_) => Target::File(usize::MAX),
        };
        Entry {
            name: entry.name.to_vec(),
            target,
        }
    };
    graven::format::directory::entries(content)
        .filter_map(std::result::Result::ok)
        .map(entry)
        .collect()
}
