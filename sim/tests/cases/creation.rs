//! Creation and names: half-created is not created, and what refers comes after what it refers to.

use graven::vfs::fault::{CutOptions, CutPlan, Detail, Level, PendingOperation};
use graven_sim::engine::{Engine, STORE, Step, Workload};
use graven_sim::explore::{execute_open, explore};
use graven_sim::path::{Edge, End};
use graven_sim::subject::Subject;
use graven_sim::workloads::import;

use super::support::{kill, limits, run, sound, trace};

fn create() -> Engine {
    Engine::new(Workload {
        name: "create".into(),
        setup: Vec::new(),
        steps: vec![Step::Create],
        probe: Vec::new(),
    })
}

/// Files of control were empty or full of NULs after a power loss, and nothing started. Creation is killed and cut at
/// every call, and so is what cleans up after it: there is no store or a whole one, and creating works.
#[test]
fn ac17_a_creation_cut_at_any_call_is_no_store_or_a_whole_one() {
    let (counts, findings) = explore(&create(), limits());
    assert_eq!(findings, []);
    assert!(counts.distinct > 100, "{counts:?}");
}

/// Headers of 0 to 3 bytes and of NULs are told, not adopted and not repaired.
#[test]
fn ac17_a_damaged_header_is_told_and_nothing_is_changed() {
    let engine = create();
    let whole = run(&engine, &End::Normal).disk.cut(&CutPlan::all_kept()).unwrap();
    for path in engine
        .contents(&whole)
        .0
        .keys()
        .filter(|path| path.ends_with("line.bin") || path.ends_with("object.bin"))
    {
        for bytes in [&[][..], &[1], &[1, 0], &[1, 0, 0], &[0, 0, 0, 0]] {
            let disk = whole.fork();
            disk.write_file(path, bytes).unwrap();
            let before = engine.contents(&disk);
            let opened = engine.open(&disk.process(2), [2; 32]);
            assert!(opened.is_err(), "{path} with {bytes:?}");
            assert_eq!(engine.contents(&disk), before);
        }
    }
}

/// Killed right after the creation, the next open panicked or refused. After a kill at every call of a creation, opening
/// and creating again work.
#[test]
fn ac18_a_creation_killed_at_any_call_can_be_done_again() {
    let engine = create();
    for entry in trace(&engine).iter().filter(|entry| entry.kind.changes()) {
        sound(&engine, vec![Edge::Run(kill(entry.operation))]);
    }
}

/// Renames and new names were not followed by a sync of their directory. Every subset of the pending names is lost.
#[test]
fn ac19_no_lost_name_leaves_half_a_store() {
    let engine = create();
    let calls = trace(&engine);
    let names = |operation: &PendingOperation| {
        if operation.written().is_some() || operation.growth().is_some() {
            Detail::WithTheRest
        } else {
            Detail::Whole
        }
    };
    let mut cuts = 0;
    for entry in calls.iter().filter(|entry| entry.kind.is_sync()).rev().take(3) {
        let killed = run(&engine, &kill(entry.operation)).disk;
        for plan in killed.cutter().plans(&CutOptions {
            level: Level::Exact,
            harsh: false,
            detail: &names,
        }) {
            sound(&engine, vec![Edge::Run(kill(entry.operation)), Edge::Cut(plan)]);
            cuts += 1;
        }
    }
    assert!(cuts > 10);
}

/// An object was there with no bytes, or the wrong ones, while heads pointed at it. Between each pair of steps of an
/// import everything unsynced is lost, or kept: no Snapshot, Line or Tag refers to what is not there.
#[test]
fn ac20_objects_are_durable_before_the_snapshot_that_needs_them() {
    let engine = Engine::new(import());
    for entry in trace(&engine).iter().filter(|entry| entry.kind.is_sync()) {
        let killed = run(&engine, &kill(entry.operation)).disk;
        for plan in [CutPlan::all_lost(), CutPlan::all_kept()] {
            let cut = killed.cut(&plan).unwrap();
            let opened = execute_open(&engine, &cut, &End::Normal, limits(), false);
            // Reading verifies every object, and finds every Snapshot's root.
            let seen = opened.seen.unwrap_or_else(|| panic!("{STORE}: {:?}", opened.stop));
            assert!(
                (0..=engine.steps()).any(|steps| engine.expected(steps) == seen),
                "{plan}: {seen:?}"
            );
        }
    }
}
