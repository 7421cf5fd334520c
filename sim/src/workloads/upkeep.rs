//! Tier 1 of what is no operation of a record: index files, streamed payload, writes that are taken back, a store where
//! something stands already, an undo that is retired or lost.

use graven::format::{PLAN, PLAN_ITEM, PLAN_REVISION};
use graven::store::Stage;

use super::{append, blob, line, on_base, raw, replace, setup, workflow};
use crate::engine::{Step, Workload, Write};

/// What a refused operation has written by then: payload, a new record, two patches of what is there.
const REFUSED: &[Write] = &[
    Write::Payload {
        layout: &PLAN,
        len: 9,
        byte: 0xaa,
    },
    append(&PLAN, 0xab),
    replace(&PLAN_REVISION, 0, Stage::Fields, 0xac),
    replace(&PLAN_ITEM, 1, Stage::Commit, 0xad),
];

/// The workloads.
pub fn workloads() -> Vec<Workload> {
    let (layout, byte) = (&PLAN, 3);
    let streamed = [Write::Streamed { layout, len: 20, byte }, append(&PLAN, 4)];
    let taken_back = [
        Write::Payload { layout, len: 5, byte },
        replace(&PLAN_ITEM, 1, Stage::Commit, 6),
        Write::TakenBack(REFUSED),
        append(&PLAN, 7),
    ];
    // What is put again is found by the file; what is new is not in it.
    let again = vec![blob("to be found"), blob("first content"), blob("not to be found")];
    let grouped = vec![line("one", Some(1)), line("main", None), line("two", None)];
    let refused_at_first = vec![line("main", None)];
    vec![
        on_base("streamed", vec![raw(&streamed)]),
        on_base("taken-back", vec![raw(&taken_back)]),
        on_base(
            "indexes",
            vec![
                Step::Objects(vec![blob("to be found")]),
                Step::Indexes,
                Step::Objects(again),
            ],
        ),
        on_base(
            "group-of-one",
            vec![Step::Group(grouped), Step::Group(refused_at_first)],
        ),
        on_base("create-again", vec![Step::CreateAgain, workflow(line("topic", None))]),
        Workload {
            name: "create-over-empty".into(),
            setup: vec![Step::Directory],
            steps: vec![Step::Create],
            probe: Vec::new(),
        },
        on_base("retire", vec![Step::Retire, workflow(line("topic", None))]),
        restock(),
    ]
}

/// A store whose recovery store a foreign hand has removed.
fn restock() -> Workload {
    let mut setup = setup();
    setup.push(Step::LoseUndo);
    Workload {
        name: "restock".into(),
        setup,
        steps: vec![Step::Restock, workflow(line("topic", None))],
        probe: Vec::new(),
    }
}
