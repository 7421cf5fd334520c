//! A recovery store that is made anew is an install: whatever interrupts it, the root has none, or a whole one.

use graven::vfs::fault::{CutPlan, Effect, Fault, Kinds};
use graven::{ErrorKind, Flow, Store};

use super::{LATER, PATH, filled_disk, names, on};

const UNDO: &str = "/s.graven/workflow/workflow.undo";

#[test]
fn f_0_5_a_new_recovery_store_is_there_whole_or_not_at_all_and_can_be_made_again() {
    let base = filled_disk();
    base.erase(UNDO).unwrap();
    let (mut absent, mut whole) = (0, 0);
    for at in 1.. {
        let disk = base.fork();
        disk.inject(Fault::nth(Kinds::Changes, at, Effect::Kill));
        let done = graven::recover(PATH, &on(&disk, 1), true, |_| Flow::Continue);
        let ended = disk.faults_fired() == 0;
        if ended {
            assert_eq!(done.unwrap().new_undo, ["workflow"]);
        }
        let images = [
            disk.fork(),
            disk.cut(&CutPlan::all_lost()).unwrap(),
            disk.cut(&CutPlan::all_kept()).unwrap(),
        ];
        for image in images {
            match Store::open(PATH, &on(&image, 2)) {
                Ok(_) => whole += 1,
                Err(error) => {
                    absent += 1;
                    assert_eq!(*error.kind(), ErrorKind::RecoveryNeeded, "call {at}: {error}");
                    graven::recover(PATH, &on(&image, 3), true, |_| Flow::Continue).unwrap();
                }
            }
            let store = Store::open(PATH, &on(&image, 4)).unwrap();
            store.write(LATER, |txn| txn.create_line("after", None)).unwrap();
            assert_eq!(names(&store), ["main", "side", "after"]);
            let found = graven::verify(PATH, &on(&image, 5), true, |_| Flow::Continue).unwrap();
            assert!(found.is_clean(), "call {at}: {:?}", found.findings);
        }
        if ended {
            break;
        }
    }
    assert!(absent > 3 && whole > 2, "{absent} absent, {whole} whole");
}

#[test]
fn f_0_5_a_new_recovery_store_is_not_made_under_a_writer() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let txn = store.begin(LATER).unwrap();
    disk.erase(UNDO).unwrap();
    let options = on(&disk, 2).wait(graven::LockWait::TryOnce);
    let error = graven::recover(PATH, &options, true, |_| Flow::Continue).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Busy);
    drop(txn);
}
