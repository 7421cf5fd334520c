//! What the text of an argument names: a Line, a Tag, a Snapshot; a Task, a Change, a Land, a Stash.

use graven::format::{
    ChangeIndex, ChangeOrdinal, IdentityError, LandOrdinal, LineIndex, Namespace, SnapshotId, SnapshotIndex,
    StashIndex, TaskId, TaskIndex, TaskScope,
};
use graven::{
    Change, Changes, ErrorKind, Land, Lands, Line, Lines, Rows, Snapshot, Snapshots, Stash, Stashes, Tags, Task, Tasks,
    Txn, View, Workflow,
};

use super::failure::Failure;

/// What can be named in a view or through a transaction's pending writes.
pub struct Names<'v> {
    lines: Rows<Lines<'v>>,
    tags: Rows<Tags<'v>>,
    snapshots: Rows<Snapshots<'v>>,
    stashes: Rows<Stashes<'v>>,
}

impl<'v> Names<'v> {
    /// The names in a view.
    pub fn in_view(view: &'v View<'_, Workflow>) -> Result<Self, Failure> {
        Ok(Self {
            lines: view.lines()?,
            tags: view.tags()?,
            snapshots: view.snapshots()?,
            stashes: view.stashes()?,
        })
    }

    /// The names in a transaction.
    pub fn in_transaction(txn: &'v Txn<'_, Workflow>) -> Result<Self, Failure> {
        Ok(Self {
            lines: txn.lines()?,
            tags: txn.tags()?,
            snapshots: txn.snapshots()?,
            stashes: txn.stashes()?,
        })
    }

    /// The Line of that name or `LNE-…`; deleted ones only by the latter.
    pub fn line(&self, text: &str) -> Result<Line<'v>, Failure> {
        if let Ok(index) = text.parse::<LineIndex>() {
            return Ok(self.lines.get(index)?);
        }
        let found = self.lines.by_name(text)?;
        found.ok_or_else(|| Failure::not_found(format!("the Line {text:?}")))
    }

    /// The name of the Line that `text` names, for operations that find it by that. What is no `LNE-…` is handed on as
    /// it is, so that the operation says by which rule there is no such Line.
    pub fn line_name(&self, text: &str) -> Result<String, Failure> {
        let Ok(index) = text.parse::<LineIndex>() else {
            return Ok(text.to_owned());
        };
        let name = self.line(text)?.name()?;
        match self.lines.by_name(&name)? {
            Some(line) if line.index() == index => Ok(name),
            // Its name may be another one's by now.
            _ => Err(Failure::not_found(format!("the Line {index} (it is deleted)"))),
        }
    }

    /// The Snapshot that `text` names: `SNP-…`, `STH-…`, `LNE-…` or a Line's name (its head), a Tag's name, `line:NAME`,
    /// `tag:NAME`.
    pub fn snapshot(&self, text: &str) -> Result<Snapshot<'v>, Failure> {
        if let Ok(id) = text.parse::<SnapshotId>() {
            let found = self.snapshots.by_id(id)?;
            return found.ok_or_else(|| Failure::not_found(format!("the Snapshot {id}")));
        }
        if let Ok(index) = text.parse::<StashIndex>() {
            return self.at(live_stash(&self.stashes, index)?.snapshot);
        }
        if let Some(name) = text.strip_prefix("line:") {
            return self.at(head(&self.line(name)?)?);
        }
        if let Some(name) = text.strip_prefix("tag:") {
            let tag = self.tags.by_name(name)?;
            return self.at(tag
                .ok_or_else(|| Failure::not_found(format!("the Tag {name:?}")))?
                .snapshot);
        }
        if text.parse::<LineIndex>().is_ok() {
            return self.at(head(&self.line(text)?)?);
        }
        match (self.lines.by_name(text)?, self.tags.by_name(text)?) {
            (None, None) => Err(Failure::not_found(format!("a Snapshot, Line or Tag {text:?}"))),
            (Some(line), None) => self.at(head(&line)?),
            (None, Some(tag)) => self.at(tag.snapshot),
            (Some(line), Some(tag)) if line.head == Some(tag.snapshot) => self.at(tag.snapshot),
            (Some(_), Some(_)) => Err(Failure::usage(format!(
                "a Line and a Tag are both called {text:?} and name different Snapshots: say line:{text} or tag:{text}"
            ))),
        }
    }

    /// Splits `SNAPSHOT:PATH` at the first colon whose left side names a Snapshot: names may hold colons too.
    pub fn snapshot_and_path<'t>(&self, text: &'t str) -> Result<(Snapshot<'v>, &'t str), Failure> {
        let mut first_failure = None;
        for (at, _) in text.match_indices(':') {
            let (name, path) = text.split_at(at);
            match self.snapshot(name) {
                Ok(snapshot) => return Ok((snapshot, path.get(1..).unwrap_or_default())),
                Err(failure @ (Failure::NotFound(_) | Failure::Usage(_))) => {
                    first_failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(first_failure.unwrap_or_else(|| Failure::usage(format!("{text:?} is not SNAPSHOT:PATH"))))
    }

    fn at(&self, index: SnapshotIndex) -> Result<Snapshot<'v>, Failure> {
        Ok(self.snapshots.get(index)?)
    }
}

fn head(line: &Line<'_>) -> Result<SnapshotIndex, Failure> {
    line.head
        .ok_or_else(|| Failure::not_found(format!("a head of the Line {}", line.index())))
}

/// The Tasks, Changes, Lands and Stashes of a view or a transaction, by their identities (F-1.1).
pub struct Works<'v> {
    /// What stands in every Task's identity.
    pub namespace: Namespace,
    /// The Tasks.
    pub tasks: Rows<Tasks<'v>>,
    /// The Changes.
    pub changes: Rows<Changes<'v>>,
    /// The Lands.
    pub lands: Rows<Lands<'v>>,
    /// The Stashes.
    pub stashes: Rows<Stashes<'v>>,
    /// The Lines that Changes come from and Lands go to.
    pub lines: Rows<Lines<'v>>,
    /// The Snapshots that they all name.
    pub snapshots: Rows<Snapshots<'v>>,
}

