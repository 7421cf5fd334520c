//! A schedule as text, there and back: who leaves the usual order at which named moment, and how.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A moment of a run: before a call of a task, or where it has nothing to do. Named, so that it means the same while the
/// engine's other calls come and go.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The task, by its place in the scenario.
    pub task: usize,
    /// What it is about to do: a call with the path inside the store, `begins` a step, `waits`, `ends`.
    pub what: Arc<str>,
    /// Which time the task is about to do just that, from 1.
    pub nth: u32,
}

/// What happens there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Another task goes on.
    Switch(usize),
    /// The task's process is killed before the call.
    Kill,
    /// It is killed in the write, after so many bytes.
    Tear(u64),
    /// The sync fails, and what it should have made durable is lost while it stays readable.
    Fail,
}

/// One departure from the usual order, in which a task runs until it waits or ends, and then the first that can run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice {
    /// When.
    pub point: Point,
    /// What.
    pub action: Action,
}

/// The departures of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Schedule(pub Vec<Choice>);

impl Schedule {
    /// The schedule with one departure more.
    #[must_use]
    pub fn and(&self, point: &Point, action: Action) -> Self {
        let mut choices = self.0.clone();
        choices.push(Choice {
            point: point.clone(),
            action,
        });
        Self(choices)
    }
}

/// A task's name: A, B, C...
pub fn name_of(task: usize) -> char {
    u8::try_from(task).map_or('?', |task| char::from(b'A'.saturating_add(task)))
}

fn task_of(name: &str) -> Result<usize, String> {
    match name.as_bytes() {
        [letter @ b'A'..=b'Z'] => Ok(usize::from(letter - b'A')),
        _ => Err(format!("`{name}` is no task")),
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} #{}", name_of(self.task), self.what, self.nth)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the usual order");
        }
        for (at, Choice { point, action }) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("; ")?;
            }
            match action {
                Action::Switch(to) => write!(f, "{point} > {}", name_of(*to))?,
                Action::Kill => write!(f, "{point} > kill")?,
                Action::Tear(bytes) => write!(f, "{point} > kill after {bytes}")?,
                Action::Fail => write!(f, "{point} > fail")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "the usual order" {
            return Ok(Self::default());
        }
        text.split("; ").map(choice).collect::<Result<_, _>>().map(Self)
    }
}

fn choice(text: &str) -> Result<Choice, String> {
    let wrong = || format!("`{text}` is no `TASK CALL #N > WHAT`");
    let (point, action) = text.rsplit_once(" > ").ok_or_else(wrong)?;
    let (task, rest) = point.split_once(' ').ok_or_else(wrong)?;
    let (what, nth) = rest.rsplit_once(" #").ok_or_else(wrong)?;
    let action = match action.strip_prefix("kill after ") {
        Some(bytes) => Action::Tear(bytes.parse().map_err(|_| wrong())?),
        None => match action {
            "kill" => Action::Kill,
            "fail" => Action::Fail,
            task => Action::Switch(task_of(task)?),
        },
    };
    let point = Point {
        task: task_of(task)?,
        what: what.into(),
        nth: nth.parse().map_err(|_| wrong())?,
    };
    Ok(Choice { point, action })
}
