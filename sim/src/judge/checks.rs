//! The judges' checks, one variant each, and what one of them found wrong.
//!
//! Every check can be left out, by [`crate::explore::Limits::skip`]: judging then goes on as if it did not exist. That
//! is how the simulator shows that each check is needed.

use std::fmt;

/// One check of the judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The steps run where nothing fails.
    Runs,
    /// After each step, where nothing fails, a reader sees what the model says.
    Model,
    /// Before recovery: a new byte of a stage implies every byte of the stages before it.
    Stages,
    /// Before recovery: no record refers to payload beyond the payload's end.
    References,
    /// A reader that does not recover gets an answer, or is told that recovery is needed.
    ReaderAnswers,
    /// A reader changes nothing on the disk.
    ReaderChangesNothing,
    /// Where a reader is shown something, the files hold an allowed state.
    ReaderIsShownAState,
    /// A reader that does not recover sees what the files hold.
    ReaderSees,
    /// Opening, which recovers, succeeds.
    Opens,
    /// After it the files hold an allowed state.
    Files,
    /// No file holds a step without every other file holding the steps before it, across families and zones.
    StepsInOrder,
    /// After it a reader sees what the files hold.
    Sees,
    /// The opener is shown the state that a reader was shown before.
    ReaderAndOpenerAgree,
    /// Opening answers that a sync failed in its recovery.
    FailedSyncIsTold,
    /// A second opening succeeds.
    OpensAgain,
    /// A second opening changes nothing on the disk.
    SecondOpeningChangesNothing,
    /// A second opening sees the same.
    SeesAgain,
    /// Another change commits after a recovery.
    AnotherCommits,
    /// It opens after another change and a cut.
    AnotherOpens,
    /// After another change every cut leaves that change and everything before it.
    AnotherSurvives,
    /// A failed call is told by the kind of its error, and never as damage.
    KindOfError,
    /// Whether a change may have happened is told as its stage has it.
    OutcomeOfError,
    /// No file vanishes because a call failed.
    NothingDeleted,
    /// After a failure that leaves it usable the same handle reads, and makes another change.
    HandleGoesOn,
    /// After any other failure the same handle answers nothing any more.
    PoisonedStays,
    /// A handle that is out of use writes nothing.
    DropWritesNothing,
    /// After a flip the files hold what they held but for it, and no other record is shown otherwise.
    FlipStaysAlone,
    /// Nothing panics.
    Panics,
}

impl Check {
    /// Every check, with what it is called.
    pub const TABLE: &[(Self, &str)] = &[
        (Self::Runs, "the steps run"),
        (Self::Model, "the model, step by step"),
        (Self::Stages, "stages in order, before recovery"),
        (Self::References, "references inside, before recovery"),
        (Self::ReaderAnswers, "a reader is answered"),
        (Self::ReaderChangesNothing, "a reader changes nothing"),
        (Self::ReaderIsShownAState, "a reader is shown a state"),
        (Self::ReaderSees, "what a reader sees"),
        (Self::Opens, "the opening"),
        (Self::Files, "the files against the model"),
        (Self::StepsInOrder, "steps in order, across families and zones"),
        (Self::Sees, "what an opener sees"),
        (Self::ReaderAndOpenerAgree, "reader and opener agree"),
        (Self::FailedSyncIsTold, "a failed sync is told"),
        (Self::OpensAgain, "a second opening opens"),
        (Self::SecondOpeningChangesNothing, "a second opening changes nothing"),
        (Self::SeesAgain, "what a second opening sees"),
        (Self::AnotherCommits, "another change commits"),
        (Self::AnotherOpens, "it opens after another change and a cut"),
        (Self::AnotherSurvives, "another change survives a cut"),
        (Self::KindOfError, "kinds of errors"),
        (Self::OutcomeOfError, "outcomes of errors"),
        (Self::NothingDeleted, "nothing is deleted"),
        (Self::HandleGoesOn, "the handle goes on"),
        (Self::PoisonedStays, "what is poisoned stays so"),
        (Self::DropWritesNothing, "dropping writes nothing"),
        (Self::FlipStaysAlone, "a flip stays alone"),
        (Self::Panics, "no panic"),
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        let row = Self::TABLE.iter().find(|(check, _)| *check == self);
        row.map_or("", |(_, name)| name)
    }

    /// What this check says is wrong.
    pub fn wrong(self, message: impl Into<String>) -> Wrong {
        Wrong {
            check: self,
            message: message.into(),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a check found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The check.
    pub check: Check,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_name_of_its_own() {
        // A variant without a row has no name, and its neighbours here would differ in count.
        let last = Check::Panics as usize;
        assert_eq!(Check::TABLE.len(), last + 1);
        let mut names: Vec<_> = Check::TABLE.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Check::TABLE.len());
        assert!(names.iter().all(|name| !name.is_empty()));
    }
}
