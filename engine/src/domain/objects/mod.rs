//! Objects: file contents and directories, found by their hash (F-0.3).
//!
//! - [`Objects`] reads: by index, by hash, whole and verified, in part, as a stream, as a directory, along a path.
//! - [`put`], [`put_blob`], [`put_blobs`], [`put_directory`] write. Content is stored once; putting it again
//!   writes nothing, or heals a damaged copy.
//! - [`Objects::fold`] sums up what lies below a directory; [`Objects::diff`] compares two.
//!
//! Every check stands before the first pending write; only a full transaction can stop an operation between two of
//! them, so callers run operations in [`Transaction::attempt`](crate::store::Transaction::attempt).
//!
//! There is no rule by which a sound object is removed: the tombstone bit marks damaged copies only.

pub mod diff;
pub mod fold;
pub mod operations;
#[cfg(test)]
mod properties;
pub mod reader;
pub mod records;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod tree;

pub use diff::{Difference, DifferenceKind, Differences};
pub(crate) use fold::TOO_DEEP;
pub use fold::{Fold, FoldCache};
pub use operations::{MAX_DIRECTORY_LEN, Put, PutOutcome, SPOOL_ABOVE, put, put_blob, put_blobs, put_directory};
pub use reader::ObjectReader;
pub use records::{Directory, OBJECT_HASH, Objects};
