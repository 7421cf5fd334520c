//! What a Rust file holds for the index of rules: its tests, and its text outside of tests.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// One file, with the parts that only tests are built from.
pub struct Source {
    text: String,
    /// The text with a blank for every byte of a comment, a string or a character.
    code: String,
}

/// One test.
pub struct Test<'s> {
    pub name: &'s str,
    /// Its comments, attributes, name and body.
    pub text: &'s str,
}

impl Source {
    pub fn new(text: String) -> Self {
        let code = blanked(&text);
        Self { text, code }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The functions with `#[test]`, and the laws of a `laws!` list, which makes a test of each.
    pub fn tests(&self) -> Vec<Test<'_>> {
        let attributed = positions(&self.code, "#[test]").filter_map(|at| {
            let keyword = at + self.code[at..].find("fn ")?;
            self.test(at, keyword)
        });
        let laws = self.laws().into_iter().filter_map(|name| {
            let keyword = positions(&self.code, &format!("fn {name}")).next()?;
            self.test(keyword, keyword)
        });
        attributed.chain(laws).collect()
    }

    /// The test whose first known byte is at `at` and whose `fn` is at `keyword`.
    fn test(&self, at: usize, keyword: usize) -> Option<Test<'_>> {
        let name = keyword + "fn ".len();
        let len = self.code[name..].bytes().take_while(|byte| is_of_name(*byte)).count();
        let body = self.braces(name)?;
        let whole = self.above(at)..body.end;
        (len > 0).then(|| Test {
            name: &self.text[name..name + len],
            text: &self.text[whole],
        })
    }

    /// The names in this file's `laws!` list.
    fn laws(&self) -> Vec<&str> {
        let Some((_, list)) = self.code.split_once("laws!(") else {
            return Vec::new();
        };
        list.split(')')
            .next()
            .unwrap_or("")
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|name| !name.is_empty())
            .collect()
    }

    /// The next pair of braces after `at`, with what stands between.
    fn braces(&self, at: usize) -> Option<Range<usize>> {
        let start = at + self.code[at..].find('{')?;
        let mut depth = 0_usize;
        for (offset, byte) in self.code[start..].bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(start..start + offset + 1);
            }
        }
        None
    }

    /// Where the comments and attributes directly above the item at `at` begin.
    fn above(&self, at: usize) -> usize {
        let mut start = line_start(&self.text, at);
        while start > 0 {
            let line = line_start(&self.text, start - 1);
            let code = self.code[line..start].trim_end();
            if self.text[line..start].trim().is_empty() || code.ends_with(['{', '}', ';']) {
                break;
            }
            start = line;
        }
        start
    }

    /// The text without the items under `#[cfg(test)]` and without tests.
    pub fn text_outside_tests(&self) -> String {
        let mut text = self.text.clone();
        let items = positions(&self.code, "#[cfg(test)]").filter_map(|at| Some(at..self.braces(at)?.end));
        let of_modules = items.filter(|item| !self.code[item.clone()].split('{').next().unwrap_or("").contains(';'));
        let tests = positions(&self.code, "#[test]").filter_map(|at| Some(self.above(at)..self.braces(at)?.end));
        for range in of_modules.chain(tests) {
            let blank = blank(&self.text[range.clone()]);
            text.replace_range(range, &blank);
        }
        text
    }

    /// Files and directories that only tests are built from: this file, at `path`, declares them under `#[cfg(test)]`.
    pub fn test_modules(&self, path: &Path) -> Vec<PathBuf> {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        let base = match stem {
            "mod" | "lib" | "main" => path.parent().unwrap_or(path).to_path_buf(),
            _ => path.with_extension(""),
        };
        let declared = positions(&self.code, "#[cfg(test)]").filter_map(|at| {
            let item = self.code[at + "#[cfg(test)]".len()..].split([';', '{']).next()?;
            let whole = at + "#[cfg(test)]".len() + item.len();
            let name = item.split_whitespace().skip_while(|word| *word != "mod").nth(1)?;
            (self.code.as_bytes().get(whole) == Some(&b';')).then_some(name)
        });
        declared
            .flat_map(|name| [base.join(name), base.join(format!("{name}.rs"))])
            .collect()
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where `word` stands in `code`, not as the beginning of a longer name.
fn positions<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(word).map(|(at, _)| at).filter(|at| {
        let after = code.as_bytes().get(at + word.len());
        !(is_of_name(*word.as_bytes().last().unwrap_or(&b' ')) && after.is_some_and(|byte| is_of_name(*byte)))
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// As many bytes of blanks, with the line feeds kept.
fn blank(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect()
}

/// `text` with blanks for comments, strings and characters: braces and words in them are no code.
fn blanked(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let in_name = before.is_alphanumeric() || before == '_';
        let opaque = opaque_len(rest, in_name);
        let len = opaque.unwrap_or(first.len_utf8());
        let (piece, tail) = rest.split_at(len);
        if opaque.is_some() || !first.is_ascii() {
            code.push_str(&blank(piece));
        } else {
            code.push(first);
        }
        before = first;
        rest = tail;
    }
    code
}

/// How many bytes a comment, a string or a character at the start of `rest` takes; `None` for code.
fn opaque_len(rest: &str, in_name: bool) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_len(rest));
    }
    let prefix = match rest.as_bytes() {
        _ if in_name => 0,
        [b'b' | b'c', b'r', ..] => 2,
        [b'r' | b'b' | b'c', ..] => 1,
        _ => 0,
    };
    let (marks, quoted) = rest.split_at(prefix);
    if marks.ends_with('r') {
        let hashes = quoted.bytes().take_while(|byte| *byte == b'#').count();
        let opened = quoted[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = opened.find(&close).map_or(opened.len(), |at| at + close.len());
        return Some(prefix + hashes + 1 + end);
    }
    match quoted.chars().next()? {
        '"' => Some(prefix + quoted_len(quoted, '"')),
        '\'' => character_len(quoted).map(|len| prefix + len),
        _ => None,
    }
}

