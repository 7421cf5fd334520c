//! Verify finds every kind of damage and goes on; repair does what rules allow; recover, backup and restore.

use std::fs;
use std::path::Path;

use graven::format::SnapshotIndex;
use graven::{ErrorKind, Finding, Flow, NewSnapshot, Severity, Store, UnixSeconds, Verification};

use super::support::{NOW, TestStore, kind, options, overwrite, refused};

fn go_on(_: graven::Progress) -> Flow {
    Flow::Continue
}

fn verify(path: &Path) -> Verification {
    graven::verify(path, &options(), true, go_on).unwrap()
}

/// What verify found: file, record, rule, in short.
fn found(path: &Path) -> Vec<String> {
    let short = |finding: &Finding| {
        let record = finding.record.map(|record| format!(" {record}")).unwrap_or_default();
        format!("{} {}{record} {}", finding.severity, finding.file, finding.rule)
    };
    verify(path)
        .findings
        .iter()
        .filter(|finding| !finding.is_note())
        .map(short)
        .collect()
}

/// A store with a merge, two Lines, two Tags, a file and two directories.
fn filled() -> TestStore {
    let store = TestStore::new();
    let directory = store.parent().join("tree");
    fs::create_dir_all(directory.join("sub")).unwrap();
    fs::write(directory.join("sub/file"), b"content").unwrap();
    let root = store
        .store
        .write(NOW, |txn| txn.capture(&directory, &[]))
        .unwrap()
        .value
        .root;
    let a = store.snapshot("a");
    let b = store.child("b", &[a]);
    let parents = [b, a];
    let new = NewSnapshot::new(root, NOW).parents(&parents).message("merge");
    let merge = store
        .store
        .write(NOW, |txn| txn.create_snapshot(&new))
        .unwrap()
        .value
        .index;
    store
        .store
        .write(NOW, |txn| txn.create_line("main", Some(merge)))
        .unwrap();
    store.store.write(NOW, |txn| txn.create_line("side", Some(b))).unwrap();
    store.tag("v1", a, None);
    store.tag("v2", merge, Some("annotated"));
    store
}

#[test]
fn a_store_that_only_this_version_wrote_is_clean() {
    let store = filled();
    let verification = verify(&store.path());
    assert!(verification.is_clean(), "{:?}", verification.findings);
    assert_eq!(verification.records, 3 + 2 + 2 + 4);
    assert!(verification.content_bytes > 0);
}

#[test]
fn f_2_4_f_2_6_f_2_16_every_damage_is_found_in_one_run() {
    let store = filled();
    // A reserved bit of a Line, a Tag's Snapshot that does not exist, a Snapshot's sums, a byte of content.
    overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
    overwrite(&store.file("workflow/tag.bin"), 4 + 12, &[9]);
    overwrite(&store.file("workflow/snapshot.bin"), 4 + 2 * 88 + 68, &[9]);
    overwrite(&store.file("objects/object_payload.bin"), 4, b"C");
    overwrite(&store.file("workflow/stash.bin"), 0, &[3]);
    assert_eq!(
        found(&store.path()),
        [
            "error workflow/stash.bin F-1",
            "error objects/object_payload.bin 0 F-0.3",
            "error workflow/line.bin 0 F-1",
            "error workflow/tag.bin 0 W-TAG-04",
            "error workflow/snapshot.bin 2 F-2.16",
        ]
    );
}

#[test]
fn f_0_3_an_identity_that_is_not_the_descriptors_hash_is_found() {
    let store = filled();
    overwrite(&store.file("workflow/snapshot.bin"), 4 + 80, &[7]);
    let findings = found(&store.path());
    assert_eq!(
        findings,
        ["error workflow/snapshot.bin 0 F-0.3"],
        "a changed time is no descriptor of that identity"
    );
}

