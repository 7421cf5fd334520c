//! What a directory's payload may and may not say (F-0.3).

use super::*;

const HASH: ObjectHash = ObjectHash([0xab; 32]);

fn plain(size: u64) -> EntryTarget {
    EntryTarget::File {
        mode: FileMode::Plain,
        size,
        hash: HASH,
    }
}

/// One entry, whatever the rules say of it.
fn raw_entry(mode: u32, kind: u8, size: u64, hash: [u8; 32], name: &[u8]) -> Vec<u8> {
    let mut bytes = mode.to_le_bytes().to_vec();
    bytes.push(kind);
    bytes.extend(size.to_le_bytes());
    bytes.extend(hash);
    bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    bytes.extend(name);
    bytes
}

fn first_error(payload: &[u8]) -> Option<(&'static str, Problem)> {
    entries(payload)
        .find_map(Result::err)
        .map(|error| (error.field, error.problem))
}

fn refuses(payload: &[u8], entry: u64, what: &'static str) {
    assert_eq!(
        first_error(payload).map(|(_, problem)| problem),
        Some(Problem::Entry { entry, what })
    );
}

#[test]
fn f_0_3_a_directory_is_its_entries_byte_for_byte() {
    let mut builder = DirectoryBuilder::new();
    let id = LinkId::from_20([0x11; 20]);
    let wanted = [
        (
            &b"a"[..],
            EntryTarget::File {
                mode: FileMode::Executable,
                size: 7,
                hash: HASH,
            },
        ),
        (b"b", EntryTarget::Directory { size: 9, hash: HASH }),
        (
            b"c\xff",
            EntryTarget::File {
                mode: FileMode::Symlink,
                size: 1,
                hash: HASH,
            },
        ),
        (b"d", EntryTarget::Link(id)),
        (b"e", plain(2)),
    ];
    for (name, target) in wanted {
        builder.push(name, target).unwrap();
    }
    assert_eq!(builder.size(), 19);
    let mut link = [0; 32];
    link[..20].fill(0x11);
    let expected = [
        raw_entry(0o100_755, 0, 7, [0xab; 32], b"a"),
        raw_entry(0o040_000, 1, 9, [0xab; 32], b"b"),
        raw_entry(0o120_000, 0, 1, [0xab; 32], b"c\xff"),
        raw_entry(0o160_000, 2, 0, link, b"d"),
        raw_entry(0o100_644, 0, 2, [0xab; 32], b"e"),
    ]
    .concat();
    let payload = builder.finish();
    assert_eq!(payload, expected);
    let read: Vec<_> = entries(&payload)
        .map(|entry| entry.map(|entry| (entry.name, entry.target)))
        .collect();
    assert_eq!(read, wanted.map(Ok));
}

#[test]
fn f_0_3_an_empty_directory_has_an_empty_payload() {
    assert_eq!(DirectoryBuilder::new().finish(), b"");
    assert_eq!(entries(b"").next(), None);
}

#[test]
fn f_0_3_names_are_strictly_increasing_by_bytes() {
    for (first, second) in [(&b"b"[..], &b"a"[..]), (b"a", b"a"), (b"a-", b"a"), (b"\xc3", b"z")] {
        let mut builder = DirectoryBuilder::new();
        builder.push(first, plain(1)).unwrap();
        assert_eq!(builder.push(second, plain(1)).map_err(|e| e.rule), Err("F-0.3"));
        assert_eq!(
            builder.push(b"\xff", plain(1)),
            Ok(()),
            "a refused entry leaves the builder as it was"
        );
        let payload = [
            raw_entry(0o100_644, 0, 1, [0; 32], first),
            raw_entry(0o100_644, 0, 1, [0; 32], second),
        ]
        .concat();
        refuses(&payload, 1, "the name does not come after the one before");
    }
}

#[test]
fn f_0_3_names_that_lead_elsewhere_are_refused() {
    for (name, what) in [
        (&b""[..], "an empty name"),
        (b".", "the name `.` or `..`"),
        (b"..", "the name `.` or `..`"),
        (b"a/b", "a `/` in the name"),
        (b"/", "a `/` in the name"),
        (b"a\0", "a NUL in the name"),
    ] {
        assert!(DirectoryBuilder::new().push(name, plain(0)).is_err(), "{name:?}");
        refuses(&raw_entry(0o100_644, 0, 0, [0; 32], name), 0, what);
    }
    for name in [&b"..."[..], b"..a", b" ", b"\\", b"\xff\xfe"] {
        assert!(DirectoryBuilder::new().push(name, plain(0)).is_ok(), "{name:?}");
    }
}

