//! Reading records straight from the files of a root that cannot be opened as a whole: where a file is missing or the
//! recovery store cannot be used, the others are checked all the same.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use super::files::is_shaped;
use crate::disk::{self, DurableDirectory, DurableFile, LockWait, SharedHold, ZoneLock};
use crate::format::{HEADER_LEN, Layout};
use crate::store::{Error, FamilyId, IndexDefinition, Result, Source};
use crate::vfs::Access;
use crate::whole::place::RootPlace;

/// The data files of a root that are there, under the zone's shared lock where that can be had.
pub(super) struct FilesSource {
    families: Vec<Family>,
    /// The records by key, of each index that was asked.
    keys: RefCell<HashMap<&'static str, Keys>>,
    lock: Option<(ZoneLock, SharedHold)>,
}

/// The records of one family by their key in one index, in ascending order.
type Keys = HashMap<Vec<u8>, Vec<u32>>;

/// One family's files.
struct Family {
    layout: &'static Layout,
    records: Option<(DurableFile, u64)>,
    payload: Option<(DurableFile, u64)>,
}

impl FilesSource {
    /// Opens the files that are there and are regular files.
    pub(super) fn open(directory: &DurableDirectory, root: &RootPlace, wait: LockWait) -> disk::Result<Self> {
        let (lock, gate) = (root.zone.lock_file, root.zone.gate_file);
        let lock = match ZoneLock::open(directory, lock, gate, Access::Read, wait) {
            Ok(lock) => {
                let hold = lock.acquire_shared()?;
                Some((lock, hold))
            }
            // What is wrong with it is a finding already.
            Err(_) => None,
        };
        let mut families = Vec::new();
        for layout in root.zone.families {
            families.push(Family {
                layout,
                records: open_file(directory, layout.file)?,
                payload: layout
                    .payload_file
                    .map_or(Ok(None), |file| open_file(directory, file))?,
            });
        }
        let keys = RefCell::default();
        Ok(Self { families, keys, lock })
    }

    fn read_keys(&self, index: &IndexDefinition) -> Result<Keys> {
        let family = self.family(index.layout)?;
        let mut keys = Keys::new();
        for record in 0..self.record_count(family) {
            match (index.key)(self, family, record) {
                Ok(Some(key)) => keys.entry(key).or_default().push(record),
                // A damaged record is a finding of its own.
                Ok(None) | Err(Error::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(keys)
    }

    fn of(&self, family: FamilyId) -> Result<&Family> {
        let unknown = || Error::Usage("the family is not one of this root".to_owned());
        self.families.get(usize::from(family.slot())).ok_or_else(unknown)
    }
}

impl Drop for FilesSource {
    fn drop(&mut self) {
        if let Some((lock, hold)) = &self.lock {
            lock.release_shared(hold);
        }
    }
}

/// Opens a file with its length; `None` where it is missing or no regular file.
fn open_file(directory: &DurableDirectory, name: &str) -> disk::Result<Option<(DurableFile, u64)>> {
    match directory.open_file(name, Access::Read) {
        Ok(file) => {
            let len = file.len()?;
            Ok(Some((file, len)))
        }
        Err(disk::Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(disk::Error::Refused { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn corrupt(file: &str, message: impl Into<String>) -> Error {
    Error::Corrupt {
        file: file.to_owned(),
        record: None,
        rule: "F-1",
        message: message.into(),
    }
}

impl Source for FilesSource {
    fn family(&self, layout: &'static Layout) -> Result<FamilyId> {
        let found = self
            .families
            .iter()
            .zip(0..)
            .find(|(family, _)| family.layout.family == layout.family);
        let Some((family, slot)) = found else {
            return Err(Error::Usage(format!(
                "the family {} belongs to another authority",
                layout.family
            )));
        };
        let size = u32::try_from(layout.record_size).unwrap_or(u32::MAX);
        match &family.records {
            Some((_, len)) if is_shaped(*len, u64::from(size)) => Ok(FamilyId::of_slot(slot, size)),
            _ => Err(corrupt(
                layout.file,
                "it is missing, or its length is not one that the format allows",
            )),
        }
    }

    fn record_count(&self, family: FamilyId) -> u32 {
        let Ok(Family {
            layout,
            records: Some((_, len)),
            ..
        }) = self.of(family)
        else {
            return 0;
        };
        let records = len.saturating_sub(HEADER_LEN) / (layout.record_size as u64).max(1);
        u32::try_from(records).unwrap_or(u32::MAX)
    }

    fn read_record(&self, family: FamilyId, index: u32, out: &mut [u8]) -> Result<()> {
        let count = self.record_count(family);
        match self.of(family)? {
            Family {
                layout,
                records: Some((file, _)),
                ..
            } if index < count => {
                let offset = HEADER_LEN + u64::from(index) * layout.record_size as u64;
                Ok(file.read_exact_at(offset, out)?)
            }
            Family { layout, .. } => Err(Error::OutOfRange {
                file: layout.file.to_owned(),
                index,
                count,
            }),
        }
    }

    fn payload_len(&self, family: FamilyId) -> u64 {
        match self.of(family) {
            Ok(Family {
                payload: Some((_, len)),
                ..
            }) => *len,
            _ => HEADER_LEN,
        }
    }

    fn read_payload(&self, family: FamilyId, offset: u64, out: &mut [u8]) -> Result<()> {
        let len = self.payload_len(family);
        let end = offset
            .checked_add(out.len() as u64)
            .filter(|end| *end <= len && offset >= HEADER_LEN);
        match self.of(family)? {
            Family {
                payload: Some((file, _)),
                ..
            } if end.is_some() => Ok(file.read_exact_at(offset, out)?),
            Family { layout, .. } => {
                let file = layout.payload_file.unwrap_or(layout.file);
                let message = format!(
                    "a payload of {} bytes at {offset} lies outside its {len} bytes",
                    out.len()
                );
                Err(corrupt(file, message))
            }
        }
    }

    fn find(
        &self,
        index: &'static IndexDefinition,
        key: &[u8],
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let candidates = match self.keys.borrow_mut().entry(index.layout.family) {
            Entry::Occupied(keys) => keys.get().get(key).cloned(),
            Entry::Vacant(slot) => slot.insert(self.read_keys(index)?).get(key).cloned(),
        };
        for candidate in candidates.unwrap_or_default() {
            if accept(candidate)? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }
}
