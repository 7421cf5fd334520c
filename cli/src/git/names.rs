//! Which names can be git refs, and which can be side by side.

use std::collections::BTreeSet;

/// Bytes that no git ref name holds, beside control characters.
const FORBIDDEN: &[u8] = b" ~^:?*[\\\x7f";

/// What keeps `name` (without `refs/heads/` or `refs/tags/`) from being a git ref, if anything does.
pub fn problem(name: &str) -> Option<&'static str> {
    let bytes = name.as_bytes();
    if bytes.iter().any(|byte| *byte < 0x20 || FORBIDDEN.contains(byte)) {
        return Some("it holds a space, a control character or one of ~^:?*[\\");
    }
    if name.contains("..") {
        return Some("it holds `..`");
    }
    if name.contains("@{") {
        return Some("it holds `@{`");
    }
    if name.ends_with('.') {
        return Some("it ends with a dot");
    }
    for part in name.split('/') {
        if part.is_empty() {
            return Some("a part between slashes is empty");
        }
        if part.starts_with('.') {
            return Some("a part begins with a dot");
        }
        if part.as_bytes().ends_with(b".lock") {
            return Some("a part ends with `.lock`");
        }
    }
    None
}

/// Pairs of names of which one would have to be a file and a directory at once in git's store: `a` and `a/b`.
pub fn conflicts<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<(&'n str, &'n str)> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let mut pairs = Vec::new();
    for name in &names {
        for (slash, _) in name.match_indices('/') {
            let above = name.get(..slash).unwrap_or_default();
            if let Some(above) = names.get(above) {
                pairs.push((*above, *name));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_refuses_have_a_problem() {
        for name in [
            "", "a b", "a..b", "a.", ".a", "a/.b", "a//b", "/a", "a/", "a.lock", "a.lock/b", "a~", "a^", "a:b", "a?",
            "a*", "a[", "a\\b", "a\tb", "a\x7f", "a@{b", "a\nb",
        ] {
            assert!(problem(name).is_some(), "{name:?}");
        }
        for name in ["a", "a/b", "@", "-a", "ä/ö", "a.b", "a.lockx", "HEAD", "a@b", "a{b"] {
            assert_eq!(problem(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_name_below_another_conflicts_with_it() {
        assert_eq!(
            conflicts(["a/b", "a", "a-b", "ab/c", "x/y/z", "x"]),
            [("a", "a/b"), ("x", "x/y/z")]
        );
        assert!(conflicts(["a/b", "a/c", "ab"]).is_empty());
    }
}
