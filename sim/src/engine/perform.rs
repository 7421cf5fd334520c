//! A process that performs steps: through the public face where it has an operation, through the store floor where not.

use std::path::Path;
use std::sync::Arc;

use graven::disk::{self, DurableDirectory, LockWait};
use graven::domain::{lines, objects};
use graven::format::{
    DirectoryEntry, EntryTarget, FileMode, LOCAL_WORKFLOW, LineIndex, Namespace, OBJECT, OBJECT_ZONE, Object,
    ObjectHash, ObjectIndex, ObjectKind, PayloadRange, SnapshotIndex, TagIndex, ZoneLayout, object_hash,
};
use graven::store::{Source, Stage, Transaction, Zone, ZoneOptions};
use graven::vfs::Vfs;
use graven::{ErrorKind, NewSnapshot, Objects, Outcome, Store, Txn, UnixSeconds, Workflow};
use graven_model::domain::{Answer, Entry, Operation, Refusal, Target};

use super::steps::{Step, Write};
use super::{STORE, options};

/// Why a step did not answer.
#[derive(Debug)]
pub struct Failed {
    /// Whether it may have happened.
    pub unknown: bool,
    /// The error.
    pub message: String,
}

impl From<graven::Error> for Failed {
    fn from(error: graven::Error) -> Self {
        Self {
            unknown: error.outcome() == Outcome::Unknown,
            message: error.to_string(),
        }
    }
}

impl From<graven::store::Error> for Failed {
    fn from(error: graven::store::Error) -> Self {
        Self {
            unknown: error.outcome() == Outcome::Unknown,
            message: error.to_string(),
        }
    }
}

impl From<disk::Error> for Failed {
    fn from(error: disk::Error) -> Self {
        graven::store::Error::from(error).into()
    }
}

impl From<graven::domain::Error> for Failed {
    fn from(error: graven::domain::Error) -> Self {
        graven::Error::from(error).into()
    }
}

fn failed(message: impl Into<String>) -> Failed {
    Failed {
        unknown: false,
        message: message.into(),
    }
}

/// One process.
pub struct Session<'v> {
    vfs: &'v Arc<dyn Vfs>,
    entropy: [u8; 32],
    store: Option<Store>,
}

impl<'v> Session<'v> {
    /// A process that has nothing open.
    pub fn new(vfs: &'v Arc<dyn Vfs>, entropy: [u8; 32]) -> Self {
        Self {
            vfs,
            entropy,
            store: None,
        }
    }

    fn store(&mut self) -> Result<Store, Failed> {
        if self.store.is_none() {
            self.store = Some(Store::open(Path::new(STORE), &options(self.vfs, self.entropy))?);
        }
        self.store.clone().ok_or_else(|| failed("there is no store"))
    }

    /// Performs one step, a transaction of its own.
    pub fn perform(&mut self, step: &Step, now: UnixSeconds) -> Result<(), Failed> {
        match step {
            Step::Create => {
                self.store = Some(create(self.vfs, self.entropy)?);
                Ok(())
            }
            Step::Close => match self.store.take() {
                Some(store) => Ok(store.close()?),
                None => Ok(()),
            },
            Step::Objects(operations) => {
                let store = self.store()?;
                store.objects().write(now, |txn| {
                    operations
                        .iter()
                        .try_for_each(|operation| put(txn, operation).map(drop))
                })?;
                Ok(())
            }
            Step::Workflow(operations) => {
                let store = self.store()?;
                let roots = roots(&store, operations)?;
                store.write(now, |txn| {
                    operations
                        .iter()
                        .zip(roots)
                        .try_for_each(|(operation, root)| change(txn, operation, root).map(drop))
                })?;
                Ok(())
            }
            Step::Compound(operations) => self.compound(operations, now),
            Step::Raw(writes) => {
                let (workflow, _objects) = self.zones()?;
                let mut transaction = workflow.begin(now)?;
                for write in writes {
                    perform_write(&mut transaction, write)?;
                }
                transaction.commit()?;
                Ok(())
            }
        }
    }

    /// One more change in each root, of a kind that the steps before do not make: it must always be possible.
    pub fn probe(&mut self) -> Result<(), Failed> {
        let now = UnixSeconds(super::START_S + 1_000_000);
        let store = match self.store() {
            Ok(store) => store,
            Err(_) => create(self.vfs, self.entropy)?,
        };
        store.objects().write(now, |txn| txn.put_blob(b"the probe's content"))?;
        store.write(now, |txn| txn.create_line("the probe's Line", None))?;
        Ok(())
    }

