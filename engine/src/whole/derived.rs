//! What is derived from committed records, and so may be rebuilt from them: owner rows, the links `previous_*`, and the
//! time of closing of a Task that is not closed (FORMAT 5.4 step 6, F-1.2, W-TASK-20).
//!
//! Here is found what disagrees, and what stands there by the rules: `verify` tells it, `repair` writes it. Records are
//! read raw, so that damage elsewhere in one does not make its whole chain look wrong. An ordinal is never derived and
//! never changed.

use std::mem::offset_of;

use crate::format::record::raw;
use crate::format::{
    CHANGE, CHANGE_LAND_INDEX, ChangeRecord, LAND, LandRecord, Layout, ORDINALS, TASK, TASK_CHANGE_INDEX,
    TASK_LAND_INDEX, Task, TaskChangeIndexRecord, TaskRecord, ToleranceId,
};
use crate::store::Source;

use super::error::Result;
use super::verify::reader::resolve;

/// The size of every owner row (F-1.2).
const ROW_SIZE: usize = 8;
/// The bytes of an owner row that tell the one with the greatest place, and how many there are.
const LATEST: std::ops::Range<usize> = 0..4;
const COUNT: std::ops::Range<usize> = 4..6;
/// The next ordinal; of an inventory row a reserved byte.
const NEXT: usize = 6;

/// One thing that the records of a root say against each other.
#[derive(Debug)]
pub(crate) struct Disagreement {
    /// The family of the record that is wrong.
    pub layout: &'static Layout,
    /// The record.
    pub record: Option<u32>,
    /// The rule.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// What stands there by the rules; `None` where that cannot be told.
    pub remedy: Option<Remedy>,
}

/// The bytes that belong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// A part of the record that is overwritten.
    Patch { offset: usize, bytes: Vec<u8> },
    /// A record that is missing at the end of the file.
    Append(Vec<u8>),
}

/// Everything that disagrees.
pub(crate) fn disagreements(source: &dyn Source) -> Result<Vec<Disagreement>> {
    let mut found = close_times(source)?;
    found.extend(chains(source)?);
    Ok(found)
}

/// The Tasks that have a time of closing and are not closed (W-TASK-20).
fn close_times(source: &dyn Source) -> Result<Vec<Disagreement>> {
    let mut found = Vec::new();
    each(source, &TASK, |record, bytes| {
        let reading = Task::decode(bytes).ok();
        if reading.is_some_and(|reading| reading.tolerated.contains(ToleranceId::TaskCloseTimeWithoutEnd)) {
            found.push(Disagreement {
                layout: &TASK,
                record: Some(record),
                rule: "W-TASK-20",
                message: "a time of closing on a Task that is not closed".to_owned(),
                remedy: Some(Remedy::Patch {
                    offset: offset_of!(TaskRecord, closed_at_s),
                    bytes: vec![0; size_of::<u64>()],
                }),
            });
        }
    })?;
    Ok(found)
}

/// What disagrees in owner rows and links, chain by chain.
pub(crate) fn chains(source: &dyn Source) -> Result<Vec<Disagreement>> {
    let mut found = Vec::new();
    let changes = read_changes(source)?;
    let lands = read_lands(source)?;
    if let Some(changes) = &changes {
        find_gaps(changes, &mut found);
        TASK_CHANGES.find(source, changes, &mut found)?;
    }
    if let Some(lands) = &lands {
        CHANGE_LANDS.find(source, &of_change(lands), &mut found)?;
        if let Some(changes) = &changes {
            TASK_LANDS.find(source, &of_task(lands, changes), &mut found)?;
        }
    }
    Ok(found)
}

/// Owner rows over one family, and the links between its members (F-1.2, W-CHANGE-58, W-LAND-13, W-LAND-14, W-LAND-44).
/// Row n is that of owner n (W-CHANGE-59).
struct Chain {
    rows: &'static Layout,
    owners: &'static Layout,
    members: &'static Layout,
    /// Members stand in the order of their ordinals; else in that of the file.
    ordinal: bool,
    /// Where a member's link to the one before it stands.
    link_offset: usize,
    /// The link's name.
    link: &'static str,
    /// What breaks where two members of one owner have one ordinal.
    unique: &'static str,
}

static TASK_CHANGES: Chain = Chain {
    rows: &TASK_CHANGE_INDEX,
    owners: &TASK,
    members: &CHANGE,
    ordinal: true,
    link_offset: offset_of!(ChangeRecord, previous_change_index_plus1),
    link: "previous_change_index_plus1",
    unique: "W-CHANGE-05",
};

static CHANGE_LANDS: Chain = Chain {
    rows: &CHANGE_LAND_INDEX,
    owners: &CHANGE,
    members: &LAND,
    ordinal: true,
    link_offset: offset_of!(LandRecord, previous_change_land_index_plus1),
    link: "previous_change_land_index_plus1",
    unique: "W-LAND-08",
};

