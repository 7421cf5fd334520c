//! The open authority files of one zone and their lengths.

use crate::disk::sync::atomic::{AtomicU64, Ordering};
use crate::disk::{DurableDirectory, DurableFile};
use crate::format::{HEADER, HEADER_LEN, LAYOUT_ID, Layout, ZoneLayout};
use crate::vfs::Access;

use super::error::{Error, Result};
use super::source::FamilyId;

const UNKNOWN: u64 = u64::MAX;

/// One authority file of a zone.
#[derive(Debug)]
pub(super) struct ZoneFile {
    /// Its name.
    pub(super) name: &'static str,
    /// The record size; `None` for a payload file.
    pub(super) record_size: Option<u32>,
    /// The open file.
    pub(super) file: DurableFile,
    /// Its length as last read under a lock, or `UNKNOWN`. No writer is active while a lock is held.
    len: AtomicU64,
}

impl ZoneFile {
    /// The length as last read; 0 where nobody has resolved the file yet.
    pub(super) fn known_len(&self) -> u64 {
        match self.len.load(Ordering::Acquire) {
            UNKNOWN => 0,
            len => len,
        }
    }

    pub(super) fn is_known(&self) -> bool {
        self.len.load(Ordering::Acquire) != UNKNOWN
    }

    pub(super) fn set_known_len(&self, len: u64) {
        self.len.store(len, Ordering::Release);
    }

    pub(super) fn forget_len(&self) {
        self.len.store(UNKNOWN, Ordering::Release);
    }

    /// Reads the length and checks that it is one the format allows.
    pub(super) fn load_len(&self) -> Result<u64> {
        if self.is_known() {
            return Ok(self.known_len());
        }
        let len = self.file.len()?;
        let corrupt = |message: String| Error::Corrupt {
            file: self.file.path().to_owned(),
            record: None,
            rule: "F-1",
            message,
        };
        let Some(body) = len.checked_sub(HEADER_LEN) else {
            return Err(corrupt(format!("it has {len} bytes, fewer than its header")));
        };
        if let Some(size) = self.record_size {
            if !body.is_multiple_of(u64::from(size)) {
                return Err(corrupt(format!("its length {len} is not 4 + a multiple of {size}")));
            }
            if body / u64::from(size) > u64::from(u32::MAX) {
                return Err(corrupt(format!(
                    "it has {} records, more than an index can name",
                    body / u64::from(size)
                )));
            }
        }
        self.set_known_len(len);
        Ok(len)
    }

    /// The number of records; 0 for a payload file.
    pub(super) fn known_count(&self) -> u32 {
        count_of(self.known_len(), self.record_size.unwrap_or(1))
    }

    /// Checks the four bytes before the first record.
    pub(super) fn check_header(&self) -> Result<()> {
        let mut header = [0; 4];
        let read = self.file.read_up_to(0, &mut header)?;
        if read == header.len() && header == HEADER {
            return Ok(());
        }
        let found = u32::from_le_bytes(header);
        if read == header.len() && found > LAYOUT_ID {
            return Err(crate::disk::Error::Unsupported {
                path: self.file.path().to_owned(),
                found: u64::from(found),
                known: u64::from(LAYOUT_ID),
            }
            .into());
        }
        Err(Error::Corrupt {
            file: self.file.path().to_owned(),
            record: None,
            rule: "F-1",
            message: format!("its header is not layout {LAYOUT_ID}"),
        })
    }
}

/// The number of records in a file of that length.
pub(super) fn count_of(len: u64, record_size: u32) -> u32 {
    u32::try_from(len.saturating_sub(HEADER_LEN) / u64::from(record_size.max(1))).unwrap_or(u32::MAX)
}

/// The offset of a record.
pub(super) fn offset_of(index: u32, record_size: u32) -> u64 {
    HEADER_LEN + u64::from(index) * u64::from(record_size)
}

/// The files of a zone, in the order of its declaration: each family's record file, then its payload file.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) slots: Vec<ZoneFile>,
    families: Vec<(&'static Layout, u8, Option<u8>)>,
}

impl Files {
    pub(super) fn open(directory: &DurableDirectory, layout: &ZoneLayout, access: Access) -> Result<Self> {
        let mut slots = Vec::new();
        let mut families = Vec::new();
        let mut open = |name: &'static str, record_size: Option<u32>| -> Result<u8> {
            let slot = u8::try_from(slots.len()).map_err(|_| Error::Exhausted {
                what: "the files of a zone",
                limit: u64::from(u8::MAX),
            })?;
            let file = directory.open_file(name, access)?;
            slots.push(ZoneFile {
                name,
                record_size,
                file,
                len: AtomicU64::new(UNKNOWN),
            });
            Ok(slot)
        };
        for family in layout.families {
            let record_size = u32::try_from(family.record_size).unwrap_or(u32::MAX);
            let records = open(family.file, Some(record_size))?;
            let payload = family.payload_file.map(|name| open(name, None)).transpose()?;
            families.push((*family, records, payload));
        }
        Ok(Self { slots, families })
    }

    pub(super) fn slot(&self, slot: u8) -> Result<&ZoneFile> {
        self.slots
            .get(usize::from(slot))
            .ok_or_else(|| Error::Usage("the family belongs to another zone".to_owned()))
    }

    pub(super) fn by_name(&self, name: &str) -> Option<&ZoneFile> {
        self.slots.iter().find(|file| file.name == name)
    }

    /// Resolves a family; its lengths are known afterwards.
    pub(super) fn family(&self, layout: &'static Layout, zone: u8) -> Result<Option<FamilyId>> {
        let found = self
            .families
            .iter()
            .find(|(family, ..)| std::ptr::eq(*family, layout) || family.file == layout.file);
        let Some((family, record_slot, payload_slot)) = found else {
            return Ok(None);
        };
        self.slot(*record_slot)?.load_len()?;
        if let Some(slot) = payload_slot {
            self.slot(*slot)?.load_len()?;
        }
        Ok(Some(FamilyId {
            zone,
            record_slot: *record_slot,
            payload_slot: *payload_slot,
            record_size: u32::try_from(family.record_size).unwrap_or(u32::MAX),
        }))
    }

    /// After another process changed the zone: reads the lengths again that somebody relies on.
    pub(super) fn reload_lens(&self) -> Result<()> {
        for file in &self.slots {
            if file.is_known() {
                file.forget_len();
                file.load_len()?;
            }
        }
        Ok(())
    }
}
