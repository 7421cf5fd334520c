//! A change as a program: the undo, the stages with a sync after each, the acknowledgement, the spent mark.

use super::disk::{Disk, Symbol, ZERO};
use super::recovery::judge::is_whole;
use super::rules::{Protocol, Rule};
use super::undo::{
    Digest, Digests, FileId, Item, Kind, MARK_DIGEST, MARK_SEQUENCE, PIECES, STAGES, Stage, Zone, ZoneId, new_undo,
};

/// One operation of a program. A kill, a cut or a failure may come before each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Writes one byte: a longer write is several, since a process may be killed between them.
    Write {
        /// Where.
        file: FileId,
        /// At which offset.
        offset: usize,
        /// What.
        value: Symbol,
    },
    /// Sets a length.
    SetLen {
        /// Of which file.
        file: FileId,
        /// To what.
        len: usize,
    },
    /// Syncs a file.
    Sync(FileId),
    /// Replaces a whole file by one that was prepared aside and synced; the rename and its directory's sync are one step.
    Install {
        /// Which file.
        file: FileId,
        /// Its new content.
        bytes: Vec<Symbol>,
    },
    /// The caller is told that the change happened.
    Acknowledge,
    /// The caller is told that the change did not happen.
    Refuse,
    /// Recovery has ended: the zones of the opening are open.
    Open,
}

/// Why a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// It commits a change.
    Commit,
    /// It recovers, at an opening or in process.
    Recover,
    /// It closes a zone: its mark becomes durable.
    Close,
    /// It installs files.
    Install,
}

/// A list of steps.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// Why it runs.
    pub purpose: Purpose,
    /// What it does.
    pub steps: Vec<Step>,
    /// The undo it writes or acts on.
    pub undo: Option<Digest>,
}

/// The writes of a change, before it has an undo.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// The zone of its commit point.
    pub outer: ZoneId,
    /// Its writes.
    pub items: Vec<Item>,
}

/// The zone a file belongs to.
///
/// # Panics
/// Where no zone has the file; every file of the model has one.
pub fn zone_of(zones: &[Zone], file: FileId) -> ZoneId {
    let index = zones
        .iter()
        .position(|zone| zone.store == file || zone.files.contains(&file));
    ZoneId(index.expect("every file belongs to a zone"))
}

/// The zones of some items other than the outer one, in order.
pub fn inner_zones(zones: &[Zone], outer: ZoneId, items: &[Item]) -> Vec<ZoneId> {
    let mut inner: Vec<ZoneId> = items
        .iter()
        .map(|item| zone_of(zones, item.file()))
        .filter(|&zone| zone != outer)
        .collect();
    inner.sort_unstable();
    inner.dedup();
    inner
}

/// Appends the writes of an undo into a zone's store.
pub(super) fn write_undo(zone: &Zone, undo: Digest, steps: &mut Vec<Step>) {
    steps.extend((0..PIECES).map(|offset| Step::Write {
        file: zone.store,
        offset,
        value: undo.0,
    }));
}

/// Appends the writes of a mark: it spends `undo`, or nothing.
pub(super) fn write_mark(zone: &Zone, undo: Option<Digest>, steps: &mut Vec<Step>) {
    let value = undo.map_or(ZERO, |digest| digest.0);
    for offset in [MARK_SEQUENCE, MARK_DIGEST[0], MARK_DIGEST[1]] {
        steps.push(Step::Write {
            file: zone.store,
            offset,
            value,
        });
    }
}

/// Appends writes of bytes.
pub(super) fn write_bytes(file: FileId, offset: usize, bytes: &[Symbol], steps: &mut Vec<Step>) {
    steps.extend(bytes.iter().enumerate().map(|(at, &value)| Step::Write {
        file,
        offset: offset + at,
        value,
    }));
}

