//! Tags: every operation, and every rule broken once.

use graven::format::{SnapshotIndex, Tag, TagIndex};
use graven::{Error, ErrorKind, TagText, UnixSeconds};

use super::support::{NOW, TestStore, corrupt, kind, refused};

const LATER: UnixSeconds = UnixSeconds(1_700_000_100);

fn write<T>(
    store: &TestStore,
    f: impl FnOnce(&mut graven::Txn<'_, graven::Workflow>) -> Result<T, Error>,
) -> Result<T, Error> {
    store.store.write(LATER, f).map(|receipt| receipt.value)
}

fn record(store: &TestStore, tag: TagIndex) -> Tag {
    store.store.read(|view| Ok(*view.tags()?.get(tag)?.record())).unwrap()
}

fn text(store: &TestStore, tag: TagIndex) -> TagText {
    store.store.read(|view| view.tags()?.get(tag)?.text()).unwrap()
}

fn found(store: &TestStore, name: &str) -> Option<TagIndex> {
    store
        .store
        .read(|view| Ok(view.tags()?.by_name(name)?.map(|tag| tag.index())))
        .unwrap()
}

fn count(store: &TestStore) -> u64 {
    (store.bytes("workflow/tag.bin").len() as u64 - 4) / 24
}

#[test]
fn w_tag_03_a_name_is_trimmed_and_never_empty() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    let tag = store.tag(" v1\n", snapshot, None);
    assert_eq!(
        text(&store, tag),
        TagText {
            name: "v1".to_owned(),
            message: None
        }
    );
    for name in ["", " \t"] {
        assert_eq!(
            refused(write(&store, |txn| txn.create_tag(name, snapshot, None))),
            "W-TAG-03"
        );
        assert_eq!(
            refused(write(&store, |txn| txn.replace_tag(name, snapshot, None))),
            "W-TAG-03"
        );
    }
}

#[test]
fn w_tag_13_g05_g06_assigned_by_us_a_message_makes_a_tag_annotated_also_an_empty_one() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    let plain = store.tag("plain", snapshot, None);
    let empty = store.tag("empty", snapshot, Some(""));
    let full = store.tag("full", snapshot, Some("two\nlines"));
    assert_eq!(text(&store, plain).message, None);
    assert_eq!(text(&store, empty).message.as_deref(), Some(""));
    assert_eq!(text(&store, full).message.as_deref(), Some("two\nlines"));
    let bytes = store.bytes("workflow/tag.bin");
    assert_eq!((bytes[4], bytes[4 + 24], bytes[4 + 48]), (0, 1, 1));
    let payload = store.bytes("workflow/tag_payload.bin");
    assert_eq!(&payload[4..], b"\x05\0plain\x05\0empty\x04\0fulltwo\nlines");
}

#[test]
fn f_2_6_a_message_that_does_not_fit_is_refused() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    let longest = "m".repeat(65_535 - 2 - 2);
    store.tag("v1", snapshot, Some(&longest));
    let longer = format!("{longest}m");
    assert_eq!(
        refused(write(&store, |txn| txn.create_tag("v2", snapshot, Some(&longer)))),
        "F-2.6"
    );
}

#[test]
fn w_tag_04_a_tag_names_a_live_snapshot() {
    let store = TestStore::new();
    let (kept, gone) = (store.snapshot("kept"), store.snapshot("gone"));
    store.tag("v1", kept, None);
    write(&store, |txn| txn.tombstone_snapshot(gone)).unwrap();
    let missing = SnapshotIndex::new(99).unwrap();
    for snapshot in [gone, missing] {
        assert_eq!(
            refused(write(&store, |txn| txn.create_tag("v2", snapshot, None))),
            "W-TAG-04"
        );
        assert_eq!(
            refused(write(&store, |txn| txn.replace_tag("v1", snapshot, None))),
            "W-TAG-04"
        );
    }
    assert_eq!(refused(write(&store, |txn| txn.tombstone_snapshot(kept))), "W-TAG-04");
}

#[test]
fn f_2_6_live_names_are_unique() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    store.tag("v1", snapshot, None);
    assert_eq!(
        refused(write(&store, |txn| txn.create_tag("v1 ", snapshot, Some("x")))),
        "F-2.6"
    );
}

#[test]
fn w_tag_06_a_forced_replacement_keeps_the_index() {
    let store = TestStore::new();
    let (a, b) = (store.snapshot("a"), store.snapshot("b"));
    let tag = store.tag("v1", a, None);
    assert_eq!(
        write(&store, |txn| txn.replace_tag("v1", b, Some("moved"))).unwrap(),
        tag
    );
    assert_eq!(count(&store), 1);
    assert_eq!(
        (record(&store, tag).snapshot, record(&store, tag).created_at_s),
        (b, LATER)
    );
    assert_eq!(text(&store, tag).message.as_deref(), Some("moved"));
}

