//! What is printed.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::coverage::Matrix;
use crate::explore::{Counts, Finding};

/// The result of a whole run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Each workload's name, counts and findings, in the table's order.
    pub workloads: Vec<(Cow<'static, str>, Counts, Vec<Finding>)>,
    /// What was counted where.
    pub matrix: Matrix,
    /// The seed.
    pub seed: u64,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// How many findings there are.
    pub fn findings(&self) -> usize {
        self.workloads.iter().map(|(_, _, findings)| findings.len()).sum()
    }

    /// The names of the workloads that ran out of time.
    pub fn stopped(&self) -> Vec<&str> {
        self.workloads
            .iter()
            .filter(|(_, counts, _)| counts.stopped)
            .map(|(name, _, _)| &**name)
            .collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, _, findings) in &self.workloads {
            for finding in findings {
                writeln!(f, "finding: {}\n  replay: {name}: {}", finding.message, finding.path)?;
            }
        }
        let stopped = self.stopped();
        if !stopped.is_empty() {
            writeln!(f, "out of time: {}", named(&stopped))?;
        }
        let bounded: Vec<_> = self
            .workloads
            .iter()
            .filter(|(_, counts, _)| counts.bounded)
            .map(|(name, _, _)| &**name)
            .collect();
        if !bounded.is_empty() {
            writeln!(f, "not to the fixpoint: {}", named(&bounded))?;
        }
        let images: u64 = self.workloads.iter().map(|(_, counts, _)| counts.images).sum();
        let distinct: u64 = self.workloads.iter().map(|(_, counts, _)| counts.distinct).sum();
        write!(
            f,
            "sim: {images} crash images, {distinct} distinct, {} findings, seed {}, {:.0} s",
            self.findings(),
            self.seed,
            self.took.as_secs_f64()
        )
    }
}

/// The names, or how many there are where they would fill a page.
fn named(names: &[&str]) -> String {
    if names.len() > 30 {
        format!("{} workloads", names.len())
    } else {
        names.join(", ")
    }
}
