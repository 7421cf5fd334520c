//! What a Snapshot may not be, and what keeps one in use.

use super::*;
use crate::domain::tags;
use crate::format::{MAX_PARENTS, SnapshotPayload};

#[test]
fn f_1_a_time_of_0_is_refused() {
    let mut zones = Zones::new();
    assert_eq!(
        rule_of(zones.create(&NewSnapshot::new(zones.root, UnixSeconds(0)))),
        "F-1"
    );
}

#[test]
fn g13_more_than_64_parents_in_all_are_refused_assigned_by_us() {
    let mut zones = Zones::new();
    let chain = zones.chain(MAX_PARENTS as u64 + 1);
    let many = zones.create(&NewSnapshot::new(zones.root, AT).parents(&chain));
    assert!(matches!(many, Err(Error::Exhausted { limit: 64, .. })), "{many:?}");
}

#[test]
fn f_2_16_a_parent_is_live() {
    let mut zones = Zones::new();
    let chain = zones.chain(2);
    zones.write(|txn| tombstone(txn, chain[1])).unwrap();
    for parents in [[chain[1]], [index(2)], [SnapshotIndex::MAX]] {
        assert_eq!(
            rule_of(zones.create(&NewSnapshot::new(zones.root, AT).parents(&parents))),
            "F-2.16"
        );
    }
}

#[test]
fn f_2_16_a_history_boundary_has_no_parents() {
    let mut zones = Zones::new();
    let chain = zones.chain(1);
    let new = NewSnapshot::new(zones.root, AT).parents(&chain).history_boundary();
    assert_eq!(rule_of(zones.create(&new)), "F-2.16");
}

#[test]
fn f_0_3_a_root_is_a_directory_that_is_stored() {
    let mut zones = Zones::new();
    let blob = crate::format::object_hash(crate::format::ObjectKind::Blob, b"four");
    for root in [ObjectHash([5; 32]), blob] {
        let refused = zones.create(&NewSnapshot::new(root, AT));
        assert!(matches!(refused, Err(Error::NotFound { .. })), "{refused:?}");
    }
}

#[test]
fn f_0_3_a_root_that_was_put_but_never_committed_is_not_stored_whatever_a_cache_remembers() {
    let mut zones = Zones::new();
    let mut txn = zones.objects.begin();
    let tree = Tree::directory([("only here", Tree::directory([("f", Tree::file("four"))]))]);
    let root = tree.put_root(&mut txn, &mut zones.cache);
    let below = tree.put(&mut txn, &mut zones.cache);
    drop(txn);
    let refused = zones.create(&NewSnapshot::new(root, AT));
    assert!(matches!(refused, Err(Error::NotFound { .. })), "{refused:?}");
    let mut txn = zones.objects.begin();
    let entry = crate::format::DirectoryEntry {
        name: b"above",
        target: below,
    };
    assert_eq!(
        rule_of(crate::domain::objects::put_directory(
            &mut txn,
            &[entry],
            &mut zones.cache
        )),
        "F-0.3"
    );
}

#[test]
fn f_2_16_a_message_fits_beside_parents_and_line_name_or_is_refused() {
    let mut zones = Zones::new();
    let chain = zones.chain(3);
    let line = zones.line("main");
    for (parents, line, name_len) in [(0_usize, None, 0), (1, Some(line), 4), (3, Some(line), 4)] {
        let more = parents.saturating_sub(1);
        let limit = SnapshotPayload::max_message_len(more, name_len);
        let message = "m".repeat(limit + 1);
        let new = NewSnapshot {
            line,
            ..NewSnapshot::new(zones.root, AT).parents(&chain[..parents])
        };
        assert_eq!(rule_of(zones.create(&new.message(&message))), "F-2.16");
        let created = zones.create(&new.message(&message[1..])).unwrap();
        assert_eq!(
            zones.get(created.index).1.message.map(|message| message.len()),
            Some(limit)
        );
    }
}

#[test]
fn w_line_03_a_deleted_line_authors_nothing_and_a_missing_one_is_not_found() {
    let mut zones = Zones::new();
    let (deleted, archived) = (zones.line("gone"), zones.line("old"));
    zones.write(|txn| lines::delete(txn, deleted)).unwrap();
    zones.write(|txn| lines::archive(txn, archived)).unwrap();
    let new = NewSnapshot::new(zones.root, AT);
    assert_eq!(rule_of(zones.create(&new.line(deleted))), "W-LINE-03");
    let missing = zones.create(&new.line(LineIndex::new(2).unwrap()));
    assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
    zones.create(&new.line(archived)).unwrap();
}

