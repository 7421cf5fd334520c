//! The format as a page of Markdown, made from the declarations alone: `docs/format.md`.

use std::fmt::{self, Write};

use super::authority::{AUTHORITIES, Authority};
use super::families::{ELSEWHERE, Elsewhere, FAMILIES};
use super::grammar::{Grammar, PAYLOADS};
use super::hash::{BLOB_CONTEXT, DIRECTORY_CONTEXT, SNAPSHOT_CONTEXT};
use super::index::INDEXES;
use super::layout::{Field, FieldType, IndexLayout, Layout, ZeroRecord};
use super::tolerance::TOLERANCES;
use super::{HEADER_LEN, LAYOUT_ID};

/// The whole page.
pub fn format_page() -> String {
    let mut page = String::new();
    match write_page(&mut page) {
        Ok(()) => page,
        Err(error) => format!("the page could not be written: {error}\n"),
    }
}

/// The section of one family: its files, fields, bits and payload.
///
/// # Errors
/// Those of `out`.
pub fn write_family(out: &mut impl Write, layout: &Layout) -> fmt::Result {
    writeln!(out, "### {}\n\n{}\n", layout.family, layout.meaning)?;
    write_record(out, layout)
}

/// A record that stands in no root of this version.
fn write_elsewhere(out: &mut impl Write, form: &Elsewhere) -> fmt::Result {
    let meaning = form.layout.meaning;
    writeln!(out, "### {}\n\n{meaning} It stands in {}.\n", form.name, form.place)?;
    write_record(out, form.layout)
}

fn write_record(out: &mut impl Write, layout: &Layout) -> fmt::Result {
    write!(
        out,
        "`{}`, `{}`, {} bytes a record",
        layout.record, layout.file, layout.record_size
    )?;
    if let Some(payload) = layout.payload_file {
        write!(out, ", payload in `{payload}`")?;
    }
    writeln!(
        out,
        ". Rules: {}. {}\n",
        layout.rules.join(", "),
        zero_record(layout.zero_record)
    )?;
    write_fields(out, layout.fields)?;
    for field in layout.fields.iter().filter(|field| !field.bits.is_empty()) {
        writeln!(
            out,
            "\n| bits of `{}` | name | meaning |\n| --- | --- | --- |",
            field.name
        )?;
        for bit in field.bits {
            let place = if bit.low == bit.high {
                bit.low.to_string()
            } else {
                format!("{} to {}", bit.low, bit.high)
            };
            writeln!(out, "| {place} | {} | {} |", bit.name, cell(bit.meaning))?;
        }
    }
    PAYLOADS
        .iter()
        .filter(|grammar| grammar.family == layout.family)
        .try_for_each(|grammar| write_grammar(out, grammar))
}

fn write_page(out: &mut String) -> fmt::Result {
    writeln!(out, "# The format\n")?;
    writeln!(
        out,
        "Made from the declarations in `engine/src/format` by `cargo run -p xtask -- docs`; do not edit.\n"
    )?;
    writeln!(
        out,
        "Every `.bin` and `.idx` file starts with {HEADER_LEN} bytes: `layout_id` {LAYOUT_ID} as a little-endian u32. \
         Record *n* of size *S* stands at {HEADER_LEN} + *n* × *S*; its number is its identity. Integers are \
         little-endian, fields follow one another without padding, payload offsets count from the start of the file. \
         `*_index_plus1` holds the index + 1, and 0 for none. Times are whole Unix seconds; 0 is none.\n"
    )?;
    writeln!(out, "## Authorities\n")?;
    AUTHORITIES
        .iter()
        .try_for_each(|authority| write_authority(out, authority))?;
    writeln!(out, "## Families\n")?;
    for layout in FAMILIES {
        write_family(out, layout)?;
        writeln!(out)?;
    }
    writeln!(
        out,
        "## Records of other places\n\nThey belong to no root of this version; no file of a local store has them.\n"
    )?;
    for form in ELSEWHERE {
        write_elsewhere(out, form)?;
        writeln!(out)?;
    }
    writeln!(
        out,
        "## Indexes\n\nRebuildable from the records; never part of what a root says. Rows ascend by their columns.\n"
    )?;
    for index in INDEXES {
        write_index(out, index)?;
        writeln!(out)?;
    }
    write_hashes(out)?;
    writeln!(out, "## What readers tolerate\n")?;
    writeln!(
        out,
        "No writer of this version produces any of it, and `decode_native` refuses it.\n"
    )?;
    writeln!(
        out,
        "| family | field | found | becomes | rule |\n| --- | --- | --- | --- | --- |"
    )?;
    for row in TOLERANCES {
        writeln!(
            out,
            "| {} | `{}` | {} | {} | {} |",
            row.family, row.field, row.found, row.becomes, row.rule
        )?;
    }
    write_identities(out)
}

