//! The raw floor: graven's files and syncs for each operation in plain `std::fs`, and nothing around them.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use graven_benches::raw::RawStore;

use super::keyed::record_of;
use crate::contender::{
    Answer, CONTENT, Contender, Kind, LINE_RECORD, OBJECT_RECORD, OWNER_ROW, SHORT_CONTENT, TASK_RECORD, TASK_TEXT,
};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "raw",
    durability: "graven's files and syncs of each operation in plain `std::fs`",
    reads: true,
    open,
    soil: None,
};

/// The bytes of graven's undo for an append of `count` objects, for a replace, a close and a new Task, as its receipts
/// tell them.
const APPEND_UNDO: usize = 199;
const REPLACE_UNDO: usize = 201;
const CLOSE_UNDO: usize = 165;
const TASK_UNDO: usize = 359;
/// The changed bytes of the times, and the state, that closing a Task writes.
const CLOSE_FIELDS: [usize; 2] = [5, 1];

struct Raw(Mutex<RawStore>);

fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let store = if directory.join("raw.bin").exists() {
        RawStore::open(directory)?
    } else {
        RawStore::create(directory)?
    };
    Ok(Box::new(Raw(Mutex::new(store))))
}

impl Raw {
    fn store(&self) -> MutexGuard<'_, RawStore> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of the record file, in pieces of whole records.
    fn each(&self, mut see: impl FnMut(&[u8])) -> Answer {
        let store = self.store();
        let mut piece = vec![0; OBJECT_RECORD * 20_000];
        let mut offset = 4;
        loop {
            let read = store.records().read_at(&mut piece, offset)?;
            let whole = read - read % OBJECT_RECORD;
            if whole == 0 {
                return Ok(());
            }
            piece[..whole].chunks_exact(OBJECT_RECORD).for_each(&mut see);
            offset += whole as u64;
        }
    }
}

impl Contender for Raw {
    fn append(&self, count: usize) -> Answer {
        let (records, content) = (vec![1; count * OBJECT_RECORD], vec![2; count * CONTENT]);
        let undo_len = APPEND_UNDO + count * OBJECT_RECORD;
        Ok(self.store().append(&records, &content, undo_len)?)
    }

    fn replace(&self) -> Answer {
        Ok(self.store().replace(0, &[1; LINE_RECORD], REPLACE_UNDO)?)
    }

    fn prepare_close(&self, _: usize) -> Answer {
        Ok(self.store().append(&[1; TASK_RECORD], &[], TASK_UNDO)?)
    }

    fn close_task(&self) -> Answer {
        let [fields, state] = CLOSE_FIELDS;
        Ok(self
            .store()
            .state_last(4, &vec![2; fields], &vec![3; state], CLOSE_UNDO)?)
    }

    fn create_task(&self) -> Answer {
        let text = [TASK_TEXT.0, TASK_TEXT.1].concat();
        let (record, row) = ([1; TASK_RECORD], [0; OWNER_ROW]);
        Ok(self
            .store()
            .append_with_owners(&record, text.as_bytes(), &row, TASK_UNDO)?)
    }

    fn fill(&self, from: u32, to: u32) -> Answer {
        let records: Vec<_> = (from..to).flat_map(|index| record_of(index, 0)).collect();
        let content = vec![2; (to - from) as usize * SHORT_CONTENT];
        let undo_len = APPEND_UNDO + records.len();
        Ok(self.store().append(&records, &content, undo_len)?)
    }

    fn read(&self, indexes: &[u32]) -> Answer<u64> {
        let store = self.store();
        let mut record = [0; OBJECT_RECORD];
        let mut sum = 0;
        for index in indexes {
            let offset = 4 + u64::from(*index) * OBJECT_RECORD as u64;
            store.records().read_exact_at(&mut record, offset)?;
            sum += u64::from(record[0]);
        }
        Ok(sum)
    }

    fn scan(&self) -> Answer<u64> {
        let mut count = 0;
        self.each(|record| count += u64::from(!record.is_empty()))?;
        Ok(count)
    }

    fn filtered(&self) -> Answer<u64> {
        let mut count = 0;
        self.each(|record| count += u64::from(record[0] < 16))?;
        Ok(count)
    }
}
