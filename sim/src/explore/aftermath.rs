//! The judge of a run in which calls failed: the error is exactly the one that DESIGN names for the stage, and the same
//! handle goes on as it says.
//!
//! Before the undo is written a failure costs nothing: the change did not happen and the handle goes on. From there to
//! the commit stage it did not happen either; a full disk is undone, and with space again the handle goes on, while any
//! other failure, of a sync or in the undoing, poisons. In the commit stage the outcome is unknown. A mark that cannot be
//! written takes nothing back and poisons. What is poisoned answers so, and dropping it writes nothing.

use graven::vfs::fault::{CutPlan, EACCES, EINTR, ENOSPC, FaultDisk, OperationKind, Outcome, TraceEntry};

use super::process::{Ended, WRITER, entropy};
use super::{Explorer, is_undone, outcome_of};
use crate::coverage::{Place, Stage};
use crate::judge::checks::{Check, Wrong};
use crate::path::{End, FailedCall, Failure};
use crate::subject::{After, Kind, Refusal};

/// What a run's handle answered after the run, and what it left.
#[derive(Debug)]
pub struct WentOn {
    /// The answers.
    pub after: After,
    /// The disk when it was gone.
    pub disk: FaultDisk,
}

/// The kind of error that tells a failed call; `None`: nobody is told, since the call is made again or continued.
fn kind_of(failure: &Failure) -> Option<Kind> {
    match *failure {
        Failure::Errno(EINTR) => None,
        Failure::Short(len) => (len == 0).then_some(Kind::Io),
        Failure::Errno(ENOSPC) | Failure::Sticky(ENOSPC) | Failure::Sync(ENOSPC, _) => Some(Kind::NoSpace),
        Failure::Errno(EACCES) | Failure::Sticky(EACCES) => Some(Kind::Permission),
        Failure::Errno(_) | Failure::Sticky(_) | Failure::Sync(..) => Some(Kind::Io),
    }
}

/// What a handle is after a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handle {
    Usable,
    Poisoned,
    /// The law leaves it open, such as when a store was being created or closed.
    Either,
}

/// What the law says of a handle after a call failed in this stage.
fn handle_after(stage: Stage, first: &FailedCall, ended: &Ended) -> Handle {
    // A lock that cannot be given up goes with its descriptor, and nobody is told.
    let is_behind = |entry: &&TraceEntry| entry.operation > first.operation && entry.kind != OperationKind::Unlock;
    let mut behind = ended.trace.iter().filter(is_behind);
    let undone = behind.all(|entry| !matches!(entry.outcome, Outcome::Failed(_)));
    let entry = ended.trace.iter().find(|entry| entry.operation == first.operation);
    let of_sync = entry.is_some_and(|entry| entry.kind.is_sync());
    match stage {
        // Behind the mark stand the unlocking and what only serves speed.
        Stage::Spent if entry.is_some_and(|entry| !entry.kind.changes()) => Handle::Usable,
        Stage::Build | Stage::Reserve | Stage::Index | Stage::Answered => Handle::Usable,
        // The undoing of a full disk met no other failure.
        Stage::Undo | Stage::Payload | Stage::Fields | Stage::State
            if kind_of(&first.failure) == Some(Kind::NoSpace) && !of_sync =>
        {
            if undone {
                Handle::Usable
            } else {
                Handle::Poisoned
            }
        }
        Stage::Undo | Stage::Payload | Stage::Fields | Stage::State | Stage::Commit | Stage::Spent => Handle::Poisoned,
        _ => Handle::Either,
    }
}

