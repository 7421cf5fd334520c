//! Reading objects: by index, by hash, whole, in part, and as directories.

use super::reader::ObjectReader;
use crate::domain::family::Family;
use crate::domain::{Error, Result};
use crate::format::{
    DecodeError, DirectoryEntry, EntryTarget, OBJECT, OBJECT_HASH_INDEX, Object, ObjectHash, ObjectIndex, ObjectKind,
    directory, object_hash,
};
use crate::store::{self, FamilyId, IndexDefinition, Source};

/// The rule that fixes objects, directories and their hashes.
pub(super) const RULE: &str = "F-0.3";
/// The record file.
pub(super) const FILE: &str = "object.bin";
/// The payload file.
pub(super) const PAYLOAD_FILE: &str = "object_payload.bin";
/// The size of an object's record in bytes.
const SIZE: usize = 52;
/// The meta bit of a tombstone.
const TOMBSTONE: u8 = 1 << 7;
/// The bytes that are read at a time.
pub(super) const CHUNK: usize = 1 << 16;

/// The index that finds an object by its hash; rows for live objects only (F-0.3).
pub static OBJECT_HASH: IndexDefinition = IndexDefinition {
    layout: &OBJECT,
    file: Some(&OBJECT_HASH_INDEX),
    key: hash_key,
    plus1: true,
    immutable: true,
};

fn hash_key(source: &dyn Source, family: FamilyId, index: u32) -> store::Result<Option<Vec<u8>>> {
    let mut record = [0; SIZE];
    source.read_record(family, index, &mut record)?;
    let live = Object::raw(&record).ok().filter(|raw| raw.object_meta & TOMBSTONE == 0);
    Ok(live.map(|raw| raw.hash.to_vec()))
}

/// The objects of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Objects<'s>(Family<'s>);

