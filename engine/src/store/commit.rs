//! The commit: from a plan to an acknowledged change, stage by stage.
//!
//! Promises: no authority byte is written before the undo's sync has succeeded; each stage is durable before the next
//! begins; a full disk before the commit stage undoes everything and leaves the zone usable; any other failure of a
//! mutating call poisons the handle, and from the commit stage's first byte on the outcome is unknown to the caller.
//! Relies on: the exclusive lock of every member, each of which has nothing to recover.
//!
//! Lean: `Claim_acknowledged_is_all_new`, `Claim_steps_are_guarded`, `Claim_stages_are_in_order`,
//! `Claim_nothing_is_seen_before_the_sync`, `Claim_full_disk_undoes`.

use crate::disk::{self, DurableFile};

use super::error::{Error, Result};
use super::overlay::Overlay;
use super::plan::{Plan, pieces_of};
use super::receipt::Receipt;
use super::recovery;
use super::stats::add;
use super::undo::{Action, Body, Digest, Item, MARK_OFFSET, Stage, UNDO_OFFSET, Undo, encode_mark};
use super::zone::{ChangeCounter, ZoneShared};

/// One zone of a commit.
pub(super) struct CommitMember<'a> {
    pub(super) zone: &'a ZoneShared,
    pub(super) overlay: &'a Overlay,
    /// The highest sequence that its store has seen.
    pub(super) sequence: u64,
}

/// A failed step, and whether it was a sync: after one of those nothing is known, whatever the reason.
struct Failure {
    error: Error,
    of_sync: bool,
}

impl From<disk::Error> for Failure {
    fn from(error: disk::Error) -> Self {
        Self {
            error: error.into(),
            of_sync: false,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, of_sync: false }
    }
}

struct Committer<'a> {
    members: &'a [CommitMember<'a>],
    outer: usize,
    plan: &'a Plan,
    receipt: Receipt,
}

/// The undo that a member's store gets.
struct Written {
    member: usize,
    sequence: u64,
    digest: Digest,
    bytes: Vec<u8>,
}

