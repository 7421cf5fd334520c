//! Laws of every declared record, by the list of families: whoever adds one adds nothing here.

use graven::format::{ELSEWHERE, FAMILIES, FieldValue, Layout, judge};

crate::laws!(a_record_of_any_family_is_judged);

/// Every declared record, those that stand in no root of this version included.
fn layouts() -> impl Iterator<Item = &'static Layout> {
    let elsewhere = ELSEWHERE.iter().map(|form| form.layout);
    FAMILIES.iter().copied().chain(elsewhere)
}

/// Any bytes are read field by field where they are long enough, and judged the same way each time; bytes of another
/// length than the record's are never a record.
pub fn a_record_of_any_family_is_judged(bytes: &[u8]) {
    for layout in layouts() {
        for field in layout.fields {
            let inside = field.offset + field.kind.size() <= bytes.len();
            let value = field.read(bytes);
            assert_eq!(value.is_some(), inside, "{}.{}", layout.family, field.name);
            if let Some(FieldValue::Bytes(raw)) = value {
                assert_eq!(raw.len(), field.kind.size());
            }
        }
        let Some(judged) = judge(layout, bytes) else { continue };
        assert!(
            judged.is_err() || bytes.len() == layout.record_size,
            "{}",
            layout.family
        );
        // Repeated to the record's length, so that short inputs reach the rules too.
        let whole: Vec<u8> = bytes
            .iter()
            .chain(&[0])
            .copied()
            .cycle()
            .take(layout.record_size)
            .collect();
        let (one, two) = (judge(layout, &whole), judge(layout, &whole));
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
        if let Some(Err(error)) = one {
            assert!(!error.to_string().is_empty());
        }
    }
}
