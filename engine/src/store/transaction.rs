//! The one way to change a zone: pending writes under the exclusive lock, then a commit in stages.

use std::cell::RefCell;

use crate::format::{Layout, UnixSeconds};

use super::commit::{self, CommitMember};
use super::error::{Error, Result};
use super::index::KeyMap;
use super::overlay::{Order, Overlay, Savepoint, Segment};
use super::plan;
use super::receipt::Receipt;
use super::recovery::{self, Need};
use super::source::{FamilyId, IndexDefinition, Source};
use super::spool::Spool;
use super::undo::{Body, Stage, UNDO_OFFSET, Undo};
use super::view::foreign_family;
use super::zone::{Look, Zone, ZoneShared};

/// Refuses the time 0: a native writer whose clock reads 0 must not write (F-1).
pub(super) fn check_now(now: UnixSeconds) -> Result<()> {
    if now.0 == 0 {
        return Err(Error::Refused {
            rule: "F-1",
            message: "the time of a change must not be 0".to_owned(),
        });
    }
    Ok(())
}

#[derive(Debug)]
struct Member<'z> {
    zone: &'z ZoneShared,
    overlay: Overlay,
    sequence: u64,
}

/// The keys of pending records, for one index.
#[derive(Debug)]
struct PendingKeys {
    definition: &'static IndexDefinition,
    keys: KeyMap,
}

/// What a transaction knows of the keys of its records when it is committed.
struct Learnt {
    member: usize,
    definition: &'static IndexDefinition,
    keys: Result<KeyMap>,
    /// How many records the index's family had before.
    before: u32,
}

/// Pending writes over one zone, or several, whose exclusive locks it holds. Dropping it costs nothing and changes
/// nothing.
#[derive(Debug)]
pub struct Transaction<'z> {
    members: Vec<Member<'z>>,
    outer: usize,
    now: UnixSeconds,
    pending_keys: RefCell<Vec<PendingKeys>>,
}

/// A place in a transaction that it can return to.
#[derive(Debug)]
pub struct Bookmark {
    savepoints: Vec<Savepoint>,
    now: UnixSeconds,
}

impl<'z> Transaction<'z> {
    /// Locks the zones in the given order and recovers each where its last writer died.
    pub(super) fn begin(zones: &[&'z Zone], outer: usize, now: UnixSeconds) -> Result<Self> {
        // A recovery that needs more locks than these lets go and comes back; it has then settled every zone.
        for _ in 0..2 {
            let mut transaction = Self {
                members: Vec::with_capacity(zones.len()),
                outer,
                now,
                pending_keys: RefCell::default(),
            };
            for zone in zones {
                let zone = &*zone.shared;
                zone.check_usable()?;
                if zone.options.read_only {
                    return Err(Error::Usage("the store is open for reading only".to_owned()));
                }
                zone.count_busy(zone.lock.acquire_exclusive())?;
                let overlay = Overlay::new(zone.files.slots.len());
                transaction.members.push(Member {
                    zone,
                    overlay,
                    sequence: 0,
                });
            }
            match transaction.make_ready()? {
                Need::Nothing => return Ok(transaction),
                Need::Companions => {
                    drop(transaction);
                    for zone in zones {
                        recovery::settle_with_companions(&zone.shared)?;
                    }
                }
            }
        }
        Err(zones.first().map_or_else(
            || Error::Usage("no zone".to_owned()),
            |zone| zone.shared.recovery_needed(),
        ))
    }

    fn make_ready(&mut self) -> Result<Need> {
        let mut settled = false;
        for at in 0..self.members.len() {
            let Some(member) = self.members.get_mut(at) else { break };
            match member.zone.look()? {
                Look::Ready(sequence) => member.sequence = sequence,
                Look::Unspent if settled => return Err(member.zone.recovery_needed()),
                Look::Unspent => {
                    let zones: Vec<&ZoneShared> = self.members.iter().map(|member| member.zone).collect();
                    if let Need::Companions = recovery::settle(&zones)? {
                        return Ok(Need::Companions);
                    }
                    settled = true;
                }
            }
        }
        // A recovery moves the sequence of every zone that took part.
        for member in self.members.iter_mut().filter(|_| settled) {
            match member.zone.look()? {
                Look::Ready(sequence) => member.sequence = sequence,
                Look::Unspent => return Err(member.zone.recovery_needed()),
            }
        }
        Ok(Need::Nothing)
    }

    /// The time that operations of this transaction store.
    #[must_use]
    pub fn now(&self) -> UnixSeconds {
        self.now
    }

    /// Sets the time for the operations that follow; 0 is refused (F-1).
    pub fn set_now(&mut self, now: UnixSeconds) -> Result<()> {
        check_now(now)?;
        self.now = now;
        Ok(())
    }

    fn member(&self, family: FamilyId) -> Result<&Member<'z>> {
        self.members.get(usize::from(family.zone)).ok_or_else(unknown_family)
    }