#[test]
fn f_1_overlapping_payload_and_payload_past_the_end_are_found() {
    let store = filled();
    // The second Line's name begins inside the first one's; the second Tag's payload passes the end.
    overwrite(&store.file("workflow/line.bin"), 4 + 40 + 4, &[7]);
    overwrite(&store.file("workflow/tag.bin"), 4 + 24 + 2, &[99]);
    let findings = found(&store.path());
    assert!(
        findings.contains(&"error workflow/line.bin 1 F-1".to_owned()),
        "{findings:?}"
    );
    assert!(
        findings.contains(&"error workflow/tag.bin 1 F-1".to_owned()),
        "{findings:?}"
    );
}

#[test]
fn f_0_8_f_1_missing_foreign_and_torn_files_are_found_together() {
    let store = filled();
    fs::remove_file(store.file("workflow/land.bin")).unwrap();
    fs::write(store.file("workflow/blob.bin"), [1, 0, 0, 0]).unwrap();
    fs::write(store.file("workflow/notes.txt"), b"x").unwrap();
    fs::write(store.file("stray"), b"x").unwrap();
    let mut tags = store.bytes("workflow/tag.bin");
    tags.push(0);
    fs::write(store.file("workflow/tag.bin"), tags).unwrap();
    fs::write(store.file("objects/object_hash.idx.rebuild"), b"x").unwrap();
    assert_eq!(
        found(&store.path()),
        [
            "warning stray F-0.8",
            "error workflow/blob.bin F-0.8",
            "warning workflow/notes.txt F-0.8",
            "error workflow/land.bin F-0.8",
            "error workflow/tag.bin F-1",
        ]
    );
}

#[test]
fn f_0_8_what_a_killed_rebuild_of_an_index_leaves_behind_is_worth_a_note_and_no_more() {
    let store = filled();
    fs::write(store.file("objects/object_hash.idx.rebuild"), b"x").unwrap();
    let verification = verify(&store.path());
    assert!(verification.is_clean());
    let noted = |finding: &Finding| finding.file == "objects/object_hash.idx.rebuild" && finding.is_note();
    assert!(verification.findings.iter().any(noted));
}

#[test]
fn a_family_of_torn_length_hides_no_damage_of_another() {
    let store = filled();
    let mut tags = store.bytes("workflow/tag.bin");
    tags.push(0);
    fs::write(store.file("workflow/tag.bin"), tags).unwrap();
    overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
    assert_eq!(
        found(&store.path()),
        ["error workflow/tag.bin F-1", "error workflow/line.bin 0 F-1"]
    );
}

#[test]
fn a_family_that_cannot_be_read_makes_no_findings_of_those_that_refer_to_it() {
    for (file, size) in [
        ("workflow/snapshot.bin", 88),
        ("workflow/line.bin", 40),
        ("objects/object.bin", 52),
    ] {
        let store = filled();
        let mut bytes = store.bytes(file);
        assert_eq!((bytes.len() - 4) % size, 0);
        bytes.push(0);
        fs::write(store.file(file), bytes).unwrap();
        assert_eq!(found(&store.path()), [format!("error {file} F-1")]);
    }
}

#[test]
fn a_root_that_cannot_be_opened_hides_no_damage_of_its_records() {
    for (file, missing) in [
        ("workflow/workflow.undo", "error workflow/workflow.undo F-0.1"),
        ("workflow/workflow.lock", "error workflow/workflow.lock F-0.1"),
        ("workflow/land.bin", "error workflow/land.bin F-0.8"),
    ] {
        let store = filled();
        fs::remove_file(store.file(file)).unwrap();
        overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
        assert_eq!(found(&store.path()), [missing, "error workflow/line.bin 0 F-1"]);
    }
    let store = filled();
    overwrite(&store.file("workflow/workflow.undo"), 0, &[0xFF]);
    overwrite(&store.file("objects/object_payload.bin"), 4, b"C");
    overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
    assert_eq!(
        found(&store.path()),
        [
            "error workflow/workflow.undo F-0.5",
            "error objects/object_payload.bin 0 F-0.3",
            "error workflow/line.bin 0 F-1"
        ]
    );
}

