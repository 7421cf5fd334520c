//! A consistent view of a zone under its shared lock.
//!
//! Lean: `Claim_readers_see_no_halves`.

use std::sync::Mutex;

use crate::disk::SharedHold;
use crate::format::Layout;

use super::cache::ScanChunk;
use super::error::{Error, Result};
use super::files::ZoneFile;
use super::source::{FamilyId, IndexDefinition, Source};
use super::stats::add;
use super::zone::ZoneShared;

/// A consistent view of a zone: no change is committed while it lives, in any process. Keep it short.
#[derive(Debug)]
pub struct View<'z> {
    zone: &'z ZoneShared,
    hold: SharedHold,
    /// Never waited for and never held across a call: a thread that does not get it reads as if there were none.
    scan: Mutex<ScanChunk>,
}

impl<'z> View<'z> {
    pub(super) fn new(zone: &'z ZoneShared, hold: SharedHold) -> Self {
        Self {
            zone,
            hold,
            scan: Mutex::default(),
        }
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        if let Ok(scan) = self.scan.get_mut() {
            add(&self.zone.counters.cache_hits, scan.take_answered());
        }
        self.zone.lock.release_shared(&self.hold);
    }
}

impl Source for View<'_> {
    fn family(&self, layout: &'static Layout) -> Result<FamilyId> {
        self.zone.files.family(layout, 0)?.ok_or_else(|| foreign_family(layout))
    }

    fn record_count(&self, family: FamilyId) -> u32 {
        self.zone.count(family)
    }

    fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
        let Ok(mut scan) = self.scan.try_lock() else {
            return self.zone.read_record(family, index, out);
        };
        let (slot, size) = (family.record_slot, family.record_size);
        if scan.read(slot, index, size, out) {
            return Ok(());
        }
        let goes_on = scan.goes_on(slot, index);
        drop(scan);
        if goes_on
            && let Some((chunk, bytes)) = self.zone.record_chunk(family, index)
            && let Ok(mut scan) = self.scan.try_lock()
        {
            scan.enter(slot, chunk, size, bytes);
            if scan.read(slot, index, size, out) {
                return Ok(());
            }
        }
        self.zone.read_record(family, index, out)
    }

    fn payload_len(&self, family: FamilyId) -> u64 {
        self.zone.payload_file(family).map_or(0, ZoneFile::known_len)
    }

    fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
        self.zone.read_payload(family, offset, out)
    }

    fn find(
        &self,
        index: &'static IndexDefinition,
        key: &[u8],
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let family = self.family(index.layout)?;
        self.zone.find_committed(index, family, key, self, accept)
    }
}

pub(super) fn foreign_family(layout: &Layout) -> Error {
    Error::Usage(format!("the family {} belongs to another authority", layout.family))
}
