//! Changes: where they come from, where they go, and what is refused.

use super::super::testing::*;
use super::super::{Answered, Operation, SnapshotKind};
use super::*;

const CAUSES: [ArchiveCause; 3] = [ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded];

/// W-CHANGE-31, W-CHANGE-47: the fork is the base Line's head of the moment, or nothing.
#[test]
fn a_change_forks_from_the_head_of_its_line_of_that_moment() {
    let mut store = with_change();
    let (line, expected, head) = (0, Some(0), Some(1));
    done(&mut store, 12, &Operation::MoveHead { line, expected, head });
    done(&mut store, 13, &change(0, "empty"));
    done(&mut store, 13, &change(0, " main\n"));
    let forks: Vec<_> = store.changes.iter().map(|change| change.fork).collect();
    assert_eq!(forks, [Some(0), None, Some(1)]);
    assert_eq!(store.changes[0].lifecycle, Lifecycle::Draft);
}

/// W-CHANGE-46: only the exact name of a Line in use is taken; a prefix, another case and an archived Line are not.
#[test]
fn the_base_line_is_found_by_its_exact_name() {
    let mut store = store();
    done(&mut store, 11, &Operation::ArchiveLine(1));
    for (name, rule) in [
        ("mai", "W-CHANGE-46"),
        ("main2", "W-CHANGE-46"),
        ("Main", "W-CHANGE-46"),
        ("\u{a0}main", "W-CHANGE-46"),
        ("", "W-CHANGE-61"),
        ("empty", "W-LINE-03"),
    ] {
        let answer = refused(&mut store, 12, &change(0, name));
        assert_eq!(answer, Err(Refusal::Refused(rule)), "{name:?}");
    }
}

/// W-TASK-18, F-1: what is closed gets no new Change, and no Task gets one that is older than itself.
#[test]
fn a_closed_task_gets_no_change() {
    let mut store = store();
    assert_eq!(refused(&mut store, 9, &change(0, "main")), Err(Refusal::Refused("F-1")));
    done(
        &mut store,
        11,
        &Operation::Task(super::super::TaskOperation::Abandon(0)),
    );
    let answer = refused(&mut store, 12, &change(0, "main"));
    assert_eq!(answer, Err(Refusal::Refused("W-TASK-18")));
    assert_eq!(refused(&mut store, 12, &change(1, "main")), Err(Refusal::NotFound));
}

/// F-2.2: a title is not empty and fits into 16 bits of length.
#[test]
fn an_empty_or_too_long_title_is_refused() {
    let mut store = store();
    for (title, fits) in [
        (" ".to_owned(), false),
        ("x".repeat(65_536), false),
        ("x".repeat(65_535), true),
    ] {
        let (task, base_line) = (0, "main".to_owned());
        let create = Operation::Change(ChangeOperation::Create { task, title, base_line });
        if fits {
            done(&mut store, 12, &create);
        } else {
            assert_eq!(refused(&mut store, 12, &create), Err(Refusal::Refused("F-2.2")));
        }
    }
}

/// W-CHANGE-05, W-CHANGE-58: ordinals are the Task's own, without gaps; the 65th Change is one too many.
#[test]
fn ordinals_count_up_within_a_task_to_64() {
    let mut store = store();
    done(&mut store, 10, &task());
    for ordinal in 0..MOST_CHANGES {
        let index = done(&mut store, 11, &change(0, "main"));
        assert_eq!(store.changes[index].ordinal, ordinal);
    }
    assert_eq!(refused(&mut store, 12, &change(0, "main")), Err(Refusal::Exhausted(64)));
    let other = done(&mut store, 12, &change(1, "main"));
    assert_eq!((store.changes[other].task, store.changes[other].ordinal), (1, 0));
    assert_eq!(store.change_seen(other).previous, None);
    assert_eq!(store.change_seen(63).previous, Some(62));
    let seen = store.task_seen(0).changes;
    assert_eq!((seen.latest, seen.count, seen.next), (Some(63), 64, Some(64)));
}

/// W-CHANGE-36, W-CHANGE-38, W-CHANGE-40, W-CHANGE-57, G29: the time and the cause come and go with the lifecycle.
#[test]
fn archiving_and_reopening_move_time_and_cause_along() {
    for cause in CAUSES {
        let mut store = with_change();
        store.changes[0].flags = BTreeSet::from([ChangeFlag::Blocked]);
        let before = store.clone();
        done(&mut store, 12, &archive(0, cause));
        assert_eq!(store.changes[0].lifecycle, Lifecycle::Archived { cause, at_s: 12 });
        assert_eq!(store.changes[0].flags, before.changes[0].flags);
        done(&mut store, 13, &reopen(0));
        let mut back = before;
        back.changes[0].updated_at_s = 13;
        assert_eq!(store, back);
    }
}

