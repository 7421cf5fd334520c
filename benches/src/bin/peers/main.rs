//! Graven and its peers in one interleaved run on one directory, with the raw floors beside them.
//!
//! Every contender stores records of the same sizes in its own directory, each commit durable before it answers. The
//! calls of each operation are counted by strace in a process of its own, where strace can be run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

mod child;
mod contender;
mod durable;
mod importing;
mod measure;
mod plan;
mod reading;
mod report;
mod stores;
mod targets;

use contender::{Answer, KINDS};
use measure::Figures;
use plan::Plan;

/// What is asked of a run.
#[derive(Debug, Parser)]
#[command(
    name = "peers",
    about = "Graven, its peers and the raw floors in one interleaved run"
)]
struct Arguments {
    /// The directory in which the run makes one of its own; its file system is what is measured.
    #[arg(long, default_value = "target")]
    directory: PathBuf,
    /// Few rounds and few records: a look whether everything runs.
    #[arg(long)]
    quick: bool,
    /// Rows of ten million records too.
    #[arg(long, conflicts_with = "quick")]
    large: bool,
    /// A git history to import: what `git fast-export` writes, gzipped.
    #[arg(long)]
    history: Option<PathBuf>,
    /// Where the figures go as JSON.
    #[arg(long, default_value = "target/peers.json")]
    json: PathBuf,
    /// A page whose generated part becomes this run's table.
    #[arg(long)]
    write: Option<PathBuf>,
    /// What this process does for the one that measures.
    #[arg(long, hide = true, requires = "contender")]
    child: Option<String>,
    /// The contender that it does it to.
    #[arg(long, hide = true)]
    contender: Option<String>,
    /// The records that it makes or reads.
    #[arg(long, hide = true, default_value_t = 0)]
    count: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match (&arguments.child, &arguments.contender) {
        (Some(job), Some(contender)) => child::run(job, contender, &arguments.directory, arguments.count),
        _ => run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Answer {
    let plan = match (arguments.quick, arguments.large) {
        (true, _) => Plan::quick(),
        (_, true) => Plan::large(),
        _ => Plan::full(),
    };
    fs::create_dir_all(&arguments.directory)?;
    let place = tempfile::tempdir_in(&arguments.directory)?;
    let place = place.path();
    let mut figures = Figures::default();
    for (name, work) in WORK {
        let directory = place.join(name);
        fs::create_dir(&directory)?;
        eprintln!("{name}");
        work(&mut figures, &directory, &plan)?;
        fs::remove_dir_all(&directory)?;
    }
    if let Some(history) = &arguments.history {
        importing::measure(&mut figures, place, history)?;
    }
    println!("{}", report::markdown(&figures));
    fs::write(&arguments.json, format!("{:#}\n", report::json(&figures)))?;
    if let Some(page) = &arguments.write {
        report::write_page(&figures, page)?;
    }
    Ok(())
}

/// A part of the run, in a directory of its own.
type Work = fn(&mut Figures, &Path, &Plan) -> Answer;

/// The parts of a run, in their order.
const WORK: [(&str, Work); 4] = [
    ("durable", durable::measure),
    ("filled", |figures, directory, plan| {
        durable::bulk(figures, directory, plan)?;
        reading::measure(figures, directory, plan)
    }),
    ("opening", reading::opening),
    ("calls", |figures, directory, _| count_calls(figures, directory)),
];

fn count_calls(figures: &mut Figures, directory: &Path) -> Answer {
    let mut counted = Vec::new();
    for kind in KINDS {
        let Some(calls) = child::calls(kind.name, directory)? else {
            eprintln!("  strace cannot be run here: no calls are counted");
            return Ok(());
        };
        counted.push((kind.name, calls));
    }
    for operation in durable::OPERATIONS {
        for (contender, calls) in &counted {
            for (_, calls) in calls.iter().filter(|(name, _)| *name == operation) {
                figures.count(&format!("syncs: {operation}"), contender, "syncs", calls.syncs);
                figures.count(&format!("bytes written: {operation}"), contender, "bytes", calls.bytes);
            }
        }
    }
    Ok(())
}
