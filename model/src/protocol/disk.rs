//! The disk of the design's seven assumptions, as small as it can be said: for every byte the set of values a cut may leave.
//!
//! A file is a row of cells and a length. A cell holds what a process reads now (`readable`), whether the page cache
//! still owes it to the medium (`dirty`), and every value that a power cut may leave in its place (`possible`). Since
//! a cut keeps any subset of unsynced bytes, in any order, the choice at each byte is free of the choice at every
//! other, so the sets say exactly what "a durable image and a list of pending operations" says, and no more.
//! The same holds for the length.

use std::fmt;

/// The content of one cell: a byte of an authority file (below [`FIRST_DIGEST`]), or the digest of an undo.
pub type Symbol = u8;
/// What an unwritten byte of a grown file reads as.
pub const ZERO: Symbol = 0;
/// What the harsh disk may leave in an unsynced growth.
pub const GARBAGE: Symbol = 15;
/// Symbols from here on name undos.
pub const FIRST_DIGEST: Symbol = 16;
/// The longest file of the model, in cells.
pub const LONGEST: usize = 24;

/// A set of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Values(u128);

impl Values {
    /// The set of one symbol.
    pub const fn only(symbol: Symbol) -> Self {
        Self(1 << symbol)
    }

    /// Adds a symbol.
    pub fn insert(&mut self, symbol: Symbol) {
        self.0 |= 1 << symbol;
    }

    /// Whether the symbol is in the set.
    pub const fn contains(self, symbol: Symbol) -> bool {
        self.0 & (1 << symbol) != 0
    }

    /// Whether every symbol of this set is in `other`.
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The symbols, ascending.
    pub fn iter(self) -> impl Iterator<Item = Symbol> {
        (0..128).filter(move |&symbol| self.contains(symbol))
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// One byte of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// What a process reads.
    pub readable: Symbol,
    /// Whether a sync would write it.
    pub dirty: bool,
    /// What a cut may leave.
    pub possible: Values,
}

impl Cell {
    const fn durable(symbol: Symbol) -> Self {
        Self {
            readable: symbol,
            dirty: false,
            possible: Values::only(symbol),
        }
    }

    fn is_durable(self) -> bool {
        self.possible == Values::only(self.readable)
    }
}

/// One file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct File {
    cells: Vec<Cell>,
    len: usize,
    len_dirty: bool,
    possible_lens: u32,
}

impl File {
    /// A file whose bytes and length are durable.
    pub fn durable(bytes: &[Symbol]) -> Self {
        Self {
            cells: bytes.iter().map(|&byte| Cell::durable(byte)).collect(),
            len: bytes.len(),
            len_dirty: false,
            possible_lens: 1 << bytes.len(),
        }
    }

    /// The length as it reads.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it reads as empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The byte at `offset` as it reads; `None` at the end.
    pub fn get(&self, offset: usize) -> Option<Symbol> {
        self.cells[..self.len].get(offset).map(|cell| cell.readable)
    }

    /// All bytes as they read.
    pub fn bytes(&self) -> Vec<Symbol> {
        self.cells[..self.len].iter().map(|cell| cell.readable).collect()
    }

    /// What a cut may leave at `offset`, where the file is that long then.
    pub fn possible(&self, offset: usize) -> Values {
        self.cells.get(offset).map_or(Values::default(), |cell| cell.possible)
    }

