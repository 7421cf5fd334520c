//! redb, with its strictest durability.

use std::path::Path;

use redb::{Database, Durability, ReadableDatabase, TableDefinition};

use super::keyed::{Keyed, KeyedContender};
use crate::contender::{Answer, Contender, Kind};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "redb",
    durability: "`Durability::Immediate` for each commit",
    reads: true,
    open,
    soil: None,
};

const TABLE: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("records");

struct Redb(Database);

fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let database = Database::create(directory.join("store.redb"))?;
    let begin = database.begin_write()?;
    begin.open_table(TABLE)?;
    begin.commit()?;
    Ok(Box::new(KeyedContender::new(Redb(database))?))
}

impl Keyed for Redb {
    fn commit(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        let mut transaction = self.0.begin_write()?;
        transaction.set_durability(Durability::Immediate)?;
        {
            let mut table = transaction.open_table(TABLE)?;
            for (key, value) in pairs {
                table.insert(key, value.as_slice())?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn get(&self, keys: &mut dyn Iterator<Item = u64>, see: &mut dyn FnMut(&[u8])) -> Answer {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        for key in keys {
            if let Some(value) = table.get(key)? {
                see(value.value());
            }
        }
        Ok(())
    }

    fn scan_below(&self, end: u64, see: &mut dyn FnMut(&[u8])) -> Answer {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        for pair in table.range(..end)? {
            see(pair?.1.value());
        }
        Ok(())
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        self.0.check_integrity()?;
        Ok(Some(()))
    }
}
