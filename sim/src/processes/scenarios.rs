//! The table of scenarios: who meets whom on one store.

use graven::disk::LockWait;
use graven_model::domain::{Operation, TaskOperation};

use super::scenario::{Act, Process, Scenario};
use crate::engine::Step;

fn line(name: &str) -> Operation {
    Operation::CreateLine {
        name: name.to_owned(),
        head: None,
    }
}

fn rename(line: usize, name: &str) -> Operation {
    let name = name.to_owned();
    Operation::RenameLine { line, name }
}

fn blob(content: &str) -> Operation {
    Operation::PutBlob(content.as_bytes().to_vec())
}

/// A store with an object, two Lines and a Task.
fn base() -> Vec<Step> {
    let task = TaskOperation::Create {
        title: "a task".to_owned(),
        intent: "an intent".to_owned(),
        planned: false,
    };
    vec![
        Step::Create,
        Step::Objects(vec![blob("first content")]),
        Step::Workflow(vec![line("main"), line("side"), Operation::Task(task)]),
        Step::Close,
    ]
}

fn write(operation: Operation) -> Act {
    Act::Write(vec![operation])
}

fn complete() -> Act {
    write(Operation::Task(TaskOperation::Complete(0)))
}

fn group(name: &str) -> Act {
    Act::Group(vec![line(name)])
}

/// A process with one thread that has the store open, and warm caches.
fn opened(acts: &[Act]) -> Process {
    Process {
        read_only: false,
        wait: LockWait::Block,
        opened: true,
        threads: vec![acts.to_vec()],
    }
}

/// A process with one thread that opens the store itself.
fn opening(acts: &[Act]) -> Process {
    Process {
        opened: false,
        ..opened(&[&[Act::Open], acts].concat())
    }
}

fn reader(acts: &[Act]) -> Process {
    Process {
        read_only: true,
        ..opened(acts)
    }
}

fn impatient(process: Process) -> Process {
    Process {
        wait: LockWait::TryOnce,
        ..process
    }
}

/// A process whose threads share a handle.
fn threads(threads: &[&[Act]]) -> Process {
    Process {
        threads: threads.iter().map(|acts| acts.to_vec()).collect(),
        ..opened(&[])
    }
}

fn scenario(name: &'static str, processes: Vec<Process>) -> Scenario {
    Scenario {
        name,
        setup: base(),
        processes,
        kills: false,
        failed_syncs: false,
    }
}

fn with_kills(name: &'static str, processes: Vec<Process>) -> Scenario {
    Scenario {
        kills: true,
        ..scenario(name, processes)
    }
}

/// Every scenario.
pub fn all() -> Vec<Scenario> {
    let mut all = writers();
    all.extend(readers());
    all.extend(openers());
    all.extend(groups());
    all
}

fn writers() -> Vec<Scenario> {
    let both = Act::Compound(vec![blob("of both roots"), line("of both roots")]);
    vec![
        scenario(
            "two-writers",
            vec![
                opened(&[write(line("a")), write(rename(0, "by a"))]),
                opened(&[write(rename(0, "by b")), write(line("b"))]),
            ],
        ),
        scenario(
            "same-name",
            vec![opened(&[write(line("x")), Act::ReadLines]), opened(&[write(line("x"))])],
        ),
        scenario(
            "three-writers",
            vec![
                opened(&[write(line("a"))]),
                opened(&[write(rename(0, "by b"))]),
                opened(&[write(line("c"))]),
            ],
        ),
        scenario(
            "objects-root",
            vec![
                opened(&[write(blob("a")), Act::Read]),
                opened(&[write(blob("b")), write(line("b"))]),
            ],
        ),
        with_kills(
            "both-roots",
            vec![
                opened(std::slice::from_ref(&both)),
                opened(&[write(blob("b")), write(line("b"))]),
            ],
        ),
        with_kills(
            "writer-dies",
            vec![opened(&[complete()]), opened(&[write(rename(0, "by b"))])],
        ),
        scenario(
            "busy",
            vec![
                impatient(opened(&[write(line("a")), Act::ReadLines])),
                impatient(opened(&[write(line("b"))])),
            ],
        ),
    ]
}

fn readers() -> Vec<Scenario> {
    let reads = || vec![Act::ReadLines, Act::ReadLines, Act::ReadLines];
    vec![
        scenario(
            "warm-reader",
            vec![
                reader(&reads()),
                opened(&[write(rename(0, "new")), write(line("another"))]),
            ],
        ),
        scenario(
            "whole-reader",
            vec![
                reader(&[Act::Read, Act::Read]),
                opened(&[complete(), write(blob("new"))]),
            ],
        ),
        scenario(
            "both-roots-read",
            vec![
                reader(&[Act::Read]),
                opened(&[Act::Compound(vec![blob("new"), line("new")])]),
            ],
        ),
        with_kills(
            "reader-beside-the-dead",
            vec![opened(&[write(rename(0, "new"))]), reader(&reads())],
        ),
        with_kills(
            "writer-beside-the-dead",
            vec![
                opened(&[complete()]),
                opened(&[Act::ReadLines, write(line("b"))]),
                reader(&[Act::ReadLines]),
            ],
        ),
        Scenario {
            failed_syncs: true,
            ..scenario(
                "reader-beside-a-failure",
                vec![opened(&[write(rename(0, "new"))]), reader(&reads())],
            )
        },
        scenario(
            "readers-and-a-writer",
            vec![reader(&reads()), opened(&[write(rename(0, "new"))]), reader(&reads())],
        ),
        scenario(
            "threads-and-a-writer",
            vec![
                threads(&[&[Act::ReadLines, Act::ReadLines], &[Act::ReadLines, write(line("a"))]]),
                opened(&[write(rename(0, "new"))]),
            ],
        ),
    ]
}

fn openers() -> Vec<Scenario> {
    let create = |acts: &[Act]| Process {
        opened: false,
        ..opened(&[&[Act::Create], acts].concat())
    };
    vec![
        with_kills(
            "two-recover",
            vec![
                opened(&[complete()]),
                opening(&[Act::ReadLines]),
                opening(&[write(line("c"))]),
            ],
        ),
        Scenario {
            setup: Vec::new(),
            ..with_kills(
                "two-create",
                vec![create(&[write(line("a"))]), create(&[write(line("b"))])],
            )
        },
        Scenario {
            setup: Vec::new(),
            ..scenario(
                "opened-while-created",
                vec![create(&[Act::Close]), opening(&[Act::Read])],
            )
        },
        scenario(
            "closed-beside-a-writer",
            vec![
                opened(&[write(line("a")), Act::Close]),
                opened(&[write(line("b")), Act::Close]),
            ],
        ),
    ]
}

fn groups() -> Vec<Scenario> {
    let members = || threads(&[&[group("a")], &[group("b")], &[group("c")]]);
    vec![
        scenario("group", vec![members()]),
        scenario(
            "group-and-a-reader",
            vec![members(), reader(&[Act::ReadLines, Act::ReadLines])],
        ),
        scenario(
            "group-and-a-writer",
            vec![
                threads(&[&[group("a")], &[group("x")], &[group("c")]]),
                opened(&[write(line("x"))]),
            ],
        ),
        with_kills("group-dies", vec![members(), reader(&[Act::ReadLines])]),
        Scenario {
            failed_syncs: true,
            ..scenario("group-fails", vec![members(), opened(&[Act::ReadLines])])
        },
    ]
}
