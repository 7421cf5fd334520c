//! The durable install: a directory is prepared aside, synced, renamed into place, and its parent synced.
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
        let directory = parent.create_directory(&aside)?;
        let marker = directory.create_file(marker, bytes)?;
        if !marker.lock(LockMode::Exclusive, false)? {
            return Err(Error::Busy {
                path: marker.path().to_owned(),
                holder: None,
            });
        }
        Ok(Self {
            parent: parent.clone(),
            name: name.to_owned(),
            aside,
            directory,
            _marker: marker,
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
    pub fn finish(self) -> Result<()> {
        if !cfg!(graven_mutant = "install_without_syncing_the_directory") {
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
        if cfg!(graven_mutant = "install_without_syncing_the_parent") {
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
        let directory = parent.open_directory(&aside)?;
        match directory.open_file(marker, Access::Read) {
            Ok(file) => {
                if file.lock(LockMode::Exclusive, false)? {
                    tracing::info!(path = directory.path(), "removing what an interrupted install left");
                    // The marker goes last: without it the rest could not be recognised as dead.
                    directory.remove_entries(Some(marker))?;
                    directory.sync()?;
                    directory.remove_file(marker)?;
                    parent.remove_directory(&aside)?;
                }
            }
            // Its creator had not come further than the directory itself, or is just there: only an empty one goes.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                if directory.entries()?.is_empty() {
                    parent.remove_directory(&aside)?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
