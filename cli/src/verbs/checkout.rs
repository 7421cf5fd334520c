//! `graven checkout`: a Snapshot's files in a directory.

use serde_json::json;

use super::arguments::Checkout;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::progress::Progress;
use super::reference::Names;

/// Names that would mean something to other programs; a Snapshot from elsewhere must not bring them along.
const REFUSED: [&[u8]; 2] = [b".git", b".ait-worktree"];

/// Writes a Snapshot's files.
pub fn run(arguments: &Checkout, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let (id, root) = {
        let view = store.view()?;
        let snapshot = Names::in_view(&view)?.snapshot(&arguments.snapshot)?;
        (snapshot.id, snapshot.manifest_hash)
    };
    let progress = Progress::new("checking out", "files");
    let written = store.check_out(&root, &arguments.directory, &REFUSED)?;
    drop(progress);
    output.answer(&json!({
        "snapshot": id.to_string(),
        "files": written.files,
        "symlinks": written.symlinks,
        "directories": written.directories,
        "links": written.links,
        "bytes": written.bytes,
    }))?;
    let files = written.files + written.symlinks;
    output.line(format!(
        "{id}: {files} files of {} bytes in {}",
        written.bytes,
        arguments.directory.display()
    ))?;
    Ok(Verdict::Fine)
}
