//! Any sequence of operations, also of ones that rules refuse: the engine answers what the model answers, a reader sees
//! what the model has, what is refused leaves no trace, and `verify` finds nothing.

use std::collections::BTreeMap;
use std::path::Path;

use graven::format::Namespace;
use graven::vfs::fault::{CutPlan, FaultDisk};
use graven::{Flow, Store, UnixSeconds, verify};
use graven_model::domain::{self, ChangeOperation, LandMode, LandOperation, Operation, Refusal, SnapshotKind};
use graven_sim::engine::{STORE, Step, answer, answers, everything, options};
use graven_sim::workloads::setup;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

#[path = "sequences/events.rs"]
mod events;
use events::{Event, Time, event, resolved};

/// A store on a disk of its own, with what the model has.
struct Run {
    disk: FaultDisk,
    store: Option<Store>,
    model: domain::Store,
    opened: u8,
    now_s: u64,
}

impl Run {
    fn new() -> Self {
        let disk = FaultDisk::new();
        let vfs = disk.process(1);
        let store = Store::create(Path::new(STORE), Namespace::default(), &options(&vfs, [1; 32])).unwrap();
        let (store, model, opened, now_s) = (Some(store), domain::Store::default(), 1, 1_000);
        Self {
            disk,
            store,
            model,
            opened,
            now_s,
        }
    }

    /// A store in which every operation has something to do.
    fn with_something_in_it() -> Self {
        let mut run = Self::new();
        for step in setup() {
            if let Step::Objects(operations) | Step::Workflow(operations) = step {
                run.together(&operations, Time::Now).unwrap();
            }
        }
        run
    }

    fn store(&mut self) -> Store {
        if self.store.is_none() {
            self.opened += 1;
            let vfs = self.disk.process(self.opened.into());
            let store = Store::open(Path::new(STORE), &options(&vfs, [self.opened; 32])).unwrap();
            self.store = Some(store);
        }
        self.store.clone().unwrap()
    }

    /// Every byte of the store but those of the lock files, which say who held them last.
    fn bytes(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.disk.files();
        files.retain(|path, _| !path.ends_with(".lock"));
        files
    }

    fn time(&mut self, time: Time) -> u64 {
        self.now_s += 10;
        match time {
            Time::Now => self.now_s,
            Time::Earlier(by_s) => self.now_s - by_s,
            Time::Zero => 0,
        }
    }

    fn happens(&mut self, event: &Event) -> TestCaseResult {
        match event {
            Event::Alone(operation, time) => self.alone(operation, *time),
            Event::Together(operations, time) => self.together(operations, *time),
            Event::Reopen => {
                self.store().close().unwrap();
                self.store = None;
                self.sees_everything()
            }
            Event::Cut => {
                self.store = None;
                self.disk = self.disk.cut(&CutPlan::all_lost()).unwrap();
                self.sees_everything()
            }
        }
    }

    fn alone(&mut self, operation: &Operation, time: Time) -> TestCaseResult {
        let (store, now_s) = (self.store(), self.time(time));
        let (bytes, model) = (self.bytes(), self.model.clone());
        let operation = &resolved(&model, operation);
        let said = answer(&store, UnixSeconds(now_s), operation).unwrap();
        prop_assert_eq!(said, self.model.apply(now_s, operation), "{:?} at {}", operation, now_s);
        if self.model == model {
            prop_assert_eq!(&self.bytes(), &bytes, "{:?} answered {:?} and wrote", operation, said);
            self.sees_everything()?;
        }
        Ok(())
    }

    fn together(&mut self, operations: &[Operation], time: Time) -> TestCaseResult {
        let (store, now_s) = (self.store(), self.time(time));
        if now_s == 0 {
            return Ok(());
        }
        let (bytes, model) = (self.bytes(), self.model.clone());
        let operations: Vec<_> = operations.iter().map(|operation| resolved(&model, operation)).collect();
        let said = answers(&store, UnixSeconds(now_s), &operations).unwrap();
        for (operation, said) in operations.iter().zip(said) {
            prop_assert_eq!(
                said,
                self.model.apply(now_s, operation),
                "{:?} of {:?}",
                operation,
                operations
            );
        }
        if self.model == model {
            prop_assert_eq!(&self.bytes(), &bytes, "{:?} wrote", operations);
        }
        Ok(())
    }