#[test]
fn f_0_3_another_mode_or_one_that_disagrees_with_the_kind_is_refused() {
    for mode in [0, 0o100_664, 0o100_600, 0o644, 0o040_755, u32::MAX] {
        refuses(
            &raw_entry(mode, 0, 0, [0; 32], b"a"),
            0,
            "a mode that is none of the five",
        );
    }
    for (mode, right) in [
        (0o100_644, 0),
        (0o100_755, 0),
        (0o120_000, 0),
        (0o040_000, 1),
        (0o160_000, 2),
    ] {
        for kind in [0, 1, 2, 3, 255] {
            let payload = raw_entry(mode, kind, 0, [0; 32], b"a");
            if kind == right {
                assert_eq!(first_error(&payload), None);
            } else {
                refuses(&payload, 0, "mode and kind disagree");
            }
        }
    }
}

#[test]
fn f_0_3_a_link_has_size_0_and_its_id_left_aligned() {
    refuses(&raw_entry(0o160_000, 2, 1, [0; 32], b"a"), 0, "a link with a size");
    let short = LinkId::from_20([7; 20]);
    assert_eq!(short.as_bytes(), [7; 20]);
    assert_eq!(LinkId::from_32([7; 32]).as_bytes(), [7; 32]);
    assert_eq!(EntryTarget::Link(short).object(), None);
    assert_eq!(EntryTarget::Link(short).size(), 0);
}

#[test]
fn f_0_3_a_payload_that_ends_inside_an_entry_is_refused() {
    let whole = [
        raw_entry(0o100_644, 0, 1, [1; 32], b"a"),
        raw_entry(0o100_644, 0, 1, [1; 32], b"bc"),
    ]
    .concat();
    for end in 1..whole.len() {
        let boundary = end == raw_entry(0, 0, 0, [0; 32], b"a").len();
        assert_eq!(first_error(&whole[..end]).is_none(), boundary, "{end}");
    }
}

#[test]
fn after_the_first_wrong_entry_nothing_more_is_read() {
    let payload = [
        raw_entry(0, 0, 1, [1; 32], b"a"),
        raw_entry(0o100_644, 0, 1, [1; 32], b"b"),
    ]
    .concat();
    assert_eq!(entries(&payload).count(), 1);
}

#[test]
fn an_entry_is_found_by_its_name_and_a_missing_one_is_not() {
    let mut builder = DirectoryBuilder::new();
    for name in [&b"a"[..], b"c", b"cc"] {
        builder.push(name, plain(name.len() as u64)).unwrap();
    }
    let payload = builder.finish();
    let size = |name| find(&payload, name).map(|entry| entry.map(|entry| entry.target.size()));
    assert_eq!(size(b"c"), Ok(Some(1)));
    assert_eq!(size(b"cc"), Ok(Some(2)));
    for name in [&b""[..], b"b", b"ccc", b"z"] {
        assert_eq!(size(name), Ok(None), "{name:?}");
    }
    assert!(find(&payload[..60], b"z").is_err());
}

#[test]
fn f_0_3_sizes_that_overflow_together_are_refused() {
    let mut builder = DirectoryBuilder::new();
    builder.push(b"a", plain(u64::MAX)).unwrap();
    assert_eq!(builder.push(b"b", plain(1)).map_err(|e| e.field), Err("size"));
    assert_eq!(builder.push(b"b", plain(0)), Ok(()));
}

#[test]
fn f_0_3_the_longest_name_fits_and_one_byte_more_does_not() {
    let name = vec![b'n'; MAX_ENTRY_NAME_LEN];
    let mut builder = DirectoryBuilder::new();
    builder.push(&name, plain(0)).unwrap();
    assert_eq!(entries(&builder.finish()).next().unwrap().unwrap().name, name);
    let longer = vec![b'n'; MAX_ENTRY_NAME_LEN + 1];
    assert_eq!(
        DirectoryBuilder::new().push(&longer, plain(0)).map_err(|e| e.field),
        Err("name")
    );
}
