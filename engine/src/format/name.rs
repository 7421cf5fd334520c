//! Names of Lines and Tags: non-empty UTF-8, trimmed by writers, exact bytes for readers.

use std::fmt;

use super::error::{DecodeError, Problem};
use super::tolerance::{Reading, ToleranceId, Tolerated};

/// The longest Line or Tag name a writer may give, in bytes (assigned by us; F-2.4, F-2.6).
///
/// Snapshots repeat their Line's name beside the message, so a name must leave room there.
pub const MAX_NAME_LEN: usize = 4096;

/// Declares a name type; Lines and Tags have names with the same face.
macro_rules! names {
    ($name:ident, $of:literal, $record:literal, $field:literal, $rule:literal, $long:ident, $untrimmed:ident) => {
        #[doc = concat!("The name of a ", $of, ": non-empty UTF-8, compared by its exact bytes.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'a>(&'a str);

        impl<'a> $name<'a> {
            /// The name a writer gives: ASCII white space around `text` is dropped first.
            ///
            /// # Errors
            #[doc = concat!("`", $rule, "` where nothing is left, or where more than [`MAX_NAME_LEN`] bytes are.")]
            pub fn new(text: &'a str) -> Result<Self, DecodeError> {
                let reading = Self::read(text.trim_ascii().as_bytes())?;
                if reading.tolerated.contains(ToleranceId::$long) {
                    let found = reading.value.0.len() as u64;
                    let problem = Problem::TooLong {
                        limit: MAX_NAME_LEN as u64,
                        found,
                    };
                    return Err(DecodeError::new($record, $field, $rule, problem));
                }
                Ok(reading.value)
            }

            /// The name a reader finds: the exact bytes.
            ///
            /// # Errors
            #[doc = concat!("`", $rule, "` for an empty name and for bytes that are not UTF-8.")]
            pub fn read(bytes: &'a [u8]) -> Result<Reading<Self>, DecodeError> {
                let text = utf8($record, $field, $rule, bytes)?;
                if text.is_empty() {
                    return Err(DecodeError::because($record, $field, $rule, "the name is empty"));
                }
                let mut tolerated = Tolerated::NONE;
                if text.trim_ascii().len() != text.len() {
                    tolerated.add(ToleranceId::$untrimmed);
                }
                if text.len() > MAX_NAME_LEN {
                    tolerated.add(ToleranceId::$long);
                }
                Ok(Reading {
                    value: Self(text),
                    tolerated,
                })
            }

            /// The name as text.
            pub const fn as_str(self) -> &'a str {
                self.0
            }
        }

        impl AsRef<str> for $name<'_> {
            fn as_ref(&self) -> &str {
                self.0
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

names!(
    LineName,
    "Line",
    "LineName",
    "line_name",
    "W-CHANGE-61",
    LineNameLong,
    LineNameUntrimmed
);
names!(
    TagName,
    "Tag",
    "TagPayload",
    "tag_name",
    "W-TAG-03",
    TagNameLong,
    TagNameUntrimmed
);

/// Bytes that must be UTF-8, as text.
pub(super) fn utf8<'a>(
    record: &'static str,
    field: &'static str,
    rule: &'static str,
    bytes: &'a [u8],
) -> Result<&'a str, DecodeError> {
    str::from_utf8(bytes).map_err(|_| DecodeError::because(record, field, rule, "the bytes are not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_change_61_writers_drop_ascii_white_space_around_a_line_name_and_nothing_else() {
        assert_eq!(
            LineName::new(" \t\r\nmain\u{a0} \x0c").map(LineName::as_str),
            Ok("main\u{a0}")
        );
        assert_eq!(LineName::new("a  B").map(LineName::as_str), Ok("a  B"));
    }

    #[test]
    fn w_change_61_readers_take_the_exact_bytes_and_report_the_white_space() {
        let reading = LineName::read(b" main").unwrap();
        assert_eq!(reading.value.as_str(), " main");
        assert!(reading.tolerated.contains(ToleranceId::LineNameUntrimmed));
        assert!(LineName::read(b"main").unwrap().tolerated.is_empty());
    }

    #[test]
    fn w_tag_03_a_tag_name_is_neither_empty_nor_other_than_utf_8() {
        assert_eq!(TagName::new(" ").map_err(|e| e.rule), Err("W-TAG-03"));
        assert_eq!(TagName::read(b"").map_err(|e| e.rule), Err("W-TAG-03"));
        assert_eq!(TagName::read(b"v\xff1").map_err(|e| e.rule), Err("W-TAG-03"));
        assert!(
            TagName::read(b"v1 ")
                .unwrap()
                .tolerated
                .contains(ToleranceId::TagNameUntrimmed)
        );
    }

    #[test]
    fn f_2_4_f_2_6_writers_stop_at_4096_bytes_and_readers_do_not() {
        let fits = "x".repeat(MAX_NAME_LEN);
        let long = "x".repeat(MAX_NAME_LEN + 1);
        assert!(LineName::new(&fits).is_ok() && TagName::new(&fits).is_ok());
        assert!(LineName::new(&long).is_err() && TagName::new(&long).is_err());
        assert!(
            LineName::read(long.as_bytes())
                .unwrap()
                .tolerated
                .contains(ToleranceId::LineNameLong)
        );
        assert!(
            TagName::read(long.as_bytes())
                .unwrap()
                .tolerated
                .contains(ToleranceId::TagNameLong)
        );
    }
}
