//! What every family promises, and that a new one is a single declaration.

use std::collections::BTreeSet;

use graven::format::{
    AUTHORITIES, Authority, FAMILIES, FieldValue, FileRole, Layout, Line, Object, Snapshot, Tag, ZeroRecord,
    ZoneLayout, record,
};
use zerocopy::{FromBytes, IntoBytes};

record! {
    pub struct NoteRecord: 52 bytes;
    pub static NOTE: "note", payload "note_payload.bin";
    meaning "One note.";
    rules "F-1";
    zero_record refused "`note_offset` below 4 (F-1)";
    fields {
        note_meta: u8, "", "State bits.", ["F-1"], bits {
            [0..=1] colour "0 none, 1 red, 2 green, 3 blue.",
            [7] tombstone "Deleted."
        };
        reserved0: u8, "", "0.", ["F-1"];
        note_len: u16, "bytes", "Length of the note.", ["F-1"];
        note_offset: u64, "bytes", "Where the note stands.", ["F-1"];
        about_task_index_plus1: u32, "index + 1", "The Task it is about.", ["F-1"];
        author: [u8; 32], "", "Who wrote it.", [];
        pages: u32, "", "How many pages it has.", [];
    }
}

static NOTES: Authority = Authority {
    name: "notes",
    zones: &[&NOTE_ZONE],
};
static NOTE_ZONE: ZoneLayout = ZoneLayout {
    name: "note",
    lock_file: "note.lock",
    gate_file: "note.gate",
    undo_file: "note.undo",
    families: &[&NOTE],
    indexes: &[],
};

#[test]
fn a_made_up_family_is_one_declaration_and_one_line_in_a_list() {
    assert_eq!(
        (NOTE.family, NOTE.record, NOTE.file),
        ("note", "NoteRecord", "note.bin")
    );
    assert_eq!((NOTE.payload_file, NOTE.record_size), (Some("note_payload.bin"), 52));
    let offsets: Vec<_> = NOTE.fields.iter().map(|field| field.offset).collect();
    assert_eq!(offsets, [0, 1, 2, 4, 12, 16, 48]);

    assert_eq!(
        NOTE_ZONE.data_files().collect::<Vec<_>>(),
        ["note.bin", "note_payload.bin"]
    );
    assert!(matches!(NOTES.role("note.bin"), FileRole::Records(layout) if std::ptr::eq(layout, &raw const NOTE)));
    assert!(NOTES.is_runtime("note.undo") && NOTES.forbids("task.bin") && !NOTES.forbids("readme"));
    assert_eq!(NOTES.family("note").map(|layout| layout.record), Some("NoteRecord"));
}

#[test]
fn a_declared_record_reads_any_bytes_and_gives_them_back() {
    let bytes: [u8; 52] = std::array::from_fn(|position| u8::try_from(position * 5 % 256).unwrap());
    let note = NoteRecord::read_from_bytes(&bytes).unwrap();
    assert_eq!(note.as_bytes(), bytes);
    assert_eq!(note.note_len.get(), u16::from_le_bytes([bytes[2], bytes[3]]));
    let field = NOTE.field("note_len").unwrap();
    assert_eq!(
        field.read(&bytes),
        Some(FieldValue::Integer(note.note_len.get().into()))
    );
    let author = NOTE.field("author").unwrap();
    assert_eq!(author.read(&bytes), Some(FieldValue::Bytes(&note.author)));
    let colour = &NOTE.field("note_meta").unwrap().bits[0];
    assert_eq!((colour.name, colour.of(0b1000_0110)), ("colour", 2));
}

#[test]
fn f_1_the_fields_of_every_family_are_contiguous_and_fill_the_record() {
    for layout in FAMILIES {
        let end = layout.fields.iter().fold(0, |end, field| {
            assert_eq!(field.offset, end, "{}.{}", layout.family, field.name);
            end + field.kind.size()
        });
        assert_eq!(end, layout.record_size, "{}", layout.family);
    }
}

