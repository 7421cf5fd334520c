//! Recovery as a list of steps: make the evidence durable, judge, act stage by stage, and only then spend the undo.

pub mod judge;

use super::disk::Disk;
use super::rules::{Protocol, Rule};
use super::transaction::{Step, files_of, inner_zones, write_bytes, write_mark, write_undo, zone_of};
use super::undo::{Digest, Digests, Item, Kind, STAGES, Zone, ZoneId, pending};
use judge::{Verdict, judge};

/// Which zones an opening takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opening {
    /// Every zone, under all locks.
    All,
    /// One inner zone alone, under its own lock.
    Alone(ZoneId),
}

/// Why an opening does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obstacle {
    /// The evidence contradicts itself, or a byte is neither old nor new: nothing is touched.
    Corrupt,
    /// The zone's part of a change is in doubt until the outer zone is opened (C4).
    RecoveryNeeded,
}

/// The steps of an opening, and the undo that it acts on (the last one, where there are several).
pub type Plan = (Vec<Step>, Option<Digest>);

/// Plans an opening on the disk as it reads. The plan is whole before its first step: a recovery holds every lock it
/// needs, so nothing it has read can change under it.
pub fn recover(
    protocol: Protocol,
    disk: &Disk,
    zones: &[Zone],
    digests: &Digests,
    opening: Opening,
) -> Result<Plan, Obstacle> {
    let mut plan = (Vec::new(), None);
    let taken: Vec<ZoneId> = match opening {
        Opening::All => (0..zones.len()).map(ZoneId).collect(),
        Opening::Alone(zone) => vec![zone],
    };
    let mut settled = Vec::new();
    for &zone in &taken {
        let Some(undo) = pending(protocol, disk, &zones[zone.0], digests) else {
            continue;
        };
        match &digests.undo(undo).kind {
            Kind::Change(items) => {
                let externals = named_externals(protocol, disk, zones, digests, zone, undo, items);
                settle(protocol, disk, zones, zone, undo, items, &externals, &mut plan.0)?;
                settled.extend(externals.iter().map(|&(inner, _)| inner));
                plan.1 = Some(undo);
            }
            Kind::Retire => {
                evidence(protocol, &zones[zone.0], undo, &mut plan.0);
                write_mark(&zones[zone.0], Some(undo), &mut plan.0);
            }
            Kind::External { .. } if opening == Opening::All => {}
            Kind::External { .. } if protocol.keeps(Rule::InnerZoneWaitsForTheOuter) => {
                return Err(Obstacle::RecoveryNeeded);
            }
            Kind::External { .. } => write_mark(&zones[zone.0], Some(undo), &mut plan.0),
        }
    }
    for &zone in &taken {
        let Some(undo) = pending(protocol, disk, &zones[zone.0], digests) else {
            continue;
        };
        let stale = matches!(digests.undo(undo).kind, Kind::External { .. }) && !settled.contains(&zone);
        if stale && opening == Opening::All && protocol.keeps(Rule::StaleExternalsAreSpent) {
            write_mark(&zones[zone.0], Some(undo), &mut plan.0);
        }
    }
    plan.0.push(Step::Open);
    Ok(plan)
}

/// The inner zones of a change whose valid, unspent external record names it (C3), with that record.
fn named_externals(
    protocol: Protocol,
    disk: &Disk,
    zones: &[Zone],
    digests: &Digests,
    outer: ZoneId,
    undo: Digest,
    items: &[Item],
) -> Vec<(ZoneId, Digest)> {
    let mut named = Vec::new();
    for zone in inner_zones(zones, outer, items) {
        let Some(external) = pending(protocol, disk, &zones[zone.0], digests) else {
            continue;
        };
        if digests.undo(external).kind == (Kind::External { outer, undo }) {
            named.push((zone, external));
        }
    }
    named
}

/// Step 1: what was only readable must not be acted on.
fn evidence(protocol: Protocol, zone: &Zone, undo: Digest, steps: &mut Vec<Step>) {
    if protocol.keeps(Rule::RecoveryMakesTheUndoDurable) {
        write_undo(zone, undo, steps);
        write_mark(zone, None, steps);
        steps.push(Step::Sync(zone.store));
    }
}

