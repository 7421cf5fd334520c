//! `graven log`: a history along first parents, newest first.

use graven::format::SnapshotIndex;
use graven::{Rows, Snapshot, Snapshots, Store};

use super::arguments::Log;
use super::describe::{self, Described};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::Output;
use super::reference::Names;

/// How many Snapshots are read under one lock; they are printed after it is released.
const PAGE: usize = 256;

/// Shows a history.
pub fn run(arguments: &Log, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let mut next = Some(start(&store, &arguments.line)?);
    let mut left = arguments.limit.unwrap_or(u64::MAX);
    let mut items = output.begin_items("log")?;
    while let Some(from) = next {
        let page = read_page(&store, from)?;
        next = page.next;
        for described in page.snapshots {
            if left == 0 {
                next = None;
                break;
            }
            left -= 1;
            items.item(&described.json, |output| described.line(output))?;
        }
        if let (Some(failure), true) = (page.failure, left > 0) {
            return Err(failure);
        }
    }
    items.end()?;
    Ok(Verdict::Fine)
}

fn start(store: &Store, name: &str) -> Result<SnapshotIndex, Failure> {
    let view = store.view()?;
    let snapshot = Names::in_view(&view)?.snapshot(name)?;
    Ok(snapshot.index())
}

/// Some Snapshots of a history, and where it goes on or why it cannot.
struct Page {
    snapshots: Vec<Described>,
    next: Option<SnapshotIndex>,
    failure: Option<Failure>,
}

fn read_page(store: &Store, from: SnapshotIndex) -> Result<Page, Failure> {
    let view = store.view()?;
    let snapshots = view.snapshots()?;
    let mut page = Page {
        snapshots: Vec::new(),
        next: None,
        failure: None,
    };
    for snapshot in snapshots.first_parents(from).take(PAGE) {
        match describe(snapshot, &snapshots) {
            Ok((described, next)) => {
                page.snapshots.push(described);
                page.next = next;
            }
            Err(failure) => {
                page.failure = Some(failure);
                page.next = None;
            }
        }
    }
    Ok(page)
}

/// One Snapshot of the history, and its first parent.
fn describe(
    snapshot: graven::Result<Snapshot<'_>>,
    snapshots: &Rows<Snapshots<'_>>,
) -> Result<(Described, Option<SnapshotIndex>), Failure> {
    let snapshot = snapshot?;
    let described = describe::snapshot(&snapshot, snapshots)?;
    Ok((described, snapshot.parents.first()))
}