fn write_authority(out: &mut String, authority: &Authority) -> fmt::Result {
    for zone in authority.zones {
        writeln!(out, "### Authority `{}`, zone `{}`\n", authority.name, zone.name)?;
        let runtime = zone.runtime_files().map(|file| format!("`{file}`")).join(", ");
        writeln!(
            out,
            "Beside its files stand {runtime}; any other `.bin` or `.idx` is refused.\n"
        )?;
        writeln!(out, "| file | what | bytes each |\n| --- | --- | ---: |")?;
        for family in zone.families {
            writeln!(
                out,
                "| `{}` | records of `{}` | {} |",
                family.file, family.family, family.record_size
            )?;
            if let Some(payload) = family.payload_file {
                writeln!(out, "| `{payload}` | payload of `{}` | |", family.family)?;
            }
        }
        for index in zone.indexes {
            writeln!(
                out,
                "| `{}` | index over `{}`, optional | {} |",
                index.file, index.family, index.row_size
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_fields(out: &mut impl Write, fields: &[Field]) -> fmt::Result {
    writeln!(
        out,
        "| offset | size | type | field | unit | meaning | rules |\n| ---: | ---: | --- | --- | --- | --- | --- |"
    )?;
    for field in fields {
        writeln!(
            out,
            "| {} | {} | {} | `{}` | {} | {} | {} |",
            field.offset,
            field.kind.size(),
            type_name(field.kind),
            field.name,
            field.unit,
            cell(field.meaning),
            field.rules.join(", ")
        )?;
    }
    Ok(())
}

fn write_grammar(out: &mut impl Write, grammar: &Grammar) -> fmt::Result {
    writeln!(
        out,
        "\nPayload `{}`: {} Rules: {}.\n",
        grammar.name,
        grammar.meaning,
        grammar.rules.join(", ")
    )?;
    writeln!(out, "| part | type | meaning |\n| --- | --- | --- |")?;
    for part in grammar.parts {
        writeln!(out, "| `{}` | {} | {} |", part.name, part.kind, cell(part.meaning))?;
    }
    Ok(())
}

fn write_index(out: &mut String, index: &IndexLayout) -> fmt::Result {
    writeln!(out, "### {}\n\n{}\n", index.file, index.meaning)?;
    writeln!(
        out,
        "{} bytes a row, the first {} its key.\n",
        index.row_size, index.key_size
    )?;
    write_fields(out, index.columns)
}

fn write_hashes(out: &mut String) -> fmt::Result {
    writeln!(out, "## Hashes\n\nBLAKE3-256 in derive-key mode (F-0.3).\n")?;
    writeln!(out, "| of | context | over |\n| --- | --- | --- |")?;
    writeln!(out, "| a blob | `{BLOB_CONTEXT}` | its payload |")?;
    writeln!(out, "| a directory | `{DIRECTORY_CONTEXT}` | its payload |")?;
    writeln!(
        out,
        "| a Snapshot, first 6 bytes read big-endian | `{SNAPSHOT_CONTEXT}` | u8 1; `manifest_hash`; u64 `created_at_s`; \
         u8 kind; u32 parent count; each parent's `snapshot_hash48` as u64; u32 length and bytes of the authoring \
         Line's name (0 where there is none); u32 length and bytes of the message; integers little-endian |"
    )?;
    writeln!(
        out,
        "\nNames in indexes: FNV-1a of 64 bits over the exact bytes (F-1).\n"
    )
}

fn write_identities(out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Identity text\n\n| of | form | example | rules |\n| --- | --- | --- | --- |"
    )?;
    for [of, form, example, rules] in IDENTITIES {
        writeln!(out, "| {of} | {form} | `{example}` | {rules} |")?;
    }
    Ok(())
}

/// The forms of identity text, each with an example that a test reads.
const IDENTITIES: &[[&str; 4]] = &[
    [
        "Task",
        "`L` or `R`, namespace, `T-`, index + 1 with at least 4 digits",
        "LABT-0001",
        "W-TASK-04, W-TASK-05, F-1.1",
    ],
    [
        "Change",
        "Task, `/C-`, ordinal + 1 with 2 digits",
        "LABT-0001/C-01",
        "F-1.1",
    ],
    [
        "Land",
        "Change, `/L-`, ordinal + 1 with 2 digits",
        "LABT-0001/C-01/L-01",
        "W-LAND-09, F-1.1",
    ],
    [
        "Line",
        "`LNE-`, index + 1 as 8 upper-case hex digits",
        "LNE-00000001",
        "F-1.1",
    ],
    [
        "Stash",
        "`STH-`, index + 1 with at least 6 digits",
        "STH-000001",
        "F-1.1",
    ],
    [
        "Snapshot",
        "`SNP-`, `snapshot_hash48` as 12 upper-case hex digits",
        "SNP-0123456789AB",
        "F-1.1",
    ],
    [
        "object",
        "`OBJ-`, hash as 64 lower-case hex digits",
        "OBJ-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "F-0.3",
    ],
    ["Plan", "`PR-`, index", "PR-0", "F-1.1"],
    ["Plan revision", "`plan-revision:`, index", "plan-revision:0", "F-1.1"],
];

fn type_name(kind: FieldType) -> String {
    match kind {
        FieldType::U8 => "u8".into(),
        FieldType::U16 => "u16".into(),
        FieldType::U32 => "u32".into(),
        FieldType::U64 => "u64".into(),
        FieldType::Bytes(len) => format!("u8[{len}]"),
    }
}

fn zero_record(zero: ZeroRecord) -> String {
    match zero {
        ZeroRecord::Refused(why) => format!("A record of zeros is refused: {why}."),
        ZeroRecord::Legal(what) => format!("A record of zeros is legal: {what}."),
    }
}

/// Text that stands in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::identity::Identity;

    #[test]
    fn the_page_names_every_family_field_bit_file_index_and_tolerance() {
        let page = format_page();
        let families = FAMILIES.iter().map(|layout| (layout.family, *layout));
        for (name, layout) in families.chain(ELSEWHERE.iter().map(|form| (form.name, form.layout))) {
            assert!(page.contains(&format!("\n### {name}\n")), "{name}");
            for field in layout.fields {
                let row = format!(
                    "| {} | {} | {} | `{}` |",
                    field.offset,
                    field.kind.size(),
                    type_name(field.kind),
                    field.name
                );
                assert!(page.contains(&row), "{}: {row}", layout.family);
                assert!(
                    field.bits.iter().all(|bit| page.contains(bit.name)),
                    "{}.{}",
                    layout.family,
                    field.name
                );
            }
        }
        for zone in AUTHORITIES.iter().flat_map(|authority| authority.zones) {
            assert!(
                zone.data_files()
                    .chain(zone.runtime_files())
                    .all(|file| page.contains(&format!("`{file}`")))
            );
        }
        assert!(
            INDEXES
                .iter()
                .all(|index| page.contains(&format!("### {}", index.file)))
        );
        assert!(TOLERANCES.iter().all(|tolerance| page.contains(tolerance.becomes)));
        assert!(
            PAYLOADS
                .iter()
                .all(|grammar| page.contains(&format!("Payload `{}`", grammar.name)))
        );
    }

    #[test]
    fn every_row_of_a_table_has_as_many_cells_as_its_head() {
        let page = format_page();
        let mut head = None;
        for line in page.lines() {
            if !line.starts_with('|') {
                head = None;
                continue;
            }
            let cells = line.replace("\\|", "").matches('|').count();
            assert_eq!(*head.get_or_insert(cells), cells, "{line}");
        }
    }

    #[test]
    fn f_1_1_every_example_of_identity_text_reads() {
        for [of, _, example, _] in IDENTITIES {
            let read = example.parse::<Identity>().map(|identity| identity.to_string());
            assert_eq!(read.as_deref(), Ok(*example), "{of}");
        }
    }
}
