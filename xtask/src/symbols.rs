//! The shipped binary carries nothing of the fault disk and no planted bug: no symbol, no source path, no name.

use std::fs;
use std::path::Path;

use memchr::memmem;

use crate::Failure;

/// What the fault disk leaves in a binary: its module in mangled names, in type names, and its source file.
const TRACES: &[&str] = &["3vfs5fault", "vfs::fault", "vfs/fault"];

/// What the planted bugs leave in a binary: what names the one of a process, and some of their names.
const PLANTED: &[&str] = &["GRAVEN_MUTANT", "spend_early", "forget_the_truncation", "write_in_drop"];

/// What every binary with the engine in it has. Without it the names were stripped and the check would say nothing.
const PRESENT: &str = "3vfs2os";

/// `control` contains the fault disk, `planted` the planted bugs: each must be found there, or the check says nothing.
pub fn run(binary: &Path, control: &Path, planted: &Path) -> Result<String, Failure> {
    let bytes = read(binary)?;
    if memmem::find(&bytes, PRESENT.as_bytes()).is_none() {
        return Err(format!(
            "{}: no symbol of the engine; stripped, or not built on it",
            binary.display()
        ));
    }
    for (what, traces, control) in [("the fault disk", TRACES, control), ("a planted bug", PLANTED, planted)] {
        if let Some(trace) = trace(&bytes, traces) {
            return Err(format!("{}: contains {what} (`{trace}`)", binary.display()));
        }
        if trace(&read(control)?, traces).is_none() {
            return Err(format!(
                "{}: the check does not find {what} here either",
                control.display()
            ));
        }
    }
    Ok(format!(
        "{}: nothing of the fault disk, no planted bug",
        binary.display()
    ))
}

fn trace(bytes: &[u8], traces: &[&'static str]) -> Option<&'static str> {
    let mut traces = traces.iter().copied();
    traces.find(|trace| memmem::find(bytes, trace.as_bytes()).is_some())
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
            let bytes = format!("\0x{planted}y\u{ff}");
            assert_eq!(trace(bytes.as_bytes(), TRACES), Some(*planted));
        }
        assert_eq!(trace(b"graven3vfs2os vfs::os vfs/os.rs", TRACES), None);
    }
}
