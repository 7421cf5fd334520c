//! `graven export git`: what Lines and Tags reach, as a stream for `git fast-import`.

use std::io;
use std::ops::ControlFlow;

use super::arguments::ExportGit;
use super::failure::{Failure, Verdict};
use super::open;
use super::progress::Progress;
use crate::git::export::{self, ExportError, Options};

/// Writes the stream to standard output.
pub fn git(arguments: &ExportGit) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let options = Options {
        identity: arguments.identity.clone().unwrap_or_default(),
    };
    let progress = Progress::new("exporting", "commits");
    let mut watch = |done, total| {
        progress.set(done, total);
        ControlFlow::Continue(())
    };
    let report = export::export(&store, io::stdout().lock(), &options, &mut watch)?;
    drop(progress);
    eprintln!(
        "graven: {} commits, {} blobs, {} branches, {} tags",
        report.commits, report.blobs, report.lines, report.tags
    );
    Ok(Verdict::Fine)
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => Self::Engine(error),
            // A reader that goes away before `done` has no whole history: unlike elsewhere, that is a failure.
            other => Self::History(other.to_string()),
        }
    }
}
