//! `graven backup` and `graven restore`: whole copies of a store.

use std::path::Path;

use graven::{Copied, Flow};
use serde_json::json;

use super::arguments::{Backup, Restore};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::progress::Progress;

/// Copies the store into a new directory.
pub fn back_up(arguments: &Backup, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let progress = Progress::new("backing up", "bytes");
    let copied = store.backup(&arguments.directory, |at| {
        progress.set(at.done, at.total);
        Flow::Continue
    })?;
    drop(progress);
    answer(&copied, &arguments.directory, output)
}

/// Creates the store from a backup.
pub fn restore(arguments: &Restore, output: &mut Output) -> Result<Verdict, Failure> {
    let progress = Progress::new("restoring", "bytes");
    let (backup, root) = (&arguments.directory, &arguments.root);
    let copied = graven::restore(backup, root, &open::options()?, arguments.at.now(), |at| {
        progress.set(at.done, at.total);
        Flow::Continue
    })?;
    drop(progress);
    answer(&copied, root, output)
}

fn answer(copied: &Copied, target: &Path, output: &mut Output) -> Result<Verdict, Failure> {
    let target = target.display().to_string();
    output.answer(&json!({
        "directory": target,
        "files": copied.files,
        "bytes": copied.bytes,
        "recovered": !copied.recoveries.is_empty(),
    }))?;
    output.line(format!("{} files of {} bytes in {target}", copied.files, copied.bytes))?;
    Ok(Verdict::Fine)
}
