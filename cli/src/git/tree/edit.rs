//! Applying a commit's changes to its parent's tree.

use std::collections::BTreeMap;

use super::directory::{Directories, Directory, Entry, Hash, Name};
use crate::git::stream::{Mode, TreePath};

/// A tree that changes are applied to.
///
/// After an error of the [`Directories`] its state is unspecified; drop it.
#[derive(Debug)]
pub struct Tree {
    root: Child,
}

/// Why a change cannot be applied.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError<E> {
    /// `R` or `C` of a path that does not exist.
    #[error("the source path does not exist")]
    MissingSource,
    /// Something that is not a directory cannot be the root.
    #[error("the root can only be a directory")]
    RootNotDirectory,
    /// The sizes below a directory exceed 64 bits.
    #[error("a directory holds more than {} bytes", u64::MAX)]
    TooManyBytes,
    /// A directory could not be read or stored.
    #[error(transparent)]
    Directories(E),
}

#[derive(Debug)]
enum Child {
    /// As stored, or a file, symbolic link or link.
    Closed(Entry),
    Open(Box<OpenDirectory>),
}

#[derive(Debug, Default)]
struct OpenDirectory {
    /// What it was opened from, as long as nothing in it has changed.
    unchanged: Option<Entry>,
    children: BTreeMap<Name, Child>,
}

impl Tree {
    /// The tree of a stored root directory.
    pub fn stored(root: Entry) -> Self {
        Self {
            root: Child::Closed(root),
        }
    }

    /// The empty tree.
    pub fn empty() -> Self {
        Self {
            root: Child::Open(Box::default()),
        }
    }

    /// `M`: puts `entry` at `path`. A directory must not be empty, other than at the root.
    pub fn set<D: Directories>(
        &mut self,
        path: &TreePath,
        entry: Entry,
        store: &mut D,
    ) -> Result<(), TreeError<D::Error>> {
        if path.is_root() {
            if entry.mode != Mode::Directory {
                return Err(TreeError::RootNotDirectory);
            }
            self.root = Child::Closed(entry);
            return Ok(());
        }
        let mut at = &mut self.root;
        let mut names = path.names().peekable();
        while let Some(name) = names.next() {
            let directory = open(at, store)?;
            if names.peek().is_none() {
                if !matches!(directory.children.get(name), Some(Child::Closed(old)) if *old == entry) {
                    directory.unchanged = None;
                    directory.children.insert(name.into(), Child::Closed(entry));
                }
                return Ok(());
            }
            let is_directory = directory.children.get(name).is_some_and(Child::is_directory);
            if !is_directory {
                directory.children.insert(name.into(), Child::Open(Box::default()));
            }
            // Something below is about to change, or is equal; the latter costs one comparison at the end.
            directory.unchanged = None;
            let Some(child) = directory.children.get_mut(name) else {
                break;
            };
            at = child;
        }
        Ok(())
    }

    /// `D`: takes away what stands at `path`, if anything does, and every directory that becomes empty by it, but for the root.
    pub fn remove<D: Directories>(&mut self, path: &TreePath, store: &mut D) -> Result<(), TreeError<D::Error>> {
        if path.is_root() {
            self.clear();
            return Ok(());
        }
        let names: Vec<_> = path.names().collect();
        take(&mut self.root, &names, store)?;
        Ok(())
    }

    /// `deleteall`.
    pub fn clear(&mut self) {
        *self = Self::empty();
    }

    /// `C`: puts what stands at `source` at `target` as well.
    pub fn copy<D: Directories>(
        &mut self,
        source: &TreePath,
        target: &TreePath,
        store: &mut D,
    ) -> Result<(), TreeError<D::Error>> {
        let mut at = &mut self.root;
        for name in source.names() {
            if !at.is_directory() {
                return Err(TreeError::MissingSource);
            }
            at = open(at, store)?
                .children
                .get_mut(name)
                .ok_or(TreeError::MissingSource)?;
        }
        // Stored here and now: copying open directories would let a few lines make a tree of any size in memory.
        let entry = close(at, store)?;
        self.graft(target, entry, store)
    }

