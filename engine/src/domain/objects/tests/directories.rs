//! Directories over a real zone: what breaks a rule is refused, what is stored is summed up and looked up.

use super::*;

fn entry(name: &[u8], target: EntryTarget) -> DirectoryEntry<'_> {
    DirectoryEntry { name, target }
}

#[test]
fn f_0_3_a_directory_that_breaks_a_rule_is_refused() {
    let zone = TestZone::objects();
    let mut cache = FoldCache::default();
    let mut txn = zone.begin();
    let file = Tree::file("four").put(&mut txn, &mut cache);
    let EntryTarget::File { mode, hash, .. } = file else {
        panic!()
    };
    let below = Tree::directory([("f", Tree::file("four"))]).put(&mut txn, &mut cache);
    let below_hash = below.object().unwrap();
    let records = Objects::new(&txn).unwrap().len();
    let (missing, long) = (ObjectHash([9; 32]), vec![b'x'; 65_536]);
    let refused: &[(&str, &[DirectoryEntry<'_>])] = &[
        ("empty name", &[entry(b"", file)]),
        ("dot", &[entry(b".", file)]),
        ("dot dot", &[entry(b"..", file)]),
        ("slash", &[entry(b"a/b", file)]),
        ("NUL", &[entry(b"a\0", file)]),
        ("name too long", &[entry(&long, file)]),
        ("order", &[entry(b"b", file), entry(b"a", file)]),
        ("a name twice", &[entry(b"a", file), entry(b"a", below)]),
        (
            "missing blob",
            &[entry(
                b"a",
                EntryTarget::File {
                    mode,
                    size: 4,
                    hash: missing,
                },
            )],
        ),
        (
            "missing directory",
            &[entry(b"a", EntryTarget::Directory { size: 4, hash: missing })],
        ),
        (
            "blob as directory",
            &[entry(b"a", EntryTarget::Directory { size: 4, hash })],
        ),
        (
            "directory as blob",
            &[entry(
                b"a",
                EntryTarget::File {
                    mode,
                    size: 4,
                    hash: below_hash,
                },
            )],
        ),
        ("blob's size", &[entry(b"a", EntryTarget::File { mode, size: 5, hash })]),
        (
            "directory's size",
            &[entry(
                b"a",
                EntryTarget::Directory {
                    size: 5,
                    hash: below_hash,
                },
            )],
        ),
    ];
    for (what, entries) in refused {
        assert_eq!(rule_of(put_directory(&mut txn, entries, &mut cache)), "F-0.3", "{what}");
    }
    assert_eq!(
        Objects::new(&txn).unwrap().len(),
        records,
        "a refused directory appends nothing"
    );
    let link = EntryTarget::Link(LinkId::from_20([1; 20]));
    put_directory(
        &mut txn,
        &[entry(b"a", below), entry(b"b", file), entry(b"c", link)],
        &mut cache,
    )
    .unwrap();
}

#[test]
fn f_0_3_content_put_as_a_directory_is_checked_like_one() {
    let zone = TestZone::objects();
    let mut cache = FoldCache::default();
    let mut txn = zone.begin();
    Tree::file("four").put(&mut txn, &mut cache);
    let root = Tree::directory([("f", Tree::file("four"))]).put_root(&mut txn, &mut cache);
    let objects = Objects::new(&txn).unwrap();
    let payload = objects.read(objects.find(&root).unwrap().unwrap().0).unwrap();
    let mut put_raw = |bytes: &[u8]| put(&mut txn, ObjectKind::Directory, &mut Cursor::new(bytes), &mut cache);
    assert_eq!(put_raw(&payload).unwrap().outcome, PutOutcome::Existing);
    assert_eq!(put_raw(b"").unwrap().len, 0, "the empty directory");
    // mode, kind, size, hash, name length, name; one wrong byte in each but the name.
    for at in [0, 4, 5, 13, 45] {
        let mut wrong = payload.clone();
        wrong[at] ^= 1;
        assert_eq!(rule_of(put_raw(&wrong)), "F-0.3", "byte {at}");
    }
    assert_eq!(rule_of(put_raw(&payload[..payload.len() - 1])), "F-0.3");
}

#[test]
fn f_0_3_directories_are_at_most_512_deep() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let mut cache = FoldCache::default();
    let mut below = Tree::directory([]).put(&mut txn, &mut cache);
    let mut root = below;
    for _ in 0..MAX_DIRECTORY_DEPTH {
        root = EntryTarget::Directory {
            size: 0,
            hash: put_directory(&mut txn, &[entry(b"d", below)], &mut cache).unwrap().hash,
        };
        below = root;
    }
    let objects = Objects::new(&txn).unwrap();
    // Also with nothing in the cache, and with a cache that forgets at once.
    for limit in [1 << 10, 1] {
        let fold = objects
            .fold(&root.object().unwrap(), &mut FoldCache::new(limit))
            .unwrap();
        assert_eq!(usize::from(fold.depth), MAX_DIRECTORY_DEPTH);
    }
    let deeper = put_directory(&mut txn, &[entry(b"d", root)], &mut FoldCache::default());
    assert!(matches!(deeper, Err(Error::Exhausted { limit: 512, .. })), "{deeper:?}");
}

#[test]
fn f_0_3_a_sum_that_overflows_is_an_error_and_costs_no_walk() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let mut cache = FoldCache::default();
    let names: Vec<[u8; 1]> = (0..16).map(|name| [b'a' + name]).collect();
    let mut target = Tree::file("x").put(&mut txn, &mut cache);
    // 16^7 files fit into 32 bits, 16^8 do not.
    for level in 1..=8 {
        let entries: Vec<DirectoryEntry<'_>> = names.iter().map(|name| entry(name, target)).collect();
        let put = put_directory(&mut txn, &entries, &mut cache);
        if level == 8 {
            assert!(matches!(put, Err(Error::Exhausted { .. })), "{put:?}");
            return;
        }
        let hash = put.unwrap().hash;
        let fold = Objects::new(&txn)
            .unwrap()
            .fold(&hash, &mut FoldCache::default())
            .unwrap();
        assert_eq!(
            (fold.file_count, fold.total_bytes),
            (16_u32.pow(level), 16_u64.pow(level))
        );
        target = EntryTarget::Directory {
            size: 16_u64.pow(level),
            hash,
        };
    }
}

