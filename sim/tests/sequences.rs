//! Any sequence of operations, also of ones that rules refuse: the engine answers what the model answers, and a reader
//! sees what the model has; so does one that opens the store after a power cut.

use std::path::Path;

use graven::format::Namespace;
use graven::vfs::fault::{CutPlan, FaultDisk};
use graven::{Store, UnixSeconds};
use graven_model::domain::{self, Entry, Operation, SnapshotKind, Target};
use graven_sim::engine::{STORE, answer, everything, options};
use proptest::prelude::*;

fn index() -> impl Strategy<Value = usize> {
    0_usize..4
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just(" main ".to_owned()),
        Just("main".to_owned()),
        Just("topic".to_owned())
    ]
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let target = (index(), 0..4).prop_map(|(object, kind)| match kind {
        0 => Target::File(object),
        1 => Target::Executable(object),
        2 => Target::Symlink(object),
        _ => Target::Directory(object),
    });
    let entry = (prop_oneof![Just("a"), Just("b"), Just("..")], target);
    let entry = entry.prop_map(|(name, target)| Entry {
        name: name.as_bytes().to_vec(),
        target,
    });
    prop::collection::vec(entry, 0..3)
}

fn tag() -> impl Strategy<Value = (String, usize, Option<String>)> {
    (
        name(),
        index(),
        prop::option::of(prop_oneof![Just(String::new()), Just("text".to_owned())]),
    )
}

fn snapshot() -> impl Strategy<Value = Operation> {
    let parts = (
        index(),
        0_u64..3,
        prop::collection::vec(index(), 0..3),
        prop::option::of(index()),
        name(),
    );
    parts.prop_map(
        |(root, created_at_s, parents, line, message)| Operation::CreateSnapshot {
            kind: SnapshotKind::Line,
            root,
            created_at_s,
            parents,
            line,
            message,
        },
    )
}

fn operation() -> impl Strategy<Value = Operation> {
    let head = || prop::option::of(index());
    prop_oneof![
        (0_u8..3).prop_map(|byte| Operation::PutBlob(vec![byte; usize::from(byte)])),
        entries().prop_map(Operation::PutDirectory),
        entries().prop_map(Operation::PutDirectory),
        snapshot(),
        snapshot(),
        index().prop_map(Operation::TombstoneSnapshot),
        (name(), head()).prop_map(|(name, head)| Operation::CreateLine { name, head }),
        (index(), name()).prop_map(|(line, name)| Operation::RenameLine { line, name }),
        (index(), head(), head()).prop_map(|(line, expected, head)| Operation::MoveHead { line, expected, head }),
        index().prop_map(Operation::ArchiveLine),
        index().prop_map(Operation::RestoreLine),
        index().prop_map(Operation::DeleteLine),
        tag().prop_map(|(name, snapshot, message)| Operation::CreateTag {
            name,
            snapshot,
            message
        }),
        tag().prop_map(|(name, snapshot, message)| Operation::ReplaceTag {
            name,
            snapshot,
            message
        }),
        index().prop_map(Operation::DeleteTag),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_answers_what_the_model_answers(operations in prop::collection::vec(operation(), 1..24)) {
        let disk = FaultDisk::new();
        let vfs = disk.process(1);
        let store = Store::create(Path::new(STORE), Namespace::default(), &options(&vfs, [1; 32])).unwrap();
        let mut model = domain::Store::default();
        for (at, operation) in operations.iter().enumerate() {
            let now_s = 1_000 + at as u64;
            let said = answer(&store, UnixSeconds(now_s), operation).unwrap();
            prop_assert_eq!(said, model.apply(now_s, operation), "{:?} (operation {})", operation, at);
        }
        prop_assert_eq!(everything(&store).unwrap(), model.describe());
        let cut = disk.cut(&CutPlan::all_lost()).unwrap();
        let store = Store::open(Path::new(STORE), &options(&cut.process(2), [2; 32])).unwrap();
        prop_assert_eq!(everything(&store).unwrap(), model.describe());
    }
}
