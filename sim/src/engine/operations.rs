//! Each operation of the model, performed by the engine.

use graven::domain::objects;
use graven::format::{
    DirectoryEntry, EntryTarget, FileMode, LineIndex, ObjectHash, ObjectIndex, SnapshotIndex, SnapshotKind, TagIndex,
};
use graven::{ErrorKind, NewSnapshot, Objects, Store, Txn, UnixSeconds, Workflow};
use graven_model::domain::{self, Answer, Answered, Entry, Operation, Refusal, Target};

use super::workflow;

pub(super) fn snapshot(index: usize) -> graven::Result<SnapshotIndex> {
    Ok(typed(index, SnapshotIndex::new)?)
}

pub(super) fn typed<T>(index: usize, new: fn(u32) -> Option<T>) -> graven::domain::Result<T> {
    let typed = u32::try_from(index).ok().and_then(new);
    typed.ok_or_else(|| graven::domain::Error::not_found(format!("record {index}")))
}

/// For each operation that creates a Snapshot, the hash of its root: it is looked up before the transaction begins.
fn roots(store: &Store, operations: &[Operation]) -> graven::Result<Vec<Option<ObjectHash>>> {
    let hash = |operation: &Operation| match operation {
        Operation::CreateSnapshot { root, .. } => {
            let Ok(index) = typed(*root, ObjectIndex::new) else {
                return Ok(Some(ObjectHash([0xee; 32])));
            };
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

fn put(txn: &mut Txn<'_, Objects>, operation: &Operation) -> graven::Result<usize> {
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

fn content(txn: &mut Txn<'_, Workflow>, operation: &Operation, root: Option<ObjectHash>) -> graven::Result<usize> {
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

fn change(txn: &mut Txn<'_, Workflow>, operation: &Operation, root: Option<ObjectHash>) -> graven::Result<Answered> {
    match operation {
        Operation::Task(operation) => workflow::task(txn, operation).map(Answered::Record),
        Operation::Change(operation) => workflow::change(txn, operation).map(Answered::Record),
        Operation::Land(operation) => workflow::land(txn, operation),
        Operation::Stash(operation) => workflow::stash(txn, operation).map(Answered::Record),
        operation => content(txn, operation, root).map(Answered::Record),
    }
}

/// The engine's answers to operations of one root in one transaction, in the model's words; a refused one leaves the
/// others.
///
/// # Errors
/// What is no answer of a rule: a failure of the disk, damage.
pub fn answers(store: &Store, now: UnixSeconds, operations: &[Operation]) -> graven::Result<Vec<Answer>> {
    let of_objects = |operation: &Operation| matches!(operation, Operation::PutBlob(_) | Operation::PutDirectory(_));
    if operations.iter().all(of_objects) {
        let put = |txn: &mut Txn<'_, Objects>| {
            let put = |operation| in_words(put(txn, operation).map(Answered::Record));
            operations.iter().map(put).collect()
        };
        return Ok(store.objects().write(now, put)?.value);
    }
    let roots = roots(store, operations)?;
    let change = |txn: &mut Txn<'_, Workflow>| {
        let change = |(operation, root)| in_words(change(txn, operation, root));
        operations.iter().zip(roots).map(change).collect()
    };
    Ok(store.write(now, change)?.value)
}

/// As [`answers`], as a member of a group of the workflow root. Operations that look at objects are not for it.
///
/// # Errors
/// As [`answers`].
pub fn group_answers(store: &Store, now: UnixSeconds, operations: &[Operation]) -> graven::Result<Vec<Answer>> {
    let operations = operations.to_vec();
    let change = move |txn: &mut Txn<'_, Workflow>| {
        let change = |operation| in_words(change(txn, operation, None));
        operations.iter().map(change).collect()
    };
    Ok(store.group(now, change)?.value)
}

/// The engine's answer to one operation, in a transaction of its own.
///
/// # Errors
/// As [`answers`].
pub fn answer(store: &Store, now: UnixSeconds, operation: &Operation) -> graven::Result<Answer> {
    // At a time at which nothing begins, the transaction itself is refused.
    let answers = in_words(answers(store, now, std::slice::from_ref(operation)))?;
    match answers {
        Ok(answers) => answers.into_iter().next().ok_or_else(|| misplaced(operation)),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// What the engine answered, where it is an answer of a rule.
fn in_words<T>(answered: graven::Result<T>) -> graven::Result<Result<T, Refusal>> {
    match answered {
        Ok(answered) => Ok(Ok(answered)),
        Err(error) => match error.kind() {
            ErrorKind::Refused { rule } => Ok(Err(Refusal::Refused(rule))),
            ErrorKind::NotFound => Ok(Err(Refusal::NotFound)),
            ErrorKind::Conflict => Ok(Err(Refusal::Conflict(error.rule().unwrap_or_default()))),
            ErrorKind::Exhausted { limit, .. } => Ok(Err(Refusal::Exhausted(*limit))),
            _ => Err(error),
        },
    }
}
