//! Content: the hash of every object, what directories refer to, and the sums of every Snapshot (F-0.3).

use super::objects::ObjectFacts;
use super::reader::{Reader, absorbed, resolve};
use crate::domain::objects::{FoldCache, Objects};
use crate::domain::snapshots::Snapshots;
use crate::domain::{self, Error};
use crate::format::directory;
use crate::format::{EntryTarget, OBJECT, ObjectHash, ObjectIndex, ObjectKind, SNAPSHOT};
use crate::store::Source;
use crate::whole::error::Result;
use crate::whole::finding::Findings;

/// The bytes of content that are read at a time.
const CHUNK: usize = 1 << 18;

/// Reads and hashes every live object, and looks up what each directory refers to. A damaged copy that was replaced is
/// a tombstone and is not read.
pub(super) fn verify_content(
    source: &dyn Source,
    facts: &ObjectFacts,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    let Some(family) = resolve(source, &OBJECT)? else {
        return Ok(());
    };
    reader.expect_content(source.payload_len(family));
    let objects = Objects::new(source)?;
    let mut chunk = vec![0; CHUNK];
    for (index, object) in objects.iter() {
        // A damaged record is a finding of its own.
        let Ok(object) = object else {
            continue;
        };
        if object.tombstoned {
            continue;
        }
        if object.kind == ObjectKind::Directory {
            reader.content(object.payload.len())?;
            verify_directory(&objects, facts, index, findings)?;
            continue;
        }
        let sound = hash_object(&objects, index, &mut chunk, reader);
        if absorbed(findings, &OBJECT, sound)? == Some(false) {
            return Err(super::stopped());
        }
    }
    Ok(())
}

/// Hashes one object; `false` where the caller asked to stop.
fn hash_object(
    objects: &Objects<'_>,
    index: ObjectIndex,
    chunk: &mut [u8],
    reader: &mut Reader<'_>,
) -> domain::Result<bool> {
    let mut content = objects.reader(index)?;
    loop {
        let read = content.read_chunk(chunk)?;
        if read == 0 {
            return Ok(true);
        }
        if reader.content(read as u64).is_err() {
            return Ok(false);
        }
    }
}

/// A directory's content has its hash, every entry refers to a live object of its kind, and a file's entry tells that
/// object's length.
fn verify_directory(
    objects: &Objects<'_>,
    facts: &ObjectFacts,
    index: ObjectIndex,
    findings: &mut Findings,
) -> Result<()> {
    let Some(bytes) = absorbed(findings, &OBJECT, objects.read(index))? else {
        return Ok(());
    };
    for entry in directory::entries(&bytes) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(fault) => {
                findings.error(
                    OBJECT.file,
                    Some(index.get()),
                    fault.rule,
                    format!("{}: {}", fault.field, fault.problem),
                );
                return Ok(());
            }
        };
        let (hash, kind, size) = match entry.target {
            EntryTarget::File { size, hash, .. } => (hash, ObjectKind::Blob, Some(size)),
            EntryTarget::Directory { hash, .. } => (hash, ObjectKind::Directory, None),
            EntryTarget::Link(_) => continue,
        };
        let name = entry.name.escape_ascii();
        let wrong = match facts.get(&hash) {
            None => format!("the entry \"{name}\" refers to {hash}, which is missing"),
            Some(object) if object.kind != kind => {
                format!("the entry \"{name}\" refers to {hash}, which is of the other kind")
            }
            Some(object) if size.is_some_and(|size| size != object.len) => {
                format!(
                    "the entry \"{name}\" gives {hash} another size than its {} bytes",
                    object.len
                )
            }
            Some(_) => continue,
        };
        findings.error(OBJECT.file, Some(index.get()), "F-0.3", wrong);
    }
    Ok(())
}

/// Every live Snapshot's `file_count` and `total_bytes` are the sums over its tree.
pub(super) fn verify_sums(
    workflow: &dyn Source,
    objects: &dyn Source,
    reader: &mut Reader<'_>,
    findings: &mut Findings,
) -> Result<()> {
    if resolve(workflow, &SNAPSHOT)?.is_none() || resolve(objects, &OBJECT)?.is_none() {
        return Ok(());
    }
    let objects = Objects::new(objects)?;
    let mut folds = FoldCache::default();
    for (index, snapshot) in Snapshots::new(workflow)?.iter() {
        let Ok(snapshot) = snapshot else {
            continue;
        };
        if snapshot.tombstoned {
            continue;
        }
        reader.content(0)?;
        let number = index.get();
        match fold(&objects, &snapshot.manifest_hash, &mut folds)? {
            Ok((files, bytes)) if (files, bytes) == (snapshot.file_count, snapshot.total_bytes) => {}
            Ok((files, bytes)) => {
                let message = format!(
                    "it tells {} files of {} bytes, its tree has {files} of {bytes}",
                    snapshot.file_count, snapshot.total_bytes
                );
                findings.error(SNAPSHOT.file, Some(number), "F-2.16", message);
            }
            Err(why) => {
                findings.error(
                    SNAPSHOT.file,
                    Some(number),
                    "F-0.3",
                    format!("its tree cannot be summed up: {why}"),
                );
            }
        }
    }
    Ok(())
}

/// The sums over a tree, or why they cannot be told.
fn fold(
    objects: &Objects<'_>,
    root: &ObjectHash,
    folds: &mut FoldCache,
) -> Result<std::result::Result<(u32, u64), String>> {
    match objects.fold(root, folds) {
        Ok(fold) => Ok(Ok((fold.file_count, fold.total_bytes))),
        Err(error @ (Error::Corrupt { .. } | Error::NotFound { .. } | Error::Exhausted { .. })) => {
            Ok(Err(error.to_string()))
        }
        Err(error @ Error::Store(crate::store::Error::Corrupt { .. })) => Ok(Err(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