impl<'s> Objects<'s> {
    /// The objects that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &OBJECT, "object")?))
    }

    /// The number of records, tombstones included.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a tombstone.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks F-0.3.
    pub fn get(&self, index: ObjectIndex) -> Result<Object> {
        self.0.read(index.get(), Object::decode)
    }

    /// All records in their order, each on its own: an error ends nothing.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ObjectIndex, Result<Object>)> + use<'s> {
        let objects = *self;
        (0..self.len())
            .filter_map(ObjectIndex::new)
            .map(move |index| (index, objects.get(index)))
    }

    /// The live object of that hash with the lowest index, in constant time; `None` where there is none.
    ///
    /// `Corrupt`: the only record of that hash breaks F-0.3.
    pub fn find(&self, hash: &ObjectHash) -> Result<Option<(ObjectIndex, Object)>> {
        let mut found = None;
        let mut damaged = None;
        self.0.source().find(&OBJECT_HASH, &hash.0, &mut |index| {
            let Some(index) = ObjectIndex::new(index) else {
                return Ok(false);
            };
            match self.get(index) {
                Ok(object) if object.tombstoned || object.hash != *hash => Ok(false),
                Ok(object) => {
                    found = Some((index, object));
                    Ok(true)
                }
                Err(Error::Store(error)) => Err(error),
                // A row of a stale index may lie past the records.
                Err(Error::NotFound { .. }) => Ok(false),
                Err(error) => {
                    damaged.get_or_insert(error);
                    Ok(false)
                }
            }
        })?;
        match damaged {
            Some(error) if found.is_none() => Err(error),
            _ => Ok(found),
        }
    }

    /// The live object of that hash. `NotFound`: there is none, or it is of the other kind.
    pub fn require(&self, hash: &ObjectHash, kind: ObjectKind) -> Result<(ObjectIndex, Object)> {
        match self.find(hash)? {
            Some((index, object)) if object.kind == kind => Ok((index, object)),
            Some(_) => Err(Error::not_found(format!(
                "the {} {hash} (it is of the other kind)",
                kind_name(kind)
            ))),
            None => Err(Error::not_found(format!("the {} {hash}", kind_name(kind)))),
        }
    }

    /// The whole content of an object, verified by its hash (F-0.3). It is all held in memory: see
    /// [`reader`](Self::reader) for content of any size.
    ///
    /// `NotFound`: no such record. `Corrupt`: the content lies past the payload's end or has another hash.
    pub fn read(&self, index: ObjectIndex) -> Result<Vec<u8>> {
        let object = self.get(index)?;
        let bytes = self.read_unverified(index, &object)?;
        if object_hash(object.kind, &bytes) != object.hash {
            return Err(Self::hash_corrupt(index, &object));
        }
        Ok(bytes)
    }

    /// Part of an object's content: fills `out` from `offset` of the content on. It is **not verified**, unless it is
    /// the whole content: a hash says nothing about a part.
    ///
    /// `Refused`: the range passes the content's end.
    pub fn read_range(&self, index: ObjectIndex, offset: u64, out: &mut [u8]) -> Result<()> {
        let object = self.get(index)?;
        let end = offset
            .checked_add(out.len() as u64)
            .filter(|end| *end <= object.payload.len());
        if end.is_none() {
            let message = format!(
                "bytes {offset}+{} of an object of {} bytes",
                out.len(),
                object.payload.len()
            );
            return Err(Error::refused(RULE, message));
        }
        self.check_range(index, &object)?;
        self.read_part(&object, offset, out)?;
        if out.len() as u64 == object.payload.len() && object_hash(object.kind, out) != object.hash {
            return Err(Self::hash_corrupt(index, &object));
        }
        Ok(())
    }

    /// A reader of an object's content in pieces, in bounded memory, that verifies the hash when it comes to the end:
    /// what was read before may not be trusted until then.
    pub fn reader(&self, index: ObjectIndex) -> Result<ObjectReader<'s>> {
        let object = self.get(index)?;
        self.check_range(index, &object)?;
        Ok(ObjectReader::new(*self, index, object))
    }

    /// Reads an object's content and compares its hash, in bounded memory.
    pub fn verify(&self, index: ObjectIndex) -> Result<()> {
        let mut reader = self.reader(index)?;
        let mut chunk = vec![0; usize::try_from(reader.remaining()).unwrap_or(CHUNK).clamp(1, CHUNK)];
        while reader.read_chunk(&mut chunk)? > 0 {}
        Ok(())
    }

    /// The directory of that hash, verified. `NotFound`: there is none.
    pub fn directory(&self, hash: &ObjectHash) -> Result<Directory> {
        let (index, _) = self.require(hash, ObjectKind::Directory)?;
        Ok(Directory {
            index,
            payload: self.read(index)?,
        })
    }

    /// What stands at `path` below the directory `root`; the path's components are separated by `/`, an empty path
    /// is the root itself.
    ///
    /// `NotFound`: nothing stands there. `Refused`: a component is empty, `.` or `..` (F-0.3).
    pub fn lookup(&self, root: &ObjectHash, path: &[u8]) -> Result<EntryTarget> {
        let mut at = EntryTarget::Directory { size: 0, hash: *root };
        if path.is_empty() {
            let size = self.directory(root)?.size()?;
            return Ok(EntryTarget::Directory { size, hash: *root });
        }
        for name in path.split(|byte| *byte == b'/') {
            if matches!(name, b"" | b"." | b"..") {
                let message = format!("path \"{}\": a component is empty, `.` or `..`", path.escape_ascii());
                return Err(Error::refused(RULE, message));
            }
            let below = match at {
                EntryTarget::Directory { hash, .. } => self.directory(&hash)?.find(name)?,
                _ => None,
            };
            at = below.ok_or_else(|| Error::not_found(format!("the path \"{}\"", path.escape_ascii())))?;
        }
        Ok(at)
    }

    pub(crate) fn read_unverified(&self, index: ObjectIndex, object: &Object) -> Result<Vec<u8>> {
        self.check_range(index, object)?;
        let len = usize::try_from(object.payload.len()).map_err(|_| Error::Exhausted {
            what: "bytes of an object read into memory",
            limit: usize::MAX as u64,
        })?;
        let mut bytes = vec![0; len];
        self.read_part(object, 0, &mut bytes)?;
        Ok(bytes)
    }

    pub(crate) fn read_part(&self, object: &Object, offset: u64, out: &mut [u8]) -> Result<()> {
        self.0.read_payload(object.payload.offset().saturating_add(offset), out)
    }

    /// Whether the object's range lies inside the payload file.
    pub(crate) fn check_range(&self, index: ObjectIndex, object: &Object) -> Result<()> {
        let (range, payload_len) = (object.payload, self.0.payload_len());
        if range.end() <= payload_len {
            return Ok(());
        }
        let message = format!(
            "{} bytes at {} pass the payload's end at {payload_len}",
            range.len(),
            range.offset()
        );
        Err(self.0.corrupt(index.get(), RULE, message))
    }

    pub(crate) fn hash_corrupt(index: ObjectIndex, object: &Object) -> Error {
        let message = format!("the content is damaged: its hash is not {}", object.hash);
        Error::corrupt(PAYLOAD_FILE, Some(index.get()), RULE, message)
    }
}

/// The word for a kind of object.
pub(super) fn kind_name(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Blob => "blob",
        ObjectKind::Directory => "directory",
    }
}

fn corrupt(file: &'static str, index: ObjectIndex, fault: &DecodeError) -> Error {
    Error::corrupt(
        file,
        Some(index.get()),
        fault.rule,
        format!("{}: {}", fault.field, fault.problem),
    )
}

/// A directory's verified payload.
#[derive(Clone, Debug)]
pub struct Directory {
    index: ObjectIndex,
    payload: Vec<u8>,
}

impl Directory {
    /// The index of its object.
    pub fn index(&self) -> ObjectIndex {
        self.index
    }

    /// Its entries in the order of their names. `Corrupt`: the entry breaks F-0.3; nothing follows it.
    pub fn entries(&self) -> impl Iterator<Item = Result<DirectoryEntry<'_>>> {
        let index = self.index;
        directory::entries(&self.payload).map(move |entry| entry.map_err(|fault| corrupt(PAYLOAD_FILE, index, &fault)))
    }

    /// What stands there under that name.
    pub fn find(&self, name: &[u8]) -> Result<Option<EntryTarget>> {
        let found = directory::find(&self.payload, name).map_err(|fault| corrupt(PAYLOAD_FILE, self.index, &fault))?;
        Ok(found.map(|entry| entry.target))
    }

    /// The bytes below it, as its entries say.
    pub fn size(&self) -> Result<u64> {
        let mut size = 0_u64;
        for entry in self.entries() {
            size = size.checked_add(entry?.target.size()).ok_or_else(|| {
                let message = "the sizes together overflow";
                Error::corrupt(PAYLOAD_FILE, Some(self.index.get()), RULE, message)
            })?;
        }
        Ok(size)
    }
}