    /// The lengths a cut may leave, ascending.
    pub fn possible_lens(&self) -> impl Iterator<Item = usize> + '_ {
        (0..=LONGEST).filter(|&len| self.possible_lens & (1 << len) != 0)
    }

    /// Whether a cut leaves exactly what reads now.
    pub fn is_durable(&self) -> bool {
        self.len_is_durable() && self.cells[..self.len].iter().all(|cell| cell.is_durable())
    }

    /// Whether a cut leaves the length that reads now.
    pub fn len_is_durable(&self) -> bool {
        self.possible_lens == 1 << self.len
    }

    /// Writes one byte at `offset`, at most at the end: a longer write is several.
    ///
    /// # Panics
    /// Where the write would leave a hole; no program of the model does.
    pub fn write(&mut self, offset: usize, value: Symbol) {
        assert!(
            offset <= self.len && offset < LONGEST,
            "a program of the model never leaves a hole"
        );
        if offset == self.len {
            self.grow_cell(offset);
            self.len = offset + 1;
            self.possible_lens |= 1 << self.len;
            self.len_dirty = true;
        }
        let may_be_shorter = self.possible_lens().any(|len| len <= offset);
        let cell = &mut self.cells[offset];
        cell.possible.insert(value);
        cell.readable = value;
        cell.dirty = cell.dirty || may_be_shorter || !cell.is_durable();
    }

    /// Sets the length. To the length that reads now it does nothing at all (assumption 4).
    pub fn set_len(&mut self, len: usize) {
        if len == self.len {
            return;
        }
        for offset in self.len..len {
            self.grow_cell(offset);
            self.cells[offset].dirty = true;
        }
        for cell in &mut self.cells[len..] {
            cell.dirty = false;
        }
        for between in len.min(self.len)..=len.max(self.len) {
            self.possible_lens |= 1 << between;
        }
        self.len = len;
        self.len_dirty = true;
    }

    fn grow_cell(&mut self, offset: usize) {
        if offset == self.cells.len() {
            self.cells.push(Cell {
                readable: ZERO,
                dirty: false,
                possible: Values::default(),
            });
        }
        let cell = &mut self.cells[offset];
        cell.readable = ZERO;
        cell.possible.insert(ZERO);
        cell.possible.insert(GARBAGE);
    }

    /// A sync that succeeds: what is dirty becomes durable. What an earlier failed sync marked clean does not.
    pub fn sync(&mut self) {
        let mut durable_below = 0;
        for (offset, cell) in self.cells[..self.len].iter_mut().enumerate() {
            if cell.dirty {
                *cell = Cell::durable(cell.readable);
                durable_below = offset + 1;
            }
        }
        if self.len_dirty {
            self.possible_lens = 1 << self.len;
            self.len_dirty = false;
        } else {
            self.possible_lens &= !((1 << durable_below) - 1);
        }
        self.forget_beyond();
    }

    fn forget_beyond(&mut self) {
        let longest = self.possible_lens().last().unwrap_or(0);
        self.cells.truncate(longest);
    }

    /// A failed sync, first kind: everything stays readable and is marked clean.
    pub fn fail_sync_clean(&mut self) {
        self.len_dirty = false;
        for cell in &mut self.cells {
            cell.dirty = false;
        }
    }

    /// Every file that a power cut may leave; also the third kind of failed sync, where the medium's bytes come back.
    /// (The second kind changes nothing: the bytes stay dirty.)
    pub fn images(&self) -> Vec<Self> {
        let mut images = Vec::new();
        for len in self.possible_lens() {
            let mut rows: Vec<Vec<Symbol>> = vec![Vec::new()];
            for cell in &self.cells[..len] {
                rows = rows
                    .iter()
                    .flat_map(|row| {
                        cell.possible.iter().map(|symbol| {
                            let mut row = row.clone();
                            row.push(symbol);
                            row
                        })
                    })
                    .collect();
            }
            images.extend(rows.iter().map(|row| Self::durable(row)));
        }
        images
    }

    /// Every file that dropping clean pages which the medium does not hold may leave: each such byte stays, or reads as
    /// the medium has it. Part of assumption 4: lost bytes may vanish later.
    pub fn evictions(&self) -> Vec<Self> {
        let mut evicted = vec![self.clone()];
        for (offset, cell) in self.cells[..self.len].iter().enumerate() {
            if cell.dirty || cell.is_durable() {
                continue;
            }
            for file in evicted.clone() {
                for symbol in cell.possible.iter() {
                    let mut file = file.clone();
                    file.cells[offset] = Cell::durable(symbol);
                    evicted.push(file);
                }
            }
        }
        if !self.len_dirty && !self.len_is_durable() && self.cells.iter().all(|cell| !cell.dirty) {
            evicted.extend(self.images());
        }
        evicted.retain(|file| file != self);
        evicted
    }
}

/// The files of the model's disk, by their number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Disk {
    /// The files.
    pub files: Vec<File>,
}

impl Disk {
    /// Every disk that a power cut may leave: each file's choice is free of the others'.
    pub fn images(&self) -> Vec<Self> {
        let mut disks = vec![Self { files: Vec::new() }];
        for file in &self.files {
            let images = file.images();
            disks = disks
                .iter()
                .flat_map(|disk| {
                    images.iter().map(|image| {
                        let mut disk = disk.clone();
                        disk.files.push(image.clone());
                        disk
                    })
                })
                .collect();
        }
        disks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_any_subset_of_unsynced_bytes() {
        let mut file = File::durable(&[1, 1]);
        file.write(0, 2);
        file.write(1, 2);
        let images: Vec<_> = file.images().iter().map(File::bytes).collect();
        assert_eq!(images, vec![vec![1, 1], vec![1, 2], vec![2, 1], vec![2, 2]]);
        file.sync();
        assert_eq!(file.images(), vec![File::durable(&[2, 2])]);
    }

    #[test]
    fn an_unsynced_truncation_may_be_lost_while_a_later_write_is_kept() {
        let mut file = File::durable(&[1, 2, 3]);
        file.set_len(1);
        file.write(1, 9);
        assert!(file.images().iter().any(|image| image.bytes() == [1, 9, 3]));
        file.sync();
        assert_eq!(file.images(), vec![File::durable(&[1, 9])]);
    }

    #[test]
    fn after_a_failed_sync_the_present_length_proves_nothing() {
        let mut file = File::durable(&[1, 2]);
        file.set_len(1);
        file.fail_sync_clean();
        file.set_len(1);
        file.sync();
        assert_eq!(file.possible_lens().collect::<Vec<_>>(), [1, 2]);
        file.set_len(2);
        file.set_len(1);
        file.sync();
        assert!(file.is_durable());
    }

    #[test]
    fn a_later_sync_proves_nothing_about_bytes_lost_earlier() {
        let mut file = File::durable(&[1, 1]);
        file.write(0, 2);
        file.fail_sync_clean();
        file.write(1, 2);
        file.sync();
        assert_eq!(file.images().len(), 2);
        assert!(file.evictions().iter().any(|image| image.bytes() == [1, 2]));
    }
}