/// The files of the items of one stage, each once.
pub(super) fn files_of<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<FileId> {
    let mut files: Vec<FileId> = items.map(Item::file).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// The program that commits a change on the disk as it reads.
pub fn commit(protocol: Protocol, disk: &Disk, zones: &[Zone], digests: &mut Digests, change: &Change) -> Program {
    let mut steps = Vec::new();
    let outer = change.outer;
    let inner = inner_zones(zones, outer, &change.items);
    let undo = new_undo(
        protocol,
        disk,
        zones,
        outer,
        digests,
        Kind::Change(change.items.clone()),
    );
    let externals: Vec<(ZoneId, Digest)> = inner
        .iter()
        .map(|&zone| {
            (
                zone,
                new_undo(protocol, disk, zones, zone, digests, Kind::External { outer, undo }),
            )
        })
        .collect();

    write_undo(&zones[outer.0], undo, &mut steps);
    for &(zone, external) in &externals {
        write_undo(&zones[zone.0], external, &mut steps);
    }
    if protocol.keeps(Rule::UndoIsSyncedFirst) {
        steps.push(Step::Sync(zones[outer.0].store));
    }
    if protocol.keeps(Rule::ExternalsAreSynced) {
        steps.extend(externals.iter().map(|&(zone, _)| Step::Sync(zones[zone.0].store)));
    }

    let mut late = Vec::new();
    for stage in STAGES {
        let of_stage = || change.items.iter().filter(|item| item.stage() == stage);
        for item in of_stage() {
            let (offset, bytes) = item.new_bytes();
            write_bytes(item.file(), offset, bytes, &mut steps);
        }
        let files = files_of(of_stage());
        let syncs = files.into_iter().map(Step::Sync);
        match stage {
            Stage::Commit if !protocol.keeps(Rule::CommitIsSyncedBeforeItIsAcknowledged) => {
                steps.push(Step::Acknowledge);
                steps.extend(syncs);
            }
            Stage::Commit => {
                steps.append(&mut late);
                steps.extend(syncs);
                steps.push(Step::Acknowledge);
            }
            _ if protocol.keeps(Rule::StagesAreSynced) => steps.extend(syncs),
            _ => late.extend(syncs),
        }
    }
    for &(zone, external) in &externals {
        write_mark(&zones[zone.0], Some(external), &mut steps);
    }
    write_mark(&zones[outer.0], Some(undo), &mut steps);
    Program {
        purpose: Purpose::Commit,
        steps,
        undo: Some(undo),
    }
}

/// The program that closes every zone: each mark becomes durable.
pub fn close(zones: &[Zone]) -> Program {
    let steps = zones.iter().map(|zone| Step::Sync(zone.store)).collect();
    Program {
        purpose: Purpose::Close,
        steps,
        undo: None,
    }
}

/// The program that replaces a zone's file by one prepared aside, first retiring the zone's undo.
pub fn install(
    protocol: Protocol,
    disk: &Disk,
    zones: &[Zone],
    digests: &mut Digests,
    file: FileId,
    bytes: &[Symbol],
) -> Program {
    let zone = zone_of(zones, file);
    let store = &zones[zone.0];
    let mut steps = Vec::new();
    let mut undo = None;
    if protocol.keeps(Rule::InstallRetiresTheUndo) {
        let retire = new_undo(protocol, disk, zones, zone, digests, Kind::Retire);
        write_undo(store, retire, &mut steps);
        steps.push(Step::Sync(store.store));
        write_mark(store, Some(retire), &mut steps);
        steps.push(Step::Sync(store.store));
        undo = Some(retire);
    }
    steps.push(Step::Install {
        file,
        bytes: bytes.to_vec(),
    });
    steps.push(Step::Acknowledge);
    Program {
        purpose: Purpose::Install,
        steps,
        undo,
    }
}

/// Whether every item of the stages before `stage` is durable at its new bytes (I3).
pub fn earlier_stages_are_durable(disk: &Disk, items: &[Item], stage: Stage) -> bool {
    items.iter().filter(|item| item.stage() < stage).all(|item| {
        let file = &disk.files[item.file().0];
        let (offset, bytes) = item.new_bytes();
        is_whole(disk, item)
            && (offset..offset + bytes.len()).all(|at| {
                file.possible(at) == super::disk::Values::only(file.get(at).unwrap_or(ZERO))
                    && file.possible_lens().all(|len| len > at)
            })
    })
}
