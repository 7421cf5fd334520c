//! AC25: opening another store took minutes after an unclean stop, looked hung, and was killed again.
//!
//! Here open is O(files) and recovery O(the bytes of one transaction): counted in calls and bytes on the fault disk, for
//! 1,000 to 100,000 records, clean and after a kill in the middle of a commit.

use graven::format::{Line, LineIndex, LineState, PayloadRange};
use graven::vfs::fault::{Effect, Fault, FaultDisk, Kinds};
use graven::{Error, Store};

use super::{LATER, NOW, PATH, empty_disk, on};

/// A chunk of records that is read at once; the first read of a larger family reads one whole chunk.
const CHUNK: u64 = 128 << 10;

/// A disk with a store of that many Lines.
fn disk_with_lines(count: u32) -> FaultDisk {
    let disk = empty_disk();
    let mut records = vec![1, 0, 0, 0];
    let mut names = vec![1, 0, 0, 0];
    for number in 0..count {
        let name = format!("line {number}");
        let line = Line {
            state: LineState::Live,
            name: PayloadRange::new(names.len() as u64, name.len() as u64).unwrap(),
            head: None,
            created_at_s: NOW,
            updated_at_s: NOW,
        };
        records.extend(line.encode().unwrap());
        names.extend(name.as_bytes());
    }
    disk.write_file("/s.graven/workflow/line.bin", &records).unwrap();
    disk.write_file("/s.graven/workflow/line_name_payload.bin", &names)
        .unwrap();
    disk.fork()
}

/// What opening and a first read cost on a fork of that disk: calls and bytes read.
fn open_and_read(disk: &FaultDisk) -> (u64, u64) {
    let disk = disk.fork();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let name = store
        .read(|view| view.lines()?.get(LineIndex::new(500).unwrap())?.name())
        .unwrap();
    assert_eq!(name, "line 500");
    (disk.counters().total(), disk.counters().bytes_read)
}

/// The same disk after a process was killed before the last sync of a rename.
fn killed_in_a_commit(disk: &FaultDisk) -> FaultDisk {
    let disk = disk.fork();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    disk.inject(Fault::nth(Kinds::Syncs, 3, Effect::Kill));
    let renamed: Result<_, Error> = store.write(LATER, |txn| txn.rename_line(LineIndex::new(7).unwrap(), "other"));
    renamed.unwrap_err();
    drop(store);
    disk.fork()
}

/// F-0.9: opening looks at files, not at records.
#[test]
fn ac25_open_and_first_read_cost_the_same_calls_for_a_thousand_and_a_hundred_thousand_records() {
    let costs: Vec<_> = [1_000, 10_000, 100_000]
        .map(disk_with_lines)
        .iter()
        .map(open_and_read)
        .collect();
    assert!(costs.iter().all(|(calls, _)| *calls == costs[0].0), "{costs:?}");
    assert!(
        costs.iter().all(|(_, bytes)| bytes.abs_diff(costs[0].1) <= CHUNK),
        "{costs:?}"
    );
}

#[test]
fn ac25_recovery_costs_the_same_calls_for_a_thousand_and_a_hundred_thousand_records() {
    let disks = [1_000, 10_000, 100_000].map(|count| killed_in_a_commit(&disk_with_lines(count)));
    let costs: Vec<_> = disks.iter().map(open_and_read).collect();
    assert!(costs.iter().all(|(calls, _)| *calls == costs[0].0), "{costs:?}");
    assert!(
        costs.iter().all(|(_, bytes)| bytes.abs_diff(costs[0].1) <= CHUNK),
        "{costs:?}"
    );
    let clean = open_and_read(&disk_with_lines(1_000));
    assert!(costs[0].0 > clean.0, "there was something to recover: {costs:?}");
}

#[test]
fn ac25_a_recovery_is_told() {
    let disk = killed_in_a_commit(&disk_with_lines(1_000));
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let report = store.open_report();
    assert!(
        report.recovered && report.rolled_back + report.completed == 1,
        "{report:?}"
    );
    assert_eq!(store.stats().workflow.recoveries, 1);
    drop(store);
    assert!(!Store::open(PATH, &on(&disk, 2)).unwrap().open_report().recovered);
}
