//! The commit orders that rules ask of Tags, on the trace of the fault disk: payload is durable before the record that
//! refers to it, whatever a kill or a cut leaves.

use graven::{Flow, Store};

use super::traces::{files, interrupted, phases};
use super::{LATER, PATH, filled_disk, on, snapshot_zero};

const PAYLOAD_THEN_RECORD: [[&str; 1]; 2] = [["tag_payload.bin"], ["tag.bin"]];

#[test]
fn w_tag_05_creating_a_tag_appends_its_payload_first_and_its_record_second() {
    let steps = phases(&filled_disk(), |store| {
        store
            .write(LATER, |txn| txn.create_tag("new", snapshot_zero(), Some("m")))
            .unwrap();
    });
    assert_eq!(files(&steps), PAYLOAD_THEN_RECORD);
}

#[test]
fn w_tag_07_a_forced_replacement_appends_a_new_payload_and_then_updates_the_record() {
    let steps = phases(&filled_disk(), |store| {
        store
            .write(LATER, |txn| txn.replace_tag("v1", snapshot_zero(), Some("m")))
            .unwrap();
    });
    assert_eq!(files(&steps), PAYLOAD_THEN_RECORD);
}

#[test]
fn w_tag_09_w_tag_12_deleting_and_recreating_write_the_record_only() {
    let steps = phases(&filled_disk(), |store| {
        let tag = store
            .read(|view| Ok(view.tags()?.by_name("v1")?.map(|tag| tag.index())))
            .unwrap()
            .unwrap();
        store.write(LATER, |txn| txn.delete_tag(tag)).unwrap();
        store
            .write(LATER, |txn| txn.create_tag("v1", snapshot_zero(), None))
            .unwrap();
    });
    assert_eq!(files(&steps), [["tag.bin"], ["tag.bin"]]);
}

#[test]
fn w_tag_05_an_interrupted_creation_shows_no_tag_or_the_whole_one() {
    let (mut absent, mut whole) = (0, 0);
    for image in interrupted(&filled_disk(), |store| {
        drop(store.write(LATER, |txn| txn.create_tag("new", snapshot_zero(), Some("m"))));
    }) {
        let store = Store::open(PATH, &on(&image, 2)).unwrap();
        match store
            .read(|view| view.tags()?.by_name("new")?.map(|tag| tag.text()).transpose())
            .unwrap()
        {
            None => absent += 1,
            Some(text) => {
                whole += 1;
                assert_eq!(text.message.as_deref(), Some("m"));
            }
        }
        assert!(
            graven::verify(PATH, &on(&image, 3), false, |_| Flow::Continue)
                .unwrap()
                .is_clean()
        );
    }
    assert!(absent > 5 && whole > 2, "{absent} absent, {whole} whole");
}

#[test]
fn w_tag_08_an_interrupted_replacement_leaves_nothing_worse_than_one_payload_nobody_refers_to() {
    let (mut old, mut new) = (0, 0);
    for image in interrupted(&filled_disk(), |store| {
        drop(store.write(LATER, |txn| txn.replace_tag("v2", snapshot_zero(), Some("new"))));
    }) {
        let store = Store::open(PATH, &on(&image, 2)).unwrap();
        let tag = store.read(|view| {
            let tag = view.tags()?.by_name("v2")?.expect("the Tag is there at every moment");
            Ok((tag.snapshot, tag.text()?.message))
        });
        match tag.unwrap() {
            (snapshot, Some(message)) if message == "message" => {
                old += 1;
                assert_ne!(snapshot, snapshot_zero());
            }
            (snapshot, message) => {
                new += 1;
                assert_eq!((snapshot, message.as_deref()), (snapshot_zero(), Some("new")));
            }
        }
        assert!(
            graven::verify(PATH, &on(&image, 3), false, |_| Flow::Continue)
                .unwrap()
                .is_clean()
        );
    }
    assert!(old > 5 && new > 2, "{old} old, {new} new");
}
