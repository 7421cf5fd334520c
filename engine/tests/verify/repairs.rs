//! Repairs as a whole: many things at once, in the presence of damage, and cut off at every write.

use graven::Store;
use graven::vfs::fault::{Effect, Fault, Kinds, OperationKind};

use crate::planted::{Planted, STORE, options};
use crate::{at, sample};

/// Everything that repair puts right, at once.
fn much() -> Planted {
    let mut planted = Planted::new();
    planted.plant("task.bin", at::OPEN_TASK, "closed_at_s", &sample::NOW.0.to_le_bytes());
    planted.plant("change.bin", at::OTHER_DRAFT, "previous_change_index_plus1", &[9]);
    planted.plant("land.bin", at::UPDATING_LAND, "previous_task_land_index_plus1", &[9]);
    planted.plant("land.bin", at::UPDATING_LAND, "previous_change_land_index_plus1", &[9]);
    planted.plant("task_land_index.bin", at::OPEN_TASK, "land_count", &[9]);
    let rows = planted.read("change_land_index.bin");
    planted.write("change_land_index.bin", &rows[..rows.len() - 16]);
    planted
}

#[test]
fn f_1_2_w_task_20_one_repair_puts_everything_right() {
    much().repaired(
        &[
            "warning task.bin 1 W-TASK-19",
            "warning change.bin 6 F-1.2",
            "warning land.bin 3 F-1.2",
            "warning change_land_index.bin 6 F-1.2",
            "warning change_land_index.bin 7 F-1.2",
            "warning land.bin 3 F-1.2",
            "warning task_land_index.bin 1 F-1.2",
        ],
        &[
            ("workflow/change.bin", "F-1.2", &[6]),
            ("workflow/change_land_index.bin", "F-1.2", &[6, 7]),
            ("workflow/land.bin", "F-1.2", &[3]),
            ("workflow/task.bin", "W-TASK-20", &[1]),
            ("workflow/task_land_index.bin", "F-1.2", &[1]),
        ],
        &Planted::new(),
    );
}

#[test]
fn repair_writes_nothing_where_one_rule_is_broken_among_much_that_it_may_put_right() {
    let mut planted = much();
    planted.plant("stash.bin", 1, "reserved0", &[1]);
    planted.refused_among("error stash.bin 1 F-1");
}

/// A repair is a transaction: killed at any of its writes, the next opening settles it, and the next repair ends it.
#[test]
fn a_repair_that_is_killed_at_any_write_is_settled_and_ended_by_the_next() {
    let sound = Planted::new();
    let mut killed = 0;
    for nth in 1.. {
        let planted = much();
        planted
            .disk
            .inject(Fault::nth(Kinds::Only(OperationKind::Write), nth, Effect::Kill));
        let on = options().vfs(planted.disk.process(3));
        let done = graven::repair(STORE, &on, false, |_| graven::Flow::Continue);
        if done.is_ok() {
            break;
        }
        killed += 1;
        let planted = Planted {
            disk: planted.disk.fork(),
        };
        planted.disk.clear_faults();
        drop(Store::open(STORE, &options().vfs(planted.disk.process(4))).expect("it is settled"));
        planted.repair(false);
        assert_eq!(planted.found(), [""; 0], "killed at write {nth}");
        assert_eq!(planted.data(), sound.data(), "killed at write {nth}");
    }
    assert!(killed >= 8, "only {killed} writes could be killed");
}

/// Damage that is found while nothing else is: each finding is told, not only the first.
#[test]
fn verify_tells_every_finding_of_every_family_at_once() {
    let mut planted = much();
    planted.plant("task.bin", at::CANCELED_TASK, "local_meta", &[8]);
    planted.plant("change.bin", at::PLAIN_CHANGE, "reserved2", &[1]);
    planted.plant("land.bin", at::QUEUED_LAND, "target_line_index_plus1", &[9]);
    planted.plant("stash.bin", 1, "stash_snapshot_index", &[0]);
    planted.plant("line.bin", 0, "head_snapshot_index_plus1", &[9]);
    planted.plant("tag.bin", 0, "snapshot_index", &[9]);
    let found = planted.found();
    for wanted in [
        "error line.bin 0 W-LINE-03",
        "error tag.bin 0 W-TAG-04",
        "error stash.bin 1 W-STASH-03",
        "warning task.bin 1 W-TASK-19",
        "error task.bin 3 W-TASK-30",
        "error change.bin 2 W-CHANGE-23",
        "error land.bin 0 W-LAND-36",
        "warning task_land_index.bin 1 F-1.2",
    ] {
        assert!(
            found.iter().any(|finding| finding == wanted),
            "{wanted} is not in {found:#?}"
        );
    }
}