    fn zones(&self) -> Result<(Zone, Zone), Failed> {
        let attach = |directory: &str, layout: &'static ZoneLayout| -> Result<Zone, Failed> {
            let path = format!("{STORE}/{directory}");
            let handle = self.vfs.open_directory(Path::new(&path));
            let handle = handle.map_err(|error| Failed::from(disk::Error::io(path.clone(), "open", error)))?;
            Ok(Zone::attach(
                self.vfs,
                &DurableDirectory::new(handle, path),
                layout,
                self.zone_options(),
            )?)
        };
        let (workflow, objects) = (attach("workflow", &LOCAL_WORKFLOW)?, attach("objects", &OBJECT_ZONE)?);
        Zone::link(&[&workflow, &objects]);
        workflow.make_ready()?;
        objects.make_ready()?;
        Ok((workflow, objects))
    }

    fn zone_options(&self) -> ZoneOptions {
        let mut entropy = self.entropy;
        entropy[0] ^= 0xff;
        ZoneOptions {
            read_only: false,
            wait: LockWait::TryOnce,
            entropy,
            max_transaction_bytes: 1 << 20,
            cache_bytes: 1 << 16,
            holder: "simulator".to_owned(),
            sync_spent: false,
        }
    }

    fn compound(&mut self, operations: &[Operation], now: UnixSeconds) -> Result<(), Failed> {
        let (workflow, objects) = self.zones()?;
        let mut transaction = Zone::begin_several(&[&workflow, &objects], 0, now)?;
        for operation in operations {
            match operation {
                Operation::PutBlob(content) => append_blob(&mut transaction, content)?,
                Operation::CreateLine { name, head } => {
                    lines::create(&mut transaction, name, head.map(snapshot).transpose()?)?;
                }
                other => return Err(failed(format!("{other:?} is no part of a compound step"))),
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

fn create(vfs: &Arc<dyn Vfs>, entropy: [u8; 32]) -> Result<Store, Failed> {
    let namespace: Namespace = "AB".parse().map_err(|error| failed(format!("{error}")))?;
    Ok(Store::create(Path::new(STORE), namespace, &options(vfs, entropy))?)
}

/// Appends a blob whose record is durable before the commit point in the other zone.
fn append_blob(transaction: &mut Transaction<'_>, content: &[u8]) -> Result<(), Failed> {
    let family = transaction.family(&OBJECT)?;
    let offset = transaction.append_payload(family, content)?;
    let payload = PayloadRange::new(offset, content.len() as u64).ok_or_else(|| failed("a payload too far"))?;
    let object = Object {
        tombstoned: false,
        kind: ObjectKind::Blob,
        hash: object_hash(ObjectKind::Blob, content),
        payload,
    };
    transaction.append_record(family, Stage::Fields, &object.encode())?;
    Ok(())
}

fn perform_write(transaction: &mut Transaction<'_>, write: &Write) -> Result<(), Failed> {
    match *write {
        Write::Append { layout, stage, byte } => {
            let family = transaction.family(layout)?;
            transaction.append_record(family, stage, &vec![byte; layout.record_size])?;
        }
        Write::Replace {
            layout,
            index,
            stage,
            byte,
        } => {
            let family = transaction.family(layout)?;
            transaction.replace_record(family, index, stage, &vec![byte; layout.record_size])?;
        }
        Write::StateLast {
            layout,
            index,
            state_offset,
            state_stage,
            byte,
        } => {
            let family = transaction.family(layout)?;
            let bytes = vec![byte; layout.record_size];
            transaction.change_state_last(family, index, state_offset, state_stage, &bytes)?;
        }
        Write::Payload { layout, len, byte } => {
            let family = transaction.family(layout)?;
            transaction.append_payload(family, &vec![byte; len])?;
        }
    }
    Ok(())
}

fn snapshot(index: usize) -> graven::Result<SnapshotIndex> {
    Ok(typed(index, SnapshotIndex::new)?)
}

fn typed<T>(index: usize, new: fn(u32) -> Option<T>) -> graven::domain::Result<T> {
    let typed = u32::try_from(index).ok().and_then(new);
    typed.ok_or_else(|| graven::domain::Error::not_found(format!("record {index}")))
}

/// For each operation that creates a Snapshot, the hash of its root: it is looked up before the transaction begins.
fn roots(store: &Store, operations: &[Operation]) -> graven::Result<Vec<Option<ObjectHash>>> {
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

fn change(txn: &mut Txn<'_, Workflow>, operation: &Operation, root: Option<ObjectHash>) -> graven::Result<usize> {
    let line = |index: &usize| typed(*index, LineIndex::new);
    let optional = |index: &Option<usize>| index.map(snapshot).transpose();
    match operation {
        Operation::CreateSnapshot {
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
        Operation::PutBlob(_) | Operation::PutDirectory(_) => Err(misplaced(operation)),
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
        Ok(index) => Ok(Ok(index)),
        Err(error) => match error.kind() {
            ErrorKind::Refused { rule } => Ok(Err(Refusal::Refused(rule))),
            ErrorKind::NotFound => Ok(Err(Refusal::NotFound)),
            ErrorKind::Conflict => Ok(Err(Refusal::Conflict)),
            _ => Err(error),
        },
    }
}
