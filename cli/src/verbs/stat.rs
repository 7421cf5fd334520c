//! `graven stat`: what a store holds, in numbers.

use std::fs;
use std::path::Path;

use graven::format::{EntryTarget, LineState, ObjectKind, Parents, SnapshotIndex};
use graven::{Store, View, Workflow};
use serde::Serialize;

use super::arguments::Root;
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::progress::Progress;

/// How many records of a family are read under one lock.
const PAGE: u32 = 4096;

/// What a store holds: live records only.
#[derive(Debug, Default, Serialize)]
struct Stat {
    /// Snapshots.
    snapshots: u64,
    /// Snapshots with more than one parent.
    merges: u64,
    /// Lines that are not deleted.
    lines: u64,
    /// Tags without a message.
    tags_lightweight: u64,
    /// Tags with a message, which may be empty.
    tags_annotated: u64,
    /// Contents of files.
    blobs: u64,
    /// Directories.
    directories: u64,
    /// Entries of directories that are other repositories' commits, each directory counted once.
    links: u64,
    /// Tasks that are not hidden.
    tasks: u64,
    /// Changes.
    changes: u64,
    /// Lands that are not deleted.
    lands: u64,
    /// Stashes that are not deleted.
    stashes: u64,
    /// Snapshots on the longest way back along first parents.
    longest_first_parent_chain: u64,
    /// Bytes of all files of the store.
    bytes: u64,
}

/// How many of each are open. For people only: the keys of the JSON answer are promised.
#[derive(Debug, Default)]
struct Open {
    tasks: u64,
    changes: u64,
    lands: u64,
}

/// Counts.
pub fn run(arguments: &Root, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let mut stat = Stat::default();
    {
        let view = store.view()?;
        count_snapshots(&view, &mut stat)?;
        count_names(&view, &mut stat)?;
    }
    let open = count_work(&store, &mut stat)?;
    count_objects(&store, &mut stat)?;
    stat.bytes = bytes_below(&arguments.root)?;
    output.answer(&stat)?;
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&stat) {
        for (key, value) in fields {
            let open = match key.as_str() {
                "tasks" => parts(stat.tasks, open.tasks),
                "changes" => parts(stat.changes, open.changes),
                "lands" => parts(stat.lands, open.lands),
                _ => String::new(),
            };
            output.line(format!("{:<27} {value}{open}", key.replace('_', " ")))?;
        }
    }
    Ok(Verdict::Fine)
}

fn count_snapshots(view: &View<'_, Workflow>, stat: &mut Stat) -> Result<(), Failure> {
    // A parent stands before its child, so its chain is known when the child is met.
    let mut chains: Vec<u64> = Vec::new();
    for row in view.snapshots()? {
        let (_, snapshot) = row?;
        let parent = snapshot.parents.first().map(SnapshotIndex::get);
        let before = parent
            .and_then(|parent| chains.get(usize::try_from(parent).ok()?))
            .copied()
            .unwrap_or(0);
        chains.push(before + 1);
        if snapshot.tombstoned {
            continue;
        }
        stat.snapshots += 1;
        stat.merges += u64::from(matches!(snapshot.parents, Parents::Many(_)));
        stat.longest_first_parent_chain = stat.longest_first_parent_chain.max(before + 1);
    }
    Ok(())
}

fn count_names(view: &View<'_, Workflow>, stat: &mut Stat) -> Result<(), Failure> {
    for row in view.lines()? {
        let (_, line) = row?;
        stat.lines += u64::from(!matches!(line.state, LineState::Deleted { .. }));
    }
    for row in view.tags()? {
        let (_, tag) = row?;
        let count = if tag.annotated {
            &mut stat.tags_annotated
        } else {
            &mut stat.tags_lightweight
        };
        *count += u64::from(!tag.tombstoned);
    }
    Ok(())
}

/// Counts Tasks, Changes, Lands and Stashes, and answers how many are open.
fn count_work(store: &Store, stat: &mut Stat) -> Result<Open, Failure> {
    let mut open = Open::default();
    let mut next = Some(0);
    while let Some(from) = next {
        let view = store.view()?;
        let tasks = view.tasks()?.page(from, PAGE);
        let changes = view.changes()?.page(from, PAGE);
        let lands = view.lands()?.page(from, PAGE);
        let stashes = view.stashes()?.page(from, PAGE);
        next = tasks.next.or(changes.next).or(lands.next).or(stashes.next);
        for row in tasks.rows {
            let (_, task) = row?;
            stat.tasks += u64::from(!task.hidden);
            open.tasks += u64::from(!task.hidden && !task.status.is_terminal());
        }
        for row in changes.rows {
            let (_, change) = row?;
            stat.changes += 1;
            open.changes += u64::from(change.status().is_open());
        }
        for row in lands.rows {
            let (_, land) = row?;
            stat.lands += u64::from(!land.tombstoned);
            open.lands += u64::from(!land.tombstoned && !land.status.is_terminal());
        }
        for row in stashes.rows {
            let (_, stash) = row?;
            stat.stashes += u64::from(!stash.tombstoned);
        }
    }
    Ok(open)
}

/// How many of a number are open and closed.
fn parts(all: u64, open: u64) -> String {
    if all == 0 {
        return String::new();
    }
    format!("  ({open} open, {} closed)", all.saturating_sub(open))
}

fn count_objects(store: &Store, stat: &mut Stat) -> Result<(), Failure> {
    let progress = Progress::new("counting", "objects");
    let root = store.objects();
    let mut next = Some(0);
    while let Some(from) = next {
        let view = root.view()?;
        let objects = view.objects()?;
        progress.set(from.into(), objects.len().into());
        let page = objects.page(from, PAGE);
        next = page.next;
        for row in page.rows {
            let (_, object) = row?;
            match object.kind {
                _ if object.tombstoned => {}
                ObjectKind::Blob => stat.blobs += 1,
                ObjectKind::Directory => {
                    stat.directories += 1;
                    let bytes = object.read()?;
                    for entry in graven::format::directory::entries(&bytes) {
                        let link = entry.is_ok_and(|entry| matches!(entry.target, EntryTarget::Link(_)));
                        stat.links += u64::from(link);
                    }
                }
            }
        }
    }
    Ok(())
}

/// The lengths of all files of the store together.
fn bytes_below(directory: &Path) -> Result<u64, Failure> {
    let unreadable = |error| Failure::usage(format!("{}: {error}", directory.display()));
    let mut bytes = 0;
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let metadata = entry.metadata().map_err(unreadable)?;
        bytes += if metadata.is_dir() {
            bytes_below(&entry.path())?
        } else {
            metadata.len()
        };
    }
    Ok(bytes)
}
