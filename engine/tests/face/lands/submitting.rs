//! Submitting a Land: its target Line, its times, and which Changes may be landed.

use graven::UnixSeconds;
use graven::format::{
    ArchiveCause, ChangeIndex, ChangeOrdinal, Land, LandMode, LandOrdinal, LandStatus, RemoteTaskIndex,
};

use super::{Begun, CREATED, LATER, at, begun, onto};
use crate::support::{corrupt, onto_main, refused};

#[test]
fn w_land_28_w_land_35_a_queued_land_has_its_target_line_and_no_snapshot() {
    let mut begun = begun();
    let before: Vec<_> = begun.store.files().into_keys().collect();
    let land = begun.queued(begun.change);
    begun.store.reopen();
    let expected = Land {
        status: LandStatus::Queued,
        mode: LandMode::Direct,
        tombstoned: false,
        ordinal: LandOrdinal::MIN,
        change_ordinal: ChangeOrdinal::MIN,
        change: begun.change,
        previous_of_task: None,
        previous_of_change: None,
        pre_target: None,
        submitted_at_s: Some(UnixSeconds(LATER)),
        updated_at_s: UnixSeconds(LATER),
        target_line: begun.line,
    };
    assert_eq!(begun.record(land), expected);
    let bytes = begun.bytes(land);
    assert_eq!(
        (&bytes[16..24], &bytes[40..44]),
        (&[0; 8][..], &begun.line.plus1().to_le_bytes()[..]),
        "W-LAND-28"
    );
    assert_eq!(
        begun.store.files().into_keys().collect::<Vec<_>>(),
        before,
        "W-LAND-16: a Land has no payload file"
    );
    let owner = begun
        .store
        .store
        .read(|view| Ok(view.lands()?.get(land)?.owner()?.index()));
    assert_eq!(owner.unwrap(), begun.change);
    assert_eq!(begun.head_of(begun.line), Some(begun.head));
    assert!(begun.store.is_clean());
}

#[test]
fn w_land_20_w_land_34_the_target_line_is_found_by_its_exact_name_less_the_white_space_around_it() {
    let begun = begun();
    let longer = begun.store.line("main-2");
    for (name, line) in [("main", begun.line), ("\tmain-2 ", longer)] {
        let new = onto(begun.change, name, LandMode::Direct);
        let land = begun.store.at(LATER, |txn| txn.submit_land(&new)).unwrap();
        assert_eq!(begun.record(land).target_line, line);
    }
    let gone = begun.store.line("gone");
    let away = begun.store.line("away");
    begun.store.at(CREATED, |txn| txn.delete_line(gone)).unwrap();
    begun.store.at(CREATED, |txn| txn.archive_line(away)).unwrap();
    let cases = [
        ("mai", "W-LAND-34"),
        ("main-", "W-LAND-34"),
        ("Main", "W-LAND-34"),
        ("gone", "W-LAND-34"),
        ("away", "W-LINE-03"),
        ("", "W-CHANGE-61"),
        (" \n", "W-CHANGE-61"),
    ];
    for (name, rule) in cases {
        let new = onto(begun.change, name, LandMode::Direct);
        assert_eq!(
            begun.store.refusal(LATER, |txn| txn.submit_land(&new)),
            ("refused", rule),
            "W-LAND-20: {name:?}"
        );
        let land = begun.store.refusal(LATER, |txn| txn.land(&new, None, begun.head));
        assert_eq!(land, ("refused", rule), "{name:?}");
    }
}

#[test]
fn w_land_20_a_land_without_a_target_line_or_with_a_missing_one_is_damaged() {
    let mut begun = begun();
    let land = begun.queued(begun.change);
    begun.store.damage("workflow/land.bin", 4 + 40, &99_u32.to_le_bytes());
    let name = begun
        .store
        .store
        .read(|view| view.lands()?.get(land)?.target_line_name());
    assert_eq!(corrupt(name), ("land.bin".to_owned(), Some(0), "W-LAND-20"));
    begun.store.damage("workflow/land.bin", 4 + 40, &[0]);
    let record = begun.store.store.read(|view| Ok(*view.lands()?.get(land)?.record()));
    assert_eq!(corrupt(record), ("land.bin".to_owned(), Some(0), "W-LAND-20"));
    assert_eq!(
        begun.store.refusal(LATER, |txn| txn.start_land(land)),
        ("corrupt", "W-LAND-20")
    );
}

