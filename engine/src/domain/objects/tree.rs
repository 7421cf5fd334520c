//! Trees in the plainest form, for tests: put into a zone, and what fold and diff must say of them.

use std::collections::BTreeMap;

use super::{DifferenceKind, Fold, FoldCache, put_blob, put_directory};
use crate::format::{DirectoryEntry, EntryTarget, FileMode, LinkId, ObjectHash};
use crate::store::Transaction;

/// A file, a link, or a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    File(FileMode, Vec<u8>),
    Link(u8),
    Directory(BTreeMap<Vec<u8>, Tree>),
}

impl Tree {
    pub(crate) fn file(content: &str) -> Self {
        Self::File(FileMode::Plain, content.as_bytes().to_vec())
    }

    pub(crate) fn directory<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Directory(
            entries
                .into_iter()
                .map(|(name, tree)| (name.as_bytes().to_vec(), tree))
                .collect(),
        )
    }

    /// Puts it, and everything below it first; answers what an entry for it says.
    pub(crate) fn put(&self, txn: &mut Transaction<'_>, cache: &mut FoldCache) -> EntryTarget {
        match self {
            Self::File(mode, content) => {
                let put = put_blob(txn, content).unwrap();
                EntryTarget::File {
                    mode: *mode,
                    size: put.len,
                    hash: put.hash,
                }
            }
            Self::Link(id) => EntryTarget::Link(LinkId::from_20([*id; 20])),
            Self::Directory(below) => {
                let targets: Vec<EntryTarget> = below.values().map(|tree| tree.put(txn, cache)).collect();
                let entries: Vec<DirectoryEntry<'_>> = below
                    .keys()
                    .zip(&targets)
                    .map(|(name, target)| DirectoryEntry { name, target: *target })
                    .collect();
                let hash = put_directory(txn, &entries, cache).unwrap().hash;
                EntryTarget::Directory {
                    size: targets.iter().map(EntryTarget::size).sum(),
                    hash,
                }
            }
        }
    }

    /// Puts a directory and answers its hash.
    pub(crate) fn put_root(&self, txn: &mut Transaction<'_>, cache: &mut FoldCache) -> ObjectHash {
        self.put(txn, cache).object().unwrap()
    }

    /// Its fold, from its definition.
    pub(crate) fn fold(&self) -> Fold {
        match self {
            Self::File(_, content) => Fold {
                file_count: 1,
                total_bytes: content.len() as u64,
                depth: 0,
            },
            Self::Link(_) => Fold::EMPTY,
            Self::Directory(below) => below.values().fold(Fold::EMPTY, |sum, tree| {
                let fold = tree.fold();
                let down = u16::from(matches!(tree, Self::Directory(_)));
                Fold {
                    file_count: sum.file_count + fold.file_count,
                    total_bytes: sum.total_bytes + fold.total_bytes,
                    depth: sum.depth.max(fold.depth + down),
                }
            }),
        }
    }

    /// Everything that has a path of its own: what is no directory, and empty directories below the root.
    fn leaves(&self) -> BTreeMap<Vec<u8>, &Self> {
        let mut leaves = BTreeMap::new();
        self.add_leaves(&[], &mut leaves);
        leaves
    }

    fn add_leaves<'t>(&'t self, path: &[u8], leaves: &mut BTreeMap<Vec<u8>, &'t Self>) {
        let below = match self {
            Self::Directory(below) if path.is_empty() || !below.is_empty() => below,
            _ => {
                leaves.insert(path.to_vec(), self);
                return;
            }
        };
        for (name, tree) in below {
            tree.add_leaves(&super::diff::join(path, name), leaves);
        }
    }

    fn at(&self, path: &[u8]) -> Option<&Self> {
        path.split(|byte| *byte == b'/')
            .try_fold(self, |tree, name| match tree {
                Self::Directory(below) => below.get(name),
                _ => None,
            })
    }

    /// The differences, from their definition: sorted, a path with what becomes of it.
    pub(crate) fn differences(&self, new: &Self) -> Vec<(Vec<u8>, DifferenceKind)> {
        let (old_leaves, new_leaves) = (self.leaves(), new.leaves());
        let mut found = Vec::new();
        for (path, old) in &old_leaves {
            match (old, new_leaves.get(path)) {
                (old, Some(new)) if old == new => {}
                (Self::File(_, old), Some(Self::File(_, new))) if old == new => {
                    found.push((path.clone(), DifferenceKind::ModeChanged));
                }
                (Self::Directory(_), Some(_)) | (_, Some(Self::Directory(_))) => {
                    found.push((path.clone(), DifferenceKind::Removed));
                    found.push((path.clone(), DifferenceKind::Added));
                }
                (_, Some(_)) => found.push((path.clone(), DifferenceKind::Modified)),
                // An empty directory that is filled is told by what fills it.
                (Self::Directory(_), None) if matches!(new.at(path), Some(Self::Directory(_))) => {}
                (_, None) => found.push((path.clone(), DifferenceKind::Removed)),
            }
        }
        for (path, leaf) in &new_leaves {
            let emptied = matches!(leaf, Self::Directory(_)) && matches!(self.at(path), Some(Self::Directory(_)));
            if !old_leaves.contains_key(path) && !emptied {
                found.push((path.clone(), DifferenceKind::Added));
            }
        }
        found.sort_by_key(|(path, kind)| (path.clone(), *kind as u8));
        found
    }
}
