//! The families as iterators see them: values that know where they come from and read their payload when asked.

use std::fmt;
use std::ops::Deref;

use super::error::Result;
use super::rows::{Records, Rows};
use crate::domain;
use crate::domain::changes::Changes;
use crate::domain::lands::Lands;
use crate::domain::lines::Lines;
use crate::domain::objects::{ObjectReader, Objects};
use crate::domain::snapshots::{Content, Snapshots};
use crate::domain::stashes::Stashes;
use crate::domain::tags::{TagText, Tags};
use crate::domain::tasks::{TaskText, Tasks};
use crate::format::{
    self, ChangeIndex, ChangeOrdinal, LandIndex, LandOrdinal, LineIndex, ObjectHash, ObjectIndex, SnapshotId,
    SnapshotIndex, StashIndex, TagIndex, TaskIndex,
};

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
    /// A Task: what is to be done, from its request to its end.
    Task, Tasks, TaskIndex
);
record_value!(
    /// A Change: a piece of work of a Task, forked from a Line.
    Change, Changes, ChangeIndex
);
record_value!(
    /// A Land: an attempt to bring a Change onto a Line.
    Land, Lands, LandIndex
);
record_value!(
    /// A Stash: a state of a worktree that was put aside.
    Stash, Stashes, StashIndex
);
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

impl Task<'_> {
    /// Title and intent.
    pub fn text(&self) -> Result<TaskText> {
        Ok(self.family.text_of(self.index, &self.record)?)
    }
}

impl<'v> Change<'v> {
    /// The title.
    pub fn title(&self) -> Result<String> {
        Ok(self.family.title_of(self.index, &self.record)?)
    }

    /// The Task it belongs to.
    pub fn owner(&self) -> Result<Task<'v>> {
        let family = Tasks::new(self.family.source())?;
        let record = self.family.owner_of(self.index, &self.record)?;
        let index = self.record.task;
        Ok(Task { family, index, record })
    }

    /// The name of the Line it was forked from: its base Line's, whichever Line authored the fork (W-CHANGE-35).
    pub fn forked_from_line(&self) -> Result<String> {
        Ok(self.family.forked_from_line(self.index, &self.record)?)
    }

    /// The Land that tells where and when it landed (W-LAND-29); `None` where none succeeded.
    pub fn landing(&self) -> Result<Option<Land<'v>>> {
        let family = Lands::new(self.family.source())?;
        let found = family.winning(self.index)?;
        Ok(found.map(|(index, record)| Land { family, index, record }))
    }
}

impl<'v> Land<'v> {
    /// The Change it belongs to.
    pub fn owner(&self) -> Result<Change<'v>> {
        let family = Changes::new(self.family.source())?;
        let record = self.family.owner_of(self.index, &self.record)?;
        let index = self.record.change;
        Ok(Change { family, index, record })
    }

    /// The name of the Line it goes to (W-LAND-27).
    pub fn target_line_name(&self) -> Result<String> {
        Ok(self.family.target_line_name(self.index, &self.record)?)
    }
}

impl<'v> Stash<'v> {
    /// Its Snapshot, whose time and message are the Stash's.
    pub fn content(&self) -> Result<Snapshot<'v>> {
        let family = Snapshots::new(self.family.source())?;
        let record = self.family.snapshot_of(self.index, &self.record)?;
        let index = self.record.snapshot;
        Ok(Snapshot { family, index, record })
    }
}

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

impl<'v> Rows<Changes<'v>> {
    /// The Changes of a Task, in the order of their ordinals; at most 64. `NotFound`: no such Task.
    pub fn of_task(&self, task: TaskIndex) -> Result<Vec<Change<'v>>> {
        let family = **self;
        let found = self.located(family.of_task(task))?;
        let change = |(index, record)| Change { family, index, record };
        Ok(found.into_iter().map(change).collect())
    }

    /// The Change of that ordinal of a Task. `NotFound`: no such Task.
    pub fn by_ordinal(&self, task: TaskIndex, ordinal: ChangeOrdinal) -> Result<Option<Change<'v>>> {
        let family = **self;
        let found = self.located(family.find(task, ordinal))?;
        Ok(found.map(|(index, record)| Change { family, index, record }))
    }
}

impl<'v> Rows<Lands<'v>> {
    /// The Lands of a Change, in the order of their ordinals, deleted ones too; at most 64. `NotFound`: no such Change.
    pub fn of_change(&self, change: ChangeIndex) -> Result<Vec<Land<'v>>> {
        let family = **self;
        let found = self.located(family.of_change(change))?;
        Ok(found
            .into_iter()
            .map(|(index, record)| Land { family, index, record })
            .collect())
    }

    /// The Lands of a Task, in the order of the file, deleted ones too. `NotFound`: no such Task.
    pub fn of_task(&self, task: TaskIndex) -> Result<Vec<Land<'v>>> {
        let family = **self;
        let found = self.located(family.of_task(task))?;
        Ok(found
            .into_iter()
            .map(|(index, record)| Land { family, index, record })
            .collect())
    }

    /// The Land of that ordinal of a Change. `NotFound`: no such Change.
    pub fn by_ordinal(&self, change: ChangeIndex, ordinal: LandOrdinal) -> Result<Option<Land<'v>>> {
        let family = **self;
        let found = self.located(family.find(change, ordinal))?;
        Ok(found.map(|(index, record)| Land { family, index, record }))
    }

    /// The Land that tells where and when a Change landed (W-LAND-29). `NotFound`: no such Change.
    pub fn winning(&self, change: ChangeIndex) -> Result<Option<Land<'v>>> {
        let family = **self;
        let found = self.located(family.winning(change))?;
        Ok(found.map(|(index, record)| Land { family, index, record }))
    }
}

impl<'v> Rows<Stashes<'v>> {
    /// The live Stashes, the newest Snapshot first (F-2.5).
    pub fn newest_first(&self) -> Result<Vec<Stash<'v>>> {
        let family = **self;
        let found = self.located(family.newest_first())?;
        Ok(found
            .into_iter()
            .map(|(index, record)| Stash { family, index, record })
            .collect())
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
