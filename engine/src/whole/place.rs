//! Where a store lies on disk: its directory, its store file, its roots' directories (F-0.8).

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use crate::disk::{self, DurableDirectory};
use crate::format::Namespace;
use crate::format::store_file::{self, STORE_FILE, STORE_FILE_MAX_LEN, STORE_VERSION, StoreFileError};
use crate::format::{Authority, LOCAL_AUTHORITY, LOCAL_WORKFLOW, OBJECT_AUTHORITY, OBJECT_ZONE, ZoneLayout};
use crate::vfs::{Access, FileSystem, Vfs};
use crate::{domain, store};

/// One root of a local store: its directory, its authority and its one zone.
#[derive(Clone, Copy, Debug)]
pub struct RootPlace {
    /// The directory's name inside the store.
    pub directory: &'static str,
    /// Its authority.
    pub authority: &'static Authority,
    /// Its zone.
    pub zone: &'static ZoneLayout,
}

/// The workflow root of a local store.
pub static WORKFLOW: RootPlace = RootPlace {
    directory: store_file::WORKFLOW_DIRECTORY,
    authority: &LOCAL_AUTHORITY,
    zone: &LOCAL_WORKFLOW,
};

/// The object root of a local store.
pub static OBJECTS: RootPlace = RootPlace {
    directory: store_file::OBJECTS_DIRECTORY,
    authority: &OBJECT_AUTHORITY,
    zone: &OBJECT_ZONE,
};

/// The roots of a local store, in lock order.
pub static ROOTS: [&RootPlace; 2] = [&WORKFLOW, &OBJECTS];

/// Opens the directory of the store at `path`. `NotFound`: there is no directory, or no store file in it.
pub fn open_store(vfs: &dyn Vfs, path: &Path) -> Result<DurableDirectory> {
    let directory = open_directory(vfs, path)?;
    match directory.open_file(STORE_FILE, Access::Read) {
        Ok(_) => Ok(directory),
        Err(disk::Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Err(Error::NotFound {
            what: format!("a store in {} (it has no {STORE_FILE})", directory.path()),
        }),
        Err(error) => Err(error.into()),
    }
}

/// Opens a directory outside of any store. `NotFound`: there is none.
pub fn open_directory(vfs: &dyn Vfs, path: &Path) -> Result<DurableDirectory> {
    let text = path.display().to_string();
    let here = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    match vfs.open_directory(here) {
        Ok(directory) => Ok(DurableDirectory::new(directory, text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::NotFound {
            what: format!("the directory {text}"),
        }),
        Err(error) => Err(disk::Error::io(text, "open", error).into()),
    }
}

/// The directory that holds `path`, open, and the path's last component. `Usage`: it has none, or one that is not
/// UTF-8.
pub fn parent_and_name(vfs: &dyn Vfs, path: &Path) -> Result<(DurableDirectory, String)> {
    let name = path.file_name().and_then(|name| name.to_str());
    let (Some(name), Some(parent)) = (name, path.parent()) else {
        return Err(Error::Usage(format!(
            "{}: not the path of a directory to create",
            path.display()
        )));
    };
    Ok((open_directory(vfs, parent)?, name.to_owned()))
}

/// Makes the store's own name durable. A creation that was killed behind its rename leaves a store that opens, but whose
/// name a power cut may still take, and with it everything that would be committed from now on (AC01, AC19).
pub fn settle_name(vfs: &dyn Vfs, path: &Path) -> Result<()> {
    match parent_and_name(vfs, path) {
        Ok((parent, _)) => {
            // What fails here is told of the store, not of a directory that the caller did not name.
            let parent = DurableDirectory::new(Arc::clone(parent.handle()), format!("{}/..", path.display()));
            Ok(parent.sync()?)
        }
        // A path without a last component was not created under it.
        Err(Error::Usage(_)) => Ok(()),
        Err(Error::Domain(domain::Error::Store(store::Error::Disk(disk::Error::Io { action, source, .. })))) => {
            Err(disk::Error::io(format!("{}/..", path.display()), action, source).into())
        }
        Err(error) => Err(error),
    }
}

/// The namespace that the store file tells. `Corrupt`: it is damaged (F-0.8). `Unsupported`: a later version.
pub fn read_namespace(directory: &DurableDirectory) -> Result<Namespace> {
    let file = directory.open_file(STORE_FILE, Access::Read)?;
    let mut bytes = [0; STORE_FILE_MAX_LEN];
    let len = file.read_up_to(0, &mut bytes)?;
    match store_file::parse(bytes.get(..len).unwrap_or_default()) {
        Ok(namespace) => Ok(namespace),
        Err(StoreFileError::Version(found)) => Err(disk::Error::Unsupported {
            path: file.path().to_owned(),
            found: u64::from(found),
            known: u64::from(STORE_VERSION),
        }
        .into()),
        Err(StoreFileError::Damaged(message)) => Err(disk::Error::Corrupt {
            path: file.path().to_owned(),
            rule: "F-0.8",
            message: message.to_owned(),
        }
        .into()),
    }
}

/// Refuses a directory on a network file system, where locks and syncs may not reach other hosts or the medium
/// (AC30), unless the caller accepts it.
pub fn refuse_network(directory: &DurableDirectory, accept: bool) -> Result<()> {
    if accept {
        return Ok(());
    }
    let file_system = directory.handle().file_system();
    match file_system.map_err(|error| disk::Error::io(directory.path(), "look at the file system of", error))? {
        FileSystem::Local => Ok(()),
        FileSystem::Network(magic) => Err(disk::Error::Refused {
            path: directory.path().to_owned(),
            rule: "F-0.4",
            message: format!(
                "it lies on a network file system ({magic:#x}), whose locks and syncs may not hold; the options can accept it"
            ),
        }
        .into()),
    }
}

/// Opens a root's directory. `Corrupt`: it is missing (F-0.8).
pub fn open_root(store: &DurableDirectory, root: &RootPlace) -> Result<DurableDirectory> {
    match store.open_directory(root.directory) {
        Err(disk::Error::Io { path, source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            let message = "the root's directory is missing".to_owned();
            let rule = "F-0.8";
            Err(disk::Error::Corrupt { path, rule, message }.into())
        }
        other => Ok(other?),
    }
}

/// Checks what stands in a root's directory: a `.bin` or `.idx` that its authority does not have is refused, a data file
/// that is missing is corruption, never an upgrade (F-0.8).
pub fn check_inventory(directory: &DurableDirectory, root: &RootPlace) -> Result<()> {
    let entries = directory.entries()?;
    for entry in &entries {
        let name = String::from_utf8_lossy(&entry.name);
        if root.authority.forbids(&name) {
            return Err(disk::Error::Refused {
                path: directory.path_of(&name),
                rule: "F-0.8",
                message: format!("the authority `{}` has no such file", root.authority.name),
            }
            .into());
        }
    }
    for file in root.zone.data_files() {
        if !entries.iter().any(|entry| entry.name == file.as_bytes()) {
            return Err(disk::Error::Corrupt {
                path: directory.path_of(file),
                rule: "F-0.8",
                message: "it is missing; every file of a root exists from the root's creation on".to_owned(),
            }
            .into());
        }
    }
    Ok(())
}
