//! Tasks: what a record may not say, what is tolerated, what it refers to.

use graven::format::{Task, TaskPayload, TaskStatus};

use crate::planted::{Planted, rule};
use crate::{at, sample};

const SOME_TIME: [u8; 8] = sample::NOW.0.to_le_bytes();

/// Plants one field of a Task that its decoder refuses by that rule, and so do `verify` and `repair`.
fn refused(task: u32, field: &str, bytes: &[u8], broken: &str) {
    let mut planted = Planted::new();
    planted.plant("task.bin", task, field, bytes);
    assert_eq!(
        rule(Task::decode(&planted.record("task.bin", task))),
        Some(broken),
        "{field}"
    );
    planted.refused_among(&format!("error task.bin {task} {broken}"));
}

/// W-TASK-01, W-TASK-28, W-TASK-36: a record of another size in between; the file then has no whole records.
#[test]
fn w_task_28_a_record_of_another_size_makes_the_file_unreadable() {
    let mut planted = Planted::new();
    let tasks = planted.read("task.bin");
    let remote = [&tasks[..4], &[1; 60], &tasks[4..]].concat();
    planted.write("task.bin", &remote);
    planted.refused_among("error task.bin F-1");
}

/// W-TASK-12, W-TASK-19, W-TASK-20: readers take the time of closing of an open Task as absent, and repair takes it out.
#[test]
fn w_task_19_20_a_close_time_without_an_end_reads_as_absent_and_is_repaired_to_zero() {
    let sound = Planted::new();
    let mut planted = Planted::new();
    planted.plant("task.bin", at::OPEN_TASK, "closed_at_s", &SOME_TIME);
    let reading = Task::decode(&planted.record("task.bin", at::OPEN_TASK)).expect("tolerated");
    assert_eq!(
        (reading.value.status, reading.value.closed_at_s),
        (TaskStatus::Active, None)
    );
    assert_eq!(
        rule(Task::decode_native(&planted.record("task.bin", at::OPEN_TASK))),
        Some("W-TASK-19")
    );
    planted.repaired(
        &["warning task.bin 1 W-TASK-19"],
        &[("workflow/task.bin", "W-TASK-20", &[at::OPEN_TASK])],
        &sound,
    );
}

/// W-TASK-18, W-TASK-20: that repair takes out a close time where the end is missing is all: it never takes back an end,
/// and never makes one.
#[test]
fn w_task_18_repair_never_reopens_a_task() {
    let planted = Planted::new();
    let before = planted.data();
    assert!(planted.repair(false).is_nothing());
    for task in [at::COMPLETED_TASK, at::CANCELED_TASK, at::ABANDONED_TASK] {
        let task = Task::decode_native(&planted.record("task.bin", task)).expect("sound");
        assert!(task.status.is_terminal() && task.closed_at_s.is_some());
    }
    assert_eq!(planted.data(), before);
}

/// W-TASK-11, W-TASK-21, W-TASK-22: no writer makes it, but an ended Task without a time is history and no damage.
#[test]
fn w_task_21_22_an_end_at_an_unknown_time_passes_and_stays_zero() {
    for task in [at::COMPLETED_TASK, at::CANCELED_TASK, at::ABANDONED_TASK] {
        let mut planted = Planted::new();
        planted.plant("task.bin", task, "closed_at_s", &[0; 8]);
        assert_eq!(
            rule(Task::decode_native(&planted.record("task.bin", task))),
            Some("W-TASK-22")
        );
        planted.passed(&[&format!("warning task.bin {task} W-TASK-22")]);
    }
}

/// W-TASK-25, W-TASK-26, W-TASK-29: more than one end is tolerated and stays.
#[test]
fn w_task_29_a_task_with_several_ends_passes_and_keeps_them() {
    let mut planted = Planted::new();
    planted.plant("task.bin", at::ABANDONED_TASK, "task_meta", &[0xC0]);
    let reading = Task::decode(&planted.record("task.bin", at::ABANDONED_TASK)).expect("tolerated");
    assert_eq!(reading.value.status, TaskStatus::Canceled);
    planted.passed(&["warning task.bin 4 F-2.1"]);
}

/// W-TASK-30, G01: bit 2 hides a Task, the bits above are refused.
#[test]
fn w_task_30_unknown_bits_of_the_local_state_are_refused() {
    for bit in 3..8 {
        refused(at::OPEN_TASK, "local_meta", &[1 << bit], "W-TASK-30");
    }
    let mut planted = Planted::new();
    planted.plant("task.bin", at::OPEN_TASK, "local_meta", &[4]);
    planted.passed(&["warning task.bin 1 G01"]);
}

