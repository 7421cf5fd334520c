//! The byte format: declarations, typed values, identity text.
//!
//! Uses: nothing of the crate. Pure: no I/O, no clock, no allocation in the decoders of fixed records.
//!
//! - [`record!`] declares a record once; [`FAMILIES`], [`AUTHORITIES`], [`INDEXES`] and [`TOLERANCES`]
//!   are what files, dumps, documentation and tests are made from.
//! - Each typed value ([`Task`], [`Change`], [`Land`], [`Line`], [`Snapshot`], [`Stash`], [`Tag`], [`Object`], and the
//!   owner rows) has three readings: `raw` takes any bytes, `decode`
//!   takes what the rules accept and reports what it tolerated, `decode_native` takes what this version may write. Its
//!   `encode` checks before it answers bytes. Payload types borrow the bytes they are read from.
//! - [`ELSEWHERE`] lists the records that stand in no root of this version: a server's forms ([`RemoteTask`],
//!   [`RemoteChange`], [`ServerLand`]) and a worktree's [`Cursor`].
//! - [`identity`] turns identities into text and back.

pub mod authority;
pub mod directory;
pub mod error;
pub mod families;
pub mod flags;
pub mod grammar;
pub mod hash;
pub mod identity;
pub mod index;
pub mod layout;
pub mod name;
pub mod ordinal;
pub mod page;
pub mod range;
pub mod record;
pub mod reference;
pub mod snapshot_payload;
pub mod store_file;
pub mod time;
pub mod tolerance;

pub use authority::{AUTHORITIES, Authority, FileRole, LOCAL_WORKFLOW, OBJECT_ZONE, ZoneLayout};
pub use authority::{LOCAL as LOCAL_AUTHORITY, OBJECT as OBJECT_AUTHORITY};
pub use directory::{
    DirectoryBuilder, DirectoryEntry, Entries, EntryTarget, FileMode, LinkId, MAX_DIRECTORY_DEPTH, MAX_ENTRY_NAME_LEN,
};
pub use error::{DecodeError, Problem};
pub use families::change::{
    ArchiveCause, CHANGE, Change, ChangeLifecycle, ChangeRecord, ChangeStatus, ChangeTitle, PublishedChange,
};
pub use families::cursor::{CURSOR_DIRECTORY, Cursor, WORKTREE_CURSOR, WorktreeCursorRecord};
pub use families::land::{FailureKind, LAND, Land, LandMode, LandRecord, LandStatus};
pub use families::line::{LINE, Line, LineRecord, LineState};
pub use families::object::{OBJECT, Object, ObjectRecord};
pub use families::owner_index::{
    CHANGE_LAND_INDEX, ChangeLandIndexRecord, ChangeLands, ORDINALS, TASK_CHANGE_INDEX, TASK_LAND_INDEX,
    TaskChangeIndexRecord, TaskChanges, TaskLandIndexRecord, TaskLands,
};
pub use families::plan::{PLAN, PLAN_ITEM, PLAN_REVISION, PlanItemRecord, PlanRecord, PlanRevisionRecord};
pub use families::remote::{
    PlanBinding, REMOTE_CHANGE, REMOTE_TASK, RemoteChange, RemoteChangeRecord, RemoteTask, RemoteTaskRecord,
    RemoteTaskStatus, SERVER_LAND, ServerLand, ServerLandRecord,
};
pub use families::snapshot::{Parents, SNAPSHOT, Snapshot, SnapshotRecord};
pub use families::stash::{STASH, Stash, StashRecord};
pub use families::tag::{TAG, Tag, TagPayload, TagRecord};
pub use families::task::{PublishedTask, TASK, Task, TaskPayload, TaskRecord, TaskStatus};
pub use families::{ELSEWHERE, Elsewhere, FAMILIES, judge};
pub use flags::{ChangeFlag, ChangeFlags, RemoteFlag, RemoteFlags, TaskFlag, TaskFlags};
pub use grammar::{Grammar, PAYLOADS, Part};
pub use hash::{
    ObjectHash, ObjectHasher, ObjectKind, SnapshotDescriptor, SnapshotId, SnapshotKind, fnv1a64, object_hash,
};
pub use identity::{ChangeRef, Identity, IdentityError, LandRef, Namespace, TaskId, TaskScope};
pub use index::{INDEXES, LINE_NAME_INDEX, OBJECT_HASH_INDEX, SNAPSHOT_ID_INDEX};
pub use layout::{Bit, Field, FieldType, FieldValue, IndexLayout, Layout, ZeroRecord};
pub use name::{LineName, MAX_NAME_LEN, TagName};
pub use ordinal::{ChangeOrdinal, LandOrdinal};
pub use page::format_page;
pub use range::PayloadRange;
pub use record::record;
pub use reference::{
    ChangeIndex, LandIndex, LineIndex, ObjectIndex, PatchsetIndex, PlanIndex, PlanItemIndex, PlanRevisionIndex,
    RemoteTaskIndex, SnapshotIndex, StashIndex, TagIndex, TaskIndex,
};
pub use snapshot_payload::{MAX_PARENTS, MoreParents, SnapshotPayload};
pub use time::UnixSeconds;
pub use tolerance::{Reading, TOLERANCES, Tolerance, ToleranceId, Tolerated};

/// The bytes before the first record of every file of the format: `layout_id` as a little-endian u32.
pub const HEADER_LEN: u64 = 4;
/// The layout this version reads and writes.
pub const LAYOUT_ID: u32 = 1;
/// The header every `.bin` and `.idx` file of layout 1 starts with (W-TASK-36, assigned by us).
pub const HEADER: [u8; 4] = LAYOUT_ID.to_le_bytes();
