//! Interleaved rounds: each contender does a batch in its turn, and whose turn comes first moves on from round to round.

use std::time::Instant;

use crate::contender::Answer;

/// What one contender took (or has) for one operation.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The operation.
    pub operation: String,
    /// The contender.
    pub contender: String,
    /// `ns`, `bytes` or `syncs`.
    pub unit: &'static str,
    /// The median over rounds of each round's median; of a count, the count.
    pub p50: f64,
    /// The 99th percentile over all samples, where there are enough to speak of one.
    pub p99: Option<f64>,
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Figures(pub Vec<Figure>);

/// The samples from which a 99th percentile is told.
const ENOUGH_FOR_P99: usize = 100;

impl Figures {
    /// The figure of one contender for one operation.
    pub fn get(&self, operation: &str, contender: &str) -> Option<&Figure> {
        self.0
            .iter()
            .find(|figure| figure.operation == operation && figure.contender == contender)
    }

    /// The operations, in the order in which they were measured.
    pub fn operations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for figure in &self.0 {
            if !names.contains(&figure.operation.as_str()) {
                names.push(&figure.operation);
            }
        }
        names
    }

    /// Adds something that was counted.
    pub fn count(&mut self, operation: &str, contender: &str, unit: &'static str, value: f64) {
        self.0.push(Figure {
            operation: operation.into(),
            contender: contender.into(),
            unit,
            p50: value,
            p99: None,
        });
    }

    /// Adds the samples of one contender, round by round.
    pub fn add(&mut self, operation: &str, contender: &str, rounds: &[Vec<f64>]) {
        let medians: Vec<f64> = rounds.iter().map(|round| percentile(round, 50)).collect();
        let all = rounds.concat();
        self.0.push(Figure {
            operation: operation.into(),
            contender: contender.into(),
            unit: "ns",
            p50: percentile(&medians, 50),
            p99: (all.len() >= ENOUGH_FOR_P99).then(|| percentile(&all, 99)),
        });
    }
}

/// A contender's turn: does its batch and answers the nanoseconds of each sample.
pub type Turn<'a> = Box<dyn FnMut() -> Answer<Vec<f64>> + 'a>;

/// Gives each of `turns` its turn in each round and adds what they took.
pub fn interleave(
    figures: &mut Figures,
    operation: &str,
    rounds: usize,
    mut turns: Vec<(&'static str, Turn<'_>)>,
) -> Answer {
    eprintln!("  {operation}");
    let mut samples = vec![Vec::new(); turns.len()];
    for round in 0..rounds {
        for place in 0..turns.len() {
            let whose = (place + round) % turns.len();
            let (name, turn) = &mut turns[whose];
            samples[whose].push(turn().map_err(|error| format!("{operation}: {name}: {error}"))?);
        }
    }
    for ((name, _), samples) in turns.iter().zip(&samples) {
        figures.add(operation, name, samples);
    }
    Ok(())
}

/// Times `batch` calls of `f`, each of which does `parts` of what the figure is about.
pub fn timed(batch: usize, parts: u32, mut f: impl FnMut() -> Answer) -> Answer<Vec<f64>> {
    let mut samples = Vec::with_capacity(batch);
    for _ in 0..batch {
        let began = Instant::now();
        f()?;
        samples.push(ns_since(began) / f64::from(parts));
    }
    Ok(samples)
}

/// Nanoseconds since `began`.
pub fn ns_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e9
}

/// The sample below or at which `percent` of a hundred lie.
fn percentile(samples: &[f64], percent: usize) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).clamp(1, sorted.len().max(1));
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}
