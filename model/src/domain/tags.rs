//! Tags: names that stay on one Snapshot (W-TAG, F-2.6).

use std::fmt;

use super::{Index, Refusal, Store, writable};

/// A Tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Whether it is deleted.
    pub tombstoned: bool,
    /// The Snapshot it names.
    pub snapshot: usize,
    /// Its message, where it is annotated.
    pub message: Option<String>,
    /// When it was made, in seconds.
    pub created_at_s: u64,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.tombstoned { "deleted" } else { "live" };
        let (name, snapshot, message, created) = (&self.name, self.snapshot, &self.message, self.created_at_s);
        write!(
            f,
            "{name:?} {state} snapshot {snapshot} message {message:?} created {created}"
        )
    }
}

impl Store {
    pub(super) fn write_tag(
        &mut self,
        now_s: u64,
        name: &str,
        snapshot: usize,
        message: Option<&str>,
        replace: bool,
    ) -> Index {
        let name = writable(name, "W-TAG-03")?;
        if !self.is_live_snapshot(snapshot) {
            return Err(Refusal::Refused("W-TAG-04"));
        }
        let message = message.map(str::to_owned);
        let fresh = Tag {
            name: name.to_owned(),
            tombstoned: false,
            snapshot,
            message,
            created_at_s: now_s,
        };
        let Some(index) = self.tags.iter().position(|tag| tag.name == name) else {
            self.tags.push(fresh);
            return Ok(self.tags.len() - 1);
        };
        let tag = &mut self.tags[index];
        if !tag.tombstoned && !replace {
            return Err(Refusal::Refused("F-2.6"));
        }
        if tag.tombstoned && tag.snapshot == fresh.snapshot && tag.message == fresh.message {
            // Only the tombstone is cleared (W-TAG-12).
            tag.tombstoned = false;
        } else {
            *tag = fresh;
        }
        Ok(index)
    }

    pub(super) fn delete_tag(&mut self, index: usize) -> Index {
        let tag = self
            .tags
            .get_mut(index)
            .filter(|tag| !tag.tombstoned)
            .ok_or(Refusal::NotFound)?;
        tag.tombstoned = true;
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, Operation, SnapshotKind, Store};

    fn store() -> Store {
        let mut store = Store::default();
        store.apply(1, &Operation::PutDirectory(vec![])).unwrap();
        for created_at_s in [1, 2] {
            let (parents, message) = (vec![], String::new());
            store
                .apply(
                    1,
                    &Operation::CreateSnapshot {
                        kind: SnapshotKind::Line,
                        root: 0,
                        created_at_s,
                        parents,
                        line: None,
                        message,
                    },
                )
                .unwrap();
        }
        store
    }

    fn create(snapshot: usize) -> Operation {
        Operation::CreateTag {
            name: "v1".into(),
            snapshot,
            message: None,
        }
    }

    #[test]
    fn a_recreated_tag_keeps_its_record_and_its_time() {
        let mut store = store();
        assert_eq!(store.apply(5, &create(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(6, &Operation::DeleteTag(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(7, &create(0)), Ok(Answered::Record(0)));
        assert_eq!((store.tags[0].tombstoned, store.tags[0].created_at_s), (false, 5));
    }

    #[test]
    fn a_tag_recreated_on_another_snapshot_is_replaced_in_its_record() {
        let mut store = store();
        assert_eq!(store.apply(5, &create(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(6, &Operation::DeleteTag(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(7, &create(1)), Ok(Answered::Record(0)));
        assert_eq!((store.tags[0].snapshot, store.tags[0].created_at_s), (1, 7));
    }
}
