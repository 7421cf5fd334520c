//! A contender over any store that keeps bytes under an ascending 8-byte key: graven's operations in those terms.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::contender::{
    Answer, CONTENT, Contender, LINE_RECORD, OBJECT_RECORD, OWNER_ROW, SHORT_CONTENT, TASK_RECORD, TASK_TEXT,
};

/// A store that keeps bytes under keys, each commit durable when it answers.
pub trait Keyed: Send + Sync {
    /// Writes all pairs in one durable commit.
    fn commit(&self, pairs: &[(u64, Vec<u8>)]) -> Answer;
    /// [`Keyed::commit`] of keys that ascend and are above all that are there: where a store has a faster way for that.
    fn append_sorted(&self, pairs: &[(u64, Vec<u8>)]) -> Answer {
        self.commit(pairs)
    }
    /// Shows the values under the keys to `see`, all in one view.
    fn get(&self, keys: &mut dyn Iterator<Item = u64>, see: &mut dyn FnMut(&[u8])) -> Answer;
    /// Shows each value whose key lies below `end` to `see`, in the order of the keys.
    fn scan_below(&self, end: u64, see: &mut dyn FnMut(&[u8])) -> Answer;
    /// The store's own check of itself.
    fn verify(&mut self) -> Answer<Option<()>>;
}

const OBJECTS: u64 = 0;
const LINES: u64 = 1 << 32;
const TASKS: u64 = 2 << 32;
const TASK_PAYLOAD: u64 = 3 << 32;
const OWNERS: [u64; 2] = [4 << 32, 5 << 32];

/// The contender that a keyed store is.
pub struct KeyedContender<S> {
    store: S,
    objects: AtomicU32,
    lines: AtomicU32,
    tasks: AtomicU32,
    open_task: AtomicU32,
}

impl<S: Keyed> KeyedContender<S> {
    /// Of an open store; counts what is there, so that appended keys are new.
    pub fn new(store: S) -> Answer<Self> {
        let mut objects = 0;
        // A store that was filled before is opened to be read: what is appended to it then would be overwritten.
        store.get(&mut std::iter::once(OBJECTS), &mut |_| objects = u32::MAX / 2)?;
        Ok(Self {
            store,
            objects: AtomicU32::new(objects),
            lines: AtomicU32::new(0),
            tasks: AtomicU32::new(0),
            open_task: AtomicU32::new(0),
        })
    }

    fn task(index: u32, state: u8) -> (u64, Vec<u8>) {
        (TASKS + u64::from(index), vec![state; TASK_RECORD])
    }
}

/// A record's bytes, which differ from record to record as a hash does.
pub fn record_of(index: u32, content: usize) -> Vec<u8> {
    let mut bytes = vec![0x61; OBJECT_RECORD + content];
    let mixed = u64::from(index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for (word, place) in bytes[..OBJECT_RECORD].chunks_exact_mut(8).enumerate() {
        place.copy_from_slice(
            &mixed
                .rotate_left(u32::try_from(word).unwrap_or(0) * 7 + 8)
                .to_be_bytes(),
        );
    }
    bytes
}

impl<S: Keyed> Contender for KeyedContender<S> {
    fn append(&self, count: usize) -> Answer {
        let mut pairs = Vec::with_capacity(count);
        for _ in 0..count {
            let index = self.objects.fetch_add(1, Ordering::Relaxed);
            pairs.push((OBJECTS + u64::from(index), record_of(index, CONTENT)));
        }
        self.store.commit(&pairs)
    }

    fn replace(&self) -> Answer {
        let state = u8::try_from(self.lines.fetch_add(1, Ordering::Relaxed) % 251).unwrap_or(0);
        self.store.commit(&[(LINES, vec![state; LINE_RECORD])])
    }

    fn prepare_close(&self, count: usize) -> Answer {
        let first = self.tasks.fetch_add(u32::try_from(count)?, Ordering::Relaxed);
        let last = self.tasks.load(Ordering::Relaxed);
        self.open_task.store(first, Ordering::Relaxed);
        let tasks: Vec<_> = (first..last).map(|index| Self::task(index, 1)).collect();
        self.store.commit(&tasks)
    }

    fn close_task(&self) -> Answer {
        let index = self.open_task.fetch_add(1, Ordering::Relaxed);
        self.store.commit(&[Self::task(index, 2)])
    }

    fn create_task(&self) -> Answer {
        let index = self.tasks.fetch_add(1, Ordering::Relaxed);
        let row = |base: u64, bytes: Vec<u8>| (base + u64::from(index), bytes);
        self.store.commit(&[
            Self::task(index, 1),
            row(TASK_PAYLOAD, [TASK_TEXT.0, TASK_TEXT.1].concat().into_bytes()),
            row(OWNERS[0], vec![0; OWNER_ROW]),
            row(OWNERS[1], vec![0; OWNER_ROW]),
        ])
    }

    fn fill(&self, from: u32, to: u32) -> Answer {
        let pairs: Vec<_> = (from..to)
            .map(|index| (OBJECTS + u64::from(index), record_of(index, SHORT_CONTENT)))
            .collect();
        self.store.append_sorted(&pairs)
    }

    fn read(&self, indexes: &[u32]) -> Answer<u64> {
        let mut sum = 0;
        let mut keys = indexes.iter().map(|index| OBJECTS + u64::from(*index));
        self.store.get(&mut keys, &mut |value| sum += u64::from(value[0]))?;
        Ok(sum)
    }

    fn scan(&self) -> Answer<u64> {
        let mut count = 0;
        self.store
            .scan_below(LINES, &mut |value| count += u64::from(!value.is_empty()))?;
        Ok(count)
    }

    fn filtered(&self) -> Answer<u64> {
        let mut count = 0;
        self.store
            .scan_below(LINES, &mut |value| count += u64::from(value[0] < 16))?;
        Ok(count)
    }

    fn verify(&mut self) -> Answer<Option<()>> {
        self.store.verify()
    }
}
