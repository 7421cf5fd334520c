//! `graven log`: a history along first parents, newest first.

use std::collections::HashMap;

use graven::format::{ChangeIndex, LineIndex, SnapshotIndex};
use graven::{Snapshot, Store};

use super::arguments::Log;
use super::describe::{self, Described};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Output, escaped};
use super::reference::{Names, Works};

/// How many Lands are read under one lock.
const LANDS: u32 = 4096;

/// How many Snapshots are read under one lock; they are printed after it is released.
const PAGE: usize = 256;

/// Shows a history.
pub fn run(arguments: &Log, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let (first, line) = start(&store, &arguments.line)?;
    let landings = Landings::read(&store, line)?;
    let mut next = Some(first);
    let mut left = arguments.limit.unwrap_or(u64::MAX);
    let mut items = output.begin_items("log")?;
    while let Some(from) = next {
        let page = read_page(&store, from, &landings)?;
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
    Ok(Verdict::of(landings.damaged))
}

/// Where the history begins, and the Line whose history it is.
fn start(store: &Store, name: &str) -> Result<(SnapshotIndex, Option<LineIndex>), Failure> {
    let view = store.view()?;
    let names = Names::in_view(&view)?;
    let line = match names.line(name.strip_prefix("line:").unwrap_or(name)) {
        Ok(line) => Some(line.index()),
        Err(Failure::NotFound(_)) => None,
        Err(failure) => return Err(failure),
    };
    Ok((names.snapshot(name)?.index(), line))
}

/// Which Change landed which Snapshot.
struct Landings {
    changes: HashMap<SnapshotIndex, Landing>,
    /// A Land could not be read; what it landed is told without its Change.
    damaged: bool,
}

struct Landing {
    change: ChangeIndex,
    onto: LineIndex,
}

impl Landings {
    /// Reads every Land once. Where several landed one Snapshot, the first one onto `line` counts, else the first.
    fn read(store: &Store, line: Option<LineIndex>) -> Result<Self, Failure> {
        let mut landings = Self {
            changes: HashMap::new(),
            damaged: false,
        };
        let mut next = Some(0);
        while let Some(from) = next {
            let view = store.view()?;
            let page = view.lands()?.page(from, LANDS);
            next = page.next;
            for row in page.rows {
                match row {
                    Ok((_, land)) if !land.tombstoned => {
                        if let Some(landed) = land.status.landed() {
                            landings.add(landed, land.change, land.target_line, line);
                        }
                    }
                    Ok(_) => {}
                    Err(error) if error.error.is_corrupt() => {
                        landings.damaged = true;
                        eprintln!("graven: {}", escaped(&error.to_string(), false));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(landings)
    }

    fn add(&mut self, landed: SnapshotIndex, change: ChangeIndex, onto: LineIndex, line: Option<LineIndex>) {
        let landing = Landing { change, onto };
        let before = self.changes.get(&landed);
        let better = before.is_none_or(|before| line == Some(onto) && line != Some(before.onto));
        if better {
            self.changes.insert(landed, landing);
        }
    }
}

/// Some Snapshots of a history, and where it goes on or why it cannot.
struct Page {
    snapshots: Vec<Described>,
    next: Option<SnapshotIndex>,
    failure: Option<Failure>,
}

fn read_page(store: &Store, from: SnapshotIndex, landings: &Landings) -> Result<Page, Failure> {
    let view = store.view()?;
    let works = Works::in_view(&view, store.namespace())?;
    let mut page = Page {
        snapshots: Vec::new(),
        next: None,
        failure: None,
    };
    for snapshot in works.snapshots.first_parents(from).take(PAGE) {
        match describe(snapshot, &works, landings) {
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

/// One Snapshot of the history with the Change that landed it, and its first parent.
fn describe(
    snapshot: graven::Result<Snapshot<'_>>,
    works: &Works<'_>,
    landings: &Landings,
) -> Result<(Described, Option<SnapshotIndex>), Failure> {
    let snapshot = snapshot?;
    let mut described = describe::snapshot(&snapshot, &works.snapshots)?;
    let landing = landings.changes.get(&snapshot.index());
    let change = landing.map(|landing| works.change_ref(landing.change)).transpose()?;
    if let Some(change) = &change {
        described.text = format!("{}  ({change})", described.text);
    }
    described.json["change"] = change.into();
    Ok((described, snapshot.parents.first()))
}
