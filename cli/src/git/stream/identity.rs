//! `author`, `committer` and `tagger` lines: of all they say, only the time is kept.

use super::error::{Position, StreamError};

/// The seconds of `Name <mail> SECONDS ZONE`, which stands at `position`.
///
/// The raw date format only. The mail ends at the last `>`, since old tools wrote names and mails that hold more of them; the zone must look
/// like one, whatever its value.
pub(super) fn time_of(identity: &[u8], position: Position) -> Result<i128, StreamError> {
    let refuse = |what: &str| StreamError::refused(position, what, identity);
    let end = identity
        .iter()
        .rposition(|byte| *byte == b'>')
        .ok_or_else(|| refuse("an identity has no `>`"))?;
    if !identity[..end].contains(&b'<') {
        return Err(refuse("an identity has no `<`"));
    }
    let date = identity[end + 1..]
        .strip_prefix(b" ")
        .ok_or_else(|| refuse("an identity has no time"))?;
    let space = date.iter().position(|byte| *byte == b' ').unwrap_or(date.len());
    let seconds =
        parse_signed(&date[..space]).ok_or_else(|| refuse("a time is not whole seconds (date format `raw`)"))?;
    let zone = date.get(space + 1..).unwrap_or_default();
    let is_zone = matches!(zone.split_first(), Some((b'+' | b'-', digits))
        if (1..=10).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit));
    if !is_zone {
        return Err(refuse("a time has no zone (date format `raw`)"));
    }
    Ok(seconds)
}

/// Up to twenty digits with an optional minus; the value fits in 64 bits.
fn parse_signed(text: &[u8]) -> Option<i128> {
    match text.strip_prefix(b"-") {
        Some(digits) => super::data::parse_decimal(digits).map(|value| -i128::from(value)),
        None => super::data::parse_decimal(text).map(i128::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_an_identity_is_read() {
        for (identity, seconds) in [
            (&b"A U Thor <a@b> 1537727414 -0700"[..], 1_537_727_414),
            (b"<a@b> 0 +0000", 0),
            (b"A <a> -5 +0000", -5),
            (b"A <a <b> c> 7 +051800", 7),
            (b"\xff\xfe <> 18446744073709551615 +0000", 18_446_744_073_709_551_615),
        ] {
            assert_eq!(time_of(identity, Position::START).expect("an identity"), seconds);
        }
    }

    #[test]
    fn an_identity_without_a_raw_time_is_refused() {
        for identity in [
            &b""[..],
            b"A",
            b"A <a>",
            b"A <a> ",
            b"A <a>1 +0000",
            b"A a> 1 +0000",
            b"A <a> now",
            b"A <a> 1",
            b"A <a> 1 0000",
            b"A <a> 1 +",
            b"A <a> 1 +00x0",
            b"A <a> Thu, 1 Jan 1970 00:00:00 +0000",
            b"A <a> 18446744073709551616 +0000",
            b"A <a> 1 +0000 ",
        ] {
            assert!(time_of(identity, Position::START).is_err(), "{identity:?}");
        }
    }
}
