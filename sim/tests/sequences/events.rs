//! Any operation, with arguments that make sense and such that make none, and what may lie between two of them.

use graven_model::domain::{
    ArchiveCause, ChangeOperation, Entry, FailureKind, LandMode, LandOperation, Operation, SnapshotKind,
    StashOperation, Store, Target, TaskOperation,
};
use proptest::prelude::*;

/// What happens to a store.
#[derive(Clone, Debug)]
pub enum Event {
    /// One operation in a transaction of its own.
    Alone(Operation, Time),
    /// Operations of the workflow root in one transaction.
    Together(Vec<Operation>, Time),
    /// The store is closed and opened again.
    Reopen,
    /// The process dies and the power goes, with everything that is not durable.
    Cut,
}

/// At what time.
#[derive(Clone, Copy, Debug)]
pub enum Time {
    /// Later than everything before.
    Now,
    /// So many seconds earlier than that.
    Earlier(u64),
    /// At time 0.
    Zero,
}

pub fn event() -> BoxedStrategy<Event> {
    prop_oneof![
        16 => (operation(), time()).prop_map(|(operation, time)| Event::Alone(operation, time)),
        3 => (prop::collection::vec(of_workflow(), 1..6), time())
            .prop_map(|(operations, time)| Event::Together(operations, time)),
        1 => Just(Event::Reopen),
        1 => Just(Event::Cut),
    ]
    .boxed()
}

fn time() -> BoxedStrategy<Time> {
    prop_oneof![
        30 => Just(Time::Now),
        4 => (1_u64..80).prop_map(Time::Earlier),
        1 => Just(Time::Zero),
    ]
    .boxed()
}

fn index() -> impl Strategy<Value = usize> {
    prop_oneof![20 => 0_usize..4, 3 => 5_usize..9, 1 => Just(u32::MAX as usize - 1)]
}

fn name() -> impl Strategy<Value = String> {
    const NAMES: &[&str] = &["", " \t", "Main", "topic", "topic", " main "];
    prop_oneof![3 => Just("main"), 2 => prop::sample::select(NAMES)].prop_map(str::to_owned)
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
        prop_oneof![2 => Just(SnapshotKind::Line), 1 => Just(SnapshotKind::Stash)],
        index(),
        0_u64..3,
        prop::collection::vec(index(), 0..3),
        prop::option::of(index()),
        name(),
    );
    parts.prop_map(
        |(kind, root, created_at_s, parents, line, message)| Operation::CreateSnapshot {
            kind,
            root,
            created_at_s,
            parents,
            line,
            message,
        },
    )
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        1 => (0_u8..3).prop_map(|byte| Operation::PutBlob(vec![byte; usize::from(byte)])),
        3 => entries().prop_map(Operation::PutDirectory),
        30 => of_workflow(),
    ]
    .boxed()
}

fn of_workflow() -> BoxedStrategy<Operation> {
    prop_oneof![
        4 => of_content(),
        2 => of_task().prop_map(Operation::Task),
        3 => of_change().prop_map(Operation::Change),
        6 => of_land().prop_map(Operation::Land),
        2 => of_stash().prop_map(Operation::Stash),
    ]
    .boxed()
}

fn head() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![5 => Just(Some(AS_IT_IS)), 1 => Just(None), 2 => (0_usize..5).prop_map(Some)]
}

/// In place of an expected head: the one that the Line has.
const AS_IT_IS: usize = usize::MAX;

/// The operation with the head that its Line has, where it expects that.
pub fn resolved(store: &Store, operation: &Operation) -> Operation {
    let mut operation = operation.clone();
    let of_line = |line: usize| store.lines.get(line).and_then(|line| line.head);
    let named = |name: &str| store.lines.iter().position(|line| line.name == name.trim_ascii());
    let (line, expected) = match &mut operation {
        Operation::MoveHead { line, expected, .. } => (Some(*line), expected),
        Operation::CreateLine { head, .. } => (Some(0), head),
        Operation::Land(LandOperation::Succeed { land, expected, .. }) => {
            (store.lands.get(*land).map(|land| land.target_line), expected)
        }
        Operation::Land(LandOperation::Land {
            target_line, expected, ..
        }) => (named(target_line), expected),
        Operation::Land(LandOperation::Record { line, fork, .. }) => (Some(*line), fork),
        _ => return operation,
    };
    if *expected == Some(AS_IT_IS) {
        *expected = line.and_then(of_line);
    }
    operation
}