    fn member_mut(&mut self, family: FamilyId) -> Result<&mut Member<'z>> {
        self.members
            .get_mut(usize::from(family.zone))
            .ok_or_else(unknown_family)
    }

    fn check_bytes(&self, more: u64) -> Result<()> {
        let limit = self
            .members
            .first()
            .map_or(0, |member| member.zone.options.max_transaction_bytes);
        let pending: u64 = self.members.iter().map(|member| member.overlay.bytes).sum();
        if pending.saturating_add(more) > limit {
            return Err(Error::Exhausted {
                what: "the memory of a transaction, in bytes",
                limit,
            });
        }
        Ok(())
    }

    /// Appends a record and answers its index. Lean: `Claim_appended_records_stay`.
    pub fn append_record(&mut self, family: FamilyId, stage: Stage, bytes: &[u8]) -> Result<u32> {
        check_stage(stage)?;
        check_size(family, bytes)?;
        self.check_bytes(2 * bytes.len() as u64)?;
        let index = self.record_count(family);
        // The index must stay below u32::MAX, so that index + 1 can be stored (F-1, capacity).
        if index == u32::MAX {
            return Err(Error::Exhausted {
                what: "the records of a family",
                limit: u64::from(u32::MAX),
            });
        }
        self.member_mut(family)?
            .overlay
            .append_record(family.record_slot, index, stage, bytes);
        Ok(index)
    }

    /// Overwrites a whole record, in one stage.
    pub fn replace_record(&mut self, family: FamilyId, index: u32, stage: Stage, bytes: &[u8]) -> Result<()> {
        check_stage(stage)?;
        self.change(family, index, Order::Whole(stage), bytes)
    }

    /// Overwrites a record so that every changed byte but the state byte is durable before the state byte is written.
    pub fn change_state_last(
        &mut self,
        family: FamilyId,
        index: u32,
        state_offset: usize,
        state_stage: Stage,
        bytes: &[u8],
    ) -> Result<()> {
        if !matches!(state_stage, Stage::State | Stage::Commit) || state_offset >= bytes.len() {
            return Err(Error::Usage(
                "a state byte belongs to the record and to the state or commit stage".to_owned(),
            ));
        }
        self.change(
            family,
            index,
            Order::StateLast {
                state_offset,
                stage: state_stage,
            },
            bytes,
        )
    }

    fn change(&mut self, family: FamilyId, index: u32, order: Order, bytes: &[u8]) -> Result<()> {
        check_size(family, bytes)?;
        self.check_bytes(4 * bytes.len() as u64)?;
        let mut old = vec![0; bytes.len()];
        self.read_record(family, index, &mut old)?;
        if old == bytes {
            return Ok(());
        }
        let member = self.member_mut(family)?;
        let base = member.zone.count(family);
        match index.checked_sub(base) {
            Some(appended) => {
                let start = appended as usize * family.record_size as usize;
                member.overlay.change_appended(family.record_slot, index, start, bytes);
            }
            None => member.overlay.patch(family.record_slot, index, order, &old, bytes),
        }
        Ok(())
    }

    /// Appends payload and answers its absolute offset. Empty payload is at offset 4 and takes no room.
    pub fn append_payload(&mut self, family: FamilyId, bytes: &[u8]) -> Result<u64> {
        self.check_bytes(bytes.len() as u64)?;
        self.append_segment(family, Segment::Memory(bytes.to_vec()))
    }

    /// Appends a spool's content as payload and answers its absolute offset. It does not count in memory.
    pub fn append_payload_spool(&mut self, family: FamilyId, spool: Spool) -> Result<u64> {
        self.append_segment(family, Segment::Spooled(spool))
    }

    fn append_segment(&mut self, family: FamilyId, segment: Segment) -> Result<u64> {
        let slot = family.payload_slot.ok_or_else(unknown_family)?;
        if segment.len() == 0 {
            return Ok(crate::format::HEADER_LEN);
        }
        let mut offset = self.payload_len(family);
        if planted!("reuse_a_payload_range") && offset >= crate::format::HEADER_LEN.saturating_add(segment.len()) {
            offset -= segment.len();
        }
        if offset
            .checked_add(segment.len())
            .is_none_or(|end| end > i64::MAX as u64)
        {
            return Err(Error::Exhausted {
                what: "the payload of a family, in bytes",
                limit: i64::MAX as u64,
            });
        }
        self.member_mut(family)?.overlay.append_payload(slot, segment);
        Ok(offset)
    }

    /// An unnamed file in the root's directory, for content that is too large for memory.
    pub fn spool(&self) -> Result<Spool> {
        let member = self.members.first().ok_or_else(unknown_family)?;
        Spool::create(&member.zone.directory)
    }

    /// Runs one operation; if it is refused, only its own writes are dropped.
    pub fn attempt<T, E: From<Error>>(&mut self, operation: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let bookmark = self.bookmark();
        let now = self.now;
        let result = operation(self);
        if result.is_err() {
            self.return_to(bookmark);
        }
        self.now = now;
        result
    }

    /// Where the transaction stands now, for [`Self::return_to`].
    #[must_use]
    pub fn bookmark(&self) -> Bookmark {
        Bookmark {
            savepoints: self.members.iter().map(|member| member.overlay.savepoint()).collect(),
            now: self.now,
        }
    }

    /// Drops everything that was written since the bookmark. Bookmarks are returned to in the reverse of their order.
    pub fn return_to(&mut self, bookmark: Bookmark) {
        for (member, savepoint) in self.members.iter_mut().zip(bookmark.savepoints) {
            member.overlay.return_to(savepoint);
        }
        for pending in self.pending_keys.borrow_mut().iter_mut() {
            let touched = self
                .members
                .iter()
                .map(|member| member.overlay.touched.len())
                .min()
                .unwrap_or(0);
            pending.keys.rewind(touched);
        }
        self.now = bookmark.now;
    }

    /// Whether anything is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members
            .iter()
            .all(|member| member.overlay.touched.is_empty() && member.overlay.bytes == 0)
            && self
                .members
                .iter()
                .all(|member| member.overlay.slots.iter().all(|slot| slot.payload_len == 0))
    }

    /// Bytes of pending writes held in memory.
    #[must_use]
    pub fn pending_bytes(&self) -> u64 {
        self.members.iter().map(|member| member.overlay.bytes).sum()
    }

    /// Commits. On `Ok` the change is durable. A transaction that changes nothing touches no file.
    pub fn commit(mut self) -> Result<Receipt> {
        let span = tracing::debug_span!(
            "commit",
            stages = tracing::field::Empty,
            sequence = tracing::field::Empty,
            phases = tracing::field::Empty
        );
        let _entered = span.enter();
        let pairs: Vec<(&ZoneShared, &Overlay)> = self
            .members
            .iter()
            .map(|member| (member.zone, &member.overlay))
            .collect();
        let plan = plan::build(&pairs, self.outer)?;
        if plan.change.items.is_empty() {
            return Ok(Receipt::default());
        }
        span.record("stages", tracing::field::debug(plan.stages()));
        let members: Vec<CommitMember<'_>> = self
            .members
            .iter()
            .map(|member| CommitMember {
                zone: member.zone,
                overlay: &member.overlay,
                sequence: member.sequence,
            })
            .collect();
        if planted!("release_the_lock_before_the_commit") {
            for member in &members {
                member.zone.lock.release_exclusive();
            }
        }
        let receipt = commit::commit(&members, self.outer, &plan, self.now.0)?;
        span.record("sequence", receipt.sequence)
            .record("phases", receipt.phases);
        drop(members);
        self.settle_in_memory();
        Ok(receipt)
    }

    /// After the acknowledgement: the pending writes have become the zone's, so lengths, caches and indexes follow.
    fn settle_in_memory(&mut self) {
        let learnt = self.learn_keys();
        for member in &mut self.members {
            let overlay = std::mem::replace(&mut member.overlay, Overlay::new(member.zone.files.slots.len()));
            member.zone.take_over(&overlay);
        }
        for learnt in learnt {
            if let Some(member) = self.members.get(learnt.member) {
                let source = OneZone {
                    transaction: self,
                    zone: u8::try_from(learnt.member).unwrap_or(u8::MAX),
                };
                let Learnt { definition, before, .. } = learnt;
                member.zone.take_over_keys(definition, learnt.keys, before, &source);
            }
        }
    }

    /// The keys of all pending records, for each index that a handle holds in memory. Most are known already, since the
    /// operations looked for them.
    fn learn_keys(&self) -> Vec<Learnt> {
        let mut pending = std::mem::take(&mut *self.pending_keys.borrow_mut());
        let mut all = Vec::new();
        for (member, Member { zone, overlay, .. }) in self.members.iter().enumerate() {
            let number = u8::try_from(member).unwrap_or(u8::MAX);
            for definition in zone.indexed() {
                let Ok(Some(family)) = zone.files.family(definition.layout, number) else {
                    continue;
                };
                let known = pending
                    .iter()
                    .position(|pending| std::ptr::eq(pending.definition, definition));
                let mut keys = known.map_or_else(KeyMap::default, |at| pending.swap_remove(at).keys);
                let caught_up = keys.catch_up(definition, self, family, &overlay.touched);
                all.push(Learnt {
                    member,
                    definition,
                    keys: caught_up.map(|()| keys),
                    before: zone.count(family),
                });
            }
        }
        all
    }

    /// Replaces each member's undo by one with nothing to judge, and spends it durably.
    pub(super) fn retire(self) -> Result<()> {
        for member in &self.members {
            let zone = member.zone;
            let sequence = member.sequence.checked_add(1).ok_or(Error::Exhausted {
                what: "the sequence of a zone's changes",
                limit: u64::MAX,
            })?;
            let undo = Undo {
                sequence,
                now: self.now.0,
                nonce: zone.next_nonce(),
                body: Body::Retire,
            };
            let (bytes, digest) = undo.encode();
            let retired = zone
                .undo
                .write_all_at(UNDO_OFFSET, &bytes)
                .and_then(|()| zone.undo.sync())
                .map_err(Error::from)
                .and_then(|()| zone.write_mark(sequence, &digest))
                .and_then(|()| Ok(zone.undo.sync()?));
            if let Err(error) = retired {
                zone.set_poison(&error.to_string());
                return Err(error);
            }
            zone.mark_is_unsynced(false);
        }
        Ok(())
    }

    fn find_pending(
        &self,
        definition: &'static IndexDefinition,
        family: FamilyId,
        key: &[u8],
        source: &dyn Source,
    ) -> Result<Vec<u32>> {
        let member = self.member(family)?;
        if member.overlay.touched.is_empty() {
            return Ok(Vec::new());
        }
        let taken = {
            let mut all = self.pending_keys.borrow_mut();
            let at = all
                .iter()
                .position(|pending| std::ptr::eq(pending.definition, definition));
            at.map(|at| all.swap_remove(at))
        };
        let mut pending = taken.unwrap_or_else(|| PendingKeys {
            definition,
            keys: KeyMap::default(),
        });
        let caught_up = pending
            .keys
            .catch_up(definition, source, family, &member.overlay.touched);
        let candidates = pending.keys.candidates(key);
        self.pending_keys.borrow_mut().push(pending);
        caught_up?;
        Ok(candidates)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        for member in self.members.iter().rev() {
            if planted!("write_in_drop")
                && let Ok(head) = member.zone.read_head()
            {
                let _ = member.zone.write_mark(member.sequence, &head.undo_digest);
            }
            member.zone.lock.release_exclusive();
        }
    }
}

