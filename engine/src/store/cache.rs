//! The chunk cache: record bytes of hot families, kept up by the handle's own commits, dropped when the change counter says that another process wrote.

use std::sync::Arc;

use lru::LruCache;

use super::error::Result;
use super::files::{ZoneFile, offset_of};

/// Records are read in chunks of about this many bytes.
const CHUNK_BYTES: u32 = 16 * 1024;

/// A cache of whole records, in chunks, bounded by bytes.
#[derive(Debug)]
pub(super) struct ChunkCache {
    chunks: LruCache<(u8, u32), Arc<Vec<u8>>>,
    bytes: usize,
    limit: usize,
}

/// How many records one chunk holds, as a power of two: 2 to the power of the answer.
fn chunk_bits(record_size: u32) -> u32 {
    (CHUNK_BYTES / record_size.max(1)).max(1).ilog2()
}

/// How many records one chunk holds.
fn records_in_chunk(record_size: u32) -> u32 {
    1 << chunk_bits(record_size)
}

/// Copies a record out of its chunk; `false` where the chunk ends before it.
fn copy_out(chunk: &[u8], index: u32, record_size: u32, out: &mut [u8]) -> bool {
    let start = (index & (records_in_chunk(record_size) - 1)) as usize * record_size as usize;
    match chunk.get(start..start + record_size as usize) {
        Some(bytes) if bytes.len() == out.len() => {
            out.copy_from_slice(bytes);
            true
        }
        _ => false,
    }
}

/// The chunk that a scan of one view is in, so that its records cost no lock and no look-up each.
#[derive(Debug, Default)]
pub(super) struct ScanChunk {
    slot: u8,
    chunk: u32,
    bytes: Option<Arc<Vec<u8>>>,
    /// The record that a scan would ask for next.
    next: (u8, u32),
    /// Records answered since this was last asked.
    answered: u64,
}

impl ScanChunk {
    /// Copies a record out of the chunk; `false` where it is not there.
    pub(super) fn read(&mut self, slot: u8, index: u32, record_size: u32, out: &mut [u8]) -> bool {
        let Some(bytes) = &self.bytes else { return false };
        if self.slot != slot || self.chunk != index >> chunk_bits(record_size) {
            return false;
        }
        let found = copy_out(bytes, index, record_size, out);
        self.answered += u64::from(found);
        found
    }

    /// Whether a record follows the one that was asked for before outside the chunk.
    pub(super) fn goes_on(&mut self, slot: u8, index: u32) -> bool {
        let goes_on = self.next == (slot, index) && index > 0;
        self.next = (slot, index.saturating_add(1));
        goes_on
    }

    /// Stands in that chunk from now on, whose first record is still to be read.
    pub(super) fn enter(&mut self, slot: u8, chunk: u32, record_size: u32, bytes: Arc<Vec<u8>>) {
        (self.slot, self.chunk, self.bytes) = (slot, chunk, Some(bytes));
        let after = chunk.saturating_add(1).saturating_mul(records_in_chunk(record_size));
        self.next = (slot, after);
    }

    /// How many records it has answered since the last call.
    pub(super) fn take_answered(&mut self) -> u64 {
        std::mem::take(&mut self.answered)
    }
}

impl ChunkCache {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            chunks: LruCache::unbounded(),
            bytes: 0,
            limit,
        }
    }

    /// Copies a record out of the cache; `false` where it is not there.
    pub(super) fn read(&mut self, slot: u8, index: u32, record_size: u32, out: &mut [u8]) -> bool {
        let chunk = self.chunks.get(&(slot, index >> chunk_bits(record_size)));
        chunk.is_some_and(|chunk| copy_out(chunk, index, record_size, out))
    }

    /// The chunk that holds a record, where it is kept.
    pub(super) fn chunk(&mut self, slot: u8, index: u32, record_size: u32) -> Option<(u32, Arc<Vec<u8>>)> {
        let chunk = index >> chunk_bits(record_size);
        let bytes = self.chunks.get(&(slot, chunk))?;
        Some((chunk, Arc::clone(bytes)))
    }

    /// Reads the chunk that holds the record from the file.
    pub(super) fn load(file: &ZoneFile, index: u32, record_size: u32, count: u32) -> Result<(u32, Arc<Vec<u8>>)> {
        let per_chunk = records_in_chunk(record_size);
        let chunk = index / per_chunk;
        let first = chunk * per_chunk;
        let records = per_chunk.min(count.saturating_sub(first));
        let mut bytes = vec![0; records as usize * record_size as usize];
        file.file.read_exact_at(offset_of(first, record_size), &mut bytes)?;
        Ok((chunk, Arc::new(bytes)))
    }

    /// Keeps a chunk, and drops the longest unused ones beyond the limit.
    pub(super) fn insert(&mut self, slot: u8, chunk: u32, bytes: Arc<Vec<u8>>) {
        if bytes.len() > self.limit {
            return;
        }
        self.bytes += bytes.len();
        if let Some(old) = self.chunks.put((slot, chunk), bytes) {
            self.bytes -= old.len();
        }
        self.drop_beyond_the_limit();
    }

    fn drop_beyond_the_limit(&mut self) {
        while self.bytes > self.limit {
            let Some((_, old)) = self.chunks.pop_lru() else { break };
            self.bytes -= old.len();
        }
    }

    /// A record was overwritten with these bytes.
    pub(super) fn replace(&mut self, slot: u8, index: u32, bytes: &[u8]) {
        let record_size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let per_chunk = records_in_chunk(record_size);
        let start = (index % per_chunk) as usize * bytes.len();
        let chunk = self.chunks.peek_mut(&(slot, index / per_chunk));
        if let Some(present) = chunk.and_then(|chunk| Arc::make_mut(chunk).get_mut(start..start + bytes.len())) {
            present.copy_from_slice(bytes);
        }
    }

    /// These records were appended, the first of them at that index. A chunk that ended there goes on with them; one that
    /// ends before is still right as far as it goes.
    pub(super) fn append(&mut self, slot: u8, index: u32, record_size: u32, bytes: &[u8]) {
        let per_chunk = records_in_chunk(record_size);
        let start = (index % per_chunk) as usize * record_size as usize;
        let Some(chunk) = self.chunks.peek_mut(&(slot, index / per_chunk)) else {
            return;
        };
        let room = (per_chunk as usize * record_size as usize).saturating_sub(start);
        if chunk.len() == start {
            let more = bytes.get(..room).unwrap_or(bytes);
            Arc::make_mut(chunk).extend_from_slice(more);
            self.bytes += more.len();
            self.drop_beyond_the_limit();
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.chunks.clear();
        self.bytes = 0;
    }
}
