//! Snapshots: a directory with parents and a message (F-2.16).

use std::fmt;

use super::{Index, LineState, Object, Refusal, SnapshotKind, Store, optional};

/// A Snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Whether it is out of use.
    pub tombstoned: bool,
    /// What it is for.
    pub kind: SnapshotKind,
    /// The directory object.
    pub root: usize,
    /// When it was made, in seconds.
    pub created_at_s: u64,
    /// Its parents.
    pub parents: Vec<usize>,
    /// The Line it is authored on, and the name that this Line had.
    pub line: Option<(usize, String)>,
    /// Its message; may be empty.
    pub message: String,
    /// The files below its root.
    pub file_count: u64,
    /// Their bytes.
    pub total_bytes: u64,
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.tombstoned { "tombstoned" } else { "live" };
        let (line, name) = self
            .line
            .clone()
            .map_or((None, None), |(line, name)| (Some(line), Some(name)));
        write!(
            f,
            "{state} {:?} root {} at {} parents {:?} line {} {name:?} message {:?} files {} bytes {}",
            self.kind,
            self.root,
            self.created_at_s,
            self.parents,
            optional(line),
            self.message,
            self.file_count,
            self.total_bytes
        )
    }
}

impl Store {
    pub(super) fn is_live_snapshot(&self, index: usize) -> bool {
        self.snapshots.get(index).is_some_and(|snapshot| !snapshot.tombstoned)
    }

    pub(super) fn is_live_of_kind(&self, index: usize, kind: SnapshotKind) -> bool {
        self.is_live_snapshot(index) && self.snapshots[index].kind == kind
    }

    /// Whether a Snapshot is another, or comes from it.
    pub(super) fn descends(&self, from: usize, ancestor: usize) -> bool {
        from == ancestor
            || self
                .snapshots
                .get(from)
                .is_some_and(|snapshot| snapshot.parents.iter().any(|&parent| self.descends(parent, ancestor)))
    }

    pub(super) fn create_snapshot(
        &mut self,
        kind: SnapshotKind,
        root: usize,
        created_at_s: u64,
        parents: &[usize],
        line: Option<usize>,
        message: &str,
    ) -> Index {
        if created_at_s == 0 {
            return Err(Refusal::Refused("F-1"));
        }
        if !parents.iter().all(|&parent| self.is_live_snapshot(parent)) {
            return Err(Refusal::Refused("F-2.16"));
        }
        let line = match line.map(|index| (index, self.lines.get(index))) {
            None => None,
            Some((_, None)) => return Err(Refusal::NotFound),
            Some((_, Some(line))) if matches!(line.state, LineState::Deleted { .. }) => {
                return Err(Refusal::Refused("W-LINE-03"));
            }
            Some((index, Some(line))) => Some((index, line.name.clone())),
        };
        if !matches!(self.objects.get(root), Some(Object::Directory(_))) {
            return Err(Refusal::NotFound);
        }
        let (file_count, total_bytes) = self.fold(root);
        let snapshot = Snapshot {
            tombstoned: false,
            kind,
            root,
            created_at_s,
            parents: parents.to_vec(),
            line,
            message: message.to_owned(),
            file_count,
            total_bytes,
        };
        // The descriptor has the authoring Line's name, not its index.
        let name = |snapshot: &Snapshot| snapshot.line.as_ref().map(|(_, name)| name.clone());
        let same = |stored: &Snapshot| {
            name(stored) == name(&snapshot)
                && Snapshot {
                    line: snapshot.line.clone(),
                    ..stored.clone()
                } == snapshot
        };
        if let Some(index) = self.snapshots.iter().position(same) {
            return Ok(index);
        }
        self.snapshots.push(snapshot);
        Ok(self.snapshots.len() - 1)
    }

    pub(super) fn tombstone_snapshot(&mut self, index: usize) -> Index {
        if !self.is_live_snapshot(index) {
            return Err(Refusal::NotFound);
        }
        if let Some(rule) = self.what_refers_to(index) {
            return Err(Refusal::Refused(rule));
        }
        self.snapshots[index].tombstoned = true;
        Ok(index)
    }

    /// The rule by which something keeps a Snapshot in use; `None`: nothing does.
    pub(super) fn what_refers_to(&self, index: usize) -> Option<&'static str> {
        let is_child = |snapshot: &Snapshot| !snapshot.tombstoned && snapshot.parents.contains(&index);
        let is_head = |line: &super::Line| line.head == Some(index) && !matches!(line.state, LineState::Deleted { .. });
        let by_land = |land: &super::Land| match (land.landed(), land.pre_target) {
            (Some(landed), _) if landed == index => Some("W-LAND-24"),
            (_, Some(before)) if before == index => Some("W-LAND-23"),
            _ => None,
        };
        if self.snapshots.iter().any(is_child) {
            Some("F-2.16")
        } else if self.lines.iter().any(is_head) {
            Some("F-2.4")
        } else if self.tags.iter().any(|tag| tag.snapshot == index && !tag.tombstoned) {
            Some("W-TAG-04")
        } else if self.is_stashed(index) {
            Some("W-STASH-03")
        } else if self.changes.iter().any(|change| change.fork == Some(index)) {
            Some("W-CHANGE-31")
        } else {
            self.lands.iter().find_map(by_land)
        }
    }
}
