//! What is printed.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::coverage::Matrix;
use crate::coverage::holes::{self, Hole};
use crate::explore::{Counts, Finding};
use crate::options::Options;
use crate::processes::explore as processes;
use crate::story::Story;

/// What the exploration of one workload came to.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The workload's name.
    pub name: Cow<'static, str>,
    /// What it was explored under.
    pub options: Options,
    /// Which index of the seed it was drawn by, in tier 3.
    pub drawn: Option<u64>,
    /// What was seen.
    pub counts: Counts,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The stories of it, as far as they are told.
    pub stories: Vec<Story>,
}

/// The result of a whole run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Each workload, in the table's order.
    pub workloads: Vec<Explored>,
    /// What was counted where.
    pub matrix: Matrix,
    /// Whether only some of the workloads, or of the disks that a tier looks at, were asked for.
    pub partial: bool,
    /// What the interleavings of processes came to.
    pub interleaved: processes::Report,
    /// The seed.
    pub seed: u64,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// How many findings there are.
    pub fn findings(&self) -> usize {
        let of_workloads: usize = self.workloads.iter().map(|explored| explored.findings.len()).sum();
        of_workloads + self.interleaved.findings().count()
    }

    /// All crash images.
    pub fn images(&self) -> u64 {
        let of_workloads: u64 = self.workloads.iter().map(|explored| explored.counts.images).sum();
        of_workloads + self.interleaved.images()
    }

    /// All distinct disks that were judged.
    pub fn distinct(&self) -> u64 {
        let of_workloads: u64 = self.workloads.iter().map(|explored| explored.counts.distinct).sum();
        of_workloads + self.interleaved.distinct()
    }

    /// Whether everything was asked for and no deadline came first, so that a cell of the matrix that has been left out is
    /// a hole.
    pub fn is_whole(&self) -> bool {
        !self.partial && !self.workloads.iter().any(|explored| explored.counts.stopped)
    }

    /// The cells that a whole run has left out and no rule explains.
    pub fn holes(&self) -> Vec<Hole> {
        if self.is_whole() {
            holes::holes(&self.matrix)
        } else {
            Vec::new()
        }
    }

    fn those(&self, which: impl Fn(&Counts) -> bool) -> Vec<&Explored> {
        let those = self.workloads.iter().filter(|explored| which(&explored.counts));
        those.collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for explored in &self.workloads {
            for finding in &explored.findings {
                writeln!(f, "finding: {}: {}", finding.check, finding.message)?;
                writeln!(f, "  at: {} [{}]: {}", explored.name, explored.options, finding.path)?;
                if let Some(index) = explored.drawn {
                    writeln!(f, "  drawn: {}/{index}", self.seed)?;
                }
            }
            for story in &explored.stories {
                writeln!(f, "  replay: {story}")?;
            }
        }
        let unseen = self.those(|counts| counts.stopped && counts.distinct == 0);
        if !unseen.is_empty() {
            writeln!(f, "out of time, not looked at: {}", named(&unseen))?;
        }
        let stopped = self.those(|counts| counts.stopped && counts.distinct > 0);
        if let Some(least) = stopped.iter().map(|explored| explored.counts.distinct).min() {
            let named = named(&stopped);
            writeln!(f, "out of time, at least {least} distinct disks of each: {named}")?;
        }
        let bounded = self.those(|counts| counts.bounded);
        if let Some(least) = bounded.iter().map(|explored| explored.counts.distinct).min() {
            let named = named(&bounded);
            writeln!(
                f,
                "not to the fixpoint, at least {least} distinct disks of each: {named}"
            )?;
        }
        let to_the_end = self.those(|counts| !counts.stopped && !counts.bounded);
        if !to_the_end.is_empty() {
            writeln!(f, "to the fixpoint: {}", named(&to_the_end))?;
        }
        for hole in self.holes() {
            writeln!(f, "hole: {hole}: never reached, and no rule says why")?;
        }
        if !self.interleaved.scenarios.is_empty() {
            writeln!(f, "{}", self.interleaved)?;
        }
        write!(
            f,
            "sim: {} crash images, {} distinct, {} findings, seed {}, {:.0} s",
            self.images(),
            self.distinct(),
            self.findings(),
            self.seed,
            self.took.as_secs_f64()
        )
    }
}

/// The names, or how many there are where they would fill a page.
fn named(explored: &[&Explored]) -> String {
    if explored.len() > 30 {
        return format!("{} workloads", explored.len());
    }
    let names: Vec<&str> = explored.iter().map(|explored| &*explored.name).collect();
    names.join(", ")
}
