//! The engine's maxima, printed from its constants.

use std::fmt::Write;

use graven::domain::objects::{MAX_DIRECTORY_LEN, SPOOL_ABOVE};
use graven::format::{LineIndex, MAX_DIRECTORY_DEPTH, MAX_ENTRY_NAME_LEN, MAX_NAME_LEN, MAX_PARENTS};
use graven::{DEFAULT_CACHE_BYTES, DEFAULT_MAX_TRANSACTION_BYTES};

/// The table of maxima.
pub fn table() -> String {
    let rows: &[(&str, u64, &str)] = &[
        (
            "records in a family",
            u64::from(LineIndex::MAX.get()) + 1,
            "so that `index + 1` fits 32 bits",
        ),
        (
            "bytes in one payload file",
            i64::MAX as u64,
            "or what the file system allows",
        ),
        (
            "bytes of pending writes in one transaction",
            DEFAULT_MAX_TRANSACTION_BYTES,
            "unless the options say otherwise; spooled content does not count",
        ),
        (
            "bytes of content that are held in memory while it is put",
            SPOOL_ABOVE as u64,
            "longer content goes through an unnamed file, and may be as long as the disk is large",
        ),
        (
            "bytes of cached records, each root",
            DEFAULT_CACHE_BYTES,
            "unless the options say otherwise",
        ),
        (
            "bytes of one directory object",
            MAX_DIRECTORY_LEN as u64,
            "some million entries with short names",
        ),
        ("depth of a directory object", MAX_DIRECTORY_DEPTH as u64, ""),
        (
            "bytes in the name of a directory entry",
            MAX_ENTRY_NAME_LEN as u64,
            "not empty, `.`, `..`; no `/`, no NUL",
        ),
        ("parents of a Snapshot", MAX_PARENTS as u64, ""),
        (
            "bytes of a Snapshot's payload",
            u16::MAX.into(),
            "message, parents after the first, and the name of its Line together",
        ),
        (
            "bytes in the name of a Line or Tag",
            MAX_NAME_LEN as u64,
            "UTF-8, not empty",
        ),
        (
            "bytes of a Tag's name and message together",
            u16::MAX.into(),
            "two of them for the name's length",
        ),
        (
            "seconds since 1970 in a time",
            u64::MAX,
            "0 means absent, and is refused as a time of a change",
        ),
    ];
    let mut table = String::from("| what | at most | |\n| --- | ---: | --- |\n");
    for (what, most, remark) in rows {
        let _ = writeln!(table, "| {what} | {} | {remark} |", grouped(*most));
    }
    table
}

/// A number with a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        assert_eq!(
            [0, 64, 999, 1_000, 65_535, 1_048_576].map(grouped),
            ["0", "64", "999", "1,000", "65,535", "1,048,576"]
        );
    }
}
