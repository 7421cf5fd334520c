//! The table of failing calls: which call can answer which code, and in which ways a call is made to fail.

use std::sync::LazyLock;

use graven::vfs::fault::{EACCES, EINTR, EIO, EMFILE, ENOSPC, FailedSync, OperationKind, Outcome, TraceEntry};

use super::Limits;
use crate::path::{End, FAILED_SYNCS, FailedCall, Failure};

/// The codes of the table's columns, in their order.
pub const CODES: [i32; 5] = [EIO, ENOSPC, EMFILE, EACCES, EINTR];

/// Whether a call can answer a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An operating system may answer it.
    May,
    /// None does, for this reason.
    Never(&'static str),
}

use Answer::{May, Never};

const NO_SPACE_NEEDED: Answer = Never("it needs no space");
const OPENS_NOTHING: Answer = Never("it opens no descriptor");
const ASKED_AT_OPENING: Answer = Never("permissions are asked where the file is opened");
const NEVER_WAITS: Answer = Never("it does not wait for anything that a signal could interrupt");

/// For each kind of call, what it may answer, in the order of [`CODES`].
pub const TABLE: &[(OperationKind, [Answer; 5])] = &[
    (OperationKind::OpenDirectory, [May, NO_SPACE_NEEDED, May, May, May]),
    (
        OperationKind::CreateDirectory,
        [May, May, OPENS_NOTHING, May, NEVER_WAITS],
    ),
    (OperationKind::OpenFile, [May, NO_SPACE_NEEDED, May, May, May]),
    (OperationKind::CreateFile, [May, May, May, May, May]),
    (OperationKind::CreateUnnamed, [May, May, May, May, May]),
    (OperationKind::Rename, [May, May, OPENS_NOTHING, May, NEVER_WAITS]),
    (OperationKind::RenameNew, [May, May, OPENS_NOTHING, May, NEVER_WAITS]),
    // Where nothing is written in place, a removal needs space, too.
    (OperationKind::RemoveFile, [May, May, OPENS_NOTHING, May, NEVER_WAITS]),
    (
        OperationKind::RemoveDirectory,
        [May, May, OPENS_NOTHING, May, NEVER_WAITS],
    ),
    (
        OperationKind::CreateSymlink,
        [May, May, OPENS_NOTHING, May, NEVER_WAITS],
    ),
    (
        OperationKind::ReadSymlink,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, May, NEVER_WAITS],
    ),
    // Listing may open the directory once more.
    (OperationKind::Entries, [May, NO_SPACE_NEEDED, May, May, NEVER_WAITS]),
    (
        OperationKind::SyncDirectory,
        [May, May, OPENS_NOTHING, ASKED_AT_OPENING, May],
    ),
    (
        OperationKind::FileSystem,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, ASKED_AT_OPENING, May],
    ),
    (
        OperationKind::Read,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, ASKED_AT_OPENING, May],
    ),
    (OperationKind::Write, [May, May, OPENS_NOTHING, ASKED_AT_OPENING, May]),
    (OperationKind::SetLen, [May, May, OPENS_NOTHING, ASKED_AT_OPENING, May]),
    (OperationKind::Reserve, [May, May, OPENS_NOTHING, ASKED_AT_OPENING, May]),
    (
        OperationKind::SyncData,
        [May, May, OPENS_NOTHING, ASKED_AT_OPENING, May],
    ),
    (
        OperationKind::Metadata,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, ASKED_AT_OPENING, NEVER_WAITS],
    ),
    (
        OperationKind::Lock,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, ASKED_AT_OPENING, May],
    ),
    (
        OperationKind::Unlock,
        [May, NO_SPACE_NEEDED, OPENS_NOTHING, ASKED_AT_OPENING, NEVER_WAITS],
    ),
];

/// Why no call is interrupted for ever: whoever makes an interrupted call again would never end. Instead the call is
/// interrupted three times in a row.
pub const NEVER_STICKY: i32 = EINTR;

/// Why no read is short down to nothing: that says that the file ends, which no system says of a file that goes on.
const LEAST_READ: u64 = 1;

