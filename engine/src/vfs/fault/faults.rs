//! Faults to order: which call is hit, and what happens to it (assumption 6).

use super::journal::FailedSync;
use super::operation::OperationKind;
use rustix::io::Errno;

/// Input/output error.
pub const EIO: i32 = Errno::IO.raw_os_error();
/// No space left.
pub const ENOSPC: i32 = Errno::NOSPC.raw_os_error();
/// Too many open files.
pub const EMFILE: i32 = Errno::MFILE.raw_os_error();
/// Permission denied.
pub const EACCES: i32 = Errno::ACCESS.raw_os_error();
/// Interrupted.
pub const EINTR: i32 = Errno::INTR.raw_os_error();
/// Read-only file system.
pub const EROFS: i32 = Errno::ROFS.raw_os_error();
/// No locks available.
pub const ENOLCK: i32 = Errno::NOLCK.raw_os_error();
/// Not supported.
pub const EOPNOTSUPP: i32 = Errno::OPNOTSUPP.raw_os_error();
/// The answer to a blocking lock that somebody else holds: nobody else runs while the caller waits.
pub const EDEADLK: i32 = Errno::DEADLK.raw_os_error();

/// Which kinds of calls a fault counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Every call.
    Any,
    /// Calls that may change something ([`OperationKind::changes`]).
    Changes,
    /// Both kinds of sync.
    Syncs,
    /// Calls of one kind.
    Only(OperationKind),
}

impl Kinds {
    fn include(&self, kind: OperationKind) -> bool {
        match self {
            Self::Any => true,
            Self::Changes => kind.changes(),
            Self::Syncs => kind.is_sync(),
            Self::Only(only) => *only == kind,
        }
    }
}

/// What happens to the call that is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It answers this code and does nothing else. A sync leaves what the disk's
    /// [`set_failed_sync`](super::FaultDisk::set_failed_sync) says.
    Fail(i32),
    /// The same for calls of these kinds; others are not hit.
    FailAmong(i32, &'static [OperationKind]),
    /// A sync answers this code and leaves what is named here; other calls are not hit.
    FailSync(i32, FailedSync),
    /// A read or write moves at most so many bytes, 0 included; other calls are not hit.
    Short(u64),
    /// The calling process dies before the call does anything.
    Kill,
    /// The calling process dies in a write that has reached the cache up to so many bytes; other calls are not hit.
    KillInside(u64),
}

impl Effect {
    fn concerns(self, kind: OperationKind) -> bool {
        match self {
            Self::Fail(_) | Self::Kill => true,
            Self::FailAmong(_, kinds) => kinds.contains(&kind),
            Self::FailSync(..) => kind.is_sync(),
            Self::Short(_) => matches!(kind, OperationKind::Read | OperationKind::Write),
            Self::KillInside(_) => kind == OperationKind::Write,
        }
    }
}

/// One fault. It counts the calls that match `kinds` and `path_end` from when it is injected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The calls it counts.
    pub kinds: Kinds,
    /// Counts only calls on a path that ends like this; empty: on any.
    pub path_end: String,
    /// The call that is hit, from 1.
    pub nth: u64,
    /// Whether every later one is hit too.
    pub sticky: bool,
    /// What happens to it.
    pub effect: Effect,
}

impl Fault {
    /// Hits the `nth` call of `kinds`, from 1, on any path.
    pub fn nth(kinds: Kinds, nth: u64, effect: Effect) -> Self {
        Self {
            kinds,
            path_end: String::new(),
            nth,
            sticky: false,
            effect,
        }
    }

    /// Hits the `nth` call of any kind.
    pub fn at_operation(nth: u64, effect: Effect) -> Self {
        Self::nth(Kinds::Any, nth, effect)
    }

    /// Counts only calls on a path that ends with `path_end`.
    #[must_use]
    pub fn on(mut self, path_end: &str) -> Self {
        path_end.clone_into(&mut self.path_end);
        self
    }

    /// Hits every later call, too.
    #[must_use]
    pub fn sticky(mut self) -> Self {
        self.sticky = true;
        self
    }
}

/// The faults of a disk and how far each has counted.
#[derive(Debug, Default)]
pub(super) struct Faults {
    armed: Vec<(Fault, u64)>,
    pub(super) fired: u64,
}

impl Faults {
    pub(super) fn inject(&mut self, fault: Fault) {
        self.armed.push((fault, 0));
    }

    pub(super) fn clear(&mut self) {
        self.armed.clear();
    }

    /// Counts the call; the first fault that hits it decides.
    pub(super) fn hit(&mut self, kind: OperationKind, path: &str, to: Option<&str>) -> Option<Effect> {
        let mut effect = None;
        for (fault, seen) in &mut self.armed {
            let named = path.ends_with(&fault.path_end) || to.is_some_and(|to| to.ends_with(&fault.path_end));
            if !fault.kinds.include(kind) || !named {
                continue;
            }
            *seen += 1;
            let hits = *seen == fault.nth || (fault.sticky && *seen > fault.nth);
            if hits && effect.is_none() && fault.effect.concerns(kind) {
                effect = Some(fault.effect);
            }
        }
        self.fired += u64::from(effect.is_some());
        effect
    }
}
