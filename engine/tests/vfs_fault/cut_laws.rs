//! Power cuts as a whole: nothing synced is ever touched, and everything else is explained by what was written.

use super::{open, root};
use graven::vfs::fault::{
    Choice, CutOptions, CutPlan, EIO, Effect, FailedSync, Fault, FaultDisk, Fill, Kinds, Length, Level,
    PendingOperation,
};
use graven::vfs::{Mode, write_all_at};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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
                let start = if seed % 4 == 2 { middle } else { middle / 2 };
                let end = if seed % 4 == 2 { len } else { middle };
                let bytes = [0..start / 4, start..end].into();
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
