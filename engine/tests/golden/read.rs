//! Reads golden files: lines of offset, field and bytes in hex.

use std::fs;
use std::path::Path;

/// One line of a golden file.
pub struct GoldenField {
    /// Where it stands.
    pub offset: usize,
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The fields of a golden file.
pub fn golden(file: &str) -> Vec<GoldenField> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| {
        let mut words = line.split_whitespace();
        let offset = words.next().expect("an offset").parse().expect("a number");
        let name = words.next().expect("a name").to_string();
        let bytes = words
            .map(|byte| u8::from_str_radix(byte, 16).expect("a byte"))
            .collect();
        GoldenField { offset, name, bytes }
    });
    fields.collect()
}

/// The bytes of a golden file; its offsets must add up.
pub fn golden_bytes(file: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in golden(file) {
        assert_eq!(field.offset, bytes.len(), "{file}: {}", field.name);
        bytes.extend(field.bytes);
    }
    bytes
}

/// The golden record of a family.
pub fn record(family: &str) -> Vec<u8> {
    golden_bytes(&format!("{family}.record"))
}
