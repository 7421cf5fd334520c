//! Reading Tags: by index and by name.

use super::rules::{FILE, PAYLOAD_FILE};
use crate::domain::{Error, Result};
use crate::format::{DecodeError, TAG, Tag, TagIndex, TagPayload};
use crate::store::{self, FamilyId, IndexDefinition, Source};

/// The index that finds a Tag by its name, deleted ones too: it lives in memory only (no `.idx` file of FORMAT 4 is
/// about Tags), its key is the name itself.
pub static TAG_NAME: IndexDefinition = IndexDefinition {
    layout: &TAG,
    file: None,
    key: name_key,
    plus1: false,
    immutable: false,
};

/// A damaged record answers `Corrupt`: which name it has cannot be told.
fn name_key(source: &dyn Source, family: FamilyId, index: u32) -> store::Result<Option<Vec<u8>>> {
    let mut record = [0; TAG.record_size];
    source.read_record(family, index, &mut record)?;
    let tag = Tag::decode(&record).map_err(|fault| damaged(index, fault))?.value;
    let mut payload = vec![0; usize::try_from(tag.payload.len()).unwrap_or(0)];
    source.read_payload(family, tag.payload.offset(), &mut payload)?;
    let text = TagPayload::decode(&tag, &payload)
        .map_err(|fault| damaged(index, fault))?
        .value;
    Ok(Some(text.name.as_str().as_bytes().to_vec()))
}

fn damaged(index: u32, fault: DecodeError) -> store::Error {
    store::Error::Corrupt {
        file: FILE.to_owned(),
        record: Some(index),
        rule: fault.rule,
        message: format!("{}: {}", fault.field, fault.problem),
    }
}

/// A Tag's name and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagText {
    /// The name.
    pub name: String,
    /// The message, which may be empty; `None` for a lightweight Tag.
    pub message: Option<String>,
}

/// The Tags of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Tags<'s> {
    source: &'s dyn Source,
    family: FamilyId,
}

impl<'s> Tags<'s> {
    /// The Tags that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self {
            source,
            family: source.family(&TAG)?,
        })
    }

    /// The number of records, deleted ones included.
    pub fn len(&self) -> u32 {
        self.source.record_count(self.family)
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-TAG or F-2.6.
    pub fn get(&self, index: TagIndex) -> Result<Tag> {
        if index.get() >= self.len() {
            return Err(Error::not_found(format!("the Tag record {}", index.get())));
        }
        let mut record = [0; TAG.record_size];
        self.source.read_record(self.family, index.get(), &mut record)?;
        match Tag::decode(&record) {
            Ok(reading) => Ok(reading.value),
            Err(fault) => Err(Error::corrupt(
                FILE,
                Some(index.get()),
                fault.rule,
                format!("{}: {}", fault.field, fault.problem),
            )),
        }
    }

    /// The name and message of the Tag of that index, also of a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record or its payload breaks a rule.
    pub fn text(&self, index: TagIndex) -> Result<TagText> {
        self.text_of(index, &self.get(index)?)
    }

    /// The name and message of `tag`, which is the record of that index.
    pub fn text_of(&self, index: TagIndex, tag: &Tag) -> Result<TagText> {
        let len = usize::try_from(tag.payload.len())
            .map_err(|_| Error::corrupt(FILE, Some(index.get()), "F-2.6", "its payload is longer than memory"))?;
        let mut payload = vec![0; len];
        self.source
            .read_payload(self.family, tag.payload.offset(), &mut payload)?;
        match TagPayload::decode(tag, &payload) {
            Ok(text) => Ok(TagText {
                name: text.value.name.as_str().to_owned(),
                message: text.value.message.map(str::to_owned),
            }),
            Err(fault) => Err(Error::corrupt(
                PAYLOAD_FILE,
                Some(index.get()),
                fault.rule,
                format!("{}: {}", fault.field, fault.problem),
            )),
        }
    }

    /// The live Tag of exactly that name; `None` where there is none.
    ///
    /// `Corrupt`: two live Tags have it (F-2.6), or the only record that may have it is damaged.
    pub fn find(&self, name: &str) -> Result<Option<(TagIndex, Tag)>> {
        Ok(self.find_kept(name)?.filter(|(_, tag)| !tag.tombstoned))
    }

    /// The record of that name: the live one, else the first deleted one (W-TAG-12).
    pub(super) fn find_kept(&self, name: &str) -> Result<Option<(TagIndex, Tag)>> {
        let mut live: Option<(TagIndex, Tag)> = None;
        let mut deleted: Option<(TagIndex, Tag)> = None;
        let mut damaged: Option<Error> = None;
        let mut ambiguous: Option<Error> = None;
        let searched = self.source.find(&TAG_NAME, name.as_bytes(), &mut |index| {
            match self.named(index, name) {
                Ok(None) => {}
                Ok(Some(tag)) if tag.1.tombstoned => deleted = deleted.or(Some(tag)),
                Ok(Some(tag)) => match &live {
                    None => live = Some(tag),
                    Some((first, _)) if *first == tag.0 => {}
                    Some((first, _)) => {
                        let message = format!("it and record {} are both called {name:?}", first.get());
                        ambiguous = Some(Error::corrupt(FILE, Some(index), "F-2.6", message));
                        return Ok(true);
                    }
                },
                Err(Error::Store(error)) => return Err(error),
                Err(error) => {
                    damaged.get_or_insert(error);
                }
            }
            Ok(false)
        });
        match (ambiguous, live, damaged, searched) {
            (Some(error), _, _, _) | (None, None, Some(error), _) => Err(error),
            // A record whose name cannot be read hides nothing that is live and was found.
            (None, Some(tag), _, Ok(_) | Err(store::Error::Corrupt { .. })) => Ok(Some(tag)),
            (None, _, _, Err(error)) => Err(error.into()),
            (None, None, None, Ok(_)) => Ok(deleted),
        }
    }

    /// The Tag of that index if it has that name.
    fn named(&self, index: u32, name: &str) -> Result<Option<(TagIndex, Tag)>> {
        let Some(index) = TagIndex::new(index) else {
            return Ok(None);
        };
        let tag = self.get(index)?;
        Ok((self.text_of(index, &tag)?.name == name).then_some((index, tag)))
    }
}
