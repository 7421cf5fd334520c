//! A finding as text that names calls and pending operations instead of counting them: in a line, and in a file.
//!
//! The line is `WORKLOAD [OPTIONS] without OPERATION | OPERATION: EDGE / EDGE`; a file has the same texts one by one. An
//! edge that names what is not there does not fit any more, and says what is missing.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use graven::vfs::fault::{Choice, CutPlan, FaultDisk, OperationKind, PendingChange, PendingOperation, TraceEntry};
use serde::{Deserialize, Serialize};

use crate::engine::{Engine, STORE, Step, Workload};
use crate::explore::{Limits, execute_open, execute_run};
use crate::options::Options;
use crate::path::{Edge, End, FailedCall, Path};
use crate::replay::{Replayed, walk};
use crate::subject::Subject;
use crate::workloads::named;

/// A workload and a way through it, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// What happened: what was found, and what became of it.
    #[serde(default)]
    pub told: String,
    /// The workload's name.
    pub workload: String,
    /// What it is explored under.
    #[serde(default)]
    pub options: String,
    /// The operations that are left out of it.
    #[serde(default)]
    pub without: Vec<String>,
    /// The way.
    pub path: Vec<String>,
}

impl Story {
    /// The story of a path through a workload from which some operations are left out.
    ///
    /// # Errors
    /// The path does not fit.
    pub fn of(
        subject: &dyn Subject,
        name: &str,
        without: &[String],
        limits: Limits,
        path: &Path,
    ) -> Result<Self, String> {
        let mut edges = Vec::new();
        let mut name_of = |edge: &Arc<Edge>, disk: &FaultDisk| {
            edges.push(name_edge(subject, limits, edge, disk)?);
            Ok(Edge::clone(edge))
        };
        walk(subject, limits, &path.0, &mut name_of)?;
        Ok(Self {
            told: String::new(),
            workload: name.to_owned(),
            options: Options(limits).to_string(),
            without: without.to_vec(),
            path: edges,
        })
    }

    /// The workload, and what it is explored under.
    ///
    /// # Errors
    /// There is no such workload, operation or option.
    pub fn subject(&self) -> Result<(Engine, Limits), String> {
        let whole = named(&self.workload).ok_or_else(|| format!("there is no workload `{}`", self.workload))?;
        let options: Options = self.options.parse()?;
        Ok((Engine::new(leave_out(&whole, &self.without)?), options.0))
    }

    /// Walks the way again.
    ///
    /// # Errors
    /// Something that is named is not there.
    pub fn replay(&self, subject: &dyn Subject, limits: Limits) -> Result<Replayed, String> {
        walk(subject, limits, &self.path, &mut |text, disk| {
            find_edge(subject, limits, text, disk)
        })
    }

    /// The way in ordinals.
    ///
    /// # Errors
    /// Something that is named is not there.
    pub fn way(&self) -> Result<Path, String> {
        let (engine, limits) = self.subject()?;
        let mut way = Path::default();
        walk(&engine, limits, &self.path, &mut |text, disk| {
            let edge = find_edge(&engine, limits, text, disk)?;
            way = way.with(edge.clone());
            Ok(edge)
        })?;
        Ok(way)
    }

    /// The story as a file.
    ///
    /// # Errors
    /// It cannot be written as one.
    pub fn to_file(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }

    /// The story in a file.
    ///
    /// # Errors
    /// It is none.
    pub fn from_file(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.workload, self.options)?;
        if !self.without.is_empty() {
            write!(f, " without {}", self.without.join(" | "))?;
        }
        write!(f, ": {}", self.path.join(" / "))
    }
}

impl FromStr for Story {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let wrong = || "a line is `WORKLOAD [OPTIONS] without OPERATION | ...: EDGE / EDGE / ...`".to_owned();
        let line = line.trim();
        let without_path = line.strip_suffix(':').map(|what| (what, ""));
        let (what, path) = without_path.or_else(|| line.rsplit_once(": ")).unwrap_or((line, ""));
        let (workload, rest) = what.split_once(" [").unwrap_or((what, "]"));
        let (options, rest) = rest.split_once(']').ok_or_else(wrong)?;
        let parts = |text: &str, between: &str| {
            let parts = text.split(between).map(str::trim).filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        let without = match rest.trim().strip_prefix("without ") {
            Some(all) => parts(all, " | "),
            None if rest.trim().is_empty() => Vec::new(),
            None => return Err(wrong()),
        };
        Ok(Self {
            told: String::new(),
            workload: workload.trim().to_owned(),
            options: options.to_owned(),
            without,
            path: parts(path, " / "),
        })
    }
}