/// Steps 2 to 4 for one change.
#[expect(
    clippy::too_many_arguments,
    reason = "the six parts of a situation, and where the steps go"
)]
fn settle(
    protocol: Protocol,
    disk: &Disk,
    zones: &[Zone],
    outer: ZoneId,
    undo: Digest,
    items: &[Item],
    externals: &[(ZoneId, Digest)],
    steps: &mut Vec<Step>,
) -> Result<(), Obstacle> {
    let in_doubt = |item: &&Item| {
        let zone = zone_of(zones, item.file());
        zone == outer
            || !protocol.keeps(Rule::OnlyNamedZonesAreSettled)
            || externals.iter().any(|&(inner, _)| inner == zone)
    };
    let items: Vec<Item> = items.iter().filter(in_doubt).cloned().collect();
    let verdict = judge(protocol, disk, &items).ok_or(Obstacle::Corrupt)?;
    evidence(protocol, &zones[outer.0], undo, steps);
    if protocol.keeps(Rule::ExternalsAreMadeDurable) {
        for &(zone, external) in externals {
            evidence(protocol, &zones[zone.0], external, steps);
        }
    }
    let spend = |steps: &mut Vec<Step>| {
        for &(zone, external) in externals {
            write_mark(&zones[zone.0], Some(external), steps);
        }
        write_mark(&zones[outer.0], Some(undo), steps);
    };
    if !protocol.keeps(Rule::RecoverySyncsBeforeItSpends) {
        spend(steps);
    }
    match verdict {
        Verdict::Happened | Verdict::Complete => write_new(protocol, disk, &items, steps),
        Verdict::RollBack => write_old(protocol, disk, &items, steps),
    }
    if protocol.keeps(Rule::RecoverySyncsBeforeItSpends) {
        spend(steps);
    }
    Ok(())
}

fn by_stage(items: &[Item]) -> Vec<Vec<&Item>> {
    STAGES
        .iter()
        .map(|&stage| items.iter().filter(|item| item.stage() == stage).collect())
        .collect()
}

fn write_new(protocol: Protocol, disk: &Disk, items: &[Item], steps: &mut Vec<Step>) {
    for group in by_stage(items) {
        for item in &group {
            let (offset, bytes) = item.new_bytes();
            for (at, &value) in (offset..).zip(bytes) {
                let right = disk.files[item.file().0].get(at) == Some(value);
                if protocol.keeps(Rule::RecoveryWritesWhatReadsRight) || !right {
                    steps.push(Step::Write {
                        file: item.file(),
                        offset: at,
                        value,
                    });
                }
            }
        }
        steps.extend(files_of(group.into_iter()).into_iter().map(Step::Sync));
    }
}

fn write_old(protocol: Protocol, disk: &Disk, items: &[Item], steps: &mut Vec<Step>) {
    let mut groups = by_stage(items);
    if protocol.keeps(Rule::RollbackIsReversed) {
        groups.reverse();
    } else {
        groups = vec![items.iter().collect()];
    }
    for group in groups {
        for item in &group {
            let file = item.file();
            match item {
                Item::Range { offset, old, .. } if protocol.keeps(Rule::RecoveryWritesWhatReadsRight) => {
                    write_bytes(file, *offset, old, steps);
                }
                Item::Range { offset, old, .. } => {
                    for (at, &value) in (*offset..).zip(old) {
                        if disk.files[file.0].get(at) != Some(value) {
                            steps.push(Step::Write {
                                file,
                                offset: at,
                                value,
                            });
                        }
                    }
                }
                Item::Records { old_len, .. } | Item::Payload { old_len, .. } => {
                    let reads_right = disk.files[file.0].len() == *old_len;
                    if reads_right && protocol.keeps(Rule::LengthsAreReasserted) {
                        steps.push(Step::SetLen { file, len: old_len + 1 });
                    }
                    steps.push(Step::SetLen { file, len: *old_len });
                }
            }
        }
        steps.extend(files_of(group.into_iter()).into_iter().map(Step::Sync));
    }
}