#[test]
fn w_land_15_the_mode_is_two_bits_and_changes_no_other() {
    let begun = begun();
    for (mode, meta) in LandMode::ALL.into_iter().zip([0, 0x20, 0x40]) {
        let new = onto(begun.change, "main", mode);
        let land = begun.store.at(LATER, |txn| txn.submit_land(&new)).unwrap();
        assert_eq!((begun.record(land).mode, begun.bytes(land)[0]), (mode, meta));
        begun.store.at(LATER, |txn| txn.cancel_land(land)).unwrap();
        assert_eq!(
            (begun.record(land).mode, begun.bytes(land)[0]),
            (mode, meta | 5),
            "it stays with every status"
        );
    }
}

#[test]
fn w_land_18_w_land_19_f_1_nothing_is_submitted_at_time_0_nor_before_its_change_was_created() {
    let begun = begun();
    let change = begun.store.change(begun.task, "later");
    let before = begun.store.files();
    let zero = UnixSeconds(0);
    let store = &begun.store;
    assert_eq!(
        refused(store.store.write(zero, |txn| txn.submit_land(&onto_main(change)))),
        "F-1"
    );
    assert_eq!(
        refused(
            store
                .store
                .write(zero, |txn| txn.land(&onto_main(change), Some(begun.head), begun.head))
        ),
        "F-1"
    );
    assert!(store.files() == before, "W-LAND-19");
    let early = CREATED - 1;
    assert_eq!(
        store.refusal(early, |txn| txn.submit_land(&onto_main(change))),
        ("refused", "F-1")
    );
    let land = store.refusal(early, |txn| txn.land(&onto_main(change), Some(begun.head), begun.head));
    assert_eq!(land, ("refused", "F-1"));
}

#[test]
fn f_2_7_an_archived_or_published_change_is_not_landed_here() {
    let begun = begun();
    let Begun {
        store,
        head,
        task,
        change,
        ..
    } = &begun;
    let running = begun.in_status("running");
    let all_refused = || {
        assert_eq!(
            store.refusal(LATER, |txn| txn.submit_land(&onto_main(*change))),
            ("refused", "F-2.7")
        );
        let land = store.refusal(LATER, |txn| txn.land(&onto_main(*change), Some(*head), *head));
        assert_eq!(land, ("refused", "F-2.7"));
        let succeed = store.refusal(LATER, |txn| txn.succeed_land(running, Some(*head), *head));
        assert_eq!(
            succeed,
            ("refused", "F-2.7"),
            "an attempt that runs already does not get through either"
        );
    };
    store
        .at(LATER, |txn| txn.archive_change(*change, ArchiveCause::Plain))
        .unwrap();
    all_refused();
    store.at(LATER, |txn| txn.reopen_change(*change)).unwrap();
    begun.queued(*change);
    store
        .at(LATER, |txn| txn.publish_task(*task, RemoteTaskIndex::MAX))
        .unwrap();
    begun.queued(*change);
    store
        .at(LATER, |txn| txn.publish_change(*change, ChangeOrdinal::MIN))
        .unwrap();
    all_refused();
    store.at(LATER, |txn| txn.cancel_land(running)).unwrap();
}

#[test]
fn what_does_not_exist_or_is_deleted_is_not_found() {
    let mut begun = begun();
    let queued = begun.queued(begun.change);
    for missing in [ChangeIndex::new(1).unwrap(), ChangeIndex::MAX] {
        assert_eq!(
            begun.store.refusal(LATER, |txn| txn.submit_land(&onto_main(missing))),
            ("not found", "")
        );
        let land = begun
            .store
            .refusal(LATER, |txn| txn.land(&onto_main(missing), Some(begun.head), begun.head));
        assert_eq!(land, ("not found", ""));
    }
    begun.store.damage("workflow/land.bin", 4, &[0x80]);
    for missing in [queued, at(1), at(u32::MAX - 1)] {
        for (name, step) in super::STEPS.into_iter().take(5) {
            assert_eq!(
                begun.store.refusal(LATER, |txn| step(txn, missing)),
                ("not found", ""),
                "{name}"
            );
        }
        let succeed = begun
            .store
            .refusal(LATER, |txn| txn.succeed_land(missing, Some(begun.head), begun.head));
        assert_eq!(succeed, ("not found", ""));
    }
}
