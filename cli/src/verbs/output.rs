//! How an answer reaches the caller: JSON or text on standard output, everything for people on standard error,
//! control characters of stored text escaped, colours only on a terminal.

use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Write};

use serde::Serialize;
use serde_json::{Map, Value};

/// The version of the shape of every JSON answer.
pub const JSON_FORMAT: u32 = 1;

/// Where a verb's answer goes.
pub struct Output {
    out: BufWriter<Handed>,
    json: bool,
    colours: bool,
}

/// Standard output, and whether anything was handed to it.
struct Handed {
    stdout: io::Stdout,
    any: bool,
}

impl Write for Handed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stdout.write(bytes)?;
        self.any |= written > 0;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// How a line for people is coloured on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// An identity.
    Yellow,
    /// An error, or something that goes.
    Red,
    /// Something that comes.
    Green,
}

impl Output {
    /// Answers on standard output: as JSON where `json` is set.
    pub fn new(json: bool) -> Self {
        let stdout = io::stdout();
        let colours = !json && stdout.is_terminal();
        Self {
            out: BufWriter::new(Handed { stdout, any: false }),
            json,
            colours,
        }
    }

    /// Whether the answer is JSON.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Writes one line for people; nothing where the answer is JSON.
    pub fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// `text` in `colour` on a terminal, as it is elsewhere.
    pub fn paint(&self, colour: Colour, text: &str) -> String {
        if !self.colours {
            return text.to_owned();
        }
        let code = match colour {
            Colour::Red => 31,
            Colour::Green => 32,
            Colour::Yellow => 33,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Writes raw bytes (a file's content, a hex dump).
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes one whole JSON answer with its `format`; nothing where the answer is text.
    pub fn answer(&mut self, answer: &impl Serialize) -> io::Result<()> {
        if !self.json {
            return Ok(());
        }
        let mut object = Map::new();
        object.insert("format".to_owned(), JSON_FORMAT.into());
        match serde_json::to_value(answer)? {
            Value::Object(fields) => object.extend(fields),
            other => {
                object.insert("answer".to_owned(), other);
            }
        }
        serde_json::to_writer_pretty(&mut self.out, &object)?;
        self.out.write_all(b"\n")
    }

    /// Starts a JSON answer whose items are written as they come, so that no answer has to fit into memory.
    pub fn begin_items(&mut self, kind: &str) -> io::Result<Items<'_>> {
        if self.json {
            let kind = serde_json::to_string(kind)?;
            write!(self.out, "{{\"format\":{JSON_FORMAT},\"kind\":{kind},\"items\":[")?;
        }
        Ok(Items {
            output: self,
            first: true,
        })
    }

    /// Hands everything to the operating system.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends an answer that failed: lines for people that came before are told, a JSON answer that is not complete is
    /// dropped. `true` where standard output is JSON and still empty.
    pub fn abandon(mut self) -> io::Result<bool> {
        if !self.json {
            self.out.flush()?;
            return Ok(false);
        }
        let (handed, _) = self.out.into_parts();
        Ok(!handed.any)
    }
}

/// A list that is being answered item by item.
pub struct Items<'o> {
    output: &'o mut Output,
    first: bool,
}

impl Items<'_> {
    /// Writes one item: its JSON form, or the line for people.
    pub fn item(&mut self, json: &Value, text: impl FnOnce(&Output) -> String) -> io::Result<()> {
        if !self.output.json {
            let text = text(self.output);
            return self.output.line(text);
        }
        let start: &[u8] = if self.first { b"\n" } else { b",\n" };
        self.first = false;
        self.output.out.write_all(start)?;
        serde_json::to_writer(&mut self.output.out, json)?;
        Ok(())
    }

    /// Ends the list.
    pub fn end(self) -> io::Result<()> {
        if self.output.json {
            self.output.out.write_all(b"\n]}\n")?;
        }
        Ok(())
    }
}

/// A number with its noun, in the plural but for one.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// `text` with every control character as an escape, so that stored text cannot steer a terminal. A line feed is kept
/// where `lines` is set.
pub fn escaped(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && !(lines && character == '\n') || is_direction_override(character) {
            let _ = write!(out, "{}", character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// `bytes` as text: what is not UTF-8 as `\xNN`, control characters escaped.
pub fn escaped_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(&escaped(chunk.valid(), false));
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Characters that reorder the text around them: shown as they are they would let a name look like another.
fn is_direction_override(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_text_cannot_steer_a_terminal() {
        assert_eq!(
            escaped("a\u{1b}[31mb\r\n\u{9b}c", false),
            "a\\u{1b}[31mb\\u{d}\\u{a}\\u{9b}c"
        );
        assert_eq!(escaped("two\nlines\t", true), "two\nlines\\u{9}");
        assert_eq!(escaped("\u{202e}exe.txt", false), "\\u{202e}exe.txt");
    }

    #[test]
    fn bytes_that_are_not_text_are_shown_one_by_one() {
        assert_eq!(escaped_bytes(b"a\xffb\x07"), "a\\xffb\\u{7}");
    }
}
