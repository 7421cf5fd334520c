//! Lands that succeed: the Line's head, the Change, which Land counts, and history that landed elsewhere.

use graven::format::{
    ChangeFlag, ChangeFlags, ChangeLifecycle, ChangeStatus, LandMode, LandStatus, LineIndex, SnapshotIndex,
};
use graven::{NewSnapshot, UnixSeconds};

use super::{Begun, CREATED, LATER, at, begun, onto};
use crate::support::{NOW, TestStore};

/// Which of the two ways to succeed.
const WAYS: [&str; 2] = ["land", "succeed_land"];

impl Begun {
    /// A success in that way, of a Land onto that Line.
    pub(super) fn success(
        &self,
        way: &str,
        (line, mode): (&str, LandMode),
        (expected, landed): (Option<SnapshotIndex>, SnapshotIndex),
    ) -> graven::Result<graven::format::LandIndex> {
        let new = onto(self.change, line, mode);
        if way == "land" {
            return self
                .store
                .at(LATER, |txn| txn.land(&new, expected, landed))
                .map(|landed| landed.index);
        }
        self.store.at(LATER, |txn| {
            let land = txn.submit_land(&new)?;
            txn.start_land(land)?;
            txn.succeed_land(land, expected, landed)?;
            Ok(land)
        })
    }

    fn refused_success(
        &self,
        way: &str,
        (line, mode): (&str, LandMode),
        (expected, landed): (Option<SnapshotIndex>, SnapshotIndex),
    ) -> (&'static str, &'static str) {
        let new = onto(self.change, line, mode);
        if way == "land" {
            return self.store.refusal(LATER, |txn| txn.land(&new, expected, landed));
        }
        let land = self.store.at(LATER, |txn| {
            let land = txn.submit_land(&new)?;
            txn.start_land(land)?;
            Ok(land)
        });
        let land = land.unwrap();
        self.store
            .refusal(LATER, |txn| txn.succeed_land(land, expected, landed))
    }
}

fn authored(store: &TestStore, message: &str, line: LineIndex, parents: &[SnapshotIndex]) -> SnapshotIndex {
    let root = store
        .store
        .objects()
        .write(NOW, |txn| txn.put_directory(&[]))
        .unwrap()
        .value
        .hash;
    let new = NewSnapshot::new(root, NOW).message(message).line(line).parents(parents);
    store.at(CREATED, |txn| txn.create_snapshot(&new)).unwrap().index
}

#[test]
fn w_land_05_w_land_23_w_land_24_a_success_moves_the_head_and_keeps_both_snapshots() {
    for way in WAYS {
        let mut begun = begun();
        let done = begun.store.child("done", &[begun.head]);
        let land = begun
            .success(way, ("main", LandMode::Direct), (Some(begun.head), done))
            .unwrap();
        begun.store.reopen();
        let record = begun.record(land);
        assert_eq!(record.pre_target, Some(begun.head), "W-LAND-23, {way}");
        assert_eq!(record.status, LandStatus::Succeeded { landed: done }, "W-LAND-05");
        assert_eq!(begun.head_of(begun.line), Some(done), "W-LAND-24");
        assert_eq!(
            (record.submitted_at_s, record.updated_at_s),
            (Some(UnixSeconds(LATER)), UnixSeconds(LATER))
        );
        // W-LAND-40, W-LAND-42: state 2, both Snapshots, no kind of failure.
        assert_eq!((begun.bytes(land)[0], begun.bytes(land)[3]), (0b1_1010, 0));
        assert!(begun.store.is_clean());
    }
}

#[test]
fn w_land_23_w_land_42_an_empty_line_gives_no_pre_target() {
    for way in WAYS {
        let begun = begun();
        let empty = begun.store.line("empty");
        let done = begun.store.child("done", &[]);
        let land = begun
            .success(way, ("empty", LandMode::FastForwardOnly), (None, done))
            .unwrap();
        assert_eq!(begun.record(land).pre_target, None, "{way}");
        assert_eq!(begun.bytes(land)[16..20], [0; 4]);
        assert_eq!(begun.head_of(empty), Some(done));
        assert!(begun.store.is_clean());
    }
}

#[test]
fn w_change_45_f_2_2_a_landed_change_keeps_of_its_bits_only_that_it_has_patchsets() {
    for way in WAYS {
        for (meta, kept) in [
            (0b0111_1101, ChangeFlags::NONE.with(ChangeFlag::HasPatchsets)),
            (0b0111_1000, ChangeFlags::NONE),
        ] {
            let mut begun = begun();
            begun.store.damage("workflow/change.bin", 4, &[meta]);
            begun
                .success(way, ("main", LandMode::Merge), (Some(begun.head), begun.head))
                .unwrap();
            let change = begun.change_record(begun.change);
            assert_eq!(
                (change.lifecycle, change.flags, change.status()),
                (ChangeLifecycle::Landed, kept, ChangeStatus::Landed)
            );
            assert_eq!((change.created_at_s.0, change.updated_at_s.0), (CREATED, LATER));
            // W-CHANGE-45: no field of the Change holds the time of landing; it is the Land's.
            let bytes = begun.store.record_bytes("change", 68, 0);
            assert_eq!((&bytes[60..68], bytes[5]), (&[0; 8][..], 0));
            assert_eq!(begun.landing(begun.change), Some((at(0), "main".to_owned(), LATER)));
        }
    }
}

