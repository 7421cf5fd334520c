//! Where records of the sample stand.

/// Tasks: open and published, open, and ended in each way; one that was imported.
pub const PUBLISHED_TASK: u32 = 0;
pub const OPEN_TASK: u32 = 1;
pub const COMPLETED_TASK: u32 = 2;
pub const CANCELED_TASK: u32 = 3;
pub const ABANDONED_TASK: u32 = 4;
/// Changes of the published Task: a published draft, a landed one, and three that are archived, for each cause.
pub const PUBLISHED_CHANGE: u32 = 0;
pub const LANDED_CHANGE: u32 = 1;
pub const PLAIN_CHANGE: u32 = 2;
pub const CANCELED_CHANGE: u32 = 3;
pub const SUPERSEDED_CHANGE: u32 = 4;
/// Changes of the open Task, whose Lands did not succeed.
pub const DRAFT_CHANGE: u32 = 5;
pub const OTHER_DRAFT: u32 = 6;
/// A Change of an ended Task, which was imported.
pub const IMPORTED_CHANGE: u32 = 7;
/// Lands of the draft: queued, running, updating, blocked, failed, canceled. Between them stand the Land of the
/// other draft, and the succeeded one of the landed Change.
pub const QUEUED_LAND: u32 = 0;
pub const RUNNING_LAND: u32 = 1;
pub const OTHER_LAND: u32 = 2;
pub const UPDATING_LAND: u32 = 3;
pub const SUCCEEDED_LAND: u32 = 4;
pub const BLOCKED_LAND: u32 = 5;
pub const FAILED_LAND: u32 = 6;
pub const CANCELED_LAND: u32 = 7;
pub const IMPORTED_LAND: u32 = 8;
/// A later Land of the landed Change, which failed.
pub const LATER_LAND: u32 = 9;
/// Snapshots: two of kind line, two of kind stash of which the second is deleted with its Stash, a deleted one.
pub const FIRST: u32 = 0;
pub const SECOND: u32 = 1;
pub const OF_STASH: u32 = 2;
pub const DELETED: u32 = 4;
/// Lines: the main one, an archived one, a deleted one.
pub const ARCHIVED_LINE: u32 = 1;
pub const DELETED_LINE: u32 = 2;
/// Stashes: a deleted one, a live one.
pub const LIVE_STASH: u32 = 1;
