//! How the status of a Land changes: the graph, the times, and what it does to the Change.

use graven::UnixSeconds;
use graven::format::{ArchiveCause, ChangeFlag, ChangeFlags, ChangeLifecycle, FailureKind, LandStatus};

use super::{Begun, CREATED, GRAPH, LATER, STEPS, begun};
use crate::support::{corrupt, onto_main};

#[test]
fn w_land_43_g35_assigned_by_us_a_status_follows_another_only_along_the_graph() {
    for (from, may_follow) in GRAPH {
        for (to, step) in STEPS {
            let begun = begun();
            let land = begun.in_status(from);
            let before = begun.bytes(land);
            if may_follow.contains(&to) {
                begun.store.at(LATER + 1, |txn| step(txn, land)).unwrap();
                assert_eq!(begun.record(land).status.as_str(), to);
                assert_eq!(begun.record(land).updated_at_s, UnixSeconds(LATER + 1));
                assert_eq!(
                    begun.record(land).submitted_at_s,
                    Some(UnixSeconds(LATER)),
                    "it was submitted once"
                );
            } else {
                assert_eq!(
                    begun.store.refusal(LATER + 1, |txn| step(txn, land)),
                    ("refused", "G35"),
                    "{from}, {to}"
                );
                assert_eq!(begun.bytes(land), before);
            }
            assert!(begun.store.is_clean(), "{from}, {to}");
        }
    }
}

#[test]
fn w_land_17_w_land_41_why_it_was_blocked_or_failed_is_one_byte() {
    for (code, why) in (1..).zip(FailureKind::ALL) {
        let begun = begun();
        let [blocked, failed] = [begun.in_status("running"), begun.in_status("running")];
        begun.store.at(LATER, |txn| txn.block_land(blocked, why)).unwrap();
        begun.store.at(LATER, |txn| txn.fail_land(failed, why)).unwrap();
        assert_eq!(begun.record(blocked).status, LandStatus::Blocked { why: Some(why) });
        assert_eq!(begun.record(failed).status, LandStatus::Failed { why: Some(why) });
        assert_eq!((begun.bytes(blocked)[3], begun.bytes(failed)[3]), (code, code));
        let target = begun.bytes(blocked)[40..44].to_vec();
        assert_eq!(
            target,
            begun.line.plus1().to_le_bytes(),
            "W-LAND-28: it keeps its target Line"
        );
    }
}

#[test]
fn w_land_41_an_unknown_kind_of_failure_fails_closed() {
    let mut begun = begun();
    let land = begun.in_status("blocked");
    begun.store.damage("workflow/land.bin", 4 + 3, &[8]);
    let record = begun.store.store.read(|view| Ok(*view.lands()?.get(land)?.record()));
    assert_eq!(corrupt(record), ("land.bin".to_owned(), Some(0), "W-LAND-41"));
}

#[test]
fn f_1_a_status_does_not_change_before_the_land_was_submitted() {
    let begun = begun();
    let running = begun.in_status("running");
    for (name, step) in STEPS.into_iter().filter(|(name, _)| *name != "running") {
        assert_eq!(
            begun.store.refusal(LATER - 1, |txn| step(txn, running)),
            ("refused", "F-1"),
            "{name}"
        );
    }
    let queued = begun.queued(begun.change);
    assert_eq!(
        begun.store.refusal(LATER - 1, |txn| txn.start_land(queued)),
        ("refused", "F-1")
    );
    begun.store.at(LATER, |txn| txn.start_land(queued)).unwrap();
}

#[test]
fn f_2_2_a_blocked_land_blocks_its_change_while_that_is_open() {
    let mut begun = begun();
    let land = begun.in_status("running");
    // Ready to land, with a Patchset.
    begun.store.damage("workflow/change.bin", 4, &[0b0010_0101]);
    begun
        .store
        .at(LATER, |txn| txn.block_land(land, FailureKind::PolicyBlocked))
        .unwrap();
    let change = begun.change_record(begun.change);
    let expected = ChangeFlags::NONE
        .with(ChangeFlag::HasPatchsets)
        .with(ChangeFlag::Blocked);
    assert_eq!((change.lifecycle, change.flags), (ChangeLifecycle::Active, expected));
    assert_eq!(change.updated_at_s, UnixSeconds(LATER));
    let archived = begun.in_status("running");
    begun
        .store
        .at(LATER, |txn| txn.archive_change(begun.change, ArchiveCause::Plain))
        .unwrap();
    let before = begun.store.bytes("workflow/change.bin");
    begun
        .store
        .at(LATER + 5, |txn| txn.block_land(archived, FailureKind::BaseStale))
        .unwrap();
    assert_eq!(
        begun.store.bytes("workflow/change.bin"),
        before,
        "an archived one is not touched"
    );
}

#[test]
fn neither_failing_nor_canceling_touches_the_change() {
    for last in ["failed", "canceled"] {
        let begun = begun();
        let before = begun.store.bytes("workflow/change.bin");
        begun.in_status(last);
        assert_eq!(begun.store.bytes("workflow/change.bin"), before, "{last}");
    }
}

#[test]
fn w_land_30_attempts_after_a_success_undo_nothing() {
    for last in ["blocked", "failed", "canceled"] {
        let begun = begun();
        let Begun {
            store, head, change, ..
        } = &begun;
        let done = store.child("done", &[*head]);
        let won = store
            .at(LATER, |txn| txn.land(&onto_main(*change), Some(*head), done))
            .unwrap()
            .index;
        let before = (
            begun.landing(*change),
            store.bytes("workflow/change.bin"),
            begun.bytes(won),
        );
        assert_eq!(before.0, Some((won, "main".to_owned(), LATER)));
        let land = begun.queued(*change);
        for (_, step) in super::steps_to(last) {
            store.at(LATER + 9, |txn| step(txn, land)).unwrap();
        }
        let after = (
            begun.landing(*change),
            store.bytes("workflow/change.bin"),
            begun.bytes(won),
        );
        assert_eq!(after, before, "{last}: still landed, there and then");
        assert!(store.is_clean());
    }
}

#[test]
fn a_land_goes_its_whole_way_in_one_transaction() {
    let begun = begun();
    let done = begun.store.child("done", &[begun.head]);
    let land = begun.store.at(CREATED + 1, |txn| {
        let land = txn.submit_land(&onto_main(begun.change))?;
        txn.start_land(land)?;
        txn.begin_update(land)?;
        txn.succeed_land(land, Some(begun.head), done)?;
        Ok(land)
    });
    assert_eq!(
        begun.landing(begun.change),
        Some((land.unwrap(), "main".to_owned(), CREATED + 1))
    );
    assert_eq!(begun.head_of(begun.line), Some(done));
    assert!(begun.store.is_clean());
}

#[test]
fn a_refused_step_drops_only_itself() {
    let begun = begun();
    let running = begun.in_status("running");
    let elsewhere = begun.store.child("elsewhere", &[]);
    begun
        .store
        .at(LATER, |txn| {
            // Refused after the Land's own record was changed on the overlay.
            let succeed = txn.succeed_land(running, Some(elsewhere), elsewhere);
            assert_eq!(crate::support::said(&succeed.unwrap_err()), ("conflict", "F-2.4"));
            assert_eq!(txn.lands()?.get(running)?.status, LandStatus::Running);
            txn.fail_land(running, FailureKind::TargetUpdateFailed)
        })
        .unwrap();
    assert_eq!(begun.record(running).status.as_str(), "failed");
    assert_eq!(begun.record(running).pre_target, None);
}
