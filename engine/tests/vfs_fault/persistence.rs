//! Disk assumptions 1 to 3, one by one: what a power cut keeps and loses. Each test fails where its assumption is not
//! simulated.

use super::{after, names, read, root, torn, with_file};
use graven::vfs::fault::{Choice, CutPlan, FaultDisk, Fill, Length};
use graven::vfs::{Mode, write_all_at};
use std::collections::BTreeSet;
use std::path::Path;

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
    write_all_at(&*file, 8, b"9").expect("more growth");
    let gap = CutPlan::all_lost().with(1, Choice::Kept);
    assert_eq!(
        after(&disk, &gap),
        b"1234\0\0\0\x009",
        "the gap that a lost growth leaves"
    );
    let harsh = after(&disk, &gap.filled(Fill::Garbage));
    assert!((&harsh[..4], &harsh[8..]) == (&b"1234"[..], &b"9"[..]) && harsh[4..8] != *b"\0\0\0\0");
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

#[test]
fn assumption_3_a_lost_removal_brings_the_old_file_back_whatever_became_of_its_name() {
    let disk = FaultDisk::new();
    disk.write_file("/tmp", b"stale").expect("a file");
    let root = root(&disk);
    root.remove_file(b"tmp").expect("a removal");
    let file = root.create_file(b"tmp", Mode::Private).expect("a file");
    write_all_at(&*file, 0, b"fresh").expect("a write");
    file.sync_data().expect("a sync");
    root.rename(b"tmp", b"x").expect("a rename");
    let after = disk.cut(&CutPlan::all_lost().with(2, Choice::Kept)).expect("a plan");
    assert_eq!(names(&after), ["/tmp", "/x"]);
    assert_eq!(after.read_file("/tmp").expect("the file"), b"stale");
    assert_eq!(after.read_file("/x").expect("the file"), b"fresh");
    assert_eq!(names(&disk.cut(&CutPlan::all_kept()).expect("a plan")), ["/x"]);
}
