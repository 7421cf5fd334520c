//! What a change does to the files of the workflow root, call by call, and every state that a kill or a cut may leave
//! while it runs.

use std::collections::{BTreeSet, HashSet};

use graven::Store;
use graven::vfs::fault::{CutPlan, FaultDisk, KillPoints, Level, OperationKind};

use super::{PATH, has_extension, on};

/// What a change writes, in phases: within one, files are written and then each of them is synced. A write of a file of
/// records is told as `task.bin 60..68`, counted from the file's start.
///
/// Panics where a written file is not synced before the next phase, or another file is.
pub fn phases(disk: &FaultDisk, change: impl FnOnce(&Store)) -> Vec<Vec<String>> {
    let disk = disk.fork();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    disk.record_trace(true);
    change(&store);
    let mut phases: Vec<Vec<String>> = Vec::new();
    let (mut writes, mut written, mut synced) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for entry in disk.trace() {
        let Some(file) = entry.path.strip_prefix("/s.graven/workflow/") else {
            continue;
        };
        if !has_extension(file, "bin") {
            continue;
        }
        match entry.kind {
            OperationKind::Write => {
                if !synced.is_empty() {
                    assert_eq!(written, synced, "each written file is synced before the next phase");
                    phases.push(std::mem::take(&mut writes));
                    written.clear();
                    synced.clear();
                }
                writes.push(format!("{file} {}..{}", entry.offset, entry.offset + entry.len));
                written.insert(file.to_owned());
            }
            OperationKind::SyncData => {
                synced.insert(file.to_owned());
            }
            _ => {}
        }
    }
    assert_eq!(
        written, synced,
        "each written file is synced before the change is acknowledged"
    );
    if !writes.is_empty() {
        phases.push(writes);
    }
    for phase in &mut phases {
        phase.sort();
    }
    phases
}

/// The files of each phase, without the places.
pub fn files(phases: &[Vec<String>]) -> Vec<Vec<&str>> {
    let files = phases.iter().map(|phase| {
        let mut files: Vec<&str> = phase.iter().filter_map(|write| write.split(' ').next()).collect();
        files.dedup();
        files
    });
    files.collect()
}

/// The states in which kills at these points of a change may leave the disk.
pub fn killed(disk: &FaultDisk, points: KillPoints, change: impl FnOnce(&Store)) -> Vec<FaultDisk> {
    let disk = disk.fork();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    disk.record_kill_points(points);
    change(&store);
    disk.snapshots().into_iter().map(|snapshot| snapshot.disk).collect()
}

/// The states in which kills between the calls of a change, and cuts there, may leave the disk; each once.
pub fn interrupted(disk: &FaultDisk, change: impl FnOnce(&Store)) -> Vec<FaultDisk> {
    let mut seen = HashSet::new();
    let mut images = Vec::new();
    for killed in killed(disk, KillPoints::BetweenOperations, change) {
        if !seen.insert(killed.digest()) {
            continue;
        }
        let plans = killed
            .cut_plans(Level::Classes)
            .into_iter()
            .chain([CutPlan::all_lost()]);
        let cuts = plans.map(|plan| killed.cut(&plan).unwrap());
        images.extend(cuts.filter(|image| seen.insert(image.digest())));
        images.push(killed);
    }
    images
}
