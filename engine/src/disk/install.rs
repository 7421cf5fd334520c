//! The durable install: a directory, or a file, is prepared aside, synced, renamed into place, and its parent synced.
//!
//! A half-created directory counts as not created, and creating it again works: what a dead creator left aside is
//! recognised by its name and by the free lock on its marker file, and removed by the next creator. Two creators that
//! race have different asides; the rename decides.

use std::io;

use crate::vfs::{Access, EntryKind, LockMode};

use super::durable::{DurableDirectory, DurableFile};
use super::error::{Error, Result};

const SUFFIX: &str = ".graven-new";

/// A directory that is being prepared.
#[derive(Debug)]
pub struct Install {
    parent: DurableDirectory,
    name: String,
    aside: String,
    directory: DurableDirectory,
    /// Locked while the creator lives.
    _marker: DurableFile,
}

impl Install {
    /// Starts to prepare `name` in `parent`. The first file inside is `marker` with its bytes; its lock tells the
    /// living creator from a dead one. `unique` comes from the caller's entropy.
    pub fn begin(parent: &DurableDirectory, name: &str, unique: [u8; 8], marker: &str, bytes: &[u8]) -> Result<Self> {
        Self::require_free(parent, name)?;
        remove_dead_asides(parent, name, marker)?;
        let aside = format!(".{name}.{:016x}{SUFFIX}", u64::from_be_bytes(unique));
        let busy = || Error::Busy {
            path: parent.path_of(&aside),
            holder: None,
        };
        // Another creator that comes by before the marker is there and locked takes the directory for a dead one's.
        let directory = unless_gone(parent.create_directory(&aside))?.ok_or_else(busy)?;
        let locked = unless_gone(directory.create_file(marker, bytes))?.ok_or_else(busy)?;
        // With the lock nobody removes the marker any more; it may have gone before.
        if !locked.lock(LockMode::Exclusive, false)?
            || unless_gone(directory.open_file(marker, Access::Read))?.is_none()
        {
            return Err(busy());
        }
        Ok(Self {
            parent: parent.clone(),
            name: name.to_owned(),
            aside,
            directory,
            _marker: locked,
        })
    }

    /// An empty directory may be installed over; anything else is in the way.
    fn require_free(parent: &DurableDirectory, name: &str) -> Result<()> {
        let taken = |message: &str| Error::Refused {
            path: parent.path_of(name),
            rule: "F-0.8",
            message: message.to_owned(),
        };
        match parent
            .entries()?
            .into_iter()
            .find(|entry| entry.name == name.as_bytes())
        {
            None => Ok(()),
            Some(entry) if entry.kind == EntryKind::Directory => {
                if parent.open_directory(name)?.entries()?.is_empty() {
                    Ok(())
                } else {
                    Err(taken("the directory exists and is not empty"))
                }
            }
            Some(_) => Err(taken("something that is not a directory has this name")),
        }
    }

    /// The directory to fill. Whoever fills it syncs the files and the directories inside.
    pub fn directory(&self) -> &DurableDirectory {
        &self.directory
    }

    /// Syncs the directory, renames it into place and syncs the parent. After an error from the last step the
    /// directory may be there: whoever looks will see it whole or not at all.
    /// Lean: `Claim_create_half_made_is_absent`.
    pub fn finish(self) -> Result<()> {
        if !planted!("install_without_syncing_the_directory") {
            self.directory.sync()?;
        }
        match self.parent.rename_new(&self.aside, &self.name) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                Self::require_free(&self.parent, &self.name)?;
                self.parent.remove_directory(&self.name)?;
                self.parent.rename_new(&self.aside, &self.name)?;
            }
            other => other?,
        }
        if planted!("install_without_syncing_the_parent") {
            return Ok(());
        }
        let synced = self.parent.sync();
        if synced.is_err() {
            // The name may read as there and be lost, and no later sync would tell. It is taken back, so that nobody
            // builds on it; whoever creates next clears what is left aside.
            if self.parent.rename_new(&self.name, &self.aside).is_ok() {
                let _ = self.parent.sync();
            }
        }
        synced
    }
}

