//! The way to a disk, as one line of text, there and back.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use graven::vfs::fault::{CutPlan, FailedSync};

/// A failure of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It answers this code.
    Errno(i32),
    /// It answers this code, and so does every later call that may answer it.
    Sticky(i32),
    /// It is a sync that answers this code and leaves this.
    Sync(i32, FailedSync),
    /// It moves at most so many bytes.
    Short(u64),
}

/// One call that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The call, from 1.
    pub operation: u64,
    /// How.
    pub failure: Failure,
}

/// How a process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Normal,
    /// Killed before a call, or inside a write after so many bytes.
    Kill {
        /// The call, from 1.
        operation: u64,
        /// The bytes of the write that had reached the cache.
        written: Option<u64>,
    },
    /// By itself, after these calls failed, in their order.
    Fail(Vec<FailedCall>),
}

/// One edge of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The workload's steps, in one process.
    Run(End),
    /// An opening, which recovers.
    Open(End),
    /// A power cut.
    Cut(CutPlan),
    /// Clean bytes that the medium does not hold vanish.
    Evict,
}

/// The way from the prepared disk to a node; ways share the edges that they have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Arc<Edge>>);

impl Path {
    /// The path with one more edge.
    #[must_use]
    pub fn with(&self, edge: Edge) -> Self {
        let mut edges = self.0.clone();
        edges.push(Arc::new(edge));
        Self(edges)
    }
}

impl<const N: usize> From<[Edge; N]> for Path {
    fn from(edges: [Edge; N]) -> Self {
        edges.into_iter().collect()
    }
}

impl FromIterator<Edge> for Path {
    fn from_iter<I: IntoIterator<Item = Edge>>(edges: I) -> Self {
        Self(edges.into_iter().map(Arc::new).collect())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => Ok(()),
            Self::Kill {
                operation,
                written: None,
            } => write!(f, " kill={operation}"),
            Self::Kill {
                operation,
                written: Some(written),
            } => write!(f, " kill={operation}:{written}"),
            Self::Fail(calls) => {
                for (at, call) in calls.iter().enumerate() {
                    write!(f, "{}{call}", if at == 0 { " fail=" } else { "+" })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for FailedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation;
        match &self.failure {
            Failure::Errno(errno) => write!(f, "{operation}:errno-{errno}"),
            Failure::Sticky(errno) => write!(f, "{operation}:sticky-{errno}"),
            Failure::Short(bytes) => write!(f, "{operation}:short-{bytes}"),
            Failure::Sync(errno, left) => {
                let known = FAILED_SYNCS.iter().find(|(_, variant)| variant == left);
                write!(f, "{operation}:{}-{errno}", known.map_or("", |(name, _)| name))
            }
        }
    }
}

/// The three failed syncs of assumption 4, by name.
pub const FAILED_SYNCS: [(&str, FailedSync); 3] = [
    ("lost", FailedSync::ReadableButLost),
    ("reverted", FailedSync::Reverted),
    ("dirty", FailedSync::StillDirty),
];

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, edge) in self.0.iter().enumerate() {
            if at > 0 {
                write!(f, " / ")?;
            }
            match &**edge {
                Edge::Run(end) => write!(f, "run{end}")?,
                Edge::Open(end) => write!(f, "open{end}")?,
                Edge::Cut(plan) => write!(f, "cut {plan}")?,
                Edge::Evict => write!(f, "evict")?,
            }
        }
        Ok(())
    }
}

impl FromStr for End {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no end of a process");
        if text.is_empty() {
            return Ok(Self::Normal);
        }
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        match text.split_once('=').ok_or_else(wrong)? {
            ("kill", at) => match at.split_once(':') {
                None => Ok(Self::Kill {
                    operation: number(at)?,
                    written: None,
                }),
                Some((at, written)) => Ok(Self::Kill {
                    operation: number(at)?,
                    written: Some(number(written)?),
                }),
            },
            ("fail", calls) => Ok(Self::Fail(calls.split('+').map(str::parse).collect::<Result<_, _>>()?)),
            _ => Err(wrong()),
        }
    }
}

impl FromStr for FailedCall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no failed call");
        let (at, failure) = text.split_once(':').ok_or_else(wrong)?;
        let (kind, value) = failure.split_once('-').ok_or_else(wrong)?;
        let errno = || value.parse::<i32>().map_err(|_| wrong());
        let failure = match kind {
            "errno" => Failure::Errno(errno()?),
            "sticky" => Failure::Sticky(errno()?),
            "short" => Failure::Short(value.parse().map_err(|_| wrong())?),
            name => {
                let known = FAILED_SYNCS.iter().find(|(known, _)| *known == name);
                Failure::Sync(errno()?, known.ok_or_else(wrong)?.1)
            }
        };
        let operation = at.parse().map_err(|_| wrong())?;
        Ok(Self { operation, failure })
    }
}

impl FromStr for Path {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let edge = |text: &str| {
            let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
            match verb {
                "run" => Ok(Edge::Run(rest.parse()?)),
                "open" => Ok(Edge::Open(rest.parse()?)),
                "cut" => Ok(Edge::Cut(rest.parse().map_err(|error| format!("{error}"))?)),
                "evict" => Ok(Edge::Evict),
                _ => Err(format!("`{verb}` is no edge")),
            }
        };
        line.split(" / ")
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| edge(text).map(Arc::new))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_line_there_and_back() {
        let call = |operation, failure| FailedCall { operation, failure };
        let fail = |failure| End::Fail(vec![call(9, failure)]);
        let path = Path::from([
            Edge::Run(End::Kill {
                operation: 41,
                written: Some(8),
            }),
            Edge::Cut("rest=lost 3=kept 4=0..8;len=kept".parse().expect("a plan")),
            Edge::Open(End::Kill {
                operation: 7,
                written: None,
            }),
            Edge::Evict,
            Edge::Open(fail(Failure::Sync(5, FailedSync::Reverted))),
            Edge::Run(fail(Failure::Errno(28))),
            Edge::Run(fail(Failure::Sticky(28))),
            Edge::Run(fail(Failure::Short(0))),
            Edge::Run(End::Fail(vec![
                call(7, Failure::Sticky(28)),
                call(12, Failure::Sync(5, FailedSync::StillDirty)),
            ])),
            Edge::Open(End::Normal),
        ]);
        assert_eq!(path.to_string().parse(), Ok(path));
    }
}
