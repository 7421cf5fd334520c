//! Which success of a Change counts, what it keeps in use, and history that landed elsewhere.

use graven::format::{ChangeStatus, LandMode, SnapshotIndex, TaskStatus};
use graven::{LandedHistory, UnixSeconds};

use super::{Begun, LATER, SIZE, at, begun, onto};
use crate::support::{corrupt, onto_main};

#[test]
fn f_2_7_landing_the_same_again_answers_the_land_that_did_it() {
    let begun = begun();
    let Begun {
        store, head, change, ..
    } = &begun;
    let done = store.child("done", &[*head]);
    let first = store
        .at(LATER, |txn| txn.land(&onto_main(*change), Some(*head), done))
        .unwrap();
    assert!(first.added);
    let before = store.files();
    for (expected, mode) in [
        (Some(*head), LandMode::Direct),
        (Some(done), LandMode::FastForwardOnly),
        (None, LandMode::Merge),
    ] {
        let new = onto(*change, "main", mode);
        let again = store
            .store
            .write(UnixSeconds(LATER + 5), |txn| txn.land(&new, expected, done))
            .unwrap();
        assert_eq!(
            (again.value.index, again.value.added, again.files),
            (first.index, false, 0)
        );
    }
    assert!(store.files() == before);
    // Another Line or another Snapshot is another Land, and after it the first is no longer the latest.
    store.line("other");
    let elsewhere = onto(*change, "other", LandMode::Direct);
    let other = store.at(LATER, |txn| txn.land(&elsewhere, None, done)).unwrap();
    assert!(other.added && other.index != first.index);
    assert!(
        store
            .at(LATER, |txn| txn.land(&onto_main(*change), Some(done), done))
            .unwrap()
            .added
    );
}

#[test]
fn w_land_27_w_land_29_w_land_32_the_success_with_the_highest_ordinal_tells_line_and_time() {
    let begun = begun();
    let Begun {
        store, head, change, ..
    } = &begun;
    let other = store.line("other");
    assert_eq!(begun.landing(*change), None);
    let next = store.child("next", &[*head]);
    store
        .at(LATER + 1, |txn| txn.land(&onto_main(*change), Some(*head), next))
        .unwrap();
    assert_eq!(begun.landing(*change), Some((at(0), "main".to_owned(), LATER + 1)));
    let failed = begun.queued(*change);
    for (_, step) in super::steps_to("failed") {
        store.at(LATER + 2, |txn| step(txn, failed)).unwrap();
    }
    assert_eq!(
        begun.landing(*change),
        Some((at(0), "main".to_owned(), LATER + 1)),
        "L-02 failed"
    );
    // An earlier time, on another Line: the ordinal decides.
    let third = store
        .at(LATER, |txn| {
            txn.land(&onto(*change, "other", LandMode::Direct), None, next)
        })
        .unwrap();
    assert_eq!(
        begun.landing(*change),
        Some((third.index, "other".to_owned(), LATER)),
        "W-LAND-29, W-LAND-32"
    );
    store.at(LATER, |txn| txn.rename_line(other, "renamed")).unwrap();
    assert_eq!(
        begun.landing(*change),
        Some((third.index, "renamed".to_owned(), LATER)),
        "W-LAND-27"
    );
    let winning = store
        .store
        .read(|view| Ok(view.lands()?.winning(*change)?.map(|land| land.index())));
    assert_eq!(winning.unwrap(), Some(third.index));
}

#[test]
fn w_land_29_a_deleted_success_does_not_count() {
    let mut begun = begun();
    begun
        .success("land", ("main", LandMode::Direct), (Some(begun.head), begun.head))
        .unwrap();
    begun
        .store
        .damage("workflow/land.bin", 4, &[0x80 | begun.bytes(at(0))[0]]);
    assert_eq!(begun.landing(begun.change), None);
    let again = begun
        .store
        .at(LATER, |txn| {
            txn.land(&onto_main(begun.change), Some(begun.head), begun.head)
        })
        .unwrap();
    assert!(again.added, "nor is it answered again");
}

