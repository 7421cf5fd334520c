//! What every family promises, and that a new one is a single declaration.

use std::collections::BTreeSet;

use graven::format::{
    AUTHORITIES, Authority, ELSEWHERE, FAMILIES, FieldValue, FileRole, Layout, ZeroRecord, ZoneLayout, judge, record,
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

/// Every declared record with the name it is asked for by.
fn layouts() -> impl Iterator<Item = (&'static str, &'static Layout)> {
    let families = FAMILIES.iter().map(|layout| (layout.family, *layout));
    families.chain(ELSEWHERE.iter().map(|form| (form.name, form.layout)))
}

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
    for (name, layout) in layouts() {
        let end = layout.fields.iter().fold(0, |end, field| {
            assert_eq!(field.offset, end, "{name}.{}", field.name);
            end + field.kind.size()
        });
        assert_eq!(end, layout.record_size, "{name}");
    }
}

#[test]
fn f_1_the_files_of_every_family_are_named_after_it() {
    for (name, layout) in layouts() {
        assert_eq!(layout.file, format!("{}.bin", layout.family));
        let points = layout.fields.iter().any(|field| field.name.ends_with("_offset"));
        assert_eq!(layout.payload_file.is_some(), points, "{name}");
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
    for (name, layout) in layouts() {
        for field in layout.fields.iter().filter(|field| !field.bits.is_empty()) {
            let mut seen = 0_u64;
            for bit in field.bits {
                assert!(bit.low <= bit.high, "{name}.{}", bit.name);
                for position in bit.low..=bit.high {
                    assert_eq!(seen & 1 << position, 0, "{name}.{} bit {position}", field.name);
                    seen |= 1 << position;
                }
            }
            assert_eq!(seen, (1 << (field.kind.size() * 8)) - 1, "{name}.{}", field.name);
        }
    }
}

#[test]
fn every_declaration_names_its_rules_and_says_what_it_means() {
    for (name, layout) in layouts() {
        assert!(!layout.rules.is_empty() && !layout.meaning.is_empty(), "{name}");
        for field in layout.fields {
            assert!(
                !field.rules.is_empty() && !field.meaning.is_empty(),
                "{name}.{}",
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

#[test]
fn a_record_of_another_place_has_a_name_of_its_own_and_no_file_in_a_local_root() {
    let names: BTreeSet<_> = layouts().map(|(name, _)| name).collect();
    assert_eq!(names.len(), FAMILIES.len() + ELSEWHERE.len());
    for form in ELSEWHERE {
        for zone in AUTHORITIES.iter().flat_map(|authority| authority.zones) {
            assert!(
                zone.families.iter().all(|layout| !std::ptr::eq(*layout, form.layout)),
                "{}",
                form.name
            );
        }
    }
}

/// W-STASH-02: only the local authority has Stashes, and no declared record of another place is one.
#[test]
fn w_stash_02_stashes_are_local() {
    let having: Vec<_> = AUTHORITIES
        .iter()
        .filter(|authority| authority.declares("stash.bin"))
        .map(|authority| authority.name)
        .collect();
    assert_eq!(having, ["local"]);
    assert!(ELSEWHERE.iter().all(|form| form.layout.file != "stash.bin"));
    let others = AUTHORITIES.iter().filter(|authority| authority.name != "local");
    assert!(others.clone().count() > 0 && others.clone().all(|authority| authority.forbids("stash.bin")));
}

#[test]
fn every_family_but_those_of_plans_has_a_typed_decoder() {
    let without: Vec<_> = layouts()
        .filter(|(_, layout)| judge(layout, &[]).is_none())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(without, ["plan", "plan_revision", "plan_item"]);
}

#[test]
fn ac16_a_record_of_zeros_is_refused_wherever_the_rules_exclude_it() {
    let mut legal = Vec::new();
    for (name, layout) in layouts() {
        let judged = judge(layout, &vec![0; layout.record_size]).map(|judged| judged.is_err());
        match layout.zero_record {
            ZeroRecord::Legal(_) => {
                assert_ne!(judged, Some(true), "{name}");
                legal.push(name);
            }
            ZeroRecord::Refused(why) => {
                assert_ne!(judged, Some(false), "{name}");
                let field = why.split('`').nth(1).expect("the field is named");
                assert!(layout.field(field).is_some(), "{name}: {why}");
            }
        }
    }
    assert_eq!(
        legal,
        ["task_change_index", "task_land_index", "change_land_index", "stash"]
    );
}
