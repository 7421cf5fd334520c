//! Archiving and reopening Changes, and what a status is made of.

use graven::UnixSeconds;
use graven::format::{ArchiveCause, ChangeLifecycle, ChangeStatus};

use super::{ARCHIVED_AT, CREATED, LATER, at, begun, bytes, new, ordinal, place, record, remote};
use crate::support::{corrupt, onto_main, refused};

#[test]
fn w_change_17_w_change_36_w_change_38_each_cause_of_archiving_is_a_bit_of_its_own_and_has_its_time() {
    let (store, _, _, task) = begun();
    let causes = [
        (ArchiveCause::Plain, [3, 0], ChangeStatus::Archived),
        (ArchiveCause::Canceled, [3, 1], ChangeStatus::Canceled),
        (ArchiveCause::Superseded, [0x83, 0], ChangeStatus::Superseded),
    ];
    for (cause, [meta, state], status) in causes {
        let change = store.change(task, "a");
        store.at(LATER, |txn| txn.archive_change(change, cause)).unwrap();
        let lifecycle = ChangeLifecycle::Archived {
            cause,
            at: Some(UnixSeconds(LATER)),
        };
        let found = record(&store, change);
        assert_eq!(
            (found.lifecycle, found.updated_at_s.0, found.status()),
            (lifecycle, LATER, status)
        );
        let stored = bytes(&store, change);
        assert_eq!((stored[0], stored[5]), (meta, state), "W-CHANGE-17, W-CHANGE-38");
        assert_eq!(stored[ARCHIVED_AT..], LATER.to_le_bytes(), "W-CHANGE-36");
    }
    let draft = store.change(task, "draft");
    assert_eq!(bytes(&store, draft)[ARCHIVED_AT..], [0; 8], "W-CHANGE-36");
}

#[test]
fn w_change_57_g29_assigned_by_us_any_archived_change_comes_back_without_its_cause_and_time() {
    let (mut store, _, _, task) = begun();
    for cause in [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded] {
        let change = store.change(task, "a");
        let before = bytes(&store, change);
        store.at(LATER, |txn| txn.archive_change(change, cause)).unwrap();
        store.at(LATER + 1, |txn| txn.reopen_change(change)).unwrap();
        let mut expected = before;
        expected[40..48].copy_from_slice(&(LATER + 1).to_le_bytes());
        assert_eq!(
            bytes(&store, change),
            expected,
            "all but the time of its last change is as before"
        );
    }
    // One that has Patchsets comes back as active, and keeps its status bits.
    store.damage("workflow/change.bin", place(0), &[0b0111_1101]);
    store
        .at(LATER, |txn| txn.archive_change(at(0), ArchiveCause::Canceled))
        .unwrap();
    assert_eq!(bytes(&store, at(0))[0], 0b0111_1111);
    store.at(LATER, |txn| txn.reopen_change(at(0))).unwrap();
    assert_eq!(bytes(&store, at(0))[0], 0b0111_1101);
}

#[test]
fn f_2_2_what_may_be_archived_and_reopened() {
    let (store, _, head, task) = begun();
    let draft = store.change(task, "draft");
    assert_eq!(
        store.refusal(LATER, |txn| txn.reopen_change(draft)),
        ("refused", "F-2.2")
    );
    store
        .at(LATER, |txn| txn.archive_change(draft, ArchiveCause::Plain))
        .unwrap();
    for cause in [ArchiveCause::Plain, ArchiveCause::Canceled] {
        assert_eq!(
            store.refusal(LATER, |txn| txn.archive_change(draft, cause)),
            ("refused", "F-2.2")
        );
    }
    let landed = store.change(task, "landed");
    store
        .at(LATER, |txn| txn.land(&onto_main(landed), Some(head), head))
        .unwrap();
    assert_eq!(
        store.refusal(LATER, |txn| txn.archive_change(landed, ArchiveCause::Plain)),
        ("refused", "F-2.2")
    );
    assert_eq!(
        store.refusal(LATER, |txn| txn.reopen_change(landed)),
        ("refused", "F-2.2")
    );
}