static TASK_LANDS: Chain = Chain {
    rows: &TASK_LAND_INDEX,
    owners: &TASK,
    members: &LAND,
    ordinal: false,
    link_offset: offset_of!(LandRecord, previous_task_land_index_plus1),
    link: "previous_task_land_index_plus1",
    unique: "W-LAND-14",
};

/// A member of a chain: a Change of its Task, a Land of its Change or Task.
#[derive(Clone, Copy, Debug)]
struct Member {
    owner: u32,
    /// Its place among its owner's; 0 for all where the file's order is meant.
    ordinal: u8,
    record: u32,
    link_plus1: u32,
    /// Its link to the one before it may only be 0: its time of submission is not known (W-LAND-18).
    first_only: bool,
}

/// What is read of every Land once.
#[derive(Clone, Copy, Debug)]
struct LandLinks {
    change: u32,
    ordinal: u8,
    task_link_plus1: u32,
    change_link_plus1: u32,
    first_only: bool,
}

/// Calls `look` with every record of a family; `None` where its file is not one, which is a finding of its own.
fn each(source: &dyn Source, layout: &'static Layout, mut look: impl FnMut(u32, &[u8])) -> Result<Option<()>> {
    let Some(family) = resolve(source, layout)? else {
        return Ok(None);
    };
    let mut bytes = vec![0; layout.record_size];
    for record in 0..source.record_count(family) {
        source.read_record(family, record, &mut bytes)?;
        look(record, &bytes);
    }
    Ok(Some(()))
}

fn read_changes(source: &dyn Source) -> Result<Option<Vec<Member>>> {
    let mut changes = Vec::new();
    let read = each(source, &CHANGE, |record, bytes| {
        if let Ok(change) = raw::<ChangeRecord>(&CHANGE, bytes) {
            changes.push(Member {
                owner: change.task_index.get(),
                ordinal: change.change_ordinal,
                record,
                link_plus1: change.previous_change_index_plus1.get(),
                first_only: false,
            });
        }
    })?;
    Ok(read.map(|()| changes))
}

fn read_lands(source: &dyn Source) -> Result<Option<Vec<LandLinks>>> {
    let mut lands = Vec::new();
    let read = each(source, &LAND, |_, bytes| {
        if let Ok(land) = raw::<LandRecord>(&LAND, bytes) {
            lands.push(LandLinks {
                change: land.change_index.get(),
                ordinal: land.land_ordinal,
                task_link_plus1: land.previous_task_land_index_plus1.get(),
                change_link_plus1: land.previous_change_land_index_plus1.get(),
                first_only: land.submitted_at_s.get() == 0,
            });
        }
    })?;
    Ok(read.map(|()| lands))
}

fn of_change(lands: &[LandLinks]) -> Vec<Member> {
    (0..)
        .zip(lands)
        .map(|(record, land)| Member {
            owner: land.change,
            ordinal: land.ordinal,
            record,
            link_plus1: land.change_link_plus1,
            first_only: land.first_only,
        })
        .collect()
}

/// The Lands by the Task of their Change; one without a Change is a finding of its own, and in no chain.
fn of_task(lands: &[LandLinks], changes: &[Member]) -> Vec<Member> {
    (0..)
        .zip(lands)
        .filter_map(|(record, land)| {
            let change = changes.get(usize::try_from(land.change).ok()?)?;
            Some(Member {
                owner: change.owner,
                ordinal: 0,
                record,
                link_plus1: land.task_link_plus1,
                first_only: land.first_only,
            })
        })
        .collect()
}

/// In a local root the Changes of a Task have the ordinals 0, 1, 2 and so on, in the order of the file (F-1.2, C13).
fn find_gaps(changes: &[Member], found: &mut Vec<Disagreement>) {
    let mut order: Vec<&Member> = changes.iter().collect();
    order.sort_unstable_by_key(|change| (change.owner, change.record));
    for siblings in order.chunk_by(|left, right| left.owner == right.owner) {
        let mut places = (0_u32..).zip(siblings);
        if let Some((place, change)) = places.find(|(place, change)| u32::from(change.ordinal) != *place) {
            let message = format!(
                "its ordinal is {}, and it is Change {place} of its Task, record {}, counted from 0",
                change.ordinal, change.owner
            );
            found.push(Disagreement {
                layout: &CHANGE,
                record: Some(change.record),
                rule: "F-1.2",
                message,
                remedy: None,
            });
        }
    }
}

