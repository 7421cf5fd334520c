//! The commands between commits, and the one entry to the stream.

use std::io::{self, Read};

use super::data::{Content, Data};
use super::error::StreamError;
use super::event::{Event, Reset, Tag};
use super::lines::Lines;
use super::{commit, identity, reference};

/// Reads a stream, event by event.
pub struct Parser<R> {
    pub(super) lines: Lines<R>,
    pub(super) content: Option<Data>,
    state: State,
    failure: Option<StreamError>,
    needs_done: bool,
    has_begun: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    InCommit,
    Ended { done: bool },
}

/// Commands that ask for an answer, which a one-way stream cannot be given.
const ANSWERED: &[(&[u8], &str)] = &[
    (b"cat-blob", "it asks for an answer"),
    (b"ls", "it asks for an answer"),
    (b"get-mark", "it asks for an answer"),
    (b"alias", "marks are given by the commands that make the objects"),
];

impl<R: Read> Parser<R> {
    /// Reads `input`, which needs no buffering of its own.
    pub fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input),
            content: None,
            state: State::Between,
            failure: None,
            needs_done: false,
            has_begun: false,
        }
    }

    /// The next event. Content that was not read is passed over. After [`Event::End`] it answers the end again.
    pub fn next_event(&mut self) -> Result<Event, StreamError> {
        match self.read_event() {
            Ok(event) => Ok(event),
            Err(error) => {
                self.content = None;
                self.state = State::Ended { done: false };
                Err(error)
            }
        }
    }

    /// The content at this place: after [`Event::Blob`], and after a change whose contents are inline. Elsewhere it is empty.
    pub fn content(&mut self) -> Content<'_, R> {
        Content(self)
    }

    /// The stream's error that ended the last read of [`Parser::content`], if it was the stream that failed.
    pub fn failure(&mut self) -> Option<StreamError> {
        self.failure.take()
    }

    /// How many bytes have been read.
    pub fn bytes_read(&self) -> u64 {
        self.lines.here().byte
    }

    /// Whether the stream promises a `done` at its end.
    pub fn promises_done(&self) -> bool {
        self.needs_done
    }

    /// Gives the input back; what was read ahead of the parser's place is lost.
    pub fn into_input(self) -> R {
        self.lines.into_input()
    }

    pub(super) fn read_content(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(data) = self.content.as_mut() {
            match data.read(&mut self.lines, out) {
                Ok((count, ended)) => {
                    if ended {
                        self.content = None;
                    }
                    // A delimited line that is only looked at gives nothing yet; 0 would mean the end.
                    if count > 0 || out.is_empty() {
                        return Ok(count);
                    }
                }
                Err(error) => {
                    let told = io::Error::other(error.to_string());
                    self.content = None;
                    self.failure = Some(error);
                    self.state = State::Ended { done: false };
                    return Err(told);
                }
            }
        }
        Ok(0)
    }

    fn read_event(&mut self) -> Result<Event, StreamError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.pass_content()?;
        match self.state {
            State::Ended { done } => Ok(Event::End { done }),
            State::InCommit => {
                if let Some(event) = commit::next_change(self)? {
                    return Ok(event);
                }
                self.state = State::Between;
                Ok(Event::CommitEnd)
            }
            State::Between => self.read_command(),
        }
    }

    fn pass_content(&mut self) -> Result<(), StreamError> {
        let mut buffer = [0; 8 * 1024];
        while let Some(data) = self.content.as_mut() {
            if data.read(&mut self.lines, &mut buffer)?.1 {
                self.content = None;
            }
        }
        Ok(())
    }

    fn read_command(&mut self) -> Result<Event, StreamError> {
        loop {
            if !self.lines.advance()? {
                if self.needs_done {
                    return Err(StreamError::truncated(
                        self.lines.here(),
                        "before the `done` that it promised",
                    ));
                }
                return Ok(self.end(false));
            }
            let position = self.lines.line_start();
            let line = self.lines.line();
            if line.is_empty() {
                continue;
            }
            if let Some(feature) = line.strip_prefix(b"feature ") {
                self.check_preamble("`feature`")?;
                match feature {
                    b"done" => self.needs_done = true,
                    b"date-format=raw" => {}
                    _ => {
                        return Err(StreamError::unsupported(
                            position,
                            line,
                            "only `done` and `date-format=raw` are",
                        ));
                    }
                }
                continue;
            }
            if line.starts_with(b"option ") {
                // Options of other programs may stand anywhere; git's own only before the first object.
                if line.starts_with(b"option git ") {
                    self.check_preamble("`option git`")?;
                }
                continue;
            }
            if let Some(text) = line.strip_prefix(b"progress ") {
                return Ok(Event::Progress(text.to_vec()));
            }
            match line {
                b"progress" => return Ok(Event::Progress(Vec::new())),
                b"checkpoint" => return Ok(Event::Checkpoint),
                b"done" => return Ok(self.end(true)),
                _ => {}
            }
            self.has_begun = true;
            return self.read_object();
        }
    }

    fn read_object(&mut self) -> Result<Event, StreamError> {
        let position = self.lines.line_start();
        let line = self.lines.line();
        if line == b"blob" {
            return self.read_blob();
        }
        if let Some(name) = line.strip_prefix(b"commit ") {
            let reference = reference::name(name, position.after(7))?;
            let event = commit::read_header(self, position, reference)?;
            self.state = State::InCommit;
            return Ok(event);
        }
        if let Some(name) = line.strip_prefix(b"tag ") {
            let name = reference::name(name, position.after(4))?;
            return self.read_tag(name);
        }
        if let Some(name) = line.strip_prefix(b"reset ") {
            let reference = reference::name(name, position.after(6))?;
            let from = commit::read_from(&mut self.lines)?;
            return Ok(Event::Reset(Reset {
                position,
                reference,
                from,
            }));
        }
        refuse_answered(&self.lines)?;
        Err(StreamError::refused(position, "unknown command", line))
    }

    fn read_blob(&mut self) -> Result<Event, StreamError> {
        let position = self.lines.line_start();
        let mark = read_names(&mut self.lines, "inside a blob")?;
        self.content = Some(Data::from_line(&self.lines)?);
        Ok(Event::Blob { position, mark })
    }

    fn read_tag(&mut self, name: Vec<u8>) -> Result<Event, StreamError> {
        const PLACE: &str = "inside a tag";
        let position = self.lines.line_start();
        let mark = read_names(&mut self.lines, PLACE)?;
        let from_at = self.lines.line_start();
        let Some(from) = self.lines.line().strip_prefix(b"from ") else {
            return Err(StreamError::refused(from_at, "a tag needs `from`", self.lines.line()));
        };
        let from = (from_at.after(5), reference::commit_name(from, from_at.after(5))?);
        let mut tagged_at_s = None;
        loop {
            if !self.lines.advance()? {
                return Err(StreamError::truncated(self.lines.here(), PLACE));
            }
            let line = self.lines.line();
            if let Some(tagger) = line.strip_prefix(b"tagger ") {
                tagged_at_s = Some(identity::time_of(tagger, self.lines.line_start().after(7))?);
            } else if !line.starts_with(b"original-oid ") {
                break;
            }
        }
        let message = Data::from_line(&self.lines)?.read_message(&mut self.lines)?;
        Ok(Event::Tag(Box::new(Tag {
            position,
            name,
            mark,
            from,
            tagged_at_s,
            message,
        })))
    }

    fn check_preamble(&self, what: &str) -> Result<(), StreamError> {
        if self.has_begun {
            let what = format!("{what} comes after the first object");
            return Err(StreamError::refused(self.lines.line_start(), what, self.lines.line()));
        }
        Ok(())
    }

    fn end(&mut self, done: bool) -> Event {
        self.state = State::Ended { done };
        Event::End { done }
    }
}

/// Reads the `mark` and `original-oid` lines that come next, and leaves the line after them current.
pub(super) fn read_names<R: Read>(lines: &mut Lines<R>, place: &'static str) -> Result<Option<u64>, StreamError> {
    let mut mark = None;
    loop {
        if !lines.advance()? {
            return Err(StreamError::truncated(lines.here(), place));
        }
        let (line, start) = (lines.line(), lines.line_start());
        if let Some(number) = line.strip_prefix(b"mark :") {
            if mark.is_some() {
                return Err(StreamError::refused(start, "a second mark", line));
            }
            mark = Some(reference::mark(number, start.after(6))?);
        } else if !line.starts_with(b"original-oid ") {
            return Ok(mark);
        }
    }
}

/// Refuses the current line if it is a command that wants an answer.
pub(super) fn refuse_answered<R: Read>(lines: &Lines<R>) -> Result<(), StreamError> {
    let line = lines.line();
    let command = line.split(|byte| *byte == b' ').next().unwrap_or_default();
    match ANSWERED.iter().find(|(name, _)| *name == command) {
        Some((_, why)) => Err(StreamError::unsupported(lines.line_start(), line, why)),
        None => Ok(()),
    }
}
