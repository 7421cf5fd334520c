//! Views, pages, transactions: what is seen when, and what a lock is held for.

use graven::format::{ObjectKind, Parents, SnapshotIndex};
use graven::{Error, ErrorKind, NewSnapshot, Outcome, Store, UnixSeconds};

use super::support::{NOW, TestStore, kind, options, refused};

#[test]
fn a_write_inside_ones_own_read_is_usage_and_no_deadlock() {
    let store = TestStore::new();
    let inner = store.store.read(|_| {
        let answer = store.store.write(NOW, |txn| txn.create_line("main", None));
        assert_eq!(kind(answer), ErrorKind::Usage);
        Ok(())
    });
    inner.unwrap();
    let txn = store.store.begin(NOW).unwrap();
    assert_eq!(
        kind(store.store.view()),
        ErrorKind::Usage,
        "nor a read inside one's own write"
    );
    drop(txn);
    store.store.view().unwrap();
}

#[test]
fn f_0_4_the_workflow_roots_lock_comes_before_the_object_roots() {
    let store = TestStore::new();
    let objects = store.store.objects();
    let view = objects.view().unwrap();
    assert_eq!(kind(store.store.view()), ErrorKind::Usage);
    assert_eq!(kind(store.store.begin(NOW)), ErrorKind::Usage);
    drop(view);
    let first = store.store.view().unwrap();
    let second = objects.view().unwrap();
    drop((second, first));
    let txn = store.store.begin(NOW).unwrap();
    drop(objects.begin(NOW).unwrap());
    drop(txn);
}

#[test]
fn nothing_of_a_dropped_transaction_is_there() {
    let store = TestStore::new();
    let before = store.bytes("workflow/line.bin");
    let mut txn = store.store.begin(NOW).unwrap();
    txn.create_line("main", None).unwrap();
    assert_eq!(txn.lines().unwrap().len(), 1, "it sees its own writes");
    drop(txn);
    let failed: Result<_, Error> = store.store.write(NOW, |txn| {
        txn.create_line("main", None)?;
        Err::<(), _>(txn.create_line("", None).unwrap_err())
    });
    assert_eq!(refused(failed), "W-CHANGE-61");
    assert_eq!(store.bytes("workflow/line.bin"), before);
    assert_eq!(store.store.stats().workflow.commits, 0);
}

#[test]
fn a_transaction_that_changes_nothing_touches_no_file() {
    let store = TestStore::new();
    let undo = store.bytes("workflow/workflow.undo");
    let receipt = store.store.write(NOW, |_| Ok(7)).unwrap();
    assert_eq!(
        (
            receipt.value,
            receipt.sequence,
            receipt.syncs,
            receipt.files,
            receipt.bytes
        ),
        (7, 0, 0, 0, 0)
    );
    assert_eq!(store.bytes("workflow/workflow.undo"), undo);
}

#[test]
fn an_attempt_that_fails_drops_only_its_own_writes() {
    let store = TestStore::new();
    let count = store
        .store
        .write(NOW, |txn| {
            txn.create_line("kept", None)?;
            let failed: Result<(), Error> = txn.attempt(|txn| {
                txn.set_now(UnixSeconds(5))?;
                txn.create_line("dropped", None)?;
                txn.create_line("kept", None).map(drop)
            });
            assert_eq!(refused(failed), "F-2.4");
            assert_eq!(txn.now(), NOW);
            txn.create_line("dropped", None)?;
            Ok(txn.lines()?.len())
        })
        .unwrap();
    assert_eq!(count.value, 2);
    let names: Vec<_> = store
        .store
        .read(|view| view.lines()?.map(|row| row?.1.name()).collect())
        .unwrap();
    assert_eq!(names, ["kept", "dropped"]);
}

#[test]
fn the_change_counter_tells_a_paged_scan_that_something_moved() {
    let store = TestStore::new();
    let other = Store::open(store.path(), &options()).unwrap();
    let root = store.store.workflow();
    let before = root.change_counter().unwrap();
    assert_eq!(root.change_counter().unwrap(), before);
    other.write(NOW, |txn| txn.create_line("main", None)).unwrap();
    assert_ne!(root.change_counter().unwrap(), before);
}

#[test]
fn another_handles_commit_is_seen_by_the_next_view_and_not_through_a_stale_cache() {
    let store = TestStore::new();
    let other = Store::open(store.path(), &options()).unwrap();
    let line = store.line("main");
    let name = |store: &Store| store.read(|view| view.lines()?.get(line)?.name()).unwrap();
    assert_eq!(
        (name(&store.store), name(&other)),
        ("main".to_owned(), "main".to_owned())
    );
    other.write(NOW, |txn| txn.rename_line(line, "trunk")).unwrap();
    assert_eq!(name(&store.store), "trunk");
    let found = store
        .store
        .read(|view| Ok(view.lines()?.by_name("trunk")?.is_some()))
        .unwrap();
    assert!(found);
    assert!(
        store
            .store
            .read(|view| Ok(view.lines()?.by_name("main")?.is_none()))
            .unwrap()
    );
}

#[test]
fn pages_let_go_of_the_lock_and_cover_every_record_once() {
    let store = TestStore::new();
    for number in 0..7 {
        store.line(&format!("line {number}"));
    }
    let (mut next, mut names) = (Some(0), Vec::new());
    while let Some(from) = next {
        let view = store.store.view().unwrap();
        let page = view.lines().unwrap().page(from, 3);
        next = page.next;
        names.extend(page.rows.map(|row| row.unwrap().1.name().unwrap()));
        drop(view);
        store.store.begin(NOW).unwrap();
    }
    assert_eq!(names, (0..7).map(|number| format!("line {number}")).collect::<Vec<_>>());
}

