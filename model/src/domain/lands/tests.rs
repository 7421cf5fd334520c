//! Lands: the graph of their status, their ordinals, and which one won.

use super::super::testing::*;
use super::super::{ArchiveCause, ChangeFlag, Lifecycle, Operation};
use super::*;

const WHY: FailureKind = FailureKind::PolicyBlocked;

fn block(land: usize) -> Operation {
    Operation::Land(LandOperation::Block { land, why: WHY })
}

fn fail(land: usize) -> Operation {
    Operation::Land(LandOperation::Fail { land, why: WHY })
}

fn cancel(land: usize) -> Operation {
    Operation::Land(LandOperation::Cancel(land))
}

fn begin_update(land: usize) -> Operation {
    Operation::Land(LandOperation::BeginUpdate(land))
}

/// The store with one Change and one queued Land on "main", asked for at 20 seconds.
fn queued() -> Store {
    let mut store = with_change();
    done(&mut store, 20, &submit(0, "main"));
    store
}

/// W-LAND-28, W-LAND-18: a new Land waits, with its Line and its time and without Snapshots.
#[test]
fn a_new_land_waits_with_its_line() {
    let store = queued();
    let land = store.lands[0];
    assert_eq!(
        (land.status, land.target_line, land.submitted_at_s),
        (LandStatus::Queued, 0, 20)
    );
    assert_eq!((land.pre_target, land.landed()), (None, None));
    assert_eq!(store.changes, with_change().changes);
}

/// G35, W-LAND-30: from each status only the arrows of the graph, and from the last ones none.
#[test]
fn the_status_follows_the_graph() {
    let moves: [(&str, Operation); 6] = [
        ("running", start(0)),
        ("updating", begin_update(0)),
        ("blocked", block(0)),
        ("failed", fail(0)),
        ("canceled", cancel(0)),
        ("succeeded", succeed(0, Some(0), 1)),
    ];
    let ways: [(&str, &[Operation], &[&str]); 7] = [
        ("queued", &[], &["running", "canceled"]),
        (
            "running",
            &[start(0)],
            &["updating", "blocked", "failed", "canceled", "succeeded"],
        ),
        ("updating", &[start(0), begin_update(0)], &["failed", "succeeded"]),
        ("blocked", &[start(0), block(0)], &[]),
        ("failed", &[start(0), fail(0)], &[]),
        ("canceled", &[cancel(0)], &[]),
        ("succeeded", &[start(0), succeed(0, Some(0), 1)], &[]),
    ];
    for (from, way, allowed) in ways {
        for (to, operation) in &moves {
            let mut store = queued();
            for step in way {
                done(&mut store, 21, step);
            }
            assert_eq!(store.lands[0].status.name(), from);
            if allowed.contains(to) {
                done(&mut store, 22, operation);
                assert_eq!((store.lands[0].status.name(), store.lands[0].updated_at_s), (*to, 22));
            } else {
                let answer = refused(&mut store, 22, operation);
                assert_eq!(answer, Err(Refusal::Refused("G35")), "{from} to {to}");
            }
        }
    }
}

/// W-LAND-19, F-1: no Land at time 0 or before its Change, and none changes before it was asked for.
#[test]
fn a_land_moves_at_no_impossible_time() {
    let mut store = queued();
    for now_s in [0, 10] {
        let answer = refused(&mut store, now_s, &submit(0, "main"));
        assert_eq!(answer, Err(Refusal::Refused("F-1")));
    }
    assert_eq!(refused(&mut store, 19, &start(0)), Err(Refusal::Refused("F-1")));
    done(&mut store, 20, &start(0));
}

/// W-LAND-34: the target is found by its exact name among the Lines in use.
#[test]
fn the_target_line_is_found_by_its_exact_name() {
    let mut store = with_change();
    done(&mut store, 12, &Operation::ArchiveLine(1));
    for (name, rule) in [
        ("mai", "W-LAND-34"),
        ("MAIN", "W-LAND-34"),
        ("", "W-CHANGE-61"),
        ("empty", "W-LINE-03"),
    ] {
        let answer = refused(&mut store, 13, &submit(0, name));
        assert_eq!(answer, Err(Refusal::Refused(rule)), "{name:?}");
    }
    done(&mut store, 13, &submit(0, "\tmain "));
}

/// F-2.7: what is put away, or published, does not land here.
#[test]
fn an_archived_or_published_change_is_not_submitted() {
    let by_rule = Err(Refusal::Refused("F-2.7"));
    let mut store = with_change();
    done(&mut store, 12, &archive(0, ArchiveCause::Plain));
    assert_eq!(refused(&mut store, 13, &submit(0, "main")), by_rule);
    let mut store = with_change();
    done(&mut store, 12, &publish_task(0, 0));
    done(&mut store, 12, &publish_change(0, 0));
    assert_eq!(refused(&mut store, 13, &submit(0, "main")), by_rule);
    assert_eq!(refused(&mut store, 13, &submit(1, "main")), Err(Refusal::NotFound));
}

