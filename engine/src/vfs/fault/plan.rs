//! What a power cut keeps and loses, as a value: one line of text, there and back.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// What becomes of the operations that a plan does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// They are lost.
    Lost,
    /// They persisted whole.
    Kept,
}

/// What stands in the part of a grown file whose bytes did not persist (assumption 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Fill {
    /// Zeros.
    #[default]
    Zero,
    /// The bytes that were written.
    Written,
    /// Anything: the harsh mode.
    Garbage,
}

/// What becomes of the length that an operation has grown (assumption 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// The growth is lost.
    Lost,
    /// It persisted whole.
    Kept,
    /// The file ends here, between the old length and the new one.
    At(u64),
}

/// What becomes of one operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Nothing of it persisted.
    Lost,
    /// All of it persisted.
    Kept,
    /// For changes of a file: some bytes of a write persisted, and some of its growth.
    Torn {
        /// The bytes that persisted, relative to the start of the write, ascending; the length is told apart.
        bytes: Vec<Range<u64>>,
        /// What became of the length.
        length: Length,
    },
}

/// A power cut: what becomes of each pending operation. Ordinals are those of
/// [`FaultDisk::pending`](super::FaultDisk::pending).
///
/// Its text form is one line, such as `rest=lost fill=written 0=kept 3=0..8+16..24;len=kept`, and parses back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CutPlan {
    /// What becomes of operations without a choice of their own.
    pub rest: Rest,
    /// What fills grown parts without bytes.
    pub fill: Fill,
    /// Breaks the one promise the disk gives (bytes outside a write are untouched): a torn write garbles the blocks
    /// of this size that it touches. 0: the promise holds. For reports, not for gates.
    pub spill: u64,
    /// The choices, by ordinal.
    pub choices: BTreeMap<usize, Choice>,
}

impl CutPlan {
    /// Everything unsynced is lost.
    pub fn all_lost() -> Self {
        Self::of(Rest::Lost)
    }

    /// Everything unsynced persisted.
    pub fn all_kept() -> Self {
        Self::of(Rest::Kept)
    }

    fn of(rest: Rest) -> Self {
        Self {
            rest,
            fill: Fill::Zero,
            spill: 0,
            choices: BTreeMap::new(),
        }
    }

    /// The same plan with a choice for one operation.
    #[must_use]
    pub fn with(mut self, ordinal: usize, choice: Choice) -> Self {
        self.choices.insert(ordinal, choice);
        self
    }

    /// The same plan with another fill.
    #[must_use]
    pub fn filled(mut self, fill: Fill) -> Self {
        self.fill = fill;
        self
    }

    /// What becomes of one operation.
    pub fn choice(&self, ordinal: usize) -> &Choice {
        self.choices.get(&ordinal).unwrap_or(match self.rest {
            Rest::Lost => &Choice::Lost,
            Rest::Kept => &Choice::Kept,
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, length) = match self {
            Self::Lost => return out.write_str("lost"),
            Self::Kept => return out.write_str("kept"),
            Self::Torn { bytes, length } => (bytes, length),
        };
        if bytes.is_empty() {
            out.write_str("none")?;
        }
        for (at, range) in bytes.iter().enumerate() {
            let plus = if at == 0 { "" } else { "+" };
            write!(out, "{plus}{}..{}", range.start, range.end)?;
        }
        match length {
            Length::Lost => out.write_str(";len=lost"),
            Length::Kept => out.write_str(";len=kept"),
            Length::At(len) => write!(out, ";len={len}"),
        }
    }
}

impl fmt::Display for CutPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.rest {
            Rest::Lost => "rest=lost",
            Rest::Kept => "rest=kept",
        })?;
        match self.fill {
            Fill::Zero => {}
            Fill::Written => out.write_str(" fill=written")?,
            Fill::Garbage => out.write_str(" fill=garbage")?,
        }
        if self.spill > 0 {
            write!(out, " spill={}", self.spill)?;
        }
        for (ordinal, choice) in &self.choices {
            write!(out, " {ordinal}={choice}")?;
        }
        Ok(())
    }
}

