//! Laws of objects over trees and contents of any shape, against their plainest statements.

use std::collections::BTreeSet;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::tree::Tree;
use super::{FoldCache, Objects, PutOutcome, put_blob};
use crate::domain::testing::TestZone;
use crate::format::{EntryTarget, FileMode};

/// Trees of few names and few contents, so that two of them have much in common.
fn tree() -> impl Strategy<Value = Tree> {
    let mode = prop_oneof![
        Just(FileMode::Plain),
        Just(FileMode::Executable),
        Just(FileMode::Symlink)
    ];
    let leaf = prop_oneof![
        4 => (mode, vec(0_u8..3, 0..3)).prop_map(|(mode, content)| Tree::File(mode, content)),
        1 => (1_u8..3).prop_map(Tree::Link),
    ];
    let name = prop_oneof![Just("a"), Just("a.b"), Just("ab"), Just("b"), Just("\u{e9}")];
    let directory = move |below: BoxedStrategy<Tree>| {
        btree_map(name.clone().prop_map(|name| name.as_bytes().to_vec()), below, 0..4).prop_map(Tree::Directory)
    };
    let below = leaf.prop_recursive(4, 24, 4, {
        let directory = directory.clone();
        move |below| directory(below.boxed())
    });
    directory(below.boxed())
}

/// Runs a law over one zone: every case is a transaction that is dropped.
fn run<S: Strategy>(cases: u32, values: &S, law: impl Fn(&TestZone, S::Value) -> Result<(), TestCaseError>) {
    let zone = TestZone::objects();
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(config).run(values, |value| law(&zone, value)).unwrap();
}

#[test]
fn the_fold_of_a_directory_is_what_walking_all_its_paths_sums_up() {
    run(128, &tree(), |zone, tree| {
        let mut txn = zone.begin();
        let mut warm = FoldCache::default();
        let root = tree.put_root(&mut txn, &mut warm);
        let objects = Objects::new(&txn).unwrap();
        for cache in [&mut warm, &mut FoldCache::default(), &mut FoldCache::new(1)] {
            prop_assert_eq!(objects.fold(&root, cache).unwrap(), tree.fold());
        }
        let size = tree.fold().total_bytes;
        prop_assert_eq!(
            objects.lookup(&root, b"").unwrap(),
            EntryTarget::Directory { size, hash: root }
        );
        Ok(())
    });
}

#[test]
fn a_diff_tells_exactly_the_paths_that_differ() {
    run(256, &(tree(), tree()), |zone, (old, new)| {
        let mut txn = zone.begin();
        let mut cache = FoldCache::default();
        let (from, to) = (old.put_root(&mut txn, &mut cache), new.put_root(&mut txn, &mut cache));
        let objects = Objects::new(&txn).unwrap();
        let mut told = Vec::new();
        for change in objects.diff(&from, &to).unwrap() {
            let change = change.unwrap();
            prop_assert_ne!(change.old, change.new);
            for (side, root) in [(change.old, &from), (change.new, &to)] {
                if let Some(target) = side {
                    prop_assert_eq!(objects.lookup(root, &change.path).unwrap(), target);
                }
            }
            told.push((change.path.clone(), change.kind()));
        }
        told.sort_by_key(|(path, kind)| (path.clone(), *kind as u8));
        prop_assert_eq!(told, old.differences(&new));
        Ok(())
    });
}

#[test]
fn contents_are_stored_once_and_come_back_in_every_handle() {
    run(8, &vec(vec(0_u8..4, 0..5), 1..40), |_, contents| {
        let mut zone = TestZone::objects();
        let mut puts = Vec::new();
        for batch in contents.chunks(7) {
            let mut txn = zone.begin();
            for bytes in batch {
                puts.push(put_blob(&mut txn, bytes).unwrap());
            }
            txn.commit().unwrap();
        }
        zone.reopen();
        let view = zone.view();
        let objects = Objects::new(&view).unwrap();
        for (at, (bytes, put)) in contents.iter().zip(&puts).enumerate() {
            let new = !contents[..at].contains(bytes);
            prop_assert_eq!(put.outcome == PutOutcome::Added, new);
            prop_assert_eq!(&objects.read(put.index).unwrap(), bytes);
        }
        let different: BTreeSet<_> = contents.iter().collect();
        prop_assert_eq!(objects.len() as usize, different.len());
        Ok(())
    });
}
