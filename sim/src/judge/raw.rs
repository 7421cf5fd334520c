//! The second judge: the raw bytes of a crash image, without a look at the undo.
//!
//! If anything of a change's commit stage is new, every byte of its earlier stages is new; the same for every stage and
//! those before it. No record below the last acknowledged length refers to payload beyond the payload's end. Records
//! above that length are skipped. A record that is torn between old and new is skipped, too: making it whole again is
//! what the undo is for.

use std::sync::Arc;

use graven::format::{FAMILIES, FieldType, FieldValue, HEADER_LEN, Layout};

use super::checks::{Check, Wrong};
use crate::subject::{Contents, Image};

/// The stage in which a byte of a file is written, as the workload means it: 2 payload, 3 fields, 4 state, 5 commit.
pub type StageOf<'a> = &'a dyn Fn(&str, u64) -> u8;

/// Judges an image: what each check finds wrong with it.
pub fn judge(image: &Image<'_>, stage_of: StageOf<'_>) -> Vec<Wrong> {
    let stages = stages_in_order(image, stage_of).map_err(|message| Check::Stages.wrong(message));
    let references = references_inside(image).map_err(|message| Check::References.wrong(message));
    [stages, references].into_iter().filter_map(Result::err).collect()
}

/// A byte that shows that its stage was written, and a byte that is missing.
#[derive(Default)]
struct Sides {
    newest: Option<(u8, String)>,
    missing: Option<(u8, String)>,
}

fn stages_in_order(image: &Image<'_>, stage_of: StageOf<'_>) -> Result<(), String> {
    let mut sides = Sides::default();
    let none = Arc::default();
    for (path, after) in &image.after.0 {
        let before = image.before.0.get(path).unwrap_or(&none);
        if before == after {
            continue;
        }
        let found = image.found.0.get(path).unwrap_or(&none);
        for at in 0..after.len() {
            let (old, new, here) = (before.get(at), after.get(at), found.get(at));
            if old == new {
                continue;
            }
            let stage = stage_of(path, at as u64);
            let grown = old.is_none();
            let shows = if grown {
                image.untouched && here.is_some()
            } else {
                here == new
            };
            if shows && sides.newest.as_ref().is_none_or(|(newest, _)| *newest < stage) {
                sides.newest = Some((stage, format!("byte {at} of {path}")));
            }
            if here != new && sides.missing.as_ref().is_none_or(|(missing, _)| *missing > stage) {
                sides.missing = Some((stage, format!("byte {at} of {path}")));
            }
        }
    }
    match (sides.newest, sides.missing) {
        (Some((newest, shown)), Some((missing, lacking))) if missing < newest => Err(format!(
            "{shown} (stage {newest}) is new, but {lacking} (stage {missing}) is not"
        )),
        _ => Ok(()),
    }
}

fn references_inside(image: &Image<'_>) -> Result<(), String> {
    for layout in FAMILIES {
        let Some(payload) = layout.payload_file else { continue };
        let Some((path, found)) = file(image.found, layout.file) else {
            continue;
        };
        let len_of = |contents| file(contents, payload).map_or(0, |(_, bytes)| bytes.len() as u64);
        let (end, acknowledged_end) = (len_of(image.found), len_of(image.before).max(len_of(image.after)));
        if end >= acknowledged_end {
            // What lies outside lay outside from the start.
            continue;
        }
        let old = file(image.before, layout.file).map_or(&[][..], |(_, bytes)| bytes);
        let new = file(image.after, layout.file).map_or(&[][..], |(_, bytes)| bytes);
        for (index, record) in records(found, layout).enumerate() {
            let Some(acknowledged) = records(old, layout).nth(index) else {
                break;
            };
            if record != acknowledged && Some(record) != records(new, layout).nth(index) {
                continue;
            }
            for (offset, len) in references(layout, record) {
                let outside = |end| offset.checked_add(len).is_none_or(|reference| reference > end);
                // A made-up record may have referred to nothing from the start.
                if len > 0 && outside(end) && !outside(acknowledged_end) {
                    return Err(format!(
                        "record {index} of {path} refers to {offset}+{len}, but {payload} ends at {end}"
                    ));
                }
            }
        }
    }
    Ok(())
}

fn file<'a>(contents: &'a Contents, name: &str) -> Option<(&'a str, &'a [u8])> {
    let found = contents
        .0
        .iter()
        .find(|(path, _)| path.rsplit('/').next() == Some(name));
    found.map(|(path, bytes)| (&**path, bytes.as_slice()))
}

fn records<'a>(bytes: &'a [u8], layout: &Layout) -> impl Iterator<Item = &'a [u8]> {
    let header = usize::try_from(HEADER_LEN).unwrap_or(0);
    bytes.get(header..).unwrap_or(&[]).chunks_exact(layout.record_size)
}

/// The payload ranges of a record: every pair of fields `x_offset` (8 bytes wide) and `x_len`.
fn references(layout: &'static Layout, record: &[u8]) -> Vec<(u64, u64)> {
    let number = |name: &str| match layout.field(name)?.read(record)? {
        FieldValue::Integer(number) => Some(number),
        FieldValue::Bytes(_) => None,
    };
    let offsets = layout.fields.iter().filter(|field| field.kind == FieldType::U64);
    let stems = offsets.filter_map(|field| field.name.strip_suffix("_offset"));
    stems
        .filter_map(|stem| Some((number(&format!("{stem}_offset"))?, number(&format!("{stem}_len"))?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const PAYLOAD: &str = "/r/line_name_payload.bin";
    const RECORDS: &str = "/r/line.bin";

    fn contents(payload: &[u8], records: &[u8]) -> Contents {
        Contents(BTreeMap::from([
            (PAYLOAD.into(), payload.to_vec().into()),
            (RECORDS.into(), records.to_vec().into()),
        ]))
    }

    fn stage(path: &str, _: u64) -> u8 {
        if path == PAYLOAD { 2 } else { 5 }
    }

    fn verdict(found: &Contents) -> Vec<Check> {
        let (before, after) = (contents(b"hhhh", b"hhhh"), contents(b"hhhhname", b"hhhhrecord"));
        checks_of(&Image {
            step: 0,
            before: &before,
            after: &after,
            found,
            untouched: true,
        })
    }

    fn checks_of(image: &Image<'_>) -> Vec<Check> {
        judge(image, &stage).into_iter().map(|wrong| wrong.check).collect()
    }

    #[test]
    fn a_record_before_its_payload_is_found() {
        assert_eq!(verdict(&contents(b"hhhhname", b"hhhhre\0\0\0\0")), []);
        assert_eq!(verdict(&contents(b"hhhhna\0\0", b"hhhh")), []);
        assert_eq!(verdict(&contents(b"hhhhna\0\0", b"hhhhr")), [Check::Stages]);
    }

    #[test]
    fn a_record_that_refers_beyond_its_payload_is_found() {
        let mut record = vec![0; 40];
        record[2] = 4;
        record[4] = 4;
        let records = [b"hhhh".to_vec(), record].concat();
        let whole = contents(b"hhhhname", &records);
        let short = contents(b"hhhhnam", &records);
        let verdict = |found| {
            checks_of(&Image {
                step: 0,
                before: &whole,
                after: &whole,
                found,
                untouched: true,
            })
        };
        assert_eq!(verdict(&whole), []);
        assert_eq!(verdict(&short), [Check::References]);
    }
}
