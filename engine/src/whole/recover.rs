//! Recover: settle what a dead writer left, and give a root whose recovery store is missing a new one.

use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::finding::{Finding, Findings, Severity};
use super::place::{self, RootPlace};
use super::progress::OnProgress;
use super::verify::files::verify_files;
use super::verify::verify_records;
use crate::disk::DurableDirectory;
use crate::format::UnixSeconds;
use crate::store::{Pending, RecoveryReport, Source, Transaction, View, Zone, ZoneOptions};
use crate::vfs::Vfs;

/// What a recovery store says of one root.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RootState {
    /// The root's directory inside the store.
    pub root: &'static str,
    /// The recovery store is missing.
    pub missing_undo: bool,
    /// What is unfinished.
    pub pending: Option<Pending>,
}

/// What opening the store for writing would settle: nothing is written.
pub fn pending(vfs: &Arc<dyn Vfs>, path: &Path, options: &ZoneOptions) -> Result<Vec<RootState>> {
    let store = place::open_store(&**vfs, path)?;
    let read_only = true;
    let options = ZoneOptions {
        read_only,
        ..options.clone()
    };
    let mut states = Vec::new();
    for root in place::ROOTS {
        let directory = place::open_root(&store, root)?;
        let missing_undo = is_missing(&directory, root)?;
        let pending = if missing_undo {
            None
        } else {
            Zone::attach(vfs, &directory, root.zone, options.clone())?.pending()?
        };
        states.push(RootState {
            root: root.directory,
            missing_undo,
            pending,
        });
    }
    Ok(states)
}

/// What recovering did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// The recovery of each root that had one, in lock order.
    pub recoveries: Vec<RecoveryReport>,
    /// The directories of the roots that got a new recovery store.
    pub new_undo: Vec<&'static str>,
    /// The broken rules that kept a root from getting a new recovery store; it is missing still.
    pub findings: Vec<Finding>,
}

/// Settles what dead writers left in the store at `path`. With `accept_missing_undo` a root whose recovery store is
/// missing gets a new one, after every rule was checked over the whole store and none was found broken: a change that
/// was half done then cannot be ruled out where no rule sees it.
///
/// `RecoveryNeeded`: a recovery store is missing, and that is not accepted.
pub fn recover(
    vfs: &Arc<dyn Vfs>,
    path: &Path,
    options: &ZoneOptions,
    accept_missing_undo: bool,
    progress: OnProgress<'_>,
) -> Result<Recovery> {
    let store = place::open_store(&**vfs, path)?;
    let mut zones = Vec::new();
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for root in place::ROOTS {
        let directory = place::open_root(&store, root)?;
        place::check_inventory(&directory, root)?;
        let is_missing = accept_missing_undo && is_missing(&directory, root)?;
        let attach = if is_missing {
            Zone::attach_without_undo
        } else {
            Zone::attach
        };
        zones.push(attach(vfs, &directory, root.zone, options.clone())?);
        missing.push(is_missing);
        if is_missing {
            let mut findings = Findings::new(root.directory);
            verify_files(&directory, root, &mut findings)?;
            found.extend(
                findings
                    .into_vec()
                    .into_iter()
                    .filter(|finding| !is_about(finding, root)),
            );
        }
    }
    let linked: Vec<&Zone> = zones.iter().collect();
    Zone::link(&linked);
    let mut done = Recovery::default();
    for zone in &zones {
        done.recoveries.extend(zone.make_ready()?);
    }
    if missing.contains(&true) {
        let holds = hold(&zones, &missing)?;
        let sources: Vec<Option<&dyn Source>> = holds.iter().map(|hold| Some(hold.source())).collect();
        found.extend(verify_records(&store, &sources, false, progress)?.findings);
        done.findings = found
            .into_iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        if done.findings.is_empty() {
            for ((zone, root), _) in zones
                .iter()
                .zip(place::ROOTS)
                .zip(&missing)
                .filter(|(_, missing)| **missing)
            {
                zone.install_undo()?;
                done.new_undo.push(root.directory);
            }
        }
    }
    Ok(done)
}

/// The lock of one root while the store is being checked.
enum Hold<'z> {
    Exclusive(Transaction<'z>),
    Shared(View<'z>),
}

impl Hold<'_> {
    fn source(&self) -> &dyn Source {
        match self {
            Self::Exclusive(transaction) => transaction,
            Self::Shared(view) => view,
        }
    }
}

/// Locks the roots in lock order: exclusively those that will get a new recovery store.
fn hold<'z>(zones: &'z [Zone], missing: &[bool]) -> Result<Vec<Hold<'z>>> {
    let mut holds = Vec::new();
    for (zone, missing) in zones.iter().zip(missing) {
        // Nothing is written in this transaction, so its time does not matter.
        let any_time = UnixSeconds(1);
        holds.push(if *missing {
            Hold::Exclusive(zone.begin(any_time)?)
        } else {
            Hold::Shared(zone.view()?)
        });
    }
    Ok(holds)
}

fn is_missing(directory: &DurableDirectory, root: &RootPlace) -> Result<bool> {
    let entries = directory.entries()?;
    Ok(!entries.iter().any(|entry| entry.name == root.zone.undo_file.as_bytes()))
}

/// Whether a finding is the missing recovery store itself.
fn is_about(finding: &Finding, root: &RootPlace) -> bool {
    finding.file == format!("{}/{}", root.directory, root.zone.undo_file)
}
