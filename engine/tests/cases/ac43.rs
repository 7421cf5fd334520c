//! AC43: a store whose core was proven lost data in the thin, unproven layer between it and the operating system. AC37: the
//! sync of other stores did not reach the medium, or was never called.
//!
//! Here the calls of a real process are traced and compared with what the fault disk records, on which all else is proven.

use std::path::Path;
use std::process::{Command, Stdio};

use graven::Store;
use graven::vfs::fault::{FaultDisk, OperationKind, Outcome};

use super::support::{change, create_sample};
use super::{PATH, on, options};

/// Where the path of the store stands for the test binary that is started again as another process.
const STORE_OF_CHILD: &str = "GRAVEN_TEST_STORE_OF_TRACED_CHILD";

/// The directory in which the store stands.
const PARENT: &str = "..";

/// Set where a machine without `strace` must not pass.
const STRACE: &str = "GRAVEN_STRACE";

const CALLS: &str = "pwrite64,pwritev,pwritev2,write,writev,ftruncate,fallocate,fdatasync,fsync,sync_file_range,msync,\
                     rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,flock";

/// A payload, an append, overwritten records; then index files, which are installed aside.
fn work(store: &Store) {
    change(store, "another").unwrap();
    change(store, "and another").unwrap();
    store.write_indexes().unwrap();
    store.sync_spent().unwrap();
}

#[test]
fn ac43_the_other_process_of_this_case() {
    let Some(path) = std::env::var_os(STORE_OF_CHILD) else {
        return;
    };
    work(&Store::open(path, &options()).unwrap());
}

/// One call as a line: what was called, the file below the store, the numbers that matter, and whether it failed.
fn line(kind: OperationKind, file: &str, numbers: &[u64], failed: bool) -> String {
    format!("{kind:?} {file} {numbers:?}{}", if failed { " fails" } else { "" })
}

/// The calls of an open and of [`work`] that the fault disk records.
fn on_the_fault_disk() -> Vec<String> {
    let disk = FaultDisk::new();
    create_sample(PATH.as_ref(), &on(&disk, 1)).unwrap().close().unwrap();
    disk.record_trace(true);
    let store = Store::open(PATH, &on(&disk, 2)).unwrap();
    work(&store);
    drop(store);
    let calls = disk.trace().into_iter().filter_map(|call| {
        let failed = !matches!(call.outcome, Outcome::Done(_));
        let below = |path: &str| path.strip_prefix(PATH).unwrap_or(PARENT).to_string();
        let file = below(&call.path);
        let numbers = match call.kind {
            OperationKind::Write | OperationKind::Reserve => vec![call.offset, call.len],
            OperationKind::SetLen => vec![call.offset],
            OperationKind::Rename | OperationKind::RenameNew => {
                return Some(line(
                    call.kind,
                    &format!("{file} {}", below(call.to.as_deref()?)),
                    &[],
                    failed,
                ));
            }
            OperationKind::SyncData
            | OperationKind::SyncDirectory
            | OperationKind::RemoveFile
            | OperationKind::RemoveDirectory
            | OperationKind::CreateDirectory
            | OperationKind::Lock
            | OperationKind::Unlock => vec![],
            _ => return None,
        };
        Some(line(call.kind, &file, &numbers, failed))
    });
    calls.collect()
}

/// The calls of an open and of [`work`] in a real process; `None` where no process may be traced here.
fn on_this_machine() -> Option<Vec<String>> {
    let traces = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    if !traces.is_ok_and(|status| status.success()) {
        assert!(
            std::env::var_os(STRACE).is_none(),
            "{STRACE} is set, and strace does not work"
        );
        eprintln!("skipped: strace does not work here");
        return None;
    }
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().canonicalize().unwrap().join("s");
    create_sample(&path, &options()).unwrap().close().unwrap();
    let trace = parent.path().join("trace");
    let status = Command::new("strace")
        .args(["-f", "-y", "-qq", "-s", "0", "-e", &format!("trace={CALLS}"), "-o"])
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "ac43::ac43_the_other_process_of_this_case",
            "--test-threads=1",
        ])
        .env(STORE_OF_CHILD, &path)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "the traced process");
    let text = std::fs::read_to_string(&trace).unwrap();
    Some(
        whole_calls(&text)
            .iter()
            .filter_map(|text| traced(text, &path))
            .collect(),
    )
}

