//! The bytes of a stream: bounded lines, raw runs, and the count of both.

use std::io::{self, BufRead, BufReader, Read};

use super::MAX_LINE_LEN;
use super::error::{Position, StreamError};

const BUFFER_LEN: usize = 64 * 1024;

/// A stream read by lines or by raw bytes, knowing where it is.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    line_start: Position,
    here: Position,
    pushed_back: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER_LEN, input),
            line: Vec::new(),
            line_start: Position::START,
            here: Position::START,
            pushed_back: false,
        }
    }

    pub(super) fn into_input(self) -> R {
        self.input.into_inner()
    }

    /// The next byte's position.
    pub(super) fn here(&self) -> Position {
        self.here
    }

    /// The current line without its line feed.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Where the current line starts.
    pub(super) fn line_start(&self) -> Position {
        self.line_start
    }

    /// The current line is given out once more by the next `advance`.
    pub(super) fn push_back(&mut self) {
        self.pushed_back = true;
    }

    /// Reads the next line that is no comment; false at the end of the stream.
    ///
    /// A last line without a line feed is a truncated one, but for `done`: whatever it says could go on.
    pub(super) fn advance(&mut self) -> Result<bool, StreamError> {
        if self.pushed_back {
            self.pushed_back = false;
            return Ok(true);
        }
        loop {
            if !self.read_line()? {
                return Ok(false);
            }
            if self.line.first() != Some(&b'#') {
                return Ok(true);
            }
        }
    }

    fn read_line(&mut self) -> Result<bool, StreamError> {
        self.line.clear();
        self.line_start = self.here;
        loop {
            let available = fill(&mut self.input, self.here)?;
            if available.is_empty() {
                return match self.line.as_slice() {
                    [] => Ok(false),
                    b"done" => Ok(true),
                    _ => Err(StreamError::truncated(self.here, "inside a line")),
                };
            }
            let (run, is_whole) = match available.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end, true),
                None => (available.len(), false),
            };
            if self.line.len() + run > MAX_LINE_LEN {
                return Err(StreamError::refused(
                    self.line_start,
                    format!("a line is longer than {MAX_LINE_LEN} bytes"),
                    &self.line[..self.line.len().min(100)],
                ));
            }
            self.line.extend_from_slice(&available[..run]);
            self.here.byte += run as u64;
            self.input.consume(run);
            if is_whole {
                self.input.consume(1);
                self.here.byte += 1;
                self.here.line += 1;
                return Ok(true);
            }
        }
    }

    /// Reads raw bytes into `out`; 0 only at the end of the stream or for an empty `out`.
    pub(super) fn read_raw(&mut self, out: &mut [u8]) -> Result<usize, StreamError> {
        loop {
            match self.input.read(out) {
                Ok(count) => {
                    self.pass(&out[..count]);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StreamError::io(self.here, error)),
            }
        }
    }

    /// Skips a line feed if one comes next.
    pub(super) fn skip_optional_line_feed(&mut self) -> Result<(), StreamError> {
        if fill(&mut self.input, self.here)?.first() == Some(&b'\n') {
            self.input.consume(1);
            self.here.byte += 1;
            self.here.line += 1;
        }
        Ok(())
    }

    /// Appends to `out` what comes up to and including the next line feed, at most `limit` bytes; nothing at the end of the stream.
    pub(super) fn read_line_part(&mut self, out: &mut Vec<u8>, limit: usize) -> Result<(), StreamError> {
        let mut left = limit;
        while left > 0 {
            let available = fill(&mut self.input, self.here)?;
            if available.is_empty() {
                return Ok(());
            }
            let reach = &available[..available.len().min(left)];
            let (run, is_whole) = match reach.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (reach.len(), false),
            };
            out.extend_from_slice(&reach[..run]);
            self.here.byte += run as u64;
            self.input.consume(run);
            left -= run;
            if is_whole {
                self.here.line += 1;
                return Ok(());
            }
        }
        Ok(())
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.here.byte += bytes.len() as u64;
        self.here.line += bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
    }
}

fn fill<R: Read>(input: &mut BufReader<R>, here: Position) -> Result<&[u8], StreamError> {
    // Asked twice because the buffer cannot be borrowed across the retry.
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(StreamError::io(here, error));
        }
    }
    Ok(input.buffer())
}
