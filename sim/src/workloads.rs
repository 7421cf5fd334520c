//! The tables of workloads: in tier 1 each kind of change once, and a small import; in tier 2 each operation after each; in
//! tier 3 three of them drawn at a time.

mod chains;
mod operations;
mod upkeep;
mod workflow;

use std::borrow::Cow;

use graven::format::{Layout, PLAN, PLAN_ITEM, PLAN_REVISION};
use graven::store::Stage;
use graven_model::domain::{Entry, Operation, SnapshotKind, Target};

use crate::engine::{Step, Workload, Write};
pub use chains::{Word, chain, links, name_of, tier_2};
pub use operations::setup;

fn text(text: &str) -> String {
    text.to_owned()
}

fn blob(content: &str) -> Operation {
    Operation::PutBlob(content.as_bytes().to_vec())
}

fn directory(entries: &[(&str, Target)]) -> Operation {
    let entry = |(name, target): &(&str, Target)| Entry {
        name: name.as_bytes().to_vec(),
        target: *target,
    };
    Operation::PutDirectory(entries.iter().map(entry).collect())
}

fn snapshot(root: usize, created_at_s: u64, parents: &[usize], message: &str) -> Operation {
    Operation::CreateSnapshot {
        kind: SnapshotKind::Line,
        root,
        created_at_s,
        parents: parents.to_vec(),
        line: None,
        message: text(message),
    }
}

fn line(name: &str, head: Option<usize>) -> Operation {
    Operation::CreateLine { name: text(name), head }
}

fn tag(name: &str, snapshot: usize, message: Option<&str>) -> Operation {
    Operation::CreateTag {
        name: text(name),
        snapshot,
        message: message.map(text),
    }
}

/// A store with two objects (a file, a directory of it), two Snapshots, a Line, a Tag, and raw records.
fn base() -> Vec<Step> {
    let raw = |layout, byte| Write::Append {
        layout,
        stage: Stage::Commit,
        byte,
    };
    vec![
        Step::Create,
        Step::Objects(vec![blob("first content"), directory(&[("a", Target::File(0))])]),
        Step::Workflow(vec![
            snapshot(1, 11, &[], "first"),
            snapshot(1, 12, &[0], "second"),
            line("main", Some(0)),
        ]),
        Step::Workflow(vec![tag("v1", 0, Some("a message"))]),
        Step::Raw(vec![raw(&PLAN_REVISION, 1), raw(&PLAN_ITEM, 1), raw(&PLAN_ITEM, 1)]),
        Step::Close,
    ]
}

/// A workload on that store.
pub fn on_base(name: impl Into<Cow<'static, str>>, steps: Vec<Step>) -> Workload {
    Workload {
        name: name.into(),
        setup: base(),
        steps,
        probe: Vec::new(),
    }
}

/// Every workload of tier 1.
pub fn tier_1() -> Vec<Workload> {
    let create = Workload {
        name: "create".into(),
        setup: Vec::new(),
        steps: vec![Step::Create, Step::Close],
        probe: Vec::new(),
    };
    let mut all = vec![create];
    all.extend(kinds_of_change());
    all.extend(objects_and_snapshots());
    all.extend(lines());
    all.extend(tags());
    all.extend(workflow::workloads());
    all.extend([group(), import()]);
    all.extend(upkeep::workloads());
    all
}

/// The workload of that name, of any tier.
pub fn named(name: &str) -> Option<Workload> {
    let of_tier_1 = tier_1().into_iter().find(|workload| workload.name == name);
    of_tier_1.or_else(|| chain(name))
}

fn raw(writes: &[Write]) -> Step {
    Step::Raw(writes.to_vec())
}

fn workflow(operation: Operation) -> Step {
    Step::Workflow(vec![operation])
}

const fn append(layout: &'static Layout, byte: u8) -> Write {
    let stage = Stage::Commit;
    Write::Append { layout, stage, byte }
}

const fn replace(layout: &'static Layout, index: u32, stage: Stage, byte: u8) -> Write {
    Write::Replace {
        layout,
        index,
        stage,
        byte,
    }
}

/// Closes a raw record, as a Task or a Land is closed: every byte changes, its state byte last.
const fn close(state_stage: Stage) -> Write {
    Write::StateLast {
        layout: &PLAN_ITEM,
        index: 1,
        state_offset: 2,
        state_stage,
        byte: 4,
    }
}

