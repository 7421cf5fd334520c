//! Landing: the Line moves with the Land, and only to where it may.

use super::super::testing::*;
use super::super::{ArchiveCause, ChangeFlag, LandOperation, Lifecycle, Operation};
use super::*;

fn record(line: usize, fork: Option<usize>, landed: usize) -> Operation {
    let (title, intent, mode) = (" fix ".to_owned(), "fix\n\nit".to_owned(), LandMode::Merge);
    Operation::Land(LandOperation::Record {
        title,
        intent,
        line,
        fork,
        landed,
        mode,
    })
}

/// W-LAND-23, W-LAND-24, F-2.2: the old head, the new head, and what is left of the Change's flags.
#[test]
fn a_success_moves_the_line_and_lands_the_change() {
    let mut store = with_change();
    store.changes[0].flags = [ChangeFlag::HasPatchsets, ChangeFlag::Blocked].into();
    let land = done(&mut store, 20, &submit(0, "main"));
    done(&mut store, 21, &start(land));
    done(&mut store, 22, &succeed(land, Some(0), 1));
    assert_eq!((store.lines[0].head, store.lines[0].updated_at_s), (Some(1), 22));
    assert_eq!((store.lands[0].pre_target, store.lands[0].landed()), (Some(0), Some(1)));
    let change = &store.changes[0];
    assert_eq!((change.lifecycle, change.updated_at_s), (Lifecycle::Landed, 22));
    assert_eq!(change.flags, [ChangeFlag::HasPatchsets].into());
}

/// F-2.7: landing at once is the same as asking, beginning and succeeding at that time.
#[test]
fn landing_at_once_is_all_steps_at_one_time() {
    let mut steps = with_change();
    done(&mut steps, 20, &submit(0, "main"));
    done(&mut steps, 20, &start(0));
    done(&mut steps, 20, &succeed(0, Some(0), 1));
    let mut at_once = with_change();
    let answer = at_once.apply(20, &land(LandMode::Direct, " main ", Some(0), 1));
    assert_eq!(answer, Ok(Answered::Landed { land: 0, added: true }));
    assert_eq!(at_once, steps);
}

/// W-LAND-23: on a Line without a head there is no Snapshot before; where the head stays, the Line is not touched.
#[test]
fn a_line_without_a_head_and_one_that_stays() {
    let mut store = with_change();
    done(&mut store, 20, &land(LandMode::FastForwardOnly, "empty", None, 1));
    assert_eq!((store.lands[0].pre_target, store.lines[1].head), (None, Some(1)));
    let line = store.lines[0].clone();
    done(&mut store, 21, &land(LandMode::Direct, "main", Some(0), 0));
    assert_eq!((store.lands[1].pre_target, &store.lines[0]), (Some(0), &line));
}

/// F-2.7: the same landing again answers the first one and writes nothing, whatever head is expected.
#[test]
fn the_same_landing_again_writes_nothing() {
    let mut store = with_change();
    done(&mut store, 20, &land(LandMode::Direct, "main", Some(0), 1));
    let landed = store.clone();
    for expected in [Some(0), Some(1), None] {
        let again = store.apply(21, &land(LandMode::Merge, "main", expected, 1));
        assert_eq!(again, Ok(Answered::Landed { land: 0, added: false }));
        assert_eq!(store, landed);
    }
    // Another Line or another Snapshot is another landing.
    done(&mut store, 22, &land(LandMode::Direct, "empty", None, 1));
    done(&mut store, 23, &land(LandMode::Direct, "main", Some(1), 2));
    // The winning one has changed, so the first is asked for anew.
    let anew = store.apply(24, &land(LandMode::Direct, "main", Some(2), 1));
    assert_eq!(anew, Ok(Answered::Landed { land: 3, added: true }));
}

/// F-2.4: of two that move a Line, one is told.
#[test]
fn a_head_that_is_not_expected_is_a_conflict() {
    let mut store = with_change();
    for expected in [None, Some(1)] {
        let answer = refused(&mut store, 20, &land(LandMode::Direct, "main", expected, 1));
        assert_eq!(answer, Err(Refusal::Conflict("F-2.4")));
    }
}

/// W-LAND-23, W-LAND-24, W-LAND-37, W-LINE-03: a missing, a stashed and a tombstoned Snapshot is not landed; the landed
/// one and the one before it stay.
#[test]
fn only_a_live_snapshot_of_kind_line_is_landed_and_it_stays() {
    let mut store = with_change();
    done(&mut store, 12, &Operation::TombstoneSnapshot(2));
    for (wrong, refusal) in [
        (2, Refusal::Refused("W-LINE-03")),
        (3, Refusal::Refused("W-LINE-03")),
        (9, Refusal::NotFound),
    ] {
        let answer = refused(&mut store, 20, &land(LandMode::Direct, "main", Some(0), wrong));
        assert_eq!(answer, Err(refusal));
    }
    for (now_s, landed) in [(12, 4), (13, 5)] {
        let index = done(
            &mut store,
            now_s,
            &snapshot(super::super::SnapshotKind::Line, now_s, vec![]),
        );
        assert_eq!(index, landed);
    }
    done(&mut store, 20, &land(LandMode::Direct, "empty", None, 4));
    done(&mut store, 21, &land(LandMode::Direct, "empty", Some(4), 5));
    let (line, expected, head) = (1, Some(5), None);
    done(&mut store, 22, &Operation::MoveHead { line, expected, head });
    // The first Land that speaks of it tells the rule.
    for kept in [4, 5] {
        let answer = refused(&mut store, 23, &Operation::TombstoneSnapshot(kept));
        assert_eq!(answer, Err(Refusal::Refused("W-LAND-24")));
    }
    let mut before = store.clone();
    before.lands[0].status = LandStatus::Canceled;
    let answer = refused(&mut before, 23, &Operation::TombstoneSnapshot(4));
    assert_eq!(answer, Err(Refusal::Refused("W-LAND-23")));
}

