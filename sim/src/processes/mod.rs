//! Several processes on one disk, interleaved one call at a time.
//!
//! A [`scenario`] says what each thread of each process does. In a run one of them holds the baton ([`turns`]); before each
//! call that others can see ([`vfs`]) it may have to hand it on, and where it would wait for a lock it does. A
//! [`schedule`] says at which named moments the usual order is left, so that a run is repeated by one line of text, byte by
//! byte. [`explore`] tries every schedule with one departure, and pairs of them: other tasks go on, processes die,
//! syncs fail.
//!
//! Judged is the [`history`]: one order of whole changes has to explain every answer, in which nothing stands before what
//! had been answered before it began. So a reader never sees half a change, never an older state than before, and never
//! what is later lost: every disk that a cut could leave at any moment of a run has to be a state that the order ends
//! in. Beside it: nobody waits for ever, no reader overtakes a waiting writer twice, each error has what excuses it, and
//! another change goes through in the end.

pub mod act;
pub mod explore;
pub mod history;
pub mod run;
pub mod scenario;
pub mod scenarios;
pub mod schedule;
pub mod turns;
pub mod vfs;

/// The time of every change, in seconds after that of the first setup step.
pub const NOW_STEP: u64 = 1000;
