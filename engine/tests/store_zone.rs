//! The store floor through its own face: transactions, several handles, recovery of every mixture of old and new.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use graven::disk::{DurableDirectory, LockWait};
use graven::format::{
    LAYOUT_ID, LINE, LOCAL_WORKFLOW, Layout, OBJECT, OBJECT_ZONE, STASH, TAG, UnixSeconds, ZoneLayout,
};
use graven::store::{
    Decision, Error, FamilyId, IndexDefinition, Result, Source, Stage, Transaction, Zone, ZoneOptions, create_zone,
};
use graven::vfs::{Vfs, os::OsVfs};

const NOW: UnixSeconds = UnixSeconds(1_700_000_000);

fn options() -> ZoneOptions {
    ZoneOptions {
        read_only: false,
        wait: LockWait::TryOnce,
        entropy: [7; 32],
        max_transaction_bytes: 1 << 20,
        cache_bytes: 1 << 20,
        holder: "a test".to_owned(),
        sync_spent: false,
    }
}

fn vfs() -> Arc<dyn Vfs> {
    Arc::new(OsVfs)
}

fn directory(path: &Path) -> DurableDirectory {
    DurableDirectory::new(vfs().open_directory(path).unwrap(), path.display().to_string())
}

fn create(path: &Path, layout: &ZoneLayout, identity: u8) {
    create_zone(&directory(path), layout, &[identity; 16]).unwrap();
}

fn open_with(path: &Path, layout: &'static ZoneLayout, options: ZoneOptions) -> Zone {
    Zone::attach(&vfs(), &directory(path), layout, options).unwrap()
}

fn open(path: &Path) -> Zone {
    open_with(path, &LOCAL_WORKFLOW, options())
}

fn stash(transaction: &mut Transaction<'_>, value: u8) -> Result<u32> {
    let family = transaction.family(&STASH)?;
    transaction.append_record(family, Stage::Commit, &[value; 8])
}

fn read(source: &impl Source, layout: &'static Layout, index: u32) -> Vec<u8> {
    let family = source.family(layout).unwrap();
    let mut bytes = vec![0; layout.record_size];
    source.read_record(family, index, &mut bytes).unwrap();
    bytes
}

fn count(source: &impl Source, layout: &'static Layout) -> u32 {
    source.record_count(source.family(layout).unwrap())
}

/// A change of every kind: a payload, an append, a whole-record overwrite, a state-last overwrite.
fn change_everything(transaction: &mut Transaction<'_>) {
    let (lines, tags) = (transaction.family(&LINE).unwrap(), transaction.family(&TAG).unwrap());
    transaction.append_payload(lines, b"a new name").unwrap();
    transaction.append_record(lines, Stage::Commit, &[3; 40]).unwrap();
    transaction.replace_record(tags, 0, Stage::Commit, &[4; 24]).unwrap();
    transaction
        .change_state_last(tags, 1, 0, Stage::State, &[5; 24])
        .unwrap();
    stash(transaction, 6).unwrap();
}

fn base(path: &Path) {
    create(path, &LOCAL_WORKFLOW, 1);
    let zone = open(path);
    let mut transaction = zone.begin(NOW).unwrap();
    let (lines, tags) = (transaction.family(&LINE).unwrap(), transaction.family(&TAG).unwrap());
    transaction.append_payload(lines, b"the first name").unwrap();
    transaction.append_record(lines, Stage::Commit, &[1; 40]).unwrap();
    transaction.append_record(tags, Stage::Commit, &[1; 24]).unwrap();
    transaction.append_record(tags, Stage::Commit, &[2; 24]).unwrap();
    stash(&mut transaction, 1).unwrap();
    transaction.commit().unwrap();
}

fn files(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

fn is_a(name: &str, kind: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == kind)
}

fn authority(path: &Path) -> Vec<(String, Vec<u8>)> {
    files(path).into_iter().filter(|(name, _)| is_a(name, "bin")).collect()
}

