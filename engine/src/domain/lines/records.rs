//! Reading Lines: by index and by name.

use crate::domain::family::{Family, unindexable};
use crate::domain::{Error, Result};
use crate::format::{LINE, LINE_NAME_INDEX, Line, LineIndex, LineName, LineState, fnv1a64};
use crate::store::{self, FamilyId, IndexDefinition, Source};

/// The index that finds a Line by its name: a row holds FNV-1a-64 of the name and the **raw** index (F-4). Rows of
/// names that were given up may be left behind; every hit is compared with the record.
pub static LINE_NAME: IndexDefinition = IndexDefinition {
    layout: &LINE,
    file: Some(&LINE_NAME_INDEX),
    key: name_key,
    plus1: false,
    immutable: false,
};

/// The key of a name in the index file.
fn key_of(name: &[u8]) -> [u8; 8] {
    fnv1a64(name).to_le_bytes()
}

/// Deleted Lines have no row. A damaged record answers `Corrupt`: which name it has cannot be told.
fn name_key(source: &dyn Source, family: FamilyId, index: u32) -> store::Result<Option<Vec<u8>>> {
    let mut record = [0; LINE.record_size];
    source.read_record(family, index, &mut record)?;
    let line = Line::decode(&record)
        .map_err(|fault| unindexable(&LINE, index, &fault))?
        .value;
    if matches!(line.state, LineState::Deleted { .. }) {
        return Ok(None);
    }
    let mut name = vec![0; usize::try_from(line.name.len()).unwrap_or(0)];
    source.read_payload(family, line.name.offset(), &mut name)?;
    Ok(Some(key_of(&name).to_vec()))
}

/// The Lines of a zone, as they stand in a view or in a transaction.
#[derive(Clone, Copy)]
pub struct Lines<'s>(Family<'s>);

impl<'s> Lines<'s> {
    /// The Lines that `source` reads.
    pub fn new(source: &'s dyn Source) -> Result<Self> {
        Ok(Self(Family::of(source, &LINE, "Line")?))
    }

    /// The number of records, deleted ones included.
    pub fn len(&self) -> u32 {
        self.0.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of that index, also an archived or deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record breaks a rule of W-LINE or F-2.4.
    pub fn get(&self, index: LineIndex) -> Result<Line> {
        if index.get() >= self.len() {
            return Err(Error::not_found(format!("the Line {index}")));
        }
        self.0.read(index.get(), Line::decode)
    }

    /// The name of the Line of that index, also an archived or deleted one.
    ///
    /// `NotFound`: past the end. `Corrupt`: the record or its name breaks a rule.
    pub fn name(&self, index: LineIndex) -> Result<String> {
        self.name_of(index, &self.get(index)?)
    }

    /// The name of `line`, which is the record of that index.
    pub fn name_of(&self, index: LineIndex, line: &Line) -> Result<String> {
        let bytes = self.0.payload(index.get(), line.name)?;
        match LineName::read(&bytes) {
            Ok(reading) => Ok(reading.value.as_str().to_owned()),
            Err(fault) => Err(self.0.damaged(index.get(), &fault)),
        }
    }

    /// The live or archived Line of exactly that name; `None` where there is none.
    ///
    /// `Corrupt`: two Lines that are not deleted have it (F-2.4), or the only record that may have it is damaged.
    pub fn find(&self, name: &str) -> Result<Option<(LineIndex, Line)>> {
        let mut found: Option<(LineIndex, Line)> = None;
        let mut damaged: Option<Error> = None;
        let mut ambiguous: Option<Error> = None;
        let searched = self
            .0
            .source()
            .find(&LINE_NAME, &key_of(name.as_bytes()), &mut |index| {
                match self.named(index, name) {
                    Ok(None) => {}
                    Ok(Some(line)) => match &found {
                        None => found = Some(line),
                        // The index file and the index in memory may both offer it.
                        Some((first, _)) if *first == line.0 => {}
                        Some((first, _)) => {
                            let message = format!("Lines {first} and {} are both called {name:?}", line.0);
                            ambiguous = Some(self.0.corrupt(index, "F-2.4", message));
                            return Ok(true);
                        }
                    },
                    Err(Error::Store(error)) => return Err(error),
                    Err(error) => {
                        damaged.get_or_insert(error);
                    }
                }
                Ok(false)
            });
        match (ambiguous, found, damaged, searched) {
            (Some(error), _, _, _) | (None, None, Some(error), _) => Err(error),
            // A record whose name cannot be read hides nothing that was found.
            (None, Some(line), _, Ok(_) | Err(store::Error::Corrupt { .. })) => Ok(Some(line)),
            (None, _, _, Err(error)) => Err(error.into()),
            (None, None, None, Ok(_)) => Ok(None),
        }
    }

    /// The Line of that index if it is not deleted and has that name.
    fn named(&self, index: u32, name: &str) -> Result<Option<(LineIndex, Line)>> {
        let Some(index) = LineIndex::new(index) else {
            return Ok(None);
        };
        let line = self.get(index)?;
        let deleted = matches!(line.state, LineState::Deleted { .. });
        if deleted || line.name.len() != name.len() as u64 || self.name_of(index, &line)? != name {
            return Ok(None);
        }
        Ok(Some((index, line)))
    }
}
