//! Taking a directory on disk into the store: what `snapshot new` and `stash save` begin with.

use std::fs;
use std::path::{Component, Path};

use graven::format::{LineIndex, ObjectHash, SnapshotIndex, UnixSeconds};
use graven::{NewSnapshot, Txn, Workflow};

use super::arguments::Capture;
use super::failure::Failure;
use super::reference::Names;

/// A directory that was taken in, and the work that it goes on from.
pub struct Captured {
    root: ObjectHash,
    line: Option<LineIndex>,
    parents: Vec<SnapshotIndex>,
}

impl Captured {
    /// A Snapshot of it, whose first parent is the head of its Line.
    pub fn snapshot(&self, now: UnixSeconds) -> NewSnapshot<'_> {
        NewSnapshot {
            line: self.line,
            parents: &self.parents,
            ..NewSnapshot::new(self.root, now)
        }
    }

    /// With more parents after the Line's head.
    pub fn with_parents(mut self, more: impl IntoIterator<Item = SnapshotIndex>) -> Self {
        self.parents.extend(more);
        self
    }
}

/// Puts the directory's objects into the store at `root`.
pub fn run(txn: &mut Txn<'_, Workflow>, root: &Path, what: &Capture) -> Result<Captured, Failure> {
    require_apart(root, what)?;
    let line = match &what.line {
        None => None,
        Some(name) => {
            let line = Names::in_transaction(txn)?.line(name)?;
            Some((line.index(), line.head))
        }
    };
    let excluded: Vec<&[u8]> = what.exclude.iter().map(String::as_bytes).collect();
    let captured = txn.capture(&what.directory, &excluded)?;
    Ok(Captured {
        root: captured.root,
        line: line.map(|(index, _)| index),
        parents: line.and_then(|(_, head)| head).into_iter().collect(),
    })
}

/// A store in the directory itself would be captured while it is written: its name has to be among the excluded ones.
fn require_apart(root: &Path, what: &Capture) -> Result<(), Failure> {
    let (Ok(root), Ok(directory)) = (fs::canonicalize(root), fs::canonicalize(&what.directory)) else {
        // Whichever is not there is told by the one that opens it.
        return Ok(());
    };
    let Ok(inside) = root.strip_prefix(&directory) else {
        return Ok(());
    };
    let excluded = inside.components().any(|component| match component {
        Component::Normal(name) => what.exclude.iter().any(|excluded| name == excluded.as_str()),
        _ => false,
    });
    if excluded {
        return Ok(());
    }
    let way_out = match inside.components().next() {
        Some(Component::Normal(name)) => format!("; leave it out with --exclude {}", name.display()),
        _ => String::new(),
    };
    Err(Failure::usage(format!(
        "the store itself is in {}{way_out}",
        what.directory.display()
    )))
}