#[test]
fn w_tag_09_w_tag_10_w_tag_11_deleting_sets_the_tombstone_and_touches_nothing_else() {
    let store = TestStore::new();
    let (a, b) = (store.snapshot("a"), store.snapshot("b"));
    let tags = [
        store.tag("t0", a, None),
        store.tag("t1", a, None),
        store.tag("t2", b, None),
    ];
    let before = store.bytes("workflow/tag.bin");
    let snapshots = store.bytes("workflow/snapshot.bin");
    write(&store, |txn| txn.delete_tag(tags[0])).unwrap();
    let mut expected = before.clone();
    expected[4] |= 0x80;
    assert_eq!(
        store.bytes("workflow/tag.bin"),
        expected,
        "W-TAG-09: one bit, and no record moves"
    );
    assert_eq!(store.bytes("workflow/snapshot.bin"), snapshots, "W-TAG-10");
    assert_eq!(
        (found(&store, "t0"), found(&store, "t1"), found(&store, "t2")),
        (None, Some(tags[1]), Some(tags[2]))
    );
    assert_eq!(kind(write(&store, |txn| txn.delete_tag(tags[0]))), ErrorKind::NotFound);
}

#[test]
fn w_tag_02_w_tag_12_recreating_a_deleted_name_only_clears_the_tombstone() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    let tag = store.tag("v1", snapshot, Some("message"));
    let (records, payload) = (store.bytes("workflow/tag.bin"), store.bytes("workflow/tag_payload.bin"));
    write(&store, |txn| txn.delete_tag(tag)).unwrap();
    assert_eq!(
        write(&store, |txn| txn.create_tag("v1", snapshot, Some("message"))).unwrap(),
        tag
    );
    assert_eq!(store.bytes("workflow/tag.bin"), records, "its time is the old one too");
    assert_eq!(store.bytes("workflow/tag_payload.bin"), payload, "nothing is appended");
}

#[test]
fn w_tag_14_recreating_a_name_on_another_snapshot_replaces_and_un_tombstones() {
    let store = TestStore::new();
    let (a, b) = (store.snapshot("a"), store.snapshot("b"));
    let tag = store.tag("v1", a, None);
    write(&store, |txn| txn.delete_tag(tag)).unwrap();
    let receipt = store.store.write(LATER, |txn| txn.create_tag("v1", b, None)).unwrap();
    assert_eq!((receipt.value, count(&store)), (tag, 1));
    let now = record(&store, tag);
    assert_eq!((now.tombstoned, now.snapshot, now.created_at_s), (false, b, LATER));
    write(&store, |txn| txn.delete_tag(tag)).unwrap();
    assert_eq!(write(&store, |txn| txn.replace_tag("v1", b, Some("new"))).unwrap(), tag);
    assert_eq!(
        text(&store, tag).message.as_deref(),
        Some("new"),
        "another message is a replacement too"
    );
}

#[test]
fn f_1_a_tags_time_is_never_zero() {
    let store = TestStore::new();
    let snapshot = store.snapshot("a");
    assert_eq!(
        refused(
            store
                .store
                .write(UnixSeconds(0), |txn| txn.create_tag("v1", snapshot, None))
        ),
        "F-1"
    );
}

#[test]
fn operations_of_one_transaction_see_each_other_and_a_refused_one_drops_only_itself() {
    let store = TestStore::new();
    let (a, b) = (store.snapshot("a"), store.snapshot("b"));
    let tag = store
        .store
        .write(NOW, |txn| {
            let tag = txn.create_tag("v1", a, None)?;
            assert_eq!(refused(txn.create_tag("v1", b, Some("dropped"))), "F-2.6");
            txn.delete_tag(tag)?;
            let again = txn.create_tag("v1", b, None)?;
            assert_eq!(again, tag);
            Ok(tag)
        })
        .unwrap()
        .value;
    assert_eq!(
        (count(&store), record(&store, tag).snapshot, found(&store, "v1")),
        (1, b, Some(tag))
    );
    let payload = String::from_utf8_lossy(&store.bytes("workflow/tag_payload.bin")).into_owned();
    assert!(
        !payload.contains("dropped"),
        "the refused Tag's payload is nowhere: {payload:?}"
    );
}

#[test]
fn f_2_6_a_name_that_two_live_records_have_is_corrupt() {
    let mut store = TestStore::new();
    let snapshot = store.snapshot("a");
    store.tag("v1", snapshot, None);
    store.tag("v2", snapshot, None);
    store.damage("workflow/tag_payload.bin", 4 + 4 + 3, b"1");
    let answer = store
        .store
        .read(|view| Ok(view.tags()?.by_name("v1")?.map(|tag| tag.index())));
    assert_eq!(corrupt(answer), ("tag.bin".to_owned(), Some(1), "F-2.6"));
}

#[test]
fn w_tag_13_reserved_bits_fail_closed_for_that_tag_only() {
    let mut store = TestStore::new();
    let snapshot = store.snapshot("a");
    let (first, second) = (store.tag("v1", snapshot, None), store.tag("v2", snapshot, None));
    store.damage("workflow/tag.bin", 4, &[0b100]);
    let answer = store.store.read(|view| Ok(*view.tags()?.get(first)?.record()));
    assert_eq!(corrupt(answer), ("tag.bin".to_owned(), Some(0), "W-TAG-13"));
    assert_eq!(found(&store, "v2"), Some(second));
}