fn block_comment_len(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    let bytes = rest.as_bytes();
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a quoted text with its quotes; a backslash takes the next character with it.
fn quoted_len(text: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; `None` for a lifetime.
fn character_len(text: &str) -> Option<usize> {
    let mut inner = text.chars().skip(1);
    match (inner.next()?, inner.next()?) {
        ('\\', _) => Some(quoted_len(text, '\'')),
        (character, '\'') => Some(character.len_utf8() + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r##"//! A file (F-1).
/// Doc of the code, W-TASK-01.
fn code() { let brace = '{'; let text = "}"; let raw = r#"}"}"#; }

#[cfg(test)]
mod fixtures;

#[cfg(test)]
mod tests {
    // W-TASK-02: inside the module, above no test.

    /// Breaks W-TASK-03.
    #[test]
    #[ignore = "slow }"]
    fn w_task_04_first<'a>() {
        /* } /* nested W-TASK-05 */ */
        let b = b'}'; let escaped = '\''; // W-TASK-06
    }

    proptest! {
        // W-TASK-07
        #[test]
        fn second(x in 0..3) { if x > 1 { code(); } }
    }

    fn helper() { /* W-TASK-08 */ }
}

fn more_code() {} // W-TASK-09
"##;

    #[test]
    fn a_test_is_its_comments_its_name_and_its_body() {
        let source = Source::new(FILE.to_string());
        let tests = source.tests();
        let names: Vec<&str> = tests.iter().map(|test| test.name).collect();
        assert_eq!(names, ["w_task_04_first", "second"]);
        let ids: Vec<Vec<&str>> = tests.iter().map(|test| super::super::ids::in_text(test.text)).collect();
        assert_eq!(ids, [vec!["W-TASK-03", "W-TASK-05", "W-TASK-06"], vec!["W-TASK-07"]]);
    }

    #[test]
    fn what_stands_under_cfg_test_is_no_place_of_the_code() {
        let outside = Source::new(FILE.to_string()).text_outside_tests();
        assert_eq!(super::super::ids::in_text(&outside), ["F-1", "W-TASK-01", "W-TASK-09"]);
        assert_eq!(outside.lines().count(), FILE.lines().count());
    }

    #[test]
    fn files_that_are_declared_under_cfg_test_are_tests_as_a_whole() {
        let source = Source::new(FILE.to_string());
        let of = |path: &str| source.test_modules(Path::new(path));
        assert_eq!(
            of("a/tags/mod.rs"),
            [Path::new("a/tags/fixtures"), Path::new("a/tags/fixtures.rs")]
        );
        assert_eq!(
            of("a/tag.rs"),
            [Path::new("a/tag/fixtures"), Path::new("a/tag/fixtures.rs")]
        );
    }

    #[test]
    fn a_law_in_the_list_is_a_test() {
        let text = "use crate::laws;\n\ncrate::laws!(\n    one,\n);\n\n/// F-1.\npub fn one(bytes: &[u8]) {\n    read(bytes);\n}\n\nfn two() {}\n";
        let source = Source::new(text.to_string());
        let tests = source.tests();
        assert_eq!(tests.len(), 1);
        assert_eq!(
            (tests[0].name, super::super::ids::in_text(tests[0].text)),
            ("one", vec!["F-1"])
        );
    }

    #[test]
    fn every_file_of_the_project_has_its_braces_in_pairs_once_texts_are_blank() {
        for path in super::super::rust_files(&["engine", "cli", "model", "sim", "fuzz"]).expect("the files") {
            let source = Source::new(std::fs::read_to_string(&path).expect("a file"));
            let count = |byte: u8| source.code.bytes().filter(|other| *other == byte).count();
            assert_eq!(count(b'{'), count(b'}'), "{}", path.display());
            assert_eq!(source.code.len(), source.text.len(), "{}", path.display());
        }
    }
}