impl Explorer<'_> {
    /// Judges the run that ended so; its first failed call stands at `place`.
    pub(super) fn judge_failed_run(&mut self, end: &End, ended: &Ended, place: Place) -> Result<(), Wrong> {
        let End::Fail(calls) = end else { return Ok(()) };
        let Some(first) = calls.first() else { return Ok(()) };
        self.expect_nothing_deleted(&self.start, first, ended)?;
        if self.limits.medium.room.is_some() {
            // A disk that may be full before the call fails answers by itself, too.
            return Ok(());
        }
        self.expect_error(first, ended, place)?;
        self.expect_handle(first, ended, place)
    }

    fn expect_error(&self, first: &FailedCall, ended: &Ended, place: Place) -> Result<(), Wrong> {
        let Some(stop) = &ended.stop else {
            return self.expect_told(first, ended, place);
        };
        let (limits, message) = (self.limits, &stop.message);
        let poisoned_before = stop.step > place.step && stop.kind == Kind::Poisoned;
        let kind = kind_of(&first.failure).unwrap_or(Kind::Io);
        if stop.kind != kind && !poisoned_before {
            let told = format!("{kind:?} was answered as {:?}: {message}", stop.kind);
            limits.wrong(Check::KindOfError, told)?;
        }
        let known = match place.stage {
            Stage::Build | Stage::Reserve | Stage::Undo | Stage::Payload | Stage::Fields | Stage::State => Some(false),
            Stage::Commit => Some(true),
            _ => None,
        };
        let of_step = stop.step == place.step || poisoned_before;
        let unknown = if poisoned_before { Some(false) } else { known };
        if of_step && unknown.is_some_and(|unknown| unknown != stop.unknown) {
            let told = format!(
                "a failure in the stage {} left the outcome {}: {message}",
                place.stage.name(),
                if stop.unknown { "unknown" } else { "known" }
            );
            limits.wrong(Check::OutcomeOfError, told)?;
        }
        Ok(())
    }

    /// From the undo to the commit point no failed change of a file is passed over.
    fn expect_told(&self, first: &FailedCall, ended: &Ended, place: Place) -> Result<(), Wrong> {
        let mut calls = ended.trace.iter();
        let entry = calls.find(|entry| entry.operation == first.operation);
        let counts = is_undone(place.stage) || place.stage == Stage::Commit;
        if counts && kind_of(&first.failure).is_some() && entry.is_some_and(|entry| entry.kind.changes()) {
            let message = format!("a failure in the stage {} was told to nobody", place.stage.name());
            self.limits.wrong(Check::OutcomeOfError, message)?;
        }
        Ok(())
    }

    /// No name that was there has been taken away behind the failure. (What the disk takes back is no deletion, and what
    /// was removed before the failure was so without it.)
    fn expect_nothing_deleted(&self, before: &FaultDisk, first: &FailedCall, ended: &Ended) -> Result<(), Wrong> {
        let (before, now) = (before.files(), ended.disk.files());
        let takes_away = |entry: &&TraceEntry| {
            let takes = matches!(
                entry.kind,
                OperationKind::RemoveFile | OperationKind::Rename | OperationKind::RenameNew
            );
            takes && entry.operation > first.operation && matches!(entry.outcome, Outcome::Done(_))
        };
        let mut taken = ended.trace.iter().filter(takes_away).map(|entry| &*entry.path);
        let gone = |path: &&str| {
            let below =
                |name: &str| name == *path || name.strip_prefix(*path).is_some_and(|rest| rest.starts_with('/'));
            before.keys().any(|name| below(name) && !now.contains_key(name))
        };
        match taken.find(gone) {
            None => Ok(()),
            Some(path) => {
                let message = format!("because of a failed call {path} is gone");
                self.limits.wrong(Check::NothingDeleted, message)
            }
        }
    }

    fn expect_handle(&mut self, first: &FailedCall, ended: &Ended, place: Place) -> Result<(), Wrong> {
        let limits = self.limits;
        let Some(WentOn { after, disk }) = &ended.went_on else {
            return Ok(());
        };
        let told_to_nobody = ended.stop.is_none() && place.stage != Stage::Spent;
        let law = match handle_after(place.stage, first, ended) {
            Handle::Poisoned if kind_of(&first.failure).is_none() => Handle::Usable,
            Handle::Poisoned if told_to_nobody => Handle::Either,
            law => law,
        };
        let poisoned = |refusal: &Refusal| refusal.kind == Kind::Poisoned;
        let stage = place.stage.name();
        match (&after.read, law) {
            (Err(refusal), Handle::Poisoned | Handle::Either) if poisoned(refusal) => {
                if !after.change.as_ref().is_err_and(poisoned) {
                    let message = format!("a handle that is out of use lets a change begin: {:?}", after.change);
                    limits.wrong(Check::PoisonedStays, message)?;
                }
                if disk.digest() != ended.disk.digest() {
                    limits.wrong(
                        Check::DropWritesNothing,
                        "a handle that is out of use wrote to the disk",
                    )?;
                }
                Ok(())
            }
            (Ok(_), Handle::Poisoned) => {
                let message = format!("after a failure in the stage {stage} the handle answers as if nothing had been");
                limits.wrong(Check::PoisonedStays, message)
            }
            (Ok(seen), Handle::Usable | Handle::Either) => {
                let steps = self.state_seen(seen, outcome_of(ended, self.subject.steps()));
                self.expect_seen(Check::HandleGoesOn, seen, steps)?;
                self.expect_changed(after, disk, steps)
            }
            (Err(refusal), _) => {
                let message = format!("after a failure in the stage {stage} the handle does not read: {refusal}");
                limits.wrong(Check::HandleGoesOn, message)
            }
        }
    }

    /// The change that the same handle made is there, and a cut leaves it.
    fn expect_changed(&mut self, after: &After, disk: &FaultDisk, steps: usize) -> Result<(), Wrong> {
        let limits = self.limits;
        if let Err(refusal) = &after.change {
            let message = format!("after a failure the handle makes no other change: {refusal}");
            return limits.wrong(Check::HandleGoesOn, message);
        }
        let Ok(expected) = self.probed(steps) else {
            return Ok(());
        };
        for plan in [CutPlan::all_lost(), CutPlan::all_kept()] {
            let Ok(disk) = disk.cut(&plan) else { continue };
            let random = entropy(self.subject, limits.seed, &disk);
            if let Err(refusal) = self.subject.open(&disk.process(WRITER), random) {
                let message = format!("after the handle went on and `cut {plan}` it does not open: {refusal}");
                limits.wrong(Check::HandleGoesOn, message)?;
            }
            if let Some(difference) = expected.difference(&self.subject.contents(&disk)) {
                let message = format!("after the handle went on and `cut {plan}`: {difference}");
                limits.wrong(Check::HandleGoesOn, message)?;
            }
        }
        Ok(())
    }

    /// An opening in which a call failed says so by its kind, or is as good as one in which none did.
    pub(super) fn judge_failed_open(
        &self,
        before: &FaultDisk,
        end: &End,
        ended: &Ended,
        allowed: u32,
    ) -> Result<(), Wrong> {
        let End::Fail(calls) = end else { return Ok(()) };
        let Some(first) = calls.first() else { return Ok(()) };
        self.expect_nothing_deleted(before, first, ended)?;
        if let Some(stop) = &ended.stop {
            let kind = kind_of(&first.failure).unwrap_or(Kind::Io);
            if stop.kind == kind {
                return Ok(());
            }
            let message = format!("{kind:?} was answered as {:?}: {}", stop.kind, stop.message);
            return self.limits.wrong(Check::KindOfError, message);
        }
        let synced = ended.trace.iter().any(|entry| {
            entry.operation == first.operation && entry.kind.is_sync() && matches!(entry.outcome, Outcome::Failed(_))
        });
        if synced {
            let message = "a sync failed in a recovery, and the opening answered that all is well";
            self.limits.wrong(Check::FailedSyncIsTold, message)?;
        }
        let steps = self.state_seen(ended.seen.as_ref().unwrap_or(&Vec::new()), allowed);
        self.expect_seen(Check::Sees, ended.seen.as_ref().unwrap_or(&Vec::new()), steps)
    }
}
