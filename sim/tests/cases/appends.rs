//! Appends: torn tails, lost growth, lost truncations.

use graven::format::{PLAN_ITEM, PLAN_REVISION};
use graven::vfs::fault::{Choice, CutOptions, CutPlan, Detail, FaultDisk, Fill, Length, Level, PendingOperation};
use graven_sim::engine::Engine;
use graven_sim::explore::{execute_open, execute_run};
use graven_sim::path::{Edge, End};
use graven_sim::subject::Subject;

use super::support::{after, append, kill, last_sync, limits, payload, raw, run, sound, trace};

/// Every disk that a cut leaves when operations are kept or lost as wholes.
fn cuts(disk: &FaultDisk) -> Vec<(CutPlan, FaultDisk)> {
    let whole = |_: &PendingOperation| Detail::Whole;
    disk.cutter().distinct(&CutOptions {
        level: Level::Classes,
        harsh: false,
        detail: &whole,
    })
}

/// On what an interrupted `first` leaves, `second` is rolled out and acknowledged; whatever the next cut keeps, the store
/// holds `second` and nothing of `first`. `false`: `first` was completed, so there is nothing to see.
fn second_stands_alone(first: &Engine, interrupted: &FaultDisk, second: &Engine) -> bool {
    let opened = execute_open(first, interrupted, &End::Normal, limits(), false);
    assert_eq!(opened.stop, None);
    if first.contents(&opened.disk) != first.contents(&first.prepare().unwrap()) {
        return false;
    }
    let ended = execute_run(second, &opened.disk, &End::Normal, limits(), false);
    assert_eq!(ended.stop, None);
    for (plan, disk) in cuts(&ended.disk) {
        let opened = execute_open(second, &disk, &End::Normal, limits(), false);
        assert_eq!(opened.stop, None, "{plan}");
        assert_eq!(after(second).difference(&second.contents(&opened.disk)), None, "{plan}");
    }
    true
}

/// A truncation was not synced and was lost, while what was written after it was kept: old bytes came back behind new
/// ones. Two records are appended and rolled back, then one of the same family is acknowledged.
#[test]
fn ac07_a_rolled_back_record_does_not_come_back_behind_a_new_one() {
    let (first, second) = (
        raw(&[append(&PLAN_ITEM, 7), append(&PLAN_ITEM, 8)]),
        raw(&[append(&PLAN_ITEM, 9)]),
    );
    let trace = trace(&first);
    for operation in [
        last_sync(&trace, "plan_item.bin"),
        last_sync(&trace, "plan_item.bin") - 1,
    ] {
        let killed = run(&first, &kill(operation)).disk;
        let mut rolled_back = u32::from(second_stands_alone(&first, &killed, &second));
        for (_, disk) in cuts(&killed) {
            rolled_back += u32::from(second_stands_alone(&first, &disk, &second));
        }
        assert!(rolled_back > 0);
    }
}

/// The same for payload: nothing of the first payload stands behind a shorter second one.
#[test]
fn ac07_a_rolled_back_payload_does_not_come_back_behind_a_shorter_one() {
    let (first, second) = (payload(), raw(&[append(&PLAN_ITEM, 9)]));
    let killed = run(&first, &kill(last_sync(&trace(&first), "plan_payload.bin"))).disk;
    assert!(second_stands_alone(&first, &killed, &second));
    for (_, disk) in cuts(&killed) {
        assert!(second_stands_alone(&first, &disk, &second));
    }
}

/// What was appended behind a torn tail vanished at the second restart. A torn append, a cut, two acknowledged appends, a
/// cut: both are there.
#[test]
fn ac09_what_is_appended_after_a_torn_tail_stays() {
    let (first, second) = (
        raw(&[append(&PLAN_ITEM, 7)]),
        raw(&[append(&PLAN_ITEM, 8), append(&PLAN_ITEM, 9)]),
    );
    let killed = run(&first, &kill(last_sync(&trace(&first), "plan_item.bin"))).disk;
    let write = killed
        .pending()
        .into_iter()
        .find(|one| one.path.ends_with("plan_item.bin"))
        .unwrap();
    let (offset, len) = write.written().unwrap();
    let mut rolled_back = 0;
    for bytes in 0..=len {
        for length in [Length::Kept, Length::At(offset + bytes), Length::Lost] {
            let torn = Choice::Torn {
                bytes: Some(0..bytes).filter(|range| !range.is_empty()).into_iter().collect(),
                length,
            };
            let disk = killed.cut(&CutPlan::all_lost().with(write.ordinal, torn)).unwrap();
            rolled_back += u32::from(second_stands_alone(&first, &disk, &second));
        }
    }
    assert!(rolled_back > 0);
}

/// A header told of more than the file held, since its growth was lost, and nothing opened any more. Everything is kept
/// but the growth of one file: a record file, a payload file, the recovery store itself.
#[test]
fn ac10_a_file_whose_growth_was_lost_is_recovered() {
    let many: Vec<_> = (0..90).map(|byte| append(&PLAN_REVISION, byte)).collect();
    for (engine, grown) in [
        (payload(), "plan_payload.bin"),
        (payload(), "plan.bin"),
        (raw(&many), ".undo"),
        (raw(&many), "plan_revision.bin"),
    ] {
        let sync = last_sync(&trace(&engine), grown);
        let first = trace(&engine)
            .iter()
            .find(|entry| entry.operation >= sync || entry.kind.is_sync() && entry.path.ends_with(grown))
            .map(|entry| entry.operation)
            .unwrap();
        let mut lost = 0;
        for operation in [first, sync] {
            let killed = run(&engine, &kill(operation)).disk;
            for growth in killed
                .pending()
                .into_iter()
                .filter(|one| one.path.ends_with(grown) && one.growth().is_some())
            {
                let bytes = growth.written().map(|(_, len)| 0..len).into_iter().collect();
                let torn = Choice::Torn {
                    bytes,
                    length: Length::Lost,
                };
                sound(
                    &engine,
                    vec![
                        Edge::Run(kill(operation)),
                        Edge::Cut(CutPlan::all_kept().with(growth.ordinal, torn)),
                    ],
                );
                lost += 1;
            }
        }
        assert!(lost > 0, "{grown} grows");
    }
}

/// A file ended in zeros that a delayed allocation had left, and the store did not start. The length has grown, the bytes
/// are zeros: for whole records, and for parts of one.
#[test]
fn ac16_a_tail_of_zeros_inside_an_uncommitted_growth_is_absent() {
    let engine = raw(&[append(&PLAN_ITEM, 7), append(&PLAN_ITEM, 8)]);
    let commit = last_sync(&trace(&engine), "plan_item.bin");
    let killed = run(&engine, &kill(commit)).disk;
    let write = killed
        .pending()
        .into_iter()
        .find(|one| one.path.ends_with("plan_item.bin"))
        .unwrap();
    let (before, grown) = write.growth().unwrap();
    for end in before + 1..=grown {
        let torn = Choice::Torn {
            bytes: Vec::new(),
            length: Length::At(end),
        };
        let plan = CutPlan::all_lost().filled(Fill::Zero).with(write.ordinal, torn);
        sound(&engine, vec![Edge::Run(kill(commit)), Edge::Cut(plan)]);
    }
}
