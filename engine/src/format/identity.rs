//! Identity text both ways: what people type and see instead of record indexes (F-1.1).

use std::fmt;
use std::str::FromStr;

use super::hash::{ObjectHash, SnapshotId};
use super::ordinal::{ChangeOrdinal, LandOrdinal};
use super::reference::{LineIndex, PlanIndex, PlanRevisionIndex, StashIndex, TaskIndex};

/// Why a text is not an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the identity of {of}, whose form is {form} (F-1.1)")]
pub struct IdentityError {
    /// What was looked for.
    pub of: &'static str,
    /// The form it has.
    pub form: &'static str,
}

impl IdentityError {
    pub(super) const fn new(of: &'static str, form: &'static str) -> Self {
        Self { of, form }
    }
}

/// The repository's part of Task identities: at most two upper-case ASCII letters or digits (F-0.6; G28 assigned by us).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespace {
    bytes: [u8; 2],
    len: u8,
}

impl Namespace {
    /// The namespace of a store that has none.
    pub const EMPTY: Self = Self { bytes: [0; 2], len: 0 };

    /// The namespace of exactly that text; `None` where it is longer than two bytes or has other bytes than `A`-`Z` and
    /// `0`-`9` (F-0.6).
    pub fn parse(text: &str) -> Option<Self> {
        let letter = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let (bytes, len) = match *text.as_bytes() {
            [] => ([0, 0], 0),
            [first] => ([first, 0], 1),
            [first, second] => ([first, second], 2),
            _ => return None,
        };
        text.as_bytes().iter().all(letter).then_some(Self { bytes, len })
    }

    /// The namespace a person configures: ASCII white space around it is dropped and letters become upper case.
    ///
    /// # Errors
    /// What is left is not a namespace.
    pub fn configured(text: &str) -> Result<Self, IdentityError> {
        text.trim_ascii().to_ascii_uppercase().parse()
    }

    /// The namespace as text.
    pub fn as_str(&self) -> &str {
        self.bytes
            .get(..usize::from(self.len))
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

impl FromStr for Namespace {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        Self::parse(text).ok_or(IdentityError::new("a namespace", "up to two of A-Z and 0-9"))
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Namespace({:?})", self.as_str())
    }
}

/// Whose Task it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskScope {
    /// A Task of a local store: `L`.
    Local,
    /// A Task of a repository: `R`.
    Remote,
}

/// A Task's identity: `LCT-0001` is the first Task of a local store with namespace `C` (W-TASK-04, W-TASK-05,
/// W-TASK-32, F-1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    /// Whose it is.
    pub scope: TaskScope,
    /// The repository's part.
    pub namespace: Namespace,
    /// The Task's record; its sequence in the text is one more.
    pub index: TaskIndex,
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = match self.scope {
            TaskScope::Local => 'L',
            TaskScope::Remote => 'R',
        };
        write!(f, "{scope}{}T-{:04}", self.namespace, self.index.plus1())
    }
}

impl FromStr for TaskId {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        Self::parse(text).ok_or(IdentityError::new(
            "a Task",
            "L or R, the namespace, T- and at least 4 digits",
        ))
    }
}

impl TaskId {
    fn parse(text: &str) -> Option<Self> {
        let (head, digits) = text.split_once('-')?;
        let (scope, namespace) = match head.split_at_checked(1)? {
            ("L", rest) => (TaskScope::Local, rest),
            ("R", rest) => (TaskScope::Remote, rest),
            _ => return None,
        };
        let namespace = namespace.strip_suffix('T')?.parse().ok()?;
        let index = TaskIndex::from_plus1(canonical_decimal(digits, 4)?)?;
        Some(Self {
            scope,
            namespace,
            index,
        })
    }
}

/// A Change's full reference: `LCT-0001/C-01` (F-1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeRef {
    /// The owning Task.
    pub task: TaskId,
    /// The Change's ordinal in it.
    pub change: ChangeOrdinal,
}

impl fmt::Display for ChangeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.task, self.change)
    }
}

impl FromStr for ChangeRef {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let (task, change) = text
            .split_once('/')
            .ok_or(IdentityError::new("a Change", "TASK/C-01 to TASK/C-64"))?;
        Ok(Self {
            task: task.parse()?,
            change: change.parse()?,
        })
    }
}

/// A Land's full reference: `LCT-0001/C-01/L-01` (W-LAND-09, F-1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LandRef {
    /// The owning Change.
    pub change: ChangeRef,
    /// The Land's ordinal in it.
    pub land: LandOrdinal,
}

impl fmt::Display for LandRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.change, self.land)
    }
}

impl FromStr for LandRef {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let (change, land) = text
            .rsplit_once('/')
            .ok_or(IdentityError::new("a Land", "CHANGE/L-01 to CHANGE/L-64"))?;
        Ok(Self {
            change: change.parse()?,
            land: land.parse()?,
        })
    }
}

/// The text of a Line's index: `LNE-` and 8 upper-case hex digits of index + 1.
impl fmt::Display for LineIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LNE-{:08X}", self.plus1())
    }
}

