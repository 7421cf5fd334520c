//! The recursive fold of a directory: how many files, how many bytes, how deep.

use std::collections::HashMap;

use super::records::{FILE, Objects, PAYLOAD_FILE, RULE};
use crate::domain::{Error, Result};
use crate::format::{EntryTarget, MAX_DIRECTORY_DEPTH, ObjectHash, ObjectKind};

/// What lies below a directory, every path counted (F-0.3, F-2.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Files and symbolic links on all paths; links to other repositories do not count.
    pub file_count: u32,
    /// Their bytes.
    pub total_bytes: u64,
    /// Directories on the longest path below it: 0 for a directory without directories.
    pub depth: u16,
}

impl Fold {
    /// The fold of the empty directory.
    pub const EMPTY: Self = Self {
        file_count: 0,
        total_bytes: 0,
        depth: 0,
    };

    /// Adds one file or symbolic link of `size` bytes.
    pub(crate) fn add_file(&mut self, size: u64) -> Result<()> {
        self.file_count = self.file_count.checked_add(1).ok_or(TOO_MANY_FILES)?;
        self.total_bytes = self.total_bytes.checked_add(size).ok_or(TOO_MANY_BYTES)?;
        Ok(())
    }

    /// Adds a directory that stands here under `times` names.
    pub(crate) fn add_directory(&mut self, below: Self, times: u32) -> Result<()> {
        let files = below
            .file_count
            .checked_mul(times)
            .and_then(|files| self.file_count.checked_add(files));
        let bytes = below
            .total_bytes
            .checked_mul(u64::from(times))
            .and_then(|bytes| self.total_bytes.checked_add(bytes));
        self.file_count = files.ok_or(TOO_MANY_FILES)?;
        self.total_bytes = bytes.ok_or(TOO_MANY_BYTES)?;
        self.depth = self.depth.max(below.depth.saturating_add(1));
        if usize::from(self.depth) > MAX_DIRECTORY_DEPTH {
            Err(TOO_DEEP)
        } else {
            Ok(())
        }
    }
}

const TOO_MANY_FILES: Error = Error::Exhausted {
    what: "files below a directory",
    limit: u32::MAX as u64,
};
const TOO_MANY_BYTES: Error = Error::Exhausted {
    what: "bytes below a directory",
    limit: u64::MAX,
};
/// A directory lies deeper below its root than F-0.3 allows.
pub(crate) const TOO_DEEP: Error = Error::Exhausted {
    what: "depth of directories (F-0.3)",
    limit: MAX_DIRECTORY_DEPTH as u64,
};

/// Folds that are already known, at most a fixed number of them. Since a directory's hash fixes its fold, what is
/// remembered stays right whatever happens to a transaction; whether an object is stored is never remembered here.
///
/// Keep one for the length of an import or of a handle: it makes the fold of a new root cost its changed
/// directories only.
#[derive(Debug)]
pub struct FoldCache {
    young: HashMap<ObjectHash, Fold>,
    old: HashMap<ObjectHash, Fold>,
    generation_len: usize,
}

impl Default for FoldCache {
    /// A cache of at most 2^18 directories, about 24 MiB.
    fn default() -> Self {
        Self::new(1 << 18)
    }
}

impl FoldCache {
    /// A cache of at most `limit` directories.
    pub fn new(limit: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            generation_len: (limit / 2).max(1),
        }
    }

    /// The fold of that directory, where it is known.
    pub fn get(&mut self, hash: &ObjectHash) -> Option<Fold> {
        if let Some(known) = self.young.get(hash) {
            return Some(*known);
        }
        let known = self.old.remove(hash)?;
        self.insert(*hash, known);
        Some(known)
    }

    /// Remembers a fold, forgetting those not asked for the longest time where there are too many.
    pub(crate) fn insert(&mut self, hash: ObjectHash, fold: Fold) {
        if self.young.len() >= self.generation_len {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, fold);
    }
}

/// A directory whose fold is being made: what is summed up so far, and the directories still to be added.
struct Frame {
    hash: ObjectHash,
    sum: Fold,
    below: Vec<Below>,
}

/// A directory below another, under `times` names.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Below {
    hash: ObjectHash,
    size: u64,
    times: u32,
}

impl Objects<'_> {
    /// The fold of the directory `root`: reads, verified, only the directories that `cache` does not know, each
    /// once, without recursion, holding at most one directory and the hashes of one path.
    ///
    /// `NotFound`: there is no such object. `Corrupt`: a directory below is missing, is damaged, or has another
    /// size than its entry says. `Exhausted`: deeper than [`MAX_DIRECTORY_DEPTH`], or a sum that overflows (F-0.3).
    pub fn fold(&self, root: &ObjectHash, cache: &mut FoldCache) -> Result<Fold> {
        // What the cache knows may have been put by a transaction that was never committed.
        self.require(root, ObjectKind::Directory)?;
        self.fold_stored(root, cache)
    }

    /// The fold of a directory that is known to be stored.
    pub(super) fn fold_stored(&self, root: &ObjectHash, cache: &mut FoldCache) -> Result<Fold> {
        if let Some(known) = cache.get(root) {
            return Ok(known);
        }
        let mut stack = vec![self.open_frame(root)?];
        while let Some(frame) = stack.last_mut() {
            let Some(below) = frame.below.pop() else {
                let sum = frame.sum;
                cache.insert(frame.hash, sum);
                stack.pop();
                if stack.is_empty() {
                    return Ok(sum);
                }
                continue;
            };
            let hash = below.hash;
            if let Some(known) = cache.get(&hash) {
                frame.sum = add_below(frame, &below, known)?;
                continue;
            }
            // Its fold is in the cache when this frame is on top again.
            let above = frame.hash;
            frame.below.push(below);
            if stack.len() > MAX_DIRECTORY_DEPTH {
                return Err(TOO_DEEP);
            }
            stack.push(
                self.open_frame(&hash)
                    .map_err(|error| missing_below(error, &above, &hash))?,
            );
        }
        Err(Error::not_found(format!("the directory {root}")))
    }

    fn open_frame(&self, hash: &ObjectHash) -> Result<Frame> {
        let directory = self.directory(hash)?;
        let mut frame = Frame {
            hash: *hash,
            sum: Fold::EMPTY,
            below: Vec::new(),
        };
        for entry in directory.entries() {
            let entry = entry?;
            match entry.target {
                EntryTarget::File { size, .. } => frame.sum.add_file(size)?,
                EntryTarget::Directory { size, hash } => frame.below.push(Below { hash, size, times: 1 }),
                EntryTarget::Link(_) => {}
            }
        }
        frame.below.sort_unstable();
        frame.below.dedup_by(|next, kept| {
            let same = (next.hash, next.size) == (kept.hash, kept.size);
            kept.times += u32::from(same);
            same
        });
        Ok(frame)
    }
}

fn add_below(frame: &Frame, below: &Below, fold: Fold) -> Result<Fold> {
    if below.size != fold.total_bytes {
        let message = format!(
            "directory {} gives directory {} a size of {} bytes, it has {}",
            frame.hash, below.hash, below.size, fold.total_bytes
        );
        return Err(Error::corrupt(PAYLOAD_FILE, None, RULE, message));
    }
    let mut sum = frame.sum;
    sum.add_directory(fold, below.times)?;
    Ok(sum)
}

fn missing_below(error: Error, above: &ObjectHash, below: &ObjectHash) -> Error {
    match error {
        Error::NotFound { .. } => Error::corrupt(
            FILE,
            None,
            RULE,
            format!("directory {above} refers to {below}, which is missing"),
        ),
        other => other,
    }
}
