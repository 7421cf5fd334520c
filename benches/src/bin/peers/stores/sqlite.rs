//! `SQLite` through rusqlite, in WAL mode with `synchronous=FULL`.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::keyed::{Keyed, KeyedContender};
use crate::contender::{Answer, Contender, Kind};

/// How it takes part.
pub const KIND: Kind = Kind {
    name: "sqlite",
    durability: "`journal_mode=WAL`, `synchronous=FULL`",
    reads: true,
    open,
    soil: None,
};

/// One connection: `SQLite` has one writer at a time however many there are.
struct Sqlite(Mutex<Connection>);

fn open(directory: &Path) -> Answer<Box<dyn Contender>> {
    let connection = Connection::open(directory.join("store.sqlite"))?;
    let mode: String = connection.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(format!("the journal mode is {mode}").into());
    }
    connection.execute_batch(
        "PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    )?;
    Ok(Box::new(KeyedContender::new(Sqlite(Mutex::new(connection)))?))
}

impl Sqlite {
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keyed for Sqlite {
    fn commit(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        {
            let mut put = transaction.prepare_cached("INSERT OR REPLACE INTO records VALUES (?1, ?2)")?;
            for (key, value) in pairs {
                put.execute((key.cast_signed(), value))?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn get(&self, keys: &mut dyn Iterator<Item = u64>, see: &mut dyn FnMut(&[u8])) -> Answer {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let mut query = transaction.prepare_cached("SELECT value FROM records WHERE id = ?1")?;
        for key in keys {
            let mut rows = query.query([key.cast_signed()])?;
            if let Some(row) = rows.next()? {
                see(row.get_ref(0)?.as_blob()?);
            }
        }
        Ok(())
    }

    fn scan_below(&self, end: u64, see: &mut dyn FnMut(&[u8])) -> Answer {
        let connection = self.connection();
        let mut query = connection.prepare_cached("SELECT value FROM records WHERE id < ?1 ORDER BY id")?;
        let mut rows = query.query([end.cast_signed()])?;
        while let Some(row) = rows.next()? {
            see(row.get_ref(0)?.as_blob()?);
        }
        Ok(())
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        let answer: String = self
            .connection()
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        if answer == "ok" {
            Ok(Some(()))
        } else {
            Err(answer.into())
        }
    }
}
