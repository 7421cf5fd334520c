//! The raw pattern: the files and syncs of a crash-safe change, in plain `std::fs`, with nothing around them.
//!
//! It writes the same number of bytes to the same number of files in the same order with the same syncs as the engine,
//! and does nothing else: no rules, no locks, no checksums, no index. The engine's time over this one's is its price.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// One family's files, the rows of its two owners, and a recovery store, open for writing.
#[derive(Debug)]
pub struct RawStore {
    undo: File,
    records: File,
    payload: File,
    owners: [File; 2],
    records_len: u64,
    payload_len: u64,
    owners_len: u64,
}

impl RawStore {
    /// The files that [`RawStore::replace`] syncs.
    pub const REPLACE_SYNCS: u32 = 2;
    /// The files that [`RawStore::append`] syncs where there is payload.
    pub const APPEND_SYNCS: u32 = 3;

    /// The files that [`RawStore::state_last`] syncs.
    pub const STATE_LAST_SYNCS: u32 = 3;
    /// The files that [`RawStore::append_with_owners`] syncs.
    pub const APPEND_WITH_OWNERS_SYNCS: u32 = 5;

    /// Creates the files in `directory`.
    pub fn create(directory: &Path) -> io::Result<RawStore> {
        let create = |name: &str| -> io::Result<File> {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .open(directory.join(name))?;
            file.write_all_at(&1_u32.to_le_bytes(), 0)?;
            file.sync_all()?;
            Ok(file)
        };
        let store = RawStore {
            undo: create("raw.undo")?,
            records: create("raw.bin")?,
            payload: create("raw_payload.bin")?,
            owners: [create("raw_owner_first.bin")?, create("raw_owner_second.bin")?],
            records_len: 4,
            payload_len: 4,
            owners_len: 4,
        };
        File::open(directory)?.sync_all()?;
        Ok(store)
    }

    /// Opens the files that [`RawStore::create`] made in `directory`.
    pub fn open(directory: &Path) -> io::Result<RawStore> {
        let open = |name: &str| OpenOptions::new().read(true).write(true).open(directory.join(name));
        let mut store = RawStore {
            undo: open("raw.undo")?,
            records: open("raw.bin")?,
            payload: open("raw_payload.bin")?,
            owners: [open("raw_owner_first.bin")?, open("raw_owner_second.bin")?],
            records_len: 0,
            payload_len: 0,
            owners_len: 0,
        };
        store.records_len = store.records.metadata()?.len();
        store.payload_len = store.payload.metadata()?.len();
        store.owners_len = store.owners[0].metadata()?.len();
        Ok(store)
    }

    /// Overwrites one record: the undo (`undo_len` bytes), a sync, the record, a sync.
    pub fn replace(&mut self, index: u64, record: &[u8], undo_len: usize) -> io::Result<()> {
        self.write_undo(undo_len)?;
        self.records.write_all_at(record, 4 + index * record.len() as u64)?;
        self.records.sync_data()
    }

    /// Appends records with their payload: the undo, a sync, the payload, a sync, the records, a sync.
    pub fn append(&mut self, records: &[u8], payload: &[u8], undo_len: usize) -> io::Result<()> {
        self.write_undo(undo_len)?;
        self.write_payload(payload)?;
        self.write_records(records)
    }

    /// Writes some fields of one record and then its state: the undo, a sync, the fields, a sync, the state, a sync.
    pub fn state_last(&mut self, offset: u64, fields: &[u8], state: &[u8], undo_len: usize) -> io::Result<()> {
        self.write_undo(undo_len)?;
        self.records.write_all_at(fields, offset)?;
        self.records.sync_data()?;
        self.records.write_all_at(state, offset + fields.len() as u64)?;
        self.records.sync_data()
    }

    /// Appends a record with its payload and a row to each of two other files: the undo, a sync, the payload, a sync,
    /// then the record and both rows, a sync of each of the three files.
    pub fn append_with_owners(&mut self, record: &[u8], payload: &[u8], row: &[u8], undo_len: usize) -> io::Result<()> {
        self.write_undo(undo_len)?;
        self.write_payload(payload)?;
        for owner in &self.owners {
            owner.write_all_at(row, self.owners_len)?;
        }
        self.write_records(record)?;
        for owner in &self.owners {
            owner.sync_data()?;
        }
        self.owners_len += row.len() as u64;
        Ok(())
    }

    /// The record file, for reading.
    pub fn records(&self) -> &File {
        &self.records
    }

    fn write_payload(&mut self, payload: &[u8]) -> io::Result<()> {
        if !payload.is_empty() {
            self.payload.write_all_at(payload, self.payload_len)?;
            self.payload.sync_data()?;
            self.payload_len += payload.len() as u64;
        }
        Ok(())
    }

    fn write_records(&mut self, records: &[u8]) -> io::Result<()> {
        self.records.write_all_at(records, self.records_len)?;
        self.records.sync_data()?;
        self.records_len += records.len() as u64;
        Ok(())
    }

    fn write_undo(&self, len: usize) -> io::Result<()> {
        self.undo.write_all_at(&vec![0x5a; len], 0)?;
        self.undo.sync_data()
    }
}

/// Opens every file of `directory` for reading and writing and reads its first four bytes; answers how many.
pub fn open_all(directory: &Path) -> io::Result<usize> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_of(&path)?);
        } else {
            files.push(path);
        }
    }
    for path in &files {
        let mut header = [0; 4];
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        // Gate files are empty: nothing to read is fine here.
        let _ = file.read(&mut header)?;
        let _ = file.metadata()?.len();
    }
    Ok(files.len())
}

fn files_of(directory: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect()
}
