//! The matrix: the tallies of all workloads, by operation.

use std::collections::BTreeMap;

use super::names;
use super::stage::Stage;
use super::tally::{Cell, Tally};
use crate::engine::Workload;
use crate::explore::Limits;

/// Operation × stage × fault, with counts.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    limits: Limits,
    rows: BTreeMap<&'static str, [Cell; Stage::COUNT]>,
}

impl Matrix {
    /// An empty one, of explorations that go so far.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            rows: BTreeMap::new(),
        }
    }

    /// How far the explorations go.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Adds what the exploration of a workload counted. A step of several operations counts in the row of each of them;
    /// which stages an operation has is learned from the steps that it makes alone.
    pub fn add(&mut self, workload: &Workload, tally: &Tally) {
        for (step, cells) in workload.steps.iter().zip(tally.steps()) {
            let names = names::step(step);
            let alone = names.len() == 1;
            for name in names {
                let row = self.rows.entry(name).or_insert([Cell::default(); Stage::COUNT]);
                for (sum, cell) in row.iter_mut().zip(cells) {
                    for (sum, images) in sum.images.iter_mut().zip(cell.images) {
                        *sum += images;
                    }
                    if alone {
                        sum.there.add(cell.there);
                    }
                }
            }
        }
    }

    /// Each operation, and its stages.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &[Cell; Stage::COUNT])> {
        self.rows.iter().map(|(name, cells)| (*name, cells))
    }
}
