//! Every rule of the protocol dropped once: the exhaustive check must find the harm, or the check has no teeth.

use graven_model::protocol::explore::scope::{
    A, Action, Scope, append_record, append_with_payload, compound, compound_append, every_stage, inner_only,
    overwrite, state_last,
};
use graven_model::protocol::explore::{Build, Checks, explore};
use graven_model::protocol::rules::{Protocol, Rule};

/// A dropped rule, the workload that shows why it is needed, and how many faults that takes.
struct Planted {
    rule: Rule,
    scope: Scope,
    faults: u8,
}

fn planted(rule: Rule, scope: Scope, faults: u8) -> Planted {
    Planted { rule, scope, faults }
}

fn one(builds: &[Build]) -> Scope {
    Scope::one_zone(&builds.iter().map(|build| Action::Change(*build)).collect::<Vec<_>>())
}

fn two(builds: &[Build]) -> Scope {
    Scope::two_zones(&builds.iter().map(|build| Action::Change(*build)).collect::<Vec<_>>())
}

fn dropped_rules() -> Vec<Planted> {
    let thrice: &[Build] = &[overwrite, overwrite, overwrite];
    let install = Scope::one_zone(&[Action::Change(overwrite), Action::Install(A, vec![3, 3])]);
    vec![
        planted(Rule::UndoIsSyncedFirst, one(&[overwrite]), 1),
        planted(Rule::StagesAreSynced, one(&[state_last]), 1),
        planted(Rule::CommitIsSyncedBeforeItIsAcknowledged, one(&[overwrite]), 1),
        planted(Rule::FailedSyncPoisons, one(&[overwrite]), 2),
        planted(Rule::SpentMeansDigest, one(thrice), 2),
        planted(Rule::SequenceFollowsTheMark, one(thrice), 3),
        planted(Rule::NonceIsFresh, one(thrice), 3),
        planted(Rule::RecoveryMakesTheUndoDurable, one(&[append_record]), 2),
        planted(Rule::RecoveryWritesWhatReadsRight, one(&[overwrite]), 2),
        planted(Rule::RecoverySyncsBeforeItSpends, one(&[overwrite]), 2),
        planted(Rule::RollbackIsReversed, one(&[every_stage]), 2),
        planted(Rule::LengthsAreReasserted, one(&[append_record]), 3),
        planted(Rule::GrowthIsNoEvidence, one(&[append_with_payload]), 2),
        planted(Rule::OneByteOfGrowthIsNothing, one(&[append_record]), 3),
        planted(Rule::ReadersRefuseAnyUnspentUndo, one(&[overwrite]), 2),
        planted(Rule::InstallRetiresTheUndo, install, 1),
        planted(Rule::ExternalsAreSynced, two(&[compound]), 1),
        planted(Rule::ExternalsAreMadeDurable, two(&[compound_append]), 2),
        planted(Rule::OnlyNamedZonesAreSettled, two(&[compound, inner_only]), 1),
        planted(Rule::StaleExternalsAreSpent, two(&[compound]), 1),
        planted(Rule::InnerZoneWaitsForTheOuter, two(&[compound]), 1),
    ]
}

#[test]
fn every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see() {
    for Planted { rule, scope, faults } in dropped_rules() {
        let found = explore(&scope, Protocol::without(rule), faults, Checks::Outcomes);
        assert!(found.is_err(), "{rule:?} was dropped and nothing was found: {found:?}");
    }
}

#[test]
fn with_every_rule_the_same_workloads_have_no_finding() {
    for Planted { rule, scope, faults } in dropped_rules() {
        if let Err(finding) = explore(&scope, Protocol::WHOLE, faults, Checks::Everything) {
            panic!("the workload of {rule:?}: {finding}");
        }
    }
}
