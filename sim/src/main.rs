//! The simulator's command: explores a tier's workloads, or walks one path again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Parser;
use graven_sim::engine::Engine;
use graven_sim::explore::{Limits, explore};
use graven_sim::flips;
use graven_sim::mutants;
use graven_sim::neighbours;
use graven_sim::options::Options;
use graven_sim::page::{self, Beside};
use graven_sim::processes::{explore as processes, scenarios};
use graven_sim::report::{Explored, Report};
use graven_sim::run::{Progress, run};
use graven_sim::shrink;
use graven_sim::story::Story;
use graven_sim::swarm;
use graven_sim::workloads::{tier_1, tier_2};
use indicatif::{ProgressBar, ProgressStyle};

/// Explores what kills, cuts and failures can leave, and judges it.
///
/// Exit codes: 0 nothing is found, 1 something is, or a run to the end has left out what no rule explains, 2 it cannot
/// run.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Arguments {
    /// Which table of workloads: 1, each kind of change and each operation once; 2, each operation after each; 3, three
    /// operations at a time, drawn with their options from the seed.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    tier: u8,
    /// When to stop; 0: at the end. Tier 3 has none.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Tier 3, and when to stop.
    #[arg(long, conflicts_with_all = ["tier", "seconds"])]
    minutes: Option<u64>,
    /// Where the randomness of processes comes from, and in tier 3 everything else.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many distinct disks of a workload are judged at most; 0: all, to the fixpoint. Left out: 3000 in tier 1, 200
    /// in tier 2, whose workloads are many and explored in coarser classes. Tier 3 has its own.
    #[arg(long)]
    distinct: Option<u64>,
    /// Only workloads whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Prints what each workload came to.
    #[arg(long)]
    verbose: bool,
    /// Where to write the report as a page, with the planted bugs of the last `just mutants` and the regressions.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Breaks each promise of the disk under the reference workloads, one at a time, and lists what no judge notices;
    /// with `--only`: those whose line contains it.
    #[arg(long)]
    disk_mutants: bool,
    /// With `--disk-mutants`: where to write what became of each, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// With `--disk-mutants` and `--planted`: also without the check that notices a mutant.
    #[arg(long)]
    checks: bool,
    /// Judges the engine with the planted bug that the environment names, and prints what became of it as JSON; in the
    /// build under `--cfg graven_mutant` alone.
    #[arg(long)]
    planted: bool,
    /// Prints the table of planted bugs as JSON.
    #[arg(long)]
    planted_table: bool,
    /// Prints the checks of the judges as JSON, with the reasons of those that no mutant needs.
    #[arg(long)]
    check_table: bool,
    /// Walks one path again: the text behind `replay:` in a finding. Without a path, or with the text behind `drawn:`,
    /// explores that workload.
    #[arg(long)]
    replay: Option<String>,
    /// Leaves findings as large as they are.
    #[arg(long)]
    no_shrink: bool,
    /// Where to save each finding as a regression.
    #[arg(long)]
    save_regressions: Option<PathBuf>,
    /// With `--replay`: where to write the disk at the end of the path, as a directory.
    #[arg(long)]
    save: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let of_processes = arguments.replay.as_deref();
    if let Some(line) = of_processes.and_then(|line| line.strip_prefix(processes::PREFIX)) {
        return repeat_processes(line);
    }
    if let Some(line) = of_processes.filter(|line| line.starts_with(flips::PREFIX)) {
        return repeat_flips(line, arguments.seed);
    }
    if let Some(line) = &arguments.replay {
        return match walk(line, arguments.save.as_deref()) {
            Ok(found) => ExitCode::from(u8::from(found)),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(2)
            }
        };
    }
    // A panic inside the engine is a finding and is told as one.
    std::panic::set_hook(Box::new(|_| {}));
    if arguments.planted_table {
        println!("{}", mutants::planted::table());
        return ExitCode::SUCCESS;
    }
    if arguments.check_table {
        println!("{}", mutants::never_alone::table());
        return ExitCode::SUCCESS;
    }
    if arguments.planted {
        return tell_planted(&arguments);
    }
    let seed = arguments.seed;
    if arguments.disk_mutants {
        let limits = Limits {
            seed,
            most_distinct: arguments.distinct.unwrap_or(mutants::MOST_DISTINCT),
            ..Limits::default()
        };
        return tell_mutants(limits, &arguments);
    }
    let progress = Progress::default();
    let seconds = arguments.minutes.map_or(arguments.seconds, |minutes| minutes * 60);
    let deadline = (seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds));
    let tier = if arguments.minutes.is_some() { 3 } else { arguments.tier };
    let explore = || match tier {
        3 => swarm::run(seed, deadline, &arguments.only, &progress),
        tier => explore_table(tier, &arguments, deadline, &progress),
    };
    if tier == 3 && deadline.is_none() {
        eprintln!("tier 3 has no end: `--seconds` or `--minutes` says when to stop");
        return ExitCode::from(2);
    }
    let interleaved = run_processes(tier, &arguments, deadline);
    let flipped = run_flips(tier, &arguments, deadline);
    let beside = damage_neighbours(&arguments, deadline);
    let mut report = with_progress(&progress, seconds, explore);
    report.partial |= !arguments.only.is_empty() || arguments.distinct.is_some_and(|most| most > 0);
    report.took += interleaved.took;
    report.interleaved = interleaved;
    if arguments.verbose {
        for Explored { name, counts, .. } in &report.workloads {
            println!("{name}: {} crash images, {} distinct", counts.images, counts.distinct);
        }
    }
    shrink::tell(&mut report, !arguments.no_shrink);
    if let Some(directory) = &arguments.report {
        let beside = Beside::read(Path::new("target/mutants.json"), Path::new("sim/regressions"));
        if let Err(error) = beside.and_then(|beside| page::write(directory, &report, &beside)) {
            eprintln!("{}: {error}", directory.display());
            return ExitCode::from(2);
        }
    }
    if !flipped.is_empty() {
        println!("{flipped}");
    }
    if beside.images > 0 {
        println!("{beside}");
    }
    println!("{report}");
    if let Some(directory) = &arguments.save_regressions
        && let Err(message) = save_regressions(&report, directory)
    {
        eprintln!("{message}");
        return ExitCode::from(2);
    }
    let found = report.findings() > 0 || !flipped.findings.is_empty();
    ExitCode::from(u8::from(found || !report.holes().is_empty()))
}

