//! The shipped binary carries nothing of the fault disk: no symbol, no source path, no message.

use std::fs;
use std::path::Path;

use memchr::memmem;

use crate::Failure;

/// What the fault disk leaves in a binary: its module in mangled names, in type names, and its source file.
const TRACES: &[&str] = &["3vfs5fault", "vfs::fault", "vfs/fault"];

/// What every binary with the engine in it has. Without it the names were stripped and the check would say nothing.
const PRESENT: &str = "3vfs2os";

pub fn run(binary: &Path, control: Option<&Path>) -> Result<String, Failure> {
    let bytes = read(binary)?;
    if memmem::find(&bytes, PRESENT.as_bytes()).is_none() {
        return Err(format!(
            "{}: no symbol of the engine; stripped, or not built on it",
            binary.display()
        ));
    }
    if let Some(trace) = trace(&bytes) {
        return Err(format!("{}: contains the fault disk (`{trace}`)", binary.display()));
    }
    let Some(control) = control else {
        return Ok(format!("{}: nothing of the fault disk", binary.display()));
    };
    let found = trace(&read(control)?).ok_or_else(|| {
        format!(
            "{}: the check finds no fault disk in its control either",
            control.display()
        )
    })?;
    Ok(format!(
        "{}: nothing of the fault disk (the control has `{found}`)",
        binary.display()
    ))
}

fn trace(bytes: &[u8]) -> Option<&'static str> {
    TRACES
        .iter()
        .copied()
        .find(|trace| memmem::find(bytes, trace.as_bytes()).is_some())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trace_of_the_fault_disk_is_seen_between_other_bytes() {
        for planted in TRACES {
            assert_eq!(trace(format!("\0x{planted}y\u{ff}").as_bytes()), Some(*planted));
        }
        assert_eq!(trace(b"graven3vfs2os vfs::os vfs/os.rs"), None);
    }
}
