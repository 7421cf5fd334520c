//! A Snapshot's payload: the parents after the first, the message, the authoring Line's name of the moment (F-2.16).

use super::error::{DecodeError, Problem};
use super::families::snapshot::{Parents, Snapshot};
use super::name::{LineName, utf8};
use super::reference::SnapshotIndex;
use super::tolerance::{Reading, ToleranceId, Tolerated};

/// The version of the parents' extension (G13 assigned by us).
pub const PARENTS_VERSION: u8 = 1;
/// The most parents a Snapshot can have, the first included (G13 assigned by us).
pub const MAX_PARENTS: usize = 64;

const PAYLOAD: &str = "SnapshotPayload";
const PARENTS_HEAD_LEN: usize = 3;
const PARENT_LEN: usize = 4;
const MESSAGE_LEN_SIZE: usize = 2;

/// The payload of a Snapshot, borrowed from its bytes.
///
/// Where the Snapshot has further parents: u8 version 1, u16 count, u32 `parent_index_plus1` each; then, where there
/// is anything: u16 message length, message, Line name to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotPayload<'a> {
    /// The parents after the first.
    pub more_parents: MoreParents<'a>,
    /// The message; never an empty one.
    pub message: Option<&'a str>,
    /// The name its authoring Line had when it was made: the exact bytes, whatever a writer would accept today.
    pub line_name: Option<LineName<'a>>,
}

/// The parents after the first, in order; at most 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoreParents<'a>(&'a [[u8; PARENT_LEN]]);

impl<'a> MoreParents<'a> {
    /// How many.
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The parents in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = SnapshotIndex> + 'a {
        self.0
            .iter()
            .filter_map(|plus1| SnapshotIndex::from_plus1(u32::from_le_bytes(*plus1)))
    }
}

impl<'a> SnapshotPayload<'a> {
    /// The typed reading of the bytes that `snapshot.payload` names.
    ///
    /// # Errors
    /// The rule that the payload breaks.
    pub fn decode(snapshot: &Snapshot, bytes: &'a [u8]) -> Result<Reading<Self>, DecodeError> {
        if bytes.len() as u64 != snapshot.payload.len() {
            let problem = Problem::Length {
                expected: snapshot.payload.len(),
                found: bytes.len() as u64,
            };
            return Err(DecodeError::new(PAYLOAD, "payload", "F-2.16", problem));
        }
        let (more_parents, rest) = match snapshot.parents {
            Parents::Many(_) => read_parents(bytes)?,
            _ => (MoreParents(&[]), bytes),
        };
        let mut payload = Self {
            more_parents,
            message: None,
            line_name: None,
        };
        let mut tolerated = Tolerated::NONE;
        if bytes.is_empty() {
            return Ok(Reading {
                value: payload,
                tolerated,
            });
        }
        let short = DecodeError::because(PAYLOAD, "message_len", "F-2.16", "the message ends after the payload");
        let (message_len, rest) = rest.split_first_chunk::<MESSAGE_LEN_SIZE>().ok_or(short)?;
        let (message, line_name) = rest
            .split_at_checked(u16::from_le_bytes(*message_len).into())
            .ok_or(short)?;
        match (snapshot.has_message, message.is_empty()) {
            (true, false) => payload.message = Some(utf8(PAYLOAD, "message", "F-2.16", message)?),
            (true, true) => tolerated.add(ToleranceId::SnapshotEmptyMessage),
            (false, true) => {}
            (false, false) => {
                return Err(DecodeError::because(
                    PAYLOAD,
                    "message",
                    "F-2.16",
                    "has_message is not set",
                ));
            }
        }
        match (snapshot.line.is_some(), line_name.is_empty()) {
            (true, _) => payload.line_name = Some(LineName::read(line_name)?.value),
            (false, true) => {}
            (false, false) => {
                return Err(DecodeError::because(
                    PAYLOAD,
                    "line_name",
                    "F-2.16",
                    "has_line_name_payload is not set",
                ));
            }
        }
        Ok(Reading {
            value: payload,
            tolerated,
        })
    }

    /// The native reading: what this version may write.
    ///
    /// # Errors
    /// The rule that the payload breaks.
    pub fn decode_native(snapshot: &Snapshot, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::decode(snapshot, bytes)?.native(PAYLOAD)
    }

