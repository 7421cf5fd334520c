//! What a Task says: its title and its intent, in `task_payload.bin` (F-2.1).

use crate::format::error::{DecodeError, Problem};
use crate::format::name::utf8;
use crate::format::range::PayloadRange;

const PAYLOAD: &str = "TaskPayload";
const TITLE_LEN_SIZE: usize = 2;
const MIN_LEN: u64 = 4;

/// A Task's payload: u16 `title_len`, title, intent to the end (F-2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskPayload<'a> {
    /// What it is called; not empty.
    pub title: &'a str,
    /// What it is for; not empty.
    pub intent: &'a str,
}

impl<'a> TaskPayload<'a> {
    /// The most bytes that title and intent may have together.
    pub const MAX_LEN: usize = u16::MAX as usize - TITLE_LEN_SIZE;

    /// The payload a writer gives: ASCII white space around both texts is dropped first.
    ///
    /// # Errors
    /// `F-2.1` where nothing is left of one of them.
    pub fn new(title: &'a str, intent: &'a str) -> Result<Self, DecodeError> {
        let payload = Self {
            title: title.trim_ascii(),
            intent: intent.trim_ascii(),
        };
        payload.check()?;
        Ok(payload)
    }

    /// The typed reading: exact bytes (W-TASK-33).
    ///
    /// # Errors
    /// The rule that the payload breaks.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let short = DecodeError::because(PAYLOAD, "title_len", "F-2.1", "the title ends after the payload");
        let (title_len, rest) = bytes.split_first_chunk::<TITLE_LEN_SIZE>().ok_or(short)?;
        let (title, intent) = rest
            .split_at_checked(u16::from_le_bytes(*title_len).into())
            .ok_or(short)?;
        let payload = Self {
            title: utf8(PAYLOAD, "title", "F-2.1", title)?,
            intent: utf8(PAYLOAD, "intent", "F-2.1", intent)?,
        };
        payload.check()?;
        Ok(payload)
    }

    /// The payload's bytes.
    ///
    /// # Errors
    /// `F-2.1` where a text is empty, or both are longer than a payload may be ([`MAX_LEN`](Self::MAX_LEN)).
    pub fn encode(&self) -> Result<Vec<u8>, DecodeError> {
        self.check()?;
        let (title, intent) = (self.title.as_bytes(), self.intent.as_bytes());
        let len = TITLE_LEN_SIZE + title.len() + intent.len();
        let too_long = Problem::TooLong {
            limit: u16::MAX.into(),
            found: len as u64,
        };
        let too_long = DecodeError::new(PAYLOAD, "payload", "F-2.1", too_long);
        let title_len = u16::try_from(title.len()).map_err(|_| too_long)?;
        u16::try_from(len).map_err(|_| too_long)?;
        let mut bytes = Vec::with_capacity(len);
        bytes.extend(title_len.to_le_bytes());
        bytes.extend(title);
        bytes.extend(intent);
        Ok(bytes)
    }

    /// A Task's record names at least that much: the title's length, one byte of title and one of intent.
    pub(in crate::format::families) fn check_range(
        record: &'static str,
        payload: PayloadRange,
    ) -> Result<(), DecodeError> {
        if payload.len() >= MIN_LEN {
            return Ok(());
        }
        let problem = Problem::Value {
            found: payload.len(),
            allowed: "4 to 65535",
        };
        Err(DecodeError::new(record, "payload_len", "F-2.1", problem))
    }

    fn check(&self) -> Result<(), DecodeError> {
        for (text, field) in [(self.title, "title"), (self.intent, "intent")] {
            if text.is_empty() {
                return Err(DecodeError::because(PAYLOAD, field, "F-2.1", "the text is empty"));
            }
        }
        Ok(())
    }
}
