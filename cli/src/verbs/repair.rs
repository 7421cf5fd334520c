//! `graven repair`: what rules allow to be written anew.

use graven::{Flow, Rewritten};
use serde_json::{Value, json};

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
        "rewritten": done.rewritten.iter().map(rewritten_json).collect::<Vec<_>>(),
        "rebuilt": done.rebuilt,
        "findings": findings_json(&done.findings),
    }))?;
    findings_lines(&done.findings, output)?;
    let would = if arguments.dry_run { "would be " } else { "" };
    for rewritten in &done.rewritten {
        output.line(rewritten_line(rewritten, would))?;
    }
    for file in &done.rebuilt {
        output.line(format!("{file}: {would}rebuilt"))?;
    }
    if !done.findings.is_empty() {
        output.line("rules are broken that no repair may touch; nothing else was repaired")?;
    } else if done.is_nothing() {
        output.line("nothing to repair")?;
    }
    Ok(Verdict::of(!done.findings.is_empty()))
}

/// The most records of one file that are named in a line.
const NAMED: usize = 8;

fn rewritten_line(rewritten: &Rewritten, would: &str) -> String {
    let records = &rewritten.records;
    let mut named: Vec<String> = records.iter().take(NAMED).map(u32::to_string).collect();
    if records.len() > NAMED {
        named.push(format!("and {} more", records.len() - NAMED));
    }
    let (file, rule) = (&rewritten.file, rewritten.rule);
    let noun = if records.len() == 1 { "record" } else { "records" };
    format!("{file}: {noun} {} {would}rewritten ({rule})", named.join(", "))
}

fn rewritten_json(rewritten: &Rewritten) -> Value {
    json!({ "file": rewritten.file, "rule": rewritten.rule, "records": rewritten.records })
}
