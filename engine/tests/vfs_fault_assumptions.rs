//! The seven disk assumptions, one by one, on the fault disk: each test fails where its assumption is not simulated.
#![cfg(feature = "fault")]

use graven::vfs::fault::{
    Choice, CutPlan, EIO, ENOSPC, Effect, FailedSync, Fault, FaultDisk, Fill, Kinds, Length, OperationKind, Rest,
    is_killed,
};
use graven::vfs::{Access, Directory, File, LockMode, Mode, read_exact_at, write_all_at};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

const ME: u32 = 7;

fn root(disk: &FaultDisk) -> Arc<dyn Directory> {
    disk.process(ME)
        .open_directory(Path::new("/"))
        .expect("the root directory")
}

/// A disk with one durable file of these bytes, and a handle of it.
fn with_file(bytes: &[u8]) -> (FaultDisk, Arc<dyn Directory>, Arc<dyn File>) {
    let disk = FaultDisk::new();
    disk.write_file("/f", bytes).expect("a file");
    let root = root(&disk);
    let file = root.open_file(b"f", Access::ReadWrite).expect("the file");
    (disk, root, file)
}

fn read(file: &dyn File) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(file.metadata().expect("metadata").len).expect("a length")];
    read_exact_at(file, 0, &mut bytes).expect("all bytes");
    bytes
}

fn after(disk: &FaultDisk, plan: &CutPlan) -> Vec<u8> {
    disk.cut(plan)
        .expect("a plan for this disk")
        .read_file("/f")
        .expect("the file")
}

fn torn(bytes: &[(u64, u64)], length: Length) -> Choice {
    Choice::Torn {
        bytes: bytes.iter().map(|(start, end)| *start..*end).collect(),
        length,
    }
}

fn names(disk: &FaultDisk) -> Vec<String> {
    disk.files().into_keys().collect()
}

#[test]
fn assumption_1_any_subset_of_unsynced_bytes_persists() {
    let (disk, _root, file) = with_file(b"old old old!");
    write_all_at(&*file, 2, b"ABCDEFGH").expect("a write");
    assert_eq!(read(&*file), b"olABCDEFGHd!", "what is written is readable at once");
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"old old old!");
    assert_eq!(after(&disk, &CutPlan::all_kept()), b"olABCDEFGHd!");
    let hole = CutPlan::all_lost().with(0, torn(&[(0, 3), (4, 8)], Length::Kept));
    assert_eq!(after(&disk, &hole), b"olABClEFGHd!");
    assert_eq!(disk.read_durable("/f").expect("the file"), b"old old old!");
}

#[test]
fn assumption_1_writes_reach_the_medium_in_any_order() {
    let (disk, _root, file) = with_file(b"........");
    write_all_at(&*file, 0, b"aaaa").expect("a write");
    write_all_at(&*file, 2, b"bbbb").expect("a write over it");
    let seen: BTreeSet<_> = (0..4u8)
        .map(|kept| {
            let choice = |bit: u8| {
                if kept >> bit & 1 == 1 {
                    Choice::Kept
                } else {
                    Choice::Lost
                }
            };
            after(&disk, &CutPlan::all_lost().with(0, choice(0)).with(1, choice(1)))
        })
        .collect();
    let all = [&b"........"[..], b"..bbbb..", b"aa..bbbb", b"aaaa....", b"aabbbb.."].map(<[u8]>::to_vec);
    assert_eq!(seen, [0, 1, 3, 4].map(|at| all[at].clone()).into());
}

#[test]
fn assumption_1_a_synced_byte_is_safe_and_its_neighbours_untouched() {
    let (disk, _root, file) = with_file(b"........");
    write_all_at(&*file, 2, b"SS").expect("a write");
    file.sync_data().expect("a sync");
    assert_eq!(disk.pending(), []);
    write_all_at(&*file, 4, b"tt").expect("an unsynced write beside it");
    for plan in disk.cut_plans(graven::vfs::fault::Level::Exact) {
        let bytes = after(&disk, &plan);
        assert_eq!(&bytes[..4], b"..SS", "{plan}");
        assert_eq!(&bytes[6..], b"..", "{plan}");
    }
}

#[test]
fn assumption_1_the_promise_of_untouched_neighbours_can_be_broken_for_reports() {
    let (disk, _root, file) = with_file(&[b'.'; 1200]);
    write_all_at(&*file, 600, b"tttt").expect("a write");
    let mut plan = CutPlan::all_lost().with(0, torn(&[(0, 2)], Length::Kept));
    assert!(after(&disk, &plan).iter().all(|byte| b".t".contains(byte)));
    plan.spill = 512;
    let bytes = after(&disk, &plan);
    assert!(bytes[..512].iter().chain(&bytes[1024..]).all(|byte| *byte == b'.'));
    assert!(bytes[512..600].iter().all(|byte| *byte != b'.'));
    assert_eq!(&bytes[600..604], b"tt..");
}

