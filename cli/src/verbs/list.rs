//! `graven list`: the records of one kind.

use graven::{RecordError, Records, Rows, Store};
use serde_json::json;

use super::arguments::{Kind, List};
use super::describe::{self, Described};
use super::failure::{Failure, Verdict};
use super::open;
use super::output::{Colour, Output, escaped};

/// How many records are read under one lock. They are printed after it is released: whoever reads our output may be
/// slow, and writers must not wait for that.
const PAGE: u32 = 1024;

/// Lists the records of one kind.
pub fn run(arguments: &List, output: &mut Output) -> Result<Verdict, Failure> {
    let store = open::read_only(&arguments.root)?;
    let name = match arguments.kind {
        Kind::Lines => "lines",
        Kind::Tags => "tags",
        Kind::Snapshots => "snapshots",
        Kind::Objects => "objects",
    };
    let mut items = output.begin_items(name)?;
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
        let mut page = read_page(&store, arguments.kind, start, end)?;
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
                Row::Record { live, .. } if !live && !arguments.all => continue,
                Row::Record { described, .. } => items.item(&described.json, |output| described.line(output))?,
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
    Record { live: bool, described: Described },
    Damaged { index: u32, why: String },
}

fn count(store: &Store, kind: Kind) -> Result<u32, Failure> {
    Ok(match kind {
        Kind::Lines => store.view()?.lines()?.len(),
        Kind::Tags => store.view()?.tags()?.len(),
        Kind::Snapshots => store.view()?.snapshots()?.len(),
        Kind::Objects => store.objects().view()?.objects()?.len(),
    })
}

/// Reads the records from number `from` up to `to`, under one view.
fn read_page(store: &Store, kind: Kind, from: u32, to: u32) -> Result<Vec<Row>, Failure> {
    if kind == Kind::Objects {
        let root = store.objects();
        let view = root.view()?;
        return rows(view.objects()?.range(from..to), |object| {
            Ok((!object.tombstoned, describe::object(object)))
        });
    }
    let view = store.view()?;
    let snapshots = view.snapshots()?;
    match kind {
        Kind::Lines => rows(view.lines()?.range(from..to), |line| {
            let deleted = matches!(line.state, graven::format::LineState::Deleted { .. });
            Ok((!deleted, describe::line(line, &snapshots)?))
        }),
        Kind::Tags => rows(view.tags()?.range(from..to), |tag| {
            Ok((!tag.tombstoned, describe::tag(tag, &snapshots)?))
        }),
        Kind::Snapshots | Kind::Objects => rows(snapshots.clone().range(from..to), |snapshot| {
            Ok((!snapshot.tombstoned, describe::snapshot(snapshot, &snapshots)?))
        }),
    }
}

/// Describes records; a damaged one, or one whose payload is damaged, is a row of its own.
fn rows<D: Records>(
    records: Rows<D>,
    describe: impl Fn(&D::Value) -> Result<(bool, Described), Failure>,
) -> Result<Vec<Row>, Failure> {
    let first = records.first_number();
    let mut all = Vec::new();
    for (record, index) in records.zip(first..) {
        let described = match record {
            Ok((_, value)) => describe(&value),
            Err(RecordError { error, .. }) => Err(error.into()),
        };
        all.push(match described {
            Ok((live, described)) => Row::Record { live, described },
            Err(Failure::Engine(error)) if error.is_corrupt() => Row::Damaged {
                index,
                why: error.to_string(),
            },
            Err(failure) => return Err(failure),
        });
    }
    Ok(all)
}
