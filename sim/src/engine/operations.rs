//! Each operation of the model, performed by the engine.

use graven::domain::objects;
use graven::format::{
    DirectoryEntry, EntryTarget, FileMode, LineIndex, ObjectHash, ObjectIndex, SnapshotIndex, SnapshotKind, TagIndex,
};
use graven::{ErrorKind, NewSnapshot, Objects, Store, Txn, UnixSeconds, Workflow};
use graven_model::domain::{self, Answer, Answered, Entry, Operation, Refusal, Target};

pub(super) fn snapshot(index: usize) -> graven::Result<SnapshotIndex> {
    Ok(typed(index, SnapshotIndex::new)?)
}

pub(super) fn typed<T>(index: usize, new: fn(u32) -> Option<T>) -> graven::domain::Result<T> {
    let typed = u32::try_from(index).ok().and_then(new);
    typed.ok_or_else(|| graven::domain::Error::not_found(format!("record {index}")))
}

/// For each operation that creates a Snapshot, the hash of its root: it is looked up before the transaction begins.
pub(super) fn roots(store: &Store, operations: &[Operation]) -> graven::Result<Vec<Option<ObjectHash>>> {
    let hash = |operation: &Operation| match operation {
        Operation::CreateSnapshot { root, .. } => {
            let index = typed(*root, ObjectIndex::new)?;
            store.objects().read(|view| match view.objects()?.get(index) {
                Ok(object) => Ok(Some(object.hash)),
                // Of what is not there, the engine itself has to say so.
                Err(error) if *error.kind() == ErrorKind::NotFound => Ok(Some(ObjectHash([0xee; 32]))),
                Err(error) => Err(error),
            })
        }
        _ => Ok(None),
    };
    operations.iter().map(hash).collect()
}

pub(super) fn put(txn: &mut Txn<'_, Objects>, operation: &Operation) -> graven::Result<usize> {
    match operation {
        Operation::PutBlob(content) => Ok(txn.put_blob(content)?.index.get() as usize),
        Operation::PutDirectory(entries) => {
            let targets = entries
                .iter()
                .map(|entry| target(txn, entry))
                .collect::<graven::Result<Vec<_>>>()?;
            let entries: Vec<DirectoryEntry<'_>> = entries
                .iter()
                .zip(targets)
                .map(|(entry, target)| DirectoryEntry {
                    name: &entry.name,
                    target,
                })
                .collect();
            Ok(txn.put_directory(&entries)?.index.get() as usize)
        }
        other => Err(misplaced(other)),
    }
}

fn misplaced(operation: &Operation) -> graven::Error {
    graven::domain::Error::refused("simulator", format!("{operation:?} belongs to the other root")).into()
}

fn target(txn: &mut Txn<'_, Objects>, entry: &Entry) -> graven::Result<EntryTarget> {
    let index = typed(entry.target.object(), ObjectIndex::new)?;
    // Of an object that is not there, or is no directory, the engine itself has to say so.
    let (hash, size) = match txn.objects()?.get(index) {
        Ok(object) => (object.hash, object.payload.len()),
        Err(error) if *error.kind() == ErrorKind::NotFound => (ObjectHash([0xee; 32]), 0),
        Err(error) => return Err(error),
    };
    let file = |mode| EntryTarget::File { mode, size, hash };
    Ok(match entry.target {
        Target::File(_) => file(FileMode::Plain),
        Target::Executable(_) => file(FileMode::Executable),
        Target::Symlink(_) => file(FileMode::Symlink),
        Target::Directory(_) => {
            let records = objects::Objects::new(txn.transaction())?;
            let fold = records.fold(&hash, &mut objects::FoldCache::new(64));
            let size = fold.map_or(0, |fold| fold.total_bytes);
            EntryTarget::Directory { size, hash }
        }
    })
}

pub(super) fn change(
    txn: &mut Txn<'_, Workflow>,
    operation: &Operation,
    root: Option<ObjectHash>,
) -> graven::Result<usize> {
    let line = |index: &usize| typed(*index, LineIndex::new);
    let optional = |index: &Option<usize>| index.map(snapshot).transpose();
    match operation {
        Operation::CreateSnapshot {
            kind,
            created_at_s,
            parents,
            line: author,
            message,
            ..
        } => {
            let parents = parents
                .iter()
                .map(|parent| snapshot(*parent))
                .collect::<graven::Result<Vec<_>>>()?;
            let root = root.ok_or_else(|| misplaced(operation))?;
            let mut new = NewSnapshot::new(root, UnixSeconds(*created_at_s))
                .kind(match kind {
                    domain::SnapshotKind::Line => SnapshotKind::Line,
                    domain::SnapshotKind::Stash => SnapshotKind::Stash,
                })
                .parents(&parents)
                .message(message);
            if let Some(author) = author {
                new = new.line(line(author)?);
            }
            Ok(txn.create_snapshot(&new)?.index.get() as usize)
        }
        Operation::TombstoneSnapshot(index) => txn.tombstone_snapshot(snapshot(*index)?).map(|()| *index),
        Operation::CreateLine { name, head } => Ok(txn.create_line(name, optional(head)?)?.get() as usize),
        Operation::RenameLine { line: index, name } => txn.rename_line(line(index)?, name).map(|()| *index),
        Operation::MoveHead {
            line: index,
            expected,
            head,
        } => txn
            .move_head(line(index)?, optional(expected)?, optional(head)?)
            .map(|()| *index),
        Operation::ArchiveLine(index) => txn.archive_line(line(index)?).map(|()| *index),
        Operation::RestoreLine(index) => txn.restore_line(line(index)?).map(|()| *index),
        Operation::DeleteLine(index) => txn.delete_line(line(index)?).map(|()| *index),
        Operation::CreateTag {
            name,
            snapshot: on,
            message,
        } => txn
            .create_tag(name, snapshot(*on)?, message.as_deref())
            .map(|tag| tag.get() as usize),
        Operation::ReplaceTag {
            name,
            snapshot: on,
            message,
        } => txn
            .replace_tag(name, snapshot(*on)?, message.as_deref())
            .map(|tag| tag.get() as usize),
        Operation::DeleteTag(index) => txn.delete_tag(typed(*index, TagIndex::new)?).map(|()| *index),
        other => Err(misplaced(other)),
    }
}

/// The engine's answer to one operation, in a transaction of its own, in the model's words.
///
/// # Errors
/// What is no answer of a rule: a failure of the disk, damage, a bound.
pub fn answer(store: &Store, now: UnixSeconds, operation: &Operation) -> graven::Result<Answer> {
    let answered = match operation {
        Operation::PutBlob(_) | Operation::PutDirectory(_) => store
            .objects()
            .write(now, |txn| put(txn, operation))
            .map(|receipt| receipt.value),
        _ => roots(store, std::slice::from_ref(operation)).and_then(|roots| {
            let root = roots.into_iter().next().flatten();
            Ok(store.write(now, |txn| change(txn, operation, root))?.value)
        }),
    };
    match answered {
        Ok(index) => Ok(Ok(Answered::Record(index))),
        Err(error) => match error.kind() {
            ErrorKind::Refused { rule } => Ok(Err(Refusal::Refused(rule))),
            ErrorKind::NotFound => Ok(Err(Refusal::NotFound)),
            ErrorKind::Conflict => Ok(Err(Refusal::Conflict(error.rule().unwrap_or_default()))),
            ErrorKind::Exhausted { limit, .. } => Ok(Err(Refusal::Exhausted(*limit))),
            _ => Err(error),
        },
    }
}
