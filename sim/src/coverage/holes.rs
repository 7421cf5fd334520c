//! Which zeros of the matrix need no explanation, and why.
//!
//! The rules say on their own what can be hit where; they do not ask the exploration. A zero that no rule explains is a
//! hole: either the exploration has missed something, or a rule is wrong.

use std::fmt;

use graven::vfs::fault::{EACCES, EINTR, EIO, EMFILE, ENOSPC, OperationKind};

use super::fault::Fault;
use super::matrix::Matrix;
use super::stage::Stage;
use super::tally::There;
use crate::explore::Limits;
use crate::explore::failures::kinds_of;

/// A cell of the matrix without an image.
#[derive(Clone, Copy, Debug)]
pub struct Zero {
    /// The stage.
    pub stage: Stage,
    /// The fault.
    pub fault: Fault,
    /// What was there to be hit.
    pub there: There,
    /// How far the exploration was to go.
    pub limits: Limits,
}

/// Why some zeros have to be.
#[derive(Debug)]
pub struct Rule {
    /// The reason, as it is told.
    pub reason: &'static str,
    /// The zeros that it explains.
    pub explains: fn(&Zero) -> bool,
}

/// The rules; the first that applies is told.
pub const RULES: &[Rule] = &[
    Rule {
        reason: "the operation makes no call in this stage",
        explains: |zero| zero.there.is_empty(),
    },
    Rule {
        reason: "this run tries no single failures",
        explains: |zero| {
            let fails = zero.fault.is_failure() && !zero.fault.is_of_sync();
            let behind = zero.fault == Fault::CutAfterFailure && zero.limits.failed_syncs == 0;
            !zero.limits.failed_calls && (fails || behind)
        },
    },
    Rule {
        reason: "this run fails no syncs",
        explains: |zero| zero.limits.failed_syncs == 0 && (zero.fault.is_of_sync() || zero.fault == Fault::Evict),
    },
    Rule {
        reason: "this run tears no writes",
        explains: |zero| {
            let torn = [Fault::CutPrefix, Fault::CutSuffix, Fault::CutHole, Fault::CutLength];
            !zero.limits.torn && torn.contains(&zero.fault)
        },
    },
    Rule {
        reason: "a process ends by itself only behind the last answer, or when a recovery has ended",
        explains: |zero| zero.fault == Fault::None && !matches!(zero.stage, Stage::Answered | Stage::Recovered),
    },
    Rule {
        reason: "no call there changes anything: a kill there is a kill before the next call that does",
        explains: |zero| zero.fault == Fault::Kill && !changes(zero.there),
    },
    Rule {
        reason: "no write there is long enough to be killed inside",
        explains: |zero| zero.fault == Fault::KillInside && !zero.there.has(There::LONG_WRITE),
    },
    Rule {
        reason: "no sync stands there, and nothing ends: a cut is taken at the next sync, and leaves all that one could leave \
                 here",
        explains: |zero| zero.fault.is_cut() && zero.fault != Fault::CutAfterFailure && !zero.there.has(There::CUT),
    },
    Rule {
        reason: "cuts behind cuts, and what follows a recovery, are in columns of their own",
        explains: |zero| is_first_cut(zero.fault) && zero.there.has(There::AGAIN) && !zero.there.has(There::PENDING),
    },
    Rule {
        reason: "nothing is pending there",
        explains: |zero| zero.fault.is_cut() && !has_pending(zero),
    },
    Rule {
        reason: "only one thing is pending there: it is kept or lost",
        explains: |zero| zero.fault == Fault::CutMixed && !zero.there.has(There::SEVERAL),
    },
    Rule {
        reason: "what a recovery leaves pending is a mark: its beginning alone is the disk of another cut",
        explains: |zero| zero.fault == Fault::CutPrefix && zero.stage == Stage::Recovered,
    },
    Rule {
        reason: "the files there have no durable name yet: they are kept or lost with it",
        explains: |zero| {
            let in_new_files = matches!(zero.stage, Stage::Install | Stage::Tidy);
            zero.fault == Fault::CutMixed && in_new_files && zero.there.has(There::NAMES)
        },
    },
    Rule {
        reason: "no name is pending there",
        explains: |zero| zero.fault == Fault::CutEntries && !zero.there.has(There::NAMES),
    },
    Rule {
        reason: "no write of more than a byte is pending there whose parts differ in worth",
        explains: |zero| matches!(zero.fault, Fault::CutPrefix | Fault::CutSuffix) && !zero.there.has(There::TORN),
    },
    Rule {
        reason: "what is pending there is appended, is valid by its digest, or differs in eight bytes at most: a hole is as good as \
                 any other tear",
        explains: |zero| zero.fault == Fault::CutHole && !zero.there.has(There::FINE),
    },
    Rule {
        reason: "no file is longer there than it was",
        explains: |zero| zero.fault == Fault::CutLength && !zero.there.has(There::GROWS),
    },
    Rule {
        reason: "no sync stands there",
        explains: |zero| zero.fault.is_of_sync() && !syncs(zero.there),
    },
    Rule {
        reason: "syncs of a recovery fail behind one fault; here a recovery is met behind more of them only, and what a \
                 failed sync leaves there, a cut leaves as well",
        explains: |zero| {
            let of_recovery = zero.stage.is_of_recovery() && zero.fault.is_of_sync();
            of_recovery && !zero.there.has(There::NEAR_SYNC)
        },
    },
    Rule {
        reason: "an opener that is told that a name could not be made durable cannot make it so by trying again",
        explains: |zero| {
            let lost = zero.fault == Fault::SyncLost && zero.stage.is_of_recovery();
            lost && !zero.there.called(OperationKind::SyncData)
        },
    },
    Rule {
        reason: "no bytes are left there that a failed sync has lost",
        explains: |zero| zero.fault == Fault::Evict && !zero.there.has(There::CLEAN),
    },
    Rule {
        reason: "calls of a recovery other than its syncs fail for one of the places where a run was left in each stage",
        explains: |zero| zero.stage.is_of_recovery() && zero.fault.is_failure() && !zero.fault.is_of_sync(),
    },
    Rule {
        reason: "no call there can fail so",
        explains: |zero| zero.fault.is_failure() && !can_fail(zero.fault, zero.there),
    },
];

