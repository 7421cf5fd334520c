//! What a Change is called: its title, in `change_payload.bin` (W-CHANGE-60, F-2.2).

use crate::format::error::{DecodeError, Problem};
use crate::format::name::utf8;
use crate::format::range::PayloadRange;

const PAYLOAD: &str = "ChangePayload";

/// A Change's title: all of its payload, non-empty UTF-8 (W-CHANGE-60, F-2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeTitle<'a>(&'a str);

impl<'a> ChangeTitle<'a> {
    /// The longest title, in bytes.
    pub const MAX_LEN: usize = u16::MAX as usize;

    /// The title a writer gives: ASCII white space around `text` is dropped first.
    ///
    /// # Errors
    /// `F-2.2` where nothing is left, or more than [`MAX_LEN`](Self::MAX_LEN) bytes are.
    pub fn new(text: &'a str) -> Result<Self, DecodeError> {
        let title = Self::read(text.trim_ascii().as_bytes())?;
        if title.0.len() > Self::MAX_LEN {
            let problem = Problem::TooLong {
                limit: Self::MAX_LEN as u64,
                found: title.0.len() as u64,
            };
            return Err(DecodeError::new(PAYLOAD, "title", "F-2.2", problem));
        }
        Ok(title)
    }

    /// The title a reader finds: the exact bytes.
    ///
    /// # Errors
    /// `F-2.2` for an empty title and for bytes that are not UTF-8.
    pub fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let text = utf8(PAYLOAD, "title", "F-2.2", bytes)?;
        if text.is_empty() {
            return Err(DecodeError::because(PAYLOAD, "title", "F-2.2", "the title is empty"));
        }
        Ok(Self(text))
    }

    /// A Change's record names at least one byte.
    pub(in crate::format::families) fn check_range(
        record: &'static str,
        title: PayloadRange,
    ) -> Result<(), DecodeError> {
        if !title.is_empty() {
            return Ok(());
        }
        let problem = Problem::Value {
            found: 0,
            allowed: "1 to 65535",
        };
        Err(DecodeError::new(record, "payload_len", "F-2.2", problem))
    }

    /// The title as text.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}
