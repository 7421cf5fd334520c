//! Repair: exactly what rules allow, and only where nothing else is wrong.
//!
//! What is derived from committed records is written as they have it: owner rows and the links `previous_*` (FORMAT 5.4
//! step 6, F-1.2), the time of closing of a Task that is not closed (W-TASK-20), and index files that are damaged, stale
//! or missing (F-4). No ordinal is changed. Where a rule is broken, nothing is repaired.
//!
//! Records are written in ordinary transactions, under the root's exclusive lock and after a look at every rule under
//! that lock. A repair that is cut off is settled as any change is, and the next repair goes on from there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::derived::{self, Disagreement, Remedy};
use super::error::Result;
use super::finding::{Finding, Severity};
use super::place;
use super::progress::OnProgress;
use super::verify::indexes::{DEFINITIONS, is_of};
use super::verify::{verify, verify_records};
use crate::disk::DurableDirectory;
use crate::format::{Layout, UnixSeconds};
use crate::store::{IndexDefinition, Source, Stage, Transaction, Zone, ZoneOptions};
use crate::vfs::Vfs;

/// How many records one transaction of a repair writes; what is left is for the next one.
const BATCH: usize = 8192;

/// No record that repair writes holds the time of the repair, so it does not matter which it is.
const ANY_TIME: UnixSeconds = UnixSeconds(1);

/// What repair did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The records that were rewritten or added, file by file; with a dry run those that would be.
    pub rewritten: Vec<Rewritten>,
    /// The index files that were rebuilt, relative to the store's directory; with a dry run those that would be.
    pub rebuilt: Vec<String>,
    /// What repair must not touch, and why nothing was repaired: every broken rule.
    pub findings: Vec<Finding>,
}

/// Records of one file that repair wrote as a rule has them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The file, relative to the store's directory.
    pub file: String,
    /// The rule that allows it.
    pub rule: &'static str,
    /// The records, in ascending order.
    pub records: Vec<u32>,
}

impl Repair {
    /// Whether there was nothing to repair, and nothing that keeps repair from it.
    pub fn is_nothing(&self) -> bool {
        self.rewritten.is_empty() && self.rebuilt.is_empty() && self.findings.is_empty()
    }
}

/// Checks the whole store at `path` and writes anew what may be written anew. With `dry_run` nothing is written.
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
    if found.findings.iter().any(is_about_a_record) {
        let records = Records::open(vfs, &store, options, dry_run)?;
        let mut rewritten = BTreeMap::new();
        done.findings = if dry_run {
            records.plan(&mut rewritten)?
        } else {
            records.rewrite(&store, &mut rewritten, progress)?
        };
        done.rewritten = report(rewritten);
        if !done.findings.is_empty() {
            return Ok(done);
        }
    }
    done.rebuilt = rebuild_indexes(vfs, &store, options, &found.findings, dry_run)?;
    Ok(done)
}

/// Whether a finding is of a record that repair puts right; an index file is not told record by record.
fn is_about_a_record(finding: &Finding) -> bool {
    finding.repairable && finding.record.is_some()
}

/// Each file and rule with the records that were written.
type Written = BTreeMap<(&'static str, &'static str), Vec<u32>>;

fn report(written: Written) -> Vec<Rewritten> {
    let named = |((file, rule), mut records): ((&'static str, &'static str), Vec<u32>)| {
        records.sort_unstable();
        records.dedup();
        let file = format!("{}/{file}", place::WORKFLOW.directory);
        Rewritten { file, rule, records }
    };
    written.into_iter().map(named).collect()
}

fn note(written: &mut Written, wrong: &Disagreement) {
    if let (Some(record), Some(_)) = (wrong.record, &wrong.remedy) {
        written.entry((wrong.layout.file, wrong.rule)).or_default().push(record);
    }
}

/// The zones of the store, ready for work on the records of the workflow root.
struct Records {
    workflow: Zone,
    objects: Zone,
}

impl Records {
    fn open(vfs: &Arc<dyn Vfs>, store: &DurableDirectory, options: &ZoneOptions, read_only: bool) -> Result<Self> {
        let read_only = read_only || options.read_only;
        let options = ZoneOptions {
            read_only,
            ..options.clone()
        };
        let attach = |root: &place::RootPlace| -> Result<Zone> {
            let directory = place::open_root(store, root)?;
            Ok(Zone::attach(vfs, &directory, root.zone, options.clone())?)
        };
        let records = Self {
            workflow: attach(&place::WORKFLOW)?,
            objects: attach(&place::OBJECTS)?,
        };
        Zone::link(&[&records.workflow, &records.objects]);
        Ok(records)
    }