#[test]
fn f_1_the_files_of_every_family_are_named_after_it() {
    for layout in FAMILIES {
        assert_eq!(layout.file, format!("{}.bin", layout.family));
        let points = layout.fields.iter().any(|field| field.name.ends_with("_offset"));
        assert_eq!(layout.payload_file.is_some(), points, "{}", layout.family);
        if let Some(payload) = layout.payload_file {
            assert!(
                payload.ends_with("_payload.bin") && payload.starts_with(layout.family),
                "{payload}"
            );
        }
    }
}

#[test]
fn every_bit_of_a_named_byte_has_exactly_one_name() {
    for layout in FAMILIES {
        for field in layout.fields.iter().filter(|field| !field.bits.is_empty()) {
            let mut seen = 0_u64;
            for bit in field.bits {
                assert!(bit.low <= bit.high, "{}.{}", layout.family, bit.name);
                for position in bit.low..=bit.high {
                    assert_eq!(
                        seen & 1 << position,
                        0,
                        "{}.{} bit {position}",
                        layout.family,
                        field.name
                    );
                    seen |= 1 << position;
                }
            }
            assert_eq!(
                seen,
                (1 << (field.kind.size() * 8)) - 1,
                "{}.{}",
                layout.family,
                field.name
            );
        }
    }
}

#[test]
fn every_declaration_names_its_rules_and_says_what_it_means() {
    for layout in FAMILIES {
        assert!(
            !layout.rules.is_empty() && !layout.meaning.is_empty(),
            "{}",
            layout.family
        );
        for field in layout.fields {
            assert!(
                !field.rules.is_empty() && !field.meaning.is_empty(),
                "{}.{}",
                layout.family,
                field.name
            );
        }
    }
}

#[test]
fn every_family_belongs_to_exactly_one_zone() {
    let zones: Vec<&ZoneLayout> = AUTHORITIES
        .iter()
        .flat_map(|authority| authority.zones)
        .copied()
        .collect();
    let listed: Vec<&Layout> = zones.iter().flat_map(|zone| zone.families).copied().collect();
    assert_eq!(listed.len(), FAMILIES.len());
    for layout in FAMILIES.iter().copied() {
        assert_eq!(
            listed.iter().filter(|other| std::ptr::eq(**other, layout)).count(),
            1,
            "{}",
            layout.family
        );
    }
}

#[test]
fn f_0_3_the_families_that_version_0_refuses_are_not_declared() {
    let names: BTreeSet<_> = FAMILIES.iter().map(|layout| layout.family).collect();
    for refused in [
        "blob",
        "tree",
        "tree_entry",
        "tree_pack",
        "object_pack",
        "snapshot_parent_edge",
        "git_mapping",
    ] {
        assert!(!names.contains(refused), "{refused}");
        assert!(
            AUTHORITIES
                .iter()
                .all(|authority| authority.forbids(&format!("{refused}.bin"))),
            "{refused}"
        );
    }
}

/// Whether the typed decoder of the family refuses zeros; `None` where the family has no typed decoder yet.
fn refuses_zeros(layout: &Layout) -> Option<bool> {
    let zeros = vec![0; layout.record_size];
    match layout.family {
        "line" => Some(Line::decode(&zeros).is_err()),
        "snapshot" => Some(Snapshot::decode(&zeros).is_err()),
        "tag" => Some(Tag::decode(&zeros).is_err()),
        "object" => Some(Object::decode(&zeros).is_err()),
        _ => None,
    }
}

#[test]
fn ac16_a_record_of_zeros_is_refused_wherever_the_rules_exclude_it() {
    let mut legal = Vec::new();
    for layout in FAMILIES {
        match layout.zero_record {
            ZeroRecord::Legal(_) => {
                assert_ne!(refuses_zeros(layout), Some(true), "{}", layout.family);
                legal.push(layout.family);
            }
            ZeroRecord::Refused(why) => {
                assert_ne!(refuses_zeros(layout), Some(false), "{}", layout.family);
                let field = why.split('`').nth(1).expect("the field is named");
                assert!(layout.field(field).is_some(), "{}: {why}", layout.family);
            }
        }
    }
    assert_eq!(
        legal,
        ["task_change_index", "task_land_index", "change_land_index", "stash"]
    );
}
