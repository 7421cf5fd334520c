//! `data`: counted and delimited, streamed.

use std::io::{self, Read};

use super::MAX_MESSAGE_LEN;
use super::error::StreamError;
use super::event::Message;
use super::lines::Lines;
use super::parser::Parser;

/// A `data` command whose bytes have not all been read.
#[derive(Debug)]
pub(super) enum Data {
    /// `data N`.
    Counted {
        /// Bytes still to come.
        left: u64,
    },
    /// `data <<END`.
    Delimited {
        terminator: Vec<u8>,
        /// Bytes taken from the stream to look for the terminator, and not yet given out.
        taken: Vec<u8>,
        given: usize,
        at_line_start: bool,
    },
}

impl Data {
    /// Reads the command line of a `data` command, which must come next.
    pub(super) fn begin<R: Read>(lines: &mut Lines<R>, place: &'static str) -> Result<Self, StreamError> {
        if !lines.advance()? {
            return Err(StreamError::truncated(lines.here(), place));
        }
        Self::from_line(lines)
    }

    /// Reads the current line as a `data` command.
    pub(super) fn from_line<R: Read>(lines: &Lines<R>) -> Result<Self, StreamError> {
        let (line, start) = (lines.line(), lines.line_start());
        let Some(argument) = line.strip_prefix(b"data ") else {
            return Err(StreamError::refused(start, "`data` is expected", line));
        };
        if let Some(terminator) = argument.strip_prefix(b"<<") {
            return Ok(Self::Delimited {
                terminator: terminator.to_vec(),
                taken: Vec::new(),
                given: 0,
                at_line_start: true,
            });
        }
        match parse_decimal(argument) {
            Some(left) => Ok(Self::Counted { left }),
            None => Err(StreamError::refused(
                start.after(5),
                "`data` needs a byte count or `<<` and a terminator",
                argument,
            )),
        }
    }

    /// Reads the next bytes; 0 at the end of the data (the optional line feed after it is passed then) or for an empty `out`.
    pub(super) fn read<R: Read>(&mut self, lines: &mut Lines<R>, out: &mut [u8]) -> Result<(usize, bool), StreamError> {
        match self {
            Self::Counted { left } => {
                let wanted = usize::try_from(*left).unwrap_or(usize::MAX).min(out.len());
                let count = if wanted == 0 {
                    0
                } else {
                    lines.read_raw(&mut out[..wanted])?
                };
                if count == 0 && wanted > 0 {
                    return Err(StreamError::truncated(lines.here(), "inside `data`"));
                }
                *left -= count as u64;
                let ended = *left == 0;
                if ended {
                    lines.skip_optional_line_feed()?;
                }
                Ok((count, ended))
            }
            Self::Delimited {
                terminator,
                taken,
                given,
                at_line_start,
            } => {
                if *given == taken.len() {
                    taken.clear();
                    *given = 0;
                    let limit = if *at_line_start {
                        terminator.len() + 1
                    } else {
                        out.len().max(1)
                    };
                    lines.read_line_part(taken, limit)?;
                    let Some(last) = taken.last() else {
                        return Err(StreamError::truncated(
                            lines.here(),
                            "inside `data`, before its terminator",
                        ));
                    };
                    let line = taken.strip_suffix(b"\n").unwrap_or(taken);
                    // The terminator's own line feed may be missing at the end of the stream; a longer line fills the limit.
                    let is_whole = *last == b'\n' || taken.len() < limit;
                    if *at_line_start && is_whole && line == terminator.as_slice() {
                        lines.skip_optional_line_feed()?;
                        return Ok((0, true));
                    }
                    *at_line_start = *last == b'\n';
                }
                let count = out.len().min(taken.len() - *given);
                out[..count].copy_from_slice(&taken[*given..*given + count]);
                *given += count;
                Ok((count, false))
            }
        }
    }

    /// Reads all of it as a message, keeping at most [`MAX_MESSAGE_LEN`] bytes.
    pub(super) fn read_message<R: Read>(mut self, lines: &mut Lines<R>) -> Result<Message, StreamError> {
        let mut message = Message::default();
        let mut buffer = [0; 8 * 1024];
        loop {
            let (count, ended) = self.read(lines, &mut buffer)?;
            let kept = count.min(MAX_MESSAGE_LEN - message.bytes.len());
            message.bytes.extend_from_slice(&buffer[..kept]);
            message.is_cut |= kept < count;
            if ended {
                return Ok(message);
            }
        }
    }
}

