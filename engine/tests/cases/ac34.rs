//! AC34: backups of other stores copied data without its journal, or were restored next to a stale one.
//!
//! Here a copy without the recovery store is found out; a copy with it, taken in the middle of a change, is restored to
//! the old or the new state; old files under a newer undo are refused, not rolled back; and a restore that is cut at any
//! call leaves no store, or a whole one.

use graven::vfs::fault::{CutPlan, Effect, Fault, FaultDisk};
use graven::{ErrorKind, Flow, Store};

use super::{LATER, NOW, PATH, filled_disk, killed_in_rename, names, on, rename_main};

const BACKUP: &str = "/backup";
const RESTORED: &str = "/restored";

fn go_on(_: graven::Progress) -> Flow {
    Flow::Continue
}

/// Copies files the way an operator's `cp -r` would.
fn copy(disk: &FaultDisk, from: &str, to: &str, keep: impl Fn(&str) -> bool) {
    disk.make_directory(to).unwrap();
    for directory in ["workflow", "objects"] {
        disk.make_directory(&format!("{to}/{directory}")).unwrap();
    }
    for (path, bytes) in disk.files() {
        if let Some(rest) = path.strip_prefix(&format!("{from}/"))
            && keep(rest)
        {
            disk.write_file(&format!("{to}/{rest}"), &bytes).unwrap();
        }
    }
}

#[test]
fn ac34_a_copy_without_its_recovery_store_is_found_out_at_every_moment_of_a_change() {
    let sound = filled_disk();
    let mut at = 1;
    while let Some(disk) = killed_in_rename(&sound, at) {
        at += 1;
        copy(&disk, PATH, BACKUP, |name| name != "workflow/workflow.undo");
        let restored = graven::restore(BACKUP, RESTORED, &on(&disk, 2), NOW, go_on);
        assert_eq!(*restored.unwrap_err().kind(), ErrorKind::RecoveryNeeded);
        assert_eq!(
            *Store::open(BACKUP, &on(&disk, 2)).unwrap_err().kind(),
            ErrorKind::RecoveryNeeded
        );
    }
    assert!(at > 5);
}

#[test]
fn ac34_a_copy_with_its_recovery_store_is_restored_old_or_new_and_stays_as_it_is() {
    let sound = filled_disk();
    let (mut at, mut recovered) = (1, 0);
    while let Some(disk) = killed_in_rename(&sound, at) {
        at += 1;
        copy(&disk, PATH, BACKUP, |_| true);
        let backup = disk.files();
        let copied = graven::restore(BACKUP, RESTORED, &on(&disk, 2), NOW, go_on).unwrap();
        recovered += copied.recoveries.len();
        let restored = Store::open(RESTORED, &on(&disk, 3)).unwrap();
        assert!(
            !restored.open_report().recovered,
            "it was settled before it came into place"
        );
        assert!(["main", "trunk"].contains(&names(&restored)[0].as_str()));
        let verified = graven::verify(RESTORED, &on(&disk, 4), true, go_on).unwrap();
        assert!(verified.is_clean(), "{:?}", verified.findings);
        let mut now = disk.files();
        now.retain(|path, _| !path.starts_with(RESTORED));
        assert!(backup == now, "neither the store nor the backup was touched");
    }
    assert!(recovered > 2, "only {recovered} copies had something to recover");
}

#[test]
fn ac34_old_files_under_a_newer_undo_are_refused_and_not_rolled_back() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    copy(&disk, PATH, BACKUP, |_| true);
    // Two changes of one record: the undo of the second holds neither the old bytes of the first nor its own new ones.
    rename_main(&store).unwrap();
    let line = store
        .read(|view| Ok(view.lines()?.by_name("trunk")?.map(|line| line.index())))
        .unwrap()
        .unwrap();
    disk.inject(Fault::nth(graven::vfs::fault::Kinds::Syncs, 2, Effect::Kill));
    store.write(LATER, |txn| txn.archive_line(line)).unwrap_err();
    let newer = disk.read_file("/s.graven/workflow/workflow.undo").unwrap();
    let disk = disk.fork();
    disk.write_file("/backup/workflow/workflow.undo", &newer).unwrap();
    let before = disk.files();
    let opened = Store::open(BACKUP, &on(&disk, 2));
    assert_eq!(opened.unwrap_err().rule(), Some("PROTOCOL-judge"));
    assert!(disk.files() == before, "nothing was touched");
    let restored = graven::restore(BACKUP, RESTORED, &on(&disk, 3), NOW, go_on);
    assert!(restored.unwrap_err().is_corrupt());
    assert_eq!(
        *Store::open(RESTORED, &on(&disk, 4)).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn ac34_the_recovery_store_of_a_restored_root_is_spent_and_newer_than_the_backups() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    store.backup(BACKUP, go_on).unwrap();
    graven::restore(BACKUP, RESTORED, &on(&disk, 2), NOW, go_on).unwrap();
    for name in ["workflow/workflow.undo", "objects/object.undo"] {
        let (old, new) = (
            disk.read_file(&format!("{BACKUP}/{name}")),
            disk.read_file(&format!("{RESTORED}/{name}")),
        );
        assert_ne!(old.unwrap(), new.unwrap(), "{name}: a restore replaces the undo too");
    }
    assert!(
        graven::pending(RESTORED, &on(&disk, 3))
            .unwrap()
            .iter()
            .all(|state| state.pending.is_none())
    );
}

