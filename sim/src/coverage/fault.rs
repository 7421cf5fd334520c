//! The kinds of faults that crash images are told apart by: the matrix' columns.

use std::collections::BTreeSet;
use std::sync::Arc;

use graven::vfs::fault::{Choice, CutPlan, EACCES, EINTR, EIO, EMFILE, ENOSPC, FailedSync, Fill, Length};

use crate::path::{Edge, End, Failure, Path};

/// What was done to a disk last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing: the process came to its end.
    None,
    /// Killed between two calls.
    Kill,
    /// Killed inside a write.
    KillInside,
    /// A cut that loses everything unsynced.
    CutNothing,
    /// A cut that keeps everything.
    CutAll,
    /// A cut that keeps whole writes and loses others.
    CutMixed,
    /// A cut that keeps some names and loses others.
    CutEntries,
    /// A cut that keeps the beginning of a write.
    CutPrefix,
    /// A cut that keeps the end of a write.
    CutSuffix,
    /// A cut that loses something inside a write.
    CutHole,
    /// A cut that keeps a growth without its bytes, in part, or the bytes without the growth.
    CutLength,
    /// A cut behind an earlier cut.
    CutAgain,
    /// A cut behind a failed call.
    CutAfterFailure,
    /// A sync that fails and leaves its bytes readable and lost.
    SyncLost,
    /// A sync that fails and brings the old bytes back.
    SyncReverted,
    /// A sync that fails and leaves its bytes for the next one.
    SyncDirty,
    /// Clean and lost bytes leave the cache.
    Evict,
    /// A call fails once.
    Eio,
    /// That, and every later one.
    EioSticky,
    /// No space, once.
    Enospc,
    /// No space from now on.
    EnospcSticky,
    /// Too many open files, once.
    Emfile,
    /// Too many open files from now on.
    EmfileSticky,
    /// Permission denied, once.
    Eacces,
    /// Permission denied from now on.
    EaccesSticky,
    /// Interrupted, once.
    Eintr,
    /// Interrupted three times in a row.
    EintrThrice,
    /// A read or write that moves less than it was asked for.
    Short,
}

