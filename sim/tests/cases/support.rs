//! What the cases share: small workloads, and walking a path.

use graven::format::{Layout, PLAN, PLAN_ITEM};
use graven::store::Stage;
use graven::vfs::fault::{FaultDisk, OperationKind, TraceEntry};
use graven_model::domain::Operation;
use graven_sim::engine::{Engine, Step, Write};
use graven_sim::explore::{Ended, Limits, execute_run};
use graven_sim::path::{Edge, End, FailedCall, Failure, Path};
use graven_sim::replay::replay;
use graven_sim::subject::Subject;
use graven_sim::workloads::on_base;

/// No failing calls beside those that a case asks for; kills between calls.
pub fn limits() -> Limits {
    Limits {
        failed_syncs: 0,
        failed_calls: false,
        kill_inside: 0,
        ..Limits::default()
    }
}

pub fn append(layout: &'static Layout, byte: u8) -> Write {
    Write::Append {
        layout,
        stage: Stage::Commit,
        byte,
    }
}

pub fn raw(writes: &[Write]) -> Engine {
    Engine::new(on_base("case", vec![Step::Raw(writes.to_vec())]))
}

/// A record changes, its state byte last.
pub fn state_last() -> Engine {
    let (layout, state_stage) = (&PLAN_ITEM, Stage::Commit);
    raw(&[Write::StateLast {
        layout,
        index: 1,
        state_offset: 2,
        state_stage,
        byte: 4,
    }])
}

/// A record is replaced whole.
pub fn replace() -> Engine {
    raw(&[Write::Replace {
        layout: &PLAN_ITEM,
        index: 1,
        stage: Stage::Commit,
        byte: 7,
    }])
}

/// Payload, then a record.
pub fn payload() -> Engine {
    raw(&[
        Write::Payload {
            layout: &PLAN,
            len: 20,
            byte: 5,
        },
        append(&PLAN, 7),
    ])
}

/// A Line, through the public face.
pub fn line() -> Engine {
    let create = Operation::CreateLine {
        name: "topic".to_owned(),
        head: None,
    };
    Engine::new(on_base("case", vec![Step::Workflow(vec![create])]))
}

/// One workload of each kind of change.
pub fn kinds() -> Vec<Engine> {
    vec![
        replace(),
        raw(&[append(&PLAN_ITEM, 7)]),
        state_last(),
        payload(),
        line(),
    ]
}

/// The calls of an undisturbed run.
pub fn trace(engine: &Engine) -> Vec<TraceEntry> {
    let start = engine.prepare().unwrap();
    execute_run(engine, &start, &End::Normal, limits(), false).trace
}

/// The run that ends as told.
pub fn run(engine: &Engine, end: &End) -> Ended {
    execute_run(engine, &engine.prepare().unwrap(), end, limits(), false)
}

pub fn kill(operation: u64) -> End {
    End::Kill {
        operation,
        written: None,
    }
}

pub fn fail(operation: u64, failure: Failure) -> End {
    End::Fail(vec![FailedCall { operation, failure }])
}

/// Both judges are content at the end of the path: what was acknowledged is there, what was not is whole or absent, and
/// the store goes on.
pub fn sound(engine: &Engine, edges: Vec<Edge>) {
    let path: Path = edges.into_iter().collect();
    let replayed = replay(engine, limits(), &path).unwrap();
    assert_eq!(replayed.finding, None, "{path}");
}

/// The ordinal of the first call of a kind on a file whose path ends like this, behind those of the opening.
pub fn calls<'t>(
    trace: &'t [TraceEntry],
    kind: OperationKind,
    path_end: &'t str,
) -> impl Iterator<Item = &'t TraceEntry> {
    trace
        .iter()
        .filter(move |entry| entry.kind == kind && entry.path.ends_with(path_end))
}

/// The last sync of that file: for the file of the commit point, the one that acknowledges.
pub fn last_sync(trace: &[TraceEntry], path_end: &str) -> u64 {
    calls(trace, OperationKind::SyncData, path_end)
        .last()
        .unwrap()
        .operation
}

/// What the engine's store holds after its steps, undisturbed.
pub fn after(engine: &Engine) -> graven_sim::subject::Contents {
    engine.contents(&run(engine, &End::Normal).disk)
}

/// What a disk of the engine's store holds now.
pub fn contents(engine: &Engine, disk: &FaultDisk) -> graven_sim::subject::Contents {
    engine.contents(disk)
}
