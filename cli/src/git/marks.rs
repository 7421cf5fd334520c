//! The mark table: what each `:N` of a stream names, in a few bytes a mark.

use std::collections::HashMap;

use super::tree::Hash;

/// A blob of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Its object.
    pub hash: Hash,
    /// Its length in bytes.
    pub size: u64,
}

/// A commit of the stream: its place among all commits of it, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitOrdinal(pub u32);

/// What a mark names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// A blob.
    Blob(Blob),
    /// A commit, or a tag of one.
    Commit(CommitOrdinal),
    /// A tag of something that is no commit.
    OtherTag,
}

/// The marks of one page; small, since marks may be far apart in a stream that means harm.
const PAGE_LEN: usize = 64;
/// The kind of a code stands above these bits, 0 meaning that the mark is not set.
const VALUE_BITS: u32 = 30;
const BLOB: u32 = 1;
const COMMIT: u32 = 2;
const OTHER_TAG: u32 = 3;

/// All marks of a stream.
#[derive(Debug, Default)]
pub struct Marks {
    pages: HashMap<u64, Box<[u32; PAGE_LEN]>>,
    blobs: Vec<Blob>,
}

/// There are more blobs or commits than the table has numbers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stream has more than {} marked blobs or commits", 1_u32 << VALUE_BITS)]
pub struct MarksFull;

impl Marks {
    /// Lets `mark` name `marked` from now on.
    pub fn set(&mut self, mark: u64, marked: Marked) -> Result<(), MarksFull> {
        let (kind, value) = match marked {
            Marked::Blob(blob) => {
                self.blobs.push(blob);
                (BLOB, self.blobs.len() - 1)
            }
            Marked::Commit(ordinal) => (COMMIT, ordinal.0 as usize),
            Marked::OtherTag => (OTHER_TAG, 0),
        };
        let value = u32::try_from(value)
            .ok()
            .filter(|value| *value < 1 << VALUE_BITS)
            .ok_or(MarksFull)?;
        let page = self
            .pages
            .entry(mark / PAGE_LEN as u64)
            .or_insert_with(|| Box::new([0; PAGE_LEN]));
        if let Some(code) = usize::try_from(mark % PAGE_LEN as u64)
            .ok()
            .and_then(|at| page.get_mut(at))
        {
            *code = kind << VALUE_BITS | value;
        }
        Ok(())
    }

    /// What `mark` names.
    pub fn get(&self, mark: u64) -> Option<Marked> {
        let page = self.pages.get(&(mark / PAGE_LEN as u64))?;
        let code = *page.get(usize::try_from(mark % PAGE_LEN as u64).ok()?)?;
        let value = code & ((1 << VALUE_BITS) - 1);
        match code >> VALUE_BITS {
            BLOB => self.blobs.get(value as usize).copied().map(Marked::Blob),
            COMMIT => Some(Marked::Commit(CommitOrdinal(value))),
            OTHER_TAG => Some(Marked::OtherTag),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_what_it_was_last_given() {
        let mut marks = Marks::default();
        let blob = |byte| {
            Marked::Blob(Blob {
                hash: [byte; 32],
                size: u64::from(byte),
            })
        };
        for (mark, marked) in [
            (1, blob(1)),
            (2, Marked::Commit(CommitOrdinal(0))),
            (64, blob(2)),
            (u64::MAX, Marked::OtherTag),
            (1, Marked::Commit(CommitOrdinal((1 << VALUE_BITS) - 1))),
        ] {
            assert_eq!(marks.set(mark, marked), Ok(()));
            assert_eq!(marks.get(mark), Some(marked));
        }
        assert_eq!(marks.get(2), Some(Marked::Commit(CommitOrdinal(0))));
        assert_eq!(marks.get(3), None);
        assert_eq!(marks.get(1 << 40), None);
        assert_eq!(
            marks.set(5, Marked::Commit(CommitOrdinal(1 << VALUE_BITS))),
            Err(MarksFull)
        );
    }
}