/// The operations of a workload that can be left out, as text.
pub fn operations_of(workload: &Workload) -> Vec<String> {
    let of_step = |step: &Step| match step {
        Step::Objects(operations) | Step::Workflow(operations) | Step::Group(operations) => operations.clone(),
        _ => Vec::new(),
    };
    let all = workload
        .steps
        .iter()
        .chain(&workload.probe)
        .chain(workload.setup.iter().rev());
    all.flat_map(of_step)
        .map(|operation| format!("{operation:?}"))
        .collect()
}

/// The workload without some operations.
///
/// # Errors
/// One of them is not in it.
pub fn leave_out(workload: &Workload, operations: &[String]) -> Result<Workload, String> {
    let mut workload = workload.clone();
    for name in operations {
        let lists = [&mut workload.steps, &mut workload.probe, &mut workload.setup];
        let found = lists.into_iter().any(|steps| {
            let at = steps.iter_mut().position(|step| match step {
                Step::Objects(operations) | Step::Workflow(operations) | Step::Group(operations) => {
                    let at = operations
                        .iter()
                        .rposition(|operation| format!("{operation:?}") == *name);
                    at.map(|at| operations.remove(at)).is_some()
                }
                _ => false,
            });
            if let Some(at) = at {
                let emptied = matches!(
                    &steps[at],
                    Step::Objects(left) | Step::Workflow(left) | Step::Group(left) if left.is_empty()
                );
                if emptied {
                    steps.remove(at);
                }
            }
            at.is_some()
        });
        if !found {
            return Err(format!("there is no operation `{name}` in `{}`", workload.name));
        }
    }
    Ok(workload)
}

/// A path from the store on. How the directory of a store in the making is called depends on the entropy of its maker.
fn short(path: &str) -> String {
    let inside = path.strip_prefix(STORE).and_then(|rest| rest.strip_prefix('/'));
    let part = |part: &str| {
        if part.ends_with(".graven-new") {
            "NEW".to_owned()
        } else {
            part.to_owned()
        }
    };
    let parts: Vec<String> = inside.unwrap_or(path).split('/').map(part).collect();
    let short = parts.join("/");
    if short.is_empty() { "/".to_owned() } else { short }
}

