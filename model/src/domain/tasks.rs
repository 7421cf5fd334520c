//! Tasks: what is to be done, closed once and for all (W-TASK, F-2.1).

use std::fmt;

use super::{Index, Refusal, Store, not_before, optional, written};

/// The bytes of a title and an intent together, at most: 2 more say how long the title is.
const LONGEST_TEXTS: usize = 65_535 - 2;

/// A Task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its title.
    pub title: String,
    /// What it is for.
    pub intent: String,
    /// Whether it is planned.
    pub planned: bool,
    /// Whether it is closed, and how.
    pub status: TaskStatus,
    /// When it was closed, in seconds.
    pub closed_at_s: Option<u64>,
    /// The Task that it is elsewhere, and since when, in seconds.
    pub published: Option<(usize, u64)>,
    /// When it was made, in seconds.
    pub created_at_s: u64,
    /// When it was last changed, in seconds.
    pub updated_at_s: u64,
}

/// Whether a Task is closed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    /// It is open.
    Active,
    /// It is done.
    Completed,
    /// It will not be done.
    Canceled,
    /// It will not be done here.
    Abandoned,
}

/// What is done with Tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOperation {
    /// Creates one.
    Create {
        /// Its title.
        title: String,
        /// What it is for.
        intent: String,
        /// Whether it is planned.
        planned: bool,
    },
    /// Closes one: it is done.
    Complete(usize),
    /// Closes one: it will not be done.
    Cancel(usize),
    /// Closes one: it will not be done here.
    Abandon(usize),
    /// Notes which Task it is elsewhere.
    Publish {
        /// The Task.
        task: usize,
        /// The Task elsewhere.
        remote: usize,
    },
}

/// The records that a record owns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owned {
    /// The latest.
    pub latest: Option<usize>,
    /// How many there are.
    pub count: usize,
    /// Which they are, in their order.
    pub members: Vec<usize>,
    /// The ordinal of the next, where the owner gives ordinals.
    pub next: Option<usize>,
}

/// A Task with what a reader sees of the records around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSeen {
    /// The Task.
    pub task: Task,
    /// Its Changes.
    pub changes: Owned,
    /// The Lands of its Changes.
    pub lands: Owned,
}

impl fmt::Display for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} latest {}", self.count, self.members, optional(self.latest))?;
        self.next.map_or(Ok(()), |next| write!(f, " next {next}"))
    }
}

impl fmt::Display for TaskSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = &self.task;
        let closed = task.closed_at_s.unwrap_or(0);
        let planned = if task.planned { " planned" } else { "" };
        write!(
            f,
            "{:?} {:?} {:?} {closed}{planned}",
            task.title, task.intent, task.status
        )?;
        write!(f, " published {:?}", task.published)?;
        write!(f, " created {} updated {}", task.created_at_s, task.updated_at_s)?;
        write!(f, " changes {} lands {}", self.changes, self.lands)
    }
}

/// The records of a list that belong to an owner: how many, and the last.
pub(super) fn owned(members: impl Iterator<Item = usize>, gives_ordinals: bool) -> Owned {
    let members: Vec<usize> = members.collect();
    Owned {
        latest: members.last().copied(),
        count: members.len(),
        next: gives_ordinals.then_some(members.len()),
        members,
    }
}

/// A Task's texts as they are kept: without the white space around them, neither empty, together not too long.
fn texts<'a>(title: &'a str, intent: &'a str) -> Result<(&'a str, &'a str), Refusal> {
    let title = written(title, LONGEST_TEXTS, "F-2.1")?;
    let intent = written(intent, LONGEST_TEXTS - title.len(), "F-2.1")?;
    Ok((title, intent))
}

impl Store {
    pub(super) fn apply_task(&mut self, now_s: u64, operation: &TaskOperation) -> Index {
        match operation {
            TaskOperation::Create { title, intent, planned } => self.create_task(now_s, title, intent, *planned),
            TaskOperation::Complete(task) => self.close_task(now_s, *task, TaskStatus::Completed),
            TaskOperation::Cancel(task) => self.close_task(now_s, *task, TaskStatus::Canceled),
            TaskOperation::Abandon(task) => self.close_task(now_s, *task, TaskStatus::Abandoned),
            TaskOperation::Publish { task, remote } => self.publish_task(now_s, *task, *remote),
        }
    }

    pub(super) fn task_seen(&self, index: usize) -> TaskSeen {
        TaskSeen {
            task: self.tasks[index].clone(),
            changes: owned(self.changes_of_task(index), true),
            lands: owned(self.lands_of_task(index), false),
        }
    }

    pub(super) fn create_task(&mut self, now_s: u64, title: &str, intent: &str, planned: bool) -> Index {
        let (title, intent) = texts(title, intent)?;
        self.tasks.push(Task {
            title: title.to_owned(),
            intent: intent.to_owned(),
            planned,
            status: TaskStatus::Active,
            closed_at_s: None,
            published: None,
            created_at_s: now_s,
            updated_at_s: now_s,
        });
        Ok(self.tasks.len() - 1)
    }

    pub(super) fn close_task(&mut self, now_s: u64, index: usize, status: TaskStatus) -> Index {
        let task = self.tasks.get_mut(index).ok_or(Refusal::NotFound)?;
        if task.status != TaskStatus::Active {
            return Err(Refusal::Refused("W-TASK-18"));
        }
        not_before(task.created_at_s, now_s)?;
        task.status = status;
        task.closed_at_s = Some(now_s);
        task.updated_at_s = now_s;
        Ok(index)
    }

