//! The simulator's command: explores a tier's workloads, or walks one path again.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use graven_sim::coverage::holes::holes;
use graven_sim::engine::{Engine, Workload};
use graven_sim::explore::Limits;
use graven_sim::mutants;
use graven_sim::replay::replay;
use graven_sim::run::run;
use graven_sim::workloads::{tier_1, tier_2};

/// Explores what kills, cuts and failures can leave, and judges it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Which table of workloads.
    #[arg(long, default_value_t = 1)]
    tier: u32,
    /// When to stop.
    #[arg(long)]
    seconds: Option<u64>,
    /// Where the randomness of processes comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many distinct disks of a workload are judged at most; 0: all, to the fixpoint. Left out: 3000 in tier 1; 200
    /// in tier 2, whose workloads are many and explored in coarser classes.
    #[arg(long)]
    distinct: Option<u64>,
    /// Only workloads whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Prints what each workload came to.
    #[arg(long)]
    verbose: bool,
    /// Breaks each promise of the disk under the reference workloads, one at a time, and lists what no judge notices;
    /// with `--only`: those whose line contains it.
    #[arg(long)]
    disk_mutants: bool,
    /// Walks one path again: the text behind `replay:` in a finding.
    #[arg(long)]
    replay: Option<String>,
    /// With `--replay`: where to write the disk at the end of the path, as a directory.
    #[arg(long)]
    save: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (mut workloads, limits, most_distinct) = match arguments.tier {
        1 => (tier_1(), Limits::default(), 3000),
        2 => (tier_2(), Limits::coarse(), 200),
        tier => {
            eprintln!("there is no tier {tier}");
            return ExitCode::from(2);
        }
    };
    let deadline = arguments
        .seconds
        .map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let limits = Limits {
        seed: arguments.seed,
        deadline,
        most_distinct: arguments.distinct.unwrap_or(most_distinct),
        ..limits
    };
    if let Some(line) = &arguments.replay {
        workloads = tier_1().into_iter().chain(tier_2()).collect();
        return match walk(&workloads, limits, line, arguments.save.as_deref()) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(1),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(2)
            }
        };
    }
    workloads.retain(|workload| workload.name.contains(&arguments.only));
    // A panic inside the engine is a finding and is told as one.
    std::panic::set_hook(Box::new(|_| {}));
    if arguments.disk_mutants {
        let limits = Limits {
            most_distinct: arguments.distinct.unwrap_or(mutants::MOST_DISTINCT),
            ..limits
        };
        return tell_mutants(limits, &arguments.only);
    }
    let report = run(&workloads, limits);
    if arguments.verbose {
        for (name, counts, _) in &report.workloads {
            println!("{name}: {} crash images, {} distinct", counts.images, counts.distinct);
        }
    }
    if arguments.verbose {
        for hole in holes(&report.matrix) {
            println!("hole: {hole}");
        }
    }
    println!("{report}");
    ExitCode::from(u8::from(report.findings() > 0))
}

/// Prints each mutant of the disk and its fate; answers whether all are caught or explained.
fn tell_mutants(limits: Limits, only: &str) -> ExitCode {
    match mutants::run(limits, only) {
        Ok(report) => {
            println!("{report}");
            ExitCode::from(u8::from(!report.faults().is_empty()))
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Walks a line of the form `WORKLOAD: EDGE / EDGE / ...`; answers whether all is well.
fn walk(workloads: &[Workload], limits: Limits, line: &str, save: Option<&std::path::Path>) -> Result<bool, String> {
    let (name, path) = line.split_once(':').ok_or("a line is `WORKLOAD: EDGE / EDGE / ...`")?;
    let workload = workloads.iter().find(|workload| workload.name == name.trim());
    let workload = workload.ok_or_else(|| format!("there is no workload `{}`", name.trim()))?;
    let replayed = replay(&Engine::new(workload.clone()), limits, &path.parse()?)?;
    for told in &replayed.told {
        println!("{told}");
    }
    if let Some(directory) = save {
        replayed
            .disk
            .write_to(directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    match replayed.finding {
        None => println!("nothing is wrong"),
        Some(ref finding) => println!("finding: {finding}"),
    }
    Ok(replayed.finding.is_none())
}
