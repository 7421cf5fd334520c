//! `graven dump`: a family's records as they are stored, damaged ones too.

use graven::format::{Field, FieldValue, Layout, judge};
use serde_json::{Map, Value, json};

use super::arguments::Dump;
use super::failure::{Failure, Verdict};
use super::layout::family_named;
use super::open;
use super::output::{Colour, Output, hex};

/// Dumps records.
pub fn run(arguments: &Dump, output: &mut Output) -> Result<Verdict, Failure> {
    let layout = family_named(&arguments.family)?;
    let family = graven::raw_family(&arguments.root, layout.family, &open::options()?)?;
    if !family.is_locked() {
        eprintln!("graven: the lock file is damaged; reading without the lock");
    }
    let mut verdict = Verdict::Fine;
    let mut items = output.begin_items(layout.family)?;
    let to = arguments.to.unwrap_or(u32::MAX).min(family.count());
    for index in arguments.from..to {
        let bytes = family.read(index).map_err(graven::Error::from)?;
        let fault = judge(layout, &bytes).and_then(Result::err);
        if fault.is_some() {
            verdict = Verdict::Findings;
        }
        let mut json = json!({"index": index});
        if arguments.raw {
            json["hex"] = hex(&bytes).into();
        } else {
            json["fields"] = Value::Object(fields(layout, &bytes));
        }
        if let Some(fault) = &fault {
            json["error"] = fault.to_string().into();
            json["rule"] = fault.rule.into();
        }
        items.item(&json, |output| {
            let shown = if arguments.raw {
                hex(&bytes)
            } else {
                field_text(layout, &bytes)
            };
            match &fault {
                None => format!("{index:>8}  {shown}"),
                Some(fault) => {
                    format!(
                        "{index:>8}  {shown}\n          {}",
                        output.paint(Colour::Red, &fault.to_string())
                    )
                }
            }
        })?;
    }
    items.end()?;
    if family.trailing_bytes() != 0 {
        eprintln!(
            "graven: {} ends with {} bytes that are no whole record",
            layout.file,
            family.trailing_bytes()
        );
        verdict = Verdict::Findings;
    }
    Ok(verdict)
}

fn fields(layout: &Layout, bytes: &[u8]) -> Map<String, Value> {
    let mut fields = Map::new();
    for field in layout.fields {
        let value = match field.read(bytes) {
            Some(FieldValue::Integer(value)) => value.into(),
            Some(FieldValue::Bytes(bytes)) => hex(bytes).into(),
            None => Value::Null,
        };
        fields.insert(field.name.to_owned(), value);
    }
    fields
}

fn field_text(layout: &Layout, bytes: &[u8]) -> String {
    let text = |field: &Field| {
        let value = match field.read(bytes) {
            Some(FieldValue::Integer(value)) if field.bits.is_empty() => value.to_string(),
            Some(FieldValue::Integer(value)) => format!("{value:#x}"),
            Some(FieldValue::Bytes(bytes)) => hex(bytes),
            None => "?".to_owned(),
        };
        format!("{}={value}", field.name)
    };
    layout.fields.iter().map(text).collect::<Vec<_>>().join(" ")
}
