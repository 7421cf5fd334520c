//! The families as iterators see them: values that know where they come from and read their payload when asked.

use std::fmt;
use std::ops::Deref;

use super::error::Result;
use super::rows::{Records, Rows};
use crate::domain;
use crate::domain::lines::Lines;
use crate::domain::objects::{ObjectReader, Objects};
use crate::domain::snapshots::{Content, Snapshots};
use crate::domain::tags::{TagText, Tags};
use crate::format::{self, LineIndex, ObjectHash, ObjectIndex, SnapshotId, SnapshotIndex, TagIndex};

/// Declares a record as iterators yield it, and the family it comes from.
macro_rules! record_value {
    ($(#[$doc:meta])* $name:ident, $domain:ident, $index:ident) => {
        $(#[$doc])*
        ///
        /// Derefs to its fixed fields.
        #[derive(Clone, Copy)]
        pub struct $name<'v> {
            family: $domain<'v>,
            index: $index,
            record: format::$name,
        }

        impl<'v> $name<'v> {
            /// The record's index in its family.
            pub fn index(&self) -> $index {
                self.index
            }

            /// The record's fixed fields.
            pub fn record(&self) -> &format::$name {
                &self.record
            }
        }

        impl Deref for $name<'_> {
            type Target = format::$name;

            fn deref(&self) -> &format::$name {
                &self.record
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.index).field(&self.record).finish()
            }
        }

        impl<'v> Records for $domain<'v> {
            type Index = $index;
            type Value = $name<'v>;

            fn record_count(&self) -> u32 {
                self.len()
            }

            fn typed_index(index: u32) -> Option<$index> {
                $index::new(index)
            }

            fn record(&self, index: $index) -> domain::Result<$name<'v>> {
                let record = self.get(index)?;
                Ok($name { family: *self, index, record })
            }
        }
    };
}

record_value!(
    /// A Line: a name whose head moves from Snapshot to Snapshot.
    Line, Lines, LineIndex
);
record_value!(
    /// A Tag: a name that stays on one Snapshot.
    Tag, Tags, TagIndex
);
record_value!(
    /// A Snapshot: the state of a tree, with its parents and its message.
    Snapshot, Snapshots, SnapshotIndex
);
record_value!(
    /// An object: the content of a file, or a directory.
    Object, Objects, ObjectIndex
);

impl Line<'_> {
    /// The name.
    pub fn name(&self) -> Result<String> {
        Ok(self.family.name_of(self.index, &self.record)?)
    }
}

impl Tag<'_> {
    /// Name and message.
    pub fn text(&self) -> Result<TagText> {
        Ok(self.family.text_of(self.index, &self.record)?)
    }
}

impl Snapshot<'_> {
    /// Parents, message and the authoring Line's name of the moment.
    pub fn content(&self) -> Result<Content> {
        Ok(self.family.content(self.index, &self.record)?)
    }
}

impl<'v> Object<'v> {
    /// The whole content, verified by its hash. It is all held in memory; see [`Object::reader`].
    pub fn read(&self) -> Result<Vec<u8>> {
        Ok(self.family.read(self.index)?)
    }

    /// A reader of the content in pieces, in bounded memory, which verifies the hash at the end.
    pub fn reader(&self) -> Result<ObjectReader<'v>> {
        Ok(self.family.reader(self.index)?)
    }
}

impl<'v> Rows<Lines<'v>> {
    /// The live or archived Line of exactly that name. `Corrupt`: two have it (F-2.4).
    pub fn by_name(&self, name: &str) -> Result<Option<Line<'v>>> {
        let family = **self;
        let found = self.located(family.find(name))?;
        Ok(found.map(|(index, record)| Line { family, index, record }))
    }
}

impl<'v> Rows<Tags<'v>> {
    /// The live Tag of exactly that name. `Corrupt`: two have it (F-2.6).
    pub fn by_name(&self, name: &str) -> Result<Option<Tag<'v>>> {
        let family = **self;
        let found = self.located(family.find(name))?;
        Ok(found.map(|(index, record)| Tag { family, index, record }))
    }
}

impl<'v> Rows<Snapshots<'v>> {
    /// The live Snapshot of that identity.
    pub fn by_id(&self, id: SnapshotId) -> Result<Option<Snapshot<'v>>> {
        let family = **self;
        let found = self.located(family.find(id))?;
        Ok(found.map(|(index, record)| Snapshot { family, index, record }))
    }

    /// A Snapshot, its first parent, that one's first parent, and so on to the first.
    pub fn first_parents(&self, start: SnapshotIndex) -> impl Iterator<Item = Result<Snapshot<'v>>> + use<'v> {
        let family = **self;
        family.first_parents(start).map(move |entry| {
            let (index, record) = entry?;
            Ok(Snapshot { family, index, record })
        })
    }

    /// Everything that `starts` came from, themselves included: each once, and before all of its parents.
    pub fn ancestors(&self, starts: &[SnapshotIndex]) -> impl Iterator<Item = Result<Snapshot<'v>>> + use<'v> {
        let family = **self;
        family.ancestors(starts.iter().copied()).map(move |entry| {
            let (index, record) = entry?;
            Ok(Snapshot { family, index, record })
        })
    }
}

impl<'v> Rows<Objects<'v>> {
    /// The live object of that hash.
    pub fn by_hash(&self, hash: &ObjectHash) -> Result<Option<Object<'v>>> {
        let family = **self;
        let found = self.located(family.find(hash))?;
        Ok(found.map(|(index, record)| Object { family, index, record }))
    }
}