impl Chain {
    /// Compares rows and links with the members that there are.
    fn find(&self, source: &dyn Source, members: &[Member], found: &mut Vec<Disagreement>) -> Result<()> {
        let (Some(rows), Some(owners)) = (resolve(source, self.rows)?, resolve(source, self.owners)?) else {
            return Ok(());
        };
        let (rows_len, owners_len) = (source.record_count(rows), source.record_count(owners));
        if rows_len > owners_len {
            let message = format!(
                "it has {rows_len} rows, {} has {owners_len} records; no change takes rows out",
                self.owners.file
            );
            found.push(self.wrong_row(None, message, None));
        }
        let mut order: Vec<&Member> = members.iter().collect();
        order.sort_unstable_by_key(|member| (member.owner, member.ordinal, member.record));
        let mut groups = order.chunk_by(|left, right| left.owner == right.owner).peekable();
        for owner in 0..owners_len {
            let siblings = groups.next_if(|group| group.first().is_some_and(|first| first.owner == owner));
            let siblings = siblings.unwrap_or_default();
            if !self.find_links(siblings, found) {
                continue;
            }
            let wanted = self.row_of(siblings);
            if owner >= rows_len {
                let message = format!("the row of record {owner} of {} is missing", self.owners.file);
                found.push(self.wrong_row(Some(owner), message, Some(Remedy::Append(wanted.to_vec()))));
                continue;
            }
            let mut row = [0; ROW_SIZE];
            source.read_record(rows, owner, &mut row)?;
            let compared = if self.ordinal { ..=NEXT } else { ..=COUNT.end - 1 };
            let (is, wanted) = (row.get(compared), wanted.get(compared));
            if let (Some(is), Some(wanted)) = (is, wanted)
                && is != wanted
            {
                let message = format!("it says {}; the records say {}", self.tell(is), self.tell(wanted));
                let bytes = wanted.to_vec();
                found.push(self.wrong_row(Some(owner), message, Some(Remedy::Patch { offset: 0, bytes })));
            }
        }
        Ok(())
    }

    /// Compares the links of one owner's members. `false`: two have one ordinal, so there is no order.
    fn find_links(&self, siblings: &[&Member], found: &mut Vec<Disagreement>) -> bool {
        let mut ordered = true;
        let mut previous: Option<&Member> = None;
        for member in siblings {
            let wanted = previous.map_or(0, |previous| previous.record.saturating_add(1));
            let twin = previous.filter(|previous| self.ordinal && previous.ordinal == member.ordinal);
            if let Some(twin) = twin {
                let message = format!(
                    "its ordinal {} is that of record {}, of the same owner, too",
                    member.ordinal, twin.record
                );
                found.push(self.wrong_member(member, self.unique, message, None));
                ordered = false;
            } else if ordered && member.link_plus1 != wanted {
                let message = format!("{} is {}; the records say {wanted}", self.link, member.link_plus1);
                let may = wanted == 0 || !member.first_only;
                let remedy = may.then(|| Remedy::Patch {
                    offset: self.link_offset,
                    bytes: wanted.to_le_bytes().to_vec(),
                });
                found.push(self.wrong_member(member, "F-1.2", message, remedy));
            }
            previous = Some(member);
        }
        ordered
    }

    /// The owner row of these members. The two shapes differ in the ordinal alone, which an inventory row has as 0.
    fn row_of(&self, siblings: &[&Member]) -> [u8; ROW_SIZE] {
        let latest = siblings.last();
        let next = latest
            .filter(|_| self.ordinal)
            .map_or(0, |last| last.ordinal.saturating_add(1));
        let row = TaskChangeIndexRecord {
            latest_change_index_plus1: latest.map_or(0, |last| last.record.saturating_add(1)).into(),
            change_count: u16::try_from(siblings.len()).unwrap_or(u16::MAX).into(),
            next_change_ordinal: next.min(ORDINALS),
            reserved0: 0,
        };
        zerocopy::transmute!(row)
    }

    fn tell(&self, row: &[u8]) -> String {
        let part = |range: std::ops::Range<usize>| {
            let bytes = row.get(range).unwrap_or_default().iter().rev();
            bytes.fold(0_u32, |value, byte| value << 8 | u32::from(*byte))
        };
        let latest = part(LATEST).checked_sub(1);
        let latest = latest.map_or("none".to_owned(), |latest| format!("record {latest}"));
        let next = self.ordinal.then(|| format!(", next ordinal {}", part(NEXT..NEXT + 1)));
        format!("latest {latest}, count {}{}", part(COUNT), next.unwrap_or_default())
    }

    fn wrong_row(&self, record: Option<u32>, message: String, remedy: Option<Remedy>) -> Disagreement {
        Disagreement {
            layout: self.rows,
            record,
            rule: "F-1.2",
            message,
            remedy,
        }
    }

    fn wrong_member(
        &self,
        member: &Member,
        rule: &'static str,
        message: String,
        remedy: Option<Remedy>,
    ) -> Disagreement {
        Disagreement {
            layout: self.members,
            record: Some(member.record),
            rule,
            message,
            remedy,
        }
    }
}
