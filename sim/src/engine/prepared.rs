//! The disks that setups leave, kept: most workloads of a table stand on the same one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use graven::vfs::fault::FaultDisk;

use super::Step;

/// So many setups are kept; shrinking a finding tries ever new ones.
const MOST: usize = 16;

static KEPT: Mutex<Option<HashMap<blake3::Hash, FaultDisk>>> = Mutex::new(None);

/// The disk that a setup leaves: a copy of the one it left before, or what `perform` makes of it.
pub(super) fn disk(setup: &[Step], perform: impl FnOnce() -> Result<FaultDisk, String>) -> Result<FaultDisk, String> {
    let name = blake3::hash(format!("{setup:?}").as_bytes());
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(disk) = kept().as_ref().and_then(|disks| disks.get(&name)) {
        return Ok(disk.fork());
    }
    let disk = perform()?;
    let mut kept = kept();
    let disks = kept.get_or_insert_default();
    if disks.len() >= MOST {
        disks.clear();
    }
    disks.insert(name, disk.fork());
    Ok(disk)
}
