//! The difference of two stored trees as `git fast-import` wants it: what goes, and what comes.

use std::cmp::Ordering;
use std::sync::Arc;

use graven::ObjectRecords;
use graven::format::ObjectHash;

use super::ExportError;
use crate::git::import::entry_of;
use crate::git::stream::Mode;
use crate::git::tree::{Cache, Directory, Entry, Hash};

/// The memory for directories that were read lately, in bytes.
const CACHE_BYTES: usize = 32 << 20;

/// Reads directories, remembering those used lately.
#[derive(Debug)]
pub(super) struct Trees(Cache);

/// Which half of the difference is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Paths that stand on the left only, or are a directory on one side and something else on the other.
    Gone,
    /// Files, symbolic links and links that stand on the right only or differ.
    Come,
}

/// What a walk hands out: a path, and for [`Half::Come`] what stands there.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&[u8], &Entry) -> Result<(), ExportError>;

impl Trees {
    pub(super) fn new() -> Self {
        Self(Cache::new(CACHE_BYTES))
    }

    /// Walks one half of the difference from `old` to `new`, in the order of names. Directories that are equal are not read.
    pub(super) fn walk(
        &mut self,
        objects: &ObjectRecords<'_>,
        old: Option<Hash>,
        new: Option<Hash>,
        half: Half,
        visit: Visit<'_>,
    ) -> Result<(), ExportError> {
        self.walk_below(objects, (old, new), half, &mut Vec::new(), visit)
    }

    fn walk_below(
        &mut self,
        objects: &ObjectRecords<'_>,
        (old, new): (Option<Hash>, Option<Hash>),
        half: Half,
        path: &mut Vec<u8>,
        visit: Visit<'_>,
    ) -> Result<(), ExportError> {
        if old == new {
            return Ok(());
        }
        let (old, new) = (self.load(objects, old)?, self.load(objects, new)?);
        let (mut left, mut right) = (old.entries.iter().peekable(), new.entries.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((old, _)), Some((new, _))) => old.cmp(new),
            };
            let old = if order.is_le() { left.next() } else { None };
            let new = if order.is_ge() { right.next() } else { None };
            let Some((name, _)) = old.or(new) else { continue };
            let path_len = path.len();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name);
            let (old, new) = (old.map(|(_, entry)| *entry), new.map(|(_, entry)| *entry));
            self.walk_entry(objects, old, new, half, path, visit)?;
            path.truncate(path_len);
        }
    }

    fn walk_entry(
        &mut self,
        objects: &ObjectRecords<'_>,
        old: Option<Entry>,
        new: Option<Entry>,
        half: Half,
        path: &mut Vec<u8>,
        visit: Visit<'_>,
    ) -> Result<(), ExportError> {
        let below = |entry: Option<Entry>| {
            entry
                .filter(|entry| entry.mode == Mode::Directory)
                .map(|entry| entry.hash)
        };
        let (old_below, new_below) = (below(old), below(new));
        match (old, new) {
            (Some(old), Some(new)) if old == new => Ok(()),
            (Some(_), Some(_)) if old_below.is_some() && new_below.is_some() => {
                self.walk_below(objects, (old_below, new_below), half, path, visit)
            }
            _ if half == Half::Gone => match old {
                Some(old) if new.is_none() || old_below.is_some() || new_below.is_some() => visit(path, &old),
                _ => Ok(()),
            },
            (_, Some(_)) if new_below.is_some() => self.walk_below(objects, (None, new_below), half, path, visit),
            (_, Some(new)) => visit(path, &new),
            (_, None) => Ok(()),
        }
    }

    fn load(&mut self, objects: &ObjectRecords<'_>, hash: Option<Hash>) -> Result<Arc<Directory>, graven::Error> {
        let Some(hash) = hash else {
            return Ok(Arc::default());
        };
        if let Some(known) = self.0.get(&hash) {
            return Ok(known);
        }
        let stored = objects.directory(&ObjectHash(hash))?;
        let mut directory = Directory::default();
        for entry in stored.entries() {
            let entry = entry?;
            directory.entries.push((entry.name.into(), entry_of(&entry.target)));
        }
        Ok(self.0.insert(hash, directory))
    }
}
