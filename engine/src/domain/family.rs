//! One family as every domain reads and writes it: records by index, payload by range, one way to say what is wrong.

use super::error::{Error, Result};
use crate::format::{DecodeError, Layout, PayloadRange, Reading};
use crate::store::{self, FamilyId, Source, Stage, Transaction};

/// The greatest record of any family, in bytes.
const MAX_RECORD_SIZE: usize = 128;

/// A family of a source: where its records and its payload come from.
#[derive(Clone, Copy)]
pub(super) struct Family<'s> {
    source: &'s dyn Source,
    id: FamilyId,
    layout: &'static Layout,
    noun: &'static str,
}

impl<'s> Family<'s> {
    /// The family of that layout in `source`; `noun` is what one of its records is called.
    pub(super) fn of(source: &'s dyn Source, layout: &'static Layout, noun: &'static str) -> Result<Self> {
        Ok(Self {
            source,
            id: source.family(layout)?,
            layout,
            noun,
        })
    }

    /// What its records are read from.
    pub(super) fn source(&self) -> &'s dyn Source {
        self.source
    }

    /// The number of records, tombstones included.
    pub(super) fn len(&self) -> u32 {
        self.source.record_count(self.id)
    }

    /// The record of that index, read by `decode`.
    ///
    /// `NotFound`: past the end. `Corrupt`: the rule that the record breaks.
    pub(super) fn read<T>(
        &self,
        index: u32,
        decode: impl FnOnce(&[u8]) -> Result<Reading<T>, DecodeError>,
    ) -> Result<T> {
        if index >= self.len() {
            return Err(Error::not_found(format!("{} record {index}", self.noun)));
        }
        let mut buffer = [0; MAX_RECORD_SIZE];
        let Some(record) = buffer.get_mut(..self.layout.record_size) else {
            return Err(self.corrupt(index, "F-1", "a record longer than any family has"));
        };
        self.source.read_record(self.id, index, record)?;
        Ok(decode(record).map_err(|fault| self.damaged(index, &fault))?.value)
    }

    /// The payload that the record of that index names; at most as long as a length field of the record can say.
    pub(super) fn payload(&self, index: u32, range: PayloadRange) -> Result<Vec<u8>> {
        let end = self.payload_len();
        if range.end() > end {
            let message = format!(
                "{} bytes at {} pass the payload's end at {end}",
                range.len(),
                range.offset()
            );
            return Err(self.corrupt(index, "F-1", message));
        }
        let len = usize::try_from(range.len()).map_err(|_| self.corrupt(index, "F-1", "a payload beyond memory"))?;
        let mut bytes = vec![0; len];
        self.read_payload(range.offset(), &mut bytes)?;
        Ok(bytes)
    }

    /// The length of the payload file, in bytes.
    pub(super) fn payload_len(&self) -> u64 {
        self.source.payload_len(self.id)
    }

    /// Fills `out` with payload from that offset on, which the caller knows to be there.
    pub(super) fn read_payload(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        if !out.is_empty() {
            self.source.read_payload(self.id, offset, out)?;
        }
        Ok(())
    }

    /// What the record of that index refers to. That it is not there is damage of this record.
    pub(super) fn referred<T>(&self, index: u32, rule: &'static str, answer: Result<T>) -> Result<T> {
        match answer {
            Err(Error::NotFound { what }) => {
                Err(self.corrupt(index, rule, format!("it refers to {what}, and that does not exist")))
            }
            other => other,
        }
    }

    /// What is wrong with the record of that index.
    pub(super) fn damaged(&self, index: u32, fault: &DecodeError) -> Error {
        self.corrupt(index, fault.rule, format!("{}: {}", fault.field, fault.problem))
    }

    /// What is wrong with the payload that the record of that index names.
    pub(super) fn damaged_payload(&self, index: u32, fault: &DecodeError) -> Error {
        let file = self.layout.payload_file.unwrap_or(self.layout.file);
        let message = format!("{}: {}", fault.field, fault.problem);
        Error::corrupt(file, Some(index), fault.rule, message)
    }

    /// A rule that the record of that index breaks together with others.
    pub(super) fn corrupt(&self, index: u32, rule: &'static str, message: impl Into<String>) -> Error {
        Error::corrupt(self.layout.file, Some(index), rule, message)
    }
}

/// What is wrong with the record of that index, as an index of the floor below is told.
pub(super) fn unindexable(layout: &'static Layout, index: u32, fault: &DecodeError) -> store::Error {
    store::Error::Corrupt {
        file: layout.file.to_owned(),
        record: Some(index),
        rule: fault.rule,
        message: format!("{}: {}", fault.field, fault.problem),
    }
}

/// Appends a record, whose place is told from 0.
pub(super) fn append(
    transaction: &mut Transaction<'_>,
    layout: &'static Layout,
    stage: Stage,
    record: &[u8],
) -> Result<u32> {
    let family = transaction.family(layout)?;
    Ok(transaction.append_record(family, stage, record)?)
}

/// Overwrites a whole record in the commit stage.
pub(super) fn replace(
    transaction: &mut Transaction<'_>,
    layout: &'static Layout,
    index: u32,
    record: &[u8],
) -> Result<()> {
    let family = transaction.family(layout)?;
    Ok(transaction.replace_record(family, index, Stage::Commit, record)?)
}

/// Appends payload and answers where it stands.
pub(super) fn append_payload(
    transaction: &mut Transaction<'_>,
    layout: &'static Layout,
    bytes: &[u8],
) -> Result<PayloadRange> {
    let family = transaction.family(layout)?;
    let offset = transaction.append_payload(family, bytes)?;
    PayloadRange::new(offset, bytes.len() as u64).ok_or(Error::Exhausted {
        what: "the payload of a family, in bytes",
        limit: u64::MAX,
    })
}

/// The index of an appended record as its own type.
pub(super) fn typed<I>(index: Option<I>, what: &'static str) -> Result<I> {
    index.ok_or(Error::Exhausted {
        what,
        limit: u64::from(u32::MAX),
    })
}