/// Why a plan cannot be read or does not fit a disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A word of the line means nothing.
    #[error("`{0}` is no part of a cut plan")]
    Word(String),
    /// The plan speaks of an operation that is not pending.
    #[error("the plan speaks of operation {ordinal}, but {pending} are pending")]
    NoSuchOperation {
        /// The ordinal in the plan.
        ordinal: usize,
        /// How many operations are pending.
        pending: usize,
    },
    /// Only changes of a file can be torn, and only inside the written range.
    #[error("operation {ordinal} cannot be torn like this")]
    NotTearable {
        /// The ordinal in the plan.
        ordinal: usize,
    },
}

impl FromStr for Choice {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let wrong = || PlanError::Word(text.to_owned());
        match text {
            "lost" => return Ok(Self::Lost),
            "kept" => return Ok(Self::Kept),
            _ => {}
        }
        let (ranges, length) = text.split_once(";len=").ok_or_else(wrong)?;
        let length = match length {
            "lost" => Length::Lost,
            "kept" => Length::Kept,
            len => Length::At(len.parse().map_err(|_| wrong())?),
        };
        let mut bytes = Vec::new();
        for range in ranges.split('+').filter(|_| ranges != "none") {
            let (start, end) = range.split_once("..").ok_or_else(wrong)?;
            bytes.push(start.parse().map_err(|_| wrong())?..end.parse().map_err(|_| wrong())?);
        }
        Ok(Self::Torn { bytes, length })
    }
}

impl FromStr for CutPlan {
    type Err = PlanError;

    fn from_str(line: &str) -> Result<Self, PlanError> {
        let mut plan = Self::all_lost();
        for word in line.split_whitespace() {
            let wrong = || PlanError::Word(word.to_owned());
            match word.split_once('=').ok_or_else(wrong)? {
                ("rest", "lost") => plan.rest = Rest::Lost,
                ("rest", "kept") => plan.rest = Rest::Kept,
                ("fill", "zero") => plan.fill = Fill::Zero,
                ("fill", "written") => plan.fill = Fill::Written,
                ("fill", "garbage") => plan.fill = Fill::Garbage,
                ("spill", block) => plan.spill = block.parse().map_err(|_| wrong())?,
                (ordinal, choice) => {
                    plan.choices
                        .insert(ordinal.parse().map_err(|_| wrong())?, choice.parse()?);
                }
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, CutPlan, Fill, Length, PlanError};

    #[test]
    fn a_plan_is_one_line_there_and_back() {
        let torn = |bytes: &[(u64, u64)], length| Choice::Torn {
            bytes: bytes.iter().map(|(start, end)| *start..*end).collect(),
            length,
        };
        let mut plan = CutPlan::all_kept()
            .filled(Fill::Garbage)
            .with(0, Choice::Lost)
            .with(2, torn(&[(0, 8), (16, 24)], Length::At(40)))
            .with(3, torn(&[], Length::Kept))
            .with(17, torn(&[(1, 2)], Length::Lost))
            .with(18, Choice::Kept);
        plan.spill = 512;
        let line = plan.to_string();
        let expected = "rest=kept fill=garbage spill=512 0=lost 2=0..8+16..24;len=40 3=none;len=kept \
                        17=1..2;len=lost 18=kept";
        assert_eq!(line, expected);
        assert_eq!(line.parse(), Ok(plan));
        assert_eq!("rest=lost".parse(), Ok(CutPlan::all_lost()));
    }

    #[test]
    fn a_line_that_is_no_plan_names_the_word() {
        for (line, word) in [
            ("rest=some", "rest"),
            ("kept", "kept"),
            ("0=3..x;len=kept", "3..x;len=kept"),
            ("x=kept", "x=kept"),
        ] {
            let Err(PlanError::Word(said)) = line.parse::<CutPlan>() else {
                panic!("`{line}` must not parse")
            };
            assert!(said.contains(word), "{said}");
        }
    }
}
