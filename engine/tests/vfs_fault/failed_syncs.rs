//! Disk assumption 4: the three states that a failed sync leaves, and how little a later one proves.

use super::{after, names, read, root, with_file};
use graven::vfs::fault::{CutPlan, EIO, Effect, FailedSync, Fault, FaultDisk, Kinds, OperationKind};
use graven::vfs::{Mode, write_all_at};

fn fail_next_sync(disk: &FaultDisk, outcome: FailedSync) {
    disk.inject(Fault::nth(Kinds::Syncs, 1, Effect::FailSync(EIO, outcome)));
}

#[test]
fn assumption_4_after_a_failed_sync_bytes_stay_readable_and_a_later_sync_proves_nothing() {
    let (disk, _root, file) = with_file(b"old.");
    write_all_at(&*file, 0, b"NEW!+").expect("a write");
    fail_next_sync(&disk, FailedSync::ReadableButLost);
    assert_eq!(file.sync_data().expect_err("EIO").raw_os_error(), Some(EIO));
    assert_eq!(read(&*file), b"NEW!+");
    file.sync_data().expect("a later sync succeeds");
    assert_eq!(read(&*file), b"NEW!+");
    assert_eq!(
        after(&disk, &CutPlan::all_lost()),
        b"old.",
        "and it has made nothing durable"
    );
    assert_eq!(
        after(&disk, &CutPlan::all_kept()),
        b"NEW!+",
        "though everything may have reached the medium"
    );
    file.set_len(5).expect("the length it reads as");
    file.sync_data().expect("a sync");
    assert_eq!(
        after(&disk, &CutPlan::all_lost()),
        b"old.",
        "setting the length it reads as is a no-op"
    );
    disk.evict();
    assert_eq!(read(&*file), b"old.", "the page was evicted");
    assert_eq!(disk.pending(), []);
}

#[test]
fn assumption_4_bytes_that_are_written_again_and_synced_are_durable_and_only_they() {
    let (disk, _root, file) = with_file(b"........");
    write_all_at(&*file, 0, b"abcdefghij").expect("a write that grows");
    fail_next_sync(&disk, FailedSync::ReadableButLost);
    file.sync_data().expect_err("EIO");
    write_all_at(&*file, 2, b"XX").expect("a write");
    file.sync_data().expect("a sync");
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"..XX....");
    assert_eq!(after(&disk, &CutPlan::all_kept()), b"abXXefghij");
    write_all_at(&*file, 9, b"j").expect("the last byte again");
    file.sync_data().expect("a sync");
    assert_eq!(
        after(&disk, &CutPlan::all_lost()),
        b"..XX....\0j",
        "a synced byte is inside the file"
    );
    file.set_len(11).expect("longer");
    file.set_len(8).expect("a length that is not the one it reads as");
    file.sync_data().expect("a sync");
    assert_eq!(
        after(&disk, &CutPlan::all_lost()),
        b"..XX....",
        "a length re-asserted is durable"
    );
    disk.evict();
    assert_eq!(read(&*file), b"..XX....");
}

#[test]
fn assumption_4_the_old_bytes_may_come_back_at_once() {
    let (disk, _root, file) = with_file(b"old.");
    write_all_at(&*file, 0, b"NEW!+").expect("a write");
    fail_next_sync(&disk, FailedSync::Reverted);
    file.sync_data().expect_err("EIO");
    assert_eq!(read(&*file), b"old.");
    file.sync_data().expect("a sync");
    assert_eq!(after(&disk, &CutPlan::all_kept()), b"old.");
}

#[test]
fn assumption_4_or_everything_stays_dirty() {
    let (disk, _root, file) = with_file(b"old.");
    write_all_at(&*file, 0, b"NEW!+").expect("a write");
    fail_next_sync(&disk, FailedSync::StillDirty);
    file.sync_data().expect_err("EIO");
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"old.");
    file.sync_data().expect("a sync");
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"NEW!+");
}

#[test]
fn assumption_4_a_failed_directory_sync_leaves_entries_in_the_same_three_ways() {
    for outcome in [
        FailedSync::ReadableButLost,
        FailedSync::Reverted,
        FailedSync::StillDirty,
    ] {
        let disk = FaultDisk::new();
        disk.set_failed_sync(outcome);
        let root = root(&disk);
        root.create_file(b"x", Mode::Private).expect("a file");
        disk.inject(Fault::nth(
            Kinds::Only(OperationKind::SyncDirectory),
            1,
            Effect::Fail(EIO),
        ));
        root.sync().expect_err("EIO");
        let readable = names(&disk).len();
        root.sync().expect("a sync");
        let durable = names(&disk.cut(&CutPlan::all_lost()).expect("a plan")).len();
        disk.evict();
        let evicted = names(&disk).len();
        let expected = match outcome {
            FailedSync::ReadableButLost => (1, 0, 0),
            FailedSync::Reverted => (0, 0, 0),
            FailedSync::StillDirty => (1, 1, 1),
        };
        assert_eq!((readable, durable, evicted), expected, "{outcome:?}");
    }
}

#[test]
fn assumption_4_a_directory_whose_removal_did_not_last_can_be_used_again() {
    for outcome in [FailedSync::Reverted, FailedSync::ReadableButLost] {
        let disk = FaultDisk::new();
        disk.make_directory("/d").expect("a directory");
        let root = root(&disk);
        let inner = root.open_directory(b"d").expect("it");
        root.remove_directory(b"d").expect("a removal");
        inner.create_file(b"x", Mode::Private).expect_err("it is removed");
        fail_next_sync(&disk, outcome);
        root.sync().expect_err("EIO");
        disk.evict();
        inner.create_file(b"x", Mode::Private).expect("it is back");
        assert_eq!(names(&disk), ["/d/x"]);
    }
}
