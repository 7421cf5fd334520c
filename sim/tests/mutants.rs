//! The mutants of the disk: the broken disk breaks what it says and nothing else, and the judges notice it.

use std::path::Path;
use std::sync::Arc;

use graven::vfs::fault::{CutPlan, FaultDisk, OperationKind};
use graven::vfs::{Mode, Vfs, write_all_at};
use graven_sim::engine::Engine;
use graven_sim::explore::Limits;
use graven_sim::mutants::disk::{Break, Broken};
use graven_sim::mutants::equivalent::explain;
use graven_sim::mutants::{REFERENCE, judge, mutants_of};
use graven_sim::workloads::tier_1;

/// Two files, each written and synced, then their directory: the calls 1 to 7.
fn two_files(broken: Break) -> FaultDisk {
    let disk = FaultDisk::new();
    disk.record_trace(true);
    let vfs: Arc<dyn Vfs> = Arc::new(Broken::new(disk.process(1), broken));
    let directory = vfs.open_directory(Path::new("/")).expect("the root");
    for name in [b"a", b"b"] {
        let file = directory.create_file(name, Mode::Private).expect("a file");
        write_all_at(&*file, 0, name).expect("a write");
        file.sync_data().expect("a sync");
    }
    directory.sync().expect("a sync");
    disk
}

fn after_a_cut(broken: Break) -> Vec<(String, Vec<u8>)> {
    let disk = two_files(broken)
        .cut(&CutPlan::all_lost())
        .expect("a plan of no operation");
    disk.files().into_iter().collect()
}

fn files(expected: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let owned = |(path, bytes): &(&str, &str)| ((*path).to_owned(), bytes.as_bytes().to_vec());
    expected.iter().map(owned).collect()
}

#[test]
fn a_dropped_sync_makes_nothing_durable_and_the_others_do() {
    assert_eq!(after_a_cut(Break::Nothing), files(&[("/a", "a"), ("/b", "b")]));
    assert_eq!(after_a_cut(Break::Drop(3)), files(&[("/a", ""), ("/b", "b")]));
    assert_eq!(after_a_cut(Break::DropBoth(3, 6)), files(&[("/a", ""), ("/b", "")]));
    assert_eq!(after_a_cut(Break::Drop(7)), files(&[]));
    // A write is not a sync.
    assert_eq!(after_a_cut(Break::Drop(2)), files(&[("/a", "a"), ("/b", "b")]));
}

#[test]
fn two_calls_change_places_and_no_others() {
    let kinds = |broken| {
        let trace = two_files(broken).trace();
        let changes = trace.iter().filter(|entry| entry.kind.changes());
        changes.map(|entry| entry.kind).collect::<Vec<_>>()
    };
    let mut expected = kinds(Break::Nothing);
    assert_eq!(expected[1..3], [OperationKind::Write, OperationKind::SyncData]);
    expected.swap(1, 2);
    assert_eq!(kinds(Break::Swap(2)), expected);
    assert_eq!(after_a_cut(Break::Swap(2)), files(&[("/a", ""), ("/b", "b")]));
}

#[test]
fn every_broken_promise_under_an_append_is_noticed_or_explained_and_a_true_disk_is_not() {
    let workload = tier_1().into_iter().find(|workload| workload.name == "append");
    let engine = Engine::new(workload.expect("tier 1 has it"));
    let limits = Limits {
        most_distinct: 60,
        ..Limits::default()
    };
    let mutants = mutants_of("append", &engine, limits).expect("it runs");
    assert!(mutants.len() > 5, "{} mutants", mutants.len());
    for mutant in mutants {
        let verdict = judge(&engine, &mutant, limits);
        let is_true = mutant.broken == Break::Nothing || explain(&mutant).is_some();
        assert_eq!(verdict.finding.is_none(), is_true, "{mutant}: {:?}", verdict.finding);
    }
}

#[test]
fn every_reference_workload_is_there_and_each_of_its_syncs_is_dropped() {
    for name in REFERENCE {
        let workload = tier_1().into_iter().find(|workload| workload.name == name);
        let engine = Engine::new(workload.expect("tier 1 has it"));
        let mutants = mutants_of(name, &engine, Limits::coarse()).expect("it runs");
        let dropped = mutants
            .iter()
            .filter(|mutant| matches!(mutant.broken, Break::Drop(_)))
            .count();
        let syncs = mutants[0].trace.iter().filter(|call| call.kind.is_sync()).count();
        assert!(dropped == syncs && syncs >= 2, "{name}: {dropped} of {syncs}");
    }
}
