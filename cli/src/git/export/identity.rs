//! Who an exported history is by.

use std::fmt;
use std::str::FromStr;

/// `Name <mail>`, as git takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(String);

/// An identity that git would not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an identity is `Name <mail>`, without line feed, NUL, and other `<` or `>`")]
pub struct BadIdentity;

impl Default for Identity {
    /// `Graven <graven@localhost>`
    fn default() -> Self {
        Self("Graven <graven@localhost>".to_owned())
    }
}

impl FromStr for Identity {
    type Err = BadIdentity;

    fn from_str(text: &str) -> Result<Self, BadIdentity> {
        let text = text.trim();
        let (name, mail) = text
            .strip_suffix('>')
            .and_then(|text| text.split_once('<'))
            .ok_or(BadIdentity)?;
        if text.contains(['\n', '\0']) || mail.contains(['<', '>']) || name.contains('>') {
            return Err(BadIdentity);
        }
        match name.trim() {
            "" => Ok(Self(format!("<{mail}>"))),
            name => Ok(Self(format!("{name} <{mail}>"))),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_a_name_and_a_mail() {
        for (text, wanted) in [
            ("A U Thor <a@b>", "A U Thor <a@b>"),
            (" A  <a@b> ", "A <a@b>"),
            ("A<>", "A <>"),
            ("<a@b>", "<a@b>"),
        ] {
            assert_eq!(
                text.parse::<Identity>().map(|identity| identity.to_string()),
                Ok(wanted.to_owned())
            );
        }
        for text in [
            "", "A", "A <a", "A a>", "A <a> x", "A <a<b>", "A > <b>", "A\n<b>", "A <b\0>",
        ] {
            assert_eq!(text.parse::<Identity>(), Err(BadIdentity), "{text:?}");
        }
        assert_eq!(Identity::default().to_string().parse(), Ok(Identity::default()));
    }
}