#[test]
fn a_refused_snapshot_leaves_nothing() {
    let mut zones = Zones::new();
    let chain = zones.chain(1);
    let mut txn = zones.workflow.begin();
    let view = zones.objects.view();
    let objects = Objects::new(&view).unwrap();
    let long = "m".repeat(70_000);
    for new in [
        NewSnapshot::new(zones.root, UnixSeconds(0)),
        NewSnapshot::new(ObjectHash([5; 32]), AT).parents(&chain),
        NewSnapshot::new(zones.root, AT).message(&long),
    ] {
        assert!(create(&mut txn, &objects, &new, &mut zones.cache).is_err());
    }
    assert!(txn.is_empty());
}

#[test]
fn f_2_16_a_snapshot_in_use_is_not_tombstoned() {
    let mut zones = Zones::new();
    let chain = zones.chain(2);
    let merge = zones
        .create(&NewSnapshot::new(zones.root, AT).parents(&[chain[1], chain[0]]))
        .unwrap()
        .index;
    let line = zones.line("main");
    zones
        .write(|txn| lines::move_head(txn, line, None, Some(merge)))
        .unwrap();
    let tag = zones.write(|txn| tags::create(txn, "v1", merge, None)).unwrap();
    let tombstone = |at: SnapshotIndex| zones.write(|txn| tombstone(txn, at));

    assert_eq!(rule_of(tombstone(chain[1])), "F-2.16", "a first parent");
    assert_eq!(rule_of(tombstone(merge)), "F-2.4", "a Line's head");
    zones.write(|txn| lines::archive(txn, line)).unwrap();
    assert_eq!(rule_of(tombstone(merge)), "F-2.4", "an archived Line may be restored");
    zones.write(|txn| lines::delete(txn, line)).unwrap();
    assert_eq!(rule_of(tombstone(merge)), "W-TAG-04", "a Tag's Snapshot");
    zones.write(|txn| tags::delete(txn, tag)).unwrap();
    tombstone(merge).unwrap();
    assert!(
        matches!(tombstone(merge), Err(Error::NotFound { .. })),
        "it is a tombstone already"
    );
    assert_eq!(rule_of(tombstone(chain[0])), "F-2.16", "a parent of another one still");
    tombstone(chain[1]).unwrap();
    tombstone(chain[0]).unwrap();
    assert!(zones.get(chain[0]).0.tombstoned, "the record stays");
}

#[test]
fn f_2_16_a_further_parent_keeps_a_snapshot_in_use() {
    let mut zones = Zones::new();
    let first = zones
        .create(&NewSnapshot::new(zones.root, UnixSeconds(1)))
        .unwrap()
        .index;
    let second = zones
        .create(&NewSnapshot::new(zones.root, UnixSeconds(2)))
        .unwrap()
        .index;
    zones
        .create(&NewSnapshot::new(zones.root, AT).parents(&[first, second]))
        .unwrap();
    assert_eq!(rule_of(zones.write(|txn| tombstone(txn, second))), "F-2.16");
}

#[test]
fn f_0_3_a_tombstone_is_not_answered_for_an_equal_descriptor() {
    let mut zones = Zones::new();
    let new = NewSnapshot::new(zones.root, AT);
    let first = zones.create(&new).unwrap();
    zones.write(|txn| tombstone(txn, first.index)).unwrap();
    let second = zones.create(&new).unwrap();
    assert!(second.added && second.id == first.id && second.index != first.index);
    zones.workflow.reopen();
    let view = zones.workflow.view();
    let found = Snapshots::new(&view).unwrap().find(first.id).unwrap();
    assert_eq!(found.map(|(index, _)| index), Some(second.index));
    drop(view);
    zones.workflow.write_indexes(&SNAPSHOT_ID);
    let rows = zones.workflow.bytes("snapshot_id.idx");
    let row = [&first.id.get().to_le_bytes()[..], &second.index.plus1().to_le_bytes()].concat();
    assert_eq!(
        rows,
        [&[1, 0, 0, 0][..], &row].concat(),
        "F-4: rows for live Snapshots only"
    );
}

#[test]
fn ac16_a_snapshot_record_of_zeros_is_refused() {
    let zones = Zones::new();
    zones
        .write(|txn| {
            let family = txn.family(&SNAPSHOT)?;
            Ok(txn.append_record(family, Stage::Commit, &[0; 88])?)
        })
        .unwrap();
    let view = zones.workflow.view();
    let read = Snapshots::new(&view).unwrap().get(index(0));
    assert!(
        matches!(
            read,
            Err(Error::Corrupt {
                file: "snapshot.bin",
                record: Some(0),
                ..
            })
        ),
        "{read:?}"
    );
}
