//! The bytes of every record, written by hand in `golden/`: what changes them changes the format.

#[path = "golden/read.rs"]
mod read;

use std::fs;
use std::path::Path;

use graven::format::{
    ELSEWHERE, FAMILIES, FieldType, Layout, Line, LineIndex, LineState, Object, ObjectHash, ObjectKind, Parents,
    PayloadRange, PlanItemRecord, PlanRecord, PlanRevisionRecord, Snapshot, SnapshotId, SnapshotIndex, SnapshotKind,
    Tag, UnixSeconds,
};
use read::{golden, record};
use zerocopy::IntoBytes;

fn array<const N: usize>(first: u8) -> [u8; N] {
    std::array::from_fn(|position| first + u8::try_from(position).expect("a short array"))
}

/// Every declared record with the name of its golden file.
fn layouts() -> impl Iterator<Item = (&'static str, &'static Layout)> {
    let families = FAMILIES.iter().map(|layout| (layout.family, *layout));
    families.chain(ELSEWHERE.iter().map(|form| (form.name, form.layout)))
}

/// Fields that version 0 always writes as 0, or that its golden record has to have as 0.
fn is_always_zero(layout: &Layout, field: &str) -> bool {
    field.starts_with("reserved")
        || field.starts_with("root_")
        || (layout.family == "snapshot" && field == "history_flags")
        || (layout.family == "land" && field == "failure_kind")
}

#[test]
fn every_layout_is_the_one_written_by_hand_with_every_field_set() {
    for (name, layout) in layouts() {
        let golden = golden(&format!("{name}.record"));
        let listed: Vec<_> = golden
            .iter()
            .map(|field| (field.offset, field.name.as_str(), field.bytes.len()))
            .collect();
        let declared: Vec<_> = layout
            .fields
            .iter()
            .map(|field| (field.offset, field.name, field.kind.size()))
            .collect();
        assert_eq!(declared, listed, "{name}");
        let end = golden.last().map(|field| field.offset + field.bytes.len());
        assert_eq!(end, Some(layout.record_size), "{name}");
        for field in golden {
            let zero = field.bytes.iter().all(|byte| *byte == 0);
            assert_eq!(zero, is_always_zero(layout, &field.name), "{name}.{}", field.name);
        }
    }
}

#[test]
fn every_golden_record_belongs_to_a_family() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for entry in fs::read_dir(directory).expect("the golden files") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "record") {
            let family = path.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(layouts().any(|(name, _)| name == family), "{family}");
        }
    }
}

#[test]
fn w_line_01_the_golden_line() {
    let line = Line {
        state: LineState::Archived {
            at: UnixSeconds(0x2021_2223_2425_2627),
        },
        name: PayloadRange::new(0x0405_0607_0809_0a0b, 0x0203).unwrap(),
        head: SnapshotIndex::new(0x0c0d_0e0e),
        created_at_s: UnixSeconds(0x1011_1213_1415_1617),
        updated_at_s: UnixSeconds(0x1819_1a1b_1c1d_1e1f),
    };
    assert_eq!(Line::decode_native(&record("line")), Ok(line));
    assert_eq!(line.encode().unwrap()[..], record("line"));
}

#[test]
fn f_2_16_the_golden_snapshot() {
    let snapshot = Snapshot {
        tombstoned: true,
        kind: SnapshotKind::Stash,
        id: SnapshotId::new(0x0e0f_1011_1213).unwrap(),
        parents: Parents::Many(SnapshotIndex::new(0x1415_1616).unwrap()),
        line: LineIndex::new(0x2021_2222),
        has_message: true,
        payload: PayloadRange::new(0x0405_0607_0809_0a0b, 0x0203).unwrap(),
        manifest_hash: ObjectHash(array(0x24)),
        file_count: 0x4445_4647,
        total_bytes: 0x4849_4a4b_4c4d_4e4f,
        created_at_s: UnixSeconds(0x5051_5253_5455_5657),
    };
    assert_eq!(Snapshot::decode_native(&record("snapshot")), Ok(snapshot));
    assert_eq!(snapshot.encode().unwrap()[..], record("snapshot"));
}

