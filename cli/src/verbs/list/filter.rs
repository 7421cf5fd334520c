//! Which records `graven list` shows: by state, owner, Line and time.

use graven::format::{ChangeIndex, ChangeStatus, LineIndex, TaskIndex, TaskStatus, UnixSeconds};
use graven::{Change, Land, Snapshot, Store, Task};

use crate::verbs::arguments::{By, Filters, Kind, List};
use crate::verbs::describe::work;
use crate::verbs::failure::Failure;
use crate::verbs::reference::{Names, Works};

/// What every record that is shown fulfils.
pub struct Filter {
    all: bool,
    states: Vec<String>,
    task: Option<TaskIndex>,
    change: Option<ChangeIndex>,
    line: Option<LineIndex>,
    since: UnixSeconds,
    until: Option<UnixSeconds>,
    /// Which time is asked about and shown.
    pub by: By,
}

/// Whether a filter was asked for.
type IsAsked = fn(&Filters) -> bool;

/// The kinds that each filter is made for. A filter that no record can fulfil is a mistake, and told as one.
const KINDS: [(&str, &[Kind], IsAsked); 7] = [
    ("--state", &[Kind::Tasks, Kind::Changes, Kind::Lands], |filters| {
        !filters.state.is_empty()
    }),
    ("--task", &[Kind::Changes, Kind::Lands], |filters| {
        filters.task.is_some()
    }),
    ("--change", &[Kind::Lands], |filters| filters.change.is_some()),
    ("--line", &[Kind::Changes, Kind::Lands, Kind::Stashes], |filters| {
        filters.line.is_some()
    }),
    ("--since", WORK, |filters| filters.since.is_some()),
    ("--until", WORK, |filters| filters.until.is_some()),
    ("--by", &[Kind::Tasks, Kind::Changes, Kind::Lands], |filters| {
        filters.by.is_some()
    }),
];

const WORK: &[Kind] = &[Kind::Tasks, Kind::Changes, Kind::Lands, Kind::Stashes];

impl Filter {
    /// The filter that was asked for, its names resolved in the store of now.
    pub fn new(arguments: &List, store: &Store) -> Result<Self, Failure> {
        let asked = &arguments.filters;
        for (name, kinds, is_asked) in KINDS {
            if is_asked(asked) && !kinds.contains(&arguments.kind) {
                let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                return Err(Failure::usage(format!("{name} is for {}", kinds.join(", "))));
            }
        }
        for state in &asked.state {
            require_state(state, arguments.kind)?;
        }
        let mut filter = Self {
            all: arguments.all,
            states: asked.state.clone(),
            task: None,
            change: None,
            line: None,
            since: UnixSeconds(asked.since.unwrap_or(0)),
            until: asked.until.map(UnixSeconds),
            by: asked.by.unwrap_or_default(),
        };
        if asked.task.is_some() || asked.change.is_some() || asked.line.is_some() {
            filter.find_owners(asked, store)?;
        }
        Ok(filter)
    }

    fn find_owners(&mut self, asked: &Filters, store: &Store) -> Result<(), Failure> {
        let view = store.view()?;
        let works = Works::in_view(&view, store.namespace())?;
        if let Some(task) = &asked.task {
            self.task = Some(works.task(task)?.index());
        }
        if let Some(change) = &asked.change {
            self.change = Some(works.change(change)?.index());
        }
        if let Some(line) = &asked.line {
            self.line = Some(Names::in_view(&view)?.line(line)?.index());
        }
        Ok(())
    }

    /// Whether a record that is in use, or not, may be shown.
    pub fn shows(&self, live: bool) -> bool {
        live || self.all
    }

    /// Whether that Task is shown.
    pub fn task(&self, task: &Task<'_>) -> bool {
        let time = match self.by {
            By::Created => task.created_at_s,
            By::Updated => task.updated_at_s,
        };
        self.shows(!task.hidden)
            && self.state(task.status.as_str(), task.status == TaskStatus::Active)
            && self.time(Some(time))
    }

    /// Whether that Change is shown.
    pub fn change(&self, change: &Change<'_>) -> bool {
        let time = match self.by {
            By::Created => change.created_at_s,
            By::Updated => change.updated_at_s,
        };
        self.state(change.status().as_str(), change.status().is_open())
            && asked_for(self.task, change.task)
            && asked_for(self.line, change.base_line)
            && self.time(Some(time))
    }

    /// Whether that Land is shown.
    pub fn land(&self, land: &Land<'_>) -> Result<bool, Failure> {
        let time = match self.by {
            By::Created => land.submitted_at_s,
            By::Updated => Some(land.updated_at_s),
        };
        let shown = self.shows(!land.tombstoned)
            && self.state(land.status.as_str(), !land.status.is_terminal())
            && asked_for(self.change, land.change)
            && asked_for(self.line, land.target_line)
            && self.time(time);
        if !shown || self.task.is_none() {
            return Ok(shown);
        }
        Ok(asked_for(self.task, land.owner()?.task))
    }

    /// Whether a Stash with that Snapshot is shown.
    pub fn stash(&self, tombstoned: bool, content: &Snapshot<'_>) -> bool {
        let line = self.line.is_none() || self.line == content.line;
        self.shows(!tombstoned) && line && self.time(Some(content.created_at_s))
    }

    fn state(&self, state: &str, open: bool) -> bool {
        let fits = |asked: &String| match asked.as_str() {
            "open" => open,
            "closed" => !open,
            asked => asked == state,
        };
        self.states.is_empty() || self.states.iter().any(fits)
    }

    /// An unknown time is before every time that is asked for.
    fn time(&self, time: Option<UnixSeconds>) -> bool {
        let time = time.unwrap_or_default();
        self.since <= time && self.until.is_none_or(|until| time < until)
    }
}

fn asked_for<T: Copy + PartialEq>(asked: Option<T>, found: T) -> bool {
    asked.is_none_or(|asked| asked == found)
}

fn require_state(state: &str, kind: Kind) -> Result<(), Failure> {
    let states: Vec<&str> = match kind {
        Kind::Tasks => TaskStatus::ALL.map(TaskStatus::as_str).to_vec(),
        Kind::Changes => ChangeStatus::ALL.map(ChangeStatus::as_str).to_vec(),
        _ => work::LAND_STATES.to_vec(),
    };
    if ["open", "closed"].contains(&state) || states.contains(&state) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "no state of {} is {state:?}; there are open, closed, {}",
        kind.as_str(),
        states.join(", ")
    )))
}