#[test]
fn a_change_is_readable_in_its_transaction_and_after_its_commit() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    change_everything(&mut transaction);
    let check = |source: &dyn Fn(&'static Layout, u32) -> Vec<u8>| {
        assert_eq!(source(&LINE, 1), [3; 40]);
        assert_eq!(source(&TAG, 0), [4; 24]);
        assert_eq!(source(&TAG, 1), [5; 24]);
        assert_eq!(source(&STASH, 1), [6; 8]);
    };
    check(&|layout, index| read(&transaction, layout, index));
    let mut name = [0; 10];
    let lines = transaction.family(&LINE).unwrap();
    transaction.read_payload(lines, 18, &mut name).unwrap();
    assert_eq!(&name, b"a new name");
    let receipt = transaction.commit().unwrap();
    assert_eq!((receipt.phases, receipt.files), (5, 4));
    for zone in [zone, open(root.path())] {
        let view = zone.view().unwrap();
        check(&|layout, index| read(&view, layout, index));
        view.read_payload(view.family(&LINE).unwrap(), 18, &mut name).unwrap();
        assert_eq!(&name, b"a new name");
    }
}

#[test]
fn a_single_replace_costs_two_sync_phases_and_two_syncs() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    let tags = transaction.family(&TAG).unwrap();
    transaction.replace_record(tags, 1, Stage::Commit, &[9; 24]).unwrap();
    let receipt = transaction.commit().unwrap();
    assert_eq!((receipt.phases, receipt.syncs, receipt.files), (2, 2, 1));
    assert_eq!(receipt.sequence, 2);
}

#[test]
fn what_changes_nothing_touches_no_file() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let before = files(root.path());
    drop(zone.begin(NOW).unwrap());
    zone.begin(NOW).unwrap().commit().unwrap();
    let mut transaction = zone.begin(NOW).unwrap();
    let tags = transaction.family(&TAG).unwrap();
    transaction.replace_record(tags, 0, Stage::Commit, &[1; 24]).unwrap();
    assert!(transaction.is_empty());
    assert_eq!(transaction.commit().unwrap().syncs, 0);
    let mut dropped = zone.begin(NOW).unwrap();
    change_everything(&mut dropped);
    drop(dropped);
    assert_eq!(files(root.path()), before);
}

#[test]
fn a_refused_operation_leaves_the_others_of_its_transaction() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    stash(&mut transaction, 2).unwrap();
    let refused: Result<()> = transaction.attempt(|transaction| {
        change_everything(transaction);
        Err(Error::Usage("no".to_owned()))
    });
    assert!(refused.is_err());
    stash(&mut transaction, 3).unwrap();
    transaction.commit().unwrap();
    let view = zone.view().unwrap();
    assert_eq!((count(&view, &STASH), count(&view, &LINE)), (3, 1));
    assert_eq!(
        (read(&view, &STASH, 2), read(&view, &TAG, 0)),
        (vec![3; 8], vec![1; 24])
    );
}

#[test]
fn the_time_zero_is_refused_by_f_1() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    assert!(matches!(
        zone.begin(UnixSeconds(0)),
        Err(Error::Refused { rule: "F-1", .. })
    ));
    let mut transaction = zone.begin(NOW).unwrap();
    assert!(matches!(
        transaction.set_now(UnixSeconds(0)),
        Err(Error::Refused { rule: "F-1", .. })
    ));
}

#[test]
fn a_transaction_is_bounded_in_memory() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open_with(
        root.path(),
        &LOCAL_WORKFLOW,
        ZoneOptions {
            max_transaction_bytes: 100,
            ..options()
        },
    );
    let mut transaction = zone.begin(NOW).unwrap();
    let lines = transaction.family(&LINE).unwrap();
    assert!(matches!(
        transaction.append_payload(lines, &[0; 101]),
        Err(Error::Exhausted { limit: 100, .. })
    ));
    let mut spool = transaction.spool().unwrap();
    spool.write(&[8; 5000]).unwrap();
    let offset = transaction.append_payload_spool(lines, spool).unwrap();
    transaction.commit().unwrap();
    let view = zone.view().unwrap();
    let mut bytes = vec![0; 5000];
    view.read_payload(view.family(&LINE).unwrap(), offset, &mut bytes)
        .unwrap();
    assert_eq!(bytes, vec![8; 5000]);
}

