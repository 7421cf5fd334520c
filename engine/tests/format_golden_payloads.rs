//! The bytes of every payload and the values of every hash, written by hand in `golden/` and here.

#[path = "golden/read.rs"]
mod read;

use graven::format::directory::entries;
use graven::format::{
    ChangeTitle, DirectoryBuilder, DirectoryEntry, EntryTarget, FileMode, LineName, LinkId, ObjectHash, ObjectKind,
    PayloadRange, Snapshot, SnapshotDescriptor, SnapshotId, SnapshotIndex, SnapshotKind, SnapshotPayload, Tag, TagName,
    TagPayload, TaskPayload, UnixSeconds, object_hash,
};
use read::{golden_bytes, record};

#[test]
fn f_2_16_g13_assigned_by_us_the_golden_snapshot_payload() {
    let bytes = golden_bytes("snapshot_payload.payload");
    let parents = [7, 4].map(|index| SnapshotIndex::new(index).unwrap());
    let encoded = SnapshotPayload::encode(&parents, Some("grün"), LineName::new("main").ok()).unwrap();
    assert_eq!(encoded, bytes);
    let owner = Snapshot {
        payload: PayloadRange::new(4, bytes.len() as u64).unwrap(),
        ..Snapshot::decode_native(&record("snapshot")).unwrap()
    };
    let payload = SnapshotPayload::decode_native(&owner, &bytes).unwrap();
    assert_eq!(payload.more_parents.iter().collect::<Vec<_>>(), parents);
    assert_eq!(
        (payload.message, payload.line_name.map(LineName::as_str)),
        (Some("grün"), Some("main"))
    );
}

/// W-TASK-33, and W-TASK-05: no text of the Task's identity is in it.
#[test]
fn f_2_1_w_task_33_the_golden_task_payload() {
    let bytes = golden_bytes("task_payload.payload");
    let payload = TaskPayload::new("Größe", "why").unwrap();
    assert_eq!(payload.encode().unwrap(), bytes);
    assert_eq!(TaskPayload::decode(&bytes), Ok(payload));
}

/// W-CHANGE-60.
#[test]
fn f_2_2_w_change_60_the_golden_change_payload() {
    let bytes = golden_bytes("change_payload.payload");
    let title = ChangeTitle::new("Größe").unwrap();
    assert_eq!(title.as_str().as_bytes(), bytes);
    assert_eq!(ChangeTitle::read(&bytes), Ok(title));
}

#[test]
fn g06_assigned_by_us_the_golden_tag_payload() {
    let bytes = golden_bytes("tag_payload.payload");
    let payload = TagPayload {
        name: TagName::new("v1").unwrap(),
        message: Some("first"),
    };
    assert_eq!(payload.encode().unwrap(), bytes);
    let owner = Tag {
        payload: PayloadRange::new(4, bytes.len() as u64).unwrap(),
        ..Tag::decode_native(&record("tag")).unwrap()
    };
    assert_eq!(TagPayload::decode_native(&owner, &bytes), Ok(payload));
}

#[test]
fn f_0_3_the_golden_directory() {
    let bytes = golden_bytes("directory_payload.payload");
    let hash = |byte| ObjectHash([byte; 32]);
    let wanted = [
        (
            &b"a.txt"[..],
            EntryTarget::File {
                mode: FileMode::Plain,
                size: 0x0102,
                hash: hash(0xa1),
            },
        ),
        (
            b"b",
            EntryTarget::Directory {
                size: 0x03_0405,
                hash: hash(0xb2),
            },
        ),
        (
            b"c",
            EntryTarget::File {
                mode: FileMode::Symlink,
                size: 1,
                hash: hash(0xc3),
            },
        ),
        (b"d", EntryTarget::Link(LinkId::from_20([0xd4; 20]))),
        (
            b"\xff",
            EntryTarget::File {
                mode: FileMode::Executable,
                size: 7,
                hash: hash(0xe5),
            },
        ),
    ]
    .map(|(name, target)| DirectoryEntry { name, target });
    assert_eq!(entries(&bytes).collect::<Vec<_>>(), wanted.map(Ok));
    let mut builder = DirectoryBuilder::new();
    for entry in wanted {
        builder.push(entry.name, entry.target).unwrap();
    }
    assert_eq!(builder.finish(), bytes);
}

/// Hashes are format too: these values never change.
#[test]
fn f_0_3_the_golden_hashes() {
    let directory = golden_bytes("directory_payload.payload");
    for (kind, payload, text) in [
        (
            ObjectKind::Blob,
            &b""[..],
            "OBJ-f7ea37480e41c89b499a099c834e08aa3b02304c163a47ea130dec2c49ddc332",
        ),
        (
            ObjectKind::Blob,
            b"graven",
            "OBJ-816bc8e2cac5620bef52f95dc8fee9879b3bbbbb5508b1edbe29edf2ea7ac6cf",
        ),
        (
            ObjectKind::Directory,
            b"",
            "OBJ-47f597acfc7215379aef4eec3e925ef5f8c2d6b45d412da474f585026dab8b77",
        ),
        (
            ObjectKind::Directory,
            &directory,
            "OBJ-666cfb46b63daf4ec2a8274951312481be1a1237a0797020b87f3fe08cc77271",
        ),
    ] {
        assert_eq!(object_hash(kind, payload).to_string(), text);
    }
    let descriptor = SnapshotDescriptor {
        manifest_hash: object_hash(ObjectKind::Directory, &directory),
        created_at_s: UnixSeconds(1_700_000_000),
        kind: SnapshotKind::Line,
        parents: &[SnapshotId::new(0x0e0f_1011_1213).unwrap(), SnapshotId::MAX],
        line_name: LineName::new("main").ok(),
        message: Some("grün"),
    };
    assert_eq!(descriptor.id().to_string(), "SNP-C5E2643AD7F6");
    let bare = SnapshotDescriptor {
        parents: &[],
        line_name: None,
        message: None,
        ..descriptor
    };
    assert_eq!(bare.id().to_string(), "SNP-2645B1C47A09");
}