/// The calls of a trace, each in one line where it ended: a call of one thread that another's came between is in two.
fn whole_calls(text: &str) -> Vec<String> {
    let mut begun = std::collections::BTreeMap::new();
    let mut whole = Vec::new();
    for line in text.lines() {
        let thread = line.split(' ').next().unwrap_or_default();
        if let Some(begins) = line.strip_suffix(" <unfinished ...>") {
            begun.insert(thread, begins);
        } else if let Some((_, ends)) = line.split_once(" resumed>") {
            let begins = begun.remove(thread).unwrap();
            whole.push(format!("{begins}{ends}"));
        } else {
            whole.push(line.to_owned());
        }
    }
    assert!(begun.is_empty(), "calls without an end: {begun:?}");
    whole
}

/// The syncs of one stage are made at once: in which order is open.
fn sort_syncs(calls: &mut [String]) {
    let is_sync = |call: &String| call.starts_with("SyncData ");
    for stage in calls.chunk_by_mut(|one, next| is_sync(one) && is_sync(next)) {
        stage.sort();
    }
}

/// A line of `strace -f -y -s 0` as a call; `None` for calls on other files than those of the store.
fn traced(text: &str, store: &Path) -> Option<String> {
    let (_, call) = text.trim_start().split_once(' ')?;
    let (name, rest) = call.trim_start().split_once('(')?;
    let (arguments, answer) = rest.rsplit_once(" = ")?;
    let descriptors: Vec<&str> = arguments
        .split('<')
        .skip(1)
        .filter_map(|rest| rest.split_once('>').map(|(path, _)| path))
        .collect();
    let first = *descriptors.first()?;
    let file = match first.strip_prefix(store.to_str()?) {
        Some(below) => below,
        None if Some(Path::new(first)) == store.parent() => PARENT,
        None => return None,
    };
    let failed = answer.starts_with('-');
    let numbers: Vec<u64> = arguments
        .split(", ")
        .filter_map(|word| word.trim_end().trim_end_matches(')').parse().ok())
        .collect();
    let quoted: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
    Some(match (name, numbers.as_slice(), quoted.as_slice()) {
        ("pwrite64", &[len, offset], _) => line(OperationKind::Write, file, &[offset, len], failed),
        ("ftruncate", &[len], _) => line(OperationKind::SetLen, file, &[len], failed),
        ("fallocate", &[offset, len], _) => line(OperationKind::Reserve, file, &[offset, len], failed),
        ("fdatasync", [], _) => line(OperationKind::SyncData, file, &[], failed),
        ("fsync", [], _) => line(OperationKind::SyncDirectory, file, &[], failed),
        ("flock", [], _) if arguments.contains("LOCK_UN") => line(OperationKind::Unlock, file, &[], failed),
        ("flock", [], _) => line(OperationKind::Lock, file, &[], failed),
        ("unlinkat", _, [name]) => line(OperationKind::RemoveFile, &format!("{file}/{name}"), &[], failed),
        ("renameat" | "renameat2", _, [from, to]) => {
            let kind = if arguments.contains("RENAME_NOREPLACE") {
                OperationKind::RenameNew
            } else {
                OperationKind::Rename
            };
            line(kind, &format!("{file}/{from} {file}/{to}"), &[], failed)
        }
        _ => panic!("a call that the layer is not known to make: {text}"),
    })
}

#[test]
fn ac43_a_real_process_makes_the_calls_that_the_fault_disk_records_in_their_order() {
    let mut wanted = on_the_fault_disk();
    let Some(mut found) = on_this_machine() else {
        return;
    };
    sort_syncs(&mut wanted);
    sort_syncs(&mut found);
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        assert_eq!(found, wanted, "call {at}");
    }
    assert_eq!(found.len(), wanted.len());
}

#[test]
fn ac37_every_written_file_is_synced_by_the_call_that_reaches_the_medium() {
    let Some(found) = on_this_machine() else {
        return;
    };
    let mut unsynced = std::collections::BTreeSet::new();
    let (mut writes, mut syncs) = (0, 0);
    for call in &found {
        let mut words = call.split(' ');
        match (words.next(), words.next()) {
            (Some("Write" | "SetLen"), Some(file)) => {
                writes += 1;
                unsynced.insert(file);
            }
            (Some("SyncData"), Some(file)) => {
                syncs += 1;
                unsynced.remove(file);
            }
            _ => {}
        }
    }
    assert!(writes > 10 && syncs > 10, "{writes} writes and {syncs} syncs");
    unsynced.retain(|file| !super::has_extension(file, "idx") && !super::has_extension(file, "lock"));
    assert_eq!(Vec::from_iter(unsynced), Vec::<&str>::new(), "written and never synced");
}
