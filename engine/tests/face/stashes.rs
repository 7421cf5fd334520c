//! Stashes: saving and dropping them, and every rule broken once.

use graven::format::{SnapshotIndex, StashIndex};
use graven::{NewSnapshot, UnixSeconds};

use super::support::{NOW, TestStore, corrupt, refused};

const LATER: u64 = NOW.0 + 100;

fn at(index: u32) -> StashIndex {
    StashIndex::new(index).unwrap()
}

fn save(store: &TestStore, snapshot: SnapshotIndex) -> StashIndex {
    store.at(NOW.0, |txn| txn.save_stash(snapshot, false)).unwrap()
}

fn snapshot_is_live(store: &TestStore, snapshot: SnapshotIndex) -> bool {
    store
        .store
        .read(|view| Ok(!view.snapshots()?.get(snapshot)?.tombstoned))
        .unwrap()
}

fn listed(store: &TestStore) -> Vec<StashIndex> {
    let listed = store.store.read(|view| {
        let rows = view.stashes()?.newest_first()?;
        Ok(rows.iter().map(graven::Stash::index).collect())
    });
    listed.unwrap()
}

#[test]
fn w_stash_03_a_stash_names_a_live_snapshot_of_kind_stash() {
    let store = TestStore::new();
    let (of_line, gone) = (store.snapshot("a"), store.stash_snapshot("gone"));
    store.at(NOW.0, |txn| txn.tombstone_snapshot(gone)).unwrap();
    for snapshot in [of_line, gone, SnapshotIndex::new(99).unwrap(), SnapshotIndex::MAX] {
        assert_eq!(
            store.refusal(LATER, |txn| txn.save_stash(snapshot, true)),
            ("refused", "W-STASH-03")
        );
    }
    let kept = store.stash_snapshot("kept");
    let stash = save(&store, kept);
    assert_eq!(
        store.refusal(LATER, |txn| txn.tombstone_snapshot(kept)),
        ("refused", "W-STASH-03"),
        "what a Stash names stays in use"
    );
    let content = store
        .store
        .read(|view| view.stashes()?.get(stash)?.content()?.content());
    assert_eq!(content.unwrap().message.as_deref(), Some("kept"));
}

#[test]
fn w_stash_04_w_stash_05_w_stash_06_dropping_sets_the_tombstone_bit_and_moves_no_index() {
    let store = TestStore::new();
    let snapshots = ["a", "b", "c"].map(|message| store.stash_snapshot(message));
    let stashes = snapshots.map(|snapshot| save(&store, snapshot));
    assert_eq!(stashes, [at(0), at(1), at(2)]);
    let before = store.bytes("workflow/stash.bin");
    store.at(LATER, |txn| txn.drop_stash(stashes[0])).unwrap();
    let mut expected = before;
    expected[4] |= 0x80;
    assert_eq!(
        store.bytes("workflow/stash.bin"),
        expected,
        "W-STASH-04: one bit, W-STASH-06: bit 7"
    );
    assert_eq!(listed(&store), [stashes[2], stashes[1]], "W-STASH-05");
    for (stash, snapshot) in stashes.into_iter().zip(snapshots).skip(1) {
        let named = store
            .store
            .read(|view| Ok(view.stashes()?.get(stash)?.snapshot))
            .unwrap();
        assert_eq!(named, snapshot, "W-STASH-05");
    }
    let next = store.stash_snapshot("d");
    assert_eq!(save(&store, next), at(3), "the place is not used again");
}

#[test]
fn w_stash_06_whether_the_worktree_was_cleared_is_bit_0_and_survives_the_drop() {
    let store = TestStore::new();
    let snapshot = store.stash_snapshot("a");
    let stash = store.at(NOW.0, |txn| txn.save_stash(snapshot, true)).unwrap();
    assert_eq!(store.record_bytes("stash", 8, 0), [1, 0, 0, 0, 0, 0, 0, 0]);
    store.at(LATER, |txn| txn.drop_stash(stash)).unwrap();
    assert_eq!(store.record_bytes("stash", 8, 0)[0], 0x81);
}

