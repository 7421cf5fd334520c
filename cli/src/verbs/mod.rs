//! The verbs of the command, one file each. Exit codes: 0 fine, 1 findings, 2 could not.

pub mod arguments;
pub mod clock;
pub mod failure;
pub mod open;
pub mod output;
pub mod progress;
pub mod reference;

mod backup;
mod capture;
mod cat;
mod change;
mod checkout;
mod cursor;
mod describe;
mod diff;
mod dump;
mod explain;
mod export;
mod import;
mod init;
mod land;
mod layout;
mod line;
mod list;
mod log;
mod recover;
mod repair;
mod show;
mod snapshot;
mod stash;
mod stat;
mod tag;
mod task;
mod verify;

use std::process::ExitCode;

use clap::Parser as _;
use serde_json::json;

use arguments::{Arguments, Export, Import, Verb};
pub use failure::{Failure, Verdict};
pub use output::{Output, escaped};

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nothing is left to say where standard error is closed too.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let mut output = Output::new(arguments.json);
    let failure = match run(arguments.verb, &mut output) {
        Ok(verdict) => match output.finish() {
            Ok(()) => return verdict.into(),
            Err(error) => error.into(),
        },
        Err(failure) => {
            // Where standard output is closed, nobody is there to be told.
            if output.abandon().unwrap_or(false) {
                report_failure(&failure);
            }
            failure
        }
    };
    if failure.is_closed_pipe() {
        return ExitCode::SUCCESS;
    }
    eprintln!("graven: {}", escaped(&failure.to_string(), true));
    ExitCode::from(2)
}

fn run(verb: Verb, output: &mut Output) -> Result<Verdict, Failure> {
    match verb {
        Verb::Init(arguments) => init::run(&arguments, output),
        Verb::Stat(arguments) => stat::run(&arguments, output),
        Verb::List(arguments) => list::run(&arguments, output),
        Verb::Show(arguments) => show::run(&arguments, output),
        Verb::Log(arguments) => log::run(&arguments, output),
        Verb::Cat(arguments) => cat::run(&arguments, output),
        Verb::Checkout(arguments) => checkout::run(&arguments, output),
        Verb::Diff(arguments) => diff::run(&arguments, output),
        Verb::Dump(arguments) => dump::run(&arguments, output),
        Verb::Layout(arguments) => layout::run(&arguments, output),
        Verb::Explain(arguments) => explain::run(&arguments, output),
        Verb::Verify(arguments) => verify::run(&arguments, output),
        Verb::Recover(arguments) => recover::run(&arguments, output),
        Verb::Repair(arguments) => repair::run(&arguments, output),
        Verb::Backup(arguments) => backup::back_up(&arguments, output),
        Verb::Restore(arguments) => backup::restore(&arguments, output),
        Verb::Import(Import::Git(arguments)) => import::git(&arguments, output),
        Verb::Export(Export::Git(arguments)) => export::git(&arguments),
        Verb::Line(arguments) => line::run(&arguments, output),
        Verb::Tag(arguments) => tag::run(&arguments, output),
        Verb::Task(arguments) => task::run(&arguments, output),
        Verb::Change(arguments) => change::run(&arguments, output),
        Verb::Land(arguments) => land::run(&arguments, output),
        Verb::Snapshot(arguments) => snapshot::run(&arguments, output),
        Verb::Stash(arguments) => stash::run(&arguments, output),
        Verb::Cursor(arguments) => cursor::run(&arguments, output),
    }
}

/// A failure as JSON, so that a program need not read the text.
fn report_failure(failure: &Failure) {
    let (kind, retryable) = match failure {
        Failure::Engine(error) | Failure::About { error, .. } => (open::kind_name(error.kind()), error.is_retryable()),
        Failure::Usage(_) => ("usage", false),
        Failure::NotFound(_) => ("not_found", false),
        Failure::Output(_) => ("output", false),
        Failure::History(_) => ("history", false),
    };
    let rule = failure.engine().and_then(graven::Error::rule);
    let answer = json!({"error": {
        "kind": kind,
        "rule": rule,
        "retryable": retryable,
        "message": failure.to_string(),
    }});
    let mut output = Output::new(true);
    // The failure was told on standard error already.
    let _ = output.answer(&answer).and_then(|()| output.finish());
}
