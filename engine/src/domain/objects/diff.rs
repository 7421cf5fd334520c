//! What differs between two directories, path by path, without looking into what is equal.

use std::cmp::Ordering;

use super::fold::TOO_DEEP;
use super::records::Objects;
use crate::domain::Result;
use crate::format::{EntryTarget, MAX_DIRECTORY_DEPTH, ObjectHash};

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path from the root, its components separated by `/`.
    pub path: Vec<u8>,
    /// What stands there on the left; `None`: nothing, the path was added.
    pub old: Option<EntryTarget>,
    /// What stands there on the right; `None`: nothing, the path was removed.
    pub new: Option<EntryTarget>,
}

/// How a path differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// It stands on the right only.
    Added,
    /// It stands on the left only.
    Removed,
    /// Its content differs; its mode may differ too.
    Modified,
    /// Its mode differs, its content does not.
    ModeChanged,
}

impl Difference {
    /// How the path differs.
    pub fn kind(&self) -> DifferenceKind {
        match (self.old, self.new) {
            (None, _) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            (Some(old), Some(new)) if old.object().is_some() && old.object() == new.object() => {
                DifferenceKind::ModeChanged
            }
            _ => DifferenceKind::Modified,
        }
    }
}

/// The differences of two directories in the order of their paths' components; see [`Objects::diff`]. A file that
/// became a directory, or the reverse, is told as what was removed and what was added.
pub struct Differences<'s> {
    objects: Objects<'s>,
    stack: Vec<Pair>,
    ready: Vec<Difference>,
    failed: bool,
}

/// Two directories at one path, each walked up to a byte position of its payload.
struct Pair {
    path: Vec<u8>,
    left: Side,
    right: Side,
}

type Side = std::iter::Peekable<std::vec::IntoIter<Named>>;

struct Named {
    name: Vec<u8>,
    target: EntryTarget,
}

impl<'s> Objects<'s> {
    /// The differences of the directories `old` and `new`: every file, symbolic link and link that was added,
    /// removed, or has another content or mode. Directories are not listed themselves but for one that is added or
    /// removed with nothing below it. Directories of one hash are skipped unread, so the cost is that of what
    /// differs; memory is what the directories on one path hold.
    ///
    /// An error is yielded once and ends the iteration.
    pub fn diff(&self, old: &ObjectHash, new: &ObjectHash) -> Result<Differences<'s>> {
        let mut differences = Differences {
            objects: *self,
            stack: Vec::new(),
            ready: Vec::new(),
            failed: false,
        };
        if old != new {
            differences.open(Vec::new(), Some(old), Some(new))?;
        }
        Ok(differences)
    }
}

impl Differences<'_> {
    fn open(&mut self, path: Vec<u8>, old: Option<&ObjectHash>, new: Option<&ObjectHash>) -> Result<()> {
        if self.stack.len() > MAX_DIRECTORY_DEPTH {
            return Err(TOO_DEEP);
        }
        let left = self.side(old)?;
        let right = self.side(new)?;
        self.stack.push(Pair {
            path,
            left: left.into_iter().peekable(),
            right: right.into_iter().peekable(),
        });
        Ok(())
    }

    fn side(&self, hash: Option<&ObjectHash>) -> Result<Vec<Named>> {
        let Some(hash) = hash else { return Ok(Vec::new()) };
        let directory = self.objects.directory(hash)?;
        directory
            .entries()
            .map(|entry| {
                entry.map(|entry| Named {
                    name: entry.name.to_vec(),
                    target: entry.target,
                })
            })
            .collect()
    }

    /// Takes the next name of the topmost pair; `false` when there is nothing left at all.
    fn step(&mut self) -> Result<bool> {
        let Some(pair) = self.stack.last_mut() else {
            return Ok(false);
        };
        let order = match (pair.left.peek(), pair.right.peek()) {
            (Some(left), Some(right)) => left.name.cmp(&right.name),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => {
                self.stack.pop();
                return Ok(true);
            }
        };
        let old = if order.is_le() { pair.left.next() } else { None };
        let new = if order.is_ge() { pair.right.next() } else { None };
        let Some(name) = old.as_ref().or(new.as_ref()).map(|named| named.name.as_slice()) else {
            return Ok(true);
        };
        let path = join(&pair.path, name);
        self.compare(path, old.map(|named| named.target), new.map(|named| named.target))?;
        Ok(true)
    }

    fn compare(&mut self, path: Vec<u8>, old: Option<EntryTarget>, new: Option<EntryTarget>) -> Result<()> {
        if old == new {
            return Ok(());
        }
        let (old_file, old_directory) = split(old);
        let (new_file, new_directory) = split(new);
        if old_file.is_some() || new_file.is_some() {
            self.ready.push(Difference {
                path: path.clone(),
                old: old_file,
                new: new_file,
            });
        }
        if old_directory.is_none() && new_directory.is_none() {
            return Ok(());
        }
        let (old_hash, new_hash) = (
            old_directory.and_then(|d| d.object()),
            new_directory.and_then(|d| d.object()),
        );
        self.open(path, old_hash.as_ref(), new_hash.as_ref())?;
        let empty = self
            .stack
            .last_mut()
            .is_some_and(|pair| pair.left.len() == 0 && pair.right.len() == 0);
        if empty && let Some(pair) = self.stack.pop() {
            self.ready.push(Difference {
                path: pair.path,
                old: old_directory,
                new: new_directory,
            });
        }
        Ok(())
    }
}

/// What stands at a path, apart: what has no entries, and what has.
fn split(target: Option<EntryTarget>) -> (Option<EntryTarget>, Option<EntryTarget>) {
    match target {
        Some(EntryTarget::Directory { .. }) => (None, target),
        other => (other, None),
    }
}

/// `name` below `path`.
pub(crate) fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(path.len() + 1 + name.len());
    joined.extend_from_slice(path);
    if !path.is_empty() {
        joined.push(b'/');
    }
    joined.extend_from_slice(name);
    joined
}

impl Iterator for Differences<'_> {
    type Item = Result<Difference>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(change) = (!self.ready.is_empty()).then(|| self.ready.remove(0)) {
                return Some(Ok(change));
            }
            if self.failed {
                return None;
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.failed = true;
                    self.stack.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