/// W-LAND-08, W-LAND-12, W-LAND-44: ordinals are the Change's own; the 65th Land is one too many.
#[test]
fn ordinals_count_up_within_a_change_to_64() {
    let mut store = with_change();
    done(&mut store, 12, &change(0, "main"));
    for ordinal in 0..MOST_LANDS {
        let index = done(&mut store, 20, &submit(0, "main"));
        assert_eq!(store.lands[index].ordinal, ordinal);
    }
    assert_eq!(refused(&mut store, 20, &submit(0, "main")), Err(Refusal::Exhausted(64)));
    let other = done(&mut store, 20, &submit(1, "main"));
    assert_eq!(store.lands[other].ordinal, 0);
}

/// W-LAND-13, W-LAND-14: the chain of the Change follows ordinals, that of the Task the order of records.
#[test]
fn two_changes_of_a_task_share_its_chain_and_not_their_own() {
    let mut store = with_change();
    done(&mut store, 12, &change(0, "main"));
    for of in [0, 1, 0, 1] {
        done(&mut store, 20, &submit(of, "main"));
    }
    let seen = [0, 1, 2, 3].map(|land| store.land_seen(land));
    assert_eq!(
        seen.map(|seen| seen.previous_of_task),
        [None, Some(0), Some(1), Some(2)]
    );
    assert_eq!(seen.map(|seen| seen.previous_of_change), [None, None, Some(0), Some(1)]);
    assert_eq!(seen.map(|seen| seen.change_ordinal), [0, 1, 0, 1]);
    let (of_task, of_change) = (store.task_seen(0).lands, store.change_seen(1).lands);
    assert_eq!((of_task.latest, of_task.count, of_task.next), (Some(3), 4, None));
    assert_eq!(
        (of_change.latest, of_change.count, of_change.next),
        (Some(3), 2, Some(2))
    );
}

/// W-LAND-17, F-2.2: what blocks a Land blocks its Change, and it is not ready any more.
#[test]
fn a_blocked_land_blocks_its_change() {
    let mut store = queued();
    store.changes[0].flags.insert(ChangeFlag::ReadyToLand);
    done(&mut store, 21, &start(0));
    done(&mut store, 22, &block(0));
    assert_eq!(store.lands[0].status, LandStatus::Blocked(WHY));
    assert_eq!(store.changes[0].flags, [ChangeFlag::Blocked].into());
    assert_eq!(store.changes[0].updated_at_s, 22);
}

/// F-2.2: a Change that was archived meanwhile is not blocked.
#[test]
fn a_blocked_land_leaves_an_archived_change_alone() {
    let mut store = queued();
    done(&mut store, 21, &start(0));
    done(&mut store, 22, &archive(0, ArchiveCause::Plain));
    let changes = store.changes.clone();
    done(&mut store, 23, &block(0));
    assert_eq!(store.changes, changes);
}

/// F-2.2: a Land that failed or was canceled leaves its Change alone.
#[test]
fn failing_and_canceling_leave_the_change_alone() {
    for end in [fail(0), cancel(0)] {
        let mut store = queued();
        done(&mut store, 21, &start(0));
        done(&mut store, 22, &end);
        assert_eq!(store.changes, with_change().changes);
    }
}

/// W-LAND-29, W-LAND-30: of several that succeeded the highest ordinal wins; later failures undo nothing.
#[test]
fn the_last_success_wins_and_failures_after_it_undo_nothing() {
    let mut store = queued();
    done(&mut store, 21, &start(0));
    done(&mut store, 22, &succeed(0, Some(0), 1));
    let landed = store.changes.clone();
    for end in [fail(1), block(2), succeed(3, Some(1), 2)] {
        let land = done(&mut store, 23, &submit(0, "main"));
        done(&mut store, 24, &start(land));
        done(&mut store, 25, &end);
        if land < 3 {
            assert_eq!(store.winning_land(0), Some(0));
            assert_eq!(store.changes, landed);
        }
    }
    assert_eq!(store.winning_land(0), Some(3));
    assert_eq!(store.changes[0].lifecycle, Lifecycle::Landed);
}

/// G35: an attempt that began later and won earlier keeps its ordinal; the higher ordinal wins, not the later time.
#[test]
fn the_highest_ordinal_wins_also_where_a_lower_one_succeeded_later() {
    let mut store = queued();
    done(&mut store, 20, &submit(0, "main"));
    done(&mut store, 21, &start(0));
    done(&mut store, 21, &start(1));
    done(&mut store, 22, &succeed(1, Some(0), 1));
    done(&mut store, 23, &succeed(0, Some(1), 2));
    assert_eq!(store.winning_land(0), Some(1));
}
