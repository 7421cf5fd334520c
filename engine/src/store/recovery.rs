//! Recovery: what is done with an unspent undo, under the exclusive lock, and for rolling back in the process.
//!
//! Promises: afterwards every change is whole or absent, that outcome is durable, and the undo is marked spent. A kill
//! or a cut at any operation in here leaves the same evidence or a range nearer to the decision, so recovery may be
//! interrupted any number of times. `Corrupt` touches nothing. Relies on: the exclusive lock of every zone involved.
//!
//! The order is the point. First the undo that was read is made durable, since what was only readable must not be
//! acted on. Then the change is judged, then the bytes of the decision are written and synced, all of them, stage by
//! stage (backwards when rolling back, otherwise an interrupted rollback looks like damage). Only then the mark.
//!
//! Lean: `Claim_recovery_is_all_or_nothing`, `Claim_recovery_is_idempotent`, `Claim_known_is_kept`,
//! `Claim_spent_undo_is_left_alone`.

use std::sync::Arc;

use crate::disk::{self, ZoneIdentity};

use super::error::{Error, Result};
use super::files::ZoneFile;
use super::judge::{Decision, Placed, judge};
use super::spool::copy_pieces;
use super::stats::add;
use super::undo::{self, Action, Body, Change, Digest, Head, Stage, Undo};
use super::zone::{ChangeCounter, ZoneShared};

/// What a recovery did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecoveryReport {
    /// The zone's name.
    pub zone: &'static str,
    /// What became of the change; `None` where nothing was to be judged.
    pub decision: Option<Decision>,
    /// How many ranges and appends the change had.
    pub items: usize,
}

/// What a recovery would do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The undo's sequence.
    pub sequence: u64,
    /// The change's time.
    pub now: u64,
    /// What would become of it; `None` where nothing is to be judged, or where another zone decides.
    pub decision: Option<Decision>,
    /// Whether the change's commit point stands in another zone.
    pub external: bool,
    /// The files it touches.
    pub files: Vec<String>,
}

/// A valid, unspent undo as it stands in a zone's store.
struct Unspent {
    head: Head,
    undo: Undo,
    bytes: Vec<u8>,
}

impl Unspent {
    fn read(zone: &ZoneShared) -> Result<Option<Self>> {
        let head = zone.read_head()?;
        if head.is_spent() {
            return Ok(None);
        }
        Ok(zone.read_undo(&head)?.map(|(undo, bytes)| Self { head, undo, bytes }))
    }

    /// Writes the undo and the unspent mark once more and syncs them. No different byte is written to an undo.
    fn make_durable(&self, zone: &ZoneShared) -> Result<()> {
        if planted!("judge_before_resyncing") {
            return Ok(());
        }
        zone.undo.write_all_at(undo::UNDO_OFFSET, &self.bytes)?;
        let mark = undo::encode_mark(self.head.mark_sequence, &self.head.mark_digest);
        zone.undo.write_all_at(undo::MARK_OFFSET, &mark)?;
        zone.undo.sync()?;
        add(&zone.counters.syncs, 1);
        Ok(())
    }

    fn mark_spent(&self, zone: &ZoneShared) -> Result<()> {
        zone.write_mark(self.undo.sequence, &self.head.undo_digest)
    }
}

/// What a several-zones change must know of the zones around it.
#[derive(Debug)]
pub(super) enum Need {
    /// Everything was settled.
    Nothing,
    /// Zones that are not locked take part: take all locks of the store, in order, and look again.
    Companions,
}

/// Settles every unspent undo of the given zones, all of which are locked exclusively, in lock order.
///
/// After a failed sync the zones that were to be settled answer nothing any more until they are opened again: what is
/// readable now may be lost (DESIGN, the disk we assume, 4). Any other failure leaves them to be settled by the next
/// acquisition.
pub(super) fn settle(zones: &[&ZoneShared]) -> Result<Need> {
    let mut unspent = Vec::with_capacity(zones.len());
    for zone in zones {
        unspent.push(Unspent::read(zone)?);
    }
    let settled = settle_unspent(zones, &unspent);
    if let Err(error) = &settled
        && error.is_failed_sync()
    {
        for (zone, _) in zones.iter().zip(&unspent).filter(|(_, found)| found.is_some()) {
            zone.set_poison(&error.to_string());
        }
    }
    settled
}