#[test]
fn w_change_42_f_1_nothing_happens_at_time_0_nor_before_the_change_was_created() {
    let (store, _, _, task) = begun();
    let early = CREATED - 1;
    assert_eq!(
        store.refusal(early, |txn| txn.create_change(&new(task))),
        ("refused", "F-1"),
        "nor before its Task"
    );
    let change = store.at(LATER, |txn| txn.create_change(&new(task))).unwrap();
    store.at(LATER, |txn| txn.publish_task(task, remote(1))).unwrap();
    let before = store.files();
    let zero = UnixSeconds(0);
    let answer = store
        .store
        .write(zero, |txn| txn.archive_change(change, ArchiveCause::Plain));
    assert_eq!(refused(answer), "F-1", "W-CHANGE-42");
    assert_eq!(
        refused(store.store.write(zero, |txn| txn.create_change(&new(task)))),
        "F-1"
    );
    assert!(store.files() == before);
    let early = LATER - 1;
    assert_eq!(
        store.refusal(early, |txn| txn.archive_change(change, ArchiveCause::Plain)),
        ("refused", "F-1")
    );
    assert_eq!(
        store.refusal(early, |txn| txn.publish_change(change, ordinal(0))),
        ("refused", "F-1")
    );
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Plain))
        .unwrap();
    assert_eq!(
        store.refusal(early, |txn| txn.reopen_change(change)),
        ("refused", "F-1")
    );
}

#[test]
fn w_change_37_w_change_43_an_archived_change_without_a_time_has_an_unknown_one() {
    let (mut store, _, _, task) = begun();
    let change = store.change(task, "a");
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Superseded))
        .unwrap();
    store.damage("workflow/change.bin", place(ARCHIVED_AT), &[0; 8]);
    let unknown = ChangeLifecycle::Archived {
        cause: ArchiveCause::Superseded,
        at: None,
    };
    assert_eq!(record(&store, change).lifecycle, unknown);
    store.at(LATER, |txn| txn.publish_task(task, remote(1))).unwrap();
    store.at(LATER, |txn| txn.publish_change(change, ordinal(5))).unwrap();
    assert_eq!(
        record(&store, change).lifecycle,
        unknown,
        "it stays unknown when something else changes"
    );
}

#[test]
fn w_change_19_w_change_41_w_change_52_what_only_an_archived_change_may_have_is_refused_on_others() {
    let (mut store, _, _, task) = begun();
    let change = store.change(task, "a");
    let planted: [(usize, &[u8], &str); 3] = [
        (5, &[1], "W-CHANGE-19"),
        (0, &[0x80], "W-CHANGE-52"),
        (ARCHIVED_AT, &[1], "W-CHANGE-41"),
    ];
    for (offset, bytes, rule) in planted {
        store.damage("workflow/change.bin", place(offset), bytes);
        let answer = store.store.read(|view| Ok(*view.changes()?.get(change)?.record()));
        assert_eq!(corrupt(answer), ("change.bin".to_owned(), Some(0), rule));
        // An operation does not make it good by overwriting it.
        let archive = store.refusal(LATER, |txn| txn.archive_change(change, ArchiveCause::Plain));
        assert_eq!(archive, ("corrupt", rule));
        store.damage("workflow/change.bin", place(offset), &[0]);
    }
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Plain))
        .unwrap();
}

#[test]
fn w_change_56_canceled_and_superseded_together_are_read_as_canceled_and_never_written() {
    let (mut store, _, _, task) = begun();
    let change = store.change(task, "a");
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Superseded))
        .unwrap();
    store.damage("workflow/change.bin", place(5), &[1]);
    assert_eq!(record(&store, change).status(), ChangeStatus::Canceled);
    store.at(LATER, |txn| txn.publish_task(task, remote(1))).unwrap();
    store.at(LATER, |txn| txn.publish_change(change, ordinal(0))).unwrap();
    assert_eq!(
        (bytes(&store, change)[0], bytes(&store, change)[5]),
        (3, 1),
        "the next write says canceled alone"
    );
}

#[test]
fn w_change_44_an_active_change_that_awaits_a_review_is_in_review_and_an_archived_one_is_not() {
    let (mut store, _, _, task) = begun();
    let change = store.change(task, "a");
    assert_eq!(record(&store, change).status(), ChangeStatus::Draft);
    store.damage("workflow/change.bin", place(0), &[0b1001]);
    assert_eq!(record(&store, change).status(), ChangeStatus::Review);
    store
        .at(LATER, |txn| txn.archive_change(change, ArchiveCause::Plain))
        .unwrap();
    assert_eq!(bytes(&store, change)[0], 0b1011, "the bit is still there");
    assert_eq!(record(&store, change).status(), ChangeStatus::Archived);
}