#[test]
fn assumption_2_a_grown_length_is_anything_between_old_and_new() {
    let (disk, _root, file) = with_file(b"1234");
    write_all_at(&*file, 4, b"5678").expect("growth");
    for len in 4..=8 {
        let none = CutPlan::all_lost().with(0, torn(&[], Length::At(len)));
        let mut expected = b"1234\0\0\0\0".to_vec();
        expected.truncate(usize::try_from(len).expect("a length"));
        assert_eq!(after(&disk, &none), expected, "AC16: the length grown, the bytes zero");
    }
    let bytes_only = CutPlan::all_lost().with(0, torn(&[(0, 8 - 4)], Length::Lost));
    assert_eq!(
        after(&disk, &bytes_only),
        b"1234",
        "AC10: the bytes kept, the growth lost"
    );
    let length_only = CutPlan::all_lost().with(0, torn(&[], Length::Kept));
    assert_eq!(after(&disk, &length_only.clone().filled(Fill::Written)), b"12345678");
    let garbage = after(&disk, &length_only.filled(Fill::Garbage));
    assert_eq!((&garbage[..4], garbage.len()), (&b"1234"[..], 8));
    assert!(garbage[4..] != *b"\0\0\0\0" && garbage[4..] != *b"5678");
    let tail = CutPlan::all_lost().with(0, torn(&[(2, 4)], Length::Kept));
    assert_eq!(after(&disk, &tail), b"1234\0\x0078");
}

#[test]
fn assumption_2_an_unsynced_truncation_is_lost_while_later_writes_are_kept() {
    let (disk, _root, file) = with_file(b"r1r2r3");
    file.set_len(2).expect("a truncation");
    write_all_at(&*file, 2, b"XY").expect("the range is used again");
    assert_eq!(read(&*file), b"r1XY");
    let lost = CutPlan::all_kept().with(0, Choice::Lost);
    assert_eq!(after(&disk, &lost), b"r1XYr3", "AC07: a state of none of the histories");
    assert_eq!(after(&disk, &CutPlan::all_lost().with(0, Choice::Kept)), b"r1");
    file.sync_data().expect("a sync");
    assert_eq!(after(&disk, &CutPlan::all_lost()), b"r1XY");
}

#[test]
fn assumption_3_each_entry_operation_is_kept_or_lost_by_itself() {
    let disk = FaultDisk::new();
    disk.write_file("/old", b"old").expect("a file");
    let root = root(&disk);
    let file = root.create_file(b"new", Mode::Private).expect("a file");
    write_all_at(&*file, 0, b"new").expect("a write");
    file.sync_data().expect("a sync");
    root.rename(b"new", b"target").expect("a rename");
    root.remove_file(b"old").expect("a removal");
    let outcomes: BTreeSet<_> = (0..8u8)
        .map(|kept| {
            let mut plan = CutPlan::all_lost();
            for ordinal in 0..3 {
                plan = plan.with(
                    ordinal,
                    if kept >> ordinal & 1 == 1 {
                        Choice::Kept
                    } else {
                        Choice::Lost
                    },
                );
            }
            names(&disk.cut(&plan).expect("a plan"))
        })
        .collect();
    let expected: [&[&str]; 6] = [
        &["/old"],
        &[],
        &["/new", "/old"],
        &["/new"],
        &["/old", "/target"],
        &["/target"],
    ];
    assert_eq!(
        outcomes,
        expected
            .map(|names| names.iter().map(|name| (*name).to_owned()).collect())
            .into()
    );
    root.sync().expect("a directory sync");
    let settled = disk.cut(&CutPlan::all_lost()).expect("a plan");
    assert_eq!(names(&settled), ["/target"]);
    assert_eq!(settled.read_file("/target").expect("the file"), b"new");
}

#[test]
fn assumption_3_the_sync_of_a_file_does_not_keep_its_name_nor_the_other_way_round() {
    let disk = FaultDisk::new();
    let root = root(&disk);
    let one = root.create_file(b"one", Mode::Private).expect("a file");
    write_all_at(&*one, 0, b"1").expect("a write");
    one.sync_data().expect("a sync");
    assert_eq!(
        names(&disk.cut(&CutPlan::all_lost()).expect("a plan")),
        Vec::<String>::new()
    );
    root.sync().expect("a directory sync");
    let two = root.create_file(b"two", Mode::Private).expect("a file");
    root.sync().expect("a directory sync");
    write_all_at(&*two, 0, b"2").expect("a write");
    let after = disk.cut(&CutPlan::all_lost()).expect("a plan");
    assert_eq!(after.read_file("/one").expect("the file"), b"1");
    assert_eq!(after.read_file("/two").expect("AC20: the name, not the bytes"), b"");
}

#[test]
fn assumption_3_a_lost_directory_takes_everything_in_it_and_a_lost_removal_brings_it_back() {
    let disk = FaultDisk::new();
    let root = root(&disk);
    root.create_directory(b"d", Mode::Private).expect("a directory");
    let inner = root.open_directory(b"d").expect("it");
    inner
        .create_file(b"x", Mode::Private)
        .expect("a file")
        .sync_data()
        .expect("a sync");
    inner.sync().expect("a directory sync");
    assert_eq!(
        names(&disk.cut(&CutPlan::all_lost()).expect("a plan")),
        Vec::<String>::new(),
        "AC19: parents, too"
    );
    root.sync().expect("a directory sync");
    inner.remove_file(b"x").expect("a removal");
    root.remove_directory(b"d").expect("a removal");
    assert_eq!(names(&disk.cut(&CutPlan::all_lost()).expect("a plan")), ["/d/x"]);
    let only_inner = disk.cut(&CutPlan::all_kept().with(1, Choice::Lost)).expect("a plan");
    let only_inner = only_inner
        .process(1)
        .open_directory(Path::new("/d"))
        .expect("the directory is back");
    assert_eq!(only_inner.entries().expect("entries"), []);
    only_inner
        .create_file(b"y", Mode::Private)
        .expect("a directory that is back can be used");
}

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