/// F-2.7: forward only means that the new head comes from the old one.
#[test]
fn only_forward_refuses_what_does_not_come_from_the_head() {
    let mode = LandMode::FastForwardOnly;
    let mut store = with_change();
    done(&mut store, 20, &land(mode, "main", Some(0), 1));
    let answer = refused(&mut store, 21, &land(mode, "main", Some(1), 2));
    assert_eq!(answer, Err(Refusal::Refused("F-2.7")));
    done(&mut store, 21, &land(LandMode::Direct, "main", Some(1), 2));
    done(&mut store, 22, &land(mode, "main", Some(2), 2));
}

/// F-2.7: a landing at once is refused for what a submission is refused for.
#[test]
fn an_archived_or_published_change_does_not_land_at_once() {
    let landing = land(LandMode::Direct, "main", Some(0), 1);
    let mut store = with_change();
    done(&mut store, 12, &archive(0, ArchiveCause::Superseded));
    assert_eq!(refused(&mut store, 20, &landing), Err(Refusal::Refused("F-2.7")));
    let mut store = with_change();
    done(&mut store, 12, &publish_task(0, 0));
    done(&mut store, 12, &publish_change(0, 5));
    assert_eq!(refused(&mut store, 20, &landing), Err(Refusal::Refused("F-2.7")));
}

/// W-LINE-03: a Line that was archived or deleted meanwhile does not move.
#[test]
fn a_land_does_not_move_a_line_that_is_out_of_use() {
    let mut store = with_change();
    done(&mut store, 20, &submit(0, "main"));
    done(&mut store, 21, &start(0));
    done(&mut store, 22, &Operation::ArchiveLine(0));
    let succeeding = succeed(0, Some(0), 1);
    assert_eq!(refused(&mut store, 23, &succeeding), Err(Refusal::Refused("W-LINE-03")));
    done(&mut store, 23, &Operation::DeleteLine(0));
    assert_eq!(refused(&mut store, 24, &succeeding), Err(Refusal::NotFound));
}

/// F-2.7: a Change that was archived or published while its Land was at work lands no more; a reopened one does.
#[test]
fn a_land_at_work_does_not_land_a_change_that_was_archived_or_published_meanwhile() {
    let mut store = with_change();
    done(&mut store, 20, &submit(0, "main"));
    done(&mut store, 21, &start(0));
    let mut published = store.clone();
    done(&mut published, 22, &publish_task(0, 0));
    done(&mut published, 22, &publish_change(0, 0));
    done(&mut store, 22, &archive(0, ArchiveCause::Canceled));
    for store in [&mut store, &mut published] {
        let answer = refused(store, 23, &succeed(0, Some(0), 1));
        assert_eq!(answer, Err(Refusal::Refused("F-2.7")));
    }
    done(&mut store, 24, &reopen(0));
    done(&mut store, 25, &succeed(0, Some(0), 1));
    assert_eq!(store.changes[0].lifecycle, Lifecycle::Landed);
}

/// W-TASK-21, W-LAND-24: a recorded landing is complete, and its Line stays where it is.
#[test]
fn a_recorded_landing_is_complete_and_moves_no_line() {
    let mut store = store();
    let lines = store.lines.clone();
    let answer = store.apply(30, &record(0, Some(0), 1));
    let (task, change, land) = (1, 0, 0);
    assert_eq!(answer, Ok(Answered::History { task, change, land }));
    assert_eq!(store.lines, lines);
    let told = &store.tasks[1];
    assert_eq!((&*told.title, &*told.intent), ("fix", "fix\n\nit"));
    assert_eq!((told.status, told.closed_at_s), (TaskStatus::Completed, Some(30)));
    assert_eq!(
        (store.changes[0].lifecycle, store.changes[0].fork),
        (Lifecycle::Landed, Some(0))
    );
    assert_eq!((store.lands[0].pre_target, store.lands[0].landed()), (Some(0), Some(1)));
}

/// W-LINE-03: a recorded landing refers to live Snapshots of kind line and to a Line that is not deleted.
#[test]
fn a_recorded_landing_refers_to_what_is_live() {
    let mut store = store();
    done(&mut store, 11, &Operation::DeleteLine(1));
    for (operation, refusal) in [
        (record(9, None, 1), Refusal::NotFound),
        (record(1, None, 1), Refusal::NotFound),
        (record(0, Some(9), 1), Refusal::NotFound),
        (record(0, Some(3), 1), Refusal::Refused("W-LINE-03")),
        (record(0, None, 3), Refusal::Refused("W-LINE-03")),
        (record(0, None, 9), Refusal::NotFound),
    ] {
        assert_eq!(refused(&mut store, 30, &operation), Err(refusal));
    }
}
