//! Every text of the project speaks of the project alone: no machine's paths, no registry hosts, no unfinished work.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Failure, house};

/// What no text may contain, each with the reason. Written in two halves so that this file passes its own check.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("/wo", "rk/", "a path of some machine"),
    ("/tmp/", "brief", "a path of some machine"),
    ("/tmp/", "wt/", "a path of some machine"),
    ("/root", "/", "a path of some machine"),
    ("/home", "/", "a path of some machine"),
    ("../sha", "red", "a path outside the project"),
    ("crates", ".io/", "a registry host"),
    ("index.crates", ".io", "a registry host"),
    ("static.crates", ".io", "a registry host"),
    ("pypi", ".org", "a registry host"),
    ("pythonhosted", ".org", "a registry host"),
    ("debian", ".org", "a registry host"),
    ("npmjs", ".org", "a registry host"),
    ("todo", "!(", "unfinished work"),
    ("unimplemented", "!(", "unfinished work"),
    ("TO", "DO", "unfinished work"),
    ("FIX", "ME", "unfinished work"),
];

/// Files whose bytes other tools write or whose text is not ours.
const EXEMPT: &[&str] = &["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"];

pub fn run() -> Result<String, Failure> {
    let root = house();
    let files = tracked(&root)?;
    let mut findings = Vec::new();
    let mut texts = 0_usize;
    for name in files.iter().filter(|name| !EXEMPT.contains(&name.as_str())) {
        // A file that git knows and the work tree lacks is being deleted; bytes that are no text are golden files.
        let Ok(bytes) = fs::read(root.join(name)) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        texts += 1;
        findings.extend(check(name, &text));
        findings.extend(dead_links(&root, name, &text));
    }
    if texts == 0 {
        return Err("no text found; is this a git work tree?".to_string());
    }
    if findings.is_empty() {
        Ok(format!("{texts} texts, nothing forbidden"))
    } else {
        Err(findings.join("\n"))
    }
}

fn check(name: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for (head, tail, why) in FORBIDDEN {
            if line.contains(&format!("{head}{tail}")) {
                findings.push(format!("{name}:{}: {why}: {}", at + 1, line.trim()));
            }
        }
    }
    let is_rust = Path::new(name).extension().is_some_and(|extension| extension == "rs");
    let opening = text.lines().find(|line| !line.starts_with("#!["));
    if is_rust && !opening.is_some_and(|line| line.starts_with("//!")) {
        findings.push(format!(
            "{name}:1: does not open with a sentence (`//!`) of what lives here"
        ));
    }
    findings
}

/// Links of a page to files that are not there.
fn dead_links(root: &Path, name: &str, text: &str) -> Vec<String> {
    let is_page = Path::new(name).extension().is_some_and(|extension| extension == "md");
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next());
    let local = links.filter(|link| is_page && !link.is_empty() && !link.contains("://"));
    let base = root.join(name).parent().map(Path::to_path_buf).unwrap_or_default();
    local
        .filter(|link| !base.join(link).exists())
        .map(|link| format!("{name}: links to {link}, which is not there"))
        .collect()
}

fn tracked(root: &Path) -> Result<Vec<String>, Failure> {
    let listing = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if !listing.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listing.stderr)));
    }
    Ok(listing
        .stdout
        .split(|byte| *byte == 0)
        .filter_map(|name| str::from_utf8(name).ok())
        .map(str::to_string)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_forbidden_text_is_found_and_its_line_named() {
        for (head, tail, _) in FORBIDDEN {
            let findings = check("docs/page.md", &format!("fine\nsee {head}{tail} there\n"));
            assert!(
                findings.iter().any(|finding| finding.starts_with("docs/page.md:2: ")),
                "{head}{tail}"
            );
        }
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_is_found() {
        let text = "[a](Cargo.toml) [b](nowhere.md#part) [c](https://example.org/x) [d](#part)";
        assert_eq!(
            dead_links(&house(), "README.md", text),
            ["README.md: links to nowhere.md, which is not there"]
        );
        assert_eq!(dead_links(&house(), "engine/src/lib.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_rust_file_without_an_opening_sentence_is_found() {
        assert_eq!(check("a.rs", "use std::fs;\n").len(), 1);
        assert_eq!(
            check("a.rs", "#![no_main]\n//! What lives here.\n"),
            Vec::<String>::new()
        );
        assert_eq!(check("a.md", "use std::fs;\n"), Vec::<String>::new());
    }
}
