//! The mutants of the disk that change nothing that anybody relies on, each kind with its reason.
//!
//! A row is exact: a mutant that it applies to and that is caught nevertheless is told as well.

use graven::vfs::fault::OperationKind;

use super::disk::Break;
use super::generate::{Call, Mutant};

/// One kind of equivalent mutants.
#[derive(Debug)]
pub struct Equivalent {
    /// What it is called.
    pub name: &'static str,
    /// Which mutants are of this kind.
    pub applies: fn(&Mutant) -> bool,
    /// Why nothing can notice them.
    pub reason: &'static str,
}

/// The kinds.
pub const TABLE: &[Equivalent] = &[
    Equivalent {
        name: "the empty gate",
        applies: |mutant| drops(mutant, OperationKind::SyncData) && mutant.call.path.ends_with(".gate"),
        reason: "the gate has no bytes to lose, and its name is made durable by its directory; it is synced like every \
                 other file of a new store, so that no reader has to know why one is not",
    },
    Equivalent {
        name: "the store's name, durable before",
        applies: |mutant| {
            drops(mutant, OperationKind::SyncDirectory)
                && mutant.call.path.is_empty()
                && !renames(&mutant.trace[..mutant.at() - 1])
        },
        reason: "nothing is pending in the directory above the store: the one who opens syncs it for the case that the \
                 one who created died before he did",
    },
    Equivalent {
        name: "the store's name, synced twice",
        applies: |mutant| {
            let twin = mutant.at().checked_sub(2).and_then(|at| mutant.trace.get(at));
            drops(mutant, OperationKind::SyncDirectory)
                && renames(&mutant.trace[..mutant.at() - 1])
                && twin == Some(&mutant.call)
        },
        reason: "the one who creates a store opens it next, and each of the two syncs the directory above; the mutants \
                 that leave out the first, whose failure alone takes the name back, or both are caught",
    },
    Equivalent {
        name: "two writes before one sync",
        applies: |mutant| swaps(mutant, |one, two| is_write(one) && is_write(two) && are_apart(one, two)),
        reason: "no rule orders the writes of one stage; they touch no common byte, and none is trusted before all are \
                 synced",
    },
    Equivalent {
        name: "a write and another file's sync in one stage",
        applies: |mutant| {
            let syncs = mutant.trace[mutant.at()..]
                .iter()
                .take_while(|call| call.kind.is_sync())
                .any(|call| call.path == mutant.call.path);
            syncs
                && swaps(mutant, |one, two| {
                    is_write(one) && two.kind.is_sync() && one.path != two.path
                })
        },
        reason: "the written file's own sync follows among the syncs of the same stage, and no rule orders those",
    },
    Equivalent {
        name: "two syncs of one stage",
        applies: |mutant| {
            let is_plain = |call: &Call| call.kind == OperationKind::SyncData && !call.path.ends_with(".undo");
            swaps(mutant, |one, two| {
                is_plain(one) && is_plain(two) && one.path != two.path
            })
        },
        reason: "no rule orders the syncs that end a stage: the next one begins after all of them",
    },
    Equivalent {
        name: "two syncs of a store without a name",
        applies: |mutant| {
            let is_new = |call: &Call| call.kind.is_sync() && call.path.contains(NEW);
            swaps(mutant, |one, two| is_new(one) && is_new(two))
        },
        reason: "nobody looks into a store that is still being made; the rename that gives it its name comes after all \
                 of its syncs",
    },
];

/// How the directory of a store that is being made is named.
const NEW: &str = ".graven-new";

fn drops(mutant: &Mutant, kind: OperationKind) -> bool {
    matches!(mutant.broken, Break::Drop(_)) && mutant.call.kind == kind
}

fn swaps(mutant: &Mutant, are: impl Fn(&Call, &Call) -> bool) -> bool {
    let swapped = matches!(mutant.broken, Break::Swap(_));
    swapped && mutant.next.as_ref().is_some_and(|next| are(&mutant.call, next))
}

/// A write of an authority. The undo and its mark are not among them: their order is the protocol.
fn is_write(call: &Call) -> bool {
    call.kind == OperationKind::Write && !call.path.ends_with(".undo")
}

fn are_apart(one: &Call, two: &Call) -> bool {
    one.path != two.path || one.offset + one.len <= two.offset || two.offset + two.len <= one.offset
}

/// Whether a call among these gives the store its name.
fn renames(calls: &[Call]) -> bool {
    let is_rename = |call: &Call| matches!(call.kind, OperationKind::Rename | OperationKind::RenameNew);
    calls.iter().any(is_rename)
}

/// The first kind that a mutant is of, if any.
pub fn explain(mutant: &Mutant) -> Option<&'static Equivalent> {
    TABLE.iter().find(|row| (row.applies)(mutant))
}