#[test]
fn ac34_a_restore_that_is_cut_at_any_call_leaves_no_store_or_a_whole_one() {
    let base = filled_disk();
    let store = Store::open(PATH, &on(&base, 1)).unwrap();
    store.backup(BACKUP, go_on).unwrap();
    drop(store);
    let base = base.fork();
    let (mut absent, mut whole) = (0, 0);
    for at in 1.. {
        let disk = base.fork();
        disk.inject(Fault::nth(graven::vfs::fault::Kinds::Changes, at, Effect::Kill));
        let done = graven::restore(BACKUP, RESTORED, &on(&disk, 1), NOW, go_on);
        let ended = disk.faults_fired() == 0;
        if ended {
            done.unwrap();
        }
        for image in [
            disk.fork(),
            disk.cut(&CutPlan::all_lost()).unwrap(),
            disk.cut(&CutPlan::all_kept()).unwrap(),
        ] {
            match Store::open(RESTORED, &on(&image, 2)) {
                Ok(restored) => {
                    whole += 1;
                    assert_eq!(names(&restored), ["main", "side"]);
                    assert!(
                        graven::verify(RESTORED, &on(&image, 3), true, go_on)
                            .unwrap()
                            .is_clean()
                    );
                }
                Err(error) => {
                    absent += 1;
                    assert_eq!(*error.kind(), ErrorKind::NotFound, "call {at}: {error}");
                    graven::restore(BACKUP, RESTORED, &on(&image, 4), NOW, go_on).unwrap();
                    assert_eq!(names(&Store::open(RESTORED, &on(&image, 5)).unwrap()), ["main", "side"]);
                }
            }
        }
        if ended {
            break;
        }
    }
    assert!(absent > 50 && whole > 2, "{absent} absent, {whole} whole");
}

#[test]
fn ac34_a_backup_keeps_writers_out_while_it_copies_and_only_then() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let other = Store::open(PATH, &on(&disk, 2).wait(graven::LockWait::TryOnce)).unwrap();
    let mut refused = 0;
    store
        .backup(BACKUP, |_| {
            let workflow = other.begin(NOW).map(drop).unwrap_err();
            let objects = other.objects().begin(NOW).map(drop).unwrap_err();
            assert_eq!((workflow.kind(), objects.kind()), (&ErrorKind::Busy, &ErrorKind::Busy));
            refused += 1;
            Flow::Continue
        })
        .unwrap();
    assert!(refused > 10);
    drop(other.begin(NOW).unwrap());
}

/// Files of every earlier moment under the unspent undo of every later change: only those of just before and just after
/// that change fit it, and they are settled to what they are; everything older is `Corrupt` and stays as it is.
#[test]
fn ac34_an_undo_settles_only_the_files_of_its_own_change() {
    let disk = filled_disk();
    let store = Store::open(PATH, &on(&disk, 1)).unwrap();
    let mut moments = vec![disk.files()];
    for number in 0..4 {
        store
            .write(LATER, |txn| txn.create_line(&format!("line {number}"), None))
            .unwrap();
        moments.push(disk.files());
    }
    drop(store);
    for newer in 1..moments.len() {
        for (older, files) in moments.iter().enumerate().take(newer + 1) {
            let image = disk.fork();
            for (path, bytes) in files {
                image.write_file(path, bytes).unwrap();
            }
            let mut undo = moments[newer]["/s.graven/workflow/workflow.undo"].clone();
            undo[24..64].fill(0);
            image.write_file("/s.graven/workflow/workflow.undo", &undo).unwrap();
            let before = image.files();
            match Store::open(PATH, &on(&image, 2)) {
                Ok(store) => {
                    assert!(older + 1 >= newer, "{older} under {newer}");
                    assert_eq!(names(&store).len(), 2 + older);
                    let report = store.open_report();
                    assert_eq!(
                        (report.rolled_back, report.completed),
                        if older == newer { (0, 1) } else { (1, 0) }
                    );
                }
                Err(error) => {
                    assert!(
                        older + 1 < newer && error.is_corrupt(),
                        "{older} under {newer}: {error}"
                    );
                    assert!(error.to_string().contains("/s.graven/workflow/"), "{error}");
                    assert!(image.files() == before, "nothing was touched");
                }
            }
        }
    }
}
