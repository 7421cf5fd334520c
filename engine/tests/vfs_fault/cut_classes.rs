//! The classes of cuts hold the tears that stores have died of, each once, in bounded number, as lines of text.

use super::open;
use graven::vfs::fault::{Choice, CutOptions, CutPlan, Detail, FaultDisk, Length, Level, PendingOperation, Rest};
use graven::vfs::{Access, Mode, write_all_at};
use std::collections::{BTreeSet, HashSet};

/// A disk in the middle of a change: two writes to one file, one of them growing it, a truncation and a new file.
fn busy_disk() -> FaultDisk {
    let disk = FaultDisk::new();
    disk.write_file("/f", &[b'.'; 24]).expect("a file");
    disk.write_file("/g", b"r1r2").expect("a file");
    let root = super::root(&disk);
    let file = open(&disk);
    write_all_at(&*file, 3, &[b'A'; 18]).expect("a write");
    write_all_at(&*file, 24, &[b'B'; 24]).expect("a write that grows");
    let other = root.open_file(b"g", Access::ReadWrite).expect("the file");
    other.set_len(2).expect("a truncation");
    write_all_at(&*other, 2, b"XY").expect("a write");
    root.create_file(b"tmp", Mode::Private).expect("a file");
    root.rename(b"tmp", b"new").expect("a rename");
    disk
}

#[test]
fn every_plan_is_a_line_that_leads_to_the_same_disk() {
    let disk = busy_disk();
    let cutter = disk.cutter();
    for level in [Level::Classes, Level::Exact] {
        let options = CutOptions {
            level,
            harsh: true,
            detail: &|_| Detail::Torn(vec![5, 20, 33]),
        };
        let plans = cutter.plans(&options);
        assert_eq!(
            plans.iter().collect::<HashSet<_>>().len(),
            plans.len(),
            "each plan once"
        );
        assert_eq!(plans[..2], [CutPlan::all_lost(), CutPlan::all_kept()]);
        for plan in plans.iter().step_by(3) {
            let read: CutPlan = plan.to_string().parse().expect("a plan");
            assert_eq!(read, *plan);
            let (one, two) = (
                cutter.cut(plan).expect("a plan"),
                busy_disk().cut(&read).expect("a plan"),
            );
            assert_eq!(one.digest(), two.digest(), "{plan}");
        }
    }
}

/// A state of the disk that some cut must lead to.
type Wanted<'a> = (&'a str, &'a dyn Fn(&FaultDisk) -> bool);