fn word(kind: OperationKind) -> String {
    let mut word = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

/// Each text with how often it has come by then, so that no two are alike.
fn told_apart(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let apart = |text: String| {
        let turn = seen.entry(text.clone()).or_default();
        *turn += 1;
        if *turn == 1 {
            text
        } else {
            format!("{text} (time {turn})")
        }
    };
    texts.map(apart).collect()
}

fn call_names(trace: &[TraceEntry]) -> Vec<String> {
    told_apart(trace.iter().map(|entry| {
        let (kind, path) = (word(entry.kind), short(&entry.path));
        let to = entry
            .to
            .as_ref()
            .map_or(String::new(), |to| format!(" to {}", short(to)));
        match entry.kind {
            OperationKind::Write | OperationKind::Read | OperationKind::Reserve => {
                format!("{kind} {path} @{}+{}", entry.offset, entry.len)
            }
            OperationKind::SetLen => format!("{kind} {path} @{}", entry.offset),
            _ => format!("{kind} {path}{to}"),
        }
    }))
}

fn pending_names(pending: &[PendingOperation]) -> Vec<String> {
    told_apart(pending.iter().map(|operation| {
        let path = short(&operation.path);
        match &operation.change {
            PendingChange::Write { offset, len, .. } => format!("write {path} @{offset}+{len}"),
            PendingChange::SetLen { from, to } => format!("set-len {path} from {from} to {to}"),
            PendingChange::Create { name } => format!("create {} in {path}", short(name)),
            PendingChange::Rename { from, to } => format!("rename {} to {} in {path}", short(from), short(to)),
            PendingChange::Remove { name } => format!("remove {} in {path}", short(name)),
        }
    }))
}

/// The calls that a process makes which opens, or runs the steps, and ends so.
fn trace(subject: &dyn Subject, limits: Limits, opens: bool, disk: &FaultDisk, end: &End) -> Vec<TraceEntry> {
    if opens {
        let disk = limits.medium.with_room_to_recover(disk);
        execute_open(subject, &disk, end, limits, false).trace
    } else {
        execute_run(subject, disk, end, limits, false).trace
    }
}

fn name_of(trace: &[TraceEntry], operation: u64) -> Result<String, String> {
    let at = trace.iter().position(|entry| entry.operation == operation);
    let name = at.and_then(|at| call_names(trace).into_iter().nth(at));
    name.ok_or_else(|| format!("call {operation} is not made"))
}

fn find_call(trace: &[TraceEntry], name: &str) -> Result<u64, String> {
    let names = call_names(trace);
    let at = names.iter().position(|known| known == name);
    let entry = at.and_then(|at| trace.get(at));
    entry
        .map(|entry| entry.operation)
        .ok_or_else(|| format!("the call `{name}` is not made any more"))
}

fn name_edge(subject: &dyn Subject, limits: Limits, edge: &Edge, disk: &FaultDisk) -> Result<String, String> {
    let (end, opens) = match edge {
        Edge::Run(end) => (end, false),
        Edge::Open(end) => (end, true),
        Edge::Evict => return Ok("evict".to_owned()),
        Edge::Cut(plan) => return Ok(name_cut(plan, &disk.pending())),
    };
    let verb = if opens { "open" } else { "run" };
    match end {
        End::Normal => Ok(verb.to_owned()),
        End::Kill { operation, written } => {
            let call = name_of(&trace(subject, limits, opens, disk, &End::Normal), *operation)?;
            Ok(match written {
                None => format!("{verb} kill before {call}"),
                Some(bytes) => format!("{verb} kill after {bytes} bytes of {call}"),
            })
        }
        End::Fail(calls) => {
            let mut text = verb.to_owned();
            for (at, failed) in calls.iter().enumerate() {
                let before = End::Fail(calls[..at].to_vec());
                let call = name_of(&trace(subject, limits, opens, disk, &before), failed.operation)?;
                let failed = failed.to_string();
                let failure = failed.split_once(':').map_or("", |(_, failure)| failure);
                text.extend([" fail ", failure, " at ", &call]);
            }
            Ok(text)
        }
    }
}

fn name_cut(plan: &CutPlan, pending: &[PendingOperation]) -> String {
    let without_choices = CutPlan {
        choices: BTreeMap::new(),
        ..plan.clone()
    };
    let names = pending_names(pending);
    let mut text = format!("cut {without_choices}");
    for (ordinal, choice) in &plan.choices {
        let name = names.get(*ordinal).map_or("", |name| name);
        text.extend([", ", &choice.to_string(), " ", name]);
    }
    text
}

fn find_edge(subject: &dyn Subject, limits: Limits, text: &str, disk: &FaultDisk) -> Result<Edge, String> {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let opens = verb == "open";
    match verb {
        "evict" => return Ok(Edge::Evict),
        "cut" => return find_cut(rest, &disk.pending()).map(Edge::Cut),
        "run" | "open" => {}
        _ => return Err(format!("`{verb}` is no edge")),
    }
    let wrong = || format!("`{text}` is no edge");
    let calls = |end: &End| trace(subject, limits, opens, disk, end);
    let end = if rest.is_empty() {
        End::Normal
    } else if let Some(call) = rest.strip_prefix("kill before ") {
        let (operation, written) = (find_call(&calls(&End::Normal), call)?, None);
        End::Kill { operation, written }
    } else if let Some(after) = rest.strip_prefix("kill after ") {
        let (bytes, call) = after.split_once(" bytes of ").ok_or_else(wrong)?;
        let operation = find_call(&calls(&End::Normal), call)?;
        let written = Some(bytes.parse().map_err(|_| wrong())?);
        End::Kill { operation, written }
    } else {
        let mut failed: Vec<FailedCall> = Vec::new();
        for one in rest.strip_prefix("fail ").ok_or_else(wrong)?.split(" fail ") {
            let (failure, call) = one.split_once(" at ").ok_or_else(wrong)?;
            let operation = find_call(&calls(&End::Fail(failed.clone())), call)?;
            let End::Fail(mut next) = format!("fail={operation}:{failure}").parse()? else {
                return Err(wrong());
            };
            failed.append(&mut next);
        }
        End::Fail(failed)
    };
    Ok(if opens { Edge::Open(end) } else { Edge::Run(end) })
}

fn find_cut(text: &str, pending: &[PendingOperation]) -> Result<CutPlan, String> {
    let names = pending_names(pending);
    if names.is_empty() {
        return Err("nothing is pending any more at the cut".to_owned());
    }
    let mut parts = text.split(", ");
    let mut plan: CutPlan = parts.next().unwrap_or("").parse().map_err(|error| format!("{error}"))?;
    for part in parts {
        let (choice, name) = part
            .split_once(' ')
            .ok_or_else(|| format!("`{part}` is no part of a cut"))?;
        let ordinal = names.iter().position(|known| known == name);
        let ordinal = ordinal.ok_or_else(|| format!("`{name}` is not pending any more at the cut"))?;
        let choice: Choice = choice.parse().map_err(|error| format!("{error}"))?;
        plan = plan.with(ordinal, choice);
    }
    Ok(plan)
}
