//! The tree of a commit while its changes are applied: only what changes is opened, only what changed is stored.
//!
//! A [`Tree`] starts as the hash of a root directory. A change opens the directories on its way (from the caller's [`Directories`], which may
//! keep them in memory), and [`Tree::finish`] stores the changed ones from the bottom up. So a commit costs its changed directories, whatever
//! the size of the tree.
//!
//! The meaning of each change is that of `git fast-import`: a file replaces a directory of its name and the reverse, directories that become
//! empty disappear at once, the empty root stays.

mod cache;
mod directory;
mod edit;
#[cfg(test)]
mod tests;

pub use cache::Cache;
pub use directory::{Directories, Directory, Entry, Hash, Name};
pub use edit::{Tree, TreeError};
