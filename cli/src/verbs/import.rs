//! `graven import git`: a git history becomes objects, Snapshots, Lines and Tags.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use graven::format::Namespace;
use graven::{ErrorKind, Store};

use super::arguments::ImportGit;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, escaped};
use super::progress::Progress;
use crate::git::import::{self, ImportError, NOT_KEPT, Options, Problem, Report};
use crate::git::tree::TreeError;

/// The most refs or tags of one kind that are named for people; JSON has all.
const MAX_NAMED: usize = 20;

/// Imports a stream or a repository.
pub fn git(arguments: &ImportGit, output: &mut Output) -> Result<Verdict, Failure> {
    let source = Source::of(arguments)?;
    let store = open_or_create(&arguments.root)?;
    let options = Options {
        prune: arguments.prune,
        main: arguments.main.clone(),
        ..Options::default()
    };
    let progress = Progress::new("importing", "commits");
    let mut watch = |at: &import::Progress| {
        progress.set(at.commits, at.commits);
        progress.message(&format!("{} blobs, {} bytes read", at.blobs, at.bytes));
        ControlFlow::Continue(())
    };
    let report = match source {
        Source::Repository(directory) => import::import_repository(&store, directory, &options, &mut watch),
        Source::File(file) => import::import(&store, file, &options, &mut watch),
        Source::Input => import::import(&store, io::stdin().lock(), &options, &mut watch),
    }?;
    drop(progress);
    if let Err(error) = store.write_indexes() {
        eprintln!("graven: the index files were not written; everything is found without them: {error}");
    }
    store.close()?;
    output.answer(&report)?;
    for line in text(&report).into_iter().chain(next_steps(&arguments.root, &report)) {
        output.line(line)?;
    }
    output.line(NOT_KEPT)?;
    if output.is_json() {
        eprintln!("graven: {NOT_KEPT}");
    }
    Ok(Verdict::Fine)
}

/// Where the stream comes from.
enum Source<'a> {
    Repository(&'a Path),
    File(File),
    Input,
}

impl<'a> Source<'a> {
    /// Opens it before the store is touched.
    fn of(arguments: &'a ImportGit) -> Result<Self, Failure> {
        if let Some(directory) = &arguments.repo {
            return Ok(Self::Repository(directory));
        }
        match &arguments.file {
            Some(path) if path.as_os_str() != "-" => match File::open(path) {
                Ok(file) => Ok(Self::File(file)),
                Err(error) => Err(Failure::usage(format!("{}: {error}", path.display()))),
            },
            _ => Ok(Self::Input),
        }
    }
}

fn open_or_create(root: &Path) -> Result<Store, Failure> {
    // A link that leads nowhere is there all the same: opening it gives the clearer error.
    match root.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Store::create(root, Namespace::EMPTY, &open::options()?)?)
        }
        _ => open::writable(root),
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        // What a rule or a bound refuses is about the stream, and the place says where; all else is about the store.
        let is_about_stream =
            |error: &graven::Error| matches!(error.kind(), ErrorKind::Refused { .. } | ErrorKind::Exhausted { .. });
        match error {
            ImportError::Store(error) => Self::Engine(error),
            ImportError::At {
                problem: Problem::Store(error) | Problem::Tree(TreeError::Directories(error)),
                ..
            } if !is_about_stream(&error) => Self::Engine(error),
            other => Self::History(other.to_string()),
        }
    }
}

/// The report for people.
fn text(report: &Report) -> Vec<String> {
    let counts = &report.counts;
    let mut lines = vec![
        format!(
            "read {} commits ({} merges) and {} blobs",
            counts.commits, counts.merges, counts.blobs
        ),
        format!(
            "added {} snapshots, {} blobs, {} directories; {} snapshots were there already",
            counts.snapshots_added, counts.blobs_added, counts.directories_added, counts.snapshots_existing
        ),
        format!(
            "lines: {} created, {} moved, {} unchanged, {} deleted",
            counts.lines_created, counts.lines_moved, counts.lines_unchanged, counts.lines_deleted
        ),
        format!(
            "tags: {} created, {} moved, {} unchanged, {} deleted",
            counts.tags_created, counts.tags_moved, counts.tags_unchanged, counts.tags_deleted
        ),
    ];
    if let Some(main_line) = &report.main_line {
        lines.push(format!(
            "main line {}: {} tasks with their changes and lands added, {} were there already",
            escaped(main_line, false),
            counts.tasks_added,
            counts.tasks_existing
        ));
    }
    for moved in &report.moved_back {
        let line = escaped(&moved.line, false);
        lines.push(format!(
            "{line} moved from {} to {}, which does not descend from it",
            moved.from, moved.to
        ));
    }
    let archived = report.archived_lines.iter().map(|line| escaped(line, false)).collect();
    named(&mut lines, "archived lines, left where they are", archived);
    named(
        &mut lines,
        "refs that are neither branches nor tags, skipped",
        report.skipped_refs.clone(),
    );
    let tags = report
        .skipped_tags
        .iter()
        .map(|tag| format!("{} ({})", tag.name, tag.why))
        .collect();
    named(&mut lines, "tags, skipped", tags);
    let forgotten = &report.forgotten;
    for (count, what) in [
        (forgotten.times_raised, "times below 1 were stored as 1"),
        (
            forgotten.messages_replaced,
            "messages held bytes that could not be decoded",
        ),
        (
            forgotten.messages_cut,
            "messages were longer than a payload, and were cut",
        ),
        (
            forgotten.task_texts_cut,
            "messages were longer than a Task's title and intent may be, and were cut",
        ),
        (forgotten.notes, "notes on commits were left out"),
    ] {
        if count > 0 {
            lines.push(format!("{count} {what}"));
        }
    }
    if let Some(warnings) = &report.git_warnings {
        named(&mut lines, "git says", warnings.lines.clone());
    }
    if !report.is_end_certain {
        lines.push("the stream did not say `done`: had it been cut between two commands, nobody could tell".to_owned());
    }
    lines
}

/// What to look at after an import.
fn next_steps(root: &Path, report: &Report) -> Vec<String> {
    let root = root.display();
    let mut steps = vec![format!("look at it: graven stat {root}")];
    if let Some(main_line) = &report.main_line {
        steps.push(format!("            graven log {root} {}", escaped(main_line, false)));
        steps.push(format!("            graven list {root} tasks"));
    }
    steps
}

fn named(lines: &mut Vec<String>, what: &str, names: Vec<String>) {
    if names.is_empty() {
        return;
    }
    let count = names.len();
    lines.push(format!("{count} {what}:"));
    lines.extend(names.into_iter().take(MAX_NAMED).map(|name| format!("  {name}")));
    if count > MAX_NAMED {
        lines.push(format!("  and {} more (--json names all)", count - MAX_NAMED));
    }
}
