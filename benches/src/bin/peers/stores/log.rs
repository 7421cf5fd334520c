//! The plain log: each commit is one write at the end of a file and one `fdatasync`. It has no index and no undo.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::keyed::record_of;
use crate::contender::{
    Answer, CONTENT, Contender, Kind, LINE_RECORD, OWNER_ROW, SHORT_CONTENT, TASK_RECORD, TASK_TEXT,
};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "append+fsync",
    durability: "one write at the end of one file, one `fdatasync`",
    reads: false,
    open,
    soil: None,
};

struct Log(Mutex<(File, u64)>);

fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let path = directory.join("store.log");
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let len = file.metadata()?.len();
    Ok(Box::new(Log(Mutex::new((file, len)))))
}

impl Log {
    fn write(&self, bytes: &[u8]) -> Answer {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place.0.write_all_at(bytes, place.1)?;
        place.0.sync_data()?;
        place.1 += bytes.len() as u64;
        Ok(())
    }
}

impl Contender for Log {
    fn append(&self, count: usize) -> Answer {
        let records: Vec<_> = (0..u32::try_from(count)?)
            .flat_map(|index| record_of(index, CONTENT))
            .collect();
        self.write(&records)
    }

    fn replace(&self) -> Answer {
        self.write(&[1; LINE_RECORD])
    }

    fn prepare_close(&self, _: usize) -> Answer {
        Ok(())
    }

    fn close_task(&self) -> Answer {
        self.write(&[2; TASK_RECORD])
    }

    fn create_task(&self) -> Answer {
        self.write(&[3; TASK_RECORD + TASK_TEXT.0.len() + TASK_TEXT.1.len() + 2 * OWNER_ROW])
    }

    fn fill(&self, from: u32, to: u32) -> Answer {
        let records: Vec<_> = (from..to).flat_map(|index| record_of(index, SHORT_CONTENT)).collect();
        self.write(&records)
    }

    fn read(&self, _: &[u32]) -> Answer<u64> {
        Err("a log is not read by index".into())
    }

    fn scan(&self) -> Answer<u64> {
        Err("a log is not scanned".into())
    }

    fn filtered(&self) -> Answer<u64> {
        Err("a log is not scanned".into())
    }
}