#[test]
fn the_classes_hold_the_tears_that_stores_have_died_of() {
    let disk = busy_disk();
    let cutter = disk.cutter();
    let edges = CutOptions {
        level: Level::Classes,
        harsh: true,
        detail: &|_| Detail::Torn(vec![5]),
    };
    let found = cutter.distinct(&edges);
    let has = |wanted: &dyn Fn(&FaultDisk) -> bool| found.iter().any(|(_, disk)| wanted(disk));
    let f = |disk: &FaultDisk| disk.read_file("/f").expect("the file");
    let g = |disk: &FaultDisk| disk.read_file("/g").expect("the file");
    let text = |parts: &[(u8, usize)]| -> Vec<u8> {
        parts
            .iter()
            .flat_map(|(byte, count)| std::iter::repeat_n(*byte, *count))
            .collect()
    };
    let wanted: [Wanted<'_>; 14] = [
        ("nothing", &|disk| {
            f(disk) == [b'.'; 24] && g(disk) == b"r1r2" && disk.files().len() == 2
        }),
        ("everything", &|disk| {
            f(disk) == text(&[(b'.', 3), (b'A', 18), (b'.', 3), (b'B', 24)]) && disk.files().contains_key("/new")
        }),
        (
            "AC07: the truncation lost, the later write kept, among others kept",
            &|disk| g(disk) == b"r1XY" && f(disk).len() == 48,
        ),
        ("the truncation kept, the later write lost", &|disk| g(disk) == b"r1"),
        ("the later write before the earlier one", &|disk| {
            f(disk)[..24] == [b'.'; 24] && f(disk)[24..] == [b'B'; 24]
        }),
        ("AC10: the growth lost, everything else kept", &|disk| {
            f(disk) == text(&[(b'.', 3), (b'A', 18), (b'.', 3)]) && disk.files().contains_key("/new")
        }),
        ("AC16: the growth kept, its bytes zero", &|disk| {
            f(disk)[24..] == [0; 24]
        }),
        ("AC16: a part of the growth, zero", &|disk| f(disk)[24..] == [0; 8]),
        ("a growth of garbage", &|disk| {
            f(disk).len() == 48 && f(disk)[24..].iter().all(|byte| *byte != b'B' && *byte != 0)
        }),
        ("a tear at a multiple of 8 in the file", &|disk| {
            f(disk)[..24] == text(&[(b'.', 3), (b'A', 5), (b'.', 16)])
        }),
        ("its mirror image", &|disk| {
            f(disk)[..24] == text(&[(b'.', 8), (b'A', 13), (b'.', 3)])
        }),
        ("a tear at a field's edge", &|disk| {
            f(disk)[..24] == text(&[(b'.', 3), (b'A', 2), (b'.', 19)])
        }),
        ("a one-byte hole", &|disk| {
            f(disk)[..24] == text(&[(b'.', 4), (b'A', 17), (b'.', 3)])
        }),
        ("a name without its rename", &|disk| disk.files().contains_key("/tmp")),
    ];
    for (name, wanted) in wanted {
        assert!(has(wanted), "{name}");
    }
    let exact = disk.cutter().distinct(&CutOptions::plain(Level::Exact));
    let tear = text(&[(b'.', 3), (b'A', 1), (b'.', 20)]);
    assert!(exact.iter().any(|(_, disk)| f(disk)[..24] == tear));
    assert!(
        !has(&|disk| f(disk)[..24] == tear),
        "byte-exact tears are for the long tiers"
    );
    let plain = cutter.distinct(&CutOptions::plain(Level::Classes));
    assert!(plain.len() < found.len() && found.len() < exact.len() * 2);
}

#[test]
fn whole_operations_are_lost_and_kept_alone_in_order_and_out_of_order() {
    let disk = FaultDisk::new();
    disk.write_file("/f", b".....").expect("a file");
    let file = open(&disk);
    for at in 0..5 {
        write_all_at(&*file, at, b"#").expect("a write");
    }
    let whole = CutOptions {
        level: Level::Classes,
        harsh: false,
        detail: &|_| Detail::Whole,
    };
    let bytes = |disk: &FaultDisk| disk.read_file("/f").expect("the file");
    let found: BTreeSet<_> = disk
        .cutter()
        .distinct(&whole)
        .iter()
        .map(|(_, disk)| bytes(disk))
        .collect();
    let wanted = [
        "..... #####",
        ".#### #.### ##.## ###.# ####.",
        "#.... .#... ..#.. ...#. ....#",
        "##... ###..",
        ".#... #.#.. ##.#. ###.#",
    ];
    for text in wanted.iter().flat_map(|line| line.split(' ')) {
        assert!(found.contains(text.as_bytes()), "{text}");
    }
    let all = CutOptions {
        level: Level::Exact,
        harsh: false,
        detail: &|_| Detail::Whole,
    };
    assert_eq!(disk.cutter().distinct(&all).len(), 32, "every subset");
}

#[test]
fn the_number_of_classes_is_bounded_however_long_a_write_is() {
    let count = |len: usize| {
        let disk = FaultDisk::new();
        disk.write_file("/f", b"").expect("a file");
        write_all_at(&*open(&disk), 0, &vec![1; len]).expect("a write");
        disk.cut_plans(Level::Classes).len()
    };
    assert!(count(100_000) < 1000);
    assert!(count(1_000_000) <= count(100_000) + 8);
}

