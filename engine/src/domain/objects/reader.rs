//! A reader of one object's content that verifies at its end, in bounded memory.

use std::io;

use super::records::Objects;
use crate::domain::{Error, Result};
use crate::format::{Object, ObjectHasher, ObjectIndex};

/// Reads an object's content from its start to its end.
///
/// The hash is compared when the end is reached, before the end is told: a consumer that saw the end without an
/// error has read exactly the content (F-0.3). Through [`io::Read`] the error is one of kind `InvalidData` (or
/// `Other`) that carries a [`domain::Error`](Error).
pub struct ObjectReader<'s> {
    objects: Objects<'s>,
    index: ObjectIndex,
    object: Object,
    position: u64,
    hasher: ObjectHasher,
}

impl<'s> ObjectReader<'s> {
    pub(super) fn new(objects: Objects<'s>, index: ObjectIndex, object: Object) -> Self {
        let hasher = ObjectHasher::new(object.kind);
        Self {
            objects,
            index,
            object,
            position: 0,
            hasher,
        }
    }

    /// The object that is read.
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// The bytes that are still to come.
    pub fn remaining(&self) -> u64 {
        self.object.payload.len().saturating_sub(self.position)
    }

    /// Reads the next bytes into `out`, as many as fit; 0 at the verified end (or where `out` is empty).
    ///
    /// `Corrupt`: the whole content was read and has another hash.
    pub fn read_chunk(&mut self, out: &mut [u8]) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let len = usize::try_from(self.remaining()).unwrap_or(usize::MAX).min(out.len());
        if len == 0 {
            return self.verify_end().map(|()| 0);
        }
        let (out, _) = out.split_at_mut(len);
        self.objects.read_part(&self.object, self.position, out)?;
        self.hasher.update(out);
        self.position += len as u64;
        Ok(len)
    }

    fn verify_end(&self) -> Result<()> {
        if self.hasher.finish() == self.object.hash {
            return Ok(());
        }
        Err(Objects::hash_corrupt(self.index, &self.object))
    }
}

impl io::Read for ObjectReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.read_chunk(out).map_err(|error| match error {
            Error::Corrupt { .. } => io::Error::new(io::ErrorKind::InvalidData, error),
            other => io::Error::other(other),
        })
    }
}
