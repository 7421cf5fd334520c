//! Every family this version knows: one file or small group each, and one line each in the list.

use super::layout::Layout;

pub mod change;
pub mod land;
pub mod line;
pub mod object;
pub mod owner_index;
pub mod plan;
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
    &stash::STASH,
    &tag::TAG,
    &plan::PLAN,
    &plan::PLAN_REVISION,
    &plan::PLAN_ITEM,
    &object::OBJECT,
];
