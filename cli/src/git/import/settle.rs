//! The end of an import: Lines and Tags move to where the stream has them, then the main line's Tasks are written.

use std::collections::BTreeSet;

use graven::format::{LineIndex, LineState, SnapshotIndex, TagIndex};
use graven::{Txn, UnixSeconds, Workflow};

use super::error::ImportError;
use super::references::{Settled, SettledTag};
use super::report::{MovedBack, Report, SkippedTag};
use super::{Importer, Options};

/// The most refs, and the most bytes of their texts, that are written in one transaction.
const MAX_REFS: usize = 5_000;
const MAX_REF_BYTES: usize = 16 << 20;

impl Importer<'_, '_> {
    /// Writes the refs of a stream that was read to its end, and the Tasks of its main line; `head` is the branch that the
    /// repository's HEAD names.
    pub(super) fn settle(mut self, options: &Options, head: Option<&str>) -> Result<Report, ImportError> {
        let references = std::mem::take(&mut self.references);
        let settled = references.into_settled().map_err(ImportError::Names)?;
        let main_line = self.choose_main_line(&settled, options.main.as_deref(), head)?;
        self.write_lines(&settled)?;
        self.write_tags(&settled)?;
        if options.prune {
            self.prune(&settled)?;
        }
        if let Some(main_line) = main_line {
            self.write_tasks(&settled, main_line)?;
        }
        self.report.skipped_refs = settled.skipped_refs;
        let skipped = settled.skipped_tags.into_iter().map(|name| SkippedTag {
            name,
            why: "it tags something that is no commit",
        });
        self.report.skipped_tags = skipped.collect();
        Ok(self.report)
    }

    fn write_lines(&mut self, settled: &Settled) -> Result<(), ImportError> {
        for lines in settled.lines.chunks(MAX_REFS) {
            let mut txn = self.batch.begin_references()?;
            for (name, target) in lines {
                if let Some((head, at)) = self.commits.snapshot(*target) {
                    txn.set_now(at)?;
                    write_line(&mut txn, name, head, &mut self.report)?;
                }
            }
            txn.commit()?;
        }
        Ok(())
    }

    fn write_tags(&mut self, settled: &Settled) -> Result<(), ImportError> {
        let mut tags = settled.tags.iter().peekable();
        while tags.peek().is_some() {
            let mut txn = self.batch.begin_references()?;
            let (mut count, mut bytes) = (0, 0);
            while count < MAX_REFS && bytes < MAX_REF_BYTES {
                let Some(tag) = tags.next() else { break };
                count += 1;
                bytes += tag.name.len() + tag.message.as_ref().map_or(0, String::len);
                if let Some((snapshot, at)) = self.commits.snapshot(tag.target) {
                    write_tag(&mut txn, tag, snapshot, tag.tagged_at_s.unwrap_or(at), &mut self.report)?;
                }
            }
            txn.commit()?;
        }
        Ok(())
    }

    fn prune(&mut self, settled: &Settled) -> Result<(), ImportError> {
        let mut txn = self.batch.begin_references()?;
        let kept: BTreeSet<&str> = settled.lines.iter().map(|(name, _)| name.as_str()).collect();
        let mut lines: Vec<LineIndex> = Vec::new();
        for row in txn.lines()? {
            let (index, line) = row.map_err(graven::Error::from)?;
            let is_deleted = matches!(line.state, LineState::Deleted { .. });
            if !is_deleted && !kept.contains(line.name()?.as_str()) {
                lines.push(index);
            }
        }
        let kept: BTreeSet<&str> = settled.tags.iter().map(|tag| tag.name.as_str()).collect();
        let mut tags: Vec<TagIndex> = Vec::new();
        for row in txn.tags()? {
            let (index, tag) = row.map_err(graven::Error::from)?;
            if !tag.tombstoned && !kept.contains(tag.text()?.name.as_str()) {
                tags.push(index);
            }
        }
        for line in &lines {
            txn.delete_line(*line)?;
        }
        for tag in &tags {
            txn.delete_tag(*tag)?;
        }
        txn.commit()?;
        self.report.counts.lines_deleted = lines.len() as u64;
        self.report.counts.tags_deleted = tags.len() as u64;
        Ok(())
    }
}

/// Creates or moves one Line, at the transaction's time.
fn write_line(txn: &mut Txn<'_, Workflow>, name: &str, head: SnapshotIndex, report: &mut Report) -> graven::Result<()> {
    // Dereferenced, since an iterator has a `find` of its own.
    let found = (*txn.lines()?).find(name)?;
    let Some((index, line)) = found else {
        txn.create_line(name, Some(head))?;
        report.counts.lines_created += 1;
        return Ok(());
    };
    if line.head == Some(head) {
        report.counts.lines_unchanged += 1;
        return Ok(());
    }
    if !line.is_live() {
        report.archived_lines.push(name.to_owned());
        return Ok(());
    }
    if let Some(old) = line.head {
        let snapshots = txn.snapshots()?;
        if !snapshots.is_ancestor(old, head)? {
            report.moved_back.push(MovedBack {
                line: name.to_owned(),
                from: snapshots.get(old)?.id.to_string(),
                to: snapshots.get(head)?.id.to_string(),
            });
        }
    }
    txn.move_head(index, line.head, Some(head))?;
    report.counts.lines_moved += 1;
    Ok(())
}

/// Creates a Tag, or lets it stand as the stream has it.
fn write_tag(
    txn: &mut Txn<'_, Workflow>,
    tag: &SettledTag,
    snapshot: SnapshotIndex,
    at: UnixSeconds,
    report: &mut Report,
) -> graven::Result<()> {
    let message = tag.message.as_deref();
    let is_new = {
        let tags = txn.tags()?;
        match (*tags).find(&tag.name)? {
            None => true,
            Some((index, stored)) => {
                let text = tags.text_of(index, &stored)?;
                if stored.snapshot == snapshot && stored.created_at_s == at && text.message.as_deref() == message {
                    report.counts.tags_unchanged += 1;
                    return Ok(());
                }
                false
            }
        }
    };
    txn.set_now(at)?;
    txn.replace_tag(&tag.name, snapshot, message)?;
    report.counts.tags_created += u64::from(is_new);
    report.counts.tags_moved += u64::from(!is_new);
    Ok(())
}