#[test]
fn w_land_22_w_land_25_w_land_26_w_land_39_a_snapshot_of_another_line_lands_and_is_not_relabelled() {
    for way in WAYS {
        let begun = begun();
        let other = begun.store.line("the-other-line");
        let done = authored(&begun.store, "made elsewhere", other, &[begun.head]);
        let snapshots = begun.store.bytes("workflow/snapshot.bin");
        begun
            .success(way, ("main", LandMode::FastForwardOnly), (Some(begun.head), done))
            .unwrap();
        assert_eq!(begun.store.bytes("workflow/snapshot.bin"), snapshots, "W-LAND-25");
        assert!(
            begun.store.is_clean(),
            "W-LAND-26, W-LAND-39: nothing compares the two Lines"
        );
        let lands = begun.store.bytes("workflow/land.bin");
        for text in ["main", "the-other-line", "LNE-"] {
            assert!(
                !lands.windows(text.len()).any(|window| window == text.as_bytes()),
                "W-LAND-22"
            );
        }
    }
}

#[test]
fn f_2_4_of_two_that_move_the_head_one_is_told() {
    for way in WAYS {
        let begun = begun();
        let (mine, theirs) = (
            begun.store.child("mine", &[begun.head]),
            begun.store.child("theirs", &[begun.head]),
        );
        begun
            .store
            .at(LATER, |txn| txn.move_head(begun.line, Some(begun.head), Some(theirs)))
            .unwrap();
        for expected in [Some(begun.head), None, Some(mine)] {
            let answer = begun.refused_success(way, ("main", LandMode::Direct), (expected, mine));
            assert_eq!(answer, ("conflict", "F-2.4"), "{way}");
        }
        begun
            .success(way, ("main", LandMode::Direct), (Some(theirs), mine))
            .unwrap();
    }
}

#[test]
fn w_land_24_what_lands_is_a_live_snapshot_of_kind_line() {
    for way in WAYS {
        let begun = begun();
        let (stash, gone) = (begun.store.stash_snapshot("stash"), begun.store.child("gone", &[]));
        begun.store.at(CREATED, |txn| txn.tombstone_snapshot(gone)).unwrap();
        let head = Some(begun.head);
        for landed in [stash, gone] {
            assert_eq!(
                begun.refused_success(way, ("main", LandMode::Direct), (head, landed)),
                ("refused", "W-LINE-03")
            );
        }
        let missing = SnapshotIndex::new(99).unwrap();
        assert_eq!(
            begun.refused_success(way, ("main", LandMode::Direct), (head, missing)),
            ("not found", "")
        );
    }
}

#[test]
fn f_2_7_ff_only_lands_what_descends_from_the_head_or_is_it() {
    for way in WAYS {
        let begun = begun();
        let aside = begun.store.child("aside", &[]);
        let child = begun.store.child("child", &[begun.head]);
        let merge = begun.store.child("merge", &[aside, child]);
        let head = Some(begun.head);
        let only = ("main", LandMode::FastForwardOnly);
        assert_eq!(
            begun.refused_success(way, only, (head, aside)),
            ("refused", "F-2.7"),
            "{way}"
        );
        begun.success(way, only, (head, begun.head)).unwrap();
        begun.success(way, only, (head, merge)).unwrap();
        assert_eq!(
            begun.refused_success(way, only, (Some(merge), child)),
            ("refused", "F-2.7"),
            "not backwards"
        );
        // The other modes ask nothing.
        begun
            .success(way, ("main", LandMode::Direct), (Some(merge), child))
            .unwrap();
        begun
            .success(way, ("main", LandMode::Merge), (Some(child), aside))
            .unwrap();
        assert_eq!(begun.head_of(begun.line), Some(aside));
    }
}

#[test]
fn w_line_03_a_line_that_was_archived_or_deleted_meanwhile_is_not_moved() {
    let begun = begun();
    let running = begun.in_status("running");
    begun.store.at(LATER, |txn| txn.archive_line(begun.line)).unwrap();
    let succeed = |begun: &Begun| {
        begun
            .store
            .refusal(LATER, |txn| txn.succeed_land(running, Some(begun.head), begun.head))
    };
    assert_eq!(succeed(&begun), ("refused", "W-LINE-03"));
    begun.store.at(LATER, |txn| txn.delete_line(begun.line)).unwrap();
    assert_eq!(succeed(&begun), ("not found", ""));
}
