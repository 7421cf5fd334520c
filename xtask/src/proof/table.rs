//! What the page of the proof says of each claim beside the claim's own words.

/// Where the code stands that relies on a claim.
#[derive(Clone, Copy)]
pub enum Code {
    /// Comments of the engine name the claim.
    Named,
    /// The engine does not have that code; what it waits for.
    NotYet(&'static str),
}

/// One claim, or all claims whose names begin alike.
pub struct Row {
    /// The beginning of the claims' names, without `Claim_`.
    pub claims: &'static str,
    /// What is taken for granted beside the definitions.
    pub assumes: &'static str,
    pub code: Code,
    /// Tests and checks: the file and the function.
    pub checks: &'static [(&'static str, &'static str)],
    pub rules: &'static [&'static str],
}

const DISK: &str = "the disk of `Model/Disk.lean`: a sync that succeeds makes durable what was written to that file, \
                    and bytes that were not written do not change";

const DIGEST: &str =
    "the same disk; no other body, torn ones included, has the digest of an undo at hand (`Codec.Sound`)";
const REACH: &str = "the same disk; digests as before, and a new undo whose digest the mark does not hold (`Fresh`)";

const NAMES: &str = "the directory of `Model/Names.lean`: a rename is atomic, a sync of the directory makes its entries \
                     durable, a sync of a file its content, and before that each may or may not be there; no name leads \
                     to the new file before it is made; one process installs at a time";

