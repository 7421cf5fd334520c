//! The invariants I1 to I6 of the protocol, each checked at the step that could break it.

use super::disk::{Disk, GARBAGE, Symbol, Values, ZERO};
use super::group::Content;
use super::rules::Protocol;
use super::transaction::{Purpose, Step, earlier_stages_are_durable, zone_of};
use super::undo::{Digest, Digests, FileId, Item, Kind, MARK_DIGEST, PIECES, Zone, ZoneId, pending, read_undo};

/// The places of a check: everything that stands still while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The protocol that is checked.
    pub protocol: Protocol,
    /// The disk before the step.
    pub disk: &'a Disk,
    /// The zones.
    pub zones: &'a [Zone],
    /// What digests name.
    pub digests: &'a Digests,
}

/// Checks the step that comes next; answers the name of the invariant that it would break.
pub fn before_step(place: Place<'_>, purpose: Purpose, step: &Step) -> Result<(), String> {
    match step {
        Step::Write { file, offset, value } if is_store(place.zones, *file) => {
            before_store_write(place, *file, *offset, *value)
        }
        Step::Write { file, offset, value } => {
            let live = live_undo(place, *file).ok_or_else(|| authority(purpose))?;
            before_authority_write(place, purpose, &live, *file, *offset, Some(*value))
        }
        Step::SetLen { file, len } => {
            let live = live_undo(place, *file).ok_or_else(|| authority(purpose))?;
            before_authority_write(place, purpose, &live, *file, *len, None)
        }
        Step::Install { file, .. } => {
            let zone = &place.zones[zone_of(place.zones, *file).0];
            let retired = pending(place.protocol, place.disk, zone, place.digests).is_none()
                && place.disk.files[zone.store.0].is_durable();
            if retired {
                Ok(())
            } else {
                Err("an install over an undo that may come back to life".into())
            }
        }
        Step::Sync(_) | Step::Acknowledge | Step::Refuse | Step::Open => Ok(()),
    }
}

fn authority(purpose: Purpose) -> String {
    let name = if purpose == Purpose::Recover { "I6" } else { "I1" };
    format!("{name}: an authority byte is written without a durable, unspent undo")
}

fn is_store(zones: &[Zone], file: FileId) -> bool {
    zones.iter().any(|zone| zone.store == file)
}

/// The pending change that covers a file's zone, with each record that makes it so: its undo, and an external one.
fn live_undo(place: Place<'_>, file: FileId) -> Option<Vec<(ZoneId, Digest)>> {
    let zone = zone_of(place.zones, file);
    let of = |zone: ZoneId| pending(place.protocol, place.disk, &place.zones[zone.0], place.digests);
    let own = of(zone)?;
    match place.digests.undo(own).kind {
        Kind::Change(_) => Some(vec![(zone, own)]),
        Kind::External { outer, undo } if of(outer) == Some(undo) => Some(vec![(outer, undo), (zone, own)]),
        Kind::External { .. } | Kind::Retire => None,
    }
}

fn names(place: Place<'_>, zone: ZoneId, outer: ZoneId, undo: Digest) -> bool {
    pending(place.protocol, place.disk, &place.zones[zone.0], place.digests)
        .is_some_and(|external| place.digests.undo(external).kind == (Kind::External { outer, undo }))
}

fn before_authority_write(
    place: Place<'_>,
    purpose: Purpose,
    live: &[(ZoneId, Digest)],
    file: FileId,
    offset: usize,
    value: Option<Symbol>,
) -> Result<(), String> {
    for &(zone, undo) in live {
        let store = &place.disk.files[place.zones[zone.0].store.0];
        let durable = (0..PIECES).all(|piece| store.possible(piece) == Values::only(undo.0));
        let unspent = !MARK_DIGEST.iter().all(|&cell| store.possible(cell).contains(undo.0));
        if !durable || !unspent {
            return Err(authority(purpose));
        }
    }
    let Some(&(_, undo)) = live.first() else {
        return Err(authority(purpose));
    };
    let Kind::Change(items) = &place.digests.undo(undo).kind else {
        return Err(authority(purpose));
    };
    let Some(value) = value else { return Ok(()) };
    // An inner zone without a record that names the undo was not started, or is settled and has moved on (C3).
    let outer = place.digests.undo(undo).zone;
    let in_doubt = |item: &&Item| {
        let zone = zone_of(place.zones, item.file());
        zone == outer || names(place, zone, outer, undo)
    };
    let items: Vec<Item> = items.iter().filter(in_doubt).cloned().collect();
    for item in items.iter().filter(|item| item.file() == file) {
        let (start, new) = item.new_bytes();
        let Some(at) = offset.checked_sub(start).filter(|&at| at < new.len()) else {
            continue;
        };
        let is_old = matches!(item, Item::Range { old, .. } if old[at] == value);
        if new[at] == value && !is_old && !earlier_stages_are_durable(place.disk, &items, item.stage()) {
            return Err("I3: a new byte of a stage is written before the stages below are durable".into());
        }
        return Ok(());
    }
    Err("I4: a byte outside of the live undo is written".into())
}