fn changes(there: There) -> bool {
    OperationKind::ALL
        .iter()
        .any(|kind| kind.changes() && there.called(*kind))
}

fn syncs(there: There) -> bool {
    there.called(OperationKind::SyncData) || there.called(OperationKind::SyncDirectory)
}

fn is_first_cut(fault: Fault) -> bool {
    fault.is_cut() && !matches!(fault, Fault::CutAgain | Fault::CutAfterFailure)
}

fn has_pending(zero: &Zero) -> bool {
    zero.there.has(match zero.fault {
        Fault::CutAgain => There::AGAIN,
        Fault::CutAfterFailure => There::FAILED,
        _ => There::PENDING,
    })
}

/// Which calls answer which code, as a system does.
fn can_fail(fault: Fault, there: There) -> bool {
    // Failing syncs have columns of their own.
    let answers = |errno| {
        kinds_of(errno)
            .iter()
            .any(|kind| !kind.is_sync() && there.called(*kind))
    };
    match fault {
        Fault::Eio | Fault::EioSticky => answers(EIO),
        Fault::Enospc | Fault::EnospcSticky => answers(ENOSPC),
        Fault::Emfile | Fault::EmfileSticky => answers(EMFILE),
        Fault::Eacces | Fault::EaccesSticky => answers(EACCES),
        Fault::Eintr | Fault::EintrThrice => answers(EINTR),
        Fault::Short => there.has(There::DIVISIBLE),
        _ => true,
    }
}

/// The reason why a cell may be empty; `None`: it is a hole.
pub fn explain(zero: &Zero) -> Option<&'static str> {
    RULES.iter().find(|rule| (rule.explains)(zero)).map(|rule| rule.reason)
}

/// A zero that nothing explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The operation.
    pub operation: &'static str,
    /// The stage.
    pub stage: Stage,
    /// The fault.
    pub fault: Fault,
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.operation, self.stage.name(), self.fault.name())
    }
}

/// Every hole of a matrix.
pub fn holes(matrix: &Matrix) -> Vec<Hole> {
    let mut holes = Vec::new();
    for (operation, cells) in matrix.rows() {
        for (stage, cell) in Stage::ALL.into_iter().zip(cells) {
            for (fault, images) in Fault::ALL.into_iter().zip(cell.images) {
                let zero = Zero {
                    stage,
                    fault,
                    there: cell.there,
                    limits: matrix.limits(),
                };
                if images == 0 && explain(&zero).is_none() {
                    holes.push(Hole {
                        operation,
                        stage,
                        fault,
                    });
                }
            }
        }
    }
    holes
}
