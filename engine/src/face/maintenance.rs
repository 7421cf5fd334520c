//! Work over a whole store that is not open: verify, recover, repair, restore; and backup of one that is.

use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use super::options::Options;
use super::store::Store;
use crate::disk;
use crate::domain::objects::Objects;
use crate::domain::worktree::{Materialised, materialise};
use crate::format::{ObjectHash, UnixSeconds};
use crate::vfs::Mode;
use crate::whole;
use crate::whole::backup::{self, Copied};
use crate::whole::raw::RawFamily;
use crate::whole::recover::{self, Recovery, RootState};
use crate::whole::repair::{self, Repair};
use crate::whole::verify::{self, Verification};
use crate::whole::{Flow, Progress, place};

/// Checks every rule over the store at `path`, never stopping at the first broken one, and changes nothing. With
/// `content` every object is read and hashed too, and every Snapshot's sums are compared.
///
/// It holds the shared locks of both roots, so no process commits meanwhile.
///
/// `NotFound`: there is no store at `path`. `Io`, `Permission`, `Busy`: never a finding. `Stopped` by `progress`.
pub fn verify(
    path: impl AsRef<Path>,
    options: &Options,
    content: bool,
    mut progress: impl FnMut(Progress) -> Flow,
) -> Result<Verification> {
    Ok(verify::verify(
        &options.vfs,
        path.as_ref(),
        &options.zone(),
        content,
        &mut progress,
    )?)
}

/// What opening the store at `path` for writing would settle. Nothing is written.
pub fn pending(path: impl AsRef<Path>, options: &Options) -> Result<Vec<RootState>> {
    Ok(recover::pending(&options.vfs, path.as_ref(), &options.zone())?)
}

/// Settles what dead writers left in the store at `path`; opening it for writing does the same. With
/// `accept_missing_undo` a root whose recovery store is missing gets a new one, after every rule was checked: a change
/// that was half done then cannot be ruled out where no rule sees it.
///
/// `RecoveryNeeded`: a recovery store is missing, and that is not accepted. `Corrupt`: what a recovery store says and
/// what the files hold do not go together; nothing was touched. `Refused`: a network file system (F-0.4).
pub fn recover(
    path: impl AsRef<Path>,
    options: &Options,
    accept_missing_undo: bool,
    mut progress: impl FnMut(Progress) -> Flow,
) -> Result<Recovery> {
    let path = path.as_ref();
    options.refuse_network(path)?;
    Ok(recover::recover(
        &options.vfs,
        path,
        &options.zone(),
        accept_missing_undo,
        &mut progress,
    )?)
}

/// Checks the whole store at `path`, and where no rule is broken writes anew what rules allow: owner rows and links to
/// the record before, from the committed records (F-1.2); the time of closing of a Task that is not closed (W-TASK-20);
/// index files that are damaged, stale or missing (F-4). With `dry_run` nothing is written.
///
/// `Refused`: a network file system (F-0.4).
pub fn repair(
    path: impl AsRef<Path>,
    options: &Options,
    dry_run: bool,
    mut progress: impl FnMut(Progress) -> Flow,
) -> Result<Repair> {
    let path = path.as_ref();
    if !dry_run {
        options.refuse_network(path)?;
    }
    Ok(repair::repair(
        &options.vfs,
        path,
        &options.zone(),
        dry_run,
        &mut progress,
    )?)
}

/// Creates a store at `target` from the backup at `backup`, which is not touched. The target must not exist, or be an
/// empty directory. It is an install: made aside, recovered where the backup has to be, synced, renamed into place.
///
/// `NotFound`: there is no store at `backup`. `Refused`: the target is in use (F-0.8). `RecoveryNeeded`: the backup has
/// no recovery store. `Corrupt`: its recovery store and its files do not go together.
pub fn restore(
    backup: impl AsRef<Path>,
    target: impl AsRef<Path>,
    options: &Options,
    now: UnixSeconds,
    mut progress: impl FnMut(Progress) -> Flow,
) -> Result<Copied> {
    if options.read_only {
        return Err(Error::usage("a read-only handle restores nothing"));
    }
    let unique = options.fresh(b"restore");
    let (backup, target) = (backup.as_ref(), target.as_ref());
    Ok(backup::restore(
        &options.vfs,
        &options.zone(),
        unique,
        backup,
        target,
        now,
        &mut progress,
    )?)
}

/// Opens the record file of one family of the store at `path` for the raw reading, whatever its state is.
///
/// `NotFound`: there is no store, or no family of that name.
pub fn raw_family(path: impl AsRef<Path>, family: &str, options: &Options) -> Result<RawFamily> {
    Ok(RawFamily::open(&options.vfs, path.as_ref(), family, options.wait)?)
}

impl Store {
    /// Writes the directory object `root` out into `directory`, which must not exist or be empty. Entries whose name is
    /// among `refused`, ASCII letters compared without case, are refused before anything of their directory is written;
    /// name there what would mean something to other programs (`.git`). Nothing is synced: it is no part of the store.
    ///
    /// `Conflict`: the directory is not empty. `Refused`: an entry's name. `Corrupt`: content is damaged. `Io`.
    pub fn check_out(&self, root: &ObjectHash, directory: &Path, refused: &[&[u8]]) -> Result<Materialised> {
        let vfs = &*self.options().vfs;
        let target = match place::open_directory(vfs, directory) {
            Err(whole::Error::NotFound { .. }) => {
                let (parent, name) = place::parent_and_name(vfs, directory)?;
                let created = parent.handle().create_directory(name.as_bytes(), Mode::Shared);
                created.map_err(|error| disk::Error::io(parent.path_of(&name), "create", error))?;
                place::open_directory(vfs, directory)?
            }
            other => other?,
        };
        let view = self.objects.view()?;
        let objects = Objects::new(view.source())?;
        Ok(materialise(&objects, root, Arc::clone(target.handle()), refused)?)
    }

    /// Copies the store into a new directory `target`, which must not exist or be empty: one moment of it, under the
    /// shared locks of both roots, with their recovery stores. It is an install: made aside, synced, renamed into place.
    ///
    /// `Refused`: the target is in use (F-0.8). `Stopped` by `progress`.
    pub fn backup(&self, target: impl AsRef<Path>, mut progress: impl FnMut(Progress) -> Flow) -> Result<Copied> {
        let options = self.options();
        let zones = [self.workflow.zone(), self.objects.zone()];
        let unique = options.fresh(b"backup");
        Ok(backup::back_up(
            &options.vfs,
            self.directory(),
            zones,
            unique,
            target.as_ref(),
            &mut progress,
        )?)
    }
}