pub const ROWS: &[Row] = &[
    Row {
        claims: "every_failure_is_trouble",
        assumes: DISK,
        code: Code::Named,
        checks: &[(
            "model/tests/exhaustive.rs",
            "a_single_change_is_all_old_or_all_new_after_any_four_faults",
        )],
        rules: &[],
    },
    Row {
        claims: "torn_undo_is_never_believed",
        assumes: DIGEST,
        code: Code::Named,
        checks: &[(
            "model/tests/planted.rs",
            "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
        )],
        rules: &[],
    },
    Row {
        claims: "mark_spends_one_undo",
        assumes: DIGEST,
        code: Code::Named,
        checks: &[(
            "model/tests/planted.rs",
            "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
        )],
        rules: &[],
    },
    Row {
        claims: "sequence_increases",
        assumes: DISK,
        code: Code::Named,
        checks: &[(
            "model/tests/planted.rs",
            "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
        )],
        rules: &[],
    },
    Row {
        claims: "spent_undo_is_left_alone",
        assumes: DIGEST,
        code: Code::Named,
        checks: &[(
            "model/tests/damage.rs",
            "after_a_durable_mark_recovery_leaves_every_damage_alone",
        )],
        rules: &[],
    },
    Row {
        claims: "recovery_is_",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "a_single_change_is_all_old_or_all_new_after_any_four_faults",
            ),
            (
                "model/tests/exhaustive.rs",
                "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
            ),
            (
                "model/tests/planted.rs",
                "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
            ),
        ],
        rules: &["S-TXN-04", "S-TXN-32"],
    },
    Row {
        claims: "acknowledged_is_all_new",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "a_single_change_is_all_old_or_all_new_after_any_four_faults",
            ),
            (
                "model/tests/exhaustive.rs",
                "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
            ),
            (
                "model/tests/planted.rs",
                "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
            ),
        ],
        rules: &[],
    },
    Row {
        claims: "known_is_kept",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "a_single_change_is_all_old_or_all_new_after_any_four_faults",
            ),
            (
                "model/tests/exhaustive.rs",
                "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
            ),
            (
                "model/tests/planted.rs",
                "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
            ),
        ],
        rules: &[],
    },
    Row {
        claims: "readers_see_no_halves",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "a_single_change_is_all_old_or_all_new_after_any_four_faults",
            ),
            (
                "model/tests/planted.rs",
                "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
            ),
        ],
        rules: &[],
    },
    Row {
        claims: "full_disk_undoes",
        assumes: REACH,
        code: Code::Named,
        checks: &[(
            "model/tests/exhaustive.rs",
            "a_single_change_is_all_old_or_all_new_after_any_four_faults",
        )],
        rules: &[],
    },
    Row {
        claims: "steps_are_guarded",
        assumes: REACH,
        code: Code::Named,
        checks: &[("model/src/protocol/invariants.rs", "before_step")],
        rules: &[],
    },
    Row {
        claims: "bytes_are_old_or_new",
        assumes: REACH,
        code: Code::Named,
        checks: &[("model/src/protocol/invariants.rs", "values_are_old_or_new")],
        rules: &[],
    },
    Row {
        claims: "foreign_byte_is_corrupt",
        assumes: DISK,
        code: Code::Named,
        checks: &[(
            "model/tests/damage.rs",
            "while_the_mark_is_not_durable_one_damaged_byte_is_completed_or_corrupt_but_not_rolled_back",
        )],
        rules: &[],
    },
    Row {
        claims: "evidence_out_of_order_is_corrupt",
        assumes: DISK,
        code: Code::Named,
        checks: &[(
            "model/tests/damage.rs",
            "without_the_two_rules_against_damage_an_acknowledged_change_is_rolled_back",
        )],
        rules: &[],
    },
    Row {
        claims: "stages_are_in_order",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            ("sim/src/judge/raw.rs", "stages_in_order"),
            ("sim/src/judge/raw.rs", "references_inside"),
        ],
        rules: &["W-TASK-17"],
    },
    Row {
        claims: "appended_records_stay",
        assumes: REACH,
        code: Code::Named,
        checks: &[(
            "model/tests/exhaustive.rs",
            "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
        )],
        rules: &["W-TASK-07"],
    },
    Row {
        claims: "torn_tail_is_gone",
        assumes: REACH,
        code: Code::Named,
        checks: &[(
            "model/tests/exhaustive.rs",
            "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
        )],
        rules: &[],
    },
    Row {
        claims: "group_is_",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "engine/tests/cases/groups.rs",
                "a_failed_sync_gives_every_member_the_same_outcome",
            ),
            (
                "model/tests/exhaustive.rs",
                "any_two_changes_of_one_zone_are_each_all_old_or_all_new_after_any_two_faults",
            ),
        ],
        rules: &[],
    },
    Row {
        claims: "nothing_is_seen_before_the_sync",
        assumes: REACH,
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "a_single_change_is_all_old_or_all_new_after_any_four_faults",
            ),
            (
                "model/tests/planted.rs",
                "every_dropped_rule_is_caught_by_what_callers_readers_and_openers_see",
            ),
        ],
        rules: &[],
    },
    Row {
        claims: "names_failure_is_trouble",
        assumes: NAMES,
        code: Code::Named,
        checks: &[
            (
                "engine/tests/cases/creating.rs",
                "ac17_a_create_that_fails_at_any_call_leaves_nothing_in_the_way",
            ),
            ("engine/tests/vfs_fault/cut_classes.rs", "cuts_and_kills_compose"),
        ],
        rules: &[],
    },
    Row {
        claims: "install_is_",
        assumes: NAMES,
        code: Code::Named,
        checks: &[(
            "engine/tests/cases/creating.rs",
            "ac19_what_was_created_backed_up_or_restored_is_there_after_every_cut",
        )],
        rules: &[],
    },
    Row {
        claims: "create_half_made_is_absent",
        assumes: NAMES,
        code: Code::Named,
        checks: &[(
            "engine/tests/cases/creating.rs",
            "ac17_ac18_a_create_that_is_killed_or_cut_anywhere_did_not_happen_or_did_and_can_be_done_again",
        )],
        rules: &[],
    },
    Row {
        claims: "compound_",
        assumes: "the abstract zone of `Model/Compound.lean`: a zone's part of the change is old, mixed or new and becomes \
                  what recovery writes, and a record is readable or not (the claims about one zone); all locks are held \
                  (the claims about locks); one change, from a state with nothing in doubt",
        code: Code::Named,
        checks: &[
            (
                "model/tests/exhaustive.rs",
                "any_two_changes_over_two_zones_are_each_all_old_or_all_new_after_a_fault_and_a_cut",
            ),
            (
                "model/src/protocol/compound/cells.rs",
                "random_changes_over_three_zones_keep_the_claims_through_kills_and_cuts",
            ),
        ],
        rules: &["S-TXN-31", "S-TXN-32"],
    },
    Row {
        claims: "locks_",
        assumes: "the operating system gives an exclusive lock to one descriptor at a time and a shared one only beside \
                  shared ones, and drops the locks of a process that dies; an agent is one handle, which asks for one \
                  lock at a time",
        code: Code::Named,
        checks: &[
            ("engine/src/disk/latch.rs", "one_descriptor_is_never_asked_for_both"),
            (
                "engine/tests/vfs_locks.rs",
                "ac28_two_handles_in_one_process_exclude_each_other",
            ),
            (
                "engine/tests/face/reading.rs",
                "f_0_4_the_workflow_roots_lock_comes_before_the_object_roots",
            ),
            (
                "model/src/protocol/locks.rs",
                "every_state_of_three_agents_and_two_zones_keeps_the_claims",
            ),
        ],
        rules: &["F-0.4", "S-LOCK-02"],
    },
    Row {
        claims: "closure_",
        assumes: "a change of the registry's rows is all old or all new after recovery, together with what a purge writes \
                  in other zones; a sync of a directory makes its entries durable, and an entry is there or not",
        code: Code::NotYet("the registry comes with its own issue"),
        checks: &[(
            "model/src/protocol/closure.rs",
            "every_crash_of_every_create_retire_and_purge_of_three_repositories_keeps_the_claims",
        )],
        rules: &["S-REG-10", "S-REG-71", "S-TXN-31", "S-TXN-32", "S-DIR-11"],
    },
    Row {
        claims: "queue_",
        assumes: "a job's row changes as a whole and is durable when the operation is answered (the claims about \
                  transactions); 16 bytes of entropy never come twice",
        code: Code::NotYet("the worker queue comes with the registry"),
        checks: &[(
            "model/src/protocol/queue/tests.rs",
            "random_operations_and_crashes_keep_the_claims",
        )],
        rules: &[
            "S-JOB-15",
            "S-JOB-43",
            "S-JOB-49",
            "S-JOB-51",
            "S-LEASE-04",
            "S-LEASE-06",
            "S-LEASE-11",
            "S-LEASE-12",
            "S-LEASE-13",
            "S-TXN-20",
            "S-TXN-21",
            "S-TXN-22",
            "S-TXN-24",
            "S-TXN-25",
            "S-TXN-26",
        ],
    },
];
