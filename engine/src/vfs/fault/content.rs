//! The bytes of one file, in chunks that copies share until one of them is written.

use super::digest::first_half;
use std::sync::{Arc, OnceLock};

/// Small enough that a write to a large file copies little, large enough that a small file is one chunk.
const CHUNK: usize = 4096;

/// Longer files are refused with `EFBIG`: everything here lives in memory.
pub(super) const MAX_LEN: u64 = 1 << 34;

/// A byte sequence with cheap clones. Every chunk but the last is exactly `CHUNK` bytes long.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    chunks: Vec<Arc<Vec<u8>>>,
    len: usize,
    /// Computed when asked for, dropped with every change.
    digest: OnceLock<u128>,
}

/// Offsets beyond `MAX_LEN` never get here; a larger one could only mean "past the end".
fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl Content {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            chunks: bytes.chunks(CHUNK).map(|chunk| Arc::new(chunk.to_vec())).collect(),
            len: bytes.len(),
            digest: OnceLock::new(),
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len as u64
    }

    pub(super) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len);
        self.chunks.iter().for_each(|chunk| bytes.extend_from_slice(chunk));
        bytes
    }

    /// All bytes, not copied where they are one chunk.
    pub(super) fn shared(&self) -> Arc<Vec<u8>> {
        match self.chunks.as_slice() {
            [only] => Arc::clone(only),
            _ => Arc::new(self.to_vec()),
        }
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| chunk.as_slice())
    }

    /// The first 16 bytes of BLAKE3 over the bytes.
    pub(super) fn digest(&self) -> u128 {
        *self.digest.get_or_init(|| {
            if let [only] = self.chunks.as_slice() {
                return first_half(&blake3::hash(only));
            }
            let mut hasher = blake3::Hasher::new();
            self.chunks().for_each(|chunk| {
                hasher.update(chunk);
            });
            first_half(&hasher.finalize())
        })
    }

    /// Copies what there is from `offset` on; answers how many bytes.
    pub(super) fn read(&self, offset: u64, out: &mut [u8]) -> usize {
        let start = position(offset);
        let end = start.saturating_add(out.len()).min(self.len);
        let mut at = start;
        while at < end {
            let within = at % CHUNK;
            let take = (CHUNK - within).min(end - at);
            out[at - start..at - start + take].copy_from_slice(&self.chunks[at / CHUNK][within..within + take]);
            at += take;
        }
        at.saturating_sub(start)
    }

    /// Cuts, or grows with zeros.
    pub(super) fn set_len(&mut self, len: u64) {
        self.digest = OnceLock::new();
        let len = position(len);
        let chunks = len.div_ceil(CHUNK);
        if len < self.len {
            self.chunks.truncate(chunks);
        } else if chunks > self.chunks.len() {
            if let Some(last) = self.chunks.last_mut().filter(|last| last.len() < CHUNK) {
                Arc::make_mut(last).resize(CHUNK, 0);
            }
            if chunks - self.chunks.len() > 1 {
                let zeros = Arc::new(vec![0; CHUNK]);
                self.chunks.resize(chunks - 1, zeros);
            }
            self.chunks.push(Arc::default());
        }
        let tail = len - chunks.saturating_sub(1) * CHUNK;
        if let Some(last) = self.chunks.last_mut().filter(|last| last.len() != tail) {
            Arc::make_mut(last).resize(tail, 0);
        }
        self.len = len;
    }

    /// Writes `bytes` at `offset`; grows where they end later, with zeros in a gap.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.digest = OnceLock::new();
        let start = position(offset);
        let end = start.saturating_add(bytes.len());
        if end > self.len {
            self.set_len(end as u64);
        }
        let mut at = start;
        while at < end {
            let within = at % CHUNK;
            let take = (CHUNK - within).min(end - at);
            Arc::make_mut(&mut self.chunks[at / CHUNK])[within..within + take]
                .copy_from_slice(&bytes[at - start..at - start + take]);
            at += take;
        }
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len
            && self
                .chunks
                .iter()
                .zip(&other.chunks)
                .all(|(left, right)| Arc::ptr_eq(left, right) || left == right)
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Content};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_growing_array_of_bytes(steps in prop::collection::vec((any::<bool>(), 0..3 * CHUNK, 0..2 * CHUNK, any::<u8>()), 1..20)) {
            let mut content = Content::default();
            let mut plain = Vec::new();
            let mut earlier = Vec::new();
            for (set_len, offset, len, byte) in steps {
                earlier.push((content.clone(), plain.clone()));
                if set_len {
                    content.set_len(offset as u64);
                    plain.resize(offset, 0);
                } else if len > 0 {
                    content.write(offset as u64, &vec![byte; len]);
                    plain.resize(plain.len().max(offset + len), 0);
                    plain[offset..offset + len].fill(byte);
                }
                prop_assert_eq!(&content.to_vec(), &plain);
                prop_assert!(content == Content::from_bytes(&plain));
                let mut part = vec![1; len];
                let read = content.read(offset as u64, &mut part);
                prop_assert_eq!(&part[..read], plain.get(offset..plain.len().min(offset + len)).unwrap_or(&[]));
            }
            for (content, plain) in earlier {
                prop_assert_eq!(content.to_vec(), plain, "a copy must not change with its original");
            }
        }
    }
}
