//! `graven repair`: what rules allow to be rebuilt.

use graven::Flow;
use serde_json::json;

use super::arguments::Repair;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::progress::Progress;
use super::verify::{findings_json, findings_lines};

/// Repairs, or says what would be done.
pub fn run(arguments: &Repair, output: &mut Output) -> Result<Verdict, Failure> {
    let progress = Progress::new("checking", "records");
    let done = graven::repair(&arguments.root, &open::options()?, arguments.dry_run, |at| {
        progress.set(at.done, at.total);
        Flow::Continue
    })?;
    drop(progress);
    output.answer(&json!({
        "dry_run": arguments.dry_run,
        "rebuilt": done.rebuilt,
        "findings": findings_json(&done.findings),
    }))?;
    findings_lines(&done.findings, output)?;
    let verb = if arguments.dry_run {
        "would be rebuilt"
    } else {
        "rebuilt"
    };
    for file in &done.rebuilt {
        output.line(format!("{file}: {verb}"))?;
    }
    if !done.findings.is_empty() {
        output.line("nothing was repaired: rules are broken that no repair may touch")?;
    } else if done.rebuilt.is_empty() {
        output.line("nothing to repair")?;
    }
    Ok(Verdict::of(!done.findings.is_empty()))
}
