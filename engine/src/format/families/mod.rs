//! Every family this version knows: one file or small group each, and one line each in the list.

use super::error::DecodeError;
use super::layout::Layout;
use super::tolerance::Tolerated;

pub mod change;
pub mod cursor;
pub mod land;
pub mod line;
pub mod object;
pub mod owner_index;
pub mod plan;
pub mod remote;
pub mod snapshot;
pub mod stash;
pub mod tag;
pub mod task;

/// Every declared family, in the order of the authorities' lists (F-0.8).
///
/// Trees, packs, blobs as rows and the Git rows are no families of version 0 and have no place here (F-0.3).
pub static FAMILIES: &[&Layout] = &[
    &task::TASK,
    &owner_index::TASK_CHANGE_INDEX,
    &owner_index::TASK_LAND_INDEX,
    &change::CHANGE,
    &owner_index::CHANGE_LAND_INDEX,
    &land::LAND,
    &line::LINE,
    &snapshot::SNAPSHOT,
    // Stashes are local: no other authority has them, now or later (W-STASH-02).
    &stash::STASH,
    &tag::TAG,
    &plan::PLAN,
    &plan::PLAN_REVISION,
    &plan::PLAN_ITEM,
    &object::OBJECT,
];

/// A record that stands in no root of this version.
#[derive(Debug)]
pub struct Elsewhere {
    /// The name it is asked for by; its family's name alone may be that of a local family too.
    pub name: &'static str,
    /// Where its file stands.
    pub place: &'static str,
    /// Its declaration.
    pub layout: &'static Layout,
}

/// Every declared record that belongs to no [`Authority`](super::Authority) of this version: a server's forms of the
/// workflow records, which wait for their operations, and the cursor of a worktree.
pub static ELSEWHERE: &[Elsewhere] = &[
    Elsewhere {
        name: "server_task",
        place: "a server's repository root",
        layout: &remote::REMOTE_TASK,
    },
    Elsewhere {
        name: "server_change",
        place: "a server's repository root",
        layout: &remote::REMOTE_CHANGE,
    },
    Elsewhere {
        name: "server_land",
        place: "a server's repository root",
        layout: &remote::SERVER_LAND,
    },
    Elsewhere {
        name: "worktree_cursor",
        place: "`.ait-worktree` in a worktree",
        layout: &cursor::WORKTREE_CURSOR,
    },
];

/// How a record's typed decoder judges bytes: what it tolerates, or why it refuses them.
type Judge = fn(&[u8]) -> Result<Tolerated, DecodeError>;

/// The typed decoder of every declared record that has one.
static JUDGES: &[(&Layout, Judge)] = &[
    (&task::TASK, |bytes| Ok(task::Task::decode(bytes)?.tolerated)),
    (&owner_index::TASK_CHANGE_INDEX, |bytes| {
        Ok(owner_index::TaskChanges::decode(bytes)?.tolerated)
    }),
    (&owner_index::TASK_LAND_INDEX, |bytes| {
        Ok(owner_index::TaskLands::decode(bytes)?.tolerated)
    }),
    (&change::CHANGE, |bytes| Ok(change::Change::decode(bytes)?.tolerated)),
    (&owner_index::CHANGE_LAND_INDEX, |bytes| {
        Ok(owner_index::ChangeLands::decode(bytes)?.tolerated)
    }),
    (&land::LAND, |bytes| Ok(land::Land::decode(bytes)?.tolerated)),
    (&line::LINE, |bytes| Ok(line::Line::decode(bytes)?.tolerated)),
    (&snapshot::SNAPSHOT, |bytes| {
        Ok(snapshot::Snapshot::decode(bytes)?.tolerated)
    }),
    (&stash::STASH, |bytes| Ok(stash::Stash::decode(bytes)?.tolerated)),
    (&tag::TAG, |bytes| Ok(tag::Tag::decode(bytes)?.tolerated)),
    (&object::OBJECT, |bytes| Ok(object::Object::decode(bytes)?.tolerated)),
    (&remote::REMOTE_TASK, |bytes| {
        Ok(remote::RemoteTask::decode(bytes)?.tolerated)
    }),
    (&remote::REMOTE_CHANGE, |bytes| {
        Ok(remote::RemoteChange::decode(bytes)?.tolerated)
    }),
    (&remote::SERVER_LAND, |bytes| {
        Ok(remote::ServerLand::decode(bytes)?.tolerated)
    }),
    (&cursor::WORKTREE_CURSOR, |bytes| {
        Ok(cursor::Cursor::decode(bytes)?.tolerated)
    }),
];

/// What the typed decoder of `layout` says of a record; `None` where the family has no typed decoder yet.
pub fn judge(layout: &Layout, record: &[u8]) -> Option<Result<Tolerated, DecodeError>> {
    let (_, judge) = JUDGES.iter().find(|(other, _)| std::ptr::eq(*other, layout))?;
    Some(judge(record))
}