/// W-TASK-33: a payload without a title, one without an intent, one that is no text, one whose title does not fit; and
/// one that is too short, passes the end, or overlaps another.
#[test]
fn w_task_33_a_task_has_a_title_and_an_intent_of_its_own() {
    let sound = Planted::new();
    let payload = sound.read("task_payload.bin");
    for (byte, to) in [(4, 0), (4, 12), (4, 200), (6, 0xff), (payload.len() - 1, 0xff)] {
        let mut planted = Planted::new();
        let mut damaged = payload.clone();
        damaged[byte] = to;
        planted.write("task_payload.bin", &damaged);
        let found = planted.found();
        let task = if byte == payload.len() - 1 { 5 } else { 0 };
        assert_eq!(found, [format!("error task.bin {task} F-2.1")], "{byte}");
        planted.refused_among(&found[0]);
    }
    let mut planted = Planted::new();
    planted.write("task_payload.bin", &payload[..payload.len() - 1]);
    planted.refused(&["error task.bin 5 F-1"]);
    let mut planted = Planted::new();
    planted.plant("task.bin", 1, "payload_offset", &[5]);
    planted.refused_among("error task.bin 1 F-1");
    refused(1, "payload_len", &[3], "F-2.1");
    refused(1, "payload_offset", &[3], "F-2.1");
    assert!(TaskPayload::decode(&[1, 0, b't']).is_err());
}

/// W-TASK-34: what is stored of a remote Task without the published bit says nothing, and stays.
#[test]
fn w_task_34_a_remote_index_on_an_unpublished_task_passes() {
    let mut planted = Planted::new();
    planted.plant("task.bin", at::OPEN_TASK, "published_remote_task_index", &[7]);
    let reading = Task::decode(&planted.record("task.bin", at::OPEN_TASK)).expect("tolerated");
    assert_eq!(reading.value.published, None);
    planted.passed(&["warning task.bin 1 W-TASK-34"]);
}

/// W-TASK-35: the bit and the time of publishing go together; a Plan item or a time of linking needs a revision.
#[test]
fn w_task_35_publishing_and_planning_are_whole_or_absent() {
    refused(at::OPEN_TASK, "published_at_s", &SOME_TIME, "W-TASK-35");
    refused(at::PUBLISHED_TASK, "published_at_s", &[0; 8], "W-TASK-35");
    refused(at::OPEN_TASK, "local_meta", &[1], "W-TASK-35");
    refused(at::PUBLISHED_TASK, "plan_item_index_plus1", &[1], "W-TASK-35");
    refused(at::PUBLISHED_TASK, "plan_linked_at_s", &SOME_TIME, "W-TASK-35");
    refused(at::OPEN_TASK, "origin_plan_revision_index_plus1", &[0], "W-TASK-35");
}

/// F-2.1: the Plan revision exists, and the item is one of its items and has a reference.
#[test]
fn f_2_1_a_task_comes_from_a_plan_revision_and_an_item_of_it() {
    let plant = |field: &str, bytes: &[u8]| {
        let mut planted = Planted::new();
        planted.plant("task.bin", at::OPEN_TASK, field, bytes);
        planted
    };
    plant("plan_item_index_plus1", &[1]).passed(&[]);
    plant("plan_item_index_plus1", &[0]).passed(&[]);
    for planted in [
        plant("origin_plan_revision_index_plus1", &[2]),
        plant("plan_item_index_plus1", &[3]),
        plant("plan_item_index_plus1", &[0xff; 4]),
    ] {
        planted.refused(&["error task.bin 1 F-2.1"]);
    }
    // The revision says that it has more items than there are, and the Task comes from one of those.
    let mut planted = plant("plan_item_index_plus1", &[3]);
    planted.plant("plan_revision.bin", 0, "item_count", &[3]);
    planted.refused(&["error task.bin 1 F-2.1"]);
    // The item begins behind the one that the Task comes from; the item has no reference.
    let mut planted = plant("plan_item_index_plus1", &[1]);
    planted.plant("plan_revision.bin", 0, "item_start_index", &[1]);
    planted.refused(&["error task.bin 1 F-2.1"]);
    let mut planted = Planted::new();
    planted.plant("plan_item.bin", 1, "item_meta", &[0b0010]);
    planted.refused(&["error task.bin 1 F-2.1"]);
}

/// F-1: times out of order, and a time that is 0.
#[test]
fn f_1_a_task_is_changed_when_it_was_created_or_later() {
    refused(at::OPEN_TASK, "updated_at_s", &[0; 8], "F-1");
    refused(at::OPEN_TASK, "created_at_s", &[0; 8], "F-1");
}
