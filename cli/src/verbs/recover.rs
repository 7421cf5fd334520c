//! `graven recover`: what a dead writer left behind.

use graven::{Decision, Flow, RecoveryReport, RootState};
use serde_json::{Value, json};

use super::arguments::Recover;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::progress::Progress;
use super::verify::{findings_json, findings_lines};

/// Recovers, or says what would be done.
pub fn run(arguments: &Recover, output: &mut Output) -> Result<Verdict, Failure> {
    if arguments.dry_run {
        return dry_run(arguments, output);
    }
    let progress = Progress::new("checking", "records");
    let done = graven::recover(
        &arguments.root,
        &open::options()?,
        arguments.accept_missing_undo,
        |at| {
            progress.set(at.done, at.total);
            Flow::Continue
        },
    )?;
    drop(progress);
    output.answer(&json!({
        "recoveries": done.recoveries.iter().map(report_json).collect::<Vec<_>>(),
        "new_undo": done.new_undo,
        "findings": findings_json(&done.findings),
    }))?;
    findings_lines(&done.findings, output)?;
    for report in &done.recoveries {
        output.line(format!("{}: {}", report.zone, decision_text(report.decision)))?;
    }
    for root in &done.new_undo {
        output.line(format!("{root}: has a new recovery store"))?;
    }
    if !done.findings.is_empty() {
        output.line("no new recovery store was made: rules are broken")?;
    } else if done.recoveries.is_empty() && done.new_undo.is_empty() {
        output.line("nothing to recover")?;
    }
    Ok(Verdict::of(!done.findings.is_empty()))
}

fn dry_run(arguments: &Recover, output: &mut Output) -> Result<Verdict, Failure> {
    let states = graven::pending(&arguments.root, &open::options()?)?;
    output.answer(&json!({"dry_run": true, "roots": states.iter().map(state_json).collect::<Vec<_>>()}))?;
    for state in &states {
        let text = match &state.pending {
            _ if state.missing_undo => "the recovery store is missing".to_owned(),
            None => "nothing to recover".to_owned(),
            Some(pending) if pending.external => "a change of another root is unfinished".to_owned(),
            Some(pending) => format!(
                "the change of sequence {} would be {} ({})",
                pending.sequence,
                decision_text(pending.decision),
                pending.files.join(", ")
            ),
        };
        output.line(format!("{}: {text}", state.root))?;
    }
    let pending = states.iter().any(|state| state.missing_undo || state.pending.is_some());
    Ok(Verdict::of(pending))
}

fn state_json(state: &RootState) -> Value {
    let pending = state.pending.as_ref().map(|pending| {
        json!({
            "sequence": pending.sequence,
            "now_s": pending.now,
            "decision": pending.decision.map(decision_name),
            "external": pending.external,
            "files": pending.files,
        })
    });
    json!({"root": state.root, "missing_undo": state.missing_undo, "pending": pending})
}

fn report_json(report: &RecoveryReport) -> Value {
    json!({"zone": report.zone, "decision": report.decision.map(decision_name), "items": report.items})
}

fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::Happened => "happened",
        Decision::Complete => "complete",
        Decision::RollBack => "roll_back",
        _ => "other",
    }
}

fn decision_text(decision: Option<Decision>) -> &'static str {
    match decision {
        Some(Decision::Happened) => "found whole and made durable",
        Some(Decision::Complete) => "completed",
        Some(Decision::RollBack) => "rolled back",
        Some(_) => "settled",
        None => "nothing to judge",
    }
}