#[test]
fn f_2_5_the_last_stash_of_a_snapshot_takes_it_out_of_use() {
    let store = TestStore::new();
    let snapshot = store.stash_snapshot("shared");
    let (first, second) = (save(&store, snapshot), save(&store, snapshot));
    store.at(LATER, |txn| txn.drop_stash(first)).unwrap();
    assert!(snapshot_is_live(&store, snapshot), "the other Stash names it");
    let receipt = store
        .store
        .write(UnixSeconds(LATER), |txn| txn.drop_stash(second))
        .unwrap();
    assert!(!snapshot_is_live(&store, snapshot));
    assert_eq!(receipt.files, 2, "both records in one transaction");
    assert!(listed(&store).is_empty());
}

#[test]
fn f_2_5_a_snapshot_that_something_else_stands_on_stays_in_use() {
    let store = TestStore::new();
    let snapshot = store.stash_snapshot("parent");
    let stash = save(&store, snapshot);
    store.child("made from it", &[snapshot]);
    store.at(LATER, |txn| txn.drop_stash(stash)).unwrap();
    assert!(snapshot_is_live(&store, snapshot));
    assert!(listed(&store).is_empty());
}

#[test]
fn f_2_5_the_newest_snapshot_comes_first_and_of_equal_times_the_later_stash() {
    let store = TestStore::new();
    let root = store
        .store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .unwrap()
        .value
        .hash;
    let made_at = |seconds: u64| {
        let new = NewSnapshot::new(root, UnixSeconds(seconds)).kind(graven::format::SnapshotKind::Stash);
        store.at(NOW.0, |txn| txn.create_snapshot(&new)).unwrap().index
    };
    let (old, new) = (made_at(10), made_at(20));
    let stashes = [
        save(&store, new),
        save(&store, old),
        save(&store, old),
        save(&store, new),
    ];
    assert_eq!(listed(&store), [stashes[3], stashes[0], stashes[2], stashes[1]]);
}

#[test]
fn a_stash_that_does_not_exist_or_is_dropped_is_not_found() {
    let store = TestStore::new();
    let snapshot = store.stash_snapshot("a");
    let stash = save(&store, snapshot);
    assert_eq!(store.refusal(LATER, |txn| txn.drop_stash(at(1))), ("not found", ""));
    assert_eq!(
        store.refusal(LATER, |txn| txn.drop_stash(StashIndex::MAX)),
        ("not found", "")
    );
    store.at(LATER, |txn| txn.drop_stash(stash)).unwrap();
    assert_eq!(store.refusal(LATER, |txn| txn.drop_stash(stash)), ("not found", ""));
    assert_eq!(
        store.refusal(LATER, |txn| txn.save_stash(snapshot, false)),
        ("refused", "W-STASH-03"),
        "its Snapshot went with it"
    );
}

#[test]
fn w_stash_03_a_stash_that_names_no_snapshot_is_damaged_and_cannot_be_dropped() {
    let mut store = TestStore::new();
    let snapshots = ["a", "b"].map(|message| store.stash_snapshot(message));
    let stashes = snapshots.map(|snapshot| save(&store, snapshot));
    store.damage("workflow/stash.bin", 4 + 4, &99_u32.to_le_bytes());
    let damage = ("stash.bin".to_owned(), Some(0), "W-STASH-03");
    let content = store
        .store
        .read(|view| view.stashes()?.get(stashes[0])?.content().map(drop));
    assert_eq!(corrupt(content), damage);
    let order = store.store.read(|view| Ok(view.stashes()?.newest_first()?.len()));
    assert_eq!(corrupt(order), damage);
    assert_eq!(
        store.refusal(LATER, |txn| txn.drop_stash(stashes[0])),
        ("corrupt", "W-STASH-03")
    );
    store.at(LATER, |txn| txn.drop_stash(stashes[1])).unwrap();
}

#[test]
fn operations_of_one_transaction_see_each_other() {
    let store = TestStore::new();
    let snapshot = store.stash_snapshot("a");
    store
        .at(NOW.0, |txn| {
            let stash = txn.save_stash(snapshot, false)?;
            txn.drop_stash(stash)?;
            assert_eq!(refused(txn.save_stash(snapshot, false)), "W-STASH-03");
            Ok(())
        })
        .unwrap();
    assert!(!snapshot_is_live(&store, snapshot));
}
