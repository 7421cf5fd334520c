//! Lands: every operation, and every rule broken once.

mod chains;
mod status;
mod submitting;
mod succeeding;
mod winning;

use graven::format::{Change, ChangeIndex, Land, LandIndex, LandMode, LineIndex, SnapshotIndex, TaskIndex};
use graven::{Error, NewLand, Txn, Workflow};

use crate::support::{NOW, TestStore};

const CREATED: u64 = NOW.0;
const LATER: u64 = CREATED + 100;
const SIZE: usize = 44;

/// A store with the Line `main`, its head, a Task and a Change of it.
struct Begun {
    store: TestStore,
    line: LineIndex,
    head: SnapshotIndex,
    task: TaskIndex,
    change: ChangeIndex,
}

fn begun() -> Begun {
    let store = TestStore::new();
    let head = store.snapshot("head");
    let line = store.line_at("main", head);
    let task = store.task("a task");
    let change = store.change(task, "a change");
    Begun {
        store,
        line,
        head,
        task,
        change,
    }
}

fn at(index: u32) -> LandIndex {
    LandIndex::new(index).unwrap()
}

fn onto(change: ChangeIndex, target_line: &str, mode: LandMode) -> NewLand<'_> {
    NewLand {
        change,
        target_line,
        mode,
    }
}

impl Begun {
    fn record(&self, land: LandIndex) -> Land {
        self.store
            .store
            .read(|view| Ok(*view.lands()?.get(land)?.record()))
            .unwrap()
    }

    fn change_record(&self, change: ChangeIndex) -> Change {
        self.store
            .store
            .read(|view| Ok(*view.changes()?.get(change)?.record()))
            .unwrap()
    }

    fn bytes(&self, land: LandIndex) -> Vec<u8> {
        self.store.record_bytes("land", SIZE, land.get())
    }

    fn head_of(&self, line: LineIndex) -> Option<SnapshotIndex> {
        self.store.store.read(|view| Ok(view.lines()?.get(line)?.head)).unwrap()
    }

    /// The winning Land of a Change, with the name of its target Line and the time at which it landed.
    fn landing(&self, change: ChangeIndex) -> Option<(LandIndex, String, u64)> {
        let landing = self.store.store.read(|view| {
            let Some(land) = view.changes()?.get(change)?.landing()? else {
                return Ok(None);
            };
            let landed_at = land.landed_at_s().map_or(0, |at| at.0);
            Ok(Some((land.index(), land.target_line_name()?, landed_at)))
        });
        landing.unwrap()
    }

    /// A queued Land of a Change onto the Line `main`.
    fn queued(&self, change: ChangeIndex) -> LandIndex {
        self.store
            .at(LATER, |txn| txn.submit_land(&crate::support::onto_main(change)))
            .unwrap()
    }

    /// A Land of the Change whose status is the one of that name.
    fn in_status(&self, status: &str) -> LandIndex {
        let land = self.queued(self.change);
        for (_, operation) in steps_to(status) {
            self.store.at(LATER, |txn| operation(txn, land)).unwrap();
        }
        assert_eq!(self.record(land).status.as_str(), status);
        land
    }
}

/// An operation that changes the status of a Land.
type Step = fn(&mut Txn<'_, Workflow>, LandIndex) -> Result<(), Error>;

/// What changes the status of a Land, by the status that follows. Success leaves the head where it is.
const STEPS: [(&str, Step); 6] = [
    ("running", |txn, land| txn.start_land(land)),
    ("updating", |txn, land| txn.begin_update(land)),
    ("blocked", |txn, land| {
        txn.block_land(land, graven::format::FailureKind::BaseStale)
    }),
    ("failed", |txn, land| {
        txn.fail_land(land, graven::format::FailureKind::Conflict)
    }),
    ("canceled", |txn, land| txn.cancel_land(land)),
    ("succeeded", |txn, land| {
        let line = txn.lands()?.get(land)?.target_line;
        let head = txn.lines()?.get(line)?.head;
        txn.succeed_land(land, head, head.unwrap())
    }),
];

/// The statuses of G35, assigned by us, with those that may follow each.
const GRAPH: [(&str, &[&str]); 7] = [
    ("queued", &["running", "canceled"]),
    ("running", &["succeeded", "blocked", "failed", "canceled", "updating"]),
    ("updating", &["succeeded", "failed"]),
    ("succeeded", &[]),
    ("blocked", &[]),
    ("failed", &[]),
    ("canceled", &[]),
];

/// The steps from queued to that status.
fn steps_to(status: &str) -> Vec<(&'static str, Step)> {
    let path: &[&str] = match status {
        "queued" => &[],
        "running" => &["running"],
        "canceled" => &["canceled"],
        "updating" => &["running", "updating"],
        "succeeded" => &["running", "updating", "succeeded"],
        "blocked" => &["running", "blocked"],
        "failed" => &["running", "failed"],
        _ => panic!("no status {status}"),
    };
    path.iter()
        .map(|name| *STEPS.iter().find(|(step, _)| step == name).unwrap())
        .collect()
}