fn of_content() -> BoxedStrategy<Operation> {
    prop_oneof![
        3 => snapshot(),
        2 => index().prop_map(Operation::TombstoneSnapshot),
        2 => (name(), head()).prop_map(|(name, head)| Operation::CreateLine { name, head }),
        1 => (index(), name()).prop_map(|(line, name)| Operation::RenameLine { line, name }),
        2 => (index(), head(), prop::option::of(0_usize..5)).prop_map(|(line, expected, head)| Operation::MoveHead { line, expected, head }),
        1 => index().prop_map(Operation::ArchiveLine),
        2 => index().prop_map(Operation::RestoreLine),
        1 => index().prop_map(Operation::DeleteLine),
        1 => tag().prop_map(|(name, snapshot, message)| Operation::CreateTag { name, snapshot, message }),
        1 => tag().prop_map(|(name, snapshot, message)| Operation::ReplaceTag { name, snapshot, message }),
        1 => index().prop_map(Operation::DeleteTag),
    ]
    .boxed()
}

/// A title or an intent.
fn words() -> impl Strategy<Value = String> {
    let short = prop::sample::select(&["", " \n", "a", "b", "c", "d", " two words\t", "\u{e9}\u{a0}"][..]);
    let short = short.prop_map(str::to_owned);
    let long = prop::sample::select(&[40_000_usize, 65_532, 65_536][..]).prop_map(|len| "x".repeat(len));
    prop_oneof![40 => short, 1 => long]
}

fn of_task() -> BoxedStrategy<TaskOperation> {
    prop_oneof![
        3 => (words(), words(), any::<bool>())
            .prop_map(|(title, intent, planned)| TaskOperation::Create { title, intent, planned }),
        1 => index().prop_map(TaskOperation::Complete),
        1 => index().prop_map(TaskOperation::Cancel),
        1 => index().prop_map(TaskOperation::Abandon),
        2 => (index(), 0_usize..3).prop_map(|(task, remote)| TaskOperation::Publish { task, remote }),
    ]
    .boxed()
}

fn of_change() -> impl Strategy<Value = ChangeOperation> {
    const CAUSES: &[ArchiveCause] = &[ArchiveCause::Plain, ArchiveCause::Canceled, ArchiveCause::Superseded];
    let ordinal = prop_oneof![0_usize..3, Just(63_usize)];
    prop_oneof![
        3 => (index(), words(), name())
            .prop_map(|(task, title, base_line)| ChangeOperation::Create { task, title, base_line }),
        1 => (index(), prop::sample::select(CAUSES))
            .prop_map(|(change, cause)| ChangeOperation::Archive { change, cause }),
        2 => index().prop_map(ChangeOperation::Reopen),
        1 => (index(), ordinal).prop_map(|(change, remote)| ChangeOperation::Publish { change, remote }),
    ]
}

fn mode() -> impl Strategy<Value = LandMode> {
    prop::sample::select(&[LandMode::Direct, LandMode::Merge, LandMode::FastForwardOnly][..])
}

fn of_land() -> impl Strategy<Value = LandOperation> {
    const KINDS: &[FailureKind] = &[
        FailureKind::BaseStale,
        FailureKind::PolicyBlocked,
        FailureKind::ReviewBlocked,
        FailureKind::CiBlocked,
        FailureKind::Conflict,
        FailureKind::TargetUpdateFailed,
        FailureKind::InternalError,
    ];
    let failing = || (index(), prop::sample::select(KINDS).boxed());
    prop_oneof![
        3 => (index(), name(), mode())
            .prop_map(|(change, target_line, mode)| LandOperation::Submit { change, target_line, mode }),
        3 => index().prop_map(LandOperation::Start),
        2 => index().prop_map(LandOperation::BeginUpdate),
        1 => failing().prop_map(|(land, why)| LandOperation::Block { land, why }),
        1 => failing().prop_map(|(land, why)| LandOperation::Fail { land, why }),
        1 => index().prop_map(LandOperation::Cancel),
        3 => (index(), head(), index())
            .prop_map(|(land, expected, landed)| LandOperation::Succeed { land, expected, landed }),
        2 => (index(), name(), mode(), head(), index()).prop_map(|(change, target_line, mode, expected, landed)| {
            LandOperation::Land { change, target_line, mode, expected, landed }
        }),
        1 => (words(), words(), index(), head(), index(), mode()).prop_map(
            |(title, intent, line, fork, landed, mode)| {
                LandOperation::Record { title, intent, line, fork, landed, mode }
            },
        ),
    ]
}

fn of_stash() -> BoxedStrategy<StashOperation> {
    prop_oneof![
        (index(), any::<bool>()).prop_map(|(snapshot, workspace_cleared)| StashOperation::Save {
            snapshot,
            workspace_cleared
        }),
        index().prop_map(StashOperation::Drop),
    ]
    .boxed()
}