fn settle_unspent(zones: &[&ZoneShared], unspent: &[Option<Unspent>]) -> Result<Need> {
    for (zone, found) in zones.iter().zip(unspent) {
        match found.as_ref().map(|found| &found.undo.body) {
            Some(Body::Change(change)) if !change.inner.iter().all(|inner| position(zones, inner).is_some()) => {
                return missing(zone);
            }
            Some(Body::External { outer, .. }) if position(zones, outer).is_none() => return missing(zone),
            _ => {}
        }
    }
    let mut settled = vec![false; zones.len()];
    for (at, zone) in zones.iter().enumerate() {
        let Some(found) = unspent.get(at).and_then(Option::as_ref) else {
            continue;
        };
        match &found.undo.body {
            Body::Change(change) => {
                let inner = inner_of(zones, unspent, zone, found.head.undo_digest, change);
                settle_change(zone, found, change, &inner)?;
                for (member, record) in inner.iter().flatten() {
                    record.mark_spent(member)?;
                    if let Some(flag) = position(zones, member.lock.identity()).and_then(|at| settled.get_mut(at)) {
                        *flag = true;
                    }
                }
                found.mark_spent(zone)?;
            }
            Body::Retire => {
                found.make_durable(zone)?;
                found.mark_spent(zone)?;
                report(zone, None, 0);
            }
            Body::External { .. } => {}
        }
    }
    // What is left names an outer undo that is gone or done: stale.
    for (at, zone) in zones.iter().enumerate() {
        let Some(found) = unspent.get(at).and_then(Option::as_ref) else {
            continue;
        };
        if matches!(found.undo.body, Body::External { .. }) && settled.get(at) == Some(&false) {
            found.make_durable(zone)?;
            found.mark_spent(zone)?;
            report(zone, None, 0);
        }
    }
    Ok(Need::Nothing)
}

fn missing(zone: &ZoneShared) -> Result<Need> {
    if zone.companions().len() > 1 {
        Ok(Need::Companions)
    } else {
        Err(zone.recovery_needed())
    }
}

fn position(zones: &[&ZoneShared], identity: &ZoneIdentity) -> Option<usize> {
    zones.iter().position(|zone| zone.lock.identity() == identity)
}

/// For each inner zone of a change: the zone and its external record, where a valid, unspent one names this change.
///
/// Lean: `Claim_compound_recovery_begins`, `Claim_compound_nobody_stays_blocked`,
/// `Claim_compound_inner_alone_is_whole`.
/// An unmarked inner zone was not started, or is settled and has moved on.
fn inner_of<'a>(
    zones: &[&'a ZoneShared],
    unspent: &'a [Option<Unspent>],
    outer: &ZoneShared,
    digest: Digest,
    change: &Change,
) -> Vec<Option<(&'a ZoneShared, &'a Unspent)>> {
    change
        .inner
        .iter()
        .map(|identity| {
            let at = position(zones, identity)?;
            let record = unspent.get(at)?.as_ref()?;
            let named = Body::External {
                outer: *outer.lock.identity(),
                digest,
            };
            (record.undo.body == named).then_some((*zones.get(at)?, record))
        })
        .collect()
}

/// Makes the evidence durable, judges, and makes the decision durable. The marks are the caller's.
fn settle_change(
    zone: &ZoneShared,
    found: &Unspent,
    change: &Change,
    inner: &[Option<(&ZoneShared, &Unspent)>],
) -> Result<()> {
    let span = tracing::info_span!("recover", zone = zone.layout.name, sequence = found.undo.sequence);
    let _entered = span.enter();
    found.make_durable(zone)?;
    for (member, record) in inner.iter().flatten() {
        record.make_durable(member)?;
    }
    if planted!("spend_without_settling") {
        return Ok(());
    }
    let members: Vec<Option<&ZoneShared>> = inner.iter().map(|member| member.map(|(zone, _)| zone)).collect();
    let items = place(zone, change, &members)?;
    let decision = judge(&items)?;
    let recovered = inner
        .iter()
        .flatten()
        .map(|(member, record)| (*member, record.undo.sequence));
    for (member, sequence) in std::iter::once((zone, found.undo.sequence)).chain(recovered) {
        // Other handles' caches must not outlive what is written now.
        member
            .lock
            .set_note(ChangeCounter::Recovered.of(sequence), &member.options.holder)?;
        member.forget();
    }
    if planted!("mark_before_restoring") {
        found.mark_spent(zone)?;
    }
    let acted = match decision {
        Decision::Happened if planted!("trust_what_is_readable") => Ok(0),
        Decision::Happened | Decision::Complete => write_new(&items),
        Decision::RollBack => write_old(&items),
    };
    for member in std::iter::once(zone).chain(members.iter().flatten().copied()) {
        member.files.reload_lens()?;
    }
    add(&zone.counters.syncs, acted?);
    report(zone, Some(decision), items.len());
    Ok(())
}

fn report(zone: &ZoneShared, decision: Option<Decision>, items: usize) {
    add(&zone.counters.recoveries, 1);
    tracing::info!(zone = zone.layout.name, ?decision, items, "recovered");
    zone.note_recovery(RecoveryReport {
        zone: zone.layout.name,
        decision,
        items,
    });
}

/// Resolves the files of a change. Items of inner zones that take no part are left out.
fn place<'a>(outer: &'a ZoneShared, change: &'a Change, inner: &[Option<&'a ZoneShared>]) -> Result<Vec<Placed<'a>>> {
    let mut placed = Vec::with_capacity(change.items.len());
    for item in &change.items {
        let corrupt = |message: String| Error::Corrupt {
            file: outer.undo.path().to_owned(),
            record: None,
            rule: "F-0.5",
            message,
        };
        let Some(file) = change.files.get(usize::from(item.file)) else {
            return Err(corrupt("an item names no file".to_owned()));
        };
        let zone = match file.zone.checked_sub(1) {
            None => Some(outer),
            Some(at) => inner.get(usize::from(at)).copied().flatten(),
        };
        let Some(zone) = zone else { continue };
        let Some(open) = zone.files.by_name(&file.name) else {
            return Err(corrupt(format!(
                "it speaks of a file {:?} that this zone does not have",
                file.name
            )));
        };
        placed.push(Placed {
            item,
            file: open,
            zone: file.zone,
        });
    }
    Ok(placed)
}

