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
