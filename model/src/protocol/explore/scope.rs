//! The small scopes: a few files of a few bytes, and the kinds of change that the rules prescribe.

use super::Build;
use crate::protocol::disk::Symbol;
use crate::protocol::group::{Content, Overlay};
use crate::protocol::undo::{EMPTY_STORE, FileId, Item, Stage, Zone, ZoneId};
use crate::protocol::{append, state_last};

/// The outer zone's recovery store.
pub const STORE: FileId = FileId(0);
/// A record file of the outer zone.
pub const A: FileId = FileId(1);
/// Another.
pub const B: FileId = FileId(2);
/// The payload file of A.
pub const P: FileId = FileId(3);
/// The inner zone's recovery store.
pub const INNER_STORE: FileId = FileId(4);
/// The record file of the inner zone.
pub const C: FileId = FileId(5);

/// What a workload does next.
#[derive(Clone, Debug)]
pub enum Action {
    /// It commits a change.
    Change(Build),
    /// It replaces a file.
    Install(FileId, Vec<Symbol>),
    /// It closes all zones, and goes on with an opening.
    Close,
}

/// Files, zones and a workload.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The durable bytes of every file at the start.
    pub files: Vec<Vec<Symbol>>,
    /// The zones; an outer one comes before its inner ones.
    pub zones: Vec<Zone>,
    /// What happens.
    pub actions: Vec<Action>,
}

impl Scope {
    /// One zone with files A, B and P.
    pub fn one_zone(actions: &[Action]) -> Self {
        Self {
            files: vec![EMPTY_STORE.to_vec(), vec![1, 1], vec![1, 1], vec![1]],
            zones: vec![Zone {
                store: STORE,
                files: vec![A, B, P],
            }],
            actions: actions.to_vec(),
        }
    }

    /// An outer zone with file B and an inner zone with file C.
    pub fn two_zones(actions: &[Action]) -> Self {
        Self {
            files: vec![
                EMPTY_STORE.to_vec(),
                vec![],
                vec![1, 1],
                vec![],
                EMPTY_STORE.to_vec(),
                vec![1, 1],
            ],
            zones: vec![
                Zone {
                    store: STORE,
                    files: vec![B],
                },
                Zone {
                    store: INNER_STORE,
                    files: vec![C],
                },
            ],
            actions: actions.to_vec(),
        }
    }

    /// The content of the authority files at the start.
    pub fn content(&self) -> Content {
        let mut content = self.files.clone();
        for zone in &self.zones {
            content[zone.store.0].clear();
        }
        content
    }
}

const OUTER: ZoneId = ZoneId(0);
const INNER: ZoneId = ZoneId(1);

fn overlay(content: &Content) -> Overlay {
    Overlay::new(content, &[P])
}

fn other(byte: Symbol) -> Symbol {
    3 - byte
}

fn toggle(overlay: &mut Overlay, file: FileId, offset: usize, len: usize, stage: Stage) {
    let bytes: Vec<Symbol> = overlay.now()[file.0][offset..offset + len]
        .iter()
        .map(|&byte| other(byte))
        .collect();
    overlay.write(file, offset, stage, &bytes);
}

fn fresh(ordinal: usize) -> Symbol {
    if ordinal.is_multiple_of(2) { 1 } else { 2 }
}

/// A record of A is replaced.
pub fn overwrite(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, A, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// A record of B is replaced.
pub fn overwrite_other(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// A record is appended to A.
pub fn append_record(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    append::record(&mut overlay, A, &[fresh(ordinal), 1]);
    (OUTER, overlay.items())
}

/// Payload is appended to P, then a record that refers to it to A.
pub fn append_with_payload(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    append::with_payload(&mut overlay, (P, &[fresh(ordinal), 2]), (A, &[fresh(ordinal), 1]));
    (OUTER, overlay.items())
}

/// Payload and record are appended in one stage, as a family may that is exempt from the order.
pub fn append_with_payload_at_once(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    overlay.append(P, Stage::Commit, &[fresh(ordinal), 2]);
    append::record(&mut overlay, A, &[fresh(ordinal), 1]);
    (OUTER, overlay.items())
}

/// The second byte of B's record changes before its first, the state byte.
pub fn state_last(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    let bytes: Vec<Symbol> = content[B.0].iter().map(|&byte| other(byte)).collect();
    state_last::change(&mut overlay, B, 0, 0, Stage::Commit, &bytes);
    (OUTER, overlay.items())
}

/// A record of A is replaced before a record of B.
pub fn two_files(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, A, 0, 2, Stage::Fields);
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// A record of B is replaced before one is appended to A.
pub fn overwrite_then_append(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, B, 0, 2, Stage::Fields);
    append::record(&mut overlay, A, &[fresh(ordinal), 2]);
    (OUTER, overlay.items())
}

/// A record is appended to A before one of B is replaced.
pub fn append_then_overwrite(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    overlay.append(A, Stage::Fields, &[fresh(ordinal), 1]);
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// Payload, then a field byte, then a state byte, then the commit point in another file: every stage at once.
pub fn every_stage(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    overlay.append(P, Stage::Payload, &[fresh(ordinal)]);
    let bytes: Vec<Symbol> = content[B.0].iter().map(|&byte| other(byte)).collect();
    state_last::change(&mut overlay, B, 0, 0, Stage::State, &bytes);
    toggle(&mut overlay, A, 0, 1, Stage::Commit);
    (OUTER, overlay.items())
}

/// Three operations of one transaction: an append, a change of what was appended, a replacement.
pub fn group(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    let offset = overlay.append(A, Stage::Commit, &[fresh(ordinal), 1]);
    overlay.write(A, offset + 1, Stage::Commit, &[2]);
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// A record of the inner zone is replaced, under that zone's own undo.
pub fn inner_only(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, C, 0, 2, Stage::Commit);
    (INNER, overlay.items())
}

/// A record of the inner zone is replaced before the commit point in the outer one.
pub fn compound(content: &Content, _: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    toggle(&mut overlay, C, 0, 2, Stage::Fields);
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

/// A record is appended in the inner zone before the commit point in the outer one.
pub fn compound_append(content: &Content, ordinal: usize) -> (ZoneId, Vec<Item>) {
    let mut overlay = overlay(content);
    append_in_stage(&mut overlay, C, Stage::Fields, fresh(ordinal));
    toggle(&mut overlay, B, 0, 2, Stage::Commit);
    (OUTER, overlay.items())
}

fn append_in_stage(overlay: &mut Overlay, file: FileId, stage: Stage, byte: Symbol) {
    overlay.append(file, stage, &[byte]);
}

/// The kinds of change in one zone, by name.
pub const ONE_ZONE: &[(&str, Build)] = &[
    ("overwrite", overwrite),
    ("overwrite another file", overwrite_other),
    ("append", append_record),
    ("payload and record", append_with_payload),
    ("payload and record in one stage", append_with_payload_at_once),
    ("state-last", state_last),
    ("two files, two stages", two_files),
    ("overwrite, then append", overwrite_then_append),
    ("append, then overwrite", append_then_overwrite),
    ("every stage", every_stage),
    ("group", group),
];

/// The kinds of change over two zones, by name.
pub const TWO_ZONES: &[(&str, Build)] = &[
    ("outer only", overwrite_other),
    ("inner only", inner_only),
    ("compound", compound),
    ("compound with an append", compound_append),
];