/// Carries a plan out. `now` goes into the undo.
pub(super) fn commit(members: &[CommitMember<'_>], outer: usize, plan: &Plan, now: u64) -> Result<Receipt> {
    let mut committer = Committer {
        members,
        outer,
        plan,
        receipt: Receipt::default(),
    };
    let undos = committer.undos(now)?;
    committer.reserve(&undos)?;
    for stage in [None].into_iter().chain(Stage::ALL.into_iter().map(Some)) {
        let done = match stage {
            None => committer.write_undos(&undos),
            Some(stage) => committer.write_stage(stage),
        };
        if let Err(failure) = done {
            return Err(committer.fail(failure, stage == Some(Stage::Commit)));
        }
    }
    committer.acknowledge(&undos);
    Ok(committer.receipt)
}

impl Committer<'_> {
    fn involved(&self, member: usize) -> bool {
        self.plan.targets.iter().any(|target| target.member == member)
    }

    /// The undo of the outer zone, then the external records of the inner ones.
    fn undos(&self, now: u64) -> Result<Vec<Written>> {
        let write = |member: usize, body: Body| -> Result<Written> {
            let zone = self.members.get(member).ok_or_else(no_member)?;
            let sequence = zone.sequence.checked_add(1).ok_or(Error::Exhausted {
                what: "the sequence of a zone's changes",
                limit: u64::MAX,
            })?;
            let undo = Undo {
                sequence,
                now,
                nonce: zone.zone.next_nonce(),
                body,
            };
            let (bytes, digest) = undo.encode();
            Ok(Written {
                member,
                sequence,
                digest,
                bytes,
            })
        };
        let outer = write(self.outer, Body::Change(self.plan.change.clone()))?;
        let identity = *self.members.get(self.outer).ok_or_else(no_member)?.zone.lock.identity();
        let digest = outer.digest;
        let mut undos = vec![outer];
        for member in (0..self.members.len()).filter(|member| *member != self.outer && self.involved(*member)) {
            undos.push(write(
                member,
                Body::External {
                    outer: identity,
                    digest,
                },
            )?);
        }
        Ok(undos)
    }

    fn store_of(&self, undo: &Written) -> Result<&DurableFile> {
        Ok(&self.members.get(undo.member).ok_or_else(no_member)?.zone.undo)
    }

    fn file_of(&self, item: &Item) -> Result<&DurableFile> {
        let target = self.plan.targets.get(usize::from(item.file)).ok_or_else(no_member)?;
        let member = self.members.get(target.member).ok_or_else(no_member)?;
        Ok(&member.zone.files.slot(target.slot)?.file)
    }

    /// Meets a full disk here, before anything is written.
    fn reserve(&self, undos: &[Written]) -> Result<()> {
        for undo in undos {
            let zone = self.members.get(undo.member).ok_or_else(no_member)?.zone;
            zone.reserve_undo(UNDO_OFFSET + undo.bytes.len() as u64)?;
        }
        for item in &self.plan.change.items {
            match &item.action {
                Action::Range { .. } => {}
                Action::RecordAppend { old_len, bytes } => {
                    self.file_of(item)?.reserve(*old_len, bytes.len() as u64)?;
                }
                Action::PayloadAppend { old_len, len, .. } => self.file_of(item)?.reserve(*old_len, *len)?,
            }
        }
        Ok(())
    }

    /// Syncs the files of one phase, all of which have been written.
    fn sync(&mut self, files: &[DurableFile]) -> Result<(), Failure> {
        let Some(first) = self.members.first() else {
            return Ok(());
        };
        self.receipt.syncs += u32::try_from(files.len()).unwrap_or(u32::MAX);
        let files: Vec<&DurableFile> = files.iter().collect();
        let mut synced = DurableFile::sync_together(&*first.zone.vfs, &files);
        if planted!("retry_a_failed_sync") && synced.is_err() {
            synced = DurableFile::sync_together(&*first.zone.vfs, &files);
        }
        if planted!("ignore_a_failed_sync") {
            synced = Ok(());
        }
        synced.map_err(|error| Failure {
            error: error.into(),
            of_sync: true,
        })
    }

    fn write_undos(&mut self, undos: &[Written]) -> Result<(), Failure> {
        for (at, undo) in undos.iter().enumerate() {
            if at > 0 && planted!("skip_the_external_record") {
                continue;
            }
            self.store_of(undo)?.write_all_at(UNDO_OFFSET, &undo.bytes)?;
            self.receipt.bytes += undo.bytes.len() as u64;
        }
        if !planted!("skip_undo_sync") {
            let stores = undos.iter().map(|undo| Ok(self.store_of(undo)?.clone()));
            self.sync(&stores.collect::<Result<Vec<_>>>()?)?;
        }
        for undo in undos.iter().filter(|_| planted!("spend_early")) {
            let mark = encode_mark(undo.sequence, &undo.digest);
            self.store_of(undo)?.write_all_at(MARK_OFFSET, &mark)?;
        }
        self.receipt.phases += 1;
        self.receipt.sequence = undos.first().map_or(0, |undo| undo.sequence);
        // Before the first changed byte, so that no cache outlives it. It need not be durable.
        for undo in undos {
            let zone = self.members.get(undo.member).ok_or_else(no_member)?.zone;
            let counter = ChangeCounter::Committed.of(undo.sequence);
            if !planted!("leave_the_change_counter") {
                zone.lock.set_note(counter, &zone.options.holder)?;
            }
            zone.remember(counter, undo.digest, undo.sequence);
        }
        Ok(())
    }

    fn write_stage(&mut self, stage: Stage) -> Result<(), Failure> {
        let items: Vec<&Item> = self
            .plan
            .change
            .items
            .iter()
            .filter(|item| item.stage == stage)
            .collect();
        if items.is_empty() {
            return Ok(());
        }
        let mut touched: Vec<u16> = Vec::new();
        for item in items {
            let file = self.file_of(item)?.clone();
            match &item.action {
                Action::Range { offset, new, .. } => {
                    file.write_all_at(*offset, new)?;
                    self.receipt.bytes += new.len() as u64;
                }
                Action::RecordAppend { old_len, bytes } => {
                    file.write_all_at(*old_len, bytes)?;
                    self.receipt.bytes += bytes.len() as u64;
                }
                Action::PayloadAppend { old_len, len, .. } => {
                    self.write_payload(item, &file, *old_len)?;
                    self.receipt.bytes += len;
                }
            }
            if touched.last() != Some(&item.file) {
                touched.push(item.file);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let mut files = Vec::with_capacity(touched.len());
        for number in touched {
            let target = self.plan.targets.get(usize::from(number)).ok_or_else(no_member)?;
            let member = self.members.get(target.member).ok_or_else(no_member)?;
            files.push(member.zone.files.slot(target.slot)?.file.clone());
        }
        let skipped = match stage {
            Stage::Payload => planted!("skip_payload_sync"),
            Stage::Fields | Stage::State => planted!("one_sync_for_fields_and_commit"),
            Stage::Commit => planted!("acknowledge_before_the_commit_sync"),
        };
        if !skipped {
            self.sync(&files)?;
        }
        self.receipt.phases += 1;
        Ok(())
    }

    fn write_payload(&self, item: &Item, file: &DurableFile, old_len: u64) -> Result<()> {
        let target = self.plan.targets.get(usize::from(item.file)).ok_or_else(no_member)?;
        let member = self.members.get(target.member).ok_or_else(no_member)?;
        let mut offset = old_len;
        for segment in member.overlay.slot(target.slot).map_or(&[][..], |slot| &slot.segments) {
            pieces_of(segment, |piece| {
                file.write_all_at(offset, piece)?;
                offset += piece.len() as u64;
                Ok(())
            })?;
        }
        Ok(())
    }

    /// What a failed step means for the zones and for the caller.
    fn fail(&self, failure: Failure, commit_stage: bool) -> Error {
        let full = matches!(&failure.error, Error::Disk(error) if error.is_no_space());
        if full && !failure.of_sync && !commit_stage {
            let zones: Vec<&ZoneShared> = self.members.iter().map(|member| member.zone).collect();
            match recovery::settle(&zones) {
                Ok(_) => {
                    for zone in zones {
                        add(&zone.counters.rollbacks, 1);
                        zone.forget();
                    }
                    return failure.error;
                }
                Err(error) => self.poison(&format!("undoing a change on a full disk failed: {error}")),
            }
        } else {
            self.poison(&failure.error.to_string());
        }
        if commit_stage {
            Error::Unknown(Box::new(failure.error))
        } else {
            failure.error
        }
    }

    fn poison(&self, cause: &str) {
        for member in self.members {
            member.zone.set_poison(cause);
        }
    }

    /// After the commit stage's sync: the marks, inner zones first, and what this handle knows. A mark that cannot be
    /// written takes nothing back; the handle is out of use afterwards.
    fn acknowledge(&mut self, undos: &[Written]) {
        for undo in undos.iter().skip(1).chain(undos.first()) {
            let Some(member) = self.members.get(undo.member) else {
                continue;
            };
            let marked = member.zone.write_mark(undo.sequence, &undo.digest).and_then(|()| {
                if member.zone.options.sync_spent {
                    member.zone.undo.sync()?;
                    member.zone.mark_is_unsynced(false);
                }
                Ok(())
            });
            if let Err(error) = marked {
                self.poison(&format!("marking a change as done failed: {error}"));
                break;
            }
        }
        if let Some(outer) = self.members.get(self.outer) {
            add(&outer.zone.counters.commits, 1);
            add(&outer.zone.counters.syncs, u64::from(self.receipt.syncs));
            add(&outer.zone.counters.bytes, self.receipt.bytes);
        }
        self.receipt.files = u32::try_from(self.plan.targets.len()).unwrap_or(u32::MAX);
    }
}

fn no_member() -> Error {
    Error::Usage("the plan speaks of a zone that is not part of the transaction".to_owned())
}