/// What a kind of call may answer.
pub fn answers(kind: OperationKind) -> impl Iterator<Item = i32> {
    let row = TABLE.iter().find(|(row, _)| *row == kind);
    let cells = row.into_iter().flat_map(|(_, cells)| CODES.iter().zip(cells));
    cells.filter(|(_, answer)| **answer == May).map(|(errno, _)| *errno)
}

/// The kinds of calls that may answer a code: those that a sticky failure hits.
pub fn kinds_of(errno: i32) -> &'static [OperationKind] {
    static KINDS: LazyLock<Vec<(i32, Vec<OperationKind>)>> = LazyLock::new(|| {
        let may = |errno: i32| move |kind: &OperationKind| answers(*kind).any(|answer| answer == errno);
        let kinds = |errno: &i32| (*errno, OperationKind::ALL.into_iter().filter(may(*errno)).collect());
        CODES.iter().map(kinds).collect()
    });
    let found = KINDS.iter().find(|(code, _)| *code == errno);
    found.map_or(&[], |(_, kinds)| kinds)
}

/// The ways in which a call of a run is made to fail.
pub fn of_run(entry: &TraceEntry, limits: Limits) -> Vec<End> {
    let mut ends = Vec::new();
    let one = |failure| End::Fail(vec![call(entry, 0, failure)]);
    if entry.kind.is_sync() {
        if limits.failed_syncs > 0 {
            ends.extend(failed_syncs().map(one));
        }
        if limits.failed_calls {
            ends.push(one(Failure::Sync(EINTR, FailedSync::StillDirty)));
            ends.extend([EIO, ENOSPC].map(|errno| one(Failure::Sticky(errno))));
        }
        return ends;
    }
    if limits.failed_calls {
        for errno in answers(entry.kind) {
            ends.push(one(Failure::Errno(errno)));
            if errno == NEVER_STICKY {
                let again = |at| call(entry, at, Failure::Errno(errno));
                ends.push(End::Fail((0..3).map(again).collect()));
            } else {
                ends.push(one(Failure::Sticky(errno)));
            }
        }
        ends.extend(shorts(entry).into_iter().map(one));
    }
    ends
}

/// The ways in which a call of an opening is made to fail: the syncs; every other call where `calls` says so.
pub fn of_opening(entry: &TraceEntry, calls: bool) -> Vec<End> {
    let one = |failure| End::Fail(vec![call(entry, 0, failure)]);
    if entry.kind.is_sync() {
        // A known limit: an opener that is told that the store's name could not be made durable cannot make it so by
        // trying again, since a name cannot be written again without taking it away for a moment.
        let is_lost = |failure: &Failure| matches!(failure, Failure::Sync(_, FailedSync::ReadableButLost));
        return failed_syncs()
            .filter(|failure| entry.kind == OperationKind::SyncData || !is_lost(failure))
            .map(one)
            .collect();
    }
    if !calls {
        return Vec::new();
    }
    let mut ends: Vec<_> = answers(entry.kind).map(|errno| one(Failure::Errno(errno))).collect();
    if entry.kind.changes() {
        ends.extend([EIO, ENOSPC].map(|errno| one(Failure::Sticky(errno))));
    }
    ends.extend(shorts(entry).into_iter().map(one));
    ends
}

/// The ways in which a call of a rollback fails after the call that made it necessary.
pub fn of_rollback(first: &FailedCall, entry: &TraceEntry) -> Vec<End> {
    let both = |failure| End::Fail(vec![first.clone(), call(entry, 0, failure)]);
    if entry.kind.is_sync() {
        return failed_syncs().map(both).collect();
    }
    let codes = answers(entry.kind).filter(|errno| [EIO, ENOSPC].contains(errno));
    codes.map(|errno| both(Failure::Errno(errno))).collect()
}

/// Whether the sync of a new name failed and the name could not be taken back either. That is the known limit of
/// [`of_opening`] from the creator's side: the name reads as there and may be lost, and whoever opens it cannot tell.
pub fn loses_a_name(trace: &[TraceEntry]) -> bool {
    let failed = |entry: &&TraceEntry, kind| entry.kind == kind && matches!(entry.outcome, Outcome::Failed(_));
    let sync = trace.iter().find(|entry| failed(entry, OperationKind::SyncDirectory));
    sync.is_some_and(|sync| {
        let mut behind = trace.iter().filter(|entry| entry.operation > sync.operation);
        behind.any(|entry| failed(&entry, OperationKind::RenameNew))
    })
}

