//! How the command opens a store.

use std::path::Path;

use graven::{ErrorKind, OpenReport, Options, Store};

use super::failure::Failure;

/// The options of every verb: fresh entropy, and this process as the holder.
pub fn options() -> Result<Options, Failure> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).map_err(|error| Failure::usage(format!("the system has no randomness: {error}")))?;
    Ok(Options::new(entropy).holder(format!("graven, process {}", std::process::id())))
}

/// Opens a store for a verb that changes nothing.
pub fn read_only(root: &Path) -> Result<Store, Failure> {
    Ok(Store::open(root, &options()?.read_only(true))?)
}

/// Opens a store for a verb that writes, and tells of a recovery.
pub fn writable(root: &Path) -> Result<Store, Failure> {
    let store = Store::open(root, &options()?)?;
    tell_recovery(store.open_report());
    Ok(store)
}

/// Says on standard error what opening recovered.
fn tell_recovery(report: &OpenReport) {
    if report.recovered {
        eprintln!("graven: recovered what an interrupted writer left: {report}");
    }
}

/// The name of a kind of error, as JSON answers have it.
pub fn kind_name(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Refused { .. } => "refused",
        ErrorKind::NotFound => "not_found",
        ErrorKind::Conflict => "conflict",
        ErrorKind::Busy => "busy",
        ErrorKind::Exhausted { .. } => "exhausted",
        ErrorKind::NoSpace => "no_space",
        ErrorKind::Permission => "permission",
        ErrorKind::Io => "io",
        ErrorKind::Corrupt { .. } => "corrupt",
        ErrorKind::RecoveryNeeded => "recovery_needed",
        ErrorKind::Poisoned => "poisoned",
        ErrorKind::Unsupported { .. } => "unsupported",
        ErrorKind::Usage => "usage",
        ErrorKind::Stopped => "stopped",
        _ => "other",
    }
}

/// What a commit cost, as JSON answers have it.
pub fn receipt_json(receipt: &graven::Receipt<()>) -> serde_json::Value {
    serde_json::json!({
        "sequence": receipt.sequence,
        "phases": receipt.phases,
        "syncs": receipt.syncs,
        "files": receipt.files,
        "bytes": receipt.bytes,
    })
}
