//! Lines: names whose heads move from Snapshot to Snapshot (F-2.4, W-LINE-03).

use std::fmt;

use super::{Index, Refusal, SnapshotKind, Store, optional, writable};

/// A Line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its head.
    pub head: Option<usize>,
    /// Whether it is in use.
    pub state: LineState,
    /// When it was made, in seconds.
    pub created_at_s: u64,
    /// When it was last changed, in seconds.
    pub updated_at_s: u64,
}

/// Whether a Line is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// In use.
    Live,
    /// Out of use; its name stays its own.
    Archived {
        /// Since when, in seconds.
        at_s: u64,
    },
    /// Gone; its name is free.
    Deleted {
        /// Since when it was out of use, in seconds.
        at_s: u64,
    },
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (state, at_s) = match self.state {
            LineState::Live => ("live", 0),
            LineState::Archived { at_s } => ("archived", at_s),
            LineState::Deleted { at_s } => ("deleted", at_s),
        };
        let head = optional(self.head);
        let (name, created, updated) = (&self.name, self.created_at_s, self.updated_at_s);
        write!(
            f,
            "{name:?} {state} {at_s} head {head} created {created} updated {updated}"
        )
    }
}

impl Store {
    fn free_name<'a>(&self, name: &'a str, own: Option<usize>) -> Result<&'a str, Refusal> {
        let name = writable(name, "W-CHANGE-61")?;
        let taken = |(index, line): (usize, &Line)| {
            line.name == name && !matches!(line.state, LineState::Deleted { .. }) && Some(index) != own
        };
        if self.lines.iter().enumerate().any(taken) {
            Err(Refusal::Refused("F-2.4"))
        } else {
            Ok(name)
        }
    }

    pub(super) fn check_head(&self, head: Option<usize>) -> Result<(), Refusal> {
        match head {
            Some(index) if index >= self.snapshots.len() => Err(Refusal::NotFound),
            Some(index) if !self.is_live_of_kind(index, SnapshotKind::Line) => Err(Refusal::Refused("W-LINE-03")),
            _ => Ok(()),
        }
    }

    pub(super) fn kept_line(&mut self, index: usize) -> Result<&mut Line, Refusal> {
        let line = self.lines.get_mut(index).ok_or(Refusal::NotFound)?;
        if matches!(line.state, LineState::Deleted { .. }) {
            Err(Refusal::NotFound)
        } else {
            Ok(line)
        }
    }

    pub(super) fn live_line(&mut self, index: usize) -> Result<&mut Line, Refusal> {
        let line = self.kept_line(index)?;
        if line.state == LineState::Live {
            Ok(line)
        } else {
            Err(Refusal::Refused("W-LINE-03"))
        }
    }

    pub(super) fn create_line(&mut self, now_s: u64, name: &str, head: Option<usize>) -> Index {
        let name = self.free_name(name, None)?.to_owned();
        self.check_head(head)?;
        self.lines.push(Line {
            name,
            head,
            state: LineState::Live,
            created_at_s: now_s,
            updated_at_s: now_s,
        });
        Ok(self.lines.len() - 1)
    }

    pub(super) fn rename_line(&mut self, now_s: u64, index: usize, name: &str) -> Index {
        writable(name, "W-CHANGE-61")?;
        self.live_line(index)?;
        let name = self.free_name(name, Some(index))?.to_owned();
        let line = self.live_line(index)?;
        if line.name != name {
            line.name = name;
            line.updated_at_s = now_s;
        }
        Ok(index)
    }

    pub(super) fn move_head(
        &mut self,
        now_s: u64,
        index: usize,
        expected: Option<usize>,
        head: Option<usize>,
    ) -> Index {
        if self.live_line(index)?.head != expected {
            return Err(Refusal::Conflict("F-2.4"));
        }
        self.check_head(head)?;
        let line = self.live_line(index)?;
        if line.head != head {
            line.head = head;
            line.updated_at_s = now_s;
        }
        Ok(index)
    }

    pub(super) fn archive_line(&mut self, now_s: u64, index: usize) -> Index {
        let line = self.live_line(index)?;
        line.state = LineState::Archived { at_s: now_s };
        line.updated_at_s = now_s;
        Ok(index)
    }

    pub(super) fn restore_line(&mut self, now_s: u64, index: usize) -> Index {
        let line = self.kept_line(index)?;
        if line.state == LineState::Live {
            return Err(Refusal::Refused("W-LINE-03"));
        }
        line.state = LineState::Live;
        line.updated_at_s = now_s;
        Ok(index)
    }

    pub(super) fn delete_line(&mut self, now_s: u64, index: usize) -> Index {
        let line = self.kept_line(index)?;
        let at_s = match line.state {
            LineState::Archived { at_s } => at_s,
            _ => now_s,
        };
        line.state = LineState::Deleted { at_s };
        line.updated_at_s = now_s;
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, Operation, Refusal, SnapshotKind, Store};

    #[test]
    fn a_deleted_lines_name_is_free_and_an_archived_ones_is_not() {
        let mut store = Store::default();
        let create = Operation::CreateLine {
            name: " main ".into(),
            head: None,
        };
        assert_eq!(store.apply(1, &create), Ok(Answered::Record(0)));
        assert_eq!(store.apply(2, &Operation::ArchiveLine(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(3, &create), Err(Refusal::Refused("F-2.4")));
        assert_eq!(store.apply(4, &Operation::DeleteLine(0)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(5, &create), Ok(Answered::Record(1)));
        assert_eq!(store.apply(6, &Operation::RestoreLine(0)), Err(Refusal::NotFound));
    }

    #[test]
    fn of_two_movers_of_a_head_one_is_told() {
        let mut store = Store::default();
        store.apply(1, &Operation::PutDirectory(vec![])).unwrap();
        let snapshot = Operation::CreateSnapshot {
            kind: SnapshotKind::Line,
            root: 0,
            created_at_s: 1,
            parents: vec![],
            line: None,
            message: String::new(),
        };
        store.apply(1, &snapshot).unwrap();
        store
            .apply(
                1,
                &Operation::CreateLine {
                    name: "main".into(),
                    head: None,
                },
            )
            .unwrap();
        let moved = Operation::MoveHead {
            line: 0,
            expected: None,
            head: Some(0),
        };
        assert_eq!(store.apply(2, &moved), Ok(Answered::Record(0)));
        assert_eq!(store.apply(3, &moved), Err(Refusal::Conflict("F-2.4")));
    }
}