impl Source for Transaction<'_> {
    fn family(&self, layout: &'static Layout) -> Result<FamilyId> {
        for (at, member) in self.members.iter().enumerate() {
            if let Some(family) = member.zone.files.family(layout, u8::try_from(at).unwrap_or(u8::MAX))? {
                return Ok(family);
            }
        }
        Err(foreign_family(layout))
    }

    fn record_count(&self, family: FamilyId) -> u32 {
        let Ok(member) = self.member(family) else { return 0 };
        let pending = member
            .overlay
            .slot(family.record_slot)
            .map_or(0, |slot| slot.records.len());
        let appended = u32::try_from(pending / (family.record_size as usize).max(1)).unwrap_or(u32::MAX);
        member.zone.count(family).saturating_add(appended)
    }

    fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
        let member = self.member(family)?;
        let slot = member.overlay.slot(family.record_slot).ok_or_else(unknown_family)?;
        let base = member.zone.count(family);
        let pending = match index.checked_sub(base) {
            Some(appended) => {
                let start = appended as usize * family.record_size as usize;
                slot.records
                    .get(start..start.saturating_add(family.record_size as usize))
            }
            None => slot.patches.get(&index).map(|patch| &patch.new[..]),
        };
        match pending {
            Some(bytes) => {
                check_size(family, out)?;
                out.copy_from_slice(bytes);
                Ok(())
            }
            None => member.zone.read_record(family, index, out),
        }
    }

    fn payload_len(&self, family: FamilyId) -> u64 {
        let Ok(member) = self.member(family) else { return 0 };
        let Ok(file) = member.zone.payload_file(family) else {
            return 0;
        };
        let pending = family
            .payload_slot
            .and_then(|slot| member.overlay.slot(slot))
            .map_or(0, |slot| slot.payload_len);
        file.known_len() + pending
    }

    fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
        let member = self.member(family)?;
        let base = member.zone.payload_file(family)?.known_len();
        let slot = family.payload_slot.ok_or_else(unknown_family)?;
        // Payload is appended whole, so a range lies on one side of the old end.
        match offset.checked_sub(base) {
            Some(pending) if !out.is_empty() => {
                if member.overlay.read_payload(slot, pending, out)? {
                    return Ok(());
                }
                Err(Error::Corrupt {
                    file: member.zone.payload_file(family)?.file.path().to_owned(),
                    record: None,
                    rule: "F-1",
                    message: format!(
                        "a payload at {offset} lies outside its {} bytes",
                        self.payload_len(family)
                    ),
                })
            }
            _ => member.zone.read_payload(family, offset, out),
        }
    }

    fn find(
        &self,
        index: &'static IndexDefinition,
        key: &[u8],
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let family = self.family(index.layout)?;
        let member = self.member(family)?;
        let source = OneZone {
            transaction: self,
            zone: family.zone,
        };
        let committed = member.zone.find_committed(index, family, key, &source, accept)?;
        let mut found = committed;
        for candidate in self.find_pending(index, family, key, self)? {
            if candidate < self.record_count(family)
                && found.is_none_or(|found| candidate < found)
                && accept(candidate)?
            {
                found = Some(candidate);
            }
        }
        Ok(found)
    }
}

