//! Writing objects: put, put many, put directories; what is stored already is recognised, what is damaged is healed.

use std::io::Read;

use super::fold::{Fold, FoldCache};
use super::records::{CHUNK, Objects, RULE, kind_name};
use crate::domain::{Error, Result};
use crate::format::{
    DirectoryBuilder, DirectoryEntry, EntryTarget, OBJECT, Object, ObjectHash, ObjectHasher, ObjectIndex, ObjectKind,
    PayloadRange, directory, object_hash,
};
use crate::store::{self, Source, Spool, Stage, Transaction};

/// Content above this many bytes is spooled to an unnamed file, not held in memory.
pub const SPOOL_ABOVE: usize = 1 << 20;
/// The longest directory payload that is written, in bytes: a directory is checked in memory.
pub const MAX_DIRECTORY_LEN: usize = 64 << 20;

/// What putting an object did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// It was appended.
    Added,
    /// A sound copy is stored already; nothing was written.
    Existing,
    /// The stored copy was damaged: a sound one was appended and the damaged one made a tombstone.
    Healed,
}

/// The object that a put answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Put {
    /// Its index.
    pub index: ObjectIndex,
    /// Its hash.
    pub hash: ObjectHash,
    /// The length of its content in bytes.
    pub len: u64,
    /// What was done.
    pub outcome: PutOutcome,
}

/// Puts content that comes from a reader, of any size: up to [`SPOOL_ABOVE`] bytes it is held in memory, above it is
/// spooled and hashed on the way. A directory's content is checked as [`put_directory`] does.
///
/// The stored copy, where there is one of that hash, is compared byte by byte with what is put, so that putting the
/// same content again heals a damaged copy (F-0.3): the sound copy's append and the damaged record's tombstone are
/// one transaction.
///
/// `Outside`: the reader failed. `Refused`: the content is no directory (F-0.3). `Exhausted`: no index is left, or
/// the transaction is full.
pub fn put(txn: &mut Transaction<'_>, kind: ObjectKind, reader: &mut dyn Read, cache: &mut FoldCache) -> Result<Put> {
    let limit = match kind {
        ObjectKind::Blob => SPOOL_ABOVE,
        ObjectKind::Directory => MAX_DIRECTORY_LEN,
    };
    let mut head = Vec::new();
    let read = |source| Error::outside("the content that is put", source);
    reader.take(limit as u64 + 1).read_to_end(&mut head).map_err(read)?;
    match kind {
        ObjectKind::Directory => put_directory_bytes(txn, &head, cache),
        ObjectKind::Blob if head.len() <= SPOOL_ABOVE => put_blob(txn, &head),
        ObjectKind::Blob => put_spooled(txn, &head, reader),
    }
}

/// Puts a blob that is in memory.
pub fn put_blob(txn: &mut Transaction<'_>, bytes: &[u8]) -> Result<Put> {
    put_checked(txn, ObjectKind::Blob, bytes)
}

/// Puts many blobs in one transaction, in their order. The first that fails ends it; with
/// [`Transaction::attempt`] around it, it then leaves nothing.
pub fn put_blobs<'b>(txn: &mut Transaction<'_>, blobs: impl IntoIterator<Item = &'b [u8]>) -> Result<Vec<Put>> {
    blobs.into_iter().map(|bytes| put_blob(txn, bytes)).collect()
}

/// Puts a directory: its entries sorted by the bytes of their names, all different. Costs the entries themselves
/// and, of the directories below, only those that `cache` does not know.
///
/// `Refused` (F-0.3): an entry breaks a rule, refers to an object that is not stored or is of another kind, or
/// has another size than the object. `Exhausted`: depth, sums or index at their limits.
pub fn put_directory(txn: &mut Transaction<'_>, entries: &[DirectoryEntry<'_>], cache: &mut FoldCache) -> Result<Put> {
    let mut builder = DirectoryBuilder::new();
    for entry in entries {
        builder.push(entry.name, entry.target).map_err(Error::unwritable)?;
    }
    put_directory_bytes(txn, &builder.finish(), cache)
}

fn put_directory_bytes(txn: &mut Transaction<'_>, bytes: &[u8], cache: &mut FoldCache) -> Result<Put> {
    if bytes.len() > MAX_DIRECTORY_LEN {
        return Err(Error::Exhausted {
            what: "bytes of a directory's entries",
            limit: MAX_DIRECTORY_LEN as u64,
        });
    }
    let fold = check_directory(&Objects::new(txn)?, bytes, cache)?;
    let put = put_checked(txn, ObjectKind::Directory, bytes)?;
    cache.insert(put.hash, fold);
    Ok(put)
}

/// Checks a directory's payload against F-0.3 and against the objects it refers to; answers its fold.
fn check_directory(objects: &Objects<'_>, bytes: &[u8], cache: &mut FoldCache) -> Result<Fold> {
    let mut sum = Fold::EMPTY;
    for entry in directory::entries(bytes) {
        let entry = entry.map_err(Error::unwritable)?;
        let size = match entry.target {
            EntryTarget::File { hash, .. } => {
                let object = stored(objects, &entry, &hash, ObjectKind::Blob)?;
                sum.add_file(object.payload.len())?;
                object.payload.len()
            }
            EntryTarget::Directory { hash, .. } => {
                stored(objects, &entry, &hash, ObjectKind::Directory)?;
                let below = objects.fold_stored(&hash, cache)?;
                sum.add_directory(below, 1)?;
                below.total_bytes
            }
            EntryTarget::Link(_) => continue,
        };
        if size != entry.target.size() {
            let name = entry.name.escape_ascii();
            let message = format!("entry \"{name}\": its size is {size}, not {}", entry.target.size());
            return Err(Error::refused(RULE, message));
        }
    }
    Ok(sum)
}