    /// The payload of a Snapshot with these parts; empty where there are none.
    ///
    /// `more_parents` are those after the first. An empty message is no message: the record's `has_message` must say
    /// so too.
    ///
    /// # Errors
    /// `G13` for more than 64 parents in all, `F-2.16` where the parts do not fit
    /// ([`max_message_len`](Self::max_message_len)).
    pub fn encode(
        more_parents: &[SnapshotIndex],
        message: Option<&str>,
        line_name: Option<LineName<'_>>,
    ) -> Result<Vec<u8>, DecodeError> {
        let message = message.unwrap_or_default();
        let line_name = line_name.map(LineName::as_str).unwrap_or_default();
        let mut bytes = Vec::new();
        if more_parents.is_empty() && message.is_empty() && line_name.is_empty() {
            return Ok(bytes);
        }
        let parents_len = parents_len(more_parents.len());
        let len = parents_len
            .saturating_add(MESSAGE_LEN_SIZE)
            .saturating_add(message.len())
            .saturating_add(line_name.len());
        let parent_count = parent_count(more_parents.len())?;
        let too_long = Problem::TooLong {
            limit: u16::MAX.into(),
            found: len as u64,
        };
        let too_long = DecodeError::new(PAYLOAD, "payload", "F-2.16", too_long);
        u16::try_from(len).map_err(|_| too_long)?;
        let message_len = u16::try_from(message.len()).map_err(|_| too_long)?;
        bytes.reserve_exact(len);
        if !more_parents.is_empty() {
            bytes.push(PARENTS_VERSION);
            bytes.extend(parent_count.to_le_bytes());
            bytes.extend(more_parents.iter().flat_map(|parent| parent.plus1().to_le_bytes()));
        }
        bytes.extend(message_len.to_le_bytes());
        bytes.extend(message.as_bytes());
        bytes.extend(line_name.as_bytes());
        Ok(bytes)
    }

    /// The longest message beside so many further parents and a Line name of that length, in bytes.
    pub fn max_message_len(more_parents: usize, line_name_len: usize) -> usize {
        let beside = parents_len(more_parents).saturating_add(line_name_len);
        (usize::from(u16::MAX) - MESSAGE_LEN_SIZE).saturating_sub(beside)
    }
}

/// The length of the extension for so many further parents.
const fn parents_len(more_parents: usize) -> usize {
    if more_parents == 0 {
        0
    } else {
        more_parents.saturating_mul(PARENT_LEN).saturating_add(PARENTS_HEAD_LEN)
    }
}

/// The count field for so many further parents.
fn parent_count(more_parents: usize) -> Result<u16, DecodeError> {
    u16::try_from(more_parents)
        .ok()
        .filter(|count| usize::from(*count) < MAX_PARENTS)
        .ok_or_else(|| {
            let problem = Problem::TooLong {
                limit: MAX_PARENTS as u64,
                found: more_parents as u64 + 1,
            };
            DecodeError::new(PAYLOAD, "extra_count", "G13", problem)
        })
}

/// Reads the extension and answers what follows it.
fn read_parents(bytes: &[u8]) -> Result<(MoreParents<'_>, &[u8]), DecodeError> {
    let short = DecodeError::because(PAYLOAD, "extra_count", "F-2.16", "the parents end after the payload");
    let ([version, count @ ..], rest) = bytes.split_first_chunk::<PARENTS_HEAD_LEN>().ok_or(short)?;
    if *version != PARENTS_VERSION {
        let problem = Problem::Value {
            found: (*version).into(),
            allowed: "version 1",
        };
        return Err(DecodeError::new(PAYLOAD, "extension_version", "G13", problem));
    }
    let count = usize::from(u16::from_le_bytes(*count));
    parent_count(count)?;
    if count == 0 {
        let why = "has_additional_parents and no additional parent";
        return Err(DecodeError::because(PAYLOAD, "extra_count", "F-2.16", why));
    }
    let (parents, rest) = rest.split_at_checked(count * PARENT_LEN).ok_or(short)?;
    let (parents, _) = parents.as_chunks::<PARENT_LEN>();
    if parents.contains(&[0; PARENT_LEN]) {
        return Err(DecodeError::because(
            PAYLOAD,
            "parent_index_plus1",
            "F-2.16",
            "a parent is 0",
        ));
    }
    Ok((MoreParents(parents), rest))
}

#[cfg(test)]
mod tests;
