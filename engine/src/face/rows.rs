//! Iteration over the records of one family: typed values or a precise error for that index, nothing left out.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Bound, Deref, RangeBounds};
use std::sync::Arc;

use super::error::{Error, ErrorKind, Result};
use crate::domain;

/// A family as its domain reads it: records by index.
pub trait Records {
    /// The index type.
    type Index: Copy;
    /// The typed record.
    type Value;

    /// The number of records, tombstones included.
    fn record_count(&self) -> u32;
    /// The typed index of record number `index`; `None` for the one number that no record may have (F-1).
    fn typed_index(index: u32) -> Option<Self::Index>;
    /// The record of that index, tombstones too.
    fn record(&self, index: Self::Index) -> domain::Result<Self::Value>;
}

/// One record that could not be read, and why. The records after it still can.
#[derive(Debug)]
pub struct RecordError {
    /// The record's index in its family.
    pub index: u32,
    /// Why it could not be read.
    pub error: Error,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Self {
        error.error
    }
}

/// The records of one family in a view or a transaction, in the order of their indexes, from both ends.
///
/// Derefs to what the domain offers beyond that (`find`, …). A record is read when it is asked for; payload is read
/// when the value is asked for it.
#[derive(Clone, Debug)]
pub struct Rows<D> {
    domain: D,
    directory: Arc<str>,
    front: u32,
    back: u32,
}

impl<D: Records> Rows<D> {
    pub(super) fn new(domain: D, directory: &Arc<str>) -> Self {
        let back = domain.record_count();
        let directory = Arc::clone(directory);
        Self {
            directory,
            domain,
            front: 0,
            back,
        }
    }

    /// How many records this iterator has yet to yield, tombstones included.
    pub fn len(&self) -> u32 {
        self.back.saturating_sub(self.front)
    }

    /// Whether no record is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the record that comes next from the front.
    pub fn first_number(&self) -> u32 {
        self.front
    }

    /// The record of that index, tombstones too. `NotFound`: the family has fewer records.
    pub fn get(&self, index: D::Index) -> Result<D::Value> {
        self.located(self.domain.record(index))
    }

    /// The records whose number lies in `range`, cut to those that there are.
    #[must_use]
    pub fn range(mut self, range: impl RangeBounds<u32>) -> Self {
        let from = match range.start_bound() {
            Bound::Included(from) => *from,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let to = match range.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => u32::MAX,
        };
        self.back = self.back.min(to);
        self.front = self.front.max(from).min(self.back);
        self
    }

    /// At most `limit` records from number `from` on: a long scan reads page after page, each in its own view, so that
    /// writers get their turn between them. [`Page::next`] is where the following page starts.
    pub fn page(self, from: u32, limit: u32) -> Page<D> {
        let end = from.saturating_add(limit);
        let count = self.back;
        let rows = self.range(from..end);
        Page {
            next: (rows.back < count).then_some(rows.back),
            rows,
        }
    }

    /// A domain's answer, whose error names the file with its path.
    pub(super) fn located<T>(&self, answer: domain::Result<T>) -> Result<T> {
        answer.map_err(|error| Error::from(error).in_root(&self.directory))
    }

    fn read(&self, number: u32) -> Result<(D::Index, D::Value), RecordError> {
        let refused = |error| RecordError { index: number, error };
        let Some(index) = D::typed_index(number) else {
            let kind = ErrorKind::Exhausted {
                what: "records of a family",
                limit: u64::from(u32::MAX),
            };
            return Err(refused(Error::new(
                kind,
                format!("no record may have the index {number} (F-1)"),
            )));
        };
        let value = self.located(self.domain.record(index)).map_err(refused)?;
        Ok((index, value))
    }
}

/// One page of a long scan.
#[derive(Clone, Debug)]
pub struct Page<D> {
    /// The page's records.
    pub rows: Rows<D>,
    /// The index at which the next page starts; `None` after the last.
    pub next: Option<u32>,
}

impl<D> Deref for Rows<D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.domain
    }
}

impl<D: Records> Iterator for Rows<D> {
    type Item = Result<(D::Index, D::Value), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.front >= self.back {
            return None;
        }
        let index = self.front;
        self.front += 1;
        Some(self.read(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(Self::len(self)).unwrap_or(usize::MAX);
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.front = self.front.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
        self.next()
    }
}

impl<D: Records> DoubleEndedIterator for Rows<D> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.front >= self.back {
            return None;
        }
        self.back -= 1;
        Some(self.read(self.back))
    }
}

impl<D: Records> FusedIterator for Rows<D> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct Squares(u32);

    impl Records for Squares {
        type Index = u32;
        type Value = u32;

        fn record_count(&self) -> u32 {
            self.0
        }
        fn typed_index(index: u32) -> Option<u32> {
            Some(index)
        }
        fn record(&self, index: u32) -> domain::Result<u32> {
            if index == 3 {
                return Err(domain::Error::corrupt("squares.bin", Some(3), "F-1", "odd"));
            }
            Ok(index * index)
        }
    }

    fn rows(squares: Squares) -> Rows<Squares> {
        Rows::new(squares, &"/store/workflow".into())
    }

    fn values(rows: Rows<Squares>) -> Vec<Option<u32>> {
        rows.map(|row| row.ok().map(|(_, value)| value)).collect()
    }

    #[test]
    fn a_damaged_record_is_an_error_for_its_index_and_the_scan_goes_on() {
        assert_eq!(values(rows(Squares(5))), [Some(0), Some(1), Some(4), None, Some(16)]);
        let error = rows(Squares(5)).find_map(Result::err).unwrap();
        assert_eq!(error.index, 3);
        assert_eq!(
            error.to_string(),
            "/store/workflow/squares.bin record 3: odd (graven explain F-1)"
        );
    }

    #[test]
    fn both_ends_meet_once() {
        let mut rows = rows(Squares(3));
        assert_eq!(rows.next_back().unwrap().unwrap(), (2, 4));
        assert_eq!(rows.next().unwrap().unwrap(), (0, 0));
        assert_eq!(rows.next().unwrap().unwrap(), (1, 1));
        assert!(rows.next().is_none() && rows.next_back().is_none());
    }

    #[test]
    fn a_range_is_cut_to_what_there_is() {
        assert_eq!(rows(Squares(3)).range(1..).len(), 2);
        assert_eq!(rows(Squares(3)).range(2..=900).len(), 1);
        assert!(rows(Squares(3)).range(7..9).is_empty());
        assert_eq!(rows(Squares(u32::MAX)).range(..=u32::MAX).len(), u32::MAX);
    }

    #[test]
    fn pages_cover_everything_once() {
        let mut from = Some(0);
        let mut seen = 0;
        while let Some(start) = from {
            let page = rows(Squares(7)).page(start, 3);
            seen += page.rows.count();
            from = page.next;
        }
        assert_eq!(seen, 7);
        assert!(rows(Squares(3)).page(0, 3).next.is_none());
    }
}
