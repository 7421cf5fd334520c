//! The public face: what `lib.rs` exports.
//!
//! Uses: every floor below it. Blocking, without background threads, without global state. What it promises:
//!
//! - [`Store`] and [`Root`] are cheap handles, `Clone`, `Send` and `Sync`; [`View`] and [`Txn`] are `Send` and borrow
//!   their handle. A lock is held for one view or one transaction, never longer.
//! - Every failure is one [`Error`], whose [`ErrorKind`] tells what to do and whose outcome tells, of a write, whether
//!   it may have happened. No failure of the operating system is ever called corruption.
//! - Nothing is written by a read-only handle, by opening a sound store for reading, or by dropping anything.

mod companion;
pub mod cursor;
mod error;
mod group;
mod kind;
mod maintenance;
mod options;
mod readers;
mod receipt;
mod records;
mod report;
mod root;
mod rows;
mod store;
mod transaction;
mod view;

pub use error::{Error, ErrorKind, Result};
pub use kind::{Kind, Objects, Workflow};
pub use maintenance::{pending, raw_family, recover, repair, restore, verify};
pub use options::{DEFAULT_CACHE_BYTES, DEFAULT_MAX_TRANSACTION_BYTES, Options};
pub use receipt::Receipt;
pub use records::{Change, Land, Line, Object, Snapshot, Stash, Tag, Task};
pub use report::{OpenReport, StoreStats};
pub use root::Root;
pub use rows::{Page, RecordError, Records, Rows};
pub use store::Store;
pub use transaction::Txn;
pub use view::View;

pub use crate::disk::{LockWait, Outcome};
pub use crate::domain::changes::{Changes, NewChange};
pub use crate::domain::lands::{Landed, LandedHistory, Lands, NewLand, RecordedHistory};
pub use crate::domain::lines::Lines;
pub use crate::domain::objects::{
    Difference, DifferenceKind, Differences, Directory, ObjectReader, Objects as ObjectRecords, Put, PutOutcome,
};
pub use crate::domain::snapshots::{Ancestors, Content, Created, FirstParents, NewSnapshot, Snapshots};
pub use crate::domain::stashes::Stashes;
pub use crate::domain::tags::{TagText, Tags};
pub use crate::domain::tasks::{NewTask, TaskText, Tasks};
pub use crate::domain::worktree::{Captured, Materialised};
pub use crate::format::UnixSeconds;
pub use crate::store::Pending;
pub use crate::store::{Decision, RecoveryReport, Stats};
pub use crate::whole::backup::Copied;
pub use crate::whole::raw::RawFamily;
pub use crate::whole::recover::{Recovery, RootState};
pub use crate::whole::repair::{Repair, Rewritten};
pub use crate::whole::verify::Verification;
pub use crate::whole::{Finding, Flow, Progress, Severity};
