//! Verify: every rule over the whole store, every finding, nothing changed.
//!
//! It takes the shared locks of the roots, in lock order, for as long as it runs: no process commits meanwhile. A root
//! whose recovery store tells of an unfinished change gets that one finding instead of a look at records that may be
//! half changed. A failure of the operating system ends the work with that failure; it is never a finding.

mod changes;
mod content;
mod facts;
pub(super) mod files;
mod files_source;
pub(crate) mod indexes;
mod lands;
mod later;
mod lines;
mod objects;
mod owner_rows;
mod payload;
pub(super) mod reader;
mod snapshots;
mod stashes;
mod tags;
mod tasks;

use std::path::Path;
use std::sync::Arc;

use tracing::info_span;

use super::error::{Error, Result};
use super::finding::{Finding, Findings, Severity};
use super::place::{self, RootPlace};
use super::progress::OnProgress;
use crate::disk::{self, DurableDirectory, LockWait};
use crate::format::store_file::STORE_FILE;
use crate::store::{self, Source, View, Zone, ZoneOptions};
use crate::vfs::Vfs;
use files_source::FilesSource;
use reader::Reader;

/// What verify looked at and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Everything that was found, root by root.
    pub findings: Vec<Finding>,
    /// The records that were looked at, tombstones included.
    pub records: u64,
    /// The bytes of content that were read and hashed.
    pub content_bytes: u64,
}

impl Verification {
    /// Whether no rule is broken and nothing is there that should not be. Notes do not count.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(Finding::is_note)
    }

    /// The first broken rule.
    pub fn first_error(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.severity == Severity::Error)
    }
}

/// Checks the store at `path`. With `content` every object is read and hashed, and every Snapshot's sums are compared.
pub fn verify(
    vfs: &Arc<dyn Vfs>,
    path: &Path,
    options: &ZoneOptions,
    content: bool,
    progress: OnProgress<'_>,
) -> Result<Verification> {
    let span = info_span!("verify", path = %path.display(), content);
    let _entered = span.enter();
    let options = ZoneOptions {
        read_only: true,
        ..options.clone()
    };
    let store = place::open_store(&**vfs, path)?;
    let mut found = verify_store_directory(&store)?;
    let mut zones = Vec::new();
    for root in place::ROOTS {
        let mut findings = Findings::new(root.directory);
        zones.push(attach(vfs, &store, root, &options, &mut findings)?);
        found.extend(findings.into_vec());
    }
    let mut held = Vec::new();
    for (zone, root) in zones.iter().zip(place::ROOTS) {
        let mut findings = Findings::new(root.directory);
        held.push(hold(&store, zone.as_ref(), root, options.wait, &mut findings)?);
        found.extend(findings.into_vec());
    }
    let sources: Vec<Option<&dyn Source>> = held.iter().map(Held::source).collect();
    let mut done = verify_records(&store, &sources, content, progress)?;
    found.append(&mut done.findings);
    done.findings = found;
    Ok(done)
}

/// Checks every record of the roots whose `sources` are given, in the order of [`place::ROOTS`].
pub(super) fn verify_records(
    store: &DurableDirectory,
    sources: &[Option<&dyn Source>],
    content: bool,
    progress: OnProgress<'_>,
) -> Result<Verification> {
    let workflow = sources.first().copied().flatten();
    let objects = sources.get(1).copied().flatten();
    let mut done = Verification::default();
    let mut reader = Reader::new(progress, sources);
    let mut object_facts = None;
    if let Some(objects) = objects {
        let mut findings = Findings::new(place::OBJECTS.directory);
        object_facts = objects::verify_objects(objects, &mut reader, &mut findings)?;
        indexes::verify_indexes(objects, &place::OBJECTS, store, &mut findings)?;
        if let (Some(facts), true) = (&object_facts, content) {
            content::verify_content(objects, facts, &mut reader, &mut findings)?;
        }
        done.findings.extend(findings.into_vec());
    }
    if let Some(workflow) = workflow {
        let mut findings = Findings::new(place::WORKFLOW.directory);
        let lines = lines::read_lines(workflow, &mut reader, &mut findings)?;
        let snapshots = snapshots::verify_snapshots(
            workflow,
            object_facts.as_ref(),
            lines.count(),
            &mut reader,
            &mut findings,
        )?;
        lines.verify(&snapshots, &mut findings);
        tags::verify_tags(workflow, &snapshots, &mut reader, &mut findings)?;
        stashes::verify_stashes(workflow, &snapshots, &mut reader, &mut findings)?;
        let line_count = lines.count();
        let tasks = tasks::verify_tasks(workflow, &mut reader, &mut findings)?;
        let around = changes::Around {
            tasks: &tasks,
            line_count,
            snapshots: &snapshots,
        };
        let changes = changes::verify_changes(workflow, &around, &mut reader, &mut findings)?;
        let around = lands::Around {
            changes: &changes,
            line_count,
            snapshots: &snapshots,
        };
        lands::verify_lands(workflow, &around, &mut reader, &mut findings)?;
        owner_rows::verify_owner_rows(workflow, &mut reader, &mut findings)?;
        later::verify_later_families(workflow, &mut reader, &mut findings)?;
        indexes::verify_indexes(workflow, &place::WORKFLOW, store, &mut findings)?;
        if let (Some(objects), true) = (objects, content) {
            content::verify_sums(workflow, objects, &mut reader, &mut findings)?;
        }
        done.findings.extend(findings.into_vec());
    }
    done.records = reader.records();
    done.content_bytes = reader.content_bytes();
    Ok(done)
}