/// Appends a directory's payload without looking at what it refers to: what another writer's damage looks like.
fn append_unchecked(txn: &mut Transaction<'_>, payload: &[u8]) -> ObjectHash {
    let family = txn.family(&OBJECT).unwrap();
    let offset = txn.append_payload(family, payload).unwrap();
    let kind = ObjectKind::Directory;
    let hash = object_hash(kind, payload);
    let payload = PayloadRange::new(offset, payload.len() as u64).unwrap();
    txn.append_record(
        family,
        Stage::Commit,
        &Object {
            tombstoned: false,
            kind,
            hash,
            payload,
        }
        .encode(),
    )
    .unwrap();
    hash
}

#[test]
fn f_0_3_a_stored_directory_below_which_something_is_missing_or_lies_is_corrupt() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let mut cache = FoldCache::default();
    let sound = Tree::directory([("f", Tree::file("four"))]).put_root(&mut txn, &mut cache);
    let missing = ObjectHash([9; 32]);
    for (hash, sizes) in [(missing, &[4][..]), (sound, &[5]), (sound, &[4, 5]), (sound, &[5, 4])] {
        let mut builder = crate::format::DirectoryBuilder::new();
        for (name, size) in [b"d", b"e"].into_iter().zip(sizes) {
            builder
                .push(name, EntryTarget::Directory { size: *size, hash })
                .unwrap();
        }
        let above = append_unchecked(&mut txn, &builder.finish());
        let fold = Objects::new(&txn).unwrap().fold(&above, &mut cache);
        assert!(matches!(fold, Err(Error::Corrupt { .. })), "{fold:?}");
        assert!(
            fold.unwrap_err().to_string().contains(&hash.to_string()),
            "it names the directory"
        );
    }
}

#[test]
fn a_path_is_looked_up_component_by_component() {
    let zone = TestZone::objects();
    let mut txn = zone.begin();
    let tree = Tree::directory([
        (
            "a",
            Tree::directory([("b", Tree::file("content")), ("c", Tree::Link(7))]),
        ),
        ("a.b", Tree::File(FileMode::Symlink, b"a/b".to_vec())),
    ]);
    let root = tree.put_root(&mut txn, &mut FoldCache::default());
    let objects = Objects::new(&txn).unwrap();
    assert_eq!(
        objects.lookup(&root, b"").unwrap(),
        EntryTarget::Directory { size: 10, hash: root }
    );
    let found = objects.lookup(&root, b"a/b").unwrap();
    assert_eq!(
        objects
            .read(objects.find(&found.object().unwrap()).unwrap().unwrap().0)
            .unwrap(),
        b"content"
    );
    assert_eq!(
        objects.lookup(&root, b"a/c").unwrap(),
        EntryTarget::Link(LinkId::from_20([7; 20]))
    );
    for path in [&b"x"[..], b"a/x", b"a/b/x", b"a.b/b", b"A"] {
        assert!(
            matches!(objects.lookup(&root, path), Err(Error::NotFound { .. })),
            "{}",
            path.escape_ascii()
        );
    }
    for path in [&b"/a"[..], b"a/", b"a//b", b"./a", b"a/../a"] {
        assert_eq!(rule_of(objects.lookup(&root, path)), "F-0.3", "{}", path.escape_ascii());
    }
}
