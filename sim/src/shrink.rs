//! Makes a finding smaller: the fewest operations, then the fewest edges, then the fewest choices in each cut. What is
//! left is found by the same check.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use graven::vfs::fault::CutPlan;

use crate::engine::{Engine, Workload};
use crate::explore::{Finding, Limits, explore};
use crate::judge::checks::Check;
use crate::path::{Edge, Path};
use crate::replay::replay;
use crate::report::Report;
use crate::story::{Story, leave_out, operations_of};
use crate::subject::Subject;
use crate::workloads::named;

/// How long one finding is made smaller.
pub const MOST_TIME: Duration = Duration::from_secs(30);

/// How many distinct disks of a smaller workload are judged in search of the same finding.
const MOST_DISTINCT: u64 = 300;

/// Makes a workload into what is explored.
pub type Make<'m> = &'m dyn Fn(Workload) -> Box<dyn Subject + 'm>;

/// The shrunk finding as a story; where the time is over, as far as it came.
///
/// # Errors
/// The finding cannot be walked to again.
pub fn shrink(whole: &Workload, make: Make<'_>, limits: Limits, finding: &Finding) -> Result<Story, String> {
    let until = Instant::now() + MOST_TIME;
    let limits = Limits {
        deadline: None,
        ..limits
    };
    let mut finding = finding.clone();
    let mut left_out: Vec<String> = Vec::new();
    let search = Limits {
        most_distinct: MOST_DISTINCT,
        deadline: Some(until),
        ..limits
    };
    let operations = operations_of(whole);
    fewer(&operations, until, &mut |dropped| {
        let Ok(smaller) = leave_out(whole, dropped) else {
            return false;
        };
        if smaller.steps.is_empty() {
            return false;
        }
        let subject = make(smaller);
        let same = |found: &Finding| found.check == finding.check;
        let again = if is_found(&*subject, limits, &finding.path, &finding) {
            Some(finding.clone())
        } else {
            explore(&*subject, search).1.into_iter().find(same)
        };
        let Some(again) = again else { return false };
        finding = again;
        left_out = dropped.to_vec();
        true
    });
    let subject = make(leave_out(whole, &left_out)?);
    let path = shrink_path(&*subject, limits, &finding, until);
    let told = finding.message.clone();
    let story = Story::of(&*subject, &whole.name, &left_out, limits, &path)?;
    Ok(Story { told, ..story })
}

/// Grows the set of things left out: half of what is left at a time, then a quarter, down to single ones.
fn fewer<T: Clone>(all: &[T], until: Instant, try_without: &mut dyn FnMut(&[T]) -> bool) {
    let mut kept: Vec<T> = all.to_vec();
    let mut dropped: Vec<T> = Vec::new();
    let mut chunk = kept.len().div_ceil(2);
    while chunk > 0 {
        let mut at = 0;
        while at < kept.len() && Instant::now() < until {
            let end = (at + chunk).min(kept.len());
            let more = [&dropped[..], &kept[at..end]].concat();
            if try_without(&more) {
                dropped = more;
                kept.drain(at..end);
            } else {
                at = end;
            }
        }
        chunk /= 2;
    }
}

fn is_found(subject: &dyn Subject, limits: Limits, path: &Path, finding: &Finding) -> bool {
    let replayed = replay(subject, limits, path);
    replayed.is_ok_and(|replayed| replayed.finding.is_some_and(|found| found.check == finding.check))
}

/// The path with as few edges and choices as lead to a finding of the same check.
pub fn shrink_path(subject: &dyn Subject, limits: Limits, finding: &Finding, until: Instant) -> Path {
    let mut path = finding.path.clone();
    let smaller = |path: &mut Path, candidate: Path| {
        let better = Instant::now() < until && is_found(subject, limits, &candidate, finding);
        if better {
            *path = candidate;
        }
        better
    };
    let mut at = path.0.len();
    while at > 0 {
        at -= 1;
        let mut edges = path.0.clone();
        edges.remove(at);
        smaller(&mut path, Path(edges));
    }
    for at in 0..path.0.len() {
        let with = |path: &Path, plan: CutPlan| {
            let mut edges = path.0.clone();
            edges[at] = Arc::new(Edge::Cut(plan));
            Path(edges)
        };
        let Edge::Cut(plan) = (*path.0[at]).clone() else {
            continue;
        };
        for plain in [CutPlan::all_lost(), CutPlan::all_kept()] {
            let candidate = with(&path, plain);
            if !plan.choices.is_empty() && smaller(&mut path, candidate) {
                break;
            }
        }
        for ordinal in plan.choices.keys() {
            let Edge::Cut(mut plan) = (*path.0[at]).clone() else {
                break;
            };
            if plan.choices.remove(ordinal).is_some() {
                let candidate = with(&path, plan);
                smaller(&mut path, candidate);
            }
        }
    }
    path
}

/// How many findings of a run are made smaller; the others are only named.
const MOST_SHRUNK: usize = 3;

/// Gives every finding of a run its story; the first of each check is made smaller, if that is asked for.
pub fn tell(report: &mut Report, shrinks: bool) {
    let mut shrunk: Vec<Check> = Vec::new();
    for explored in report
        .workloads
        .iter_mut()
        .filter(|explored| !explored.findings.is_empty())
    {
        let Some(whole) = named(&explored.name) else { continue };
        let (limits, make): (Limits, Make<'_>) = (explored.options.0, &|workload| Box::new(Engine::new(workload)));
        for finding in &explored.findings {
            let worth = shrinks && shrunk.len() < MOST_SHRUNK && !shrunk.contains(&finding.check);
            let told = catch_unwind(AssertUnwindSafe(|| {
                if worth {
                    return shrink(&whole, make, limits, finding);
                }
                let story = Story::of(&*make(whole.clone()), &whole.name, &[], limits, &finding.path)?;
                let told = finding.message.clone();
                Ok(Story { told, ..story })
            }));
            if let Ok(Ok(story)) = told {
                explored.stories.push(story);
                shrunk.extend(worth.then_some(finding.check));
            }
        }
    }
}