fn before_store_write(place: Place<'_>, file: FileId, offset: usize, value: Symbol) -> Result<(), String> {
    let zone = zone_of(place.zones, file);
    let files = &place.zones[zone.0].files;
    let readable = read_undo(place.disk, &place.zones[zone.0]);
    if offset < PIECES {
        let same = readable.is_none_or(|undo| undo.0 == value);
        let settled = files.iter().all(|file| place.disk.files[file.0].is_durable());
        return if same || settled {
            Ok(())
        } else {
            Err("I5: an undo is replaced before its outcome is durable".into())
        };
    }
    if offset != MARK_DIGEST[1] || readable.map(|undo| undo.0) != Some(value) {
        return Ok(());
    }
    let Some(undo) = readable else { return Ok(()) };
    let items: &[Item] = match &place.digests.undo(undo).kind {
        Kind::Change(items) => items,
        Kind::External { outer, undo } => {
            let named = pending(place.protocol, place.disk, &place.zones[outer.0], place.digests) == Some(*undo);
            match &place.digests.undo(*undo).kind {
                Kind::Change(items) if named => items,
                _ => &[],
            }
        }
        Kind::Retire => &[],
    };
    let own = items.iter().filter(|item| files.contains(&item.file()));
    let outcome: Vec<_> = own.map(|item| durable_outcome(place.disk, item)).collect();
    let one = outcome.iter().all(|side| side.is_some() && *side == outcome[0]);
    if one {
        Ok(())
    } else {
        Err("I2: an undo is spent before its outcome is durable".into())
    }
}

/// `Some(true)`: durably new; `Some(false)`: durably old; `None`: neither.
fn durable_outcome(disk: &Disk, item: &Item) -> Option<bool> {
    let file = &disk.files[item.file().0];
    let (start, new) = item.new_bytes();
    let are = |bytes: &[Symbol]| {
        (start..)
            .zip(bytes)
            .all(|(at, &byte)| file.possible(at) == Values::only(byte))
    };
    match item {
        Item::Range { new, .. } if are(new) => Some(true),
        Item::Range { old, .. } if are(old) => Some(false),
        Item::Records { old_len, .. } | Item::Payload { old_len, .. } if file.len_is_durable() => match file.len() {
            len if len == *old_len => Some(false),
            len if len == old_len + new.len() && are(new) => Some(true),
            _ => None,
        },
        Item::Range { .. } | Item::Records { .. } | Item::Payload { .. } => None,
    }
}

/// I4: every possible value of an authority byte is the old or the new one, and lengths lie between.
pub fn values_are_old_or_new(disk: &Disk, zones: &[Zone], old: &Content, new: &Content) -> Result<(), String> {
    for id in zones.iter().flat_map(|zone| &zone.files) {
        let (file, old, new) = (&disk.files[id.0], &old[id.0], &new[id.0]);
        let longest = new.len().max(old.len() + 1);
        if file.possible_lens().any(|len| len < old.len() || len > longest) {
            return Err(format!("I4: a length of file {} that is neither old nor new", id.0));
        }
        for at in 0..file.possible_lens().last().unwrap_or(0) {
            let mut allowed = Values::default();
            match old.get(at) {
                Some(&byte) => allowed.insert(byte),
                None => [ZERO, GARBAGE].into_iter().for_each(|byte| allowed.insert(byte)),
            }
            if let Some(&byte) = new.get(at) {
                allowed.insert(byte);
            }
            if !file.possible(at).is_within(allowed) {
                return Err(format!("I4: a byte of file {} that is neither old nor new", id.0));
            }
        }
    }
    Ok(())
}