    fn publish_task(&mut self, now_s: u64, index: usize, remote: usize) -> Index {
        let task = self.tasks.get_mut(index).ok_or(Refusal::NotFound)?;
        match task.published {
            Some((published, _)) if published == remote => Ok(index),
            Some(_) => Err(Refusal::Conflict("F-2.1")),
            None => {
                not_before(task.created_at_s, now_s)?;
                task.published = Some((remote, now_s));
                task.updated_at_s = now_s;
                Ok(index)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, Operation, Refusal, Store};
    use super::*;

    type Closer = (fn(usize) -> TaskOperation, TaskStatus);

    const CLOSERS: [Closer; 3] = [
        (TaskOperation::Complete, TaskStatus::Completed),
        (TaskOperation::Cancel, TaskStatus::Canceled),
        (TaskOperation::Abandon, TaskStatus::Abandoned),
    ];

    fn create(store: &mut Store, now_s: u64, title: &str, intent: &str) -> super::super::Answer {
        let (title, intent, planned) = (title.to_owned(), intent.to_owned(), true);
        store.apply(
            now_s,
            &Operation::Task(TaskOperation::Create { title, intent, planned }),
        )
    }

    fn publish(task: usize, remote: usize) -> Operation {
        Operation::Task(TaskOperation::Publish { task, remote })
    }

    fn one_task() -> Store {
        let mut store = Store::default();
        assert_eq!(create(&mut store, 5, " a title\t", "\nwhy "), Ok(Answered::Record(0)));
        store
    }

    /// W-TASK-15, F-2.1: a new Task is open, and its texts lose the white space around them.
    #[test]
    fn a_new_task_is_open_and_its_texts_are_trimmed() {
        let store = one_task();
        let task = &store.tasks[0];
        assert_eq!((&*task.title, &*task.intent), ("a title", "why"));
        assert_eq!((task.status, task.closed_at_s), (TaskStatus::Active, None));
    }

    /// F-2.1: neither text is empty, and together with two bytes they fit into 65,535.
    #[test]
    fn empty_and_too_long_texts_are_refused() {
        let mut store = Store::default();
        let long = "x".repeat(65_533);
        for (title, intent) in [("", "b"), ("a", " \t"), (&long, "b"), ("a", &long)] {
            assert_eq!(create(&mut store, 1, title, intent), Err(Refusal::Refused("F-2.1")));
        }
        assert_eq!(create(&mut store, 1, "a", &long[1..]), Ok(Answered::Record(0)));
    }

    /// W-TASK-18: no close after a close, of whatever kind.
    #[test]
    fn a_closed_task_is_neither_closed_again_nor_reopened() {
        for (first, status) in CLOSERS {
            let mut store = one_task();
            assert_eq!(store.apply(6, &Operation::Task(first(0))), Ok(Answered::Record(0)));
            assert_eq!((store.tasks[0].status, store.tasks[0].closed_at_s), (status, Some(6)));
            for (second, _) in CLOSERS {
                let before = store.clone();
                let answer = store.apply(7, &Operation::Task(second(0)));
                assert_eq!(answer, Err(Refusal::Refused("W-TASK-18")));
                assert_eq!(store, before);
            }
        }
    }

    /// W-TASK-21, F-1: time 0 closes nothing, nor does a time before the Task was made.
    #[test]
    fn a_task_is_not_closed_at_an_impossible_time() {
        for now_s in [0, 4] {
            for (close, _) in CLOSERS {
                let mut store = one_task();
                let answer = store.apply(now_s, &Operation::Task(close(0)));
                assert_eq!(answer, Err(Refusal::Refused("F-1")));
                assert_eq!(store, one_task());
            }
        }
    }

    /// W-TASK-14: publishing a closed Task moves its time of change and not its time of closing.
    #[test]
    fn publishing_a_closed_task_keeps_the_time_of_closing() {
        let mut store = one_task();
        store.apply(6, &Operation::Task(TaskOperation::Complete(0))).unwrap();
        assert_eq!(store.apply(9, &publish(0, 0)), Ok(Answered::Record(0)));
        let task = &store.tasks[0];
        assert_eq!(
            (task.closed_at_s, task.updated_at_s, task.published),
            (Some(6), 9, Some((0, 9)))
        );
    }

    /// F-2.1: a second publication elsewhere is a conflict, the same one again changes nothing.
    #[test]
    fn a_task_is_published_once() {
        let mut store = one_task();
        store.apply(6, &publish(0, 3)).unwrap();
        let published = store.clone();
        assert_eq!(store.apply(7, &publish(0, 3)), Ok(Answered::Record(0)));
        assert_eq!(store.apply(7, &publish(0, 4)), Err(Refusal::Conflict("F-2.1")));
        assert_eq!(store, published);
    }

    /// W-TASK-07, W-TASK-08: whatever is done, a Task keeps its place.
    #[test]
    fn tasks_keep_their_places() {
        let mut store = one_task();
        create(&mut store, 6, "second", "why").unwrap();
        create(&mut store, 7, "third", "why").unwrap();
        store.apply(8, &Operation::Task(TaskOperation::Cancel(1))).unwrap();
        store.apply(9, &publish(0, 2)).unwrap();
        let titles: Vec<&str> = store.tasks.iter().map(|task| &*task.title).collect();
        assert_eq!(titles, ["a title", "second", "third"]);
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for (close, _) in CLOSERS {
            let answer = one_task().apply(9, &Operation::Task(close(1)));
            assert_eq!(answer, Err(Refusal::NotFound));
        }
        assert_eq!(one_task().apply(9, &publish(1, 0)), Err(Refusal::NotFound));
    }
}
