//! `commit`: its header, and its file changes one by one.

use std::io::Read;

use super::data::Data;
use super::error::{Position, StreamError};
use super::event::{Commit, CommitName, Contents, Event, FileChange, LinkId, Mode};
use super::lines::Lines;
use super::parser::{Parser, read_names, refuse_answered};
use super::path::{first_path, last_path};
use super::{MAX_PARENTS, identity, reference};

const PLACE: &str = "inside a commit";

/// Git's names of the empty directory.
const EMPTY_DIRECTORY_IDS: [&[u8]; 2] = [
    b"4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    b"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/// Reads a commit up to its file changes; its first line is current.
pub(super) fn read_header<R: Read>(
    parser: &mut Parser<R>,
    position: Position,
    reference: Vec<u8>,
) -> Result<Event, StreamError> {
    let lines = &mut parser.lines;
    let mark = read_names(lines, PLACE)?;
    let mut committed_at_s = None;
    let mut encoding = None;
    loop {
        let (line, start) = (lines.line(), lines.line_start());
        if let Some(committer) = line.strip_prefix(b"committer ") {
            committed_at_s = Some(identity::time_of(committer, start.after(10))?);
        } else if let Some(name) = line.strip_prefix(b"encoding ") {
            encoding = Some(name.to_vec());
        } else if line.starts_with(b"gpgsig ") {
            Data::begin(lines, PLACE)?.read_message(lines)?;
        } else if !line.starts_with(b"author ") {
            break;
        }
        if !lines.advance()? {
            return Err(StreamError::truncated(lines.here(), PLACE));
        }
    }
    let Some(committed_at_s) = committed_at_s else {
        return Err(StreamError::refused(
            lines.line_start(),
            "a commit needs `committer`",
            lines.line(),
        ));
    };
    let message = Data::from_line(lines)?.read_message(lines)?;
    let from = read_from(lines)?;
    let merges = read_merges(lines, mark)?;
    Ok(Event::Commit(Box::new(Commit {
        position,
        reference,
        mark,
        committed_at_s,
        encoding,
        message,
        from,
        merges,
    })))
}

/// Reads the `from` that may come next.
pub(super) fn read_from<R: Read>(lines: &mut Lines<R>) -> Result<Option<(Position, CommitName)>, StreamError> {
    if !lines.advance()? {
        return Ok(None);
    }
    let start = lines.line_start();
    let Some(from) = lines.line().strip_prefix(b"from ") else {
        lines.push_back();
        return Ok(None);
    };
    let at = start.after(5);
    Ok(Some((at, reference::commit_name(from, at)?)))
}

fn read_merges<R: Read>(lines: &mut Lines<R>, mark: Option<u64>) -> Result<Vec<(Position, CommitName)>, StreamError> {
    let mut merges = Vec::new();
    while lines.advance()? {
        let at = lines.line_start().after(6);
        let Some(merge) = lines.line().strip_prefix(b"merge ") else {
            lines.push_back();
            break;
        };
        if merges.len() == MAX_PARENTS {
            return Err(too_many_parents(lines.line_start(), mark));
        }
        merges.push((at, reference::commit_name(merge, at)?));
    }
    Ok(merges)
}

/// A commit has more than [`MAX_PARENTS`] parents (G13, assigned by us).
pub(crate) fn too_many_parents(position: Position, mark: Option<u64>) -> StreamError {
    let who = mark.map_or_else(
        || "a commit without a mark".to_owned(),
        |mark| format!("commit :{mark}"),
    );
    StreamError::refused_plain(position, format!("{who} has more than {MAX_PARENTS} parents [G13]"))
}

/// The next file change of the open commit; none at its end.
pub(super) fn next_change<R: Read>(parser: &mut Parser<R>) -> Result<Option<Event>, StreamError> {
    let lines = &mut parser.lines;
    if !lines.advance()? || lines.line().is_empty() {
        return Ok(None);
    }
    let position = lines.line_start();
    let line = lines.line();
    let at = position.after(2);
    let change = match line {
        b"deleteall" => FileChange::DeleteAll,
        [b'M', b' ', rest @ ..] => modify(rest, at)?,
        [b'D', b' ', rest @ ..] => FileChange::Delete {
            path: last_path(rest, at)?,
        },
        [b'R', b' ', rest @ ..] => {
            let (source, rest, at) = first_path(rest, at)?;
            let target = last_path(rest, at)?;
            FileChange::Rename { source, target }
        }
        [b'C', b' ', rest @ ..] => {
            let (source, rest, at) = first_path(rest, at)?;
            let target = last_path(rest, at)?;
            FileChange::Copy { source, target }
        }
        [b'N', b' ', rest @ ..] => note(rest, at)?,
        _ => {
            refuse_answered(lines)?;
            lines.push_back();
            return Ok(None);
        }
    };
    if is_inline(&change) {
        parser.content = Some(read_inline(lines)?);
    }
    Ok(Some(Event::Change { position, change }))
}

fn is_inline(change: &FileChange) -> bool {
    match change {
        FileChange::Modify { contents, .. }
        | FileChange::Note {
            contents: Some(contents),
        } => *contents == Contents::Inline,
        _ => false,
    }
}

fn read_inline<R: Read>(lines: &mut Lines<R>) -> Result<Data, StreamError> {
    if !lines.advance()? {
        return Err(StreamError::truncated(lines.here(), PLACE));
    }
    refuse_answered(lines)?;
    Data::from_line(lines)
}

fn modify(arguments: &[u8], position: Position) -> Result<FileChange, StreamError> {
    let (mode_text, rest, at) = word(arguments, position)?;
    let mode = parse_octal(mode_text)
        .and_then(Mode::from_bits)
        .ok_or_else(|| StreamError::refused(position, "an unknown mode", mode_text))?;
    let (reference, path, path_at) = word(rest, at)?;
    let contents = contents(mode, reference, at)?;
    let path = last_path(path, path_at)?;
    if path.is_root() && mode != Mode::Directory {
        return Err(StreamError::refused_plain(path_at, "the root can only be a directory"));
    }
    Ok(FileChange::Modify { mode, contents, path })
}

/// What a `<dataref>` means for an entry of `mode`.
fn contents(mode: Mode, reference: &[u8], position: Position) -> Result<Contents, StreamError> {
    let refuse = |what: &str| Err(StreamError::refused(position, what, reference));
    if let Some(number) = reference.strip_prefix(b":") {
        if mode == Mode::Link {
            return refuse("a link needs the other commit's id: the ids of this stream's own commits are not kept");
        }
        return reference::mark(number, position.after(1)).map(Contents::Mark);
    }
    if reference == b"inline" {
        return match mode {
            Mode::Link | Mode::Directory => refuse("a link or a directory cannot be inline"),
            Mode::File | Mode::Executable | Mode::Symlink => Ok(Contents::Inline),
        };
    }
    if !reference::is_object_id(reference) {
        return refuse("a mark, `inline` or an object id is expected");
    }
    match mode {
        Mode::Link => {
            link_id(reference).map_or_else(|| refuse("an object id is expected"), |id| Ok(Contents::Link(id)))
        }
        Mode::Directory if EMPTY_DIRECTORY_IDS.contains(&reference.to_ascii_lowercase().as_slice()) => {
            Ok(Contents::EmptyDirectory)
        }
        _ => Err(StreamError::incremental(position, reference)),
    }
}

fn note(arguments: &[u8], position: Position) -> Result<FileChange, StreamError> {
    let (reference, commit, commit_at) = word(arguments, position)?;
    // 40 or 64 zeros remove the note.
    let contents = if reference::is_object_id(reference) && reference.iter().all(|byte| *byte == b'0') {
        None
    } else {
        Some(contents(Mode::File, reference, position)?)
    };
    reference::commit_name(commit, commit_at)?;
    Ok(FileChange::Note { contents })
}

/// The text up to a space, what follows the space, and where that stands.
fn word(text: &[u8], position: Position) -> Result<(&[u8], &[u8], Position), StreamError> {
    match text.iter().position(|byte| *byte == b' ') {
        Some(end) => Ok((&text[..end], &text[end + 1..], position.after(end + 1))),
        None => Err(StreamError::refused(position, "a space and more are missing", text)),
    }
}

fn parse_octal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 7 {
        return None;
    }
    digits.iter().try_fold(0, |value, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit <= 7)?;
        Some(value * 8 + u32::from(digit))
    })
}

fn link_id(hex: &[u8]) -> Option<LinkId> {
    let mut id = [0; 32];
    for (byte, pair) in id.iter_mut().zip(hex.chunks_exact(2)) {
        let text = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(text, 16).ok()?;
    }
    Some(LinkId(id))
}
