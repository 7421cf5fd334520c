//! What the text of an argument names: a Line, a Tag, a Snapshot.

use graven::format::{LineIndex, SnapshotId, SnapshotIndex};
use graven::{Line, Lines, Rows, Snapshot, Snapshots, Tags, Txn, View, Workflow};

use super::failure::Failure;

/// What can be named in a view or through a transaction's pending writes.
pub struct Names<'v> {
    lines: Rows<Lines<'v>>,
    tags: Rows<Tags<'v>>,
    snapshots: Rows<Snapshots<'v>>,
}

impl<'v> Names<'v> {
    /// The names in a view.
    pub fn in_view(view: &'v View<'_, Workflow>) -> Result<Self, Failure> {
        let (lines, tags, snapshots) = (view.lines()?, view.tags()?, view.snapshots()?);
        Ok(Self { lines, tags, snapshots })
    }

    /// The names in a transaction.
    pub fn in_transaction(txn: &'v Txn<'_, Workflow>) -> Result<Self, Failure> {
        let (lines, tags, snapshots) = (txn.lines()?, txn.tags()?, txn.snapshots()?);
        Ok(Self { lines, tags, snapshots })
    }

    /// The Line of that name or `LNE-…`; deleted ones only by the latter.
    pub fn line(&self, text: &str) -> Result<Line<'v>, Failure> {
        if let Ok(index) = text.parse::<LineIndex>() {
            return Ok(self.lines.get(index)?);
        }
        let found = self.lines.by_name(text)?;
        found.ok_or_else(|| Failure::not_found(format!("the Line {text:?}")))
    }

    /// The Snapshot that `text` names: `SNP-…`, `LNE-…` or a Line's name (its head), a Tag's name, `line:NAME`,
    /// `tag:NAME`.
    pub fn snapshot(&self, text: &str) -> Result<Snapshot<'v>, Failure> {
        if let Ok(id) = text.parse::<SnapshotId>() {
            let found = self.snapshots.by_id(id)?;
            return found.ok_or_else(|| Failure::not_found(format!("the Snapshot {id}")));
        }
        if let Some(name) = text.strip_prefix("line:") {
            return self.at(head(&self.line(name)?)?);
        }
        if let Some(name) = text.strip_prefix("tag:") {
            let tag = self.tags.by_name(name)?;
            return self.at(tag
                .ok_or_else(|| Failure::not_found(format!("the Tag {name:?}")))?
                .snapshot);
        }
        if text.parse::<LineIndex>().is_ok() {
            return self.at(head(&self.line(text)?)?);
        }
        match (self.lines.by_name(text)?, self.tags.by_name(text)?) {
            (None, None) => Err(Failure::not_found(format!("a Snapshot, Line or Tag {text:?}"))),
            (Some(line), None) => self.at(head(&line)?),
            (None, Some(tag)) => self.at(tag.snapshot),
            (Some(line), Some(tag)) if line.head == Some(tag.snapshot) => self.at(tag.snapshot),
            (Some(_), Some(_)) => Err(Failure::usage(format!(
                "a Line and a Tag are both called {text:?} and name different Snapshots: say line:{text} or tag:{text}"
            ))),
        }
    }

    /// Splits `SNAPSHOT:PATH` at the first colon whose left side names a Snapshot: names may hold colons too.
    pub fn snapshot_and_path<'t>(&self, text: &'t str) -> Result<(Snapshot<'v>, &'t str), Failure> {
        let mut first_failure = None;
        for (at, _) in text.match_indices(':') {
            let (name, path) = text.split_at(at);
            match self.snapshot(name) {
                Ok(snapshot) => return Ok((snapshot, path.get(1..).unwrap_or_default())),
                Err(failure @ (Failure::NotFound(_) | Failure::Usage(_))) => {
                    first_failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(first_failure.unwrap_or_else(|| Failure::usage(format!("{text:?} is not SNAPSHOT:PATH"))))
    }

    fn at(&self, index: SnapshotIndex) -> Result<Snapshot<'v>, Failure> {
        Ok(self.snapshots.get(index)?)
    }
}

fn head(line: &Line<'_>) -> Result<SnapshotIndex, Failure> {
    line.head
        .ok_or_else(|| Failure::not_found(format!("a head of the Line {}", line.index())))
}