    /// `R`: moves what stands at `source` to `target`.
    pub fn rename<D: Directories>(
        &mut self,
        source: &TreePath,
        target: &TreePath,
        store: &mut D,
    ) -> Result<(), TreeError<D::Error>> {
        let mut moved = if source.is_root() {
            std::mem::replace(self, Self::empty()).root
        } else {
            let names: Vec<_> = source.names().collect();
            take(&mut self.root, &names, store)?.ok_or(TreeError::MissingSource)?
        };
        // Closed, so that open directories never lie deeper than a path is long.
        let entry = close(&mut moved, store)?;
        self.graft(target, entry, store)
    }

    /// Stores every changed directory and answers the root's entry.
    pub fn finish<D: Directories>(mut self, store: &mut D) -> Result<Entry, TreeError<D::Error>> {
        close(&mut self.root, store)
    }

    fn graft<D: Directories>(
        &mut self,
        target: &TreePath,
        entry: Entry,
        store: &mut D,
    ) -> Result<(), TreeError<D::Error>> {
        let is_empty = entry.mode == Mode::Directory
            && store
                .load(&entry.hash)
                .map_err(TreeError::Directories)?
                .entries
                .is_empty();
        if is_empty && !target.is_root() {
            return self.remove(target, store);
        }
        self.set(target, entry, store)
    }
}

impl Child {
    fn is_directory(&self) -> bool {
        match self {
            Self::Closed(entry) => entry.mode == Mode::Directory,
            Self::Open(_) => true,
        }
    }
}

/// Opens a directory; anything else becomes an empty one.
fn open<'c, D: Directories>(child: &'c mut Child, store: &mut D) -> Result<&'c mut OpenDirectory, TreeError<D::Error>> {
    if let Child::Closed(entry) = child {
        let mut directory = OpenDirectory::default();
        if entry.mode == Mode::Directory {
            let stored = store.load(&entry.hash).map_err(TreeError::Directories)?;
            directory.unchanged = Some(*entry);
            directory.children = stored
                .entries
                .iter()
                .map(|(name, entry)| (name.clone(), Child::Closed(*entry)))
                .collect();
        }
        *child = Child::Open(Box::new(directory));
    }
    match child {
        Child::Open(directory) => Ok(directory),
        Child::Closed(_) => unreachable!("it was opened above"),
    }
}

/// Takes the child at `names` (at least one) out of the directory `at`, with the directories that become empty by it.
fn take<D: Directories>(at: &mut Child, names: &[&[u8]], store: &mut D) -> Result<Option<Child>, TreeError<D::Error>> {
    let Some((name, below)) = names.split_first() else {
        return Ok(None);
    };
    let directory = open(at, store)?;
    let Some(child) = directory.children.get_mut(*name) else {
        return Ok(None);
    };
    if below.is_empty() {
        directory.unchanged = None;
        return Ok(directory.children.remove(*name));
    }
    if !child.is_directory() {
        return Ok(None);
    }
    let taken = take(child, below, store)?;
    if taken.is_some() {
        directory.unchanged = None;
        if matches!(child, Child::Open(open) if open.children.is_empty()) {
            directory.children.remove(*name);
        }
    }
    Ok(taken)
}

/// Stores an open directory with all below it that changed, and leaves it closed.
fn close<D: Directories>(child: &mut Child, store: &mut D) -> Result<Entry, TreeError<D::Error>> {
    let directory = match child {
        Child::Closed(entry) => return Ok(*entry),
        Child::Open(directory) => directory,
    };
    let entry = match directory.unchanged {
        Some(entry) => entry,
        None => store_directory(std::mem::take(&mut directory.children), store)?,
    };
    *child = Child::Closed(entry);
    Ok(entry)
}

fn store_directory<D: Directories>(
    children: BTreeMap<Name, Child>,
    store: &mut D,
) -> Result<Entry, TreeError<D::Error>> {
    let mut entries = Vec::with_capacity(children.len());
    for (name, mut child) in children {
        entries.push((name, close(&mut child, store)?));
    }
    let directory = Directory { entries };
    let size = directory.total_bytes().ok_or(TreeError::TooManyBytes)?;
    let hash: Hash = store.store(directory).map_err(TreeError::Directories)?;
    Ok(Entry {
        mode: Mode::Directory,
        size,
        hash,
    })
}
