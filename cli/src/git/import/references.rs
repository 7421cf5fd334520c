//! The refs and tags of a stream, in memory until its end.

use std::collections::BTreeMap;

use graven::UnixSeconds;
use graven::format::{LineName, TagName, TagPayload};

use super::error::BadName;
use crate::git::marks::CommitOrdinal;
use crate::git::stream::{Position, StreamError, quote};

/// Where branches stand.
pub(super) const HEADS: &[u8] = b"refs/heads/";
/// Where tags stand.
pub(super) const TAGS: &[u8] = b"refs/tags/";
/// The most bytes of tag messages that are held in memory.
const MAX_TAG_MESSAGES_LEN: usize = 256 << 20;

/// Where a ref points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tip {
    /// Nowhere: reset without `from`.
    Nothing,
    Commit(CommitOrdinal),
    /// At something that is no commit.
    Elsewhere,
}

/// An annotated tag.
#[derive(Clone, Debug)]
pub(super) struct Annotated {
    /// The commit; none where it tags something else.
    pub target: Option<CommitOrdinal>,
    pub message: String,
    pub tagged_at_s: Option<UnixSeconds>,
}

/// All refs, by their names.
#[derive(Debug, Default)]
pub(super) struct References {
    tips: BTreeMap<Vec<u8>, Tip>,
    /// By name without `refs/tags/`. As in git, an annotated tag wins over a ref of the same name, whichever comes last.
    annotated: BTreeMap<Vec<u8>, Annotated>,
    messages_len: usize,
}

/// Whether commits made under that ref are imported for its sake.
pub(super) fn is_imported(reference: &[u8]) -> bool {
    reference.starts_with(HEADS) || reference.starts_with(TAGS)
}

/// The longest message beside a tag's name.
pub(super) fn max_tag_message_len(name: &[u8]) -> usize {
    // A name that cannot be a Tag's is refused at the end of the stream.
    let name = std::str::from_utf8(name).ok().and_then(|name| TagName::new(name).ok());
    name.map_or(0, TagPayload::max_message_len)
}

impl References {
    pub(super) fn tip(&self, reference: &[u8]) -> Option<Tip> {
        if let Some(tip) = self.tips.get(reference) {
            return Some(*tip);
        }
        let tag = self.annotated.get(reference.strip_prefix(TAGS)?)?;
        Some(tag.target.map_or(Tip::Elsewhere, Tip::Commit))
    }

    pub(super) fn point(&mut self, reference: &[u8], ordinal: CommitOrdinal) {
        self.tips.insert(reference.to_vec(), Tip::Commit(ordinal));
    }

    pub(super) fn point_elsewhere(&mut self, reference: &[u8]) {
        self.tips.insert(reference.to_vec(), Tip::Elsewhere);
    }

    /// `reset` without `from`.
    pub(super) fn forget(&mut self, reference: &[u8]) {
        self.tips.insert(reference.to_vec(), Tip::Nothing);
    }

    /// `reset` from zeros.
    pub(super) fn delete(&mut self, reference: &[u8]) {
        self.tips.remove(reference);
        if let Some(name) = reference.strip_prefix(TAGS) {
            self.annotated.remove(name);
        }
    }

    pub(super) fn tag(
        &mut self,
        name: Vec<u8>,
        target: Option<CommitOrdinal>,
        message: String,
        tagged_at_s: Option<UnixSeconds>,
        position: Position,
    ) -> Result<(), StreamError> {
        self.messages_len += message.len();
        let tag = Annotated {
            target,
            message,
            tagged_at_s,
        };
        if let Some(old) = self.annotated.insert(name, tag) {
            self.messages_len -= old.message.len();
        }
        if self.messages_len > MAX_TAG_MESSAGES_LEN {
            let what = format!("the messages of all tags together are longer than {MAX_TAG_MESSAGES_LEN} bytes");
            return Err(StreamError::refused_plain(position, what));
        }
        Ok(())
    }