/// Every mixture of files from before and after a change, under the change's undo, is recovered to one of the two.
#[test]
fn recovery_makes_every_mixture_of_old_and_new_files_whole() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let (old, old_authority) = (files(root.path()), authority(root.path()));
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    change_everything(&mut transaction);
    transaction.commit().unwrap();
    drop(zone);
    let (new, new_authority) = (files(root.path()), authority(root.path()));
    let changed: Vec<&str> = new
        .iter()
        .zip(&old)
        .filter(|(new, old)| new.1 != old.1)
        .map(|(new, _)| &*new.0)
        .collect();
    assert_eq!(
        changed,
        [
            "line.bin",
            "line_name_payload.bin",
            "stash.bin",
            "tag.bin",
            "workflow.lock",
            "workflow.undo"
        ]
    );
    let (mut whole, mut undone, mut refused) = (0, 0, 0);
    for kept in 0..16_u32 {
        let image = tempfile::tempdir().unwrap();
        for ((name, new), (_, old)) in new.iter().zip(&old) {
            let bit = changed
                .iter()
                .position(|changed| changed == name)
                .filter(|bit| *bit < 4);
            let mut bytes = if bit.is_some_and(|bit| kept & (1 << bit) == 0) {
                old.clone()
            } else {
                new.clone()
            };
            if name == "workflow.undo" {
                bytes[24..64].fill(0);
            }
            fs::write(image.path().join(name), bytes).unwrap();
        }
        let read_only = open_with(
            image.path(),
            &LOCAL_WORKFLOW,
            ZoneOptions {
                read_only: true,
                ..options()
            },
        );
        let before = files(image.path());
        let needed = read_only.view().unwrap_err().to_string();
        assert!(needed.contains("recovery is needed"), "{needed}");
        assert_eq!(files(image.path()), before, "a reader writes nothing");
        let zone = open(image.path());
        let pending = zone.pending();
        let report = zone.make_ready();
        let found = authority(image.path());
        match report {
            Ok(report) => {
                let decision = report.unwrap().decision;
                assert_eq!(pending.unwrap().unwrap().decision, decision);
                if decision == Some(Decision::RollBack) {
                    assert_eq!(found, old_authority);
                    undone += 1;
                } else {
                    assert_eq!(found, new_authority);
                    whole += 1;
                }
                assert_eq!(zone.make_ready().unwrap(), None, "recovery is done once");
            }
            Err(Error::Corrupt { .. }) => {
                assert_eq!(found, authority_of(&before), "Corrupt touches nothing");
                refused += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    // Payload and tag.bin (which holds the state stage) come before line.bin and stash.bin (commit stage only); the
    // tag file holds ranges of every stage.
    assert!(whole >= 4 && undone >= 1 && refused >= 1, "{whole} {undone} {refused}");
    assert_eq!(whole + undone + refused, 16);
}

fn authority_of(files: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    files.iter().filter(|(name, _)| is_a(name, "bin")).cloned().collect()
}

#[test]
fn a_foreign_byte_is_corrupt_and_touches_nothing() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    change_everything(&mut transaction);
    transaction.commit().unwrap();
    drop(zone);
    let undo = root.path().join("workflow.undo");
    let mut bytes = fs::read(&undo).unwrap();
    bytes[24..64].fill(0);
    fs::write(&undo, bytes).unwrap();
    let tags = root.path().join("tag.bin");
    let mut bytes = fs::read(&tags).unwrap();
    bytes[4] = 0x77;
    fs::write(&tags, bytes).unwrap();
    let before = authority(root.path());
    let error = open(root.path()).make_ready().unwrap_err();
    assert!(
        matches!(&error, Error::Corrupt { file, record: Some(0), .. } if file.ends_with("tag.bin")),
        "{error}"
    );
    assert_eq!(authority(root.path()), before);
}

#[test]
fn after_a_durable_mark_a_flipped_byte_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    let mut transaction = zone.begin(NOW).unwrap();
    change_everything(&mut transaction);
    transaction.commit().unwrap();
    zone.sync_mark().unwrap();
    drop(zone);
    let tags = root.path().join("tag.bin");
    let mut bytes = fs::read(&tags).unwrap();
    bytes[4] = 1;
    fs::write(&tags, &bytes).unwrap();
    let zone = open(root.path());
    assert_eq!(zone.make_ready().unwrap(), None);
    assert_eq!(fs::read(&tags).unwrap(), bytes);
}

