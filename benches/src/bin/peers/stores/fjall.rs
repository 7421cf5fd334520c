//! fjall, each batch persisted with `SyncAll`.

use std::path::Path;

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::keyed::{Keyed, KeyedContender};
use crate::contender::{Answer, Contender, Kind};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "fjall",
    durability: "a batch with `PersistMode::SyncAll` for each commit",
    reads: true,
    open,
    soil: None,
};

struct Fjall {
    database: Database,
    records: Keyspace,
}

fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let database = Database::builder(directory.join("fjall")).open()?;
    let records = database.keyspace("records", KeyspaceCreateOptions::default)?;
    Ok(Box::new(KeyedContender::new(Fjall { database, records })?))
}

impl Keyed for Fjall {
    fn commit(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        let mut batch = self.database.batch().durability(Some(PersistMode::SyncAll));
        for (key, value) in pairs {
            batch.insert(&self.records, key.to_be_bytes(), value.as_slice());
        }
        Ok(batch.commit()?)
    }

    fn get(&self, keys: &mut dyn Iterator<Item = u64>, see: &mut dyn FnMut(&[u8])) -> Answer {
        for key in keys {
            if let Some(value) = self.records.get(key.to_be_bytes())? {
                see(&value);
            }
        }
        Ok(())
    }

    fn scan_below(&self, end: u64, see: &mut dyn FnMut(&[u8])) -> Answer {
        for pair in self.records.range(..end.to_be_bytes()) {
            see(&pair.value()?);
        }
        Ok(())
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        Ok(None)
    }
}
