//! The tree against a plain model: a map from whole paths to files, with `git fast-import`'s rules written out.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::git::stream::{Mode, Position, TreePath};

/// Directories in memory, hashed by their content.
#[derive(Default)]
struct Memory {
    stored: HashMap<Hash, Arc<Directory>>,
    loads: usize,
    stores: usize,
}

impl Directories for Memory {
    type Error = Infallible;

    fn load(&mut self, hash: &Hash) -> Result<Arc<Directory>, Infallible> {
        self.loads += 1;
        Ok(self.stored[hash].clone())
    }

    fn store(&mut self, directory: Directory) -> Result<Hash, Infallible> {
        self.stores += 1;
        let mut text = Vec::new();
        for (name, entry) in &directory.entries {
            text.extend_from_slice(format!("{:o} {} {:?} ", entry.mode.bits(), entry.size, entry.hash).as_bytes());
            text.extend_from_slice(name);
            text.push(0);
        }
        // Not a good hash, but a different one for each of the few directories of a test.
        let mut hash = [0_u8; 32];
        for (at, byte) in text.iter().enumerate() {
            let slot = &mut hash[at % 32];
            *slot = slot.rotate_left(3).wrapping_mul(31) ^ byte;
        }
        hash[31] = u8::try_from(text.len() % 251).expect("below 251");
        if let Some(there) = self.stored.insert(hash, Arc::new(directory.clone())) {
            assert_eq!(*there, directory, "the test's hash is too weak");
        }
        Ok(hash)
    }
}

impl Memory {
    fn files(&self, root: Entry) -> BTreeMap<String, Entry> {
        let mut files = BTreeMap::new();
        self.collect(&root.hash, "", &mut files);
        files
    }

    fn collect(&self, hash: &Hash, above: &str, files: &mut BTreeMap<String, Entry>) {
        let directory = &self.stored[hash];
        assert!(
            !directory.entries.is_empty() || above.is_empty(),
            "the empty directory {above} was stored"
        );
        assert!(directory.entries.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, entry) in &directory.entries {
            let path = format!("{above}{}", String::from_utf8_lossy(name));
            if entry.mode == Mode::Directory {
                let below = &self.stored[&entry.hash];
                assert_eq!(below.total_bytes(), Some(entry.size));
                self.collect(&entry.hash, &format!("{path}/"), files);
            } else {
                files.insert(path, *entry);
            }
        }
    }
}

fn path(text: &str) -> TreePath {
    TreePath::new(text.as_bytes().to_vec(), Position::START).expect("a path")
}

fn file(content: u8) -> Entry {
    Entry {
        mode: Mode::File,
        size: u64::from(content),
        hash: [content; 32],
    }
}

fn tree_of(paths: &[&str], memory: &mut Memory) -> Entry {
    let mut tree = Tree::empty();
    for (at, text) in paths.iter().enumerate() {
        tree.set(&path(text), file(u8::try_from(at + 1).expect("few")), memory)
            .expect("set");
    }
    tree.finish(memory).expect("finish")
}

#[test]
fn a_change_opens_and_stores_only_the_directories_on_its_way() {
    let mut memory = Memory::default();
    let root = tree_of(&["a/b/c/f", "a/b/g", "d/e/h", "i"], &mut memory);
    (memory.loads, memory.stores) = (0, 0);
    let mut tree = Tree::stored(root);
    tree.set(&path("a/b/g"), file(9), &mut memory).expect("set");
    let changed = tree.finish(&mut memory).expect("finish");
    assert_eq!((memory.loads, memory.stores), (3, 3));
    assert_eq!(changed.size, root.size - 2 + 9);
}

#[test]
fn a_tree_that_is_only_looked_at_stores_nothing() {
    let mut memory = Memory::default();
    let root = tree_of(&["a/b/c"], &mut memory);
    memory.stores = 0;
    let mut tree = Tree::stored(root);
    tree.remove(&path("a/b/x"), &mut memory).expect("remove");
    tree.remove(&path("a/b/c/x"), &mut memory).expect("remove");
    assert_eq!(tree.finish(&mut memory).expect("finish"), root);
    assert_eq!(memory.stores, 0);
}

#[test]
fn a_missing_source_and_a_file_as_root_are_errors() {
    let mut memory = Memory::default();
    let root = tree_of(&["a/b", "c"], &mut memory);
    let mut tree = Tree::stored(root);
    for source in ["x", "a/x", "c/x", "a/b/x"] {
        assert_eq!(
            tree.copy(&path(source), &path("y"), &mut memory),
            Err(TreeError::MissingSource)
        );
        assert_eq!(
            tree.rename(&path(source), &path("y"), &mut memory),
            Err(TreeError::MissingSource)
        );
    }
    assert_eq!(
        tree.set(&path(""), file(1), &mut memory),
        Err(TreeError::RootNotDirectory)
    );
    assert_eq!(
        tree.copy(&path("c"), &path(""), &mut memory),
        Err(TreeError::RootNotDirectory)
    );
    // An emptied directory is gone at once, so it cannot be a source any more.
    tree.remove(&path("a/b"), &mut memory).expect("remove");
    assert_eq!(
        tree.copy(&path("a"), &path("y"), &mut memory),
        Err(TreeError::MissingSource)
    );
}

