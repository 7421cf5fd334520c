//! Which cuts are tried on a disk, in classes.

use std::collections::{BTreeSet, HashSet};

use graven::vfs::fault::{
    Choice, CutOptions, CutPlan, Cutter, Detail, FaultDisk, Fill, Length, Level, PendingOperation,
};

use super::Limits;
use crate::draws::Draws;
use crate::subject::{Subject, Tears};

/// The distinct disks that cuts leave, each with the first plan that does; the more cuts came before, the coarser.
pub fn distinct(
    subject: &dyn Subject,
    disk: &FaultDisk,
    cutter: &Cutter,
    limits: Limits,
    cuts_before: usize,
) -> Vec<(CutPlan, FaultDisk)> {
    let plans = plans(subject, cutter, limits, cuts_before);
    unique(cutter, drawn(plans, disk, limits))
}

fn plans(subject: &dyn Subject, cutter: &Cutter, limits: Limits, cuts_before: usize) -> Vec<CutPlan> {
    if cuts_before > 1 || !limits.torn {
        return file_by_file(cutter.pending());
    }
    let tears = |operation: &PendingOperation| tears(subject, operation, cuts_before);
    let exact = limits.exact && cuts_before == 0;
    let detail = |operation: &PendingOperation| match tears(operation) {
        Some((_, _, Tears::Coarse(_))) if exact => Detail::Torn(Vec::new()),
        Some((_, _, Tears::Fine(edges))) => Detail::Torn(edges),
        Some((_, _, Tears::Never)) => Detail::WithTheRest,
        Some((_, _, Tears::Coarse(_))) | None => Detail::Whole,
    };
    let options = CutOptions {
        level: if exact { Level::Exact } else { Level::Classes },
        harsh: limits.harsh,
        detail: &detail,
    };
    let mut plans = cutter.plans(&options);
    for operation in cutter.pending().iter().filter(|_| !exact) {
        if let Some((from, to, Tears::Coarse(edges))) = tears(operation) {
            plans.extend(coarse(operation, from, to, edges));
        }
    }
    plans
}

/// At most so many of the plans, drawn by the seed; all lost and all kept among them.
fn drawn(mut plans: Vec<CutPlan>, disk: &FaultDisk, limits: Limits) -> Vec<CutPlan> {
    let most = usize::try_from(limits.most_cuts).unwrap_or(usize::MAX);
    if most == 0 || plans.len() <= most {
        return plans;
    }
    let of_disk = u64::try_from(disk.digest() >> 64).unwrap_or(0);
    let mut draws = Draws::new(limits.seed, of_disk);
    for at in 2..most.max(2) {
        let left = (plans.len() - at) as u64;
        plans.swap(at, at + usize::try_from(draws.below(left)).unwrap_or(0));
    }
    plans.truncate(most.max(2));
    plans
}

fn unique(cutter: &Cutter, plans: Vec<CutPlan>) -> Vec<(CutPlan, FaultDisk)> {
    let mut seen = HashSet::new();
    let cut = |plan: CutPlan| cutter.cut(&plan).ok().map(|disk| (plan, disk));
    plans
        .into_iter()
        .filter_map(cut)
        .filter(|(_, disk)| seen.insert(disk.digest()))
        .collect()
}

/// Everything lost, everything kept, and each file by itself against the others.
pub fn file_by_file(pending: &[PendingOperation]) -> Vec<CutPlan> {
    let mut plans = vec![CutPlan::all_lost(), CutPlan::all_kept()];
    let files: BTreeSet<&str> = pending.iter().map(|operation| operation.path.as_str()).collect();
    for file in files {
        for (rest, choice) in [(CutPlan::all_lost(), Choice::Kept), (CutPlan::all_kept(), Choice::Lost)] {
            let own = pending.iter().filter(|operation| operation.path == file);
            plans.push(own.fold(rest, |plan, operation| plan.with(operation.ordinal, choice.clone())));
        }
    }
    plans
}

fn tears(subject: &dyn Subject, operation: &PendingOperation, cuts_before: usize) -> Option<(u64, u64, Tears)> {
    let (from, to) = match (operation.written(), operation.growth()) {
        (Some((offset, len)), _) => (offset, offset + len),
        (None, Some(growth)) => growth,
        (None, None) => return None,
    };
    let grows = operation.growth().is_some();
    let tears = match subject.tears(&operation.path, from, to, grows) {
        Tears::Never => Tears::Never,
        tears if cuts_before == 0 => tears,
        _ => Tears::Coarse(vec![u64::midpoint(from, to)]),
    };
    Some((from, to, tears))
}

/// A write torn at a few places, among others that are all lost or all kept.
fn coarse(operation: &PendingOperation, from: u64, to: u64, edges: Vec<u64>) -> Vec<CutPlan> {
    let grows = operation.growth().is_some();
    let mut torn = Vec::new();
    for point in edges
        .into_iter()
        .filter(|edge| (from + 1..to).contains(edge))
        .map(|edge| edge - from)
    {
        torn.push((0..point, Length::Kept));
        torn.push((point..to - from, Length::Kept));
        if grows {
            torn.push((0..point, Length::At(from + point)));
        }
    }
    let mut plans = Vec::new();
    let whole_write = operation.written().is_some();
    for (bytes, length) in torn {
        let bytes: Vec<_> = Some(bytes).filter(|_| whole_write).into_iter().collect();
        for rest in [CutPlan::all_lost(), CutPlan::all_kept()] {
            plans.push(rest.with(
                operation.ordinal,
                Choice::Torn {
                    bytes: bytes.clone(),
                    length,
                },
            ));
        }
    }
    if grows {
        let empty = Choice::Torn {
            bytes: Vec::new(),
            length: Length::Kept,
        };
        for fill in [Fill::Zero, Fill::Garbage] {
            for rest in [CutPlan::all_lost(), CutPlan::all_kept()] {
                plans.push(rest.filled(fill).with(operation.ordinal, empty.clone()));
            }
        }
    }
    plans
}
