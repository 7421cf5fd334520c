//! The checks of the judges that no mutant needs: whatever they notice, another check or a test notices, too.
//!
//! `just mutants` leaves out each check in turn. One without which some mutant survives has shown what it is for; every
//! other one has a row here with its reason, and a row of a check that has shown itself is stale.

use crate::judge::checks::Check;

/// The checks, each with its reason.
pub const TABLE: &[(Check, &str)] = &[
    (
        Check::References,
        "the order of the stages is broken on the same disks; its own test makes it speak",
    ),
    (Check::ReaderAnswers, OPENER),
    (Check::ReaderChangesNothing, NOT_SHOWN),
    (Check::ReaderIsShownAState, OPENER),
    (Check::ReaderSees, OPENER),
    (Check::Files, "what an opener sees differs with the files"),
    (
        Check::StepsInOrder,
        "it says of what the files hold more exactly what is wrong; its own tests make it speak",
    ),
    (Check::Sees, "the files differ from the model, too"),
    (
        Check::ReaderAndOpenerAgree,
        "each of the two is compared with the model by itself",
    ),
    (Check::FailedSyncIsTold, NOT_SHOWN),
    (Check::OpensAgain, REST),
    (Check::SecondOpeningChangesNothing, REST),
    (Check::SeesAgain, REST),
    (Check::AnotherCommits, NOT_SHOWN),
    (
        Check::AnotherOpens,
        "another cut behind the further change opens, to a state that is none",
    ),
    (Check::KindOfError, NOT_SHOWN),
    (Check::OutcomeOfError, NOT_SHOWN),
    (
        Check::NothingDeleted,
        "no planted bug shows to it alone; a test has a subject that tidies up, which it finds",
    ),
    (Check::HandleGoesOn, NOT_SHOWN),
    (
        Check::PoisonedStays,
        "the planted bug for it, a handle that goes on, is looked for by a test",
    ),
    (Check::DropWritesNothing, NOT_SHOWN),
    (
        Check::FlipStaysAlone,
        "flips are made beside crash images, not under planted bugs; its own test makes it speak",
    ),
    (Check::Panics, NOT_SHOWN),
];

/// What a reader is shown wrongly an opener finds wrong as well.
const OPENER: &str = "the opening of the same disk, or what it leaves, is wrong as well";
/// A recovery that is not at rest.
const REST: &str = "a recovery that is not at rest leaves wrong files, or another change does not survive";
/// The honest gap.
const NOT_SHOWN: &str = "no planted bug shows to it alone yet";

/// Every check by name, with its reason where it has one.
pub fn table() -> serde_json::Value {
    let reason = |check| {
        TABLE
            .iter()
            .find(|(known, _)| *known == check)
            .map(|(_, reason)| *reason)
    };
    let row = |(check, name): &(Check, &str)| serde_json::json!({ "name": name, "reason": reason(*check) });
    Check::TABLE.iter().map(row).collect()
}