#[test]
fn f_2_16_the_history_boundary_is_bit_0_of_history_flags() {
    let boundary = Snapshot {
        tombstoned: false,
        kind: SnapshotKind::Line,
        id: SnapshotId::MAX,
        parents: Parents::Boundary,
        line: None,
        has_message: false,
        payload: PayloadRange::EMPTY,
        manifest_hash: ObjectHash([1; 32]),
        file_count: 1,
        total_bytes: 1,
        created_at_s: UnixSeconds(1),
    };
    let bytes = boundary.encode().unwrap();
    assert_eq!(bytes[..12], [0, 1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[20..24], [0, 0, 0, 0]);
}

#[test]
fn w_tag_01_w_tag_13_the_golden_tag() {
    let tag = Tag {
        tombstoned: true,
        annotated: true,
        payload: PayloadRange::new(0x0405_0607_0809_0a0b, 0x0203).unwrap(),
        snapshot: SnapshotIndex::new(0x0c0d_0e0f).unwrap(),
        created_at_s: UnixSeconds(0x1011_1213_1415_1617),
    };
    assert_eq!(Tag::decode_native(&record("tag")), Ok(tag));
    assert_eq!(tag.encode().unwrap()[..], record("tag"));
}

#[test]
fn f_0_3_the_golden_object() {
    let object = Object {
        tombstoned: true,
        kind: ObjectKind::Directory,
        hash: ObjectHash(array(4)),
        payload: PayloadRange::new(0x2425_2627_2829_2a2b, 0x2c2d_2e2f_3031_3233).unwrap(),
    };
    assert_eq!(Object::decode_native(&record("object")), Ok(object));
    assert_eq!(object.encode()[..], record("object"));
}

#[test]
fn f_2_15_the_golden_plan_with_its_revision_and_item() {
    let plan = PlanRecord {
        plan_meta: 2,
        reserved0: 0,
        payload_len: 0x0203.into(),
        payload_offset: 0x0405_0607_0809_0a0b.into(),
        latest_revision_index_plus1: 0x0c0d_0e0f.into(),
        published_plan_index_plus1: 0x1011_1213.into(),
        published_latest_revision_index_plus1: 0x1415_1617.into(),
        created_at_s: 0x1819_1a1b_1c1d_1e1f.into(),
        updated_at_s: 0x2021_2223_2425_2627.into(),
        published_at_s: 0x2829_2a2b_2c2d_2e2f.into(),
    };
    assert_eq!(plan.as_bytes(), record("plan"));
    let revision = PlanRevisionRecord {
        revision_meta: 0x80,
        reserved0: 0,
        payload_len: 0x0203.into(),
        revision_number: 0x0405.into(),
        item_count: 0x0607.into(),
        payload_offset: 0x0809_0a0b_0c0d_0e0f.into(),
        plan_index: 0x1011_1213.into(),
        previous_revision_index_plus1: 0x1415_1617.into(),
        item_start_index: 0x1819_1a1b.into(),
        published_revision_index_plus1: 0x1c1d_1e1f.into(),
        root_tree_pack_index_plus1: 0.into(),
        root_entry_ordinal: 0.into(),
        created_at_s: 0x2829_2a2b_2c2d_2e2f.into(),
        published_at_s: 0x3031_3233_3435_3637.into(),
    };
    assert_eq!(revision.as_bytes(), record("plan_revision"));
    let item = PlanItemRecord {
        item_meta: 0x0e,
        reserved0: 0,
        payload_len: 0x0203.into(),
        payload_offset: 0x0405_0607_0809_0a0b.into(),
        line_number: 0x0c0d_0e0f.into(),
    };
    assert_eq!(item.as_bytes(), record("plan_item"));
}

/// The fields of a record are as wide as the raw structure's.
#[test]
fn f_1_only_the_five_types_of_the_format_occur() {
    let widths = layouts()
        .flat_map(|(_, layout)| layout.fields)
        .map(|field| match field.kind {
            FieldType::U8 => 1,
            FieldType::U16 => 2,
            FieldType::U32 => 4,
            FieldType::U64 => 8,
            FieldType::Bytes(len) => len,
        });
    let total: usize = widths.sum();
    assert_eq!(total, layouts().map(|(_, layout)| layout.record_size).sum::<usize>());
}
