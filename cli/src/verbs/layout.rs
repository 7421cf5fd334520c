//! `graven layout`: the record layouts, printed from the declarations that the engine itself is made from.

use graven::format::{ELSEWHERE, FAMILIES, Field, FieldType, Layout};
use serde_json::{Value, json};

use super::failure::{Failure, Verdict};
use super::output::Output;

/// Describes one record, or lists them all: those of a local store, then those of other places.
pub fn run(arguments: &super::arguments::Layout, output: &mut Output) -> Result<Verdict, Failure> {
    match &arguments.family {
        None => list(output),
        Some(name) => match ELSEWHERE.iter().find(|form| form.name == name) {
            Some(form) => describe(form.layout, output),
            None => describe(family_named(name)?, output),
        },
    }
}

/// The family of that name in a local store.
pub fn family_named(name: &str) -> Result<&'static Layout, Failure> {
    FAMILIES
        .iter()
        .copied()
        .find(|layout| layout.family == name)
        .ok_or_else(|| Failure::usage(format!("there is no family `{name}`; `graven layout` lists them")))
}

fn list(output: &mut Output) -> Result<Verdict, Failure> {
    let mut items = output.begin_items("families")?;
    let local = FAMILIES.iter().map(|layout| (layout.family, *layout, None));
    let elsewhere = ELSEWHERE.iter().map(|form| (form.name, form.layout, Some(form.place)));
    for (name, layout, place) in local.chain(elsewhere) {
        let json = json!({
            "family": name,
            "elsewhere": place,
            "file": layout.file,
            "payload_file": layout.payload_file,
            "record_size": layout.record_size,
            "meaning": layout.meaning,
        });
        items.item(&json, |_| {
            format!("{name:<24} {:>4} bytes  {}", layout.record_size, layout.meaning)
        })?;
    }
    items.end()?;
    Ok(Verdict::Fine)
}

fn describe(layout: &Layout, output: &mut Output) -> Result<Verdict, Failure> {
    let fields: Vec<Value> = layout.fields.iter().map(field_json).collect();
    output.answer(&json!({
        "family": layout.family,
        "record": layout.record,
        "file": layout.file,
        "payload_file": layout.payload_file,
        "record_size": layout.record_size,
        "rules": layout.rules,
        "meaning": layout.meaning,
        "fields": fields,
    }))?;
    output.line(format!("{}: {}", layout.record, layout.meaning))?;
    let payload = layout
        .payload_file
        .map(|file| format!(", payload in {file}"))
        .unwrap_or_default();
    output.line(format!(
        "{}, {} bytes a record{payload} ({})",
        layout.file,
        layout.record_size,
        layout.rules.join(", ")
    ))?;
    output.line("")?;
    output.line("offset  size  type      field")?;
    for field in layout.fields {
        field_lines(field, output)?;
    }
    Ok(Verdict::Fine)
}

fn field_lines(field: &Field, output: &mut Output) -> Result<(), Failure> {
    let unit = if field.unit.is_empty() {
        String::new()
    } else {
        format!(" [{}]", field.unit)
    };
    output.line(format!(
        "{:>6}  {:>4}  {:<8}  {}{unit}: {} ({})",
        field.offset,
        field.kind.size(),
        type_name(field.kind),
        field.name,
        field.meaning,
        field.rules.join(", "),
    ))?;
    for bit in field.bits {
        let bits = if bit.low == bit.high {
            format!("bit {}", bit.low)
        } else {
            format!("bits {}..{}", bit.low, bit.high)
        };
        output.line(format!(
            "                          {bits}: {} ({})",
            bit.name, bit.meaning
        ))?;
    }
    Ok(())
}

fn field_json(field: &Field) -> Value {
    let bits: Vec<Value> = field
        .bits
        .iter()
        .map(|bit| json!({"low": bit.low, "high": bit.high, "name": bit.name, "meaning": bit.meaning}))
        .collect();
    json!({
        "name": field.name,
        "offset": field.offset,
        "size": field.kind.size(),
        "type": type_name(field.kind),
        "unit": field.unit,
        "meaning": field.meaning,
        "rules": field.rules,
        "bits": bits,
    })
}

fn type_name(kind: FieldType) -> String {
    match kind {
        FieldType::U8 => "u8".to_owned(),
        FieldType::U16 => "u16".to_owned(),
        FieldType::U32 => "u32".to_owned(),
        FieldType::U64 => "u64".to_owned(),
        FieldType::Bytes(len) => format!("u8[{len}]"),
    }
}
