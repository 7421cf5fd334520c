//! Directories that were used lately, in bounded memory.

use std::collections::HashMap;
use std::sync::Arc;

use super::directory::{Directory, Hash};

/// Directories by their hash. Full, it forgets those that have not been asked for the longest.
#[derive(Debug)]
pub struct Cache {
    young: HashMap<Hash, Arc<Directory>>,
    old: HashMap<Hash, Arc<Directory>>,
    young_len: usize,
    generation_len: usize,
}

impl Cache {
    /// A cache of about `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            young_len: 0,
            generation_len: bytes / 2,
        }
    }

    /// The directory of that hash, where it is remembered.
    pub fn get(&mut self, hash: &Hash) -> Option<Arc<Directory>> {
        if let Some(known) = self.young.get(hash) {
            return Some(known.clone());
        }
        let known = self.old.remove(hash)?;
        self.remember(*hash, known.clone());
        Some(known)
    }

    /// Remembers a directory.
    pub fn insert(&mut self, hash: Hash, directory: Directory) -> Arc<Directory> {
        let directory = Arc::new(directory);
        self.remember(hash, directory.clone());
        directory
    }

    fn remember(&mut self, hash: Hash, directory: Arc<Directory>) {
        self.young_len += directory.memory_len() + size_of::<Hash>();
        self.young.insert(hash, directory);
        if self.young_len > self.generation_len {
            self.old = std::mem::take(&mut self.young);
            self.young_len = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, Name};
    use super::*;
    use crate::git::stream::Mode;

    #[test]
    fn what_is_used_stays_and_the_rest_goes() {
        let directory = |byte: u8| Directory {
            entries: vec![(
                Name::from([byte].as_slice()),
                Entry {
                    mode: Mode::File,
                    size: 1,
                    hash: [byte; 32],
                },
            )],
        };
        let each = directory(0).memory_len() + size_of::<Hash>();
        let mut cache = Cache::new(each * 8);
        for byte in 0..100 {
            cache.insert([byte; 32], directory(byte));
            assert_eq!(cache.get(&[0; 32]).as_deref(), Some(&directory(0)));
            assert_eq!(cache.get(&[byte; 32]).as_deref(), Some(&directory(byte)));
        }
        assert_eq!(cache.get(&[50; 32]), None);
        assert!(cache.young.len() + cache.old.len() <= 10);
    }
}