#[test]
fn a_snapshot_is_found_by_its_identity_and_its_history_read_back() {
    let store = TestStore::new();
    let a = store.snapshot("a");
    let b = store.child("b", &[a]);
    let c = store.child("c", &[a]);
    let merge = store.child("merge", &[b, c]);
    store
        .store
        .read(|view| {
            let snapshots = view.snapshots()?;
            let id = snapshots.get(merge)?.id;
            let found = snapshots.by_id(id)?.expect("a live Snapshot");
            assert_eq!((found.index(), found.parents), (merge, Parents::Many(b)));
            assert_eq!(found.content()?.parents, [b, c]);
            let chain: Vec<_> = snapshots
                .first_parents(merge)
                .map(|row| row.map(|s| s.index()))
                .collect::<Result<_, _>>()?;
            assert_eq!(chain, [merge, b, a]);
            let all: Vec<_> = snapshots
                .ancestors(&[merge])
                .map(|row| row.map(|s| s.index()))
                .collect::<Result<_, _>>()?;
            assert_eq!(all, [merge, c, b, a]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn f_0_3_creating_an_equal_snapshot_again_writes_nothing() {
    let store = TestStore::new();
    let first = store.snapshot("a");
    let records = store.bytes("workflow/snapshot.bin");
    assert_eq!(store.snapshot("a"), first);
    assert_eq!(store.bytes("workflow/snapshot.bin"), records);
}

#[test]
fn a_snapshot_of_a_directory_on_disk_reads_back_byte_for_byte() {
    let store = TestStore::new();
    let (from, to) = (store.parent().join("from"), store.parent().join("to"));
    std::fs::create_dir_all(from.join("a/b")).unwrap();
    std::fs::create_dir_all(from.join(".ait-worktree")).unwrap();
    std::fs::write(from.join(".ait-worktree/cursor.bin"), b"x").unwrap();
    std::fs::write(from.join("a/b/file"), vec![7; 3 << 20]).unwrap();
    std::os::unix::fs::symlink("b/file", from.join("a/link")).unwrap();
    let created = store
        .store
        .write(NOW, |txn| {
            let captured = txn.capture(&from, &[])?;
            txn.create_snapshot(&NewSnapshot::new(captured.root, NOW))
        })
        .unwrap()
        .value;
    let root = store
        .store
        .read(|view| Ok(view.snapshots()?.get(created.index)?.manifest_hash))
        .unwrap();
    let written = store.store.check_out(&root, &to, &[]).unwrap();
    assert_eq!((written.files, written.symlinks), (1, 1));
    assert_eq!(std::fs::read(to.join("a/b/file")).unwrap(), vec![7; 3 << 20]);
    assert_eq!(
        std::fs::read_link(to.join("a/link")).unwrap(),
        std::path::Path::new("b/file")
    );
    assert!(!to.join(".ait-worktree").exists(), "W-CURSOR-05");
    assert_eq!(kind(store.store.check_out(&root, &to, &[])), ErrorKind::Conflict);
}

#[test]
fn objects_stay_when_the_transaction_that_captured_them_is_dropped() {
    let store = TestStore::new();
    let from = store.parent().join("from");
    std::fs::create_dir(&from).unwrap();
    std::fs::write(from.join("file"), b"content").unwrap();
    let mut txn = store.store.begin(NOW).unwrap();
    let captured = txn.capture(&from, &[]).unwrap();
    drop(txn);
    let objects = store.store.objects();
    let view = objects.view().unwrap();
    let root = view
        .objects()
        .unwrap()
        .by_hash(&captured.root)
        .unwrap()
        .expect("the directory");
    assert_eq!(root.kind, ObjectKind::Directory);
    assert_eq!(view.objects().unwrap().len(), 2);
}

#[test]
fn a_transaction_beyond_its_bound_is_exhausted_and_costs_nothing() {
    let store = TestStore::new();
    let small = Store::open(store.path(), &options().max_transaction_bytes(1 << 16)).unwrap();
    let error = small.objects().write(NOW, |txn| {
        for number in 0..100_u32 {
            txn.put_blob(&[&number.to_le_bytes()[..], &[0; 4096]].concat())?;
        }
        Ok(())
    });
    let error = error.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Exhausted { limit: 65_536, .. }),
        "{error:?}"
    );
    assert_eq!(error.outcome(), Outcome::NotHappened);
    assert_eq!(store.bytes("objects/object.bin").len(), 4);
}

#[test]
fn content_above_the_bound_is_spooled_and_not_held() {
    let store = TestStore::new();
    let small = Store::open(store.path(), &options().max_transaction_bytes(1 << 16)).unwrap();
    let content = vec![9; 5 << 20];
    let put = small
        .objects()
        .write(NOW, |txn| txn.put(ObjectKind::Blob, &mut &content[..]))
        .unwrap()
        .value;
    let root = small.objects();
    let view = root.view().unwrap();
    let object = view.objects().unwrap().by_hash(&put.hash).unwrap().expect("the object");
    assert_eq!(object.read().unwrap(), content);
}

#[test]
fn an_index_past_the_end_is_not_found() {
    let store = TestStore::new();
    let missing = SnapshotIndex::new(3).unwrap();
    let answer = store.store.read(|view| Ok(view.snapshots()?.get(missing)?.index()));
    assert_eq!(kind(answer), ErrorKind::NotFound);
}
