//! What opening a store found, and what an open store has done.

use std::fmt;

use crate::store::{Decision, RecoveryReport, Stats};

/// What opening a store found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenReport {
    /// Whether a dead writer had left something behind, which was settled.
    pub recovered: bool,
    /// Changes that were rolled back: they did not happen.
    pub rolled_back: u32,
    /// Changes that were completed, or found whole and made durable: they happened.
    pub completed: u32,
    /// The recovery of each root that had one, in lock order.
    pub recoveries: Vec<RecoveryReport>,
}

impl OpenReport {
    pub(super) fn of(recoveries: Vec<RecoveryReport>) -> Self {
        let count = |wanted: fn(Decision) -> bool| {
            let found = recoveries
                .iter()
                .filter(|report| report.decision.is_some_and(wanted))
                .count();
            u32::try_from(found).unwrap_or(u32::MAX)
        };
        Self {
            recovered: !recoveries.is_empty(),
            rolled_back: count(|decision| decision == Decision::RollBack),
            completed: count(|decision| decision != Decision::RollBack),
            recoveries,
        }
    }
}

impl fmt::Display for OpenReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.recovered {
            return f.write_str("nothing to recover");
        }
        write!(f, "{} rolled back, {} completed", self.rolled_back, self.completed)
    }
}

/// What an open store's handles have done so far, root by root. It never holds payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreStats {
    /// The workflow root.
    pub workflow: Stats,
    /// The object root.
    pub objects: Stats,
}