#[test]
fn doubling_copies_cost_no_memory() {
    let mut memory = Memory::default();
    let root = tree_of(&["a/f"], &mut memory);
    let mut tree = Tree::stored(root);
    for _ in 0..50 {
        tree.copy(&path("a"), &path("b"), &mut memory).expect("copy");
        tree.rename(&path("b"), &path("a/x"), &mut memory).expect("rename");
    }
    assert!(tree.finish(&mut memory).is_ok());
    assert!(memory.stores < 1_000);
}

#[derive(Clone, Debug)]
enum Step {
    Set(String, u8),
    Remove(String),
    Copy(String, String),
    Rename(String, String),
    Clear,
    Commit,
}

type Files = BTreeMap<String, u8>;

fn below(files: &Files, top: &str) -> Vec<(String, u8)> {
    let prefix = format!("{top}/");
    let inside = files
        .iter()
        .filter(|(path, _)| top.is_empty() || *path == top || path.starts_with(&prefix));
    inside
        .map(|(path, content)| (path[top.len()..].trim_start_matches('/').to_owned(), *content))
        .collect()
}

fn model_remove(files: &mut Files, top: &str) {
    let prefix = format!("{top}/");
    files.retain(|path, _| !top.is_empty() && path != top && !path.starts_with(&prefix));
}

fn model_put(files: &mut Files, target: &str, moved: Vec<(String, u8)>) {
    model_remove(files, target);
    files.retain(|path, _| !target.starts_with(&format!("{path}/")));
    for (rest, content) in moved {
        let path = [target, &rest]
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join("/");
        files.insert(path, content);
    }
}

/// Whether the step is allowed; the model then has it done.
fn model_step(files: &mut Files, step: &Step) -> bool {
    match step {
        Step::Set(path, content) => model_put(files, path, vec![(String::new(), *content)]),
        Step::Remove(path) => model_remove(files, path),
        Step::Clear => files.clear(),
        Step::Commit => {}
        Step::Copy(source, target) | Step::Rename(source, target) => {
            let moved = below(files, source);
            if moved.is_empty() && !source.is_empty() {
                return false;
            }
            let is_file = matches!(moved.as_slice(), [(rest, _)] if rest.is_empty());
            if matches!(step, Step::Rename(..)) {
                model_remove(files, source);
            }
            if target.is_empty() && is_file {
                return false;
            }
            if moved.is_empty() {
                model_remove(files, target);
            } else {
                model_put(files, target, moved);
            }
        }
    }
    true
}

fn any_path() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof![Just("a"), Just("b"), Just("c")], 0..4).prop_map(|names| names.join("/"))
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (any_path(), 1..5_u8).prop_filter_map("a file is never the root", |(path, content)| {
            (!path.is_empty()).then_some(Step::Set(path, content))
        }),
        3 => any_path().prop_map(Step::Remove),
        3 => (any_path(), any_path()).prop_map(|(source, target)| Step::Copy(source, target)),
        3 => (any_path(), any_path()).prop_map(|(source, target)| Step::Rename(source, target)),
        1 => Just(Step::Clear),
        2 => Just(Step::Commit),
    ]
}

proptest! {
    #[test]
    fn every_sequence_of_changes_agrees_with_the_model(steps in proptest::collection::vec(any_step(), 0..30)) {
        let mut memory = Memory::default();
        let mut tree = Tree::empty();
        let mut files = Files::new();
        for step in steps {
            let allowed = model_step(&mut files, &step);
            let done = match &step {
                Step::Set(at, content) => tree.set(&path(at), file(*content), &mut memory),
                Step::Remove(at) => tree.remove(&path(at), &mut memory),
                Step::Copy(source, target) => tree.copy(&path(source), &path(target), &mut memory),
                Step::Rename(source, target) => tree.rename(&path(source), &path(target), &mut memory),
                Step::Clear => {
                    tree.clear();
                    Ok(())
                }
                Step::Commit => {
                    let root = std::mem::replace(&mut tree, Tree::empty()).finish(&mut memory).expect("finish");
                    tree = Tree::stored(root);
                    Ok(())
                }
            };
            prop_assert_eq!(done.is_ok(), allowed, "{:?}", step);
            if !allowed {
                return Ok(());
            }
        }
        let root = tree.finish(&mut memory).expect("finish");
        let found = memory.files(root);
        let wanted: BTreeMap<_, _> = files.into_iter().map(|(path, content)| (path, file(content))).collect();
        prop_assert_eq!(found, wanted);
    }
}
