//! Content on its way in that is too large for memory: an unnamed file in the root's directory.

use std::sync::Arc;

use crate::disk::{DurableDirectory, DurableFile};

use super::error::Result;

/// How much of a spool or payload file is held in memory at a time.
pub(super) const COPY_BYTES: usize = 1 << 20;

/// An unnamed file that vanishes with its last handle. It counts in the root's directory and not in memory.
#[derive(Debug)]
pub struct Spool {
    file: Arc<DurableFile>,
    len: u64,
}

impl Spool {
    pub(super) fn create(directory: &DurableDirectory) -> Result<Self> {
        Ok(Self {
            file: Arc::new(directory.create_unnamed()?),
            len: 0,
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(self.len, bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// How many bytes it holds.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reads bytes; past the end is an error.
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        Ok(self.file.read_exact_at(offset, out)?)
    }
}

/// Hands a stretch of a file on in pieces, each with its offset.
pub(super) fn copy_pieces(
    file: &DurableFile,
    offset: u64,
    len: u64,
    mut piece: impl FnMut(u64, &[u8]) -> crate::disk::Result<()>,
) -> crate::disk::Result<()> {
    let mut buffer = vec![0; usize::try_from(len).unwrap_or(usize::MAX).min(COPY_BYTES)];
    let mut done = 0;
    while done < len {
        let now = usize::try_from(len - done).unwrap_or(usize::MAX).min(buffer.len());
        let Some(part) = buffer.get_mut(..now) else { break };
        file.read_exact_at(offset + done, part)?;
        piece(offset + done, part)?;
        done += now as u64;
    }
    Ok(())
}