/// The object that an entry of a new directory refers to.
fn stored(objects: &Objects<'_>, entry: &DirectoryEntry<'_>, hash: &ObjectHash, kind: ObjectKind) -> Result<Object> {
    match objects.find(hash)? {
        Some((_, object)) if object.kind == kind => Ok(object),
        _ => {
            let name = entry.name.escape_ascii();
            Err(Error::refused(
                RULE,
                format!("entry \"{name}\": the {} {hash} is not stored", kind_name(kind)),
            ))
        }
    }
}

const TOO_MANY: Error = Error::Exhausted {
    what: "objects",
    limit: u32::MAX as u64,
};
const TOO_LONG: Error = Error::Exhausted {
    what: "bytes of object_payload.bin",
    limit: u64::MAX,
};

/// Content that is put: in memory or spooled.
enum Content<'c> {
    Bytes(&'c [u8]),
    Spool(Spool),
}

impl Content<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Spool(spool) => spool.len(),
        }
    }

    fn same_at(&self, offset: u64, stored: &[u8], scratch: &mut Vec<u8>) -> Result<bool> {
        match self {
            Self::Bytes(bytes) => {
                let given = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                Ok(given.is_some_and(|given| given.starts_with(stored)))
            }
            Self::Spool(spool) => {
                scratch.resize(stored.len(), 0);
                spool.read_at(offset, scratch)?;
                Ok(scratch == stored)
            }
        }
    }
}

fn put_checked(txn: &mut Transaction<'_>, kind: ObjectKind, bytes: &[u8]) -> Result<Put> {
    let hash = object_hash(kind, bytes);
    if bytes.len() <= SPOOL_ABOVE {
        return put_content(txn, kind, hash, Content::Bytes(bytes));
    }
    let mut spool = txn.spool()?;
    spool.write(bytes)?;
    put_content(txn, kind, hash, Content::Spool(spool))
}

fn put_spooled(txn: &mut Transaction<'_>, head: &[u8], reader: &mut dyn Read) -> Result<Put> {
    let mut hasher = ObjectHasher::new(ObjectKind::Blob);
    let mut spool = txn.spool()?;
    hasher.update(head);
    spool.write(head)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(len) => {
                let bytes = chunk.get(..len).unwrap_or_default();
                hasher.update(bytes);
                spool.write(bytes)?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::outside("the content that is put", error)),
        }
    }
    put_content(txn, ObjectKind::Blob, hasher.finish(), Content::Spool(spool))
}

fn put_content(txn: &mut Transaction<'_>, kind: ObjectKind, hash: ObjectHash, content: Content<'_>) -> Result<Put> {
    let len = content.len();
    let objects = Objects::new(txn)?;
    let stored = match objects.find(&hash) {
        // A record that breaks the format itself is left to `verify`; a sound copy beside it is what readers get.
        Err(Error::Corrupt { .. }) => None,
        other => other?,
    };
    if let Some((index, object)) = stored
        && object.kind == kind
        && is_sound(&objects, index, &object, &content)?
    {
        return Ok(Put {
            index,
            hash,
            len,
            outcome: PutOutcome::Existing,
        });
    }
    let family = txn.family(&OBJECT)?;
    if txn.record_count(family) > ObjectIndex::MAX.get() {
        return Err(TOO_MANY);
    }
    let offset = match content {
        Content::Bytes(bytes) => txn.append_payload(family, bytes)?,
        Content::Spool(spool) => txn.append_payload_spool(family, spool)?,
    };
    let payload = PayloadRange::new(offset, len).ok_or(TOO_LONG)?;
    let object = Object {
        tombstoned: false,
        kind,
        hash,
        payload,
    };
    let index = ObjectIndex::new(txn.append_record(family, Stage::Commit, &object.encode())?).ok_or(TOO_MANY)?;
    if let Some((damaged, object)) = stored {
        // The tombstone makes a rebuilt index, in which the lowest index of a hash wins, find the sound copy too.
        let object = Object {
            tombstoned: true,
            ..object
        };
        txn.replace_record(family, damaged.get(), Stage::Commit, &object.encode())?;
        return Ok(Put {
            index,
            hash,
            len,
            outcome: PutOutcome::Healed,
        });
    }
    Ok(Put {
        index,
        hash,
        len,
        outcome: PutOutcome::Added,
    })
}

/// Whether the stored copy holds exactly the content that is put.
fn is_sound(objects: &Objects<'_>, index: ObjectIndex, object: &Object, content: &Content<'_>) -> Result<bool> {
    if object.payload.len() != content.len() || objects.check_range(index, object).is_err() {
        return Ok(false);
    }
    let mut chunk = vec![0; usize::try_from(object.payload.len()).unwrap_or(CHUNK).min(CHUNK)];
    let mut scratch = Vec::new();
    let mut offset = 0;
    while offset < object.payload.len() {
        let len = usize::try_from(object.payload.len() - offset)
            .unwrap_or(CHUNK)
            .min(CHUNK);
        let stored = chunk.get_mut(..len).unwrap_or_default();
        match objects.read_part(object, offset, stored) {
            Ok(()) => {}
            Err(Error::Store(store::Error::Corrupt { .. })) => return Ok(false),
            Err(error) => return Err(error),
        }
        if !content.same_at(offset, stored, &mut scratch)? {
            return Ok(false);
        }
        offset += len as u64;
    }
    Ok(true)
}
