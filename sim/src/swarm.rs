//! Tier 3: three operations at a time, under options that are drawn anew for each workload.
//!
//! Everything about a workload follows from `SEED/INDEX`, so threads and time decide only how many are explored.

use std::sync::Mutex;
use std::time::Instant;

use crate::coverage::Matrix;
use crate::draws::Draws;
use crate::engine::{Engine, Workload};
use crate::explore::{Limits, Medium, explore_counted};
use crate::options::Options;
use crate::report::{Explored, Report};
use crate::run::{Progress, on_every_processor};
use crate::workloads::{Word, chain, links, name_of, tier_1};

/// How many distinct disks of a workload are judged at most.
pub const MOST_DISTINCT: u64 = 600;

/// How many cuts of one disk are tried at most.
const MOST_CUTS: u64 = 120;

/// What an index of a seed comes to.
pub fn draw(seed: u64, index: u64) -> (Workload, Limits) {
    let mut draws = Draws::new(seed, index);
    let workload = workload(&mut draws);
    (workload, limits(&mut draws))
}

/// Mostly three operations; now and then a workload of tier 1, for the kinds of change that no operation makes.
fn workload(draws: &mut Draws) -> Workload {
    let mut all = tier_1();
    let links = links();
    let second = draws.one_of(&[0, 1, 2]);
    // A second recovery would stand behind the first, where nothing is explored any more.
    let third = draws.one_of(if second == 2 { &[0, 1] } else { &[0, 1, 2] });
    let [first, two, three] = [(); 3].map(|()| draws.one_of(&links));
    let name = name_of(first, &[(Word::ALL[second], two), (Word::ALL[third], three)]);
    let of_tier_1 = usize::try_from(draws.below(all.len() as u64)).unwrap_or(0);
    match chain(&name) {
        Some(chain) if !draws.once_in(8) => chain,
        _ => all.swap_remove(of_tier_1),
    }
}

fn limits(draws: &mut Draws) -> Limits {
    let room = draws.one_of(&[0, 1, 40, 200, 500, 1000, 2000, 4096, 9000]);
    let full = draws.once_in(3);
    let medium = Medium {
        room: full.then_some(room),
        copy_on_write: full && draws.once_in(3),
        no_reserve: draws.once_in(3),
    };
    let torn = !draws.once_in(4);
    Limits {
        seed: draws.below(u64::MAX),
        harsh: draws.once_in(2),
        torn,
        exact: torn && !draws.once_in(3),
        most_cuts: MOST_CUTS,
        wander: !draws.once_in(4),
        medium,
        failed_syncs: draws.one_of(&[0, 1, 1, 2]),
        failed_calls: draws.once_in(2),
        kill_inside: draws.one_of(&[0, 64, 64, 8, 1]),
        most_distinct: MOST_DISTINCT,
        ..Limits::default()
    }
}

/// Explores the indexes of a seed one after another, until it is time; those whose workload's name contains `only`.
pub fn run(seed: u64, deadline: Option<Instant>, only: &str, progress: &Progress) -> Report {
    let started = Instant::now();
    // What is drawn at all decides which zeros need an explanation.
    let matrix = Mutex::new(Matrix::new(Limits::default()));
    let results = on_every_processor(|index| {
        let index = index as u64;
        let (workload, drawn) = draw(seed, index);
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return None;
        }
        if !workload.name.contains(only) {
            return Some(None);
        }
        let limits = Limits { deadline, ..drawn };
        let (counts, findings, tally) = explore_counted(&Engine::new(workload.clone()), limits);
        if let Ok(mut matrix) = matrix.lock() {
            matrix.add(&workload, &tally);
        }
        progress.add(&counts, &findings);
        Some(Some(Explored {
            name: workload.name,
            options: Options(drawn),
            drawn: Some(index),
            counts,
            findings,
            stories: Vec::new(),
        }))
    });
    Report {
        workloads: results.into_iter().flatten().collect(),
        matrix: matrix.into_inner().unwrap_or_default(),
        partial: true,
        seed,
        took: started.elapsed(),
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_drawn_again_as_it_was_and_explored_to_the_same_end() {
        let told = |index| {
            let (workload, limits) = draw(5, index);
            format!("{} {}", workload.name, Options(limits))
        };
        let all: Vec<_> = (0..200).map(told).collect();
        assert_eq!(all, (0..200).map(told).collect::<Vec<_>>());
        for word in Word::ALL {
            let between = name_of("", &[(word, "")]);
            let named = all.iter().filter(|told| told.contains(&between)).count();
            assert!(named > 20, "{between}: {named}");
        }
        let ends = || {
            let (workload, limits) = draw(5, 3);
            let limits = Limits {
                most_distinct: 40,
                ..limits
            };
            crate::explore::explore(&Engine::new(workload), limits)
        };
        assert_eq!(ends(), ends());
    }
}