/// A file that was replaced as a whole and whose new name is not yet durable.
#[derive(Debug)]
#[must_use = "the new name is durable after `settle`"]
pub struct Replaced<'d>(&'d DurableDirectory);

impl Replaced<'_> {
    /// Makes the new name durable. After an error the old file may come back. Lean: `Claim_install_is_durable`.
    pub fn settle(self) -> Result<()> {
        if planted!("leave_the_name_of_a_replaced_file_unsynced") {
            return Ok(());
        }
        self.0.sync()
    }
}

/// Replaces the file `name`, or creates it, so that it always reads as a whole: the bytes are written aside, synced, and
/// renamed over whatever has the name, a symlink too. After an error nothing has changed under that name. The caller
/// keeps others from doing the same meanwhile; what a killed one left aside is removed.
/// Lean: `Claim_install_is_all_or_nothing`, `Claim_names_failure_is_trouble`.
pub fn replace_file<'d>(directory: &'d DurableDirectory, name: &str, bytes: &[u8]) -> Result<Replaced<'d>> {
    let aside = format!(".{name}{SUFFIX}");
    unless_gone(directory.remove_file(&aside))?;
    if planted!("write_a_replaced_file_in_place")
        && let Some(file) = unless_gone(directory.open_file(name, Access::ReadWrite))?
    {
        file.write_all_at(0, bytes)?;
        file.sync()?;
        return Ok(Replaced(directory));
    }
    directory.create_file(&aside, bytes)?;
    directory.rename(&aside, name)?;
    Ok(Replaced(directory))
}

/// Whether a name is that of a directory prepared aside for `name`.
fn is_aside_of(entry: &[u8], name: &str) -> bool {
    entry
        .strip_prefix(b".")
        .and_then(|rest| rest.strip_prefix(name.as_bytes()))
        .and_then(|rest| rest.strip_prefix(b"."))
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
        .is_some_and(|unique| unique.len() == 16 && unique.iter().all(u8::is_ascii_hexdigit))
}

fn remove_dead_asides(parent: &DurableDirectory, name: &str, marker: &str) -> Result<()> {
    for entry in parent.entries()? {
        if entry.kind != EntryKind::Directory || !is_aside_of(&entry.name, name) {
            continue;
        }
        let aside = String::from_utf8_lossy(&entry.name).into_owned();
        let Some(directory) = unless_gone(parent.open_directory(&aside))? else {
            continue;
        };
        match directory.open_file(marker, Access::Read) {
            Ok(file) => {
                // A living creator holds this lock until its directory has its name. Whoever gets it looks again: the
                // directory may have been renamed after it was opened here, and is then no aside but what was created.
                let dead = file.lock(LockMode::Exclusive, false)? || planted!("delete_a_living_creators_aside");
                if dead && unless_gone(parent.open_directory(&aside))?.is_some() {
                    tracing::info!(path = directory.path(), "removing what an interrupted install left");
                    // The marker goes last: without it the rest could not be recognised as dead.
                    unless_gone(directory.remove_entries(Some(marker)))?;
                    directory.sync()?;
                    unless_gone(directory.remove_file(marker))?;
                    remove_if_empty(parent, &aside)?;
                }
            }
            // Its creator had not come further than the directory itself, or is just there: only an empty one goes.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                if directory.entries()?.is_empty() {
                    remove_if_empty(parent, &aside)?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// `None` for what another creator has renamed or removed meanwhile.
fn unless_gone<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a directory unless somebody has put something into it, or removed it, meanwhile.
fn remove_if_empty(parent: &DurableDirectory, name: &str) -> Result<()> {
    match parent.remove_directory(name) {
        Err(Error::Io { source, .. })
            if matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}
