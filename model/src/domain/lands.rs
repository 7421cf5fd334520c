//! Lands: the attempts to put a Change into a Line (W-LAND, F-2.7, G35).

use std::fmt;

use super::{Answer, Answered, ChangeFlag, Index, Lifecycle, Refusal, Store, not_before, optional};

/// How many Lands a Change can have.
pub const MOST_LANDS: usize = 64;

/// A Land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Land {
    /// Its Change.
    pub change: usize,
    /// Its ordinal among the Lands of its Change, from 0.
    pub ordinal: usize,
    /// The Line that it is to change.
    pub target_line: usize,
    /// How.
    pub mode: LandMode,
    /// Where it stands.
    pub status: LandStatus,
    /// The Line's head before it succeeded.
    pub pre_target: Option<usize>,
    /// When it was asked for, in seconds.
    pub submitted_at_s: u64,
    /// When it was last changed, in seconds.
    pub updated_at_s: u64,
}

/// How a Land changes its Line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LandMode {
    /// As it comes.
    Direct,
    /// By a merge.
    Merge,
    /// Only forward: the new head comes from the old one.
    FastForwardOnly,
}

/// Where a Land stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LandStatus {
    /// It waits.
    Queued,
    /// It is at work.
    Running,
    /// It is done.
    Succeeded {
        /// The Line's head after it.
        landed: usize,
    },
    /// Something is in the way.
    Blocked(FailureKind),
    /// It went wrong.
    Failed(FailureKind),
    /// It will not be done.
    Canceled,
    /// It is at work on the Line.
    Updating,
}

/// What is in the way of a Land, or went wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The Line has moved on.
    BaseStale,
    /// A policy forbids it.
    PolicyBlocked,
    /// A review forbids it.
    ReviewBlocked,
    /// A check forbids it.
    CiBlocked,
    /// The two do not fit together.
    Conflict,
    /// The Line could not be moved.
    TargetUpdateFailed,
    /// Something else.
    InternalError,
}

/// What is done with Lands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LandOperation {
    /// Asks for one.
    Submit {
        /// The Change.
        change: usize,
        /// The name of the Line.
        target_line: String,
        /// How.
        mode: LandMode,
    },
    /// Begins with it.
    Start(usize),
    /// Begins with its Line.
    BeginUpdate(usize),
    /// Something is in its way.
    Block {
        /// The Land.
        land: usize,
        /// What.
        why: FailureKind,
    },
    /// It went wrong.
    Fail {
        /// The Land.
        land: usize,
        /// How.
        why: FailureKind,
    },
    /// It will not be done.
    Cancel(usize),
    /// It is done, and its Line moves.
    Succeed {
        /// The Land.
        land: usize,
        /// The head that is expected.
        expected: Option<usize>,
        /// The head that the Line gets.
        landed: usize,
    },
    /// Asks for one and does it.
    Land {
        /// The Change.
        change: usize,
        /// The name of the Line.
        target_line: String,
        /// How.
        mode: LandMode,
        /// The head that is expected.
        expected: Option<usize>,
        /// The head that the Line gets.
        landed: usize,
    },
    /// Notes what was landed before: a completed Task, its landed Change, its Land. No Line moves.
    Record {
        /// The title of the Task and the Change.
        title: String,
        /// What the Task was for.
        intent: String,
        /// The Line.
        line: usize,
        /// Its head before.
        fork: Option<usize>,
        /// Its head after.
        landed: usize,
        /// How.
        mode: LandMode,
    },
}

/// A Land with what a reader sees of the records around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandSeen {
    /// The Land.
    pub land: Land,
    /// The ordinal of its Change.
    pub change_ordinal: usize,
    /// The Land of its Task before it, in the order of records.
    pub previous_of_task: Option<usize>,
    /// The Land of its Change before it, in the order of ordinals.
    pub previous_of_change: Option<usize>,
}

impl fmt::Display for LandSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let land = &self.land;
        write!(f, "change {} with ordinal {}", land.change, self.change_ordinal)?;
        write!(f, " ordinal {} {:?} {:?}", land.ordinal, land.status, land.mode)?;
        write!(f, " line {} before {}", land.target_line, optional(land.pre_target))?;
        write!(f, " submitted {} updated {}", land.submitted_at_s, land.updated_at_s)?;
        let (of_task, of_change) = (self.previous_of_task, self.previous_of_change);
        write!(
            f,
            " previous of task {} of change {}",
            optional(of_task),
            optional(of_change)
        )
    }
}

impl LandStatus {
    fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded { .. } => "succeeded",
            Self::Blocked(_) => "blocked",
            Self::Failed(_) => "failed",
            Self::Canceled => "canceled",
            Self::Updating => "updating",
        }
    }
}

impl Land {
    /// The head that its Line got; `None` where it has not succeeded.
    pub fn landed(&self) -> Option<usize> {
        match self.status {
            LandStatus::Succeeded { landed } => Some(landed),
            _ => None,
        }
    }
}

/// From which status to which one a Land goes; from those that are not on the left it never goes (G35, W-LAND-30).
const GRAPH: [(&str, &[&str]); 3] = [
    ("queued", &["running", "canceled"]),
    ("running", &["succeeded", "blocked", "failed", "canceled", "updating"]),
    ("updating", &["succeeded", "failed"]),
];