/// The store file, and what else stands in the store's directory.
fn verify_store_directory(store: &DurableDirectory) -> Result<Vec<Finding>> {
    let mut findings = Findings::new("");
    match place::read_namespace(store) {
        Ok(_) => {}
        Err(error) => findings.absorb(STORE_FILE, error)?,
    }
    for entry in store.entries()? {
        let name = String::from_utf8_lossy(&entry.name);
        let known = name == STORE_FILE || place::ROOTS.iter().any(|root| root.directory == name);
        if !known {
            findings.warning(&name, None, "F-0.8", "an unknown name in the store's directory");
        }
    }
    Ok(findings.into_vec())
}

/// Opens a root for reading after a look at its files; `None` where it cannot be opened as a whole, which is a finding.
fn attach(
    vfs: &Arc<dyn Vfs>,
    store: &DurableDirectory,
    root: &'static RootPlace,
    options: &ZoneOptions,
    findings: &mut Findings,
) -> Result<Option<Zone>> {
    let directory = match place::open_root(store, root) {
        Ok(directory) => directory,
        Err(error) => {
            findings.absorb(".", error)?;
            return Ok(None);
        }
    };
    files::verify_files(&directory, root, findings)?;
    match Zone::attach(vfs, &directory, root.zone, options.clone()) {
        Ok(zone) => Ok(Some(zone)),
        // What is missing or no regular file was found above.
        Err(error) if findings.has_error() && is_about_presence(&error) => Ok(None),
        Err(error) => {
            findings.absorb(root.zone.lock_file, error.into())?;
            Ok(None)
        }
    }
}

fn is_about_presence(error: &store::Error) -> bool {
    match error {
        store::Error::Disk(disk::Error::Io { source, .. }) => source.kind() == std::io::ErrorKind::NotFound,
        store::Error::Disk(disk::Error::RecoveryNeeded { .. } | disk::Error::Refused { .. }) => true,
        _ => false,
    }
}

/// How a root's records are read, under its shared lock.
enum Held<'z> {
    /// As any reader does.
    View(View<'z>),
    /// Straight from the files, where the root cannot be opened as a whole.
    Files(Box<FilesSource>),
    /// Not at all: the root is missing, or its records may be half changed.
    Nothing,
}

impl Held<'_> {
    fn source(&self) -> Option<&dyn Source> {
        match self {
            Self::View(view) => Some(view),
            Self::Files(files) => Some(&**files),
            Self::Nothing => None,
        }
    }
}

/// Takes a root's shared lock. Where the last writer left an unfinished change, that is the finding, and nothing else is
/// looked at.
fn hold<'z>(
    store: &DurableDirectory,
    zone: Option<&'z Zone>,
    root: &RootPlace,
    wait: LockWait,
    findings: &mut Findings,
) -> Result<Held<'z>> {
    if let Some(zone) = zone {
        match zone.view() {
            Ok(view) => return Ok(Held::View(view)),
            Err(store::Error::Disk(disk::Error::RecoveryNeeded { message, .. })) => {
                let message = format!("{message}; the root's records were not looked at");
                findings.error(zone.layout().undo_file, None, "F-0.5", message);
                return Ok(Held::Nothing);
            }
            Err(error) => findings.absorb(zone.layout().undo_file, error.into())?,
        }
    }
    match place::open_root(store, root) {
        Ok(directory) => Ok(Held::Files(Box::new(FilesSource::open(&directory, root, wait)?))),
        // That it is missing is a finding already.
        Err(_) => Ok(Held::Nothing),
    }
}

/// What stops the work instead of becoming a finding.
fn stopped() -> Error {
    Error::Stopped
}
