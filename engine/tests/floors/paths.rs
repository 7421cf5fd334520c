//! Reads the `crate::` and `super::` paths out of Rust source text, with the line each stands on.

/// One path, resolved to segments below the crate's root.
#[derive(Debug)]
pub struct Reference {
    /// The line it starts on, from 1.
    pub line: usize,
    /// Its segments below the crate's root; empty where the root itself is named.
    pub target: Vec<String>,
}

/// The module that a source file (path below `src/`) holds.
pub fn module_of(file: &str) -> Vec<String> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let mut module: Vec<String> = stem.split('/').map(str::to_string).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// Every path in `text`, the source of `module`, that starts at `crate` or leaves its module by `super`.
pub fn references(text: &str, module: &[String]) -> Vec<Reference> {
    let tokens = tokens(text);
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "{" => {
                depth += 1;
                if at >= 2 && is(&tokens, at - 2, "mod") {
                    inline.push((tokens[at - 1].text.clone(), depth));
                }
            }
            "}" => {
                inline.retain(|(_, opened)| *opened != depth);
                depth = depth.saturating_sub(1);
            }
            "crate" | "super" if !restricts_visibility(&tokens, at) && !continues_a_path(&tokens, at) => {
                let mut base: Vec<String> = Vec::new();
                if token.text == "super" {
                    base.extend(module.iter().cloned());
                    base.extend(inline.iter().map(|(name, _)| name.clone()));
                }
                at = read_tree(&tokens, at, &mut base, &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads one use tree that starts at `at`, adds its leaves to `found` and answers where it ends.
fn read_tree(tokens: &[Token], mut at: usize, base: &mut Vec<String>, found: &mut Vec<Reference>) -> usize {
    let line = tokens.get(at).map_or(0, |token| token.line);
    loop {
        match tokens.get(at).map(|token| token.text.as_str()) {
            Some("crate") => base.clear(),
            Some("super") => drop(base.pop()),
            Some("self" | "*") => {}
            Some("{") => {
                at += 1;
                while !is(tokens, at, "}") && at < tokens.len() {
                    let before = at;
                    at = read_tree(tokens, at, &mut base.clone(), found);
                    while !is(tokens, at, ",") && !is(tokens, at, "}") && at < tokens.len() {
                        at += 1;
                    }
                    if is(tokens, at, ",") {
                        at += 1;
                    }
                    at = at.max(before + 1);
                }
                return at + 1;
            }
            Some(name) if is_name(name) => base.push(name.to_string()),
            _ => break,
        }
        at += 1;
        if !is(tokens, at, "::") {
            break;
        }
        at += 1;
    }
    found.push(Reference {
        line,
        target: base.clone(),
    });
    at
}

/// `pub(crate)` and `pub(super)` name no path.
fn restricts_visibility(tokens: &[Token], at: usize) -> bool {
    at >= 2 && is(tokens, at - 2, "pub") && is(tokens, at - 1, "(") && is(tokens, at + 1, ")")
}

fn continues_a_path(tokens: &[Token], at: usize) -> bool {
    at >= 2 && is(tokens, at - 1, "::") && is_name(&tokens[at - 2].text)
}

fn is(tokens: &[Token], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

struct Token {
    line: usize,
    text: String,
}

/// The source as names and marks, without comments, string and character literals.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&c) = chars.get(at) {
        let end = match (c, chars.get(at + 1)) {
            ('/', Some('/')) => line_end(&chars, at),
            ('/', Some('*')) => block_comment_end(&chars, at),
            ('"', _) => string_end(&chars, at + 1),
            ('\'', _) => quote_end(&chars, at),
            (':', Some(':')) => {
                tokens.push(Token {
                    line,
                    text: "::".to_string(),
                });
                at + 2
            }
            _ if c.is_alphanumeric() || c == '_' => {
                let end = name_end(&chars, at);
                let name: String = chars[at..end].iter().collect();
                match (name.as_str(), chars.get(end)) {
                    ("r" | "br" | "cr", Some('"' | '#')) => match raw_string_end(&chars, end) {
                        Some(end) => end,
                        // A raw name such as `r#face`: its mark is skipped, the name itself is read next.
                        None => end + 1,
                    },
                    ("b" | "c", Some('"')) => string_end(&chars, end + 1),
                    _ => {
                        tokens.push(Token { line, text: name });
                        end
                    }
                }
            }
            _ => {
                if !c.is_whitespace() {
                    tokens.push(Token {
                        line,
                        text: c.to_string(),
                    });
                }
                at + 1
            }
        };
        line += chars[at..end.min(chars.len())].iter().filter(|c| **c == '\n').count();
        at = end;
    }
    tokens
}

fn line_end(chars: &[char], at: usize) -> usize {
    chars[at..]
        .iter()
        .position(|c| *c == '\n')
        .map_or(chars.len(), |length| at + length)
}

fn name_end(chars: &[char], at: usize) -> usize {
    let more = chars[at..].iter().position(|c| !(c.is_alphanumeric() || *c == '_'));
    more.map_or(chars.len(), |length| at + length)
}

fn block_comment_end(chars: &[char], at: usize) -> usize {
    let (mut depth, mut at) = (0_usize, at);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while let Some(&c) = chars.get(at) {
        at += if c == '\\' { 2 } else { 1 };
        if c == '"' {
            break;
        }
    }
    at
}

/// Where a raw string whose hashes or quote start at `at` ends; `None` if it is no string.
fn raw_string_end(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
    if chars.get(at + hashes) != Some(&'"') {
        return None;
    }
    let mut at = at + hashes + 1;
    while at < chars.len() {
        if chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// A character literal is skipped whole; of a lifetime only the quote and its name.
fn quote_end(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => {
            let rest = chars.get(at + 3..).unwrap_or_default();
            rest.iter()
                .position(|c| *c == '\'')
                .map_or(chars.len(), |length| at + 4 + length)
        }
        (Some(_), Some('\'')) => at + 3,
        _ => name_end(chars, at + 1),
    }
}