impl Fault {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them.
    pub const ALL: [Self; 28] = [
        Self::None,
        Self::Kill,
        Self::KillInside,
        Self::CutNothing,
        Self::CutAll,
        Self::CutMixed,
        Self::CutEntries,
        Self::CutPrefix,
        Self::CutSuffix,
        Self::CutHole,
        Self::CutLength,
        Self::CutAgain,
        Self::CutAfterFailure,
        Self::SyncLost,
        Self::SyncReverted,
        Self::SyncDirty,
        Self::Evict,
        Self::Eio,
        Self::EioSticky,
        Self::Enospc,
        Self::EnospcSticky,
        Self::Emfile,
        Self::EmfileSticky,
        Self::Eacces,
        Self::EaccesSticky,
        Self::Eintr,
        Self::EintrThrice,
        Self::Short,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "no fault",
            Self::Kill => "kill",
            Self::KillInside => "kill in a write",
            Self::CutNothing => "cut, all lost",
            Self::CutAll => "cut, all kept",
            Self::CutMixed => "cut, whole writes",
            Self::CutEntries => "cut, names",
            Self::CutPrefix => "cut, prefix",
            Self::CutSuffix => "cut, suffix",
            Self::CutHole => "cut, hole",
            Self::CutLength => "cut, length",
            Self::CutAgain => "cut after a cut",
            Self::CutAfterFailure => "cut after a failure",
            Self::SyncLost => "sync: lost",
            Self::SyncReverted => "sync: reverted",
            Self::SyncDirty => "sync: dirty",
            Self::Evict => "evict",
            Self::Eio => "EIO",
            Self::EioSticky => "EIO, sticky",
            Self::Enospc => "ENOSPC",
            Self::EnospcSticky => "ENOSPC, sticky",
            Self::Emfile => "EMFILE",
            Self::EmfileSticky => "EMFILE, sticky",
            Self::Eacces => "EACCES",
            Self::EaccesSticky => "EACCES, sticky",
            Self::Eintr => "EINTR",
            Self::EintrThrice => "EINTR, thrice",
            Self::Short => "short",
        }
    }

    /// Whether it is a power cut.
    pub fn is_cut(self) -> bool {
        (Self::CutNothing..=Self::CutAfterFailure).contains(&self)
    }

    /// Whether one call fails in it.
    pub fn is_failure(self) -> bool {
        self >= Self::SyncLost && self != Self::Evict
    }

    /// Whether it is a sync that fails.
    pub fn is_of_sync(self) -> bool {
        matches!(self, Self::SyncLost | Self::SyncReverted | Self::SyncDirty)
    }

    /// The last edge of a way, which leads from `before`; `names`: the pending operations that change names.
    pub fn of(before: &[Arc<Edge>], edge: &Edge, names: &BTreeSet<usize>) -> Self {
        match edge {
            Edge::Run(end) | Edge::Open(end) => Self::of_end(end),
            Edge::Cut(plan) => Self::of_cut(before, plan, names),
            Edge::Evict => Self::Evict,
        }
    }

    /// The last fault of a way.
    pub fn of_path(path: &Path) -> Self {
        match path.0.split_last() {
            None => Self::None,
            Some((edge, before)) => Self::of(before, edge, &BTreeSet::new()),
        }
    }

    fn of_end(end: &End) -> Self {
        match end {
            End::Normal => Self::None,
            End::Kill { written: None, .. } => Self::Kill,
            End::Kill { written: Some(_), .. } => Self::KillInside,
            End::Fail(calls) if calls.len() > 1 && calls.iter().all(|call| call.failure == Failure::Errno(EINTR)) => {
                Self::EintrThrice
            }
            End::Fail(calls) => calls.last().map_or(Self::None, |call| Self::of_failure(&call.failure)),
        }
    }

    fn of_failure(failure: &Failure) -> Self {
        match *failure {
            Failure::Sync(_, FailedSync::ReadableButLost) => Self::SyncLost,
            Failure::Sync(_, FailedSync::Reverted) => Self::SyncReverted,
            Failure::Sync(_, FailedSync::StillDirty) => Self::SyncDirty,
            Failure::Short(_) => Self::Short,
            Failure::Errno(ENOSPC) => Self::Enospc,
            Failure::Sticky(ENOSPC) => Self::EnospcSticky,
            Failure::Errno(EMFILE) => Self::Emfile,
            Failure::Sticky(EMFILE) => Self::EmfileSticky,
            Failure::Errno(EACCES) => Self::Eacces,
            Failure::Sticky(EACCES) => Self::EaccesSticky,
            Failure::Errno(EINTR) => Self::Eintr,
            Failure::Errno(EIO | _) => Self::Eio,
            Failure::Sticky(_) => Self::EioSticky,
        }
    }

    /// A cut behind another cut or a failed call is that before it is anything else: there is little else to tell.
    pub fn of_cut(before: &[Arc<Edge>], plan: &CutPlan, names: &BTreeSet<usize>) -> Self {
        let failed =
            |edge: &Arc<Edge>| matches!(**edge, Edge::Run(End::Fail(_)) | Edge::Open(End::Fail(_)) | Edge::Evict);
        if before.iter().any(failed) {
            return Self::CutAfterFailure;
        }
        if before.iter().any(|edge| matches!(**edge, Edge::Cut(_))) {
            return Self::CutAgain;
        }
        let torn = plan.choices.values().find_map(|choice| match choice {
            Choice::Torn { bytes, length } => Some((bytes, *length)),
            Choice::Lost | Choice::Kept => None,
        });
        match torn {
            Some((bytes, length)) => match bytes.as_slice() {
                [] => Self::CutLength,
                _ if length != Length::Kept || plan.fill != Fill::Zero => Self::CutLength,
                [only] if only.start == 0 => Self::CutPrefix,
                [_] => Self::CutSuffix,
                _ => Self::CutHole,
            },
            None if plan.choices.is_empty() && *plan == CutPlan::all_lost() => Self::CutNothing,
            None if plan.choices.is_empty() => Self::CutAll,
            None if plan.choices.keys().any(|ordinal| names.contains(ordinal)) => Self::CutEntries,
            None => Self::CutMixed,
        }
    }
}
