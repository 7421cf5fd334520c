//! Power cuts as a whole: nothing synced is ever touched, everything else is explained by what was written, and the
//! classes of cuts hold the tears that stores have died of.
#![cfg(feature = "fault")]

use graven::vfs::fault::{
    Choice, CutOptions, CutPlan, Detail, EIO, Effect, FailedSync, Fault, FaultDisk, Fill, Kinds, Length, Level,
    PendingOperation, Rest,
};
use graven::vfs::{Access, Directory, File, Mode, write_all_at};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

fn root(disk: &FaultDisk) -> Arc<dyn Directory> {
    disk.process(1)
        .open_directory(Path::new("/"))
        .expect("the root directory")
}

fn open(disk: &FaultDisk) -> Arc<dyn File> {
    root(disk).open_file(b"f", Access::ReadWrite).expect("the file")
}

/// A plan made of `seeds`, any that fits.
fn any_plan(pending: &[PendingOperation], seeds: &[u8], fill: Fill) -> CutPlan {
    let mut plan = CutPlan {
        fill,
        ..CutPlan::all_lost()
    };
    for (operation, seed) in pending.iter().zip(seeds.iter().cycle()) {
        let seed = u64::from(*seed);
        let len = operation.written().map_or(0, |(_, len)| len);
        let entry = operation.written().is_none() && operation.growth().is_none();
        let choice = match seed % 4 {
            0 => Choice::Lost,
            1 => Choice::Kept,
            _ if entry => Choice::Kept,
            _ => {
                let middle = (seed / 4) % (len + 1);
                let bytes = if seed % 4 == 2 {
                    vec![0..middle / 2, middle..len]
                } else {
                    vec![middle / 2..middle]
                };
                let length = match operation.growth() {
                    Some((before, after)) => Length::At(before + seed / 3 % (after - before + 1)),
                    None => Length::Kept,
                };
                Choice::Torn { bytes, length }
            }
        };
        plan = plan.with(operation.ordinal, choice);
    }
    plan
}

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    SetLen(usize),
    Sync,
    FailedSync(bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..30usize, 1..20usize).prop_map(|(offset, len)| Step::Write(offset, len)),
        2 => (0..40usize).prop_map(Step::SetLen),
        2 => Just(Step::Sync),
        1 => any::<bool>().prop_map(Step::FailedSync),
    ]
}

/// What is known of one position of the file.
#[derive(Clone, Debug, Default)]
struct Position {
    /// Its readable value; `None`: past the end.
    value: Option<u8>,
    /// Touched since a sync that covers it.
    dirty: bool,
    /// Touched before a sync that failed.
    stuck: bool,
    /// Every value it has ever had.
    seen: BTreeSet<u8>,
}

/// The file, position by position: a model that knows nothing of operations and lengths.
struct Model(Vec<Position>);

impl Model {
    fn touch(&mut self, at: usize, value: Option<u8>) {
        let position = &mut self.0[at];
        (position.value, position.dirty, position.stuck) = (value, true, false);
        position.seen.extend(value);
    }

    fn len(&self) -> usize {
        self.0.iter().take_while(|position| position.value.is_some()).count()
    }

    fn set_len(&mut self, len: usize) {
        for at in len..self.len() {
            self.touch(at, None);
        }
        self.zero(len);
    }

