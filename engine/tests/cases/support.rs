//! What the cases share: a small store that holds a bit of everything, and reading all of it through the face.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use graven::format::{DirectoryEntry, EntryTarget, FileMode, ObjectHash, ObjectKind, SnapshotIndex};
use graven::{Error, ErrorKind, LockWait, NewSnapshot, Options, Receipt, Result, Store, Txn, UnixSeconds, Workflow};

pub const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

/// Options with fresh entropy that never wait.
pub fn options() -> Options {
    static CALLS: AtomicU64 = AtomicU64::new(1);
    let mut entropy = [0x5a; 32];
    entropy[..8].copy_from_slice(&CALLS.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    entropy[8..12].copy_from_slice(&std::process::id().to_le_bytes());
    Options::new(entropy).wait(LockWait::TryOnce)
}

/// Puts one blob in one directory and answers the directory's hash.
pub fn put_tree(store: &Store, content: &[u8]) -> Result<ObjectHash> {
    let put = store.objects().write(NOW, |txn| {
        let blob = txn.put_blob(content)?;
        let target = EntryTarget::File {
            mode: FileMode::Plain,
            size: blob.len,
            hash: blob.hash,
        };
        txn.put_directory(&[DirectoryEntry { name: b"file", target }])
    })?;
    Ok(put.value.hash)
}

/// A store with contents, directories, Snapshots, Lines and Tags, among them something deleted; index files too.
pub fn create_sample(path: &Path, options: &Options) -> Result<Store> {
    let store = Store::create(path, "AB".parse().expect("a namespace"), options)?;
    let (first, second) = (put_tree(&store, b"the first content")?, put_tree(&store, b"more")?);
    store.objects().write(NOW, |txn| txn.put_blob(b""))?;
    store.write(NOW, |txn| {
        let root = txn
            .create_snapshot(&NewSnapshot::new(first, NOW).message("the first"))?
            .index;
        let line = txn.create_line("main", Some(root))?;
        let parents = [root];
        let child = NewSnapshot::new(second, NOW)
            .parents(&parents)
            .line(line)
            .message("the second");
        let child = txn.create_snapshot(&child)?.index;
        txn.move_head(line, Some(root), Some(child))?;
        let gone = txn.create_line("gone", None)?;
        txn.delete_line(gone)?;
        txn.create_tag("v1", root, Some("a release"))?;
        txn.create_tag("v2", child, None)
    })?;
    store.sync_spent()?;
    Ok(store)
}

/// Adds a Line, moves the Line `main` to its other Snapshot, and renews a Tag: payload, an append, overwritten records.
pub fn change(store: &Store, name: &str) -> Result<Receipt<()>> {
    store.write(NOW, |txn| change_in(txn, name))
}

pub fn change_in(txn: &mut Txn<'_, Workflow>, name: &str) -> Result<()> {
    let found = txn.lines()?.by_name("main")?.map(|line| (line.index(), line.head));
    let [first, second] = [0, 1].map(|index| SnapshotIndex::new(index).expect("an index"));
    txn.create_line(name, None)?;
    // In a damaged store it may have another name.
    if let Some((line, head)) = found {
        txn.move_head(line, head, Some(if head == Some(first) { second } else { first }))?;
    }
    txn.replace_tag("v2", first, Some(name)).map(drop)
}

/// The names of all Lines, deleted ones too, with their heads.
pub fn lines(store: &Store) -> Result<Vec<(String, Option<SnapshotIndex>)>> {
    store.read(|view| {
        view.lines()?
            .map(|row| {
                row.map_err(Error::from)
                    .and_then(|(_, line)| Ok((line.name()?, line.head)))
            })
            .collect()
    })
}

/// Reads every record and every payload, and walks every tree. Answers every error, and how much could be read.
pub fn read_all(store: &Store) -> (u64, Vec<Error>) {
    let mut reader = Reading::default();
    let workflow = store.view().map(|view| {
        match view.lines() {
            Ok(rows) => rows.for_each(|row| reader.note(row.map_err(Error::from).and_then(|(_, line)| line.name()))),
            Err(error) => reader.errors.push(error),
        }
        match view.tags() {
            Ok(rows) => rows.for_each(|row| reader.note(row.map_err(Error::from).and_then(|(_, tag)| tag.text()))),
            Err(error) => reader.errors.push(error),
        }
        match view.snapshots() {
            Ok(rows) => {
                for row in rows.clone() {
                    match row {
                        Ok((index, snapshot)) => {
                            reader.note(snapshot.content());
                            rows.first_parents(index).take(9).for_each(|parent| reader.note(parent));
                            rows.ancestors(&[index]).take(9).for_each(|parent| reader.note(parent));
                        }
                        Err(error) => reader.errors.push(error.into()),
                    }
                }
            }
            Err(error) => reader.errors.push(error),
        }
        reader.note(view.lines().and_then(|rows| rows.by_name("main").map(drop)));
        reader.note(view.tags().and_then(|rows| rows.by_name("v1").map(drop)));
    });
    reader.errors.extend(workflow.err());
    let objects = store.objects().read(|view| {
        let rows = view.objects()?;
        for row in rows.clone() {
            match row {
                Ok((index, object)) => {
                    reader.note(object.read());
                    reader.note(rows.by_hash(&object.hash).map(drop));
                    if object.kind == ObjectKind::Directory {
                        let directory = rows.directory(&object.hash).map_err(Error::from);
                        reader.note(
                            directory.and_then(|found| Ok(found.entries().collect::<Result<Vec<_>, _>>()?.len())),
                        );
                    }
                    let mut part = [0; 3];
                    reader.note(
                        rows.read_range(index, 0, &mut part)
                            .map_err(Error::from)
                            .or_else(short_content),
                    );
                }
                Err(error) => reader.errors.push(error.into()),
            }
        }
        Ok(())
    });
    reader.errors.extend(objects.err());
    (reader.read, reader.errors)
}

/// A part of an object that is shorter than the part is refused, which is no damage.
fn short_content(error: Error) -> Result<()> {
    match error.kind() {
        ErrorKind::Refused { .. } => Ok(()),
        _ => Err(error),
    }
}

#[derive(Default)]
struct Reading {
    read: u64,
    errors: Vec<Error>,
}

impl Reading {
    fn note<T>(&mut self, answer: Result<T>) {
        match answer {
            Ok(_) => self.read += 1,
            Err(error) => self.errors.push(error),
        }
    }
}
