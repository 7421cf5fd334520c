//! The table of planted bugs: what each is, where it shows, and which check has to notice it.

use super::planted::{Planted, Shown};
use crate::judge::checks::Check;

/// Every planted bug, one row each.
pub const TABLE: &[Planted] = &[
    Planted {
        name: "accept_a_torn_undo",
        what: "an undo is believed although its digest is wrong",
        shown: Shown::Judges(&["replace"], &[Check::Opens]),
    },
    Planted {
        name: "acknowledge_before_the_commit_sync",
        what: "the commit stage is not synced before the answer",
        shown: Shown::Judges(&["append"], &[Check::AnotherSurvives, Check::Files]),
    },
    Planted {
        name: "count_a_reasserted_byte_as_begun",
        what: "the byte by which a length is re-asserted counts as the beginning of a commit",
        shown: Shown::Judges(&["append"], &[Check::Files]),
    },
    Planted {
        name: "count_no_change_in_its_owners_row",
        what: "a Change is not counted in the row of its Task",
        shown: Shown::Judges(&["change-create"], &[Check::Runs]),
    },
    Planted {
        name: "create_a_file_without_syncing_it",
        what: "a new file's bytes are not synced",
        shown: Shown::Judges(
            &["create"],
            &[Check::AnotherOpens, Check::Opens, Check::AnotherSurvives],
        ),
    },
    Planted {
        name: "delete_a_living_creators_aside",
        what: "what a creator prepares aside is removed although he lives",
        shown: Shown::Test("cases", "ac18_a_second_creator_leaves_what_a_living_one_prepares"),
    },
    Planted {
        name: "end_a_task_in_one_write",
        what: "a Task's state is written with its time",
        shown: Shown::Judges(&["task-complete"], &[Check::Stages]),
    },
    Planted {
        name: "forget_the_truncation",
        what: "a rollback leaves files at the length they had grown to",
        shown: Shown::Judges(&["append"], &[Check::Opens, Check::Files]),
    },
    Planted {
        name: "go_on_after_a_failure",
        what: "a handle whose sync failed is not put out of use",
        shown: Shown::Test("cases", "ac02_after_a_failed_sync_every_call_answers_poisoned"),
    },
    Planted {
        name: "ignore_a_failed_sync",
        what: "a sync that failed counts as one that did not",
        shown: Shown::Judges(&["append"], &[Check::OutcomeOfError, Check::Opens, Check::Files]),
    },
    Planted {
        name: "install_without_syncing_the_directory",
        what: "a directory gets its name before its entries are durable",
        shown: Shown::Judges(&["create"], &[Check::AnotherSurvives, Check::AnotherOpens]),
    },
    Planted {
        name: "install_without_syncing_the_parent",
        what: "a directory's name is not made durable",
        shown: Shown::Judges(&["create"], &[Check::AnotherSurvives, Check::AnotherOpens]),
    },
    Planted {
        name: "judge_before_resyncing",
        what: "recovery acts on an undo that is only readable",
        shown: Shown::Judges(&["append"], &[Check::ReaderAnswers, Check::Files, Check::Opens]),
    },
    Planted {
        name: "keep_the_old_time_of_a_changed_line",
        what: "a changed Line keeps the time of its last change",
        shown: Shown::Judges(&["line-move-rename"], &[Check::Model]),
    },
    Planted {
        name: "leave_the_change_counter",
        what: "a commit does not move the change counter",
        shown: Shown::Test("store_zone", "a_cache_never_outlives_a_foreign_change"),
    },
    Planted {
        name: "leave_the_name_of_a_replaced_file_unsynced",
        what: "the name of a replaced file is not made durable",
        shown: Shown::Test(
            "cursor",
            "w_cursor_03_a_save_that_is_killed_or_cut_anywhere_leaves_the_old_cursor_or_the_new_one",
        ),
    },
    Planted {
        name: "let_a_land_succeed_in_the_commit_stage",
        what: "a Land's state is written with its commit point",
        shown: Shown::Judges(&["land-succeed"], &[Check::Stages]),
    },
    Planted {
        name: "let_a_reader_pass_an_unspent_undo",
        what: "a reader goes on although the last writer died",
        shown: Shown::Judges(&["append"], &[Check::ReaderIsShownAState, Check::ReaderAnswers]),
    },
    Planted {
        name: "lose_a_members_error",
        what: "a refused member of a group is not told why",
        shown: Shown::Test("cases", "a_member_that_panics_or_is_refused_costs_the_others_nothing"),
    },
    Planted {
        name: "mark_before_restoring",
        what: "recovery marks the undo as spent before it has acted",
        shown: Shown::Judges(&["append"], &[Check::ReaderAnswers, Check::Files, Check::Opens]),
    },
    Planted {
        name: "one_sync_for_fields_and_commit",
        what: "the fields are not durable before the commit point is written",
        shown: Shown::Judges(&["state-last"], &[Check::OutcomeOfError, Check::Stages]),
    },
    Planted {
        name: "release_the_lock_before_the_commit",
        what: "the lock is given up before the commit has begun",
        shown: Shown::Test("cases", "ac41_no_authority_byte_is_written_without_the_lock"),
    },
    Planted {
        name: "restore_forwards",
        what: "a rollback restores the first stage first",
        shown: Shown::Judges(&["every-stage"], &[Check::Stages, Check::Opens]),
    },
    Planted {
        name: "retry_a_failed_sync",
        what: "a sync that failed is made again and believed",
        shown: Shown::Judges(&["append"], &[Check::OutcomeOfError, Check::Opens, Check::Files]),
    },
    Planted {
        name: "reuse_a_payload_range",
        what: "a payload is said to stand where an older one stands",
        shown: Shown::Judges(&["object-put"], &[Check::Runs]),
    },
    Planted {
        name: "serve_a_stale_cache",
        what: "a cache outlives a change of another process",
        shown: Shown::Test("store_zone", "a_cache_never_outlives_a_foreign_change"),
    },
    Planted {
        name: "skip_payload_sync",
        what: "a payload is not durable before its record is written",
        shown: Shown::Judges(&["append"], &[Check::AnotherOpens, Check::Opens, Check::Stages]),
    },
    Planted {
        name: "skip_the_external_record",
        what: "an inner zone gets no record of a change over several zones",
        shown: Shown::Judges(&["compound"], &[Check::Runs]),
    },
    Planted {
        name: "skip_the_syncs_of_recovery",
        what: "what recovery writes is not synced",
        shown: Shown::Judges(&["append"], &[Check::AnotherOpens, Check::Files, Check::Opens]),
    },
    Planted {
        name: "skip_undo_sync",
        what: "the undo is not durable before authority is written",
        shown: Shown::Judges(&["append"], &[Check::AnotherOpens, Check::Files, Check::Opens]),
    },
    Planted {
        name: "spend_early",
        what: "the undo is marked as spent before the change is written",
        shown: Shown::Judges(
            &["append"],
            &[Check::AnotherSurvives, Check::Files, Check::ReaderAnswers],
        ),
    },
    Planted {
        name: "spend_without_settling",
        what: "recovery marks the undo as spent and does nothing else",
        shown: Shown::Judges(&["append"], &[Check::AnotherSurvives, Check::Files, Check::Opens]),
    },
    Planted {
        name: "tell_the_first_member_alone",
        what: "a failed commit is told to the first member of a group alone",
        shown: Shown::Test("cases", "a_failed_sync_gives_every_member_the_same_outcome"),
    },
    Planted {
        name: "trust_a_field_before_the_digest",
        what: "what the head of an undo says is believed before its digest is looked at",
        shown: Shown::Judges(&["append"], &[Check::KindOfError, Check::Opens]),
    },
    Planted {
        name: "trust_the_length_that_is_read",
        what: "a length that reads as wanted is not re-asserted",
        shown: Shown::Judges(&["every-stage"], &[Check::AnotherSurvives, Check::Files]),
    },
    Planted {
        name: "trust_what_is_readable",
        what: "a change that reads as whole is not made durable",
        shown: Shown::Judges(&["append"], &[Check::AnotherSurvives, Check::Files]),
    },
    Planted {
        name: "undo_over_foreign_bytes",
        what: "recovery writes over bytes that no change explains",
        shown: Shown::Test("store_zone", "a_foreign_byte_is_corrupt_and_touches_nothing"),
    },
    Planted {
        name: "write_a_replaced_file_in_place",
        what: "a file that is replaced as a whole is overwritten",
        shown: Shown::Test(
            "cursor",
            "w_cursor_03_a_save_that_fails_at_any_call_leaves_the_old_cursor_or_says_that_it_may_not",
        ),
    },
    Planted {
        name: "write_in_drop",
        what: "a transaction that is dropped writes a mark",
        shown: Shown::Judges(
            &["append"],
            &[
                Check::ReaderAnswers,
                Check::AnotherOpens,
                Check::AnotherSurvives,
                Check::Files,
            ],
        ),
    },
    Planted {
        name: "write_payload_with_its_record",
        what: "a payload is written in the stage of its record",
        shown: Shown::Judges(&["every-stage"], &[Check::Stages]),
    },
    Planted {
        name: "write_the_state_with_its_fields",
        what: "a state byte is written in one go with the others",
        shown: Shown::Judges(&["state-last"], &[Check::Stages]),
    },
];
