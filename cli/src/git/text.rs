//! Messages: from the bytes of a stream to the text that is stored.

use super::stream::Message;

/// A message as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text; empty where there is none.
    pub text: String,
    /// Whether bytes that could not be decoded became U+FFFD.
    pub is_replaced: bool,
    /// Whether its end is missing.
    pub is_cut: bool,
}

/// Names of ISO-8859-1, lower case.
const LATIN_1: &[&str] = &[
    "iso-8859-1",
    "iso8859-1",
    "iso_8859-1",
    "iso88591",
    "latin-1",
    "latin1",
    "l1",
];

/// Decodes a message by its `encoding` header and cuts it at a character so that it has at most `limit` bytes.
///
/// Latin-1 and UTF-8 (also without a header) are decoded; of anything else what happens to be UTF-8 is kept.
pub fn decode(message: &Message, encoding: Option<&[u8]>, limit: usize) -> Text {
    let is_latin_1 = encoding.is_some_and(|name| {
        let name = String::from_utf8_lossy(name).trim().to_ascii_lowercase();
        LATIN_1.contains(&name.as_str())
    });
    let mut text = Text {
        text: String::new(),
        is_replaced: false,
        is_cut: message.is_cut,
    };
    if is_latin_1 {
        text.push(message.bytes.iter().map(|byte| char::from(*byte)), limit);
        return text;
    }
    let mut chunks = message.bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        if !text.push(chunk.valid().chars(), limit) {
            break;
        }
        // A character that the kept part of a longer message ends in is no bad character.
        let is_split = message.is_cut && chunks.peek().is_none();
        if !chunk.invalid().is_empty() && !is_split {
            if !text.push([char::REPLACEMENT_CHARACTER], limit) {
                break;
            }
            text.is_replaced = true;
        }
    }
    text
}

impl Text {
    /// Appends characters as long as they fit; false where one did not.
    fn push(&mut self, characters: impl IntoIterator<Item = char>, limit: usize) -> bool {
        for character in characters {
            if self.text.len() + character.len_utf8() > limit {
                self.is_cut = true;
                return false;
            }
            self.text.push(character);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], encoding: Option<&str>, limit: usize) -> (String, bool, bool) {
        let message = Message {
            bytes: bytes.to_vec(),
            is_cut: false,
        };
        let text = decode(&message, encoding.map(str::as_bytes), limit);
        (text.text, text.is_replaced, text.is_cut)
    }

    #[test]
    fn latin_1_and_utf_8_are_decoded_and_the_rest_is_replaced() {
        for (bytes, encoding, text, is_replaced) in [
            (&b"gr\xc3\xbcn\n"[..], None, "grün\n", false),
            (b"gr\xc3\xbcn", Some("UTF-8"), "grün", false),
            (b"gr\xfcn", Some("ISO-8859-1"), "grün", false),
            (b"gr\xfcn", Some("latin1"), "grün", false),
            (b"gr\xfcn", None, "gr\u{fffd}n", true),
            (b"gr\xfcn", Some("windows-1252"), "gr\u{fffd}n", true),
            (b"plain", Some("EUC-JP"), "plain", false),
            (b"", None, "", false),
            (b"\xe2\x82", None, "\u{fffd}", true),
        ] {
            assert_eq!(
                decoded(bytes, encoding, 100),
                (text.to_owned(), is_replaced, false),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn a_message_is_cut_at_a_character() {
        assert_eq!(decoded("aü€".as_bytes(), None, 6), ("aü€".to_owned(), false, false));
        assert_eq!(decoded("aü€".as_bytes(), None, 5), ("aü".to_owned(), false, true));
        assert_eq!(decoded("aü€".as_bytes(), None, 2), ("a".to_owned(), false, true));
        assert_eq!(decoded(b"a\xff\xff", None, 4), ("a\u{fffd}".to_owned(), true, true));
        assert_eq!(
            decoded(b"\xe4\xe4\xe4", Some("latin1"), 5),
            ("ää".to_owned(), false, true)
        );
    }

    #[test]
    fn a_character_split_by_the_readers_bound_is_not_counted_as_bad() {
        let message = Message {
            bytes: b"a\xe2\x82".to_vec(),
            is_cut: true,
        };
        let text = decode(&message, None, 100);
        assert_eq!((text.text.as_str(), text.is_replaced, text.is_cut), ("a", false, true));
    }
}
