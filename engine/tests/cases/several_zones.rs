//! A change over two zones whose commit fails at any call: what the caller was told agrees with what both zones hold,
//! they hold it together, and neither stays blocked (PROTOCOL, C1 to C5).

use std::path::Path;

use graven::disk::{DurableDirectory, LockWait, Outcome};
use graven::format::{LOCAL_WORKFLOW, OBJECT, OBJECT_ZONE, STASH, ZoneLayout};
use graven::store::{Result, Source as _, Stage, Zone, ZoneOptions, create_zone};
use graven::vfs::fault::{CutPlan, EIO, ENOSPC, Effect, FailedSync, Fault, FaultDisk, Kinds};

use super::NOW;

const PLACES: [(&str, &ZoneLayout); 2] = [("/workflow", &LOCAL_WORKFLOW), ("/objects", &OBJECT_ZONE)];

fn zones(disk: &FaultDisk, process: u32) -> Result<[Zone; 2]> {
    let vfs = disk.process(process);
    let options = ZoneOptions {
        read_only: false,
        wait: LockWait::TryOnce,
        entropy: [u8::try_from(process).expect("a small number"); 32],
        max_transaction_bytes: 1 << 20,
        cache_bytes: 0,
        holder: String::new(),
        sync_spent: false,
    };
    let open = |(path, layout): (&str, &'static ZoneLayout)| {
        let directory = vfs.open_directory(Path::new(path)).expect("the directory");
        let directory = DurableDirectory::new(directory, path);
        Zone::attach(&vfs, &directory, layout, options.clone())
    };
    let [workflow, objects] = PLACES;
    let zones = [open(workflow)?, open(objects)?];
    Zone::link(&[&zones[0], &zones[1]]);
    Ok(zones)
}

fn base() -> FaultDisk {
    let disk = FaultDisk::new();
    let vfs = disk.process(1);
    for (identity, (path, layout)) in PLACES.into_iter().enumerate() {
        disk.make_directory(path).expect("a directory");
        let directory = DurableDirectory::new(vfs.open_directory(Path::new(path)).expect("it"), path);
        create_zone(&directory, layout, &[u8::try_from(identity).expect("two zones"); 16]).expect("a zone");
        directory.sync().expect("durable");
    }
    change(&zones(&disk, 1).expect("the zones")).expect("a change");
    disk.fork()
}

/// An object with its content in the inner zone, and the commit point in the outer one.
fn change([outer, inner]: &[Zone; 2]) -> Result<()> {
    let mut txn = Zone::begin_several(&[outer, inner], 0, NOW)?;
    let (objects, stash) = (txn.family(&OBJECT)?, txn.family(&STASH)?);
    txn.append_payload(objects, b"content")?;
    txn.append_record(objects, Stage::Fields, &[8; 52])?;
    txn.append_record(stash, Stage::Commit, &[8; 8])?;
    txn.commit().map(drop)
}

/// Opens both zones, the inner one first, and answers how many changes each holds.
fn counts(disk: &FaultDisk, process: u32, what: &str) -> [u32; 2] {
    let zones = zones(disk, process).unwrap_or_else(|error| panic!("{what}: {error}"));
    for zone in zones.iter().rev() {
        zone.make_ready().unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    let families = [&STASH, &OBJECT];
    [0, 1].map(|at| {
        let view = zones[at].view().unwrap_or_else(|error| panic!("{what}: {error}"));
        view.record_count(view.family(families[at]).expect("a family"))
    })
}

fn changing_calls(base: &FaultDisk) -> u64 {
    let disk = base.fork();
    let zones = zones(&disk, 2).expect("the zones");
    disk.record_trace(true);
    change(&zones).expect("a change");
    disk.trace().iter().filter(|entry| entry.kind.changes()).count() as u64
}

#[test]
fn ac06_what_a_failed_commit_over_two_zones_told_agrees_with_what_both_hold() {
    let base = base();
    let calls = changing_calls(&base);
    let (mut not_happened, mut unknown, mut done) = (0, 0, 0);
    for call in 1..=calls {
        for (errno, failed_sync) in [
            (EIO, FailedSync::ReadableButLost),
            (EIO, FailedSync::Reverted),
            (EIO, FailedSync::StillDirty),
            (ENOSPC, FailedSync::ReadableButLost),
        ] {
            let disk = base.fork();
            disk.set_failed_sync(failed_sync);
            let zones = zones(&disk, 2).expect("the zones");
            disk.inject(Fault::nth(Kinds::Changes, call, Effect::Fail(errno)));
            let told = change(&zones);
            let what = format!("code {errno} at call {call} of {calls}, {failed_sync:?}: {told:?}");
            disk.clear_faults();
            drop(zones);
            let allowed: &[u32] = match &told {
                Ok(()) => &[2],
                Err(error) if error.outcome() == Outcome::NotHappened => &[1],
                Err(_) => &[1, 2],
            };
            match allowed {
                [2] => done += 1,
                [1] => not_happened += 1,
                _ => unknown += 1,
            }
            let evicted = disk.fork();
            evicted.evict();
            let cut = |plan: &CutPlan| disk.cut(plan).expect("a cut");
            for image in [
                disk.fork(),
                evicted,
                cut(&CutPlan::all_lost()),
                cut(&CutPlan::all_kept()),
            ] {
                whole_and_allowed(&image.fork(), allowed, &what);
                if failed_sync == FailedSync::StillDirty {
                    interrupted(&image, allowed, &what);
                }
            }
        }
    }
    assert!(
        not_happened > 20 && unknown > 4 && done > 4,
        "{not_happened} {unknown} {done}"
    );
}

fn whole_and_allowed(image: &FaultDisk, allowed: &[u32], what: &str) {
    let [outer, inner] = counts(image, 3, what);
    assert_eq!(outer, inner, "both or neither: {what}");
    assert!(allowed.contains(&outer), "{outer} of {allowed:?}: {what}");
    let zones = zones(image, 4).expect("the zones");
    change(&zones).unwrap_or_else(|error| panic!("neither stays blocked: {error}: {what}"));
}

/// The recovery of both zones dies at each of its calls.
fn interrupted(image: &FaultDisk, allowed: &[u32], what: &str) {
    for dies_at in 1.. {
        let image = image.fork();
        image.inject(Fault::nth(Kinds::Changes, dies_at, Effect::Kill));
        let ready = zones(&image, 5).and_then(|zones| zones.iter().try_for_each(|zone| zone.make_ready().map(drop)));
        if ready.is_ok() {
            return;
        }
        whole_and_allowed(&image.fork(), allowed, &format!("then killed at {dies_at}; {what}"));
    }
}