/// A decimal number of one to twenty digits and nothing else.
pub(super) fn parse_decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 20 {
        return None;
    }
    digits.iter().try_fold(0_u64, |value, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// The content that stands at the parser's place: a blob's, or an inline file's.
///
/// Reading it answers 0 at its end. An error that the stream causes is kept by the parser ([`Parser::failure`]) and comes out of `read` as an
/// [`io::Error`] that says the same.
pub struct Content<'p, R>(pub(super) &'p mut Parser<R>);

impl<R: Read> Read for Content<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read_content(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message_of(stream: &[u8]) -> Result<(Message, Vec<u8>), StreamError> {
        let mut lines = Lines::new(stream);
        let message = Data::begin(&mut lines, "before `data`")?.read_message(&mut lines)?;
        let mut rest = Vec::new();
        lines.read_line_part(&mut rest, 100)?;
        Ok((message, rest))
    }

    #[test]
    fn counted_data_may_be_followed_by_one_line_feed() {
        for (stream, rest) in [
            (&b"data 3\nabc\nx\n"[..], &b"x\n"[..]),
            (b"data 3\nabcx\n", b"x\n"),
            (b"data 3\nabc\n\n", b"\n"),
            (b"data 3\nabc", b""),
        ] {
            let (message, after) = message_of(stream).expect("a whole `data`");
            assert_eq!((message.bytes.as_slice(), after.as_slice()), (&b"abc"[..], rest));
        }
    }

    #[test]
    fn delimited_data_ends_at_a_line_that_is_the_terminator() {
        for (stream, bytes, rest) in [
            (&b"data <<END\na\nEND\nx\n"[..], &b"a\n"[..], &b"x\n"[..]),
            (b"data <<END\na\nEND\n\nx\n", b"a\n", b"x\n"),
            (b"data <<END\nENDE\n END\nEN\n\nEND", b"ENDE\n END\nEN\n\n", b""),
            (b"data <<END\nEND\n", b"", b""),
            (b"data <<\nb\n\nx\n", b"b\n", b"x\n"),
            (
                b"data <<E\na long line that is longer\nE\n",
                b"a long line that is longer\n",
                b"",
            ),
        ] {
            let (message, after) = message_of(stream).expect("a whole `data`");
            assert_eq!(
                (message.bytes.as_slice(), after.as_slice()),
                (bytes, rest),
                "{stream:?}"
            );
        }
    }

    #[test]
    fn data_that_does_not_arrive_is_truncated_whatever_its_count_says() {
        for (stream, byte) in [
            (&b"data 18446744073709551615\nabc"[..], 29),
            (b"data 4\nabc", 10),
            (b"data <<END\nabc\nEN", 17),
            (b"data <<END\nabc\nENDx", 19),
            (b"data <<END\n", 11),
        ] {
            let error = message_of(stream).expect_err("truncated");
            assert!(error.to_string().contains("truncated"), "{error}");
            assert_eq!(error.position.byte, byte, "{stream:?}");
        }
    }

    #[test]
    fn a_byte_count_is_digits_and_nothing_else() {
        for count in [
            "",
            "-1",
            "+1",
            " 1",
            "1 ",
            "0x10",
            "18446744073709551616",
            "99999999999999999999999",
        ] {
            let error = message_of(format!("data {count}\nabc").as_bytes()).expect_err("refused");
            assert_eq!(error.position.byte, 5, "{count}");
        }
    }

    #[test]
    fn a_message_longer_than_is_kept_says_so() {
        for (length, cut) in [(MAX_MESSAGE_LEN, false), (MAX_MESSAGE_LEN + 1, true), (300_000, true)] {
            let stream = [format!("data {length}\n").into_bytes(), vec![b'm'; length]].concat();
            let (message, _) = message_of(&stream).expect("a whole message");
            assert_eq!(message.bytes.len(), length.min(MAX_MESSAGE_LEN));
            assert_eq!(message.is_cut, cut);
        }
    }
}
