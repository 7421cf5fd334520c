//! Snapshots: a directory with parents and a message (F-2.16).

use std::fmt;

use super::{Answer, LineState, Object, Refusal, Store, optional};

/// A Snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Whether it is out of use.
    pub tombstoned: bool,
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
            "{state} root {} at {} parents {:?} line {} {name:?} message {:?} files {} bytes {}",
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

    pub(super) fn create_snapshot(
        &mut self,
        root: usize,
        created_at_s: u64,
        parents: &[usize],
        line: Option<usize>,
        message: &str,
    ) -> Answer {
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

    pub(super) fn tombstone_snapshot(&mut self, index: usize) -> Answer {
        if !self.is_live_snapshot(index) {
            return Err(Refusal::NotFound);
        }
        let is_child = |snapshot: &&super::Snapshot| !snapshot.tombstoned && snapshot.parents.contains(&index);
        if self
            .snapshots
            .iter()
            .skip(index + 1)
            .any(|snapshot| is_child(&snapshot))
        {
            return Err(Refusal::Refused("F-2.16"));
        }
        let is_head = |line: &super::Line| line.head == Some(index) && !matches!(line.state, LineState::Deleted { .. });
        if self.lines.iter().any(is_head) {
            return Err(Refusal::Refused("F-2.4"));
        }
        if self.tags.iter().any(|tag| tag.snapshot == index && !tag.tombstoned) {
            return Err(Refusal::Refused("W-TAG-04"));
        }
        self.snapshots[index].tombstoned = true;
        Ok(index)
    }
}