/// The kinds of change that the rules prescribe, on raw records.
fn kinds_of_change() -> Vec<Workload> {
    let (layout, len) = (&PLAN, 20);
    let every_stage = [
        Write::Payload { layout, len, byte: 5 },
        replace(&PLAN_REVISION, 0, Stage::Fields, 6),
        close(Stage::State),
        append(&PLAN, 7),
        replace(&PLAN_ITEM, 0, Stage::Commit, 8),
    ];
    let compound = vec![blob("inner"), line("outer", Some(1))];
    vec![
        on_base("append", vec![raw(&[append(&PLAN_ITEM, 7)])]),
        on_base(
            "append-two",
            vec![raw(&[append(&PLAN_ITEM, 7)]), raw(&[append(&PLAN_ITEM, 8)])],
        ),
        on_base("replace", vec![raw(&[replace(&PLAN_ITEM, 1, Stage::Commit, 7)])]),
        on_base("state-last", vec![raw(&[close(Stage::Commit)])]),
        on_base(
            "state-before-commit",
            vec![raw(&[close(Stage::State), append(&PLAN_ITEM, 9)])],
        ),
        on_base("every-stage", vec![raw(&every_stage)]),
        on_base("compound", vec![Step::Compound(compound)]),
    ]
}

fn objects_and_snapshots() -> Vec<Workload> {
    let blobs = vec![blob("some content"), blob("other content"), blob("")];
    let directories = vec![
        blob("below"),
        directory(&[("b", Target::Executable(2))]),
        directory(&[("d", Target::Directory(3)), ("l", Target::Symlink(0))]),
    ];
    vec![
        on_base("object-put", vec![Step::Objects(blobs)]),
        on_base("directory-put", vec![Step::Objects(directories)]),
        on_base("snapshot-create", vec![workflow(snapshot(1, 13, &[1, 0], "a merge"))]),
    ]
}

fn lines() -> Vec<Workload> {
    let (line_0, expected, head) = (0, Some(0), Some(1));
    let moved = Operation::MoveHead {
        line: line_0,
        expected,
        head,
    };
    let renamed = Operation::RenameLine {
        line: line_0,
        name: text("trunk"),
    };
    let archived = workflow(Operation::ArchiveLine(0));
    let deleted = workflow(Operation::DeleteLine(0));
    vec![
        on_base("line-create", vec![workflow(line("topic", None))]),
        on_base("line-move-rename", vec![workflow(moved), workflow(renamed)]),
        on_base("line-archive-delete", vec![archived, deleted]),
        on_base("close", vec![workflow(line("topic", None)), Step::Close]),
    ]
}

fn tags() -> Vec<Workload> {
    let replaced = Operation::ReplaceTag {
        name: text("v1"),
        snapshot: 1,
        message: None,
    };
    let deleted = || workflow(Operation::DeleteTag(0));
    vec![
        on_base("tag-create-delete", vec![workflow(tag("v2", 1, None)), deleted()]),
        on_base(
            "tag-replace-recreate",
            vec![workflow(replaced), deleted(), workflow(tag("v1", 1, None))],
        ),
    ]
}

/// Several operations of one transaction, each seeing those before it.
fn group() -> Workload {
    let moved = Operation::MoveHead {
        line: 1,
        expected: Some(1),
        head: Some(0),
    };
    let renamed = Operation::RenameLine {
        line: 0,
        name: text("two"),
    };
    let operations = vec![
        line("one", Some(1)),
        moved,
        renamed,
        tag("v3", 0, Some("")),
        snapshot(1, 14, &[1], "in a group"),
    ];
    on_base("group", vec![Step::Workflow(operations)])
}

/// The import of a small history: objects and Snapshots in batches, then Lines and Tags.
pub fn import() -> Workload {
    let first = directory(&[("a", Target::File(0))]);
    let second = directory(&[("a", Target::File(0)), ("b", Target::File(2))]);
    let merge = vec![snapshot(3, 22, &[0], "second"), snapshot(3, 23, &[1, 0], "merge")];
    let names = vec![
        line("main", Some(2)),
        line("topic", Some(1)),
        tag("v1", 2, Some("release")),
    ];
    Workload {
        name: "import".into(),
        setup: vec![Step::Create, Step::Close],
        steps: vec![
            Step::Objects(vec![blob("one"), first]),
            Step::Workflow(vec![snapshot(1, 21, &[], "first")]),
            Step::Objects(vec![blob("two"), second]),
            Step::Workflow(merge),
            Step::Workflow(names),
            Step::Close,
        ],
        probe: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;

    /// What is refused has nothing to show under cuts, so a workload that is not about refusals has none.
    #[test]
    fn everything_in_tier_1_is_done_but_what_is_there_to_be_refused() {
        for workload in tier_1() {
            let (name, setup) = (workload.name.clone(), workload.setup.len());
            let engine = Engine::new(workload);
            let answers = engine.answers();
            assert!(
                answers[..setup].iter().flatten().all(Result::is_ok),
                "the setup of {name}: {answers:?}"
            );
            let refused = answers[setup..]
                .iter()
                .flatten()
                .filter(|answer| answer.is_err())
                .count();
            let expected = match &*name {
                "workflow-group" => 3,
                "group-of-one" => 2,
                _ => 0,
            };
            assert_eq!(refused, expected, "{name}: {answers:?}");
        }
    }
}
