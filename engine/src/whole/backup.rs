//! Backup and restore: whole copies of a store, made aside, synced, renamed into place.
//!
//! A backup is a store like any other, with the same zone identities. It is copied under the shared locks of both roots,
//! with their recovery stores, so it is one moment of the store. A restore is an install too: the copy is recovered
//! where it has to be, and gets a recovery store of kind `retire`, so that no older undo of these zones can ever be
//! judged against it (AC34). Neither touches anything in its source.

use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use super::place::{self, RootPlace};
use super::progress::{Flow, OnProgress, Progress};
use crate::disk::{self, DurableDirectory, Install, ZoneLock};
use crate::format::store_file::{self, STORE_FILE};
use crate::format::{Namespace, UnixSeconds};
use crate::store::{RecoveryReport, Zone, ZoneOptions};
use crate::vfs::{Access, Vfs};

/// The bytes that are copied at a time.
const CHUNK: usize = 1 << 20;

/// What was copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// Files.
    pub files: u32,
    /// Their bytes.
    pub bytes: u64,
    /// What a restore had to recover in its copy.
    pub recoveries: Vec<RecoveryReport>,
}

/// Copies the store in directory `store`, whose zones are open, into a new directory `target`. The caller's handles are
/// locked shared for as long as the copy takes.
///
/// `Refused`: the target exists and is not an empty directory (F-0.8). `RecoveryNeeded`: a root has an unfinished change
/// and the handle is read-only.
pub fn back_up(
    vfs: &Arc<dyn Vfs>,
    store: &DurableDirectory,
    zones: [&Zone; 2],
    unique: [u8; 8],
    target: &Path,
    progress: OnProgress<'_>,
) -> Result<Copied> {
    let namespace = place::read_namespace(store)?;
    // The locks first: whoever does not get them leaves nothing beside the target.
    let mut views = Vec::new();
    for zone in zones {
        views.push(zone.view()?);
    }
    let install = begin(vfs, target, unique, namespace)?;
    let copied = copy_roots(store, install.directory(), progress)?;
    drop(views);
    install.finish()?;
    Ok(copied)
}

/// Creates a store at `target` from the backup at `source`.
///
/// `NotFound`: there is no store at `source`. `Refused`: the target exists and is not an empty directory (F-0.8).
/// `RecoveryNeeded`: the backup was copied without a recovery store. `Corrupt`: what the backup's recovery store says
/// and what its files hold do not go together.
pub fn restore(
    vfs: &Arc<dyn Vfs>,
    options: &ZoneOptions,
    unique: [u8; 8],
    source: &Path,
    target: &Path,
    now: UnixSeconds,
    progress: OnProgress<'_>,
) -> Result<Copied> {
    let store = place::open_store(&**vfs, source)?;
    let namespace = place::read_namespace(&store)?;
    let install = begin(vfs, target, unique, namespace)?;
    let mut locks = Vec::new();
    for root in place::ROOTS {
        let directory = place::open_root(&store, root)?;
        let (lock, gate) = (root.zone.lock_file, root.zone.gate_file);
        let lock = ZoneLock::open(&directory, lock, gate, Access::Read, options.wait)?;
        let hold = lock.acquire_shared()?;
        locks.push((lock, hold));
    }
    let mut copied = copy_roots(&store, install.directory(), progress)?;
    for (lock, hold) in locks.iter().rev() {
        lock.release_shared(hold);
    }
    copied.recoveries = settle(vfs, options, install.directory(), now)?;
    install.finish()?;
    Ok(copied)
}

fn begin(vfs: &Arc<dyn Vfs>, target: &Path, unique: [u8; 8], namespace: Namespace) -> Result<Install> {
    let (parent, name) = place::parent_and_name(&**vfs, target)?;
    Ok(Install::begin(
        &parent,
        &name,
        unique,
        STORE_FILE,
        &store_file::print(namespace),
    )?)
}