/// Interleaves processes, the more the higher the tier, within a twelfth of the time.
fn run_processes(tier: u8, arguments: &Arguments, deadline: Option<Instant>) -> processes::Report {
    let mut table = scenarios::all();
    table.retain(|scenario| format!("{}{}", processes::PREFIX, scenario.name).contains(&arguments.only));
    let now = Instant::now();
    let limits = processes::Limits {
        seed: arguments.seed,
        deadline: deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 12),
        ..processes::Limits::of_tier(tier)
    };
    let report = processes::run(&table, limits);
    if arguments.verbose {
        for (name, counts, _) in &report.scenarios {
            println!("{}{name}: {counts}", processes::PREFIX);
        }
    }
    report
}

/// Flips bits in the workloads of tier 1, the more the higher the tier, within a thirtieth of the time.
fn run_flips(tier: u8, arguments: &Arguments, deadline: Option<Instant>) -> flips::Report {
    let mut workloads = tier_1();
    workloads.retain(|workload| format!("{}{}", flips::PREFIX, workload.name).contains(&arguments.only));
    let now = Instant::now();
    let limits = flips::Limits {
        seed: arguments.seed,
        deadline: deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 30),
        ..flips::Limits::of_tier(tier)
    };
    let report = flips::run(&workloads, limits);
    if arguments.verbose {
        for (file, counts) in &report.files {
            println!("{}{file}: {counts:?}", flips::PREFIX);
        }
    }
    report
}

/// Damages what lies beside torn writes, within a thirtieth of the time: told, and never a finding.
fn damage_neighbours(arguments: &Arguments, deadline: Option<Instant>) -> neighbours::Report {
    let mut workloads = tier_1();
    workloads.retain(|workload| format!("neighbours: {}", workload.name).contains(&arguments.only));
    let now = Instant::now();
    let deadline = deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 30);
    neighbours::run(&workloads, arguments.seed, deadline)
}