#[test]
fn an_undo_of_another_zone_is_refused() {
    let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    base(root.path());
    create(other.path(), &LOCAL_WORKFLOW, 2);
    fs::copy(other.path().join("workflow.undo"), root.path().join("workflow.undo")).unwrap();
    let error = open(root.path()).make_ready().unwrap_err();
    assert!(matches!(error, Error::Corrupt { rule: "F-0.5", .. }), "{error}");
}

#[test]
fn a_missing_undo_needs_recovery() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    fs::remove_file(root.path().join("workflow.undo")).unwrap();
    let error = Zone::attach(&vfs(), &directory(root.path()), &LOCAL_WORKFLOW, options()).unwrap_err();
    assert!(
        matches!(error, Error::Disk(graven::disk::Error::RecoveryNeeded { .. })),
        "{error}"
    );
}

#[test]
fn a_newer_layout_is_unsupported_and_untouched() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let lines = root.path().join("line.bin");
    let mut bytes = fs::read(&lines).unwrap();
    bytes[0] = u8::try_from(LAYOUT_ID + 1).unwrap();
    fs::write(&lines, bytes).unwrap();
    let before = files(root.path());
    let error = open(root.path()).make_ready().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Disk(graven::disk::Error::Unsupported { found: 2, known: 1, .. })
        ),
        "{error}"
    );
    assert_eq!(files(root.path()), before);
}

#[test]
fn ac28_two_handles_in_one_process_exclude_each_other() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let (first, second) = (open(root.path()), open(root.path()));
    let transaction = first.begin(NOW).unwrap();
    let busy = |result: Result<()>| match result {
        Err(Error::Disk(graven::disk::Error::Busy { .. })) => {}
        other => panic!("{other:?}"),
    };
    busy(second.begin(NOW).map(drop));
    busy(second.view().map(drop));
    drop(transaction);
    let view = second.view().unwrap();
    drop(first.view().unwrap());
    busy(first.begin(NOW).map(drop));
    drop(view);
    drop(first.begin(NOW).unwrap());
}

#[test]
fn a_thread_cannot_lock_itself_out() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open_with(
        root.path(),
        &LOCAL_WORKFLOW,
        ZoneOptions {
            wait: LockWait::Block,
            ..options()
        },
    );
    let view = zone.view().unwrap();
    drop(zone.view().unwrap());
    assert!(matches!(
        zone.begin(NOW),
        Err(Error::Disk(graven::disk::Error::Usage { .. }))
    ));
    drop(view);
    let _transaction = zone.begin(NOW).unwrap();
    assert!(matches!(
        zone.begin(NOW),
        Err(Error::Disk(graven::disk::Error::Usage { .. }))
    ));
    assert!(matches!(
        zone.view(),
        Err(Error::Disk(graven::disk::Error::Usage { .. }))
    ));
}

#[test]
fn a_cache_never_outlives_a_foreign_change() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let (reader, writer) = (open(root.path()), open(root.path()));
    assert_eq!(read(&reader.view().unwrap(), &TAG, 0), [1; 24]);
    let mut transaction = writer.begin(NOW).unwrap();
    change_everything(&mut transaction);
    transaction.commit().unwrap();
    let view = reader.view().unwrap();
    assert_eq!(
        (read(&view, &TAG, 0), read(&view, &LINE, 1), count(&view, &STASH)),
        (vec![4; 24], vec![3; 40], 2)
    );
    assert_eq!(read(&view, &TAG, 0), [4; 24]);
    assert!(reader.stats().cache_hits > 0);
}