impl<'v> Works<'v> {
    /// What stands in a view of a store of that namespace.
    pub fn in_view(view: &'v View<'_, Workflow>, namespace: Namespace) -> Result<Self, Failure> {
        Ok(Self {
            namespace,
            tasks: view.tasks()?,
            changes: view.changes()?,
            lands: view.lands()?,
            stashes: view.stashes()?,
            lines: view.lines()?,
            snapshots: view.snapshots()?,
        })
    }

    /// What stands in a transaction on a store of that namespace.
    pub fn in_transaction(txn: &'v Txn<'_, Workflow>, namespace: Namespace) -> Result<Self, Failure> {
        Ok(Self {
            namespace,
            tasks: txn.tasks()?,
            changes: txn.changes()?,
            lands: txn.lands()?,
            stashes: txn.stashes()?,
            lines: txn.lines()?,
            snapshots: txn.snapshots()?,
        })
    }

    /// The identity of the Task of that index.
    pub fn task_id(&self, index: TaskIndex) -> TaskId {
        TaskId {
            scope: TaskScope::Local,
            namespace: self.namespace,
            index,
        }
    }

    /// The Task of that identity, unless it is hidden: then it is looked up as unknown (G01, assigned by us).
    pub fn task(&self, text: &str) -> Result<Task<'v>, Failure> {
        let id: TaskId = text.parse().map_err(|error| malformed(text, error))?;
        if id.scope == TaskScope::Remote {
            let own = self.task_id(id.index);
            return Err(Failure::usage(format!(
                "{id} is a Task of the remote; those of this store are {own} and the like (F-1.1)"
            )));
        }
        if id.namespace != self.namespace {
            let own = self.task_id(id.index);
            return Err(Failure::usage(format!(
                "{id} is a Task of another namespace; those of this store are {own} and the like (F-0.6)"
            )));
        }
        let task = found(self.tasks.get(id.index), || format!("the Task {id}"))?;
        if task.hidden {
            return Err(Failure::not_found(format!("the Task {id}")));
        }
        Ok(task)
    }

    /// The Change of that identity: `LT-0001/C-01`, or `C-01` where only one Task has a Change of that ordinal (F-1.1).
    pub fn change(&self, text: &str) -> Result<Change<'v>, Failure> {
        let Some((task, ordinal)) = text.split_once('/') else {
            return self.bare_change(text);
        };
        let ordinal: ChangeOrdinal = ordinal.parse().map_err(|error| malformed(text, error))?;
        let task = self.task(task)?;
        let change = self.changes.by_ordinal(task.index(), ordinal)?;
        change.ok_or_else(|| Failure::not_found(format!("the Change {text}")))
    }

    fn bare_change(&self, text: &str) -> Result<Change<'v>, Failure> {
        let ordinal: ChangeOrdinal = text.parse().map_err(|error| malformed(text, error))?;
        let mut only: Option<Change<'v>> = None;
        for row in self.changes.clone() {
            let (_, change) = row?;
            if change.ordinal != ordinal || self.tasks.get(change.task)?.hidden {
                continue;
            }
            if let Some(other) = only {
                let (one, another) = (self.task_id(other.task), self.task_id(change.task));
                return Err(Failure::usage(format!(
                    "more than one Task has a {ordinal}: say {one}/{ordinal} or {another}/{ordinal} (F-1.1)"
                )));
            }
            only = Some(change);
        }
        only.ok_or_else(|| Failure::not_found(format!("a Change {ordinal}")))
    }

    /// The Land of that identity, also a deleted one: a Change's, a slash, and `L-01`.
    pub fn land(&self, text: &str) -> Result<Land<'v>, Failure> {
        let (change, ordinal) = text.rsplit_once('/').unwrap_or(("", text));
        let ordinal: LandOrdinal = ordinal.parse().map_err(|error| malformed(text, error))?;
        if change.is_empty() {
            return Err(Failure::usage(format!(
                "{text:?} does not say of which Change: LT-0001/C-01/{ordinal} does (F-1.1)"
            )));
        }
        let change = self.change(change)?;
        let land = self.lands.by_ordinal(change.index(), ordinal)?;
        land.ok_or_else(|| Failure::not_found(format!("the Land {text}")))
    }

    /// The Stash of that identity, unless it is deleted.
    pub fn stash(&self, text: &str) -> Result<Stash<'v>, Failure> {
        live_stash(&self.stashes, text.parse().map_err(|error| malformed(text, error))?)
    }

    /// The reference to the Change of that index. A damaged one has none, and what belongs to it can be told all the
    /// same.
    pub fn change_ref(&self, index: ChangeIndex) -> Result<String, Failure> {
        match self.changes.get(index) {
            Ok(change) => Ok(format!("{}/{}", self.task_id(change.task), change.ordinal)),
            Err(error) if error.is_corrupt() => Ok(format!("damaged Change record {}", index.get())),
            Err(error) => Err(error.into()),
        }
    }
}

fn live_stash<'v>(stashes: &Rows<Stashes<'v>>, index: StashIndex) -> Result<Stash<'v>, Failure> {
    let stash = found(stashes.get(index), || format!("the Stash {index}"))?;
    if stash.tombstoned {
        return Err(Failure::not_found(format!("the Stash {index} (it is deleted)")));
    }
    Ok(stash)
}

/// A record, whose absence is told by its identity.
fn found<T>(answer: graven::Result<T>, what: impl FnOnce() -> String) -> Result<T, Failure> {
    match answer {
        Err(error) if *error.kind() == ErrorKind::NotFound => Err(Failure::not_found(what())),
        answer => Ok(answer?),
    }
}

fn malformed(text: &str, error: IdentityError) -> Failure {
    Failure::usage(format!("{text:?} is {error}"))
}
