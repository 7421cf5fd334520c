//! What a stream says, one event at a time.

use super::error::Position;
use super::path::TreePath;

/// One step of a stream. Positions are those of the command's first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// `blob`; its bytes are the parser's content now.
    Blob {
        /// Where it stands.
        position: Position,
        /// The mark that names it from now on.
        mark: Option<u64>,
    },
    /// `commit` with everything up to its file changes, which follow as [`Event::Change`] up to [`Event::CommitEnd`].
    Commit(Box<Commit>),
    /// One file change of the commit that is open.
    Change {
        /// Where it stands.
        position: Position,
        /// The change.
        change: FileChange,
    },
    /// The open commit is complete.
    CommitEnd,
    /// `tag`: an annotated tag.
    Tag(Box<Tag>),
    /// `reset`.
    Reset(Reset),
    /// `progress`, with its text.
    Progress(Vec<u8>),
    /// `checkpoint`.
    Checkpoint,
    /// The end, once; after it nothing is read.
    End {
        /// Whether a `done` command said so. Without it a stream that was cut between two commands looks complete.
        done: bool,
    },
}

/// A commit up to its file changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Where the command stands.
    pub position: Position,
    /// The full ref name, as raw bytes (`refs/heads/main`).
    pub reference: Vec<u8>,
    /// The mark that names the commit from now on.
    pub mark: Option<u64>,
    /// The committer's time in seconds since 1970; may be negative.
    pub committed_at_s: i128,
    /// The `encoding` header, raw.
    pub encoding: Option<Vec<u8>>,
    /// The message, raw.
    pub message: Message,
    /// `from`, with its position.
    pub from: Option<(Position, CommitName)>,
    /// `merge`, in order, each with its position.
    pub merges: Vec<(Position, CommitName)>,
}

/// An annotated tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Where the command stands.
    pub position: Position,
    /// The name without `refs/tags/`, as raw bytes.
    pub name: Vec<u8>,
    /// The mark that names the tag from now on.
    pub mark: Option<u64>,
    /// What it tags, with its position.
    pub from: (Position, CommitName),
    /// The tagger's time in seconds since 1970, where there is a tagger; may be negative.
    pub tagged_at_s: Option<i128>,
    /// The message, raw.
    pub message: Message,
}

/// A `reset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// Where the command stands.
    pub position: Position,
    /// The full ref name, as raw bytes.
    pub reference: Vec<u8>,
    /// Where the ref points from now on, with its position.
    pub from: Option<(Position, CommitName)>,
}

/// A message as it stands in the stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its first bytes, at most [`super::MAX_MESSAGE_LEN`].
    pub bytes: Vec<u8>,
    /// Whether more bytes followed.
    pub is_cut: bool,
}

/// How a stream names a commit (or, where a command allows it, another object).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitName {
    /// `:N`.
    Mark(u64),
    /// A ref of this stream: `refs/heads/main`.
    Reference(Vec<u8>),
    /// A ref of this stream with `^0`, the only form in which a ref may start from itself.
    ReferencePeeled(Vec<u8>),
    /// 40 or 64 zeros: no commit.
    Nothing,
    /// An object id, as it was written.
    Id(Vec<u8>),
}

/// The id of another repository's commit, left-aligned and filled with zeros (F-0.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkId(pub [u8; 32]);

/// What an entry is: git's modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 100644.
    File,
    /// 100755.
    Executable,
    /// 120000.
    Symlink,
    /// 160000: a commit of another repository.
    Link,
    /// 040000.
    Directory,
}

impl Mode {
    /// Git's octal mode as a number (F-0.3).
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::File => 0o100_644,
            Self::Executable => 0o100_755,
            Self::Symlink => 0o120_000,
            Self::Link => 0o160_000,
            Self::Directory => 0o040_000,
        }
    }

    /// The mode that `bits` means; `644` and `755` are short for files.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        match bits {
            0o100_644 | 0o644 => Some(Self::File),
            0o100_755 | 0o755 => Some(Self::Executable),
            0o120_000 => Some(Self::Symlink),
            0o160_000 => Some(Self::Link),
            0o040_000 => Some(Self::Directory),
            _ => None,
        }
    }
}

/// Where the contents of a modified file come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// An object marked earlier.
    Mark(u64),
    /// The parser's content now.
    Inline,
    /// A commit of another repository (mode 160000 only).
    Link(LinkId),
    /// The empty directory (mode 040000 only).
    EmptyDirectory,
}

/// One change of a commit's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// `M`.
    Modify {
        /// The new entry's mode.
        mode: Mode,
        /// Its contents.
        contents: Contents,
        /// Where it goes; the root for a directory only.
        path: TreePath,
    },
    /// `D`.
    Delete {
        /// What goes.
        path: TreePath,
    },
    /// `R`.
    Rename {
        /// What is moved.
        source: TreePath,
        /// Where it goes.
        target: TreePath,
    },
    /// `C`.
    Copy {
        /// What is copied.
        source: TreePath,
        /// Where it goes.
        target: TreePath,
    },
    /// `deleteall`.
    DeleteAll,
    /// `N`: a note on a commit.
    Note {
        /// The note's contents, a mark or inline; none where the note is removed.
        contents: Option<Contents>,
    },
}