/// G29: a Change with Patchsets is active again, one without is a draft again.
#[test]
fn what_a_reopened_change_is_follows_its_patchsets() {
    for (flags, lifecycle) in [
        (BTreeSet::new(), Lifecycle::Draft),
        (BTreeSet::from([ChangeFlag::HasPatchsets]), Lifecycle::Active),
    ] {
        let mut store = with_change();
        store.changes[0].flags = flags;
        done(&mut store, 12, &archive(0, ArchiveCause::Plain));
        done(&mut store, 13, &reopen(0));
        assert_eq!(store.changes[0].lifecycle, lifecycle);
    }
}

/// F-2.2: landed and archived Changes are not archived, only archived ones are reopened.
#[test]
fn only_what_is_open_is_archived_and_only_what_is_archived_is_reopened() {
    let by_rule = Err(Refusal::Refused("F-2.2"));
    let mut store = with_change();
    assert_eq!(refused(&mut store, 12, &reopen(0)), by_rule);
    done(&mut store, 12, &archive(0, ArchiveCause::Plain));
    assert_eq!(refused(&mut store, 13, &archive(0, ArchiveCause::Canceled)), by_rule);
    let mut store = with_change();
    store.changes[0].lifecycle = Lifecycle::Landed;
    assert_eq!(refused(&mut store, 12, &archive(0, ArchiveCause::Plain)), by_rule);
    assert_eq!(refused(&mut store, 12, &reopen(0)), by_rule);
}

/// W-CHANGE-42, F-1: at time 0, or before it was made, a Change is not archived.
#[test]
fn a_change_is_not_archived_at_an_impossible_time() {
    for now_s in [0, 10] {
        let mut store = with_change();
        let answer = refused(&mut store, now_s, &archive(0, ArchiveCause::Plain));
        assert_eq!(answer, Err(Refusal::Refused("F-1")));
    }
}

/// W-CHANGE-26: a Change is published after its Task.
#[test]
fn a_change_of_an_unpublished_task_is_not_published() {
    let mut store = with_change();
    let answer = refused(&mut store, 12, &publish_change(0, 0));
    assert_eq!(answer, Err(Refusal::Refused("W-CHANGE-26")));
}

/// W-CHANGE-06, W-CHANGE-27: it gets the ordinal that it is told, once, and no other Change of its Task gets that.
#[test]
fn a_change_is_published_once_and_under_an_ordinal_of_its_own() {
    let mut store = with_change();
    done(&mut store, 11, &change(0, "main"));
    done(&mut store, 11, &task());
    done(&mut store, 11, &change(1, "main"));
    done(&mut store, 12, &publish_task(0, 7));
    done(&mut store, 12, &publish_task(1, 8));
    done(&mut store, 13, &publish_change(0, 2));
    assert_eq!(store.changes[0].published, Some((2, 13)));
    let published = store.clone();
    assert_eq!(store.apply(14, &publish_change(0, 2)), Ok(Answered::Record(0)));
    assert_eq!(store, published);
    assert_eq!(
        refused(&mut store, 14, &publish_change(0, 3)),
        Err(Refusal::Conflict("W-CHANGE-27"))
    );
    assert_eq!(
        refused(&mut store, 14, &publish_change(1, 2)),
        Err(Refusal::Conflict("W-CHANGE-06"))
    );
    // The same ordinal under another Task is another Change (W-CHANGE-07).
    done(&mut store, 14, &publish_change(2, 2));
}

/// W-CHANGE-44: a review is what an active Change with that flag is in.
#[test]
fn the_public_status_follows_lifecycle_flag_and_cause() {
    let mut change = with_change().changes.remove(0);
    change.flags.insert(ChangeFlag::ReviewPending);
    let at_s = 12;
    for (lifecycle, status) in [
        (Lifecycle::Draft, "draft"),
        (Lifecycle::Active, "review"),
        (Lifecycle::Landed, "landed"),
        (Lifecycle::Archived { cause: CAUSES[0], at_s }, "archived"),
        (Lifecycle::Archived { cause: CAUSES[1], at_s }, "canceled"),
        (Lifecycle::Archived { cause: CAUSES[2], at_s }, "superseded"),
    ] {
        change.lifecycle = lifecycle;
        assert_eq!(change.status(), status);
    }
    change.flags.clear();
    change.lifecycle = Lifecycle::Active;
    assert_eq!(change.status(), "active");
}

/// W-CHANGE-31, W-CHANGE-50: what a Change forked from stays in use, also when the Line has moved on and the Change is archived.
#[test]
fn the_snapshot_that_a_change_forked_from_stays() {
    let mut store = store();
    let root = done(&mut store, 11, &snapshot(SnapshotKind::Line, 9, vec![]));
    let name = "side".to_owned();
    let head = Some(root);
    let line = done(&mut store, 11, &Operation::CreateLine { name, head });
    done(&mut store, 12, &change(0, "side"));
    done(&mut store, 13, &archive(0, ArchiveCause::Canceled));
    done(&mut store, 13, &Operation::DeleteLine(line));
    let answer = refused(&mut store, 14, &Operation::TombstoneSnapshot(root));
    assert_eq!(answer, Err(Refusal::Refused("W-CHANGE-31")));
}
