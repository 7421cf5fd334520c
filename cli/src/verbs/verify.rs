//! `graven verify`: every rule over the whole store.

use graven::{Finding, Flow, Severity};
use serde_json::{Value, json};

use super::arguments::Verify;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, counted, escaped};
use super::progress::Progress;

/// Checks the store.
pub fn run(arguments: &Verify, output: &mut Output) -> Result<Verdict, Failure> {
    let progress = Progress::new("verifying", "");
    let found = graven::verify(&arguments.root, &open::options()?, arguments.content, |at| {
        progress.message(at.stage);
        progress.set(at.done, at.total);
        Flow::Continue
    })?;
    drop(progress);
    let clean = found.is_clean();
    output.answer(&json!({
        "clean": clean,
        "records": found.records,
        "content_bytes": found.content_bytes,
        "findings": findings_json(&found.findings),
    }))?;
    findings_lines(&found.findings, output)?;
    let verdict = if clean {
        "every rule holds"
    } else {
        "not every rule holds"
    };
    output.line(format!(
        "{verdict}: {}, {} of content",
        counted(found.records, "record"),
        counted(found.content_bytes, "byte")
    ))?;
    Ok(Verdict::of(!clean))
}

/// Findings as JSON.
pub fn findings_json(findings: &[Finding]) -> Vec<Value> {
    let json = |finding: &Finding| {
        json!({
            "severity": finding.severity.as_str(),
            "file": finding.file,
            "record": finding.record,
            "rule": finding.rule,
            "message": finding.message,
            "repairable": finding.repairable,
        })
    };
    findings.iter().map(json).collect()
}

/// Findings for people, one a line.
pub fn findings_lines(findings: &[Finding], output: &mut Output) -> Result<(), Failure> {
    for finding in findings {
        let text = escaped(&finding.to_string(), false);
        let text = match finding.severity {
            Severity::Error => output.paint(Colour::Red, &text),
            Severity::Warning => output.paint(Colour::Yellow, &text),
            Severity::Note => text,
        };
        output.line(text)?;
    }
    Ok(())
}