#[test]
fn bytes_that_do_not_change_make_no_classes() {
    let disk = FaultDisk::new();
    disk.write_file("/f", &[b'.'; 512]).expect("a file");
    let mut record = [b'.'; 512];
    record[100..104].copy_from_slice(b"abcd");
    write_all_at(&*open(&disk), 0, &record).expect("a replaced record");
    let plans = disk.cut_plans(Level::Exact);
    // Whole, prefixes and suffixes at four bytes, and four holes, in a context that does not matter.
    assert!(plans.len() < 2 + 3 * 12 + 4, "{}", plans.len());
    let distinct = disk.cutter().distinct(&CutOptions::plain(Level::Exact));
    let f: BTreeSet<_> = distinct
        .iter()
        .map(|(_, disk)| disk.read_file("/f").expect("it")[100..104].to_vec())
        .collect();
    for part in [
        &b"...."[..],
        b"abcd",
        b"a...",
        b"ab..",
        b"abc.",
        b".bcd",
        b"..cd",
        b"...d",
        b"a.cd",
        b"ab.d",
    ] {
        assert!(f.contains(part), "{part:?}");
    }
}

#[test]
fn a_caller_can_leave_operations_whole_or_out() {
    let disk = busy_disk();
    let cutter = disk.cutter();
    let whole = cutter.plans(&CutOptions {
        level: Level::Classes,
        harsh: true,
        detail: &|_| Detail::Whole,
    });
    assert!(whole.iter().all(|plan| {
        plan.choices
            .values()
            .all(|choice| !matches!(choice, Choice::Torn { .. }))
    }));
    let detail = |operation: &PendingOperation| match &*operation.path {
        "/f" => Detail::WithTheRest,
        _ => Detail::Whole,
    };
    let some = cutter.plans(&CutOptions {
        level: Level::Exact,
        harsh: false,
        detail: &detail,
    });
    assert!(some.iter().all(|plan| plan.choice(0) == plan.choice(1)));
    assert!(some.len() < whole.len() * 2);
    let none = cutter.plans(&CutOptions {
        level: Level::Exact,
        harsh: false,
        detail: &|_| Detail::WithTheRest,
    });
    assert_eq!(none, [CutPlan::all_lost(), CutPlan::all_kept()]);
}

#[test]
fn a_plan_for_another_disk_is_refused() {
    let disk = busy_disk();
    let pending = disk.pending().len();
    assert_eq!(pending, 6);
    disk.cut(&CutPlan::all_lost().with(pending, Choice::Kept))
        .expect_err("no such operation");
    let beyond = Choice::Torn {
        bytes: std::iter::once(0..99).collect(),
        length: Length::Kept,
    };
    disk.cut(&CutPlan::all_lost().with(0, beyond))
        .expect_err("longer than the write");
    let rename = Choice::Torn {
        bytes: Vec::new(),
        length: Length::Kept,
    };
    disk.cut(&CutPlan::all_lost().with(5, rename))
        .expect_err("a rename is atomic");
    assert_eq!(CutPlan::all_lost().rest, Rest::Lost);
}

#[test]
fn cuts_and_kills_compose() {
    let disk = busy_disk();
    disk.kill(1);
    let once = disk.cut(&CutPlan::all_lost().with(1, Choice::Kept)).expect("a plan");
    assert_eq!(once.read_file("/f").expect("the file").len(), 48);
    assert_eq!(once.pending(), []);
    write_all_at(&*open(&once), 0, b"second boot").expect("a write");
    once.kill_all();
    let twice = once.cut(&CutPlan::all_lost()).expect("a plan");
    assert_eq!(
        twice.digest(),
        disk.cut(&CutPlan::all_lost().with(1, Choice::Kept))
            .expect("a plan")
            .digest()
    );
}