impl Store {
    pub(super) fn apply_land(&mut self, now_s: u64, operation: &LandOperation) -> Answer {
        use LandOperation as Operation;
        let index = match operation {
            Operation::Submit {
                change,
                target_line,
                mode,
            } => self.submit_land(now_s, *change, target_line, *mode),
            Operation::Start(land) => self.move_land(now_s, *land, LandStatus::Running),
            Operation::BeginUpdate(land) => self.move_land(now_s, *land, LandStatus::Updating),
            Operation::Block { land, why } => self.block_land(now_s, *land, *why),
            Operation::Fail { land, why } => self.move_land(now_s, *land, LandStatus::Failed(*why)),
            Operation::Cancel(land) => self.move_land(now_s, *land, LandStatus::Canceled),
            Operation::Succeed { land, expected, landed } => self.succeed_land(now_s, *land, *expected, *landed),
            Operation::Land {
                change,
                target_line,
                mode,
                expected,
                landed,
            } => return self.land(now_s, *change, target_line, *mode, *expected, *landed),
            Operation::Record {
                title,
                intent,
                line,
                fork,
                landed,
                mode,
            } => return self.record_landed(now_s, title, intent, *line, *fork, *landed, *mode),
        };
        index.map(Answered::Record)
    }

    /// The Lands of a Change, in their order.
    pub fn lands_of_change(&self, change: usize) -> impl Iterator<Item = usize> {
        let of_change = move |(_, land): &(usize, &Land)| land.change == change;
        self.lands.iter().enumerate().filter(of_change).map(|(index, _)| index)
    }

    /// The Lands of a Task, in the order of records.
    pub fn lands_of_task(&self, task: usize) -> impl Iterator<Item = usize> {
        let of_task = move |(_, land): &(usize, &Land)| self.changes[land.change].task == task;
        self.lands.iter().enumerate().filter(of_task).map(|(index, _)| index)
    }

    /// The Land that a Change is in its Line by: of those that succeeded, that with the highest ordinal.
    pub fn winning_land(&self, change: usize) -> Option<usize> {
        let succeeded = |land: &usize| self.lands[*land].landed().is_some();
        self.lands_of_change(change).filter(succeeded).last()
    }

    pub(super) fn land_seen(&self, index: usize) -> LandSeen {
        let land = self.lands[index];
        let change = &self.changes[land.change];
        let before = |other: &usize| *other < index;
        LandSeen {
            land,
            change_ordinal: change.ordinal,
            previous_of_task: self.lands_of_task(change.task).take_while(before).last(),
            previous_of_change: self.lands_of_change(land.change).take_while(before).last(),
        }
    }

    fn submit_land(&mut self, now_s: u64, change: usize, target_line: &str, mode: LandMode) -> Index {
        self.check_landable(change)?;
        let target_line = self.line_named(target_line, "W-LAND-34")?;
        self.add_land(now_s, change, target_line, mode)
    }

    /// A Change that is put away, or published, does not land here.
    pub(super) fn check_landable(&self, change: usize) -> Result<(), Refusal> {
        let change = self.changes.get(change).ok_or(Refusal::NotFound)?;
        if matches!(change.lifecycle, Lifecycle::Archived { .. }) || change.published.is_some() {
            Err(Refusal::Refused("F-2.7"))
        } else {
            Ok(())
        }
    }

    pub(super) fn add_land(&mut self, now_s: u64, change: usize, target_line: usize, mode: LandMode) -> Index {
        not_before(self.changes[change].created_at_s, now_s)?;
        let ordinal = self.lands_of_change(change).count();
        if ordinal == MOST_LANDS {
            return Err(Refusal::Exhausted(MOST_LANDS as u64));
        }
        self.lands.push(Land {
            change,
            ordinal,
            target_line,
            mode,
            status: LandStatus::Queued,
            pre_target: None,
            submitted_at_s: now_s,
            updated_at_s: now_s,
        });
        Ok(self.lands.len() - 1)
    }

    /// Whether a Land may go to a status at a time.
    pub(super) fn check_move(&self, now_s: u64, index: usize, to: LandStatus) -> Result<Land, Refusal> {
        let land = *self.lands.get(index).ok_or(Refusal::NotFound)?;
        let allowed = GRAPH.iter().find(|(from, _)| *from == land.status.name());
        if !allowed.is_some_and(|(_, allowed)| allowed.contains(&to.name())) {
            return Err(Refusal::Refused("G35"));
        }
        not_before(land.submitted_at_s, now_s)?;
        Ok(land)
    }

    fn move_land(&mut self, now_s: u64, index: usize, to: LandStatus) -> Index {
        self.check_move(now_s, index, to)?;
        self.set_status(now_s, index, to);
        Ok(index)
    }

    pub(super) fn set_status(&mut self, now_s: u64, index: usize, status: LandStatus) {
        self.lands[index].status = status;
        self.lands[index].updated_at_s = now_s;
    }

    /// A Change that is in its Line stays as it is: a later attempt undoes nothing (W-LAND-30). So does one that is put
    /// away.
    fn block_land(&mut self, now_s: u64, index: usize, why: FailureKind) -> Index {
        let land = self.check_move(now_s, index, LandStatus::Blocked(why))?;
        let change = &mut self.changes[land.change];
        if matches!(change.lifecycle, Lifecycle::Draft | Lifecycle::Active) {
            not_before(change.created_at_s, now_s)?;
            change.flags.insert(ChangeFlag::Blocked);
            change.flags.remove(&ChangeFlag::ReadyToLand);
            change.updated_at_s = now_s;
        }
        self.set_status(now_s, index, LandStatus::Blocked(why));
        Ok(index)
    }
}

#[cfg(test)]
mod tests;
