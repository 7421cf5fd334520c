//! `import git`: a stream becomes objects, Snapshots, Lines and Tags, and the main line's history finished Tasks.
//!
//! Two phases. While the stream is read, objects and Snapshots are committed in batches, in stream order; a batch ends at its
//! [`Limits`]. Refs stay in memory until the end, and only a stream that was read to its end moves Lines and
//! Tags; the Tasks of the main line come last, in first-parent order. Everything is recognised by its hash, and every time comes from the stream, so a killed import that is run again writes the same
//! bytes as one that was not killed, and a second import of a stream writes nothing.
//!
//! A commit is stored when an imported ref (`refs/heads/`, `refs/tags/`) makes it, or reaches it later; commits of other refs wait until then
//! (see `waiting`).

mod batch;
mod commits;
mod error;
mod main_line;
mod references;
mod report;
mod settle;
mod waiting;

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use graven::{Store, UnixSeconds};

use self::batch::{Batch, Roots};
use self::commits::Commits;
use self::references::References;
use self::waiting::Waiting;
use super::marks::{Marked, Marks};
use super::repository;
use super::stream::{CommitName, Event, Parser, Position, Reset, StreamError, Tag};
use super::text;

pub(crate) use self::batch::entry_of;
pub use self::error::{BadName, ImportError, Problem};
pub use self::report::{Counts, Forgotten, MovedBack, NOT_KEPT, Report, SkippedTag};

/// What an import is asked for beside the stream.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Deletes the Lines and Tags that the stream does not have.
    pub prune: bool,
    /// The branch whose first-parent history becomes Tasks. `None`: the one that the repository's HEAD names, else `main`,
    /// else `master`, else the one with the longest first-parent chain.
    pub main: Option<String>,
    /// Where a batch ends. What is written does not depend on it.
    pub limits: Limits,
}

/// Where a batch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of content and messages; a single larger blob makes a batch of its own. 32 MiB.
    pub batch_bytes: u64,
    /// Commits. 1,000.
    pub batch_commits: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            batch_bytes: 32 << 20,
            batch_commits: 1_000,
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the stream that were read.
    pub bytes: u64,
    /// Blobs so far.
    pub blobs: u64,
    /// Commits so far.
    pub commits: u64,
}

/// What is told how far an import is, before every batch is committed; `Break` stops it: what is committed stays, no Line or Tag moves.
pub type Watch<'w> = &'w mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// Imports a stream into `store`.
///
/// `Stream`: the stream is refused or cannot be read; whole batches before that place stay, no Line or Tag moves. `Names`: a ref cannot be a
/// Line or a Tag, `NoMainLine`: the main line that was asked for is no branch of the stream; no Line or Tag moves. `Store`: the engine's error. `Stopped`: `watch` said so.
pub fn import(store: &Store, stream: impl Read, options: &Options, watch: Watch<'_>) -> Result<Report, ImportError> {
    let roots = Roots::of(store);
    let mut importer = Importer::new(&roots, options.limits, watch);
    let mut parser = Parser::new(stream);
    importer.read(&mut parser)?;
    importer.settle(options, None)
}