    /// Zeros up to `len` that nobody wrote. Where a truncation that may be lost is what made the room, the old byte
    /// may be back, so such a position keeps its standing.
    fn zero(&mut self, len: usize) {
        for at in self.len()..len {
            let position = &mut self.0[at];
            position.value = Some(0);
            position.seen.insert(0);
            position.dirty |= !position.stuck;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_synced_byte_never_changes_and_every_other_is_explained(
        steps in prop::collection::vec(step(), 1..14),
        seeds in prop::collection::vec(any::<u8>(), 1..20),
    ) {
        let disk = FaultDisk::new();
        disk.write_file("/f", b"0123456789").expect("a file");
        let file = open(&disk);
        let mut model = Model(vec![Position::default(); 64]);
        for (at, byte) in b"0123456789".iter().enumerate() {
            model.0[at] = Position { value: Some(*byte), seen: [*byte].into(), ..Position::default() };
        }
        for (at, step) in steps.iter().enumerate() {
            match *step {
                Step::Write(offset, len) => {
                    let byte = b'A' + u8::try_from(at).expect("few steps");
                    write_all_at(&*file, offset as u64, &vec![byte; len]).expect("a write");
                    model.zero(offset);
                    (offset..offset + len).for_each(|at| model.touch(at, Some(byte)));
                }
                Step::SetLen(len) => {
                    file.set_len(len as u64).expect("a length");
                    model.set_len(len);
                }
                Step::Sync => {
                    file.sync_data().expect("a sync");
                    model.0.iter_mut().for_each(|position| position.dirty = false);
                }
                Step::FailedSync(lost) => {
                    let outcome = if lost { FailedSync::ReadableButLost } else { FailedSync::StillDirty };
                    disk.inject(Fault::nth(Kinds::Syncs, 1, Effect::FailSync(EIO, outcome)));
                    file.sync_data().expect_err("EIO");
                    disk.clear_faults();
                    for position in model.0.iter_mut().filter(|position| lost && position.dirty) {
                        (position.dirty, position.stuck) = (false, true);
                    }
                }
            }
            let readable: Vec<u8> = model.0.iter().map_while(|position| position.value).collect();
            prop_assert_eq!(disk.read_file("/f").expect("the file"), readable);
        }
        let cutter = disk.cutter();
        let mut plans = vec![CutPlan::all_lost(), CutPlan::all_kept()];
        plans.extend([Fill::Zero, Fill::Written].map(|fill| any_plan(cutter.pending(), &seeds, fill)));
        plans.extend(cutter.plans(&CutOptions::plain(Level::Classes)).into_iter().step_by(7));
        for plan in plans {
            let after = cutter.cut(&plan).expect("a plan").read_file("/f").expect("the file");
            for (at, position) in model.0.iter().enumerate() {
                let byte = after.get(at).copied();
                if !position.dirty && !position.stuck && position.value.is_some() {
                    prop_assert_eq!(byte, position.value, "byte {} was synced; {}", at, plan);
                } else if let Some(byte) = byte {
                    prop_assert!(byte == 0 || position.seen.contains(&byte), "byte {} is {}; {}", at, byte, plan);
                }
            }
        }
        let kept = disk.cut(&CutPlan::all_kept()).expect("a plan");
        prop_assert_eq!(kept.read_file("/f").expect("the file"), disk.read_file("/f").expect("the file"));
        disk.evict();
        let lost = disk.read_file("/f").expect("the file");
        for (at, position) in model.0.iter().enumerate().filter(|(_, position)| !position.stuck) {
            if position.value.is_some() {
                prop_assert_eq!(lost.get(at).copied(), position.value, "byte {} was not lost by any sync", at);
            }
        }
    }

    #[test]
    fn a_synced_name_never_changes_and_every_other_is_explained(
        steps in prop::collection::vec((0..4u8, 0..3usize, 0..3usize), 1..14),
        seeds in prop::collection::vec(any::<u8>(), 1..20),
    ) {
        let names = ["a", "b", "c"];
        let disk = FaultDisk::new();
        let root = root(&disk);
        // What each name has ever stood for, and whether it was touched since the last sync of the directory.
        let mut seen: BTreeMap<&str, BTreeSet<Vec<u8>>> = BTreeMap::new();
        let mut dirty = BTreeSet::new();
        for (at, (kind, one, two)) in steps.into_iter().enumerate() {
            let (one, two) = (names[one], names[two]);
            let done = match kind {
                0 => root.create_file(one.as_bytes(), Mode::Private).and_then(|file| {
                    write_all_at(&*file, 0, &[u8::try_from(at).expect("few steps")])?;
                    file.sync_data()
                }),
                1 => root.rename(one.as_bytes(), two.as_bytes()),
                2 => root.remove_file(one.as_bytes()),
                _ => root.sync(),
            };
            if done.is_ok() && kind < 3 {
                dirty.extend([one, if kind == 1 { two } else { one }]);
            } else if kind == 3 {
                dirty.clear();
            }
            for name in names {
                if let Ok(bytes) = disk.read_file(&format!("/{name}")) {
                    seen.entry(name).or_default().insert(bytes);
                }
            }
        }
        let cutter = disk.cutter();
        let mut plans = cutter.plans(&CutOptions::plain(Level::Exact));
        plans.push(any_plan(cutter.pending(), &seeds, Fill::Zero));
        for plan in plans {
            let after = cutter.cut(&plan).expect("a plan");
            for name in names {
                let path = format!("/{name}");
                let found = after.read_file(&path).ok();
                if !dirty.contains(name) {
                    prop_assert_eq!(&found, &disk.read_file(&path).ok(), "{} was synced; {}", name, plan);
                } else if let Some(found) = found {
                    prop_assert!(seen.get(name).is_some_and(|seen| seen.contains(&found)), "{}; {}", name, plan);
                }
            }
            prop_assert_eq!(after.pending(), []);
        }
    }
}

/// A disk in the middle of a change: two writes to one file, one of them growing it, a truncation and a new file.
fn busy_disk() -> FaultDisk {
    let disk = FaultDisk::new();
    disk.write_file("/f", &[b'.'; 24]).expect("a file");
    disk.write_file("/g", b"r1r2").expect("a file");
    let root = root(&disk);
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
            plans.iter().collect::<std::collections::HashSet<_>>().len(),
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
    let wanted: [(&str, &dyn Fn(&FaultDisk) -> bool); 14] = [
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