    /// What would be written.
    fn plan(&self, written: &mut Written) -> Result<Vec<Finding>> {
        let view = self.workflow.view()?;
        for wrong in derived::disagreements(&view)? {
            note(written, &wrong);
        }
        Ok(Vec::new())
    }

    /// Writes until nothing disagrees. A broken rule that is found meanwhile ends the work; it is what is answered.
    fn rewrite(
        &self,
        store: &DurableDirectory,
        written: &mut Written,
        progress: OnProgress<'_>,
    ) -> Result<Vec<Finding>> {
        self.workflow.make_ready()?;
        self.objects.make_ready()?;
        loop {
            let mut transaction = self.workflow.begin(ANY_TIME)?;
            let broken = {
                // Between the first look and this lock others may have changed the store.
                let objects = self.objects.view()?;
                let sources: [Option<&dyn Source>; 2] = [Some(&transaction), Some(&objects)];
                let checked = verify_records(store, &sources, false, progress)?;
                let is_broken = |finding: &Finding| finding.severity == Severity::Error;
                checked.findings.into_iter().filter(is_broken).collect::<Vec<_>>()
            };
            if !broken.is_empty() {
                return Ok(broken);
            }
            let disagreements = derived::disagreements(&transaction)?;
            if disagreements.is_empty() {
                return Ok(Vec::new());
            }
            for wrong in disagreements.iter().take(BATCH) {
                write(&mut transaction, wrong)?;
            }
            transaction.commit()?;
            disagreements.iter().take(BATCH).for_each(|wrong| note(written, wrong));
        }
    }
}

/// Puts one record right. All of it belongs to one stage: no rule orders what is derived.
fn write(transaction: &mut Transaction<'_>, wrong: &Disagreement) -> Result<()> {
    let family = transaction.family(wrong.layout)?;
    match (&wrong.remedy, wrong.record) {
        (Some(Remedy::Append(bytes)), _) => {
            transaction.append_record(family, Stage::Commit, bytes)?;
        }
        (Some(Remedy::Patch { offset, bytes }), Some(record)) => {
            let mut whole = record_of(transaction, wrong.layout, record)?;
            if let Some(part) = whole.get_mut(*offset..*offset + bytes.len()) {
                part.copy_from_slice(bytes);
            }
            transaction.replace_record(family, record, Stage::Commit, &whole)?;
        }
        (Some(Remedy::Patch { .. }), None) | (None, _) => {}
    }
    Ok(())
}

fn record_of(source: &dyn Source, layout: &'static Layout, record: u32) -> Result<Vec<u8>> {
    let family = source.family(layout)?;
    let mut bytes = vec![0; layout.record_size];
    source.read_record(family, record, &mut bytes)?;
    Ok(bytes)
}

/// Rebuilds the index files that are damaged, stale or missing (F-4), and answers their names.
fn rebuild_indexes(
    vfs: &Arc<dyn Vfs>,
    store: &DurableDirectory,
    options: &ZoneOptions,
    findings: &[Finding],
    dry_run: bool,
) -> Result<Vec<String>> {
    let mut rebuilt = Vec::new();
    for root in place::ROOTS {
        let directory = place::open_root(store, root)?;
        let entries = directory.entries()?;
        let mut definitions: Vec<&'static IndexDefinition> = Vec::new();
        for layout in root.zone.indexes {
            let file = format!("{}/{}", root.directory, layout.file);
            let missing = !entries.iter().any(|entry| entry.name == layout.file.as_bytes());
            let imperfect = findings.iter().any(|finding| finding.file == file);
            let definition = DEFINITIONS.iter().find(|definition| is_of(definition, layout));
            if let (Some(definition), true) = (definition, missing || imperfect) {
                definitions.push(definition);
                rebuilt.push(file);
            }
        }
        if !dry_run && !definitions.is_empty() {
            let zone = Zone::attach(vfs, &directory, root.zone, options.clone())?;
            zone.make_ready()?;
            zone.write_indexes(&definitions)?;
        }
    }
    Ok(rebuilt)
}
