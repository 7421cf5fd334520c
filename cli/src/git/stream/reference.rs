//! Names of refs, tags, marks and commits in command lines.

use super::MAX_NAME_LEN;
use super::data::parse_decimal;
use super::error::{Position, StreamError};
use super::event::CommitName;

/// A ref or tag name: bounded, not empty, no NUL. Whether it may be a Line or a Tag is decided when the refs are written.
pub(super) fn name(bytes: &[u8], position: Position) -> Result<Vec<u8>, StreamError> {
    if bytes.is_empty() {
        return Err(StreamError::refused_plain(position, "a name is missing"));
    }
    if bytes.len() > MAX_NAME_LEN {
        return Err(StreamError::refused(
            position,
            format!("a name is longer than {MAX_NAME_LEN} bytes"),
            bytes,
        ));
    }
    if bytes.contains(&0) {
        return Err(StreamError::refused(position, "a name holds a NUL", bytes));
    }
    Ok(bytes.to_vec())
}

/// The number of a mark, `bytes` being what follows the colon.
pub(super) fn mark(bytes: &[u8], position: Position) -> Result<u64, StreamError> {
    match parse_decimal(bytes) {
        Some(mark) if mark > 0 => Ok(mark),
        _ => Err(StreamError::refused(position, "a mark is a number from 1", bytes)),
    }
}

/// How a command names a commit.
pub(super) fn commit_name(bytes: &[u8], position: Position) -> Result<CommitName, StreamError> {
    if let Some(number) = bytes.strip_prefix(b":") {
        return mark(number, position.after(1)).map(CommitName::Mark);
    }
    if is_object_id(bytes) {
        let is_zero = bytes.iter().all(|byte| *byte == b'0');
        return Ok(if is_zero {
            CommitName::Nothing
        } else {
            CommitName::Id(bytes.to_vec())
        });
    }
    match bytes.strip_suffix(b"^0") {
        Some(peeled) => name(peeled, position).map(CommitName::ReferencePeeled),
        None => name(bytes, position).map(CommitName::Reference),
    }
}

/// Whether `bytes` are an object id in hexadecimal: 40 or 64 digits.
pub(super) fn is_object_id(bytes: &[u8]) -> bool {
    matches!(bytes.len(), 40 | 64) && bytes.iter().all(u8::is_ascii_hexdigit)
}
