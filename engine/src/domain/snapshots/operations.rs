//! Writing Snapshots: create one, take one out of use.

use super::records::{Content, Snapshots};
use super::rules;
use crate::domain::objects::{FoldCache, Objects};
use crate::domain::{Error, Result};
use crate::format::{
    LineIndex, LineName, ObjectHash, Parents, PayloadRange, SNAPSHOT, Snapshot, SnapshotDescriptor, SnapshotId,
    SnapshotIndex, SnapshotKind, SnapshotPayload, UnixSeconds,
};
use crate::store::{Source, Stage, Transaction};

/// A Snapshot to create.
///
/// ```
/// use graven::domain::snapshots::NewSnapshot;
/// use graven::format::{ObjectHash, SnapshotIndex, UnixSeconds};
///
/// let parents = [SnapshotIndex::new(0).unwrap()];
/// let new = NewSnapshot::new(ObjectHash([7; 32]), UnixSeconds(1_700_000_000)).parents(&parents).message("first");
/// assert_eq!(new.message, Some("first"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NewSnapshot<'a> {
    /// The hash of its root directory, which is stored.
    pub root: ObjectHash,
    /// When it was made; not 0.
    pub created_at_s: UnixSeconds,
    /// Its parents in order: live, at most [`MAX_PARENTS`](crate::format::MAX_PARENTS).
    pub parents: &'a [SnapshotIndex],
    /// Its message; an empty one is none.
    pub message: Option<&'a str>,
    /// The Line it is authored on, whose name of this moment it keeps; `None` for an imported one.
    pub line: Option<LineIndex>,
    /// What it is for.
    pub kind: SnapshotKind,
    /// Whether the history before it is not here; then it has no parents.
    pub history_boundary: bool,
}

impl<'a> NewSnapshot<'a> {
    /// A Snapshot of the directory `root`, of kind `Line`, without parents, message and authoring Line.
    pub fn new(root: ObjectHash, created_at_s: UnixSeconds) -> Self {
        Self {
            root,
            created_at_s,
            parents: &[],
            message: None,
            line: None,
            kind: SnapshotKind::Line,
            history_boundary: false,
        }
    }

    /// With these parents, in this order.
    #[must_use]
    pub fn parents(self, parents: &'a [SnapshotIndex]) -> Self {
        Self { parents, ..self }
    }

    /// With this message.
    #[must_use]
    pub fn message(self, message: &'a str) -> Self {
        Self {
            message: Some(message),
            ..self
        }
    }

    /// Authored on this Line.
    #[must_use]
    pub fn line(self, line: LineIndex) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }

    /// Of this kind.
    #[must_use]
    pub fn kind(self, kind: SnapshotKind) -> Self {
        Self { kind, ..self }
    }

    /// With the history before it not here.
    #[must_use]
    pub fn history_boundary(self) -> Self {
        Self {
            history_boundary: true,
            ..self
        }
    }
}

/// The Snapshot that [`create`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its index.
    pub index: SnapshotIndex,
    /// Its identity.
    pub id: SnapshotId,
    /// Whether it was written now; `false`: a live one with an equal descriptor stood there, and nothing was written.
    pub added: bool,
}