    fn sees_everything(&mut self) -> TestCaseResult {
        prop_assert_eq!(everything(&self.store()).unwrap(), self.model.describe());
        Ok(())
    }

    fn verifies(&mut self) -> TestCaseResult {
        self.store().close().unwrap();
        self.store = None;
        let vfs = self.disk.process(200);
        let verified = verify(Path::new(STORE), &options(&vfs, [200; 32]), true, |_| Flow::Continue).unwrap();
        let found: Vec<_> = verified.findings.iter().filter(|finding| !finding.is_note()).collect();
        prop_assert!(found.is_empty(), "{:?}", found);
        Ok(())
    }

    fn run(mut self, events: &[Event]) -> TestCaseResult {
        for event in events {
            self.happens(event)?;
        }
        self.sees_everything()?;
        self.happens(&Event::Cut)?;
        self.verifies()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_answers_what_the_model_answers(events in prop::collection::vec(event(), 1..40)) {
        Run::new().run(&events)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 72, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_answers_what_the_model_answers_where_there_is_something(
        events in prop::collection::vec(event(), 1..40)
    ) {
        Run::with_something_in_it().run(&events)?;
    }
}

/// W-CHANGE-58, W-LAND-44: ordinals end at 64 in the engine as in the model, also within one transaction.
#[test]
fn the_65th_change_of_a_task_and_the_65th_land_of_a_change_are_refused() {
    let (task, title, base_line) = (1, "more".to_owned(), "main".to_owned());
    let change = Operation::Change(ChangeOperation::Create { task, title, base_line });
    let (change_0, target_line, mode) = (0, "main".to_owned(), LandMode::Direct);
    let submit = Operation::Land(LandOperation::Submit {
        change: change_0,
        target_line,
        mode,
    });
    for operation in [change, submit] {
        let mut run = Run::with_something_in_it();
        run.together(&vec![operation.clone(); 65], Time::Now).unwrap();
        let exhausted = Err(Refusal::Exhausted(64));
        assert_eq!(run.model.clone().apply(run.now_s, &operation), exhausted);
        run.run(&[Event::Alone(operation, Time::Now)]).unwrap();
    }
}

/// W-CHANGE-06, W-CHANGE-31, W-LAND-23, W-LAND-24: what a chance sequence hardly comes to.
#[test]
fn what_is_in_use_stays_and_no_ordinal_is_published_twice() {
    let publish = |change, remote| Operation::Change(ChangeOperation::Publish { change, remote });
    let root = |created_at_s| Operation::CreateSnapshot {
        kind: SnapshotKind::Line,
        root: 1,
        created_at_s,
        parents: Vec::new(),
        line: None,
        message: String::new(),
    };
    let name = "own".to_owned();
    let head = Some(6);
    let change = ChangeOperation::Create {
        task: 1,
        title: "a change".to_owned(),
        base_line: name.clone(),
    };
    let land = |expected, landed| {
        Operation::Land(LandOperation::Land {
            change: 3,
            target_line: "own".to_owned(),
            mode: LandMode::Direct,
            expected: Some(expected),
            landed,
        })
    };
    let operations = [
        publish(0, 5),
        publish(1, 5),
        root(80),
        root(81),
        root(82),
        Operation::CreateLine { name, head },
        Operation::Change(change),
        land(6, 7),
        land(7, 8),
        Operation::DeleteLine(3),
        Operation::TombstoneSnapshot(6),
        Operation::TombstoneSnapshot(7),
        Operation::TombstoneSnapshot(8),
    ];
    let mut run = Run::with_something_in_it();
    let mut refusals = Vec::new();
    for operation in &operations {
        refusals.extend(run.model.clone().apply(1_000_000, operation).err());
        run.alone(operation, Time::Now).unwrap();
    }
    let expected = [
        Refusal::Conflict("W-CHANGE-06"),
        Refusal::Refused("W-CHANGE-31"),
        Refusal::Refused("W-LAND-24"),
        Refusal::Refused("W-LAND-24"),
    ];
    assert_eq!(refusals, expected);
    run.run(&[]).unwrap();
}