/// Flips the bits of a line again.
fn repeat_flips(line: &str, seed: u64) -> ExitCode {
    match flips::replay(line, seed) {
        Ok(Ok(told)) => {
            println!("nothing is wrong: {told}");
            ExitCode::SUCCESS
        }
        Ok(Err(wrong)) => {
            println!("finding: {}: {wrong}", wrong.check);
            ExitCode::from(1)
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Runs a line `SCENARIO: SCHEDULE` again.
fn repeat_processes(line: &str) -> ExitCode {
    match processes::replay(&scenarios::all(), line) {
        Ok((faults, told)) => {
            print!("{told}");
            for fault in &faults {
                println!("finding: {fault}");
            }
            ExitCode::from(u8::from(!faults.is_empty()))
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn explore_table(tier: u8, arguments: &Arguments, deadline: Option<Instant>, progress: &Progress) -> Report {
    let (mut workloads, limits, most_distinct) = match tier {
        1 => (tier_1(), Limits::default(), 3000),
        _ => (tier_2(), Limits::coarse(), 200),
    };
    workloads.retain(|workload| workload.name.contains(&arguments.only));
    let limits = Limits {
        seed: arguments.seed,
        deadline,
        most_distinct: arguments.distinct.unwrap_or(most_distinct),
        ..limits
    };
    run(&workloads, limits, progress)
}

/// Does the work while a terminal, if there is one, shows how far it is.
fn with_progress(progress: &Progress, seconds: u64, work: impl FnOnce() -> Report + Send) -> Report {
    let style = ProgressStyle::with_template("{elapsed} {wide_bar} {msg}");
    let bar = match seconds {
        0 => ProgressBar::new_spinner(),
        seconds => ProgressBar::new(seconds).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
    };
    let started = Instant::now();
    std::thread::scope(|scope| {
        let work = scope.spawn(work);
        while !work.is_finished() {
            let told = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
            bar.set_position(started.elapsed().as_secs().min(seconds));
            bar.set_message(format!(
                "{} explorations, {} crash images, {} findings",
                told(&progress.explored),
                told(&progress.images),
                told(&progress.findings)
            ));
            std::thread::sleep(Duration::from_millis(100));
        }
        bar.finish_and_clear();
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Prints what became of the planted bug; a survivor is told, not an error.
fn tell_planted(arguments: &Arguments) -> ExitCode {
    let limits = Limits {
        seed: arguments.seed,
        deadline: Some(Instant::now() + Duration::from_secs(arguments.seconds)),
        most_distinct: arguments.distinct.unwrap_or(mutants::planted::MOST_DISTINCT),
        ..Limits::default()
    };
    match mutants::planted::judge(limits, arguments.checks) {
        Ok(told) => {
            println!("{}", serde_json::json!(told));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Prints each mutant of the disk and its fate; answers whether all are caught or explained.
fn tell_mutants(limits: Limits, arguments: &Arguments) -> ExitCode {
    match mutants::run(limits, &arguments.only, arguments.checks) {
        Ok(report) => {
            println!("{report}");
            if let Some(path) = &arguments.json {
                let written = std::fs::write(path, serde_json::json!(report.told()).to_string());
                if let Err(error) = written {
                    eprintln!("{}: {error}", path.display());
                    return ExitCode::from(2);
                }
            }
            ExitCode::from(u8::from(!report.faults().is_empty()))
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Walks the way of a story again, or explores what has no way; answers whether something is wrong.
fn walk(line: &str, save: Option<&Path>) -> Result<bool, String> {
    let numbers = line.trim().split_once('/');
    let drawn = numbers.and_then(|(seed, index)| Some((seed.parse().ok()?, index.parse().ok()?)));
    let story: Story = line.parse()?;
    let (engine, limits) = match drawn {
        None => story.subject()?,
        Some((seed, index)) => {
            let (workload, limits) = swarm::draw(seed, index);
            (Engine::new(workload), limits)
        }
    };
    if drawn.is_some() || story.path.is_empty() {
        let (counts, findings) = explore(&engine, limits);
        println!("{} [{}]: {counts:?}", engine.workload().name, Options(limits));
        for finding in &findings {
            println!(
                "finding: {}: {}\n  at: {}",
                finding.check, finding.message, finding.path
            );
        }
        return Ok(!findings.is_empty());
    }
    let replayed = story.replay(&engine, limits)?;
    for told in &replayed.told {
        println!("{told}");
    }
    if let Some(directory) = save {
        let written = replayed.disk.write_to(directory);
        written.map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    match replayed.finding {
        None => println!("nothing is wrong"),
        Some(ref finding) => println!("finding: {}: {finding}", finding.check),
    }
    Ok(replayed.finding.is_some())
}

/// Writes each story as a file of its own, named after what it begins with.
fn save_regressions(report: &Report, directory: &Path) -> Result<(), String> {
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let stories = report.workloads.iter().flat_map(|explored| &explored.stories);
    for (at, story) in stories.enumerate() {
        let file = directory.join(format!("{}-{}-{at}.toml", story.workload, report.seed));
        let written = std::fs::write(&file, story.to_file()?);
        written.map_err(|error| format!("{}: {error}", file.display()))?;
        println!("  saved: {}", file.display());
    }
    Ok(())
}
