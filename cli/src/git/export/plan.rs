//! What an export writes: the refs, and under which of them each Snapshot comes.

use graven::format::{LineState, SnapshotIndex, UnixSeconds};
use graven::{Snapshots, View, Workflow};

use super::ExportError;
use crate::git::names;
use crate::git::stream::quote;

/// A Line or Tag that is live and stands on a Snapshot.
#[derive(Clone, Debug)]
pub(super) struct Ref {
    pub kind: RefKind,
    pub name: String,
    pub target: SnapshotIndex,
}

/// What a ref is.
#[derive(Clone, Debug)]
pub(super) enum RefKind {
    Line,
    LightweightTag,
    AnnotatedTag { message: String, tagged_at_s: UnixSeconds },
}

impl Ref {
    /// The name as git knows it.
    pub(super) fn full_name(&self) -> String {
        match self.kind {
            RefKind::Line => format!("refs/heads/{}", self.name),
            RefKind::LightweightTag | RefKind::AnnotatedTag { .. } => format!("refs/tags/{}", self.name),
        }
    }
}

/// All refs, and for each Snapshot the first ref that reaches it.
pub(super) struct Plan {
    refs: Vec<Ref>,
    /// By Snapshot index: one more than the ref's place in `refs`, 0 for a Snapshot that none reaches.
    owners: Vec<u32>,
}

impl Plan {
    /// Plans the export of all that a view shows; refuses names that cannot be git refs.
    pub(super) fn make(view: &View<'_, Workflow>) -> Result<Self, ExportError> {
        let refs = collect(view)?;
        check_names(&refs)?;
        let snapshots = view.snapshots()?;
        let mut owners = vec![0; snapshots.len() as usize];
        for (owner, reference) in (1..).zip(&refs) {
            reach(&snapshots, reference.target, owner, &mut owners)?;
        }
        Ok(Self { refs, owners })
    }

    pub(super) fn refs(&self) -> &[Ref] {
        &self.refs
    }

    /// The number of Snapshot records.
    pub(super) fn snapshot_count(&self) -> usize {
        self.owners.len()
    }

    /// The Snapshots that some ref reaches, parents first, each with a ref that reaches it.
    pub(super) fn reached(&self) -> impl Iterator<Item = (SnapshotIndex, &Ref)> {
        (0_u32..).zip(&self.owners).filter_map(|(index, owner)| {
            let reference = self.refs.get(owner.checked_sub(1)? as usize)?;
            Some((SnapshotIndex::new(index)?, reference))
        })
    }
}

/// Lines that are not deleted, then live Tags, each in the order of the names' bytes.
fn collect(view: &View<'_, Workflow>) -> Result<Vec<Ref>, graven::Error> {
    let mut refs = Vec::new();
    for row in view.lines()? {
        let (_, line) = row?;
        let is_deleted = matches!(line.state, LineState::Deleted { .. });
        if let Some(target) = line.head
            && !is_deleted
        {
            refs.push(Ref {
                kind: RefKind::Line,
                name: line.name()?,
                target,
            });
        }
    }
    refs.sort_by(|left, right| left.name.cmp(&right.name));
    let mut tags = Vec::new();
    for row in view.tags()? {
        let (_, tag) = row?;
        if tag.tombstoned {
            continue;
        }
        let text = tag.text()?;
        let kind = match text.message {
            Some(message) => RefKind::AnnotatedTag {
                message,
                tagged_at_s: tag.created_at_s,
            },
            None => RefKind::LightweightTag,
        };
        tags.push(Ref {
            kind,
            name: text.name,
            target: tag.snapshot,
        });
    }
    tags.sort_by(|left, right| left.name.cmp(&right.name));
    refs.append(&mut tags);
    Ok(refs)
}

fn check_names(refs: &[Ref]) -> Result<(), ExportError> {
    let mut bad = Vec::new();
    for reference in refs {
        if let Some(why) = names::problem(&reference.name) {
            bad.push(format!("{} ({why})", quote(reference.full_name().as_bytes())));
        }
    }
    for is_line in [true, false] {
        let same_kind = refs
            .iter()
            .filter(|reference| matches!(reference.kind, RefKind::Line) == is_line);
        for (above, below) in names::conflicts(same_kind.map(|reference| reference.name.as_str())) {
            let what = if is_line { "Lines" } else { "Tags" };
            let (above, below) = (quote(above.as_bytes()), quote(below.as_bytes()));
            bad.push(format!("the {what} {above} and {below} (git cannot have both)"));
        }
    }
    if bad.is_empty() {
        Ok(())
    } else {
        Err(ExportError::Names(bad))
    }
}

/// Marks everything that `start` reaches and no earlier ref does.
fn reach(snapshots: &Snapshots<'_>, start: SnapshotIndex, owner: u32, owners: &mut [u32]) -> Result<(), graven::Error> {
    let mut next = vec![start];
    while let Some(index) = next.pop() {
        match owners.get_mut(index.get() as usize) {
            Some(free) if *free == 0 => *free = owner,
            _ => continue,
        }
        next.extend(snapshots.parents(index)?);
    }
    Ok(())
}
