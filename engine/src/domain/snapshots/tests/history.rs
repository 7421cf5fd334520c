//! Walking through histories of any shape, against the plainest statement of what an ancestor is.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// For each Snapshot the parents it gets: any of those before it.
fn histories() -> impl Strategy<Value = Vec<Vec<usize>>> {
    vec(vec(any::<prop::sample::Index>(), 0..4), 1..14).prop_map(|shape| {
        let parents_of = |(at, picks): (usize, &Vec<prop::sample::Index>)| {
            picks
                .iter()
                .filter(|_| at > 0)
                .map(|pick| pick.index(at.max(1)))
                .collect()
        };
        shape.iter().enumerate().map(parents_of).collect()
    })
}

/// Everything reachable, from the definition.
fn reachable(history: &[Vec<usize>], start: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([start]);
    for parent in &history[start] {
        seen.extend(reachable(history, *parent));
    }
    seen
}

#[test]
fn ancestors_are_exactly_what_is_reachable_each_once_and_before_its_parents() {
    // Every case is a transaction that is dropped, over the same two zones.
    let zones = Zones::new();
    let config = ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let law = |history: Vec<Vec<usize>>| check_walks(&zones, &history);
    proptest::test_runner::TestRunner::new(config)
        .run(&histories(), law)
        .unwrap();
}

fn check_walks(zones: &Zones, history: &[Vec<usize>]) -> Result<(), TestCaseError> {
    let at = |at: usize| index(u32::try_from(at).unwrap());
    let (view, mut cache) = (zones.objects.view(), FoldCache::default());
    let objects = Objects::new(&view).unwrap();
    let mut txn = zones.workflow.begin();
    for (position, parents) in history.iter().enumerate() {
        let parents: Vec<SnapshotIndex> = parents.iter().copied().map(at).collect();
        let new = NewSnapshot::new(zones.root, UnixSeconds(position as u64 + 1)).parents(&parents);
        prop_assert!(create(&mut txn, &objects, &new, &mut cache).unwrap().added);
    }
    let snapshots = Snapshots::new(&txn).unwrap();
    for start in 0..history.len() {
        let walked: Vec<usize> = snapshots
            .ancestors([at(start)])
            .map(|entry| entry.unwrap().0.get() as usize)
            .collect();
        let expected = reachable(history, start);
        prop_assert_eq!(&walked.iter().copied().collect::<BTreeSet<_>>(), &expected);
        prop_assert_eq!(walked.len(), expected.len());
        for (position, snapshot) in walked.iter().enumerate() {
            let later = &walked[position..];
            prop_assert!(history[*snapshot].iter().all(|parent| later.contains(parent)));
        }
        for other in 0..history.len() {
            prop_assert_eq!(
                snapshots.is_ancestor(at(other), at(start)).unwrap(),
                expected.contains(&other)
            );
        }
        let firsts: Vec<usize> = snapshots
            .first_parents(at(start))
            .map(|entry| entry.unwrap().0.get() as usize)
            .collect();
        let plain: Vec<usize> = std::iter::successors(Some(start), |at| history[*at].first().copied()).collect();
        prop_assert_eq!(firsts, plain);
    }
    Ok(())
}

#[test]
fn f_2_16_a_parent_that_does_not_stand_before_its_child_is_corrupt_and_ends_a_walk() {
    let mut zones = Zones::new();
    let chain = zones.chain(3);
    // parent_snapshot_index_plus1 of record 1 stands at 4 + 88 + 20; it becomes its own parent, then its child's child.
    for parent_plus1 in [2, 3] {
        zones.workflow.damage("snapshot.bin", 112, &[parent_plus1]);
        let view = zones.workflow.view();
        let snapshots = Snapshots::new(&view).unwrap();
        let walked: Vec<_> = snapshots.ancestors([chain[2]]).collect();
        assert_eq!(walked.len(), 2, "the error ends the walk");
        assert!(
            matches!(
                walked[1],
                Err(Error::Corrupt {
                    record: Some(1),
                    rule: "F-2.16",
                    ..
                })
            ),
            "{walked:?}"
        );
        assert_eq!(snapshots.first_parents(chain[2]).count(), 2);
        assert!(snapshots.is_ancestor(chain[0], chain[2]).is_err());
    }
}

#[test]
fn f_2_16_a_further_parent_that_does_not_stand_before_its_child_is_corrupt() {
    let mut zones = Zones::new();
    let chain = zones.chain(2);
    let merge = zones
        .create(&NewSnapshot::new(zones.root, AT).parents(&chain))
        .unwrap()
        .index;
    // The payload is the only one: version 1, count 1, then the further parent, which becomes the merge itself.
    zones.workflow.damage("snapshot_payload.bin", 7, &[3]);
    let view = zones.workflow.view();
    let snapshots = Snapshots::new(&view).unwrap();
    assert_eq!(rule_of(snapshots.parents(merge)), "F-2.16");
    assert!(snapshots.ancestors([merge]).next().unwrap().is_err());
}

#[test]
fn f_2_16_a_payload_past_its_file_s_end_is_corrupt() {
    let mut zones = Zones::new();
    let created = zones
        .create(&NewSnapshot::new(zones.root, AT).message("message"))
        .unwrap();
    // payload_len of record 0 stands at 4 + 2.
    zones.workflow.damage("snapshot.bin", 6, &[0xff]);
    let view = zones.workflow.view();
    let snapshots = Snapshots::new(&view).unwrap();
    let snapshot = snapshots.get(created.index).unwrap();
    let content = snapshots.content(created.index, &snapshot);
    assert!(
        matches!(content, Err(Error::Corrupt { record: Some(0), .. })),
        "{content:?}"
    );
}

#[test]
fn walking_a_long_chain_needs_no_more_than_one_note() {
    let mut zones = Zones::new();
    let chain = zones.chain(200);
    let view = zones.workflow.view();
    let snapshots = Snapshots::new(&view).unwrap();
    assert_eq!(snapshots.ancestors([chain[199], chain[100]]).count(), 200);
    assert_eq!(snapshots.first_parents(chain[199]).count(), 200);
}
