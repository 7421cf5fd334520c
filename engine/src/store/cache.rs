//! The chunk cache: record bytes of hot families, dropped when the change counter says that another process wrote.

use lru::LruCache;

use super::error::Result;
use super::files::{ZoneFile, offset_of};

/// Records are read in chunks of about this many bytes.
const CHUNK_BYTES: u32 = 16 * 1024;

/// A cache of whole records, in chunks, bounded by bytes.
#[derive(Debug)]
pub(super) struct ChunkCache {
    chunks: LruCache<(u8, u32), Vec<u8>>,
    bytes: usize,
    limit: usize,
}

/// How many records one chunk holds.
fn records_in_chunk(record_size: u32) -> u32 {
    (CHUNK_BYTES / record_size.max(1)).max(1)
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
        let per_chunk = records_in_chunk(record_size);
        let Some(chunk) = self.chunks.get(&(slot, index / per_chunk)) else {
            return false;
        };
        let start = (index % per_chunk) as usize * record_size as usize;
        let Some(bytes) = chunk.get(start..start + record_size as usize) else {
            return false;
        };
        if out.len() != bytes.len() {
            return false;
        }
        out.copy_from_slice(bytes);
        true
    }

    /// Reads the chunk that holds the record from the file.
    pub(super) fn load(file: &ZoneFile, index: u32, record_size: u32, count: u32) -> Result<(u32, Vec<u8>)> {
        let per_chunk = records_in_chunk(record_size);
        let chunk = index / per_chunk;
        let first = chunk * per_chunk;
        let records = per_chunk.min(count.saturating_sub(first));
        let mut bytes = vec![0; records as usize * record_size as usize];
        file.file.read_exact_at(offset_of(first, record_size), &mut bytes)?;
        Ok((chunk, bytes))
    }

    /// Keeps a chunk, and drops the longest unused ones beyond the limit.
    pub(super) fn insert(&mut self, slot: u8, chunk: u32, bytes: Vec<u8>) {
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
        if let Some(present) = chunk.and_then(|chunk| chunk.get_mut(start..start + bytes.len())) {
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
            chunk.extend_from_slice(more);
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