fn first_byte(source: &dyn Source, family: FamilyId, index: u32) -> Result<Option<Vec<u8>>> {
    let mut bytes = [0; 8];
    source.read_record(family, index, &mut bytes)?;
    Ok((bytes[7] != 0xff).then(|| vec![bytes[0]]))
}

static BY_FIRST_BYTE: IndexDefinition = IndexDefinition {
    layout: &STASH,
    file: None,
    key: first_byte,
    plus1: false,
    immutable: false,
};

fn find(source: &impl Source, key: u8) -> Option<u32> {
    source
        .find(&BY_FIRST_BYTE, &[key], &mut |index| {
            Ok(read(source, &STASH, index)[0] == key)
        })
        .unwrap()
}

#[test]
fn a_key_is_found_where_it_stands_now() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let (zone, other) = (open(root.path()), open(root.path()));
    assert_eq!(
        (find(&zone.view().unwrap(), 1), find(&zone.view().unwrap(), 2)),
        (Some(0), None)
    );
    let mut transaction = zone.begin(NOW).unwrap();
    stash(&mut transaction, 2).unwrap();
    assert_eq!(find(&transaction, 2), Some(1));
    let refused: Result<()> = transaction.attempt(|transaction| {
        stash(transaction, 3)?;
        assert_eq!(find(transaction, 3), Some(2));
        Err(Error::Usage("no".to_owned()))
    });
    assert!(refused.is_err());
    assert_eq!(find(&transaction, 3), None);
    stash(&mut transaction, 4).unwrap();
    assert_eq!((find(&transaction, 3), find(&transaction, 4)), (None, Some(2)));
    let family = transaction.family(&STASH).unwrap();
    transaction.replace_record(family, 0, Stage::Commit, &[5; 8]).unwrap();
    assert_eq!((find(&transaction, 1), find(&transaction, 5)), (None, Some(0)));
    transaction.commit().unwrap();
    for zone in [&zone, &other] {
        let view = zone.view().unwrap();
        let found: Vec<Option<u32>> = (1..=5).map(|key| find(&view, key)).collect();
        assert_eq!(found, [None, Some(1), None, Some(2), Some(0)]);
    }
}

fn two_zones(path: &Path) -> (PathBuf, PathBuf) {
    let (workflow, objects) = (path.join("workflow"), path.join("objects"));
    fs::create_dir(&workflow).unwrap();
    fs::create_dir(&objects).unwrap();
    base(&workflow);
    create(&objects, &OBJECT_ZONE, 9);
    (workflow, objects)
}

fn open_two(workflow: &Path, objects: &Path) -> (Zone, Zone) {
    let zones = (open(workflow), open_with(objects, &OBJECT_ZONE, options()));
    Zone::link(&[&zones.0, &zones.1]);
    zones
}

fn change_two(outer: &Zone, inner: &Zone) {
    let mut transaction = Zone::begin_several(&[outer, inner], 0, NOW).unwrap();
    let objects = transaction.family(&OBJECT).unwrap();
    transaction.append_payload(objects, b"content").unwrap();
    transaction.append_record(objects, Stage::Fields, &[8; 52]).unwrap();
    stash(&mut transaction, 8).unwrap();
    let receipt = transaction.commit().unwrap();
    assert_eq!(receipt.files, 3);
}

