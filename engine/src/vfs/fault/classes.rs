//! The classes of cuts: which plans are worth trying on a disk.

use super::cut::{Cutter, PendingOperation};
use super::plan::{Choice, CutPlan, Fill, Length, Rest};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// How fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// A bounded number per operation: tears at 8-byte steps (at most 64 of them) and at field edges.
    Classes,
    /// Tears at every byte, and every subset of the operations where there are at most ten.
    Exact,
}

/// Up to how many operations [`Level::Exact`] tries every subset.
const ALL_SUBSETS: usize = 10;

/// How many steps of a tear [`Level::Classes`] tries in one write.
const STEPS: u64 = 64;

/// How one operation is treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Torn at steps, and at these offsets in the file (a caller gives the edges of records and fields).
    Torn(Vec<u64>),
    /// Only kept or lost as a whole.
    Whole,
    /// It has no classes of its own: it goes with the rest.
    WithTheRest,
}

/// What to enumerate.
pub struct CutOptions<'a> {
    /// How fine.
    pub level: Level,
    /// Whether grown parts may also hold garbage.
    pub harsh: bool,
    /// How each operation is treated.
    pub detail: &'a dyn Fn(&PendingOperation) -> Detail,
}

impl fmt::Debug for CutOptions<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CutOptions")
            .field("level", &self.level)
            .field("harsh", &self.harsh)
            .finish_non_exhaustive()
    }
}

impl CutOptions<'_> {
    /// Everything torn at steps, no field edges, no garbage.
    pub fn plain(level: Level) -> Self {
        CutOptions {
            level,
            harsh: false,
            detail: &|_| Detail::Torn(Vec::new()),
        }
    }
}

/// The plans worth trying, each once, all-lost and all-kept first.
pub(super) fn plans(cutter: &Cutter, options: &CutOptions<'_>) -> Vec<CutPlan> {
    let mut found = Found {
        plans: Vec::new(),
        seen: HashSet::new(),
    };
    let details: Vec<_> = cutter.pending().iter().map(options.detail).collect();
    combinations(cutter.pending(), &details, options.level, &mut found);
    for (operation, detail) in cutter.pending().iter().zip(&details) {
        if let Detail::Torn(edges) = detail {
            tears(cutter, operation, edges, options, &mut found);
        }
    }
    found.plans
}

/// The plans found so far.
struct Found {
    plans: Vec<CutPlan>,
    seen: HashSet<CutPlan>,
}

impl Found {
    /// Adds the plan in the form that names the fewest operations, unless it is known.
    fn add(&mut self, choices: &[Choice], fill: Fill) {
        let kept = choices.iter().filter(|choice| **choice == Choice::Kept).count();
        let lost = choices.iter().filter(|choice| **choice == Choice::Lost).count();
        let (rest, usual) = if kept > lost {
            (Rest::Kept, Choice::Kept)
        } else {
            (Rest::Lost, Choice::Lost)
        };
        let named = choices.iter().enumerate().filter(|(_, choice)| **choice != usual);
        let choices = named.map(|(ordinal, choice)| (ordinal, choice.clone())).collect();
        let plan = CutPlan {
            rest,
            fill,
            spill: 0,
            choices,
        };
        if self.seen.insert(plan.clone()) {
            self.plans.push(plan);
        }
    }
}

fn whole(kept: bool) -> Choice {
    if kept { Choice::Kept } else { Choice::Lost }
}

/// Operations as wholes: which are kept and which are lost.
fn combinations(pending: &[PendingOperation], details: &[Detail], level: Level, found: &mut Found) {
    let count = pending.len();
    let own: Vec<_> = (0..count).filter(|at| details[*at] != Detail::WithTheRest).collect();
    // `keep` decides for operations with classes of their own, `rest` for the others.
    let mut add = |rest: bool, keep: &dyn Fn(usize) -> bool| {
        let choice = |at: usize| whole(if own.contains(&at) { keep(at) } else { rest });
        found.add(&(0..count).map(choice).collect::<Vec<_>>(), Fill::Zero);
    };
    add(false, &|_| false);
    add(true, &|_| true);
    for rest in [false, true] {
        for single in &own {
            add(rest, &|at| (at == *single) != rest);
        }
        for border in &own {
            add(rest, &|at| at < *border);
        }
        for pair in own.windows(2) {
            if let [earlier, later] = pair {
                add(rest, &|at| at < *earlier || at == *later);
            }
        }
        let files: BTreeSet<_> = own.iter().map(|at| &pending[*at].path).collect();
        for file in files {
            add(rest, &|at| (pending[at].path == *file) != rest);
        }
        if level == Level::Exact && own.len() <= ALL_SUBSETS {
            for subset in 0..1u32 << own.len() {
                add(rest, &|at| {
                    own.iter()
                        .position(|other| *other == at)
                        .is_some_and(|bit| subset >> bit & 1 == 1)
                });
            }
        }
    }
}