impl FromStr for LineIndex {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let digits = text.strip_prefix("LNE-").filter(|digits| is_hex(digits, 8, b'A'));
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(Self::from_plus1)
            .ok_or(IdentityError::new(
                "a Line",
                "LNE- and 8 upper-case hex digits, from 1 on",
            ))
    }
}

/// The text of a Stash's index: `STH-` and at least 6 digits of index + 1.
impl fmt::Display for StashIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "STH-{:06}", self.plus1())
    }
}

impl FromStr for StashIndex {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        text.strip_prefix("STH-")
            .and_then(|digits| canonical_decimal(digits, 6))
            .and_then(Self::from_plus1)
            .ok_or(IdentityError::new("a Stash", "STH- and at least 6 digits, from 1 on"))
    }
}

/// The text of a Plan's index: `PR-` and the index.
impl fmt::Display for PlanIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PR-{}", self.get())
    }
}

impl FromStr for PlanIndex {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        text.strip_prefix("PR-")
            .and_then(|digits| canonical_decimal(digits, 1))
            .and_then(Self::new)
            .ok_or(IdentityError::new("a Plan", "PR- and its index without leading zeros"))
    }
}

/// The text of a Plan revision's index: `plan-revision:` and the index.
impl fmt::Display for PlanRevisionIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan-revision:{}", self.get())
    }
}

impl FromStr for PlanRevisionIndex {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        text.strip_prefix("plan-revision:")
            .and_then(|digits| canonical_decimal(digits, 1))
            .and_then(Self::new)
            .ok_or(IdentityError::new(
                "a Plan revision",
                "plan-revision: and its index without leading zeros",
            ))
    }
}

/// The text of a Snapshot's identity: `SNP-` and 12 upper-case hex digits.
impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SNP-{:012X}", self.get())
    }
}

impl FromStr for SnapshotId {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let digits = text.strip_prefix("SNP-").filter(|digits| is_hex(digits, 12, b'A'));
        digits
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .and_then(Self::new)
            .ok_or(IdentityError::new("a Snapshot", "SNP- and 12 upper-case hex digits"))
    }
}

/// The text of an object's identity: `OBJ-` and 64 lower-case hex digits (F-0.3).
impl fmt::Display for ObjectHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OBJ-")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ObjectHash {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let wrong = IdentityError::new("an object", "OBJ- and 64 lower-case hex digits");
        let digits = text
            .strip_prefix("OBJ-")
            .filter(|digits| is_hex(digits, 64, b'a'))
            .ok_or(wrong)?;
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            let pair = str::from_utf8(pair).map_err(|_| wrong)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong)?;
        }
        Ok(Self(hash))
    }
}

/// An identity of any kind, told by its text alone. Tags and Line names are not among them: any text may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// `LCT-0001`
    Task(TaskId),
    /// `LCT-0001/C-01`
    Change(ChangeRef),
    /// `LCT-0001/C-01/L-01`
    Land(LandRef),
    /// `LNE-00000001`
    Line(LineIndex),
    /// `STH-000001`
    Stash(StashIndex),
    /// `SNP-0123456789AB`
    Snapshot(SnapshotId),
    /// `OBJ-` and 64 digits
    Object(ObjectHash),
    /// `PR-0`
    Plan(PlanIndex),
    /// `plan-revision:0`
    PlanRevision(PlanRevisionIndex),
}

impl FromStr for Identity {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        None.or_else(|| text.parse().ok().map(Self::Task))
            .or_else(|| text.parse().ok().map(Self::Change))
            .or_else(|| text.parse().ok().map(Self::Land))
            .or_else(|| text.parse().ok().map(Self::Line))
            .or_else(|| text.parse().ok().map(Self::Stash))
            .or_else(|| text.parse().ok().map(Self::Snapshot))
            .or_else(|| text.parse().ok().map(Self::Object))
            .or_else(|| text.parse().ok().map(Self::Plan))
            .or_else(|| text.parse().ok().map(Self::PlanRevision))
            .ok_or(IdentityError::new(
                "anything",
                "that of a Task, Change, Land, Line, Stash, Snapshot, object or Plan",
            ))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task(id) => id.fmt(f),
            Self::Change(id) => id.fmt(f),
            Self::Land(id) => id.fmt(f),
            Self::Line(id) => id.fmt(f),
            Self::Stash(id) => id.fmt(f),
            Self::Snapshot(id) => id.fmt(f),
            Self::Object(id) => id.fmt(f),
            Self::Plan(id) => id.fmt(f),
            Self::PlanRevision(id) => id.fmt(f),
        }
    }
}

/// Decimal digits as they are written: at least `width`, and no leading zero beyond that.
fn canonical_decimal(digits: &str, width: usize) -> Option<u32> {
    let canonical = digits.len() == width || (digits.len() > width && !digits.starts_with('0'));
    if !canonical || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// Exactly `len` hex digits whose letters start at `letter` (`a` or `A`).
fn is_hex(digits: &str, len: usize, letter: u8) -> bool {
    digits.len() == len
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (letter..letter + 6).contains(&byte))
}

#[cfg(test)]
mod tests;
