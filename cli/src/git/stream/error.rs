//! What is wrong with a stream, and where.

use std::fmt;
use std::io;

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1; every line feed counts, also those inside `data`.
    pub line: u64,
    /// The byte, from 0 at the start of the stream.
    pub byte: u64,
}

impl Position {
    /// The first byte of a stream.
    pub const START: Self = Self { line: 1, byte: 0 };

    /// The place `bytes` further on in the same line.
    #[must_use]
    pub fn after(self, bytes: usize) -> Self {
        Self {
            line: self.line,
            byte: self.byte.saturating_add(bytes as u64),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, byte {}", self.line, self.byte)
    }
}

/// Why a stream was not read on, and where it stopped.
#[derive(Debug, thiserror::Error)]
#[error("{position}: {fault}")]
pub struct StreamError {
    /// Where the trouble starts.
    pub position: Position,
    /// What it is.
    pub fault: StreamFault,
}

/// What is wrong with a stream.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamFault {
    /// The stream ends where it must not.
    #[error("truncated: the stream ends {0}")]
    Truncated(&'static str),
    /// The stream refers to something that it does not contain.
    #[error(
        "incremental stream: {what} is not in the stream; export without a range (`A..B`, `^A`), `--import-marks` and `--no-data`"
    )]
    Incremental {
        /// What is referred to, quoted.
        what: String,
    },
    /// A command, feature or option that cannot be served here.
    #[error("{what} is not supported: {why}")]
    Unsupported {
        /// The command, quoted.
        what: String,
        /// Why not.
        why: &'static str,
    },
    /// The stream breaks the grammar, or a bound.
    #[error("{what}{}", found_text(.found.as_deref()))]
    Refused {
        /// What is wrong.
        what: String,
        /// What stands there, quoted.
        found: Option<String>,
    },
    /// The stream could not be read.
    #[error("the stream could not be read: {0}")]
    Io(io::Error),
}

fn found_text(found: Option<&str>) -> String {
    found.map_or_else(String::new, |found| format!(": {found}"))
}

impl StreamError {
    /// The stream ends inside `place`.
    pub(crate) fn truncated(position: Position, place: &'static str) -> Self {
        Self {
            position,
            fault: StreamFault::Truncated(place),
        }
    }

    /// `what` (raw bytes) is not in the stream.
    pub(crate) fn incremental(position: Position, what: &[u8]) -> Self {
        Self {
            position,
            fault: StreamFault::Incremental { what: quote(what) },
        }
    }

    /// The grammar or a bound is broken by `found` (raw bytes).
    pub(crate) fn refused(position: Position, what: impl Into<String>, found: &[u8]) -> Self {
        Self {
            position,
            fault: StreamFault::Refused {
                what: what.into(),
                found: Some(quote(found)),
            },
        }
    }

    /// The grammar or a bound is broken, and there is nothing to show.
    pub(crate) fn refused_plain(position: Position, what: impl Into<String>) -> Self {
        Self {
            position,
            fault: StreamFault::Refused {
                what: what.into(),
                found: None,
            },
        }
    }

    /// `what` (raw bytes) asks for something that is not served.
    pub(crate) fn unsupported(position: Position, what: &[u8], why: &'static str) -> Self {
        Self {
            position,
            fault: StreamFault::Unsupported { what: quote(what), why },
        }
    }

    /// Reading failed.
    pub(crate) fn io(position: Position, error: io::Error) -> Self {
        Self {
            position,
            fault: StreamFault::Io(error),
        }
    }
}

/// The most bytes between the quotation marks of a quote.
const MAX_QUOTE_LEN: usize = 80;
const ELLIPSIS: &str = "…";

/// `bytes` between quotation marks for an error message: control and direction characters and bytes that are not UTF-8 escaped, at most 80
/// bytes long.
#[must_use]
pub fn quote(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().chars().map(escape_char);
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        for piece in valid.chain(invalid) {
            if out.len() - 1 + piece.len() + ELLIPSIS.len() > MAX_QUOTE_LEN {
                out.push_str(ELLIPSIS);
                out.push('"');
                return out;
            }
            out.push_str(&piece);
        }
    }
    out.push('"');
    out
}

fn escape_char(character: char) -> String {
    match character {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        // Direction marks and invisible separators would let a name rearrange the message around it.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            format!("\\u{{{:x}}}", u32::from(character))
        }
        _ if character.is_control() => format!("\\u{{{:x}}}", u32::from(character)),
        _ => character.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_escapes_what_a_terminal_would_obey() {
        assert_eq!(quote(b"a\x1b[2J\n\xff\"\\"), "\"a\\u{1b}[2J\\n\\xff\\\"\\\\\"");
        assert_eq!(quote("\u{202e}x".as_bytes()), "\"\\u{202e}x\"");
    }

    #[test]
    fn a_quote_never_exceeds_eighty_bytes() {
        for byte in [b'a', 0, 0xff, b'"'] {
            let each = quote(&[byte]).len() - 2;
            for length in 0..400 {
                let quoted = quote(&vec![byte; length]);
                assert!(quoted.len() <= MAX_QUOTE_LEN + 2, "{quoted}");
                assert_eq!(
                    quoted.contains(ELLIPSIS),
                    each * length > MAX_QUOTE_LEN - ELLIPSIS.len(),
                    "{quoted}"
                );
            }
        }
    }
}
