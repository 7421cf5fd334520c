//! Objects: files' contents and directories, each stored once (F-0.3).

use std::fmt;

use super::{Index, Refusal, Store};

/// A stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// A file's content.
    Blob(Vec<u8>),
    /// A directory's entries, sorted by name.
    Directory(Vec<Entry>),
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Vec<u8>,
    /// What it names.
    pub target: Target,
}

/// What an entry names: an index of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A plain file.
    File(usize),
    /// An executable file.
    Executable(usize),
    /// A symlink, whose target is the blob.
    Symlink(usize),
    /// A directory.
    Directory(usize),
}

impl Target {
    /// The object.
    pub fn object(self) -> usize {
        match self {
            Self::File(object) | Self::Executable(object) | Self::Symlink(object) | Self::Directory(object) => object,
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blob(content) => write!(f, "blob \"{}\"", content.escape_ascii()),
            Self::Directory(entries) => {
                write!(f, "directory")?;
                entries
                    .iter()
                    .try_for_each(|entry| write!(f, " \"{}\"={:?}", entry.name.escape_ascii(), entry.target))
            }
        }
    }
}

impl Store {
    pub(super) fn put(&mut self, object: Object) -> usize {
        self.objects
            .iter()
            .position(|stored| *stored == object)
            .unwrap_or_else(|| {
                self.objects.push(object);
                self.objects.len() - 1
            })
    }

    pub(super) fn put_directory(&mut self, entries: &[Entry]) -> Index {
        let names_fit = entries.iter().all(|entry| {
            let name = &entry.name;
            !name.is_empty() && name != b"." && name != b".." && !name.contains(&b'/') && !name.contains(&0)
        });
        let sorted = entries.is_sorted_by(|one, next| one.name < next.name);
        let stored = entries.iter().all(|entry| {
            let wants_directory = matches!(entry.target, Target::Directory(_));
            self.objects
                .get(entry.target.object())
                .is_some_and(|object| matches!(object, Object::Directory(_)) == wants_directory)
        });
        if names_fit && sorted && stored {
            Ok(self.put(Object::Directory(entries.to_vec())))
        } else {
            Err(Refusal::Refused("F-0.3"))
        }
    }

    /// The files below an object, and their bytes: the fold of a directory.
    pub(super) fn fold(&self, object: usize) -> (u64, u64) {
        match &self.objects[object] {
            Object::Blob(content) => (1, content.len() as u64),
            Object::Directory(entries) => entries
                .iter()
                .map(|entry| self.fold(entry.target.object()))
                .fold((0, 0), |(files, bytes), (more, size)| (files + more, bytes + size)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, Operation};
    use super::*;

    #[test]
    fn the_same_content_is_stored_once() {
        let mut store = Store::default();
        let first = store.apply(1, &Operation::PutBlob(b"a".to_vec()));
        assert_eq!(store.apply(2, &Operation::PutBlob(b"a".to_vec())), first);
        assert_eq!(store.objects.len(), 1);
    }

    #[test]
    fn a_directory_names_what_is_stored_and_is_sorted() {
        let mut store = Store::default();
        store.put(Object::Blob(b"a".to_vec()));
        let entry = |name: &[u8], target| Entry {
            name: name.to_vec(),
            target,
        };
        let mut put = |entries: &[Entry]| store.apply(1, &Operation::PutDirectory(entries.to_vec()));
        assert_eq!(
            put(&[entry(b"x", Target::File(0)), entry(b"y", Target::File(0))]),
            Ok(Answered::Record(1))
        );
        for wrong in [
            vec![entry(b"y", Target::File(0)), entry(b"x", Target::File(0))],
            vec![entry(b"x", Target::File(7))],
            vec![entry(b"x", Target::Directory(0))],
            vec![entry(b"..", Target::File(0))],
        ] {
            assert_eq!(put(&wrong), Err(Refusal::Refused("F-0.3")));
        }
    }
}