    /// Every imported ref's commit.
    pub(super) fn imported_tips(&self) -> impl Iterator<Item = CommitOrdinal> {
        let tips = self
            .tips
            .iter()
            .filter(|(name, _)| is_imported(name))
            .filter_map(|(_, tip)| match tip {
                Tip::Commit(ordinal) => Some(*ordinal),
                Tip::Nothing | Tip::Elsewhere => None,
            });
        tips.chain(self.annotated.values().filter_map(|tag| tag.target))
    }

    /// Refs and tags as they are written at the end, or the names that forbid it (FORMAT names them `W-CHANGE-61` and `W-TAG-03`).
    pub(super) fn into_settled(self) -> Result<Settled, Vec<BadName>> {
        let mut settled = Settled::default();
        let mut bad = Vec::new();
        for (name, tip) in self.tips {
            if let Some(line) = name.strip_prefix(HEADS) {
                if let Tip::Commit(head) = tip {
                    match line_name(line) {
                        Ok(line) => settled.lines.push((line, head)),
                        Err(why) => bad.push(BadName {
                            name: quote(&name),
                            why,
                        }),
                    }
                }
            } else if let Some(tag) = name.strip_prefix(TAGS) {
                if self.annotated.contains_key(tag) {
                    continue;
                }
                match (tip, tag_name(tag)) {
                    (Tip::Nothing, _) => {}
                    (Tip::Elsewhere, _) => settled.skipped_tags.push(quote(tag)),
                    (Tip::Commit(_), Err(why)) => bad.push(BadName {
                        name: quote(&name),
                        why,
                    }),
                    (Tip::Commit(target), Ok(name)) => settled.tags.push(SettledTag {
                        name,
                        target,
                        message: None,
                        tagged_at_s: None,
                    }),
                }
            } else if tip != Tip::Nothing {
                settled.skipped_refs.push(quote(&name));
            }
        }
        for (name, tag) in self.annotated {
            match (tag.target, tag_name(&name)) {
                (None, _) => settled.skipped_tags.push(quote(&name)),
                (Some(_), Err(why)) => bad.push(BadName {
                    name: quote(&[TAGS, &name].concat()),
                    why,
                }),
                (Some(target), Ok(name)) => settled.tags.push(SettledTag {
                    name,
                    target,
                    message: Some(tag.message),
                    tagged_at_s: tag.tagged_at_s,
                }),
            }
        }
        settled.tags.sort_by(|left, right| left.name.cmp(&right.name));
        settled.skipped_tags.sort();
        if bad.is_empty() { Ok(settled) } else { Err(bad) }
    }
}

/// Refs and tags as they are written, each list in the order of the names' bytes.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub lines: Vec<(String, CommitOrdinal)>,
    pub tags: Vec<SettledTag>,
    pub skipped_refs: Vec<String>,
    pub skipped_tags: Vec<String>,
}

impl Settled {
    /// Where the branch of that name stands.
    pub(super) fn head_of(&self, name: &str) -> Option<CommitOrdinal> {
        let found = self.lines.iter().find(|(line, _)| line == name);
        found.map(|(_, head)| *head)
    }
}

/// A tag as it is written.
#[derive(Debug)]
pub(super) struct SettledTag {
    pub name: String,
    pub target: CommitOrdinal,
    /// None for a lightweight one.
    pub message: Option<String>,
    pub tagged_at_s: Option<UnixSeconds>,
}

fn line_name(name: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(name).map_err(|_| "it is not UTF-8".to_owned())?;
    let kept = LineName::new(text).map_err(|fault| fault.to_string())?;
    exact(text, kept.as_str())
}

fn tag_name(name: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(name).map_err(|_| "it is not UTF-8".to_owned())?;
    let kept = TagName::new(text).map_err(|fault| fault.to_string())?;
    exact(text, kept.as_str())
}

fn exact(text: &str, kept: &str) -> Result<String, String> {
    if text == kept {
        return Ok(text.to_owned());
    }
    Err("it begins or ends with white space".to_owned())
}