#[test]
fn ac20_verify_tells_missing_objects_from_damaged_ones_and_putting_again_heals() {
    let mut store = filled();
    let sound = store.bytes("objects/object_payload.bin");
    store.damage("objects/object_payload.bin", 4, b"C");
    assert_eq!(found(&store.path()), ["error objects/object_payload.bin 0 F-0.3"]);
    store
        .store
        .objects()
        .write(NOW, |txn| txn.put_blob(b"content"))
        .unwrap();
    assert!(verify(&store.path()).is_clean(), "{:?}", found(&store.path()));
    assert!(
        store.bytes("objects/object_payload.bin").len() > sound.len(),
        "a sound copy was appended"
    );
    // Without its record the object is missing, not damaged.
    overwrite(&store.file("objects/object.bin"), 4 + 4, &[0xFF]);
    let findings = verify(&store.path()).findings;
    assert!(
        findings.iter().all(|finding| !finding.message.contains("is missing")),
        "the healed copy is found"
    );
    overwrite(&store.file("objects/object.bin"), 4 + 52 + 4, &[0xEE; 4]);
    let findings = verify(&store.path()).findings;
    assert!(
        findings.iter().any(|finding| finding.message.contains("missing")),
        "{findings:?}"
    );
}

#[test]
fn w_line_03_w_tag_04_references_to_tombstones_are_found() {
    let store = filled();
    let gone = store.snapshot("gone");
    assert_eq!(gone, SnapshotIndex::new(3).unwrap());
    store.store.write(NOW, |txn| txn.tombstone_snapshot(gone)).unwrap();
    overwrite(&store.file("workflow/line.bin"), 4 + 12, &[4]);
    overwrite(&store.file("workflow/tag.bin"), 4 + 12, &[3]);
    assert_eq!(
        found(&store.path()),
        [
            "error workflow/line.bin 0 W-LINE-03",
            "error workflow/tag.bin 0 W-TAG-04"
        ]
    );
}

#[test]
fn f_2_4_f_2_6_names_that_two_live_records_have_are_found() {
    let store = filled();
    overwrite(&store.file("workflow/line_name_payload.bin"), 4 + 4, b"main");
    overwrite(&store.file("workflow/tag_payload.bin"), 4 + 4 + 3, b"1");
    assert_eq!(
        found(&store.path()),
        ["error workflow/line.bin 1 F-2.4", "error workflow/tag.bin 1 F-2.6"]
    );
}

#[test]
fn f_1_reserved_bits_of_families_whose_domain_comes_later_are_found() {
    let store = filled();
    let mut item = [0; 20];
    (item[0], item[4 + 1]) = (1, 9);
    fs::write(store.file("workflow/plan_item.bin"), item).unwrap();
    fs::write(
        store.file("workflow/task_change_index.bin"),
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    )
    .unwrap();
    assert_eq!(
        found(&store.path()),
        [
            "error workflow/task_change_index.bin F-1.2",
            "error workflow/plan_item.bin 0 F-1"
        ]
    );
}

#[test]
fn g07_g08_g09_bits_of_plans_are_reserved_or_ignored_as_assigned_by_us() {
    let record = |size: usize, meta: u8| {
        let mut file = vec![0; 4 + size];
        (file[0], file[4]) = (1, meta);
        file
    };
    // The tombstones of all three (bit 7), and whatever a converted revision has in bits 0 to 6.
    for (name, size, fine, reserved) in [
        ("plan", 48, 0x80, 0b0111_1100_u8),
        ("plan_revision", 56, 0xFF, 0),
        ("plan_item", 16, 0x80, 0b0111_0000),
    ] {
        let store = filled();
        let file = format!("workflow/{name}.bin");
        fs::write(store.file(&file), record(size, fine)).unwrap();
        assert_eq!(found(&store.path()), [""; 0], "{name}");
        for bit in (0..8).map(|bit| 1 << bit).filter(|bit| reserved & bit != 0) {
            fs::write(store.file(&file), record(size, bit)).unwrap();
            assert_eq!(found(&store.path()), [format!("error {file} 0 F-1")], "{name} {bit}");
        }
    }
}

