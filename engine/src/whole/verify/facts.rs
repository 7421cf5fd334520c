//! What the checks of other families need of a family's records, gathered record by record.

/// One fact for each record of a family that could be read.
#[derive(Debug)]
pub(super) struct Facts<T> {
    /// The number of records, damaged ones included; `None` where the record file is not one.
    count: Option<u32>,
    /// `None` for a damaged record.
    facts: Vec<Option<T>>,
}

impl<T> Default for Facts<T> {
    fn default() -> Self {
        Self {
            count: None,
            facts: Vec::new(),
        }
    }
}

impl<T> Facts<T> {
    /// Says how many records there are.
    pub(super) fn set_count(&mut self, count: u32) {
        self.count = Some(count);
    }

    /// Whether there is no record of that number. Where the record file is not one, nobody can tell.
    pub(super) fn lacks(&self, number: u32) -> bool {
        self.count.is_some_and(|count| number >= count)
    }

    /// What is known of that record; `None` where there is none, or it is damaged.
    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.facts.get(usize::try_from(number).ok()?)?.as_ref()
    }

    /// Notes the record of that number; those before it that were not noted are damaged.
    pub(super) fn note(&mut self, number: u32, fact: T) {
        if let Ok(position) = usize::try_from(number) {
            self.facts.resize_with(position, || None);
            self.facts.push(Some(fact));
        }
    }

    /// The records that could be read, with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..)
            .zip(&self.facts)
            .filter_map(|(number, fact)| Some((number, fact.as_ref()?)))
    }
}