/// Writes every new byte again, stage by stage, a sync after each. Answers the number of syncs.
fn write_new(items: &[Placed<'_>]) -> Result<u64> {
    let mut syncs = 0;
    for stage in Stage::ALL {
        let of_stage: Vec<&Placed<'_>> = items.iter().filter(|placed| placed.item.stage == stage).collect();
        for placed in &of_stage {
            let file = &placed.file.file;
            match &placed.item.action {
                Action::Range { offset, new, .. } => file.write_all_at(*offset, new)?,
                Action::RecordAppend { old_len, bytes } => file.write_all_at(*old_len, bytes)?,
                Action::PayloadAppend { old_len, len, digest } => rewrite_payload(placed.file, *old_len, *len, digest)?,
            }
        }
        syncs += sync_files(&of_stage)?;
    }
    Ok(syncs)
}

/// The undo has no copy of a payload: what was judged whole is read and written again, piece by piece, and must still
/// be the same.
fn rewrite_payload(file: &ZoneFile, old_len: u64, len: u64, digest: &Digest) -> Result<()> {
    let mut hasher = blake3::Hasher::new();
    copy_pieces(&file.file, old_len, len, |offset, piece| {
        hasher.update(piece);
        file.file.write_all_at(offset, piece)
    })?;
    if hasher.finalize().as_bytes() == digest {
        return Ok(());
    }
    Err(Error::Corrupt {
        file: file.file.path().to_owned(),
        record: None,
        rule: "PROTOCOL-judge",
        message: "its bytes changed while they were being recovered".to_owned(),
    })
}

/// Writes every old byte again and cuts files back, stage by stage in reverse, a sync after each.
///
/// Lean: `Claim_torn_tail_is_gone`.
fn write_old(items: &[Placed<'_>]) -> Result<u64> {
    let mut syncs = 0;
    let mut stages = Stage::ALL;
    if !planted!("restore_forwards") {
        stages.reverse();
    }
    for stage in stages {
        let of_stage: Vec<&Placed<'_>> = items.iter().filter(|placed| placed.item.stage == stage).collect();
        for placed in &of_stage {
            let file = &placed.file.file;
            match &placed.item.action {
                Action::Range { offset, old, .. } => file.write_all_at(*offset, old)?,
                Action::RecordAppend { .. } | Action::PayloadAppend { .. } if planted!("forget_the_truncation") => {}
                Action::RecordAppend { old_len, .. } | Action::PayloadAppend { old_len, .. } => {
                    file.reassert_len(*old_len)?;
                }
            }
        }
        syncs += sync_files(&of_stage)?;
    }
    Ok(syncs)
}

fn sync_files(items: &[&Placed<'_>]) -> disk::Result<u64> {
    let mut synced: Vec<(u8, &str)> = Vec::new();
    for placed in items {
        let key = (placed.zone, placed.file.name);
        if !synced.contains(&key) {
            if planted!("skip_the_syncs_of_recovery") {
                continue;
            }
            placed.file.file.sync()?;
            synced.push(key);
        }
    }
    Ok(synced.len() as u64)
}

/// Locks every zone of the store in order, and settles.
pub(super) fn settle_with_companions(zone: &ZoneShared) -> Result<()> {
    let companions = zone.companions();
    let mut locked: Vec<&Arc<ZoneShared>> = Vec::with_capacity(companions.len());
    let settled = (|| {
        for companion in &companions {
            companion.check_usable()?;
            companion.count_busy(companion.lock.acquire_exclusive())?;
            locked.push(companion);
        }
        let zones: Vec<&ZoneShared> = locked.iter().map(|zone| &***zone).collect();
        settle(&zones)
    })();
    for companion in locked.iter().rev() {
        companion.lock.release_exclusive();
    }
    match settled? {
        Need::Nothing => Ok(()),
        Need::Companions => Err(zone.recovery_needed()),
    }
}

/// What recovery would do with this zone's undo, under at least the shared lock.
pub(super) fn inspect(zone: &ZoneShared) -> Result<Option<Pending>> {
    let Some(found) = Unspent::read(zone)? else {
        return Ok(None);
    };
    let (decision, external, files) = match &found.undo.body {
        Body::Change(change) => {
            let files = change.files.iter().map(|file| file.name.clone()).collect();
            let decision = if change.inner.is_empty() {
                Some(judge(&place(zone, change, &[])?)?)
            } else {
                None
            };
            (decision, false, files)
        }
        Body::External { .. } => (None, true, Vec::new()),
        Body::Retire => (None, false, Vec::new()),
    };
    Ok(Some(Pending {
        sequence: found.undo.sequence,
        now: found.undo.now,
        decision,
        external,
        files,
    }))
}
