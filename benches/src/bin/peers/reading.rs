//! The workloads on a filled store: point reads, scans, verify, memory; and opening, clean and dirty, as it grows.

use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use crate::child::{made_by_child, memory, scattered};
use crate::contender::{Answer, Contender, KINDS, Kind};
use crate::measure::{Figures, Turn, interleave, ns_since, timed};
use crate::plan::Plan;
use crate::stores::graven;

/// The reads of one sample: many, since a clock call costs as much as a read.
const READS: u32 = 1_000;
/// The contender that reads without its cache.
pub const UNCACHED: &str = "graven, pread";

/// Reads, scans and checks the stores that the bulk append left in `directory`.
pub fn measure(figures: &mut Figures, directory: &Path, plan: &Plan) -> Answer {
    let mut stores: Vec<(&'static str, Box<dyn Contender>)> = Vec::new();
    for kind in readers() {
        stores.push((kind.name, (kind.open)(&directory.join(kind.name))?));
    }
    stores.push((UNCACHED, graven::open_uncached(&directory.join("graven"))?));

    let indexes: Vec<u32> = (0..READS * 10)
        .map(|turn| scattered(turn, plan.records.min(100_000)))
        .collect();
    for (_, store) in &stores {
        store.read(&indexes)?;
    }
    let turns = each(&stores, |store| {
        let mut samples = Vec::new();
        for part in indexes.chunks(READS as usize) {
            samples.extend(timed(1, READS, || store.read(part).map(|_| ()))?);
        }
        Ok(samples)
    });
    interleave(figures, "point read, each", plan.rounds_of_reads, turns)?;
    let part = plan.records;
    let turns = each(&stores, |store| timed(1, part, || store.scan().map(|_| ())));
    interleave(figures, "scan, each record", plan.rounds_of_scans, turns)?;
    let turns = each(&stores, |store| timed(1, part, || store.filtered().map(|_| ())));
    interleave(figures, "filtered scan, each record", plan.rounds_of_scans, turns)?;

    let mut checked = Vec::new();
    for (name, mut store) in stores {
        if name != UNCACHED && store.verify()?.is_some() {
            let turn: Turn<'_> = Box::new(move || timed(1, part, || store.verify().map(|_| ())));
            checked.push((name, turn));
        }
    }
    interleave(figures, "verify, each record", plan.rounds_of_scans, checked)?;
    for kind in readers() {
        let (anonymous, mapped) = memory(kind.name, &directory.join(kind.name), plan.records)?;
        figures.count("memory after a scan and 100,000 reads", kind.name, "bytes", anonymous);
        figures.count("mapped pages after the same", kind.name, "bytes", mapped);
    }
    Ok(())
}

fn readers() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(|kind| kind.reads)
}

fn each<'a>(
    stores: &'a [(&'static str, Box<dyn Contender>)],
    turn: impl Fn(&dyn Contender) -> Answer<Vec<f64>> + Copy + 'a,
) -> Vec<(&'static str, Turn<'a>)> {
    let turns = stores.iter().map(|(name, store)| {
        let turn: Turn<'a> = Box::new(move || turn(&**store));
        (*name, turn)
    });
    turns.collect()
}

/// Opens stores of each size, closed and left by a process that died.
pub fn opening(figures: &mut Figures, directory: &Path, plan: &Plan) -> Answer {
    for records in &plan.sizes {
        for dies in [false, true] {
            let made = directory.join("made");
            for kind in readers() {
                let place = made.join(kind.name);
                made_by_child(kind.name, &place, *records, dies)?;
                if let Some(soil) = kind.soil.filter(|_| dies) {
                    soil(&place)?;
                }
            }
            let turns = readers().map(|kind| {
                let (from, copy) = (made.join(kind.name), directory.join("copy"));
                let turn: Turn<'_> = Box::new(move || {
                    // Opening a dirty store cleans it, so each opens a copy of its own, which is durable before.
                    copy_durably(&from, &copy)?;
                    let began = Instant::now();
                    let store = (kind.open)(&copy)?;
                    let sample = ns_since(began);
                    store.close()?;
                    fs::remove_dir_all(&copy)?;
                    Ok(vec![sample])
                });
                (kind.name, turn)
            });
            let state = if dies { "dirty" } else { "clean" };
            let name = format!("open {state}, {records} records");
            interleave(figures, &name, plan.rounds_of_opening, turns.collect())?;
            fs::remove_dir_all(&made)?;
        }
    }
    Ok(())
}

fn copy_durably(from: &Path, to: &Path) -> Answer {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_durably(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            File::options().write(true).open(&target)?.sync_all()?;
        }
    }
    Ok(File::open(to)?.sync_all()?)
}