/// One operation torn in every way, each among others that are lost, that are kept, and that were kept before it and
/// lost behind it.
fn tears(cutter: &Cutter, operation: &PendingOperation, edges: &[u64], options: &CutOptions<'_>, found: &mut Found) {
    let count = cutter.pending().len();
    let own = operation.ordinal;
    let mut add = |bytes: &[(u64, u64)], length: Length, fill: Fill| {
        let bytes = bytes
            .iter()
            .map(|(start, end)| *start..*end)
            .filter(|range| !range.is_empty())
            .collect();
        let torn = Choice::Torn { bytes, length };
        for among in
            [|_, _| Choice::Lost, |_, _| Choice::Kept, |at, own| whole(at < own)] as [fn(usize, usize) -> Choice; 3]
        {
            let choice = |at| if at == own { torn.clone() } else { among(at, own) };
            found.add(&(0..count).map(choice).collect::<Vec<_>>(), fill);
        }
    };
    let growth = operation.growth();
    let (offset, len) = operation
        .written()
        .unwrap_or((growth.map_or(0, |(before, _)| before), 0));
    if let Some((before, after)) = growth {
        // The bytes without the length, the length without the bytes.
        add(&[(0, len)], Length::Lost, Fill::Zero);
        add(&[], Length::Kept, Fill::Zero);
        add(&[], Length::Kept, Fill::Written);
        if options.harsh {
            add(&[], Length::Kept, Fill::Garbage);
            add(&[], Length::Lost, Fill::Garbage);
        }
        for end in points(before, after - before, edges, options.level) {
            add(&[], Length::At(before + end), Fill::Zero);
            if options.harsh {
                add(&[], Length::At(before + end), Fill::Garbage);
            }
        }
    }
    if len == 0 {
        return;
    }
    let differs = cutter.differs(own);
    let mut last = 0;
    for point in points(offset, len, edges, options.level) {
        // A tear behind a byte that is the same before and after is the tear in front of it.
        if differs.is_some_and(|differs| !any(differs, last, point)) {
            continue;
        }
        last = point;
        add(&[(0, point)], Length::Kept, Fill::Zero);
        add(&[(point, len)], Length::Kept, Fill::Zero);
        if growth.is_some_and(|(before, _)| offset + point > before) {
            add(&[(0, point)], Length::At(offset + point), Fill::Zero);
        }
        if options.harsh && growth.is_some() {
            add(&[(0, point)], Length::Kept, Fill::Garbage);
            add(&[(point, len)], Length::Kept, Fill::Garbage);
        }
    }
    for hole in holes(offset, len, edges, options.level) {
        if differs.is_none_or(|differs| any(differs, hole, hole + 1)) {
            add(&[(0, hole), (hole + 1, len)], Length::Kept, Fill::Zero);
        }
    }
}

fn any(differs: &[bool], start: u64, end: u64) -> bool {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    range
        .and_then(|(start, end)| differs.get(start..end))
        .is_none_or(|part| part.contains(&true))
}

/// Where a range of `len` bytes at `offset` is torn: inside it, relative to its start, ascending.
fn points(offset: u64, len: u64, edges: &[u64], level: Level) -> BTreeSet<u64> {
    let step = match level {
        Level::Exact => 1,
        Level::Classes => (len / STEPS).next_multiple_of(8).max(8),
    };
    let mut points = inside(offset, len, edges);
    let mut at = if level == Level::Exact {
        1
    } else {
        (offset + 1).next_multiple_of(8) - offset
    };
    while at < len {
        points.insert(at);
        at += step;
    }
    points
}

fn inside(offset: u64, len: u64, edges: &[u64]) -> BTreeSet<u64> {
    let relative = edges.iter().filter_map(|edge| edge.checked_sub(offset));
    relative.filter(|edge| *edge > 0 && *edge < len).collect()
}

/// The single bytes that are lost: the first, the last, and those at field edges; or every one.
fn holes(offset: u64, len: u64, edges: &[u64], level: Level) -> BTreeSet<u64> {
    if level == Level::Exact {
        return (0..len).collect();
    }
    let mut holes = inside(offset, len, edges);
    holes.extend(inside(offset, len, edges).iter().map(|edge| edge - 1));
    holes.extend([0, len - 1]);
    holes
}