fn call(entry: &TraceEntry, later: u64, failure: Failure) -> FailedCall {
    FailedCall {
        operation: entry.operation + later,
        failure,
    }
}

/// The three failed syncs of assumption 4, each with the two codes that tell them.
fn failed_syncs() -> impl Iterator<Item = Failure> {
    FAILED_SYNCS
        .into_iter()
        .flat_map(|(_, left)| [EIO, ENOSPC].map(|errno| Failure::Sync(errno, left)))
}

fn shorts(entry: &TraceEntry) -> Vec<Failure> {
    let least = match entry.kind {
        OperationKind::Write => 0,
        OperationKind::Read => LEAST_READ,
        _ => return Vec::new(),
    };
    let mut lens = vec![0, 1, entry.len.saturating_sub(1)];
    lens.retain(|len| (least..entry.len).contains(len));
    lens.dedup();
    lens.into_iter().map(Failure::Short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: OperationKind, len: u64) -> TraceEntry {
        TraceEntry {
            operation: 7,
            process: 2,
            kind,
            path: "/file".into(),
            to: None,
            offset: 0,
            len,
            outcome: Outcome::Done(len),
        }
    }

    fn told(kind: OperationKind, len: u64) -> Vec<String> {
        let ends = of_run(&entry(kind, len), Limits::default());
        ends.iter().map(|end| end.to_string().trim().to_owned()).collect()
    }

    #[test]
    fn every_kind_of_call_has_one_row_and_what_it_never_answers_has_a_reason() {
        let kinds: Vec<_> = TABLE.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, OperationKind::ALL);
        for (kind, cells) in TABLE {
            assert_eq!(cells[0], May, "{kind:?} may always answer EIO");
            for cell in cells {
                assert!(!matches!(cell, Never("")), "{kind:?}");
            }
        }
    }

    #[test]
    fn every_code_hits_once_and_from_then_on_but_for_interruptions_which_come_thrice() {
        for (kind, _) in TABLE.iter().filter(|(kind, _)| !kind.is_sync()) {
            let told = told(*kind, 0);
            for errno in answers(*kind) {
                assert!(told.contains(&format!("fail=7:errno-{errno}")), "{kind:?} {errno}");
                let again = if errno == EINTR {
                    "fail=7:errno-4+8:errno-4+9:errno-4".to_owned()
                } else {
                    format!("fail=7:sticky-{errno}")
                };
                assert!(told.contains(&again), "{kind:?} {errno}");
            }
        }
    }

    #[test]
    fn a_sync_fails_in_each_of_the_three_ways_with_both_codes() {
        for kind in [OperationKind::SyncData, OperationKind::SyncDirectory] {
            for (name, _) in FAILED_SYNCS {
                for errno in [EIO, ENOSPC] {
                    assert!(told(kind, 0).contains(&format!("fail=7:{name}-{errno}")), "{kind:?}");
                }
            }
        }
    }

    #[test]
    fn a_write_moves_nothing_one_byte_or_all_but_one_and_a_read_at_least_one() {
        let shorts = |kind, len| {
            let told = told(kind, len).into_iter();
            let shorts = told.filter_map(|text| text.strip_prefix("fail=7:short-").map(str::to_owned));
            shorts.collect::<Vec<_>>()
        };
        assert_eq!(shorts(OperationKind::Write, 9), ["0", "1", "8"]);
        assert_eq!(shorts(OperationKind::Write, 1), ["0"]);
        assert_eq!(shorts(OperationKind::Read, 9), ["1", "8"]);
        assert_eq!(shorts(OperationKind::Read, 1), Vec::<String>::new());
        assert_eq!(shorts(OperationKind::Lock, 9), Vec::<String>::new());
    }

    #[test]
    fn a_sticky_failure_hits_what_may_answer_its_code_and_nothing_else() {
        assert_eq!(kinds_of(EIO), OperationKind::ALL);
        assert!(kinds_of(ENOSPC).contains(&OperationKind::Write));
        assert!(!kinds_of(ENOSPC).contains(&OperationKind::Read));
        assert!(!kinds_of(EMFILE).contains(&OperationKind::Write));
    }
}