/// Imports the repository at `directory`, running git itself.
///
/// As [`import`]; and `Git`: git failed. No Line or Tag moves unless git has ended well.
pub fn import_repository(
    store: &Store,
    directory: &Path,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Report, ImportError> {
    let roots = Roots::of(store);
    let mut importer = Importer::new(&roots, options.limits, watch);
    let mut parser = Parser::new(repository::Export::start(directory).map_err(ImportError::GitNotStarted)?);
    let read = match importer.read(&mut parser) {
        // Not for want of git's output: git is stopped by the drop.
        Err(error) if !error.is_truncated() => return Err(error),
        read => read,
    };
    let ended = parser.into_input().finish().map_err(ImportError::GitNotStarted)?;
    if !ended.status.success() {
        return Err(ImportError::Git {
            status: ended.status.to_string(),
            warnings: ended.warnings,
        });
    }
    importer.report.git_warnings = Some(ended.warnings);
    read?;
    let head = repository::head_branch(directory).map_err(ImportError::GitNotStarted)?;
    importer.settle(options, head.as_deref())
}

/// One import under way.
struct Importer<'r, 'w> {
    batch: Batch<'r>,
    marks: Marks,
    commits: Commits,
    references: References,
    waiting: Waiting,
    report: Report,
    watch: Watch<'w>,
}

impl<'r, 'w> Importer<'r, 'w> {
    fn new(roots: &'r Roots, limits: Limits, watch: Watch<'w>) -> Self {
        Self {
            batch: Batch::new(roots, limits),
            marks: Marks::default(),
            commits: Commits::default(),
            references: References::default(),
            waiting: Waiting::default(),
            report: Report::default(),
            watch,
        }
    }

    /// Reads the stream to its end and commits its objects and Snapshots.
    fn read<R: Read>(&mut self, parser: &mut Parser<R>) -> Result<(), ImportError> {
        loop {
            match parser.next_event()? {
                Event::Blob { position, mark } => {
                    let blob = self.put_content(parser, position)?;
                    self.report.counts.blobs += 1;
                    if let Some(mark) = mark {
                        self.marks
                            .set(mark, Marked::Blob(blob))
                            .map_err(ImportError::at(position))?;
                    }
                }
                Event::Commit(commit) => self.read_commit(&commit, parser)?,
                Event::Tag(tag) => self.tag(*tag)?,
                Event::Reset(reset) => self.reset(&reset)?,
                Event::End { done } => {
                    self.report.is_end_certain = done;
                    break;
                }
                // Checkpoints would only move the seams of the batches; changes outside a commit cannot come.
                _ => {}
            }
            if self.batch.is_full() {
                self.tell(parser)?;
                self.flush()?;
            }
        }
        self.keep_tips()?;
        self.tell(parser)?;
        self.flush()
    }

    fn tell<R: Read>(&mut self, parser: &Parser<R>) -> Result<(), ImportError> {
        let progress = Progress {
            bytes: parser.bytes_read(),
            blobs: self.report.counts.blobs,
            commits: self.report.counts.commits,
        };
        match (self.watch)(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Stopped),
        }
    }

    fn flush(&mut self) -> Result<(), ImportError> {
        self.batch.flush(&mut self.commits, &mut self.report)
    }

    fn tag(&mut self, tag: Tag) -> Result<(), ImportError> {
        let (position, from) = &tag.from;
        let target = match from {
            CommitName::Mark(mark) => match self.marks.get(*mark) {
                Some(Marked::Commit(ordinal)) => Some(ordinal),
                Some(Marked::Blob(_) | Marked::OtherTag) => None,
                None => return Err(unknown_mark(*position, *mark).into()),
            },
            // A tag of an object outside of the stream, or of a ref without a commit.
            _ => Some(
                self.resolve(*position, from)?
                    .ok_or_else(|| StreamError::refused_plain(*position, "a tag needs a commit"))?,
            ),
        };
        if let Some(mark) = tag.mark {
            let marked = target.map_or(Marked::OtherTag, Marked::Commit);
            self.marks.set(mark, marked).map_err(ImportError::at(tag.position))?;
        }
        let limit = references::max_tag_message_len(&tag.name);
        let message = text::decode(&tag.message, None, limit);
        self.report.note_message(&message);
        let tagged_at_s = tag.tagged_at_s.map(|time| self.report.store_time(time));
        self.references
            .tag(tag.name, target, message.text, tagged_at_s, tag.position)?;
        Ok(())
    }

    fn reset(&mut self, reset: &Reset) -> Result<(), ImportError> {
        match &reset.from {
            None => self.references.forget(&reset.reference),
            Some((_, CommitName::Nothing)) => self.references.delete(&reset.reference),
            Some((position, CommitName::Mark(mark))) if !reset.reference.starts_with(references::HEADS) => {
                // A lightweight tag may stand on anything; what cannot be a Tag is listed at the end.
                match self.marks.get(*mark) {
                    Some(Marked::Commit(ordinal)) => self.references.point(&reset.reference, ordinal),
                    Some(_) => self.references.point_elsewhere(&reset.reference),
                    None => return Err(unknown_mark(*position, *mark).into()),
                }
            }
            Some((position, from)) => match self.resolve(*position, from)? {
                Some(ordinal) => self.references.point(&reset.reference, ordinal),
                None => self.references.forget(&reset.reference),
            },
        }
        Ok(())
    }
}

/// A mark that the stream has not set.
fn unknown_mark(position: Position, mark: u64) -> StreamError {
    StreamError::incremental(position, format!(":{mark}").as_bytes())
}

/// A time of the stream as the engine wants it: seconds from 1; below that, 1.
fn clamp_time(time: i128) -> (UnixSeconds, bool) {
    match u64::try_from(time) {
        Ok(seconds) if seconds > 0 => (UnixSeconds(seconds), false),
        _ => (UnixSeconds(1), true),
    }
}
