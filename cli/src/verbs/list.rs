//! `graven list`: the records of one kind.

use std::ops::Range;

use graven::{RecordError, Records, Rows, Store};
use serde_json::json;

use self::filter::Filter;
use super::arguments::{Kind, List};
use super::describe::{self, Described, work};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, escaped};
use super::reference::Works;

mod filter;

/// How many records are read under one lock. They are printed after it is released: whoever reads our output may be
/// slow, and writers must not wait for that.
const PAGE: u32 = 1024;

/// Lists the records of one kind.
pub fn run(arguments: &List, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let filter = Filter::new(arguments, &store)?;
    let mut items = output.begin_items(arguments.kind.as_str())?;
    let mut left = arguments.limit.unwrap_or(u64::MAX);
    let mut verdict = Verdict::Fine;
    let mut from = arguments.from;
    let mut to = arguments.to.unwrap_or(u32::MAX).min(count(&store, arguments.kind)?);
    while from < to && left > 0 {
        let (start, end) = if arguments.reverse {
            (to.saturating_sub(PAGE).max(from), to)
        } else {
            (from, from.saturating_add(PAGE).min(to))
        };
        let mut page = read_page(&store, arguments.kind, &filter, start..end)?;
        if arguments.reverse {
            page.reverse();
            to = start;
        } else {
            from = end;
        }
        for row in page {
            if left == 0 {
                break;
            }
            match row {
                Row::Record(described) => items.item(&described.json, |output| described.line(output))?,
                Row::Damaged { index, why } => {
                    verdict = Verdict::Findings;
                    let text = format!("record {index}: {}", escaped(&why, false));
                    items.item(&json!({"index": index, "error": why}), |output| {
                        output.paint(Colour::Red, &text)
                    })?;
                }
            }
            left -= 1;
        }
    }
    items.end()?;
    Ok(verdict)
}

/// One record of a page.
enum Row {
    Record(Described),
    Damaged { index: u32, why: String },
}

fn count(store: &Store, kind: Kind) -> Result<u32, Failure> {
    if kind == Kind::Objects {
        return Ok(store.objects().view()?.objects()?.len());
    }
    let view = store.view()?;
    Ok(match kind {
        Kind::Tasks => view.tasks()?.len(),
        Kind::Changes => view.changes()?.len(),
        Kind::Lands => view.lands()?.len(),
        Kind::Stashes => view.stashes()?.len(),
        Kind::Lines => view.lines()?.len(),
        Kind::Tags => view.tags()?.len(),
        Kind::Snapshots | Kind::Objects => view.snapshots()?.len(),
    })
}

/// Reads the records whose number lies in `range`, under one view.
fn read_page(store: &Store, kind: Kind, filter: &Filter, range: Range<u32>) -> Result<Vec<Row>, Failure> {
    if kind == Kind::Objects {
        let root = store.objects();
        let view = root.view()?;
        return rows(view.objects()?.range(range), |object| {
            shown(filter.shows(!object.tombstoned), || Ok(describe::object(object)))
        });
    }
    let view = store.view()?;
    let works = Works::in_view(&view, store.namespace())?;
    let snapshots = &works.snapshots;
    match kind {
        Kind::Tasks => rows(works.tasks.clone().range(range), |task| {
            shown(filter.task(task), || work::task(task, &works, filter.by))
        }),
        Kind::Changes => rows(works.changes.clone().range(range), |change| {
            shown(filter.change(change), || work::change(change, &works, filter.by))
        }),
        Kind::Lands => rows(works.lands.clone().range(range), |land| {
            shown(filter.land(land)?, || work::land(land, &works, filter.by))
        }),
        Kind::Stashes => rows(works.stashes.clone().range(range), |stash| {
            shown(filter.stash(stash.tombstoned, &stash.content()?), || {
                work::stash(stash, &works)
            })
        }),
        Kind::Lines => rows(works.lines.clone().range(range), |line| {
            let deleted = matches!(line.state, graven::format::LineState::Deleted { .. });
            shown(filter.shows(!deleted), || describe::line(line, snapshots))
        }),
        Kind::Tags => rows(view.tags()?.range(range), |tag| {
            shown(filter.shows(!tag.tombstoned), || describe::tag(tag, snapshots))
        }),
        Kind::Snapshots | Kind::Objects => rows(snapshots.clone().range(range), |snapshot| {
            shown(filter.shows(!snapshot.tombstoned), || {
                describe::snapshot(snapshot, snapshots)
            })
        }),
    }
}

/// A record's description, where it is shown.
fn shown(shown: bool, describe: impl FnOnce() -> Result<Described, Failure>) -> Result<Option<Described>, Failure> {
    shown.then(describe).transpose()
}

/// Describes the records that are shown; a damaged one, or one whose payload is damaged, is a row of its own.
fn rows<D: Records>(
    records: Rows<D>,
    describe: impl Fn(&D::Value) -> Result<Option<Described>, Failure>,
) -> Result<Vec<Row>, Failure> {
    let first = records.first_number();
    let mut all = Vec::new();
    for (record, index) in records.zip(first..) {
        let described = match record {
            Ok((_, value)) => describe(&value),
            Err(RecordError { error, .. }) => Err(error.into()),
        };
        match described {
            Ok(None) => {}
            Ok(Some(described)) => all.push(Row::Record(described)),
            Err(Failure::Engine(error)) if error.is_corrupt() => all.push(Row::Damaged {
                index,
                why: error.to_string(),
            }),
            Err(failure) => return Err(failure),
        }
    }
    Ok(all)
}
