//! The durable workloads: single commits, batches, threads, bulk, and the mixed load.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

use crate::child::{fill, scattered};
use crate::contender::{Answer, Contender, KINDS, OBJECT_RECORD, SHORT_CONTENT};
use crate::measure::{Figures, Turn, interleave, ns_since, timed};
use crate::plan::Plan;

/// The single operations.
pub const OPERATIONS: [&str; 4] = [
    "append one object",
    "replace one record",
    "close a Task",
    "create a Task",
];
/// The floor of the disk.
pub const FLOOR: &str = "d";
/// What the records and their content are, without anything around them.
pub const RECORD_BYTES: &str = "record bytes";

/// Carries out one of [`OPERATIONS`].
pub fn operation(store: &dyn Contender, name: &str) -> Answer {
    match OPERATIONS.iter().position(|operation| *operation == name) {
        Some(0) => store.append(1),
        Some(1) => store.replace(),
        Some(2) => store.close_task(),
        Some(3) => store.create_task(),
        _ => Err(format!("no operation is called {name}").into()),
    }
}

/// A preallocated file whose overwrite and sync is the unit of everything else.
struct Floor(fs::File);

impl Floor {
    fn create(directory: &Path) -> Answer<Self> {
        let path = directory.join("floor.bin");
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all_at(&vec![0; 1 << 16], 0)?;
        file.sync_all()?;
        Ok(Self(file))
    }

    fn once(&self) -> Answer {
        self.0.write_all_at(&[0x5a; 256], 4096)?;
        Ok(self.0.sync_data()?)
    }
}

/// The workloads on one store of each contender.
pub fn measure(figures: &mut Figures, directory: &Path, plan: &Plan) -> Answer {
    let floor = Floor::create(directory)?;
    let mut stores = Vec::new();
    for kind in KINDS {
        let place = directory.join(kind.name);
        fs::create_dir_all(&place)?;
        stores.push((kind, (kind.open)(&place)?));
    }
    for name in OPERATIONS {
        for (_, store) in &stores {
            store.prepare_close(plan.rounds * plan.batch)?;
        }
        let mut turns = each(&stores, |store| timed(plan.batch, 1, || operation(store, name)));
        turns.push((FLOOR, Box::new(|| timed(plan.batch, 1, || floor.once()))));
        interleave(figures, name, plan.rounds, turns)?;
    }
    for count in [64, 1_000] {
        let name = format!("{count} objects in one commit");
        let turns = each(&stores, |store| timed(plan.batches, 1, || store.append(count)));
        interleave(figures, &name, plan.rounds, turns)?;
    }
    for (threads, calls) in plan.threads {
        let name = format!("append by {threads} threads, each object");
        let turns = each(&stores, |store| Ok(vec![joined(store, threads, calls)?]));
        interleave(figures, &name, plan.rounds_of_threads, turns)?;
    }
    let turns = each(&stores[..stores.len() - 1], |store| mixed(store, plan.mixed));
    interleave(figures, "mixed load, each operation", plan.rounds, turns)?;
    for (_, store) in stores {
        store.close()?;
    }
    Ok(())
}

/// The same turn for each store.
fn each<'a>(
    stores: &'a [(&'static crate::contender::Kind, Box<dyn Contender>)],
    turn: impl Fn(&dyn Contender) -> Answer<Vec<f64>> + Copy + 'a,
) -> Vec<(&'static str, Turn<'a>)> {
    let turns = stores.iter().map(|(kind, store)| {
        let turn: Turn<'a> = Box::new(move || turn(&**store));
        (kind.name, turn)
    });
    turns.collect()
}

/// `threads` threads that append `calls` objects each: nanoseconds for each object.
fn joined(store: &dyn Contender, threads: u32, calls: u32) -> Answer<f64> {
    let began = Instant::now();
    std::thread::scope(|scope| {
        let work = || (0..calls).try_for_each(|_| store.append_joined());
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(answer) => answer,
            Err(_) => Err("a thread panicked".into()),
        })
    })?;
    Ok(ns_since(began) / f64::from(threads * calls))
}

/// 70 % point reads, 20 % state changes, 10 % new Tasks, one caller: nanoseconds for each operation.
fn mixed(store: &dyn Contender, count: u32) -> Answer<Vec<f64>> {
    timed(1, count, || {
        for turn in 0..count {
            match turn % 10 {
                2 | 7 => store.replace()?,
                5 => store.create_task()?,
                // The singles before have left many more objects than these.
                _ => store.read(&[scattered(turn, 100)]).map(|_| ())?,
            }
        }
        Ok(())
    })
}

/// Fills a new store of each contender; the last round's stay, closed, in `directory`.
pub fn bulk(figures: &mut Figures, directory: &Path, plan: &Plan) -> Answer {
    let turns = KINDS.iter().map(|kind| {
        let place = directory.join(kind.name);
        let turn: Turn<'_> = Box::new(move || {
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::create_dir_all(&place)?;
            let store = (kind.open)(&place)?;
            let samples = timed(1, 1, || fill(&*store, plan.records))?;
            store.close()?;
            Ok(samples)
        });
        (kind.name, turn)
    });
    let name = format!("bulk append of {} objects", plan.records);
    interleave(figures, &name, plan.rounds_of_bulk, turns.collect())?;
    for kind in KINDS {
        let bytes = bytes_in(&directory.join(kind.name))?;
        let name = format!("bytes on disk, {} objects", plan.records);
        figures.count(&name, kind.name, "bytes", bytes);
    }
    let each = u32::try_from(OBJECT_RECORD + SHORT_CONTENT)?;
    let name = format!("bytes on disk, {} objects", plan.records);
    figures.count(&name, RECORD_BYTES, "bytes", f64::from(plan.records) * f64::from(each));
    Ok(())
}

/// The bytes that a directory's files occupy: blocks for sparse files, lengths otherwise.
#[expect(clippy::cast_precision_loss, reason = "sizes of files of this run")]
fn bytes_in(directory: &Path) -> Answer<f64> {
    use std::os::unix::fs::MetadataExt;
    let mut sum = 0.0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        sum += if metadata.is_dir() {
            bytes_in(&entry.path())?
        } else {
            metadata.len().min(metadata.blocks() * 512) as f64
        };
    }
    Ok(sum)
}
