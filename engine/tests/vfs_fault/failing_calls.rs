//! Disk assumptions 5 to 7: kills, calls that fail, full disks, and flipped bits.

use super::{ME, after, read, root, with_file};
use graven::vfs::fault::{CutPlan, EIO, ENOSPC, Effect, Fault, FaultDisk, Kinds, OperationKind, Rest, is_killed};
use graven::vfs::{Access, LockMode, Mode, write_all_at};
use std::io::ErrorKind;
use std::path::Path;

#[test]
fn assumption_5_a_kill_keeps_the_cache_and_a_later_cut_still_takes_it() {
    let (disk, root, file) = with_file(b"old.");
    write_all_at(&*file, 0, b"NEW!").expect("a write");
    let unnamed = root.create_unnamed().expect("a spool");
    write_all_at(&*unnamed, 0, b"spooled").expect("a write");
    assert!(file.lock(LockMode::Exclusive, false).expect("an answer"));
    let used = disk.used();
    disk.kill(ME);
    assert!(!disk.is_alive(ME));
    assert_eq!(disk.used(), used - 7, "unnamed files vanish");
    let errors = [
        file.write_at(0, b"x").map(drop),
        file.read_at(0, &mut [0]).map(drop),
        file.sync_data(),
        file.set_len(0),
        root.rename(b"f", b"g"),
        root.entries().map(drop),
        unnamed.metadata().map(drop),
    ];
    for error in errors {
        assert!(is_killed(&error.expect_err("a dead process")));
    }
    let heir = disk.process(8).open_directory(Path::new("/")).expect("the root");
    let file = heir.open_file(b"f", Access::ReadWrite).expect("the file");
    assert_eq!(read(&*file), b"NEW!");
    assert!(
        file.lock(LockMode::Exclusive, false).expect("an answer"),
        "the lock was released"
    );
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"old.");
    let changes = disk
        .violations()
        .into_iter()
        .map(|violation| violation.kind)
        .collect::<Vec<_>>();
    assert_eq!(
        changes,
        [
            OperationKind::Write,
            OperationKind::SyncData,
            OperationKind::SetLen,
            OperationKind::Rename
        ]
    );
}

#[test]
fn assumption_5_a_kill_inside_a_write_leaves_a_prefix_readable() {
    let (disk, _root, file) = with_file(b"........");
    disk.inject(Fault::nth(Kinds::Only(OperationKind::Write), 1, Effect::KillInside(3)));
    assert!(is_killed(&write_all_at(&*file, 2, b"abcdef").expect_err("killed")));
    assert_eq!(disk.read_file("/f").expect("the file"), b"..abc...");
    assert_eq!(disk.pending().len(), 1);
    assert!(!disk.is_alive(ME));
}

#[test]
fn assumption_5_a_kill_before_a_call_leaves_nothing_of_it() {
    let (disk, root, file) = with_file(b"........");
    let so_far = disk.operations();
    disk.inject(Fault::at_operation(2, Effect::Kill));
    write_all_at(&*file, 0, b"a").expect("the first call is fine");
    assert!(is_killed(&root.remove_file(b"f").expect_err("killed")));
    assert_eq!(disk.operations(), so_far + 2);
    assert_eq!(disk.read_file("/f").expect("the file"), b"a.......");
}

