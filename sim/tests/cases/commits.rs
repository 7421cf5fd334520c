//! Commits: what is made durable before what.

use graven::vfs::fault::{CutPlan, OperationKind};
use graven_sim::explore::{Limits, execute_open, explore};
use graven_sim::path::{Edge, End};
use graven_sim::subject::Subject;

use super::support::{contents, kill, kinds, last_sync, limits, replace, run, sound, state_last, trace};

/// A recovery adopted bytes that were only in the page cache and made its own data durable on top. Killed before the
/// commit's sync; opened again; another change in another family is acknowledged; the power goes.
#[test]
fn ac01_what_recovery_accepts_is_durable_before_another_change_depends_on_it() {
    let engine = state_last();
    let commit = last_sync(&trace(&engine), "plan_item.bin");
    let killed = run(&engine, &kill(commit));
    let readable = contents(&engine, &killed.disk);
    assert_eq!(
        readable,
        super::support::after(&engine),
        "the commit is readable when the process dies"
    );
    sound(&engine, vec![Edge::Run(kill(commit))]);
    for plan in [CutPlan::all_lost(), CutPlan::all_kept()] {
        sound(
            &engine,
            vec![Edge::Run(kill(commit)), Edge::Open(End::Normal), Edge::Cut(plan)],
        );
    }
}

/// A recovery gave a torn slot a fresh valid checksum, and a second crash promoted it. Recovery here is cut after every
/// call, again and again, until nothing new comes of it; and it writes no different byte into the undo.
#[test]
fn ac03_recovery_never_repairs_the_evidence_it_judges_by() {
    let engine = replace();
    let (counts, findings) = explore(&engine, limits());
    assert_eq!(findings, []);
    assert!(counts.distinct > 40 && !counts.stopped, "{counts:?}");

    let undo = |disk: &graven::vfs::fault::FaultDisk| {
        let bytes = disk.read_file("/demo.graven/workflow/workflow.undo").unwrap();
        bytes[64..].to_vec()
    };
    let killed = run(&engine, &kill(last_sync(&trace(&engine), "plan_item.bin")));
    let recovered = execute_open(&engine, &killed.disk, &End::Normal, limits(), true);
    assert!(recovered.snapshots.len() > 4);
    for (operation, _, disk) in &recovered.snapshots {
        assert_eq!(undo(disk), undo(&killed.disk), "before call {operation}");
    }
}

/// Before-images were not durable before what they describe was overwritten. At no moment is a byte of the authority
/// pending while a byte of the undo is.
#[test]
fn ac04_no_authority_byte_is_written_before_its_undo_is_durable() {
    for engine in kinds() {
        let start = engine.prepare().unwrap();
        let ended = graven_sim::explore::execute_run(&engine, &start, &End::Normal, limits(), true);
        let mut authority_seen = false;
        for (operation, _, disk) in &ended.snapshots {
            let pending = disk.pending();
            let authority = pending.iter().any(|one| one.path.ends_with(".bin"));
            let body = |at: Option<(u64, u64)>| at.is_some_and(|(offset, _)| offset >= 64);
            let undo = pending
                .iter()
                .any(|one| one.path.ends_with(".undo") && body(one.written()));
            assert!(!(authority && undo), "before call {operation}");
            authority_seen |= authority;
            if authority {
                let lost = |plan: CutPlan, one: &graven::vfs::fault::PendingOperation| {
                    if one.path.ends_with(".undo") {
                        plan.with(one.ordinal, graven::vfs::fault::Choice::Lost)
                    } else {
                        plan
                    }
                };
                let plan = pending.iter().fold(CutPlan::all_kept(), lost);
                sound(&engine, vec![Edge::Run(kill(*operation)), Edge::Cut(plan)]);
            }
        }
        assert!(authority_seen);
    }
}

/// Damage below an acknowledged point was taken for a torn tail, and acknowledged data were cut off. After a clean close
/// one bit of the changed range flips; opening leaves it alone.
#[test]
fn ac11_damage_after_a_clean_close_is_never_rolled_back() {
    for engine in kinds() {
        let before = engine.contents(&engine.prepare().unwrap());
        let ended = run(&engine, &End::Normal);
        let closing = ended.disk.process(9);
        let options = graven_sim::engine::options(&closing, [9; 32]);
        // Opening and closing again makes the mark durable.
        let store = graven::Store::open(graven_sim::engine::STORE, &options).unwrap();
        store
            .write(graven::UnixSeconds(1_800_000_000), |txn| {
                txn.create_line("another", None)
            })
            .unwrap();
        store.close().unwrap();
        drop(closing);
        let disk = ended.disk.cut(&CutPlan::all_kept()).unwrap();
        let after = engine.contents(&disk);
        let mut flips = 0;
        for (path, bytes) in &after.0 {
            let old = before.0.get(path).cloned().unwrap_or_default();
            for offset in (0..bytes.len()).filter(|at| old.get(*at) != bytes.get(*at)) {
                let damaged = disk.fork();
                damaged.flip(path, offset as u64, 1).unwrap();
                let found = engine.contents(&damaged);
                let _ = execute_open(&engine, &damaged, &End::Normal, Limits { ..limits() }, false);
                let opened = damaged.process(4);
                let _ = engine.open(&opened, [4; 32]);
                assert_eq!(engine.contents(&damaged), found, "byte {offset} of {path}");
                flips += 1;
            }
        }
        assert!(flips > 0);
    }
}

/// The confirming page was on the medium while an earlier page of the same transaction was not. (That the simulator
/// finds it where fields and commit share one sync is shown by the planted bug `one_sync_for_fields_and_commit`.)
#[test]
fn ac12_the_commit_point_is_written_after_everything_else_is_durable() {
    let (_, findings) = explore(&state_last(), limits());
    assert_eq!(findings, []);
}

/// Two syncs stand between the last field byte and the state byte of the trace: the fields' own and none other.
#[test]
fn ac12_a_sync_of_the_fields_stands_before_the_state_byte() {
    let trace = trace(&state_last());
    let calls: Vec<_> = trace
        .iter()
        .filter(|entry| entry.path.ends_with("plan_item.bin"))
        .collect();
    let writes: Vec<_> = calls
        .iter()
        .filter(|entry| entry.kind == OperationKind::Write)
        .collect();
    let state = writes.last().unwrap();
    assert_eq!(state.len, 1, "the state byte alone is written last");
    let synced = calls.iter().any(|entry| {
        entry.kind == OperationKind::SyncData
            && writes[0].operation < entry.operation
            && entry.operation < state.operation
    });
    assert!(synced);
}