#[test]
fn w_land_23_w_land_24_what_landed_and_what_it_landed_on_stay_in_use() {
    let begun = begun();
    let empty = begun.store.line("empty");
    let (first, second) = (begun.store.child("first", &[]), begun.store.child("second", &[]));
    let new = onto(begun.change, "empty", LandMode::Direct);
    begun.store.at(LATER, |txn| txn.land(&new, None, first)).unwrap();
    begun
        .store
        .at(LATER, |txn| txn.move_head(empty, Some(first), Some(second)))
        .unwrap();
    assert_eq!(
        begun.store.refusal(LATER, |txn| txn.tombstone_snapshot(first)),
        ("refused", "W-LAND-24")
    );
    let third = begun.store.child("third", &[]);
    begun
        .store
        .at(LATER, |txn| txn.land(&new, Some(second), third))
        .unwrap();
    assert_eq!(
        begun.store.refusal(LATER, |txn| txn.tombstone_snapshot(second)),
        ("refused", "W-LAND-23")
    );
    let free = begun.store.child("free", &[]);
    begun.store.at(LATER, |txn| txn.tombstone_snapshot(free)).unwrap();
}

#[test]
fn history_that_landed_elsewhere_is_a_completed_task_a_landed_change_and_its_land() {
    let begun = begun();
    let Begun { store, line, head, .. } = &begun;
    let done = store.child("done", &[*head]);
    let history = LandedHistory {
        title: "From a commit",
        intent: "Its message.",
        line: *line,
        fork: Some(*head),
        landed: done,
        mode: LandMode::FastForwardOnly,
    };
    let recorded = store.at(LATER, |txn| txn.record_landed(&history)).unwrap();
    assert_eq!(begun.head_of(*line), Some(*head), "no Line moves");
    let task = store
        .store
        .read(|view| Ok(*view.tasks()?.get(recorded.task)?.record()))
        .unwrap();
    assert_eq!(
        (task.status, task.closed_at_s),
        (TaskStatus::Completed, Some(UnixSeconds(LATER)))
    );
    let change = begun.change_record(recorded.change);
    assert_eq!(
        (change.task, change.fork, change.status()),
        (recorded.task, Some(*head), ChangeStatus::Landed)
    );
    assert_eq!(
        begun.landing(recorded.change),
        Some((recorded.land, "main".to_owned(), LATER))
    );
    let land = begun.record(recorded.land);
    assert_eq!((land.pre_target, land.status.landed()), (Some(*head), Some(done)));
    assert!(store.is_clean());
    let gone = store.child("gone", &[]);
    store.at(LATER, |txn| txn.tombstone_snapshot(gone)).unwrap();
    let stash = store.stash_snapshot("stash");
    let deleted = store.line("deleted");
    store.at(LATER, |txn| txn.delete_line(deleted)).unwrap();
    let missing = SnapshotIndex::new(99).unwrap();
    let cases = [
        (
            LandedHistory {
                landed: gone,
                ..history
            },
            ("refused", "W-LINE-03"),
        ),
        (
            LandedHistory {
                fork: Some(gone),
                ..history
            },
            ("refused", "W-LINE-03"),
        ),
        (
            LandedHistory {
                landed: stash,
                ..history
            },
            ("refused", "W-LINE-03"),
        ),
        (
            LandedHistory {
                landed: missing,
                ..history
            },
            ("not found", ""),
        ),
        (
            LandedHistory {
                fork: Some(missing),
                ..history
            },
            ("not found", ""),
        ),
        (
            LandedHistory {
                line: deleted,
                ..history
            },
            ("not found", ""),
        ),
        (LandedHistory { title: " ", ..history }, ("refused", "F-2.1")),
        (LandedHistory { intent: "", ..history }, ("refused", "F-2.1")),
    ];
    for (history, answer) in cases {
        assert_eq!(
            store.refusal(LATER, |txn| txn.record_landed(&history)),
            answer,
            "{history:?}"
        );
    }
}

#[test]
fn w_conv_63_a_first_success_without_a_time_of_submission_has_an_unknown_one() {
    let mut begun = begun();
    let land = begun
        .store
        .at(LATER, |txn| {
            txn.land(&onto_main(begun.change), Some(begun.head), begun.head)
        })
        .unwrap();
    begun.store.damage("workflow/land.bin", 4 + 24, &[0; 8]);
    assert_eq!(begun.record(land.index).submitted_at_s, None);
    assert_eq!(
        begun.landing(begun.change),
        Some((land.index, "main".to_owned(), LATER)),
        "it landed all the same"
    );
    // On a Land that is not the first success it is damage (W-LAND-18).
    let second = begun.queued(begun.change);
    begun.store.damage("workflow/land.bin", 4 + SIZE as u64 + 24, &[0; 8]);
    let record = begun.store.store.read(|view| Ok(*view.lands()?.get(second)?.record()));
    assert_eq!(corrupt(record), ("land.bin".to_owned(), Some(1), "W-LAND-18"));
}
