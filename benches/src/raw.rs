//! The raw pattern: the files and syncs of a crash-safe change, in plain `std::fs`, with nothing around them.
//!
//! It writes the same number of bytes to the same number of files in the same order with the same syncs as the engine,
//! and does nothing else: no rules, no locks, no checksums, no index. The engine's time over this one's is its price.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// One family's files and a recovery store, open for writing.
#[derive(Debug)]
pub struct RawStore {
    undo: File,
    records: File,
    payload: File,
    records_len: u64,
    payload_len: u64,
}

impl RawStore {
    /// The files that [`RawStore::replace`] syncs.
    pub const REPLACE_SYNCS: u32 = 2;
    /// The files that [`RawStore::append`] syncs where there is payload.
    pub const APPEND_SYNCS: u32 = 3;

    /// Creates the three files in `directory`.
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
            records_len: 4,
            payload_len: 4,
        };
        File::open(directory)?.sync_all()?;
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
        if !payload.is_empty() {
            self.payload.write_all_at(payload, self.payload_len)?;
            self.payload.sync_data()?;
            self.payload_len += payload.len() as u64;
        }
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