/// One zone of a transaction as it stands on disk: what an index over the committed records reads.
struct OneZone<'a, 'z> {
    transaction: &'a Transaction<'z>,
    zone: u8,
}

impl OneZone<'_, '_> {
    fn shared(&self) -> Result<&ZoneShared> {
        Ok(self
            .transaction
            .members
            .get(usize::from(self.zone))
            .ok_or_else(unknown_family)?
            .zone)
    }
}

impl Source for OneZone<'_, '_> {
    fn family(&self, layout: &'static Layout) -> Result<FamilyId> {
        self.shared()?
            .files
            .family(layout, self.zone)?
            .ok_or_else(|| foreign_family(layout))
    }

    fn record_count(&self, family: FamilyId) -> u32 {
        self.shared().map_or(0, |zone| zone.count(family))
    }

    fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
        self.shared()?.read_record(family, index, out)
    }

    fn payload_len(&self, family: FamilyId) -> u64 {
        self.shared()
            .and_then(|zone| Ok(zone.payload_file(family)?.known_len()))
            .unwrap_or(0)
    }

    fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
        self.shared()?.read_payload(family, offset, out)
    }

    fn find(
        &self,
        index: &'static IndexDefinition,
        key: &[u8],
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let family = self.family(index.layout)?;
        self.shared()?.find_committed(index, family, key, self, accept)
    }
}

fn check_stage(stage: Stage) -> Result<()> {
    if stage == Stage::Payload {
        return Err(Error::Usage("the payload stage is for payload".to_owned()));
    }
    Ok(())
}

fn check_size(family: FamilyId, bytes: &[u8]) -> Result<()> {
    if bytes.len() == family.record_size as usize {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "a record of this family has {} bytes, not {}",
        family.record_size,
        bytes.len()
    )))
}

fn unknown_family() -> Error {
    Error::Usage("the family belongs to another zone".to_owned())
}
