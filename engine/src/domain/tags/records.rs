//! Reading Tags: by index and by name.

use crate::domain::family::{Family, unindexable};
use crate::domain::{Error, Result};
use crate::format::{TAG, Tag, TagIndex, TagPayload};
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
    let tag = Tag::decode(&record)
        .map_err(|fault| unindexable(&TAG, index, &fault))?
        .value;
    let mut payload = vec![0; usize::try_from(tag.payload.len()).unwrap_or(0)];
    source.read_payload(family, tag.payload.offset(), &mut payload)?;
    let text = TagPayload::decode(&tag, &payload)
        .map_err(|fault| unindexable(&TAG, index, &fault))?
        .value;
    Ok(Some(text.name.as_str().as_bytes().to_vec()))
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
pub struct Tags<'s>(Family<'s>);

impl<'s> Tags<'s> {
    /// The Tags that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &TAG, "the Tag")?))
    }

    /// The number of records, deleted ones included.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-TAG or F-2.6.
    pub fn get(&self, index: TagIndex) -> Result<Tag> {
        self.0.read(index.get(), Tag::decode)
    }

    /// The name and message of the Tag of that index, also of a deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record or its payload breaks a rule.
    pub fn text(&self, index: TagIndex) -> Result<TagText> {
        self.text_of(index, &self.get(index)?)
    }

    /// The name and message of `tag`, which is the record of that index.
    pub fn text_of(&self, index: TagIndex, tag: &Tag) -> Result<TagText> {
        let payload = self.0.payload(index.get(), tag.payload)?;
        match TagPayload::decode(tag, &payload) {
            Ok(text) => Ok(TagText {
                name: text.value.name.as_str().to_owned(),
                message: text.value.message.map(str::to_owned),
            }),
            Err(fault) => Err(self.0.damaged_payload(index.get(), &fault)),
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
        let searched = self.0.source().find(&TAG_NAME, name.as_bytes(), &mut |index| {
            match self.named(index, name) {
                Ok(None) => {}
                Ok(Some(tag)) if tag.1.tombstoned => deleted = deleted.or(Some(tag)),
                Ok(Some(tag)) => match &live {
                    None => live = Some(tag),
                    Some((first, _)) if *first == tag.0 => {}
                    Some((first, _)) => {
                        let message = format!("it and record {} are both called {name:?}", first.get());
                        ambiguous = Some(self.0.corrupt(index, "F-2.6", message));
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