/// Recovers the copy where the copied recovery stores ask for it, and retires them.
fn settle(
    vfs: &Arc<dyn Vfs>,
    options: &ZoneOptions,
    copy: &DurableDirectory,
    now: UnixSeconds,
) -> Result<Vec<RecoveryReport>> {
    let read_only = false;
    let options = ZoneOptions {
        read_only,
        ..options.clone()
    };
    let mut zones = Vec::new();
    for root in place::ROOTS {
        zones.push(Zone::attach(
            vfs,
            &place::open_root(copy, root)?,
            root.zone,
            options.clone(),
        )?);
    }
    let linked: Vec<&Zone> = zones.iter().collect();
    Zone::link(&linked);
    let mut recoveries = Vec::new();
    for zone in &zones {
        recoveries.extend(zone.make_ready()?);
    }
    for zone in &zones {
        zone.retire_undo(now)?;
    }
    Ok(recoveries)
}

/// Copies the roots of `store` into the directory `to`. The source's shared locks are held.
fn copy_roots(store: &DurableDirectory, to: &DurableDirectory, progress: OnProgress<'_>) -> Result<Copied> {
    let mut copy = Copy {
        done: Copied::default(),
        total: 0,
        progress,
        chunk: vec![0; CHUNK],
    };
    let mut roots = Vec::new();
    for root in place::ROOTS {
        let from = place::open_root(store, root)?;
        place::check_inventory(&from, root)?;
        let files = files_of(&from, root)?;
        for file in &files {
            copy.total = copy.total.saturating_add(from.open_file(file, Access::Read)?.len()?);
        }
        roots.push((root, from, files));
    }
    for (root, from, files) in roots {
        let into = to.create_directory(root.directory)?;
        for file in files {
            copy.file(&from, &into, file)?;
        }
        let (lock, gate) = (root.zone.lock_file, root.zone.gate_file);
        let identity = disk::lock::read_identity(&from.open_file(lock, Access::Read)?)?;
        into.create_file(lock, &disk::new_lock_file(&identity))?;
        into.create_file(gate, b"")?;
        into.sync()?;
    }
    Ok(copy.done)
}

/// The files of a root that are copied byte by byte: its data, its recovery store, its indexes where there are any.
fn files_of(directory: &DurableDirectory, root: &RootPlace) -> Result<Vec<&'static str>> {
    let entries = directory.entries()?;
    let exists = |name: &str| entries.iter().any(|entry| entry.name == name.as_bytes());
    if !exists(root.zone.undo_file) {
        return Err(disk::Error::RecoveryNeeded {
            path: directory.path_of(root.zone.undo_file),
            message: "it is missing, so a half-done change cannot be ruled out".to_owned(),
        }
        .into());
    }
    let indexes = root
        .zone
        .indexes
        .iter()
        .map(|index| index.file)
        .filter(|file| exists(file));
    Ok(root
        .zone
        .data_files()
        .chain([root.zone.undo_file])
        .chain(indexes)
        .collect())
}

struct Copy<'c> {
    done: Copied,
    total: u64,
    progress: OnProgress<'c>,
    chunk: Vec<u8>,
}

impl Copy<'_> {
    fn file(&mut self, from: &DurableDirectory, into: &DurableDirectory, name: &str) -> Result<()> {
        let source = from.open_file(name, Access::Read)?;
        let target = into.create_file(name, b"")?;
        let mut offset = 0;
        loop {
            let read = source.read_up_to(offset, &mut self.chunk)?;
            let bytes = self.chunk.get(..read).unwrap_or_default();
            target.write_all_at(offset, bytes)?;
            offset = offset.saturating_add(read as u64);
            self.done.bytes = self.done.bytes.saturating_add(read as u64);
            let (done, total) = (self.done.bytes, self.total);
            if (self.progress)(Progress {
                stage: "copy",
                done,
                total,
            }) == Flow::Stop
            {
                return Err(Error::Stopped);
            }
            if read < self.chunk.len() {
                break;
            }
        }
        self.done.files += 1;
        Ok(target.sync()?)
    }
}
