//! A streaming reader of `git fast-export` output: the grammar of `git fast-import`, read as untrusted input.
//!
//! [`Parser::next_event`] hands out one [`Event`] after the other. Content (of a `blob`, or of `M … inline`) is not part of an event: it is read
//! from [`Parser::content`] right after it, in pieces as small as the reader likes, and is skipped if nobody reads it. So `data N` reserves
//! nothing, whatever N says.
//!
//! Bounds, all checked before anything is stored:
//!
//! | what | at most |
//! | --- | --- |
//! | a command line | [`MAX_LINE_LEN`] bytes |
//! | a path, unquoted | [`MAX_PATH_LEN`] bytes, [`MAX_PATH_DEPTH`] names |
//! | a ref or tag name | [`MAX_NAME_LEN`] bytes |
//! | a message that is kept | [`MAX_MESSAGE_LEN`] bytes; the rest is read and dropped, and the event says so |
//! | parents of a commit | [`MAX_PARENTS`] |
//!
//! Where `git fast-import` is lenient and nothing is lost by it, so is this reader (blank lines between commands, the order of a commit's
//! header lines, any time zone). Everything else is refused with its line and byte.

mod commit;
mod data;
mod error;
mod event;
mod identity;
mod lines;
mod parser;
mod path;
mod reference;
#[cfg(test)]
mod tests;

pub(crate) use commit::too_many_parents;
pub use data::Content;
pub use error::{Position, StreamError, StreamFault, quote};
pub use event::{Commit, CommitName, Contents, Event, FileChange, LinkId, Message, Mode, Reset, Tag};
pub use parser::Parser;
pub use path::TreePath;

/// The longest command line, in bytes without its line feed.
pub const MAX_LINE_LEN: usize = 1 << 20;
/// The longest path, in bytes after unquoting.
pub const MAX_PATH_LEN: usize = 65_535;
/// The most names in one path (F-0.3: a directory is at most this deep).
pub const MAX_PATH_DEPTH: usize = 512;
/// The longest ref or tag name, in bytes.
pub const MAX_NAME_LEN: usize = 8_192;
/// The most bytes of one message that are kept. More than any payload can hold, so a cut here is always a cut there.
pub const MAX_MESSAGE_LEN: usize = 65_536;
/// The most parents of one commit (G13, assigned by us).
pub const MAX_PARENTS: usize = 64;
