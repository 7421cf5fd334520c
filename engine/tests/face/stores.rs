//! Creating, opening and closing stores.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use graven::format::Namespace;
use graven::{ErrorKind, LockWait, Options, Store};

use super::support::{NOW, TestStore, corrupt, kind, options, refused};

#[test]
fn f_0_8_a_new_store_has_its_files_with_private_permissions() {
    let store = TestStore::new();
    assert_eq!(store.bytes("graven.store"), b"graven 1\nnamespace\n");
    for directory in ["workflow", "objects"] {
        assert_eq!(
            fs::metadata(store.file(directory)).unwrap().permissions().mode() & 0o777,
            0o700
        );
        for entry in fs::read_dir(store.file(directory)).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(
                entry.metadata().unwrap().permissions().mode() & 0o777,
                0o600,
                "{:?}",
                entry.path()
            );
            if entry.path().extension().is_some_and(|extension| extension == "bin") {
                assert_eq!(fs::read(entry.path()).unwrap(), [1, 0, 0, 0], "{:?}", entry.path());
            }
        }
    }
}

#[test]
fn f_0_6_the_namespace_is_kept() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("s");
    let namespace: Namespace = "Q7".parse().unwrap();
    Store::create(&path, namespace, &options()).unwrap().close().unwrap();
    assert_eq!(Store::open(&path, &options()).unwrap().namespace(), namespace);
}

#[test]
fn f_0_8_a_store_is_created_only_where_nothing_is_in_the_way() {
    let parent = tempfile::tempdir().unwrap();
    let empty = parent.path().join("empty");
    fs::create_dir(&empty).unwrap();
    Store::create(&empty, Namespace::EMPTY, &options()).unwrap();
    assert_eq!(refused(Store::create(&empty, Namespace::EMPTY, &options())), "F-0.8");
    let file = parent.path().join("file");
    fs::write(&file, b"x").unwrap();
    assert_eq!(refused(Store::create(&file, Namespace::EMPTY, &options())), "F-0.8");
    assert_eq!(fs::read(&file).unwrap(), b"x");
}