/// C1 to C5: whatever of the two zones' files is new, opening the outer zone settles both, and the inner zone alone
/// answers that recovery is needed until then.
#[test]
fn a_change_over_two_zones_is_settled_as_one() {
    let root = tempfile::tempdir().unwrap();
    let (workflow, objects) = two_zones(root.path());
    let old = (files(&workflow), files(&objects));
    let (outer, inner) = open_two(&workflow, &objects);
    change_two(&outer, &inner);
    drop((outer, inner));
    let new = (files(&workflow), files(&objects));
    for (commit_kept, inner_kept, marked) in [
        (false, false, false),
        (false, true, false),
        (true, true, false),
        (true, true, true),
    ] {
        let image = tempfile::tempdir().unwrap();
        let paths = (image.path().join("workflow"), image.path().join("objects"));
        fs::create_dir(&paths.0).unwrap();
        fs::create_dir(&paths.1).unwrap();
        for (path, new, old, kept) in [
            (&paths.0, &new.0, &old.0, commit_kept),
            (&paths.1, &new.1, &old.1, inner_kept),
        ] {
            for ((name, new), (_, old)) in new.iter().zip(old) {
                let mut bytes = if kept || !is_a(name, "bin") {
                    new.clone()
                } else {
                    old.clone()
                };
                let inner_marked = marked && name == "object.undo";
                if is_a(name, "undo") && !inner_marked {
                    bytes[24..64].fill(0);
                }
                fs::write(path.join(name), bytes).unwrap();
            }
        }
        let alone = open_with(&paths.1, &OBJECT_ZONE, options());
        assert_eq!(
            alone.view().is_err(),
            !marked,
            "C4: an unspent external record blocks the inner zone"
        );
        drop(alone);
        let (outer, inner) = open_two(&paths.0, &paths.1);
        // C5: also when the inner zone is the one that is opened first.
        inner.make_ready().unwrap();
        outer.make_ready().unwrap();
        let (view, inner_view) = (outer.view().unwrap(), inner.view().unwrap());
        let expected = if commit_kept { (2, 1) } else { (1, 0) };
        assert_eq!((count(&view, &STASH), count(&inner_view, &OBJECT)), expected);
    }
}

#[test]
fn a_commit_point_outside_the_outer_zone_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let (workflow, objects) = two_zones(root.path());
    let (outer, inner) = open_two(&workflow, &objects);
    let mut transaction = Zone::begin_several(&[&outer, &inner], 0, NOW).unwrap();
    let family = transaction.family(&OBJECT).unwrap();
    transaction.append_record(family, Stage::Commit, &[8; 52]).unwrap();
    assert!(matches!(transaction.commit(), Err(Error::Usage(_))));
    assert_eq!(count(&inner.view().unwrap(), &OBJECT), 0);
}

#[test]
fn a_retired_undo_has_nothing_to_judge() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open(root.path());
    zone.retire_undo(NOW).unwrap();
    drop(zone);
    // The mark is lost: opening spends it again, whatever the records say.
    let undo = root.path().join("workflow.undo");
    let mut bytes = fs::read(&undo).unwrap();
    bytes[24..64].fill(0);
    fs::write(&undo, bytes).unwrap();
    let before = authority(root.path());
    let zone = open(root.path());
    assert_eq!(zone.make_ready().unwrap().unwrap().decision, None);
    assert_eq!(authority(root.path()), before);
}

#[test]
fn ac36_a_file_cut_under_an_open_reader_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let zone = open_with(
        root.path(),
        &LOCAL_WORKFLOW,
        ZoneOptions {
            cache_bytes: 0,
            ..options()
        },
    );
    let view = zone.view().unwrap();
    let tags = view.family(&TAG).unwrap();
    fs::OpenOptions::new()
        .write(true)
        .open(root.path().join("tag.bin"))
        .unwrap()
        .set_len(10)
        .unwrap();
    let error = view.read_record(tags, 1, &mut [0; 24]).unwrap_err();
    assert!(
        matches!(
            &error,
            Error::Corrupt {
                record: Some(1),
                rule: "F-1",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn ac22_a_torn_undo_that_claims_a_great_length_is_nothing_to_recover() {
    let root = tempfile::tempdir().unwrap();
    base(root.path());
    let undo = root.path().join("workflow.undo");
    let mut bytes = fs::read(&undo).unwrap();
    let len: u64 = 8 << 20;
    bytes[64] ^= 1;
    bytes[144..152].copy_from_slice(&(len - 152).to_le_bytes());
    fs::write(&undo, bytes).unwrap();
    fs::OpenOptions::new()
        .write(true)
        .open(&undo)
        .unwrap()
        .set_len(len)
        .unwrap();
    let zone = open(root.path());
    assert_eq!(zone.make_ready().unwrap(), None, "a torn undo had started nothing");
    assert_eq!(count(&zone.view().unwrap(), &STASH), 1);
}
