//! The text file `graven.store`: what tells a directory apart as a store (F-0.8).
//!
//! Two lines, each ended by a line feed: `graven 1`, then `namespace AB`, or `namespace` alone where the namespace
//! is empty. It is written when the store is created and never changed, so it is read strictly: any other byte is
//! refused, and a higher version is told apart from damage.

pub use super::identity::Namespace;

/// The file's name in the store's directory.
pub const STORE_FILE: &str = "graven.store";
/// The version that this crate writes and reads.
pub const STORE_VERSION: u32 = 1;
/// The longest `graven.store` that is read; longer is refused unread.
pub const STORE_FILE_MAX_LEN: usize = 64;
/// The directory of the workflow root inside a store.
pub const WORKFLOW_DIRECTORY: &str = "workflow";
/// The directory of the object root inside a store.
pub const OBJECTS_DIRECTORY: &str = "objects";

const MAGIC: &str = "graven ";
const NAMESPACE: &str = "namespace";

/// Why a `graven.store` file was not understood (F-0.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFileError {
    /// It is not a store file, or a damaged one; the text says what was expected.
    Damaged(&'static str),
    /// A store of a later version.
    Version(u32),
}

/// The bytes of a store file of this version.
pub fn print(namespace: Namespace) -> Vec<u8> {
    let mut text = format!("{MAGIC}{STORE_VERSION}\n{NAMESPACE}");
    if !namespace.as_str().is_empty() {
        text.push(' ');
        text.push_str(namespace.as_str());
    }
    text.push('\n');
    text.into_bytes()
}

/// Reads the bytes of a store file. A canonical version above [`STORE_VERSION`] is [`StoreFileError::Version`],
/// whatever follows it.
pub fn parse(bytes: &[u8]) -> Result<Namespace, StoreFileError> {
    let damaged = StoreFileError::Damaged;
    let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8 text"))?;
    let (first, rest) = text.split_once('\n').ok_or(damaged("its first line has no end"))?;
    let version = first
        .strip_prefix(MAGIC)
        .ok_or(damaged("its first line is not `graven 1`"))?;
    let found: u32 = version.parse().map_err(|_| damaged("its first line has no version"))?;
    if found.to_string() != version || found == 0 {
        return Err(damaged("its version is not a canonical number"));
    }
    if found > STORE_VERSION {
        return Err(StoreFileError::Version(found));
    }
    let second = rest.strip_suffix('\n').ok_or(damaged("its second line has no end"))?;
    let named = second
        .strip_prefix(NAMESPACE)
        .ok_or(damaged("its second line is not `namespace AB`"))?;
    if named.is_empty() {
        return Ok(Namespace::EMPTY);
    }
    let name = named
        .strip_prefix(' ')
        .ok_or(damaged("its second line is not `namespace AB`"))?;
    match Namespace::parse(name) {
        Some(namespace) if !name.is_empty() => Ok(namespace),
        _ => Err(damaged("its namespace is not one or two of A-Z and 0-9 (F-0.6)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_namespace_that_is_printed_reads_back_the_same() {
        for text in ["", "A", "9", "AB", "Z0"] {
            let namespace = Namespace::parse(text).unwrap();
            assert_eq!(parse(&print(namespace)), Ok(namespace), "{text}");
            assert_eq!(namespace.as_str(), text);
        }
    }

    #[test]
    fn a_namespace_with_other_bytes_is_refused_f_0_6() {
        for text in ["a", "ABC", "A ", "Ä", "-", "\n"] {
            assert_eq!(Namespace::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_higher_version_is_told_apart_from_damage_f_0_8() {
        assert_eq!(parse(b"graven 2\nanything else"), Err(StoreFileError::Version(2)));
        assert_eq!(parse(b"graven 4294967295\n"), Err(StoreFileError::Version(u32::MAX)));
    }

    #[test]
    fn any_other_byte_is_damage_f_0_8() {
        for bytes in [
            &b""[..],
            b"graven 1",
            b"graven 1\n",
            b"graven 0\nnamespace\n",
            b"graven 01\nnamespace\n",
            b"graven +1\nnamespace\n",
            b"graven 4294967296\nnamespace\n",
            b"graven 1\nnamespace",
            b"graven 1\nnamespace \n",
            b"graven 1\nnamespace ab\n",
            b"graven 1\nnamespaceAB\n",
            b"graven 1\nnamespace AB\n\n",
            b"graven 1\r\nnamespace AB\r\n",
            b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"graven 1\nnamespace \xff\xff\n",
        ] {
            assert!(matches!(parse(bytes), Err(StoreFileError::Damaged(_))), "{bytes:?}");
        }
    }
}
