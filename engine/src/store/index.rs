//! Finding records by key: an index in memory, built when it is first needed, and the rebuildable `.idx` file.
//!
//! The file is an accelerator for hits only: a hit is always confirmed against its record, and a miss in the file
//! means nothing, since the file may be stale. A miss is decided by the index in memory, which is built from the
//! records themselves. Nothing ever repairs a record from an index.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::disk::{DurableDirectory, DurableFile};
use crate::format::{HEADER, HEADER_LEN, IndexLayout};
use crate::vfs::Access;

use super::error::{Error, Result};
use super::source::{FamilyId, IndexDefinition, Source};

/// A file being written aside gets this suffix.
const ASIDE_SUFFIX: &str = ".rebuild";

/// The name under which a file of a root is prepared before it is renamed into place.
#[must_use]
pub fn aside_name(file: &str) -> String {
    format!("{file}{ASIDE_SUFFIX}")
}

/// Odd, with its bits well spread.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A fingerprint of the key, eight bytes of it at a time, so that the index in memory holds eight bytes a key.
/// Candidates are confirmed anyway, so nothing but time hangs on two keys sharing one.
fn hash_of(key: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(SPREAD);
        mixed ^ (mixed >> 32)
    };
    let (words, rest) = key.as_chunks::<8>();
    let hash = words
        .iter()
        .fold(key.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    mix(mix(hash, u64::from_le_bytes(last)), SPREAD)
}

/// Passes on what is a hash already.
#[derive(Debug, Default)]
struct PassOn(u64);

