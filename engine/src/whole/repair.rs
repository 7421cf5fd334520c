//! Repair: exactly what rules allow, and only where nothing else is wrong.
//!
//! In this version that is one thing: index files that are damaged, stale or missing are rebuilt from the records (F-4),
//! which are never touched. Where a rule is broken, nothing is repaired.

use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::finding::Finding;
use super::place;
use super::progress::OnProgress;
use super::verify::indexes::{DEFINITIONS, is_of};
use super::verify::verify;
use crate::store::{IndexDefinition, Zone, ZoneOptions};
use crate::vfs::Vfs;

/// What repair did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The files that were rebuilt, relative to the store's directory; with a dry run those that would be.
    pub rebuilt: Vec<String>,
    /// What repair must not touch, and why nothing was repaired: every broken rule.
    pub findings: Vec<Finding>,
}

/// Checks the whole store at `path` and rebuilds what may be rebuilt. With `dry_run` nothing is written.
pub fn repair(
    vfs: &Arc<dyn Vfs>,
    path: &Path,
    options: &ZoneOptions,
    dry_run: bool,
    progress: OnProgress<'_>,
) -> Result<Repair> {
    let found = verify(vfs, path, options, false, progress)?;
    let mut done = Repair::default();
    if found.first_error().is_some() {
        done.findings = found.findings;
        return Ok(done);
    }
    let store = place::open_store(&**vfs, path)?;
    for root in place::ROOTS {
        let directory = place::open_root(&store, root)?;
        let entries = directory.entries()?;
        let mut rebuild: Vec<&'static IndexDefinition> = Vec::new();
        for layout in root.zone.indexes {
            let file = format!("{}/{}", root.directory, layout.file);
            let missing = !entries.iter().any(|entry| entry.name == layout.file.as_bytes());
            let imperfect = found.findings.iter().any(|finding| finding.file == file);
            let definition = DEFINITIONS.iter().find(|definition| is_of(definition, layout));
            if let (Some(definition), true) = (definition, missing || imperfect) {
                rebuild.push(definition);
                done.rebuilt.push(file);
            }
        }
        if !dry_run && !rebuild.is_empty() {
            let zone = Zone::attach(vfs, &directory, root.zone, options.clone())?;
            zone.make_ready()?;
            zone.write_indexes(&rebuild)?;
        }
    }
    Ok(done)
}