/// Creates a Snapshot, or answers the live one whose descriptor is equal field by field (F-0.3).
///
/// The descriptor is the root's hash, the time, the kind, the parents' identities, the authoring Line's name of the
/// moment and the message; the history boundary is not part of it. `objects` are those of the object zone: what the
/// Snapshot refers to must be durable there before this transaction is committed. The cost does not depend on the
/// size of the tree or the history: `cache` knows the directories below.
///
/// `Refused`: time 0 (F-1), a parent that is not live (F-2.16), a boundary with parents (F-2.16), a message that does
/// not fit (F-2.16), a deleted authoring Line (W-LINE-03). `NotFound`: the root directory or the Line. `Conflict`:
/// another live Snapshot has the same 48 bits (F-0.3). `Exhausted`: more than 64 parents (G13, assigned by us), or no
/// index is left.
pub fn create(
    txn: &mut Transaction<'_>,
    objects: &Objects<'_>,
    new: &NewSnapshot<'_>,
    cache: &mut FoldCache,
) -> Result<Created> {
    rules::check_new(new)?;
    let snapshots = Snapshots::new(txn)?;
    let mut parent_ids = Vec::with_capacity(new.parents.len());
    for parent in new.parents {
        parent_ids.push(rules::live_parent(&snapshots, *parent)?.id);
    }
    let line_name = new.line.map(|line| rules::line_name(txn, line)).transpose()?;
    let line_name = line_name
        .as_deref()
        .map(|name| LineName::read(name.as_bytes()))
        .transpose()
        .map_err(Error::unwritable)?;
    let line_name = line_name.map(|reading| reading.value);
    let message = new.message.filter(|message| !message.is_empty());
    let fold = objects.fold(&new.root, cache)?;
    let descriptor = SnapshotDescriptor {
        manifest_hash: new.root,
        created_at_s: new.created_at_s,
        kind: new.kind,
        parents: &parent_ids,
        line_name,
        message,
    };
    let id = descriptor.id();
    if let Some((index, stored)) = snapshots.find(id)? {
        let content = snapshots.content(index, &stored)?;
        if same(&snapshots, &descriptor, &stored, &content)? {
            return Ok(Created {
                index,
                id,
                added: false,
            });
        }
        let message = format!(
            "Snapshot {id} stands already, with another descriptor (record {})",
            index.get()
        );
        return Err(Error::conflict("F-0.3", message));
    }

    let (parents, more_parents) = match new.parents {
        [] if new.history_boundary => (Parents::Boundary, new.parents),
        [] => (Parents::None, new.parents),
        [first] => (Parents::One(*first), [].as_slice()),
        [first, more @ ..] => (Parents::Many(*first), more),
    };
    let bytes = SnapshotPayload::encode(more_parents, message, line_name).map_err(Error::unwritable)?;
    let family = txn.family(&SNAPSHOT)?;
    let limit = u64::from(SnapshotIndex::MAX.get()) + 1;
    if u64::from(txn.record_count(family)) >= limit {
        return Err(Error::Exhausted {
            what: "Snapshots",
            limit,
        });
    }
    let offset = txn.append_payload(family, &bytes)?;
    let payload = PayloadRange::new(offset, bytes.len() as u64).ok_or(Error::Exhausted {
        what: "bytes of snapshot_payload.bin",
        limit: u64::MAX,
    })?;
    let snapshot = Snapshot {
        tombstoned: false,
        kind: new.kind,
        id,
        parents,
        line: new.line,
        has_message: message.is_some(),
        payload,
        manifest_hash: new.root,
        file_count: fold.file_count,
        total_bytes: fold.total_bytes,
        created_at_s: new.created_at_s,
    };
    let record = snapshot.encode().map_err(Error::unwritable)?;
    let index = txn.append_record(family, Stage::Commit, &record)?;
    let index = SnapshotIndex::new(index).ok_or(Error::Exhausted {
        what: "Snapshots",
        limit,
    })?;
    Ok(Created { index, id, added: true })
}

/// Whether a stored Snapshot has that descriptor, field by field.
fn same(
    snapshots: &Snapshots<'_>,
    descriptor: &SnapshotDescriptor<'_>,
    stored: &Snapshot,
    content: &Content,
) -> Result<bool> {
    if stored.manifest_hash != descriptor.manifest_hash
        || stored.created_at_s != descriptor.created_at_s
        || stored.kind != descriptor.kind
        || content.message.as_deref() != descriptor.message
        || content.line_name.as_deref() != descriptor.line_name.map(LineName::as_str)
        || content.parents.len() != descriptor.parents.len()
    {
        return Ok(false);
    }
    for (parent, id) in content.parents.iter().zip(descriptor.parents) {
        if snapshots.get(*parent)?.id != *id {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes a Snapshot out of use: its record stays, with the tombstone bit. Costs a look at every Line, Tag, Stash,
/// Change, Land and later Snapshot.
///
/// `NotFound`: no live Snapshot of that index. `Refused`: a live Snapshot is its child (F-2.16), a Line that is not
/// deleted has it as head (F-2.4), a live Tag or Stash names it (W-TAG-04, W-STASH-03), a Change was forked from it
/// (W-CHANGE-31), or a Land landed it or landed on it (W-LAND-24, W-LAND-23).
pub fn tombstone(txn: &mut Transaction<'_>, index: SnapshotIndex) -> Result<()> {
    let snapshots = Snapshots::new(txn)?;
    let snapshot = snapshots.live(index)?;
    rules::check_unreferred(txn, &snapshots, index)?;
    let record = Snapshot {
        tombstoned: true,
        ..snapshot
    };
    let record = record.encode().map_err(Error::unwritable)?;
    let family = txn.family(&SNAPSHOT)?;
    txn.replace_record(family, index.get(), Stage::Commit, &record)?;
    Ok(())
}