#[test]
fn creating_needs_a_parent_a_name_and_a_writable_handle() {
    let parent = tempfile::tempdir().unwrap();
    let create = |path: &str, options: &Options| Store::create(parent.path().join(path), Namespace::EMPTY, options);
    assert_eq!(kind(create("missing/s", &options())), ErrorKind::NotFound);
    assert_eq!(kind(create("..", &options())), ErrorKind::Usage);
    assert_eq!(kind(create("s", &options().read_only(true))), ErrorKind::Usage);
    assert_eq!(
        fs::read_dir(parent.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}

#[test]
fn what_is_no_store_is_not_found_and_never_corrupt() {
    let parent = tempfile::tempdir().unwrap();
    assert_eq!(
        kind(Store::open(parent.path().join("missing"), &options())),
        ErrorKind::NotFound
    );
    assert_eq!(kind(Store::open(parent.path(), &options())), ErrorKind::NotFound);
}

#[test]
fn f_0_8_the_store_file_is_read_strictly_and_a_later_version_is_told_apart() {
    let store = TestStore::new();
    fs::write(store.file("graven.store"), b"graven 1\nnamespace ab\n").unwrap();
    assert_eq!(corrupt(Store::open(store.path(), &options())).2, "F-0.8");
    fs::write(store.file("graven.store"), b"graven 2\nwhatever").unwrap();
    assert_eq!(
        kind(Store::open(store.path(), &options())),
        ErrorKind::Unsupported { found: 2, known: 1 }
    );
}

#[test]
fn f_1_a_later_layout_is_unsupported_and_another_header_corrupt() {
    for (header, unsupported) in [([2, 0, 0, 0], true), ([0, 0, 0, 0], false)] {
        let store = TestStore::new();
        fs::write(store.file("workflow/tag.bin"), header).unwrap();
        let error = Store::open(store.path(), &options()).unwrap_err();
        let expected = matches!(error.kind(), ErrorKind::Unsupported { found: 2, known: 1 });
        assert_eq!((expected, error.is_corrupt()), (unsupported, !unsupported), "{error}");
    }
}

#[test]
fn f_0_8_a_missing_root_or_file_is_an_error_and_never_made_anew() {
    let store = TestStore::new();
    fs::remove_file(store.file("workflow/plan.bin")).unwrap();
    let missing = ("plan.bin".to_owned(), None, "F-0.8");
    assert_eq!(corrupt(Store::open(store.path(), &options())), missing);
    assert!(!store.file("workflow/plan.bin").exists());
    fs::remove_dir_all(store.file("objects")).unwrap();
    assert!(Store::open(store.path(), &options()).is_err());
    assert!(!store.file("objects").exists());
}

#[test]
fn f_0_3_f_0_8_a_bin_or_idx_of_no_authority_is_refused_and_other_names_are_not() {
    for name in ["workflow/blob.bin", "workflow/tree_id.idx", "objects/tag.bin"] {
        let store = TestStore::new();
        fs::write(store.file(name), [1, 0, 0, 0]).unwrap();
        assert_eq!(refused(Store::open(store.path(), &options())), "F-0.8", "{name}");
    }
    let store = TestStore::new();
    fs::write(store.file("workflow/notes.txt"), b"x").unwrap();
    Store::open(store.path(), &options()).unwrap();
}

#[test]
fn f_1_a_symlink_or_a_hard_link_in_the_place_of_a_file_is_refused() {
    let store = TestStore::new();
    let (file, other) = (store.file("workflow/tag.bin"), store.parent().join("other"));
    fs::rename(&file, &other).unwrap();
    symlink(&other, &file).unwrap();
    assert_eq!(refused(Store::open(store.path(), &options())), "F-1");
    fs::remove_file(&file).unwrap();
    fs::hard_link(&other, &file).unwrap();
    assert_eq!(refused(Store::open(store.path(), &options())), "F-1");
}

#[test]
fn the_last_component_of_a_stores_path_may_be_a_symlink() {
    let store = TestStore::new();
    let link = store.parent().join("link");
    symlink(store.path(), &link).unwrap();
    Store::open(&link, &options()).unwrap();
}

#[test]
fn f_0_5_a_lock_file_of_another_zone_is_found_out() {
    let (a, b) = (TestStore::new(), TestStore::new());
    fs::copy(b.file("workflow/workflow.lock"), a.file("workflow/workflow.lock")).unwrap();
    assert_eq!(corrupt(Store::open(a.path(), &options())).2, "F-0.5");
}

#[test]
fn a_zone_without_its_recovery_store_needs_recovery() {
    let store = TestStore::new();
    fs::remove_file(store.file("objects/object.undo")).unwrap();
    let error = Store::open(store.path(), &options()).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::RecoveryNeeded);
    assert!(error.to_string().contains("object.undo"), "{error}");
}

#[test]
fn two_handles_of_one_process_exclude_each_other_and_busy_names_the_holder() {
    let store = TestStore::new();
    let first = Store::open(store.path(), &options().holder("service seven")).unwrap();
    let second = Store::open(store.path(), &options().wait(LockWait::TryOnce)).unwrap();
    first.write(NOW, |txn| txn.create_line("main", None)).unwrap();
    let txn = first.begin(NOW).unwrap();
    let error = second.begin(NOW).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Busy);
    assert!(
        error.is_retryable() && error.to_string().contains("service seven"),
        "{error}"
    );
    assert_eq!(kind(second.view()), ErrorKind::Busy);
    assert_eq!(second.stats().workflow.busy, 2);
    drop(txn);
    second.begin(NOW).unwrap();
}

#[test]
fn a_read_only_handle_writes_nothing_and_says_so() {
    let store = TestStore::new();
    let reader = Store::open(store.path(), &options().read_only(true)).unwrap();
    assert_eq!(kind(reader.begin(NOW)), ErrorKind::Usage);
    assert_eq!(kind(reader.objects().begin(NOW)), ErrorKind::Usage);
    reader.close().unwrap();
}

#[test]
fn handles_are_cheap_shared_and_sendable() {
    fn check<T: Clone + Send + Sync>() {}
    fn send<T: Send>() {}
    check::<Store>();
    check::<graven::Root<graven::Workflow>>();
    check::<graven::Root<graven::Objects>>();
    send::<graven::View<'_, graven::Workflow>>();
    send::<graven::Txn<'_, graven::Objects>>();
    let store = TestStore::new();
    let clone = store.store.clone();
    std::thread::spawn(move || clone.write(NOW, |txn| txn.create_line("main", None)).unwrap())
        .join()
        .unwrap();
    assert_eq!(store.store.stats().workflow.commits, 1, "clones count together");
}
