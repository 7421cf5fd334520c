//! The compound change: several files or zones, the last write named is the commit point and its zone the outer one.
//!
//! The rules C1 to C5 stand where they act: C1 and C2 in [`super::transaction::commit`], C3 to C5 in
//! [`super::recovery::recover`]. Here are the two readings that they speak of.

pub mod cells;

use super::disk::Disk;
use super::rules::Protocol;
use super::undo::{Digests, Kind, Zone, pending};

/// Whether a zone that is opened alone, or copied, has to wait for its outer zone (C4).
pub fn is_blocked(protocol: Protocol, disk: &Disk, zone: &Zone, digests: &Digests) -> bool {
    pending(protocol, disk, zone, digests).is_some_and(|undo| matches!(digests.undo(undo).kind, Kind::External { .. }))
}

/// Whether a reader that holds the shared lock may go on: there is no valid unspent undo of any kind, whatever the
/// records say.
pub fn may_read(protocol: Protocol, disk: &Disk, zone: &Zone, digests: &Digests) -> bool {
    pending(protocol, disk, zone, digests).is_none()
}
