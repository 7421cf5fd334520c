//! What a name inside a directory may be: one component, nothing that leads anywhere else.

use std::io;

/// Refuses with `InvalidInput` what is not a single component: an empty name, `.`, `..`, and names with `/` or NUL.
pub(super) fn check_name(name: &[u8]) -> io::Result<()> {
    let reason = match name {
        [] => "an empty name",
        b"." | b".." => "a name that leads to another directory",
        _ if name.contains(&b'/') => "a name with a slash",
        _ if name.contains(&0) => "a name with a NUL byte",
        _ => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn only_single_components_are_names() {
        for bad in [&b""[..], b".", b"..", b"/", b"a/b", b"/a", b"a/", b"a\0", b"\0"] {
            let error = check_name(bad).expect_err("a name that is not one component");
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{bad:?}");
        }
        for good in [&b"a"[..], b"...", b".a", b"a..", b"\xff", b" "] {
            check_name(good).expect("a single component");
        }
    }
}
