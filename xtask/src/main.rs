//! Generators and checks of the project: `cargo run -p xtask -- help`.

mod cases;
mod costs;
mod docs;
mod flips;
mod gen_history;
mod golden;
mod limits;
mod mutants;
mod proof;
mod rules;
mod sim_coverage;
mod symbols;
mod text_check;
mod vectors;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Why a check or a generator did not come to its end: one sentence a line.
type Failure = String;

#[derive(Parser)]
#[command(about = "Generators and checks of the graven project")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write the generated pages: docs/format.md, docs/rules.md with its data for the command, docs/cases.md,
    /// docs/proof.md, and tables of the guide.
    Docs {
        /// Write nothing; fail if a page is not what it would be, or if a rule or a case has no place, no test, or no row.
        #[arg(long)]
        check: bool,
    },
    /// Fail if BINARY contains a trace of the fault disk or of a planted bug.
    Shipped {
        /// The binary that is shipped.
        binary: PathBuf,
        /// A binary that does contain the fault disk: the check must find it there, or it proves nothing.
        #[arg(long)]
        control: PathBuf,
        /// A binary that does contain the planted bugs.
        #[arg(long)]
        planted: PathBuf,
    },
    /// Write lean/Vectors.lean: traces of the executable model, as examples for the Lean kernel.
    Vectors {
        /// Write nothing; fail if the file is not what it would be.
        #[arg(long)]
        check: bool,
    },
    /// Fail if a golden root is not as it was recorded; with a reason, record one more as this version writes it.
    Golden(golden::Golden),
    /// Fail if a text of the project names a machine, a registry or unfinished work.
    TextCheck,
    /// Plant each bug that stands behind `cfg(graven_mutant = "...")`, one by one, and list those that no check finds.
    Mutants(mutants::Options),
    /// Fail if the simulator leaves a line of the store or disk floor unreached that sim/uncovered.md does not explain, or
    /// if a row there is stale.
    SimCoverage(sim_coverage::Options),
    /// Write a history with real sizes to standard output, as a stream for `import git` and `git fast-import`.
    GenHistory(gen_history::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Docs { check } => docs::run(check),
        Verb::Shipped {
            binary,
            control,
            planted,
        } => symbols::run(&binary, &control, &planted),
        Verb::Vectors { check } => vectors::run(check),
        Verb::Golden(arguments) => golden::run(&arguments),
        Verb::TextCheck => text_check::run(),
        Verb::Mutants(options) => mutants::run(&options),
        Verb::SimCoverage(options) => sim_coverage::run(&options),
        // The stream is the answer; nothing may follow it.
        Verb::GenHistory(options) => {
            return match gen_history::run(&options, std::io::stdout().lock()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("xtask: the history could not be written: {error}");
                    ExitCode::FAILURE
                }
            };
        }
    };
    match outcome {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The project's root directory: xtask is always built inside it.
fn house() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