impl Hasher for PassOn {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_of(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[derive(Debug)]
enum Candidates {
    One(u32),
    Many(Vec<u32>),
}

/// The candidates of one index, by key hash.
#[derive(Debug, Default)]
pub(super) struct KeyMap {
    map: HashMap<u64, Candidates, BuildHasherDefault<PassOn>>,
    /// Records whose key cannot be read. While there is one, a miss cannot be told from damage.
    damaged: Vec<u32>,
    /// Records below this index are in the map.
    covered: u32,
    /// Changes of earlier records that are still to be looked at (a cursor into a transaction's list).
    cursor: usize,
}

impl KeyMap {
    fn insert(&mut self, hash: u64, index: u32) {
        match self.map.get_mut(&hash) {
            None => {
                self.map.insert(hash, Candidates::One(index));
            }
            Some(Candidates::One(first)) if *first == index => {}
            Some(candidates @ Candidates::One(_)) => {
                if let Candidates::One(first) = *candidates {
                    *candidates = Candidates::Many(vec![first.min(index), first.max(index)]);
                }
            }
            Some(Candidates::Many(all)) => {
                if let Err(position) = all.binary_search(&index) {
                    all.insert(position, index);
                }
            }
        }
    }

    /// Reads one record's key into the map.
    fn look_at(
        &mut self,
        definition: &IndexDefinition,
        source: &dyn Source,
        family: FamilyId,
        index: u32,
    ) -> Result<()> {
        match (definition.key)(source, family, index) {
            Ok(Some(key)) => self.insert(hash_of(&key), index),
            Ok(None) => {}
            Err(Error::Corrupt { .. }) => {
                if let Err(position) = self.damaged.binary_search(&index) {
                    self.damaged.insert(position, index);
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Looks at every record up to `count` that is not covered yet.
    pub(super) fn cover(
        &mut self,
        definition: &IndexDefinition,
        source: &dyn Source,
        family: FamilyId,
        count: u32,
    ) -> Result<()> {
        while self.covered < count {
            self.look_at(definition, source, family, self.covered)?;
            self.covered += 1;
        }
        Ok(())
    }

    /// Looks at the records of a family that were touched since the last call.
    pub(super) fn catch_up(
        &mut self,
        definition: &IndexDefinition,
        source: &dyn Source,
        family: FamilyId,
        touched: &[(u8, u32)],
    ) -> Result<()> {
        while let Some((slot, index)) = touched.get(self.cursor) {
            if *slot == family.record_slot {
                self.look_at(definition, source, family, *index)?;
            }
            self.cursor += 1;
        }
        Ok(())
    }

    /// Takes over what a transaction has learnt of the records that it appended and changed, once they stand on disk:
    /// before it there were `before` records, now there are `count`. `false`: there are records whose key cannot be
    /// read, and whether those are the same ones as before is unknown.
    pub(super) fn take_over(&mut self, learnt: Self, before: u32, count: u32) -> bool {
        if !self.damaged.is_empty() || !learnt.damaged.is_empty() {
            return false;
        }
        for (hash, candidates) in learnt.map {
            match candidates {
                Candidates::One(index) => self.insert(hash, index),
                Candidates::Many(all) => all.into_iter().for_each(|index| self.insert(hash, index)),
            }
        }
        if self.covered >= before {
            self.covered = count;
        }
        true
    }

    /// After a transaction went back to a savepoint: later entries will be other ones.
    pub(super) fn rewind(&mut self, touched: usize) {
        self.cursor = self.cursor.min(touched);
    }

    /// The candidates of a key, in ascending order.
    pub(super) fn candidates(&self, key: &[u8]) -> Vec<u32> {
        match self.map.get(&hash_of(key)) {
            None => Vec::new(),
            Some(Candidates::One(index)) => vec![*index],
            Some(Candidates::Many(all)) => all.clone(),
        }
    }

    pub(super) fn first_damaged(&self) -> Option<u32> {
        self.damaged.first().copied()
    }

    pub(super) fn covered(&self) -> u32 {
        self.covered
    }
}

/// One index of an open zone, as a handle keeps it between transactions.
#[derive(Debug)]
pub(super) struct ZoneIndex {
    pub(super) definition: &'static IndexDefinition,
    /// Built on the first miss of the file.
    pub(super) keys: Option<KeyMap>,
    /// How many records the file on disk was written over, as far as this handle knows.
    pub(super) written: u32,
    /// How often the file was searched while there were no keys in memory.
    pub(super) searches: u32,
}

/// Searches of a file after which keys in memory may pay.
const FEW_SEARCHES: u32 = 256;
/// About how many records are read into memory in the time of one search of the file.
const RECORDS_A_SEARCH: u32 = 32;

impl ZoneIndex {
    /// Another process changed the zone.
    pub(super) fn foreign_change(&mut self, count: u32) {
        let still_good = self.definition.immutable && self.keys.as_ref().is_some_and(|keys| keys.covered <= count);
        if !still_good {
            self.keys = None;
            self.searches = 0;
        }
    }

    /// Whether the file is still the cheaper way: a handle that asks often reads the keys of all `count` records once.
    pub(super) fn file_pays(&mut self, count: u32) -> bool {
        self.searches = self.searches.saturating_add(1);
        self.searches < FEW_SEARCHES || self.searches.saturating_mul(RECORDS_A_SEARCH) < count
    }

    /// Whether enough records are missing from the file that rewriting it is worth its cost.
    pub(super) fn wants_writing(&self) -> bool {
        let Some(keys) = &self.keys else { return false };
        let missing = keys.covered.saturating_sub(self.written);
        self.definition.file.is_some() && missing >= 1024 && missing >= keys.covered / 2
    }
}

/// The rows of an index file with this key, read by binary search. A file that is missing or has a wrong shape has
/// none.
pub(super) fn search_file(
    directory: &DurableDirectory,
    definition: &IndexDefinition,
    layout: &IndexLayout,
    key: &[u8],
) -> Result<Vec<u32>> {
    let file = match directory.open_file(layout.file, Access::Read) {
        Ok(file) => file,
        Err(crate::disk::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error.into()),
    };
    let len = file.len()?;
    let row_size = layout.row_size as u64;
    let mut header = [0; 4];
    if key.len() != layout.key_size
        || layout.row_size != layout.key_size + 4
        || file.read_up_to(0, &mut header)? != 4
        || header != HEADER
        || !len.saturating_sub(HEADER_LEN).is_multiple_of(row_size)
    {
        return Ok(Vec::new());
    }
    let rows = len.saturating_sub(HEADER_LEN) / row_size;
    let (mut low, mut high) = (0, rows);
    while low < high {
        let middle = low + (high - low) / 2;
        let row = read_row(&file, layout, middle)?;
        if sort_key(layout, row.get(..layout.key_size).unwrap_or_default()) < sort_key(layout, key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut found = Vec::new();
    while low < rows {
        let row = read_row(&file, layout, low)?;
        let (row_key, value) = row.split_at(layout.key_size.min(row.len()));
        if row_key != key {
            break;
        }
        let value = value.try_into().map(u32::from_le_bytes).unwrap_or_default();
        let index = if definition.plus1 {
            value.checked_sub(1)
        } else {
            Some(value)
        };
        found.extend(index);
        low += 1;
    }
    Ok(found)
}

fn read_row(file: &DurableFile, layout: &IndexLayout, row: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; layout.row_size];
    file.read_exact_at(HEADER_LEN + row * layout.row_size as u64, &mut bytes)?;
    Ok(bytes)
}

/// Keys of eight bytes are little-endian integers and sort as such; others sort as bytes.
fn sort_key(layout: &IndexLayout, key: &[u8]) -> Vec<u8> {
    if layout.key_size == 8 {
        key.iter().rev().copied().collect()
    } else {
        key.to_vec()
    }
}

/// The bytes of an index file over the first `count` records: header, then rows, strictly increasing. A record that
/// cannot be read has no row.
pub fn file_bytes(
    definition: &IndexDefinition,
    layout: &IndexLayout,
    source: &dyn Source,
    family: FamilyId,
) -> Result<Vec<u8>> {
    let mut rows = Vec::new();
    for index in 0..source.record_count(family) {
        let key = match (definition.key)(source, family, index) {
            Ok(Some(key)) if key.len() == layout.key_size => key,
            Ok(_) | Err(Error::Corrupt { .. }) => continue,
            Err(error) => return Err(error),
        };
        let value = if definition.plus1 {
            index.saturating_add(1)
        } else {
            index
        };
        rows.push((sort_key(layout, &key), value, key));
    }
    rows.sort_unstable();
    rows.dedup();
    let mut bytes = Vec::with_capacity(HEADER.len() + rows.len() * layout.row_size);
    bytes.extend_from_slice(&HEADER);
    for (_, value, key) in rows {
        bytes.extend_from_slice(&key);
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    Ok(bytes)
}

/// Writes an index file aside and renames it. Nothing is synced beyond the file itself: a lost or old index file is
/// only slower.
pub(super) fn write_file(directory: &DurableDirectory, layout: &IndexLayout, bytes: &[u8]) -> Result<()> {
    let aside = aside_name(layout.file);
    match directory.remove_file(&aside) {
        Err(crate::disk::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
        other => other?,
    }
    directory.create_file(&aside, bytes)?;
    directory.rename(&aside, layout.file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    static ANY: IndexDefinition = IndexDefinition {
        layout: &crate::format::OBJECT,
        file: None,
        key: |_, _, _| Ok(None),
        plus1: true,
        immutable: true,
    };

    /// After how many searches of its file an index over that many records is read into memory.
    fn searches(count: u32) -> usize {
        let mut index = ZoneIndex {
            definition: &ANY,
            keys: None,
            written: 0,
            searches: 0,
        };
        std::iter::repeat_with(|| index.file_pays(count))
            .take_while(|pays| *pays)
            .count()
    }

    #[test]
    fn a_handle_that_looks_up_often_searches_the_file_in_proportion_to_the_records_and_no_more() {
        assert_eq!(searches(0), 255);
        assert_eq!(searches(1_000), 255);
        assert_eq!(searches(100_000), 3_124);
    }
}
