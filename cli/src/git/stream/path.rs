//! Paths: git's quoting, and the check that a path leads nowhere else.

use super::error::{Position, StreamError};
use super::{MAX_PATH_DEPTH, MAX_PATH_LEN};

/// A path inside a tree: names joined by `/`, none of them empty, `.` or `..`; no NUL. The empty path is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePath(Vec<u8>);

impl TreePath {
    /// Checks `bytes`, which stand at `position`.
    pub fn new(bytes: Vec<u8>, position: Position) -> Result<Self, StreamError> {
        let refuse = |what: String| Err(StreamError::refused(position, what, &bytes));
        if bytes.is_empty() {
            return Ok(Self(bytes));
        }
        if bytes.len() > MAX_PATH_LEN {
            return refuse(format!("a path is longer than {MAX_PATH_LEN} bytes"));
        }
        if bytes.contains(&0) {
            return refuse("a path holds a NUL".to_owned());
        }
        if bytes.starts_with(b"/") {
            return refuse("a path is absolute".to_owned());
        }
        let mut depth = 0;
        for name in bytes.split(|byte| *byte == b'/') {
            depth += 1;
            match name {
                b"" => return refuse("a path holds an empty name".to_owned()),
                b"." | b".." => return refuse("a path holds `.` or `..`".to_owned()),
                _ => {}
            }
        }
        if depth > MAX_PATH_DEPTH {
            return refuse(format!("a path is deeper than {MAX_PATH_DEPTH} names"));
        }
        Ok(Self(bytes))
    }

    /// Whether this is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The raw bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The names from the top down; none for the root.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
    }

    /// How many names there are.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.names().count()
    }
}

/// Reads a path that ends with the line.
pub(super) fn last_path(bytes: &[u8], position: Position) -> Result<TreePath, StreamError> {
    if bytes.first() != Some(&b'"') {
        return TreePath::new(bytes.to_vec(), position);
    }
    let (path, rest) = unquote(bytes, position)?;
    if !rest.is_empty() {
        return Err(StreamError::refused(position, "something follows a quoted path", bytes));
    }
    TreePath::new(path, position)
}

/// Reads a path that ends at a space, and answers the rest with its position.
pub(super) fn first_path(bytes: &[u8], position: Position) -> Result<(TreePath, &[u8], Position), StreamError> {
    let (path, rest) = if bytes.first() == Some(&b'"') {
        unquote(bytes, position)?
    } else {
        let end = bytes.iter().position(|byte| *byte == b' ').unwrap_or(bytes.len());
        (bytes[..end].to_vec(), &bytes[end..])
    };
    let Some(rest) = rest.strip_prefix(b" ") else {
        return Err(StreamError::refused(
            position,
            "a space and a second path are missing",
            bytes,
        ));
    };
    let at = position.after(bytes.len() - rest.len());
    Ok((TreePath::new(path, position)?, rest, at))
}

/// Undoes C quoting; `bytes` starts with a quotation mark. Answers the path and what follows the closing mark.
fn unquote(bytes: &[u8], position: Position) -> Result<(Vec<u8>, &[u8]), StreamError> {
    let mut path = Vec::new();
    let mut at = 1;
    loop {
        let Some(byte) = bytes.get(at) else {
            return Err(StreamError::refused(position, "a quoted path does not end", bytes));
        };
        at += 1;
        match byte {
            b'"' => return Ok((path, bytes.get(at..).unwrap_or_default())),
            b'\\' => {
                let (byte, len) = unescape(bytes.get(at..).unwrap_or_default()).ok_or_else(|| {
                    StreamError::refused(
                        position.after(at - 1),
                        "a quoted path holds an unknown escape",
                        &bytes[at - 1..],
                    )
                })?;
                path.push(byte);
                at += len;
            }
            byte => path.push(*byte),
        }
        if path.len() > MAX_PATH_LEN {
            return Err(StreamError::refused(
                position,
                format!("a path is longer than {MAX_PATH_LEN} bytes"),
                bytes,
            ));
        }
    }
}

/// The byte that the escape after a backslash means, and the escape's length.
fn unescape(escape: &[u8]) -> Option<(u8, usize)> {
    let byte = match escape.first()? {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'"' => b'"',
        b'\\' => b'\\',
        b'0'..=b'3' => {
            let digits = escape.get(..3)?;
            let value = digits.iter().try_fold(0_u32, |value, digit| {
                let digit = digit.checked_sub(b'0').filter(|digit| *digit <= 7)?;
                Some(value * 8 + u32::from(digit))
            })?;
            return Some((u8::try_from(value).ok()?, 3));
        }
        _ => return None,
    };
    Some((byte, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &[u8]) -> Result<Vec<u8>, StreamError> {
        last_path(text, Position::START).map(|path| path.as_bytes().to_vec())
    }

    #[test]
    fn a_quoted_path_is_unquoted() {
        assert_eq!(
            last(br#""a\303\244\"\\ \n\t\a\b\v\f\r/x""#).expect("a path"),
            b"a\xc3\xa4\"\\ \n\t\x07\x08\x0b\x0c\r/x"
        );
        assert_eq!(last(b"a \"b\" \\n").expect("an unquoted path is raw"), b"a \"b\" \\n");
        assert_eq!(last(b"").expect("the root"), b"");
        assert_eq!(last(b"\"\"").expect("the root"), b"");
    }

    #[test]
    fn broken_quoting_is_refused() {
        for text in [
            &b"\"a"[..],
            b"\"a\\",
            b"\"a\\q\"",
            b"\"a\\9\"",
            b"\"a\\400\"",
            b"\"a\\37\"",
            b"\"a\\38x\"",
            b"\"a\"b",
            b"\"a\" ",
            b"\"",
        ] {
            assert!(last(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_path_that_leads_elsewhere_is_refused() {
        for text in [
            &b"/a"[..],
            b"a//b",
            b"a/",
            b".",
            b"..",
            b"a/../b",
            b"a/.",
            b"./a",
            b"a\0b",
            b"\"a\\000b\"",
            b"\"/a\"",
            b"\"..\"",
        ] {
            assert!(last(text).is_err(), "{text:?}");
        }
        assert!(last(b"...").is_ok() && last(b".a/..b").is_ok());
    }

    #[test]
    fn path_length_and_depth_are_bounded() {
        let deep = |depth: usize| vec!["d"; depth].join("/").into_bytes();
        assert!(last(&deep(MAX_PATH_DEPTH)).is_ok());
        assert!(last(&deep(MAX_PATH_DEPTH + 1)).is_err());
        assert!(last(&vec![b'x'; MAX_PATH_LEN]).is_ok());
        assert!(last(&vec![b'x'; MAX_PATH_LEN + 1]).is_err());
        let quoted = [b"\"".to_vec(), vec![b'x'; MAX_PATH_LEN + 1], b"\"".to_vec()].concat();
        assert!(last(&quoted).is_err());
    }

    #[test]
    fn a_first_path_ends_at_a_space_unless_it_is_quoted() {
        let start = Position::START;
        let (path, rest, at) = first_path(b"a b c", start).expect("two paths");
        assert_eq!((path.as_bytes(), rest, at.byte), (&b"a"[..], &b"b c"[..], 2));
        let (path, rest, at) = first_path(br#""a b" c"#, start).expect("two paths");
        assert_eq!((path.as_bytes(), rest, at.byte), (&b"a b"[..], &b"c"[..], 6));
        assert!(first_path(b"a", start).is_err());
        assert!(first_path(br#""a"b"#, start).is_err());
    }
}
