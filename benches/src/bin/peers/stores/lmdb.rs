//! LMDB through heed, with its default, synchronous commits.

use std::path::Path;

use heed::byteorder::BigEndian;
use heed::types::{Bytes, U64};
use heed::{Database, Env, EnvOpenOptions, PutFlags};

use super::keyed::{Keyed, KeyedContender};
use crate::contender::{Answer, Contender, Kind};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "lmdb",
    durability: "the default flags: pages synced, then the meta page written through",
    reads: true,
    open,
    soil: None,
};

/// The most a store of the bench may grow to; only address space.
const MAP_SIZE: usize = 16 << 30;

struct Lmdb {
    environment: Env,
    records: Database<U64<BigEndian>, Bytes>,
}

#[expect(
    unsafe_code,
    reason = "LMDB maps the file: its binding asks that nobody else changes it, and this run's directory is its own"
)]
fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let mut options = EnvOpenOptions::new();
    options.map_size(MAP_SIZE);
    let environment = unsafe { options.open(directory)? };
    let mut transaction = environment.write_txn()?;
    let records = environment.create_database(&mut transaction, None)?;
    transaction.commit()?;
    Ok(Box::new(KeyedContender::new(Lmdb { environment, records })?))
}

impl Keyed for Lmdb {
    fn commit(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        let mut transaction = self.environment.write_txn()?;
        for (key, value) in pairs {
            self.records.put(&mut transaction, key, value)?;
        }
        Ok(transaction.commit()?)
    }

    fn append_sorted(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        let mut transaction = self.environment.write_txn()?;
        for (key, value) in pairs {
            self.records
                .put_with_flags(&mut transaction, PutFlags::APPEND, key, value)?;
        }
        Ok(transaction.commit()?)
    }

    fn get(&self, keys: &mut dyn Iterator<Item = u64>, see: &mut dyn FnMut(&[u8])) -> Answer {
        let transaction = self.environment.read_txn()?;
        for key in keys {
            if let Some(value) = self.records.get(&transaction, &key)? {
                see(value);
            }
        }
        Ok(())
    }

    fn scan_below(&self, end: u64, see: &mut dyn FnMut(&[u8])) -> Answer {
        let transaction = self.environment.read_txn()?;
        for pair in self.records.range(&transaction, &(..end))? {
            see(pair?.1);
        }
        Ok(())
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        Ok(None)
    }
}