/// F-5.3: where no recovery store proves an interrupted append, a part of a record is damage, and is kept as it is.
#[test]
fn f_5_3_a_part_of_a_record_at_a_files_end_is_found_and_never_cut() {
    let store = filled();
    let path = store.file("workflow/tag.bin");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([7; 5]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(found(&store.path()), ["error workflow/tag.bin F-1"]);
    let opened = graven::Store::open(store.path(), &options());
    let error = opened.err().unwrap();
    assert!(error.is_corrupt() && error.rule() == Some("F-1"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_missing_recovery_store_or_a_damaged_one_is_found() {
    let store = filled();
    fs::remove_file(store.file("workflow/workflow.undo")).unwrap();
    assert_eq!(found(&store.path()), ["error workflow/workflow.undo F-0.1"]);
    let store = filled();
    overwrite(&store.file("workflow/workflow.undo"), 0, &[0xFF]);
    assert_eq!(found(&store.path()), ["error workflow/workflow.undo F-0.5"]);
}

#[test]
fn verify_can_be_stopped() {
    let store = filled();
    assert_eq!(
        kind(graven::verify(store.path(), &options(), true, |_| Flow::Stop)),
        ErrorKind::Stopped
    );
}

#[test]
fn f_4_repair_rebuilds_indexes_and_a_dry_run_only_says_so() {
    let store = filled();
    let names = [
        "workflow/line_name.idx",
        "workflow/snapshot_id.idx",
        "objects/object_hash.idx",
    ];
    let dry = graven::repair(store.path(), &options(), true, go_on).unwrap();
    assert_eq!(dry.rebuilt, names);
    assert!(names.iter().all(|name| !store.file(name).exists()));
    let done = graven::repair(store.path(), &options(), false, go_on).unwrap();
    assert_eq!(done.rebuilt, names);
    let sound: Vec<_> = names.iter().map(|name| store.bytes(name)).collect();
    assert!(
        graven::repair(store.path(), &options(), false, go_on)
            .unwrap()
            .rebuilt
            .is_empty()
    );
    overwrite(&store.file(names[1]), 4, &[0xAA; 12]);
    overwrite(&store.file(names[2]), 0, &[0xAA]);
    let warnings = [
        "warning workflow/snapshot_id.idx F-4",
        "warning objects/object_hash.idx F-4",
    ];
    let mut findings = found(&store.path());
    findings.sort_by_key(|finding| finding.contains("object"));
    assert_eq!(findings, warnings);
    let done = graven::repair(store.path(), &options(), false, go_on).unwrap();
    assert_eq!(done.rebuilt, names[1..]);
    let repaired: Vec<_> = names.iter().map(|name| store.bytes(name)).collect();
    assert_eq!(repaired, sound);
}

#[test]
fn f_4_index_files_are_written_on_demand_over_the_roots_that_were_changed() {
    let store = filled();
    store.store.write_indexes().unwrap();
    assert!(
        graven::repair(store.path(), &options(), true, go_on)
            .unwrap()
            .rebuilt
            .is_empty()
    );
    let before = store.bytes("objects/object_hash.idx");
    let other = Store::open(store.path(), &options()).unwrap();
    other.write(NOW, |txn| txn.create_line("late", None)).unwrap();
    fs::remove_file(store.file("objects/object_hash.idx")).unwrap();
    other.write_indexes().unwrap();
    assert!(
        !store.file("objects/object_hash.idx").exists(),
        "a root that was not changed is not looked at"
    );
    store.store.write_indexes().unwrap();
    assert_eq!(store.bytes("objects/object_hash.idx"), before);
    assert!(
        graven::repair(store.path(), &options(), true, go_on)
            .unwrap()
            .rebuilt
            .is_empty()
    );
}

#[test]
fn repair_touches_nothing_where_a_rule_is_broken() {
    let store = filled();
    overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
    let done = graven::repair(store.path(), &options(), false, go_on).unwrap();
    assert!(done.rebuilt.is_empty() && done.findings.iter().any(|finding| finding.severity == Severity::Error));
    assert!(!store.file("workflow/snapshot_id.idx").exists());
}

#[test]
fn a_missing_recovery_store_is_made_anew_only_on_demand_and_over_sound_records() {
    let store = filled();
    let undo = store.file("workflow/workflow.undo");
    fs::remove_file(&undo).unwrap();
    assert_eq!(
        kind(graven::recover(store.path(), &options(), false, go_on)),
        ErrorKind::RecoveryNeeded
    );
    let states = graven::pending(store.path(), &options()).unwrap();
    assert_eq!(
        states.iter().map(|state| state.missing_undo).collect::<Vec<_>>(),
        [true, false]
    );
    let line = store.bytes("workflow/line.bin");
    overwrite(&store.file("workflow/line.bin"), 4 + 1, &[1]);
    let done = graven::recover(store.path(), &options(), true, go_on).unwrap();
    assert_eq!((done.findings.len(), done.new_undo.len(), undo.exists()), (1, 0, false));
    fs::write(store.file("workflow/line.bin"), line).unwrap();
    let done = graven::recover(store.path(), &options(), true, go_on).unwrap();
    assert_eq!((done.findings.len(), &done.new_undo[..]), (0, &["workflow"][..]));
    assert!(verify(&store.path()).is_clean());
    let opened = Store::open(store.path(), &options()).unwrap();
    opened.write(NOW, |txn| txn.create_line("after", None)).unwrap();
}

#[test]
fn a_backup_is_a_store_that_holds_the_same_and_goes_its_own_way() {
    let store = filled();
    let (backup, restored) = (store.parent().join("backup"), store.parent().join("restored"));
    store.store.backup(&backup, go_on).unwrap();
    store
        .store
        .write(NOW, |txn| txn.create_line("after the backup", None))
        .unwrap();
    assert!(verify(&backup).is_clean(), "{:?}", found(&backup));
    let copied = graven::restore(&backup, &restored, &options(), UnixSeconds(1_800_000_000), go_on).unwrap();
    assert!(copied.recoveries.is_empty());
    assert!(verify(&restored).is_clean(), "{:?}", found(&restored));
    let names = |path: &Path| -> Vec<String> {
        let store = Store::open(path, &options()).unwrap();
        store
            .read(|view| view.lines()?.map(|row| row?.1.name()).collect())
            .unwrap()
    };
    assert_eq!(names(&restored), ["main", "side"]);
    assert_eq!(names(&store.path()), ["main", "side", "after the backup"]);
    let opened = Store::open(&restored, &options()).unwrap();
    opened
        .write(NOW, |txn| txn.create_line("after the restore", None))
        .unwrap();
    assert_eq!(names(&backup), ["main", "side"]);
}

#[test]
fn f_0_8_backup_and_restore_refuse_a_target_in_use_and_can_be_stopped() {
    let store = filled();
    let target = store.parent().join("target");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("mine"), b"x").unwrap();
    assert_eq!(refused(store.store.backup(&target, go_on)), "F-0.8");
    assert_eq!(
        refused(graven::restore(store.path(), &target, &options(), NOW, go_on)),
        "F-0.8"
    );
    let other = store.parent().join("other");
    assert_eq!(kind(store.store.backup(&other, |_| Flow::Stop)), ErrorKind::Stopped);
    assert!(!other.exists());
    store.store.backup(&other, go_on).unwrap();
    let left: Vec<_> = fs::read_dir(store.parent())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().starts_with('.')),
        "leftovers are cleared: {left:?}"
    );
}
