//! One path again: each edge in turn, then both judges on what it leads to.

use graven::vfs::fault::FaultDisk;

use crate::explore::{Ended, Explorer, Limits, Node, Origin, execute_open, execute_run, outcome_of};
use crate::judge::checks::Wrong;
use crate::path::{Edge, End, Path};
use crate::subject::Subject;

/// What a replay came to.
#[derive(Debug)]
pub struct Replayed {
    /// The disk at the end of the path.
    pub disk: FaultDisk,
    /// What was done, one line an edge.
    pub told: Vec<String>,
    /// What is wrong; `None`: nothing.
    pub finding: Option<Wrong>,
}

/// Walks a path and judges its end.
///
/// # Errors
/// The path does not fit the workload.
pub fn replay(subject: &dyn Subject, limits: Limits, path: &Path) -> Result<Replayed, String> {
    walk(subject, limits, &path.0, &mut |edge, _| Ok(Edge::clone(edge)))
}

/// Walks edges that are found out one after another, each on the disk that those before it left, and judges the end.
///
/// # Errors
/// An edge does not fit the disk that it is to be gone from.
pub fn walk<E>(
    subject: &dyn Subject,
    limits: Limits,
    edges: &[E],
    found_out: &mut dyn FnMut(&E, &FaultDisk) -> Result<Edge, String>,
) -> Result<Replayed, String> {
    let mut explorer = match Explorer::new(subject, limits) {
        Ok(explorer) => explorer,
        Err(finding) => {
            let disk = subject.prepare()?;
            return Ok(Replayed {
                disk,
                told: Vec::new(),
                finding,
            });
        }
    };
    let start = explorer.start().fork();
    let mut node = Node::new(start, 1, Path::default(), Origin::Run, false, limits);
    let mut told = Vec::new();
    for edge in edges {
        let edge = &found_out(edge, &node.disk)?;
        if let Some(finding) = step(&mut explorer, subject, limits, &mut node, edge, &mut told)? {
            return Ok(Replayed {
                disk: node.disk,
                told,
                finding: Some(finding),
            });
        }
        node.path = node.path.with(edge.clone());
    }
    let finding = explorer.judge_only(&node);
    Ok(Replayed {
        disk: node.disk,
        told,
        finding,
    })
}

/// Goes one edge; answers what is wrong there, if anything is.
fn step(
    explorer: &mut Explorer<'_>,
    subject: &dyn Subject,
    limits: Limits,
    node: &mut Node,
    edge: &Edge,
    told: &mut Vec<String>,
) -> Result<Option<Wrong>, String> {
    match edge {
        Edge::Run(end) => {
            let ended = execute_run(subject, &node.disk, end, limits, false);
            must_come(&ended, end)?;
            node.allowed = allowed_after(&ended, end, subject.steps());
            node.origin = limits.origin(end);
            tell("run", &ended, end, told);
            node.disk = ended.disk;
        }
        Edge::Open(end) => {
            let disk = limits.medium.with_room_to_recover(&node.disk);
            let ended = execute_open(subject, &disk, end, limits, false);
            must_come(&ended, end)?;
            node.origin = Origin::Recovery;
            tell("open", &ended, end, told);
            if *end == End::Normal {
                match explorer.settled(&ended, node.allowed) {
                    Ok(settled) => node.allowed = settled,
                    Err(finding) => return Ok(Some(finding)),
                }
            }
            node.disk = ended.disk;
        }
        Edge::Cut(plan) => {
            for operation in node.disk.pending() {
                told.push(format!(
                    "pending {}: {} {:?}: {}",
                    operation.ordinal,
                    operation.path,
                    operation.change,
                    plan.choice(operation.ordinal)
                ));
            }
            let disk = node.disk.cut(plan).map_err(|error| error.to_string())?;
            if let Err(finding) = explorer.raw_only(node, &disk) {
                return Ok(Some(finding));
            }
            node.disk = disk;
        }
        Edge::Evict => node.disk.evict(),
    }
    Ok(None)
}

/// The moment of a kill has to be one at which processes are killed: before a call that changes something.
fn must_come(ended: &Ended, end: &End) -> Result<(), String> {
    if let End::Fail(calls) = end {
        let made = |operation| ended.trace.iter().any(|entry| entry.operation == operation);
        let missing = calls.iter().find(|call| !made(call.operation));
        return missing.map_or(Ok(()), |call| Err(format!("no call fails at `{call}`: it is not made")));
    }
    let End::Kill { operation, written } = end else {
        return Ok(());
    };
    let comes = ended
        .snapshots
        .iter()
        .any(|(at, bytes, _)| (at, bytes) == (operation, written));
    comes.then_some(()).ok_or_else(|| {
        format!(
            "no process is killed at `{}`: no call that changes something begins there",
            end.to_string().trim()
        )
    })
}

fn allowed_after(ended: &Ended, end: &End, steps: usize) -> u32 {
    match end {
        End::Kill { .. } => (1 << ended.done.len()) | (1 << steps.min(ended.done.len() + 1)),
        End::Normal | End::Fail(_) => outcome_of(ended, steps),
    }
}

fn tell(verb: &str, ended: &Ended, end: &End, told: &mut Vec<String>) {
    let last = match end {
        End::Kill { operation, .. } => *operation,
        _ => u64::MAX,
    };
    told.push(format!("{verb}{end}"));
    for entry in ended
        .trace
        .iter()
        .filter(|entry| entry.operation <= last && entry.kind.changes())
    {
        told.push(format!(
            "  {} {:?} {} at {} len {}: {:?}",
            entry.operation, entry.kind, entry.path, entry.offset, entry.len, entry.outcome
        ));
    }
    if let Some(stop) = &ended.stop {
        told.push(format!("  step {} answered: {}", stop.step, stop.message));
    }
}