#[test]
fn assumption_6_any_kind_of_call_fails_with_any_code() {
    for kind in OperationKind::ALL {
        for errno in [EIO, graven::vfs::fault::EACCES, graven::vfs::fault::EINTR] {
            let disk = FaultDisk::new();
            disk.write_file("/f", b"x").expect("a file");
            disk.make_symlink("/s", "f").expect("a symlink");
            disk.make_directory("/d").expect("a directory");
            let root = root(&disk);
            let file = root.open_file(b"f", Access::ReadWrite).expect("the file");
            let digest = disk.digest();
            disk.inject(Fault::nth(Kinds::Only(kind), 1, Effect::Fail(errno)));
            let call = || match kind {
                OperationKind::OpenDirectory => root.open_directory(b"d").map(drop),
                OperationKind::CreateDirectory => root.create_directory(b"new", Mode::Private),
                OperationKind::OpenFile => root.open_file(b"f", Access::Read).map(drop),
                OperationKind::CreateFile => root.create_file(b"new", Mode::Private).map(drop),
                OperationKind::CreateUnnamed => root.create_unnamed().map(drop),
                OperationKind::Rename => root.rename(b"f", b"g"),
                OperationKind::RenameNew => root.rename_new(b"f", b"g"),
                OperationKind::RemoveFile => root.remove_file(b"f"),
                OperationKind::RemoveDirectory => root.remove_directory(b"d"),
                OperationKind::CreateSymlink => root.create_symlink(b"new", b"f"),
                OperationKind::ReadSymlink => root.read_symlink(b"s").map(drop),
                OperationKind::Entries => root.entries().map(drop),
                OperationKind::SyncDirectory => root.sync(),
                OperationKind::FileSystem => root.file_system().map(drop),
                OperationKind::Read => file.read_at(0, &mut [0]).map(drop),
                OperationKind::Write => file.write_at(0, b"y").map(drop),
                OperationKind::SetLen => file.set_len(9),
                OperationKind::Reserve => file.reserve(0, 9).map(drop),
                OperationKind::SyncData => file.sync_data(),
                OperationKind::Metadata => file.metadata().map(drop),
                OperationKind::Lock => file.lock(LockMode::Shared, true).map(drop),
                OperationKind::Unlock => file.unlock(),
            };
            assert_eq!(call().expect_err("the fault").raw_os_error(), Some(errno), "{kind:?}");
            assert_eq!(disk.digest(), digest, "{kind:?} that failed has changed nothing");
            call().expect("only the first call was hit");
            assert_eq!(disk.faults_fired(), 1);
        }
    }
}

#[test]
fn assumption_6_faults_count_by_kind_and_name_and_may_stick() {
    let (disk, root, file) = with_file(b"x");
    let other = root.create_file(b"other", Mode::Private).expect("a file");
    disk.inject(
        Fault::nth(Kinds::Only(OperationKind::Write), 2, Effect::Fail(EIO))
            .on("/f")
            .sticky(),
    );
    for step in 0..4 {
        other.write_at(0, b"y").expect("another name");
        assert_eq!(file.write_at(0, b"y").is_ok(), step < 1, "write {step}");
    }
    disk.clear_faults();
    file.write_at(0, b"y").expect("no fault any more");
    assert_eq!(disk.faults_fired(), 3);
}

#[test]
fn assumption_6_space_ends_at_a_budget_and_comes_back() {
    let (disk, root, file) = with_file(b"12345678");
    disk.set_capacity(Some(disk.used() + 4));
    assert_eq!(file.write_at(8, b"abcdef").expect("what fits is written"), 4);
    assert_eq!(file.write_at(12, b"ef").expect_err("full").raw_os_error(), Some(ENOSPC));
    assert_eq!(file.set_len(13).expect_err("full").kind(), ErrorKind::StorageFull);
    assert_eq!(file.reserve(0, 13).expect_err("full").kind(), ErrorKind::StorageFull);
    assert_eq!(
        root.create_file(b"n", Mode::Private).expect_err("full").kind(),
        ErrorKind::StorageFull
    );
    assert_eq!(file.write_at(0, b"xyz").expect("overwriting needs no space"), 3);
    disk.set_copy_on_write(true);
    assert_eq!(
        file.write_at(0, b"xyz").expect_err("but on this disk").kind(),
        ErrorKind::StorageFull
    );
    disk.set_copy_on_write(false);
    file.set_len(10).expect("shorter");
    assert!(file.reserve(10, 2).expect("reserved"));
    let other = root
        .create_file(b"n", Mode::Private)
        .expect_err("the reservation has taken the rest");
    assert_eq!(other.kind(), ErrorKind::StorageFull);
    assert_eq!(file.write_at(10, b"zz").expect("reserved space is there"), 2);
    disk.set_reserves(false);
    assert!(!file.reserve(0, 99).expect("a plain no"));
}

#[test]
fn assumption_7_a_flipped_bit_is_there_for_good() {
    let (disk, _root, file) = with_file(b"abc");
    disk.flip("/f", 1, 0x01).expect("a flip");
    assert_eq!(read(&*file), b"acc");
    assert_eq!(disk.pending(), []);
    assert_eq!(
        after(
            &disk,
            &CutPlan {
                rest: Rest::Lost,
                ..CutPlan::all_kept()
            }
        ),
        b"acc"
    );
    disk.flip("/f", 3, 1).expect_err("past the end");
}
