//! Laws of the git stream parser: total on any bytes, and blind to how the bytes arrive.

use std::io::{self, Read};

use graven_cli::git::stream::{Event, Parser};

crate::laws!(a_stream_of_any_bytes_is_read_or_refused);

/// Gives one byte at a time, and interrupts now and then.
struct Dripping<'a> {
    bytes: &'a [u8],
    turn: u8,
}

impl Read for Dripping<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(7) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match (self.bytes.split_first(), out.first_mut()) {
            (Some((byte, rest)), Some(slot)) => {
                *slot = *byte;
                self.bytes = rest;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

/// What a parser says of a stream: its events, the contents behind them, and how it ended.
fn transcript(mut parser: Parser<impl Read>, most_events: usize) -> Vec<String> {
    let mut said = Vec::new();
    loop {
        assert!(said.len() <= most_events, "more events than the stream has bytes");
        match parser.next_event() {
            Ok(event) => {
                let mut content = Vec::new();
                let read = parser.content().read_to_end(&mut content);
                let failure = parser.failure().map(|error| error.to_string());
                said.push(format!("{event:?} {content:?} {:?} {failure:?}", read.is_ok()));
                if matches!(event, Event::End { .. }) {
                    return said;
                }
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.len() < 2_000, "a message quotes too much: {} bytes", text.len());
                assert!(
                    !text.chars().any(char::is_control),
                    "a message has control characters: {text:?}"
                );
                said.push(text);
                return said;
            }
        }
    }
}

/// Any bytes are read to their end or refused with a short message; a reader that gives one byte at a time changes
/// nothing of it.
pub fn a_stream_of_any_bytes_is_read_or_refused(bytes: &[u8]) {
    let whole = transcript(Parser::new(bytes), bytes.len() + 1);
    let dripped = transcript(Parser::new(Dripping { bytes, turn: 0 }), bytes.len() + 1);
    assert_eq!(whole, dripped);
}
