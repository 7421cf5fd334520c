//! The page of the proof: each claim of `lean/Claims.lean` with what it assumes, the code that relies on it, and the
//! check of the simulator or a test that looks for the same thing.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{Failure, house, rules};
use table::{Code, ROWS, Row};

/// The directories whose comments name claims.
const RELYING: &[&str] = &["engine/src", "model/src", "sim/src"];

/// A claim as it stands in `Claims.lean`.
#[derive(Debug, PartialEq, Eq)]
struct Claim {
    subject: String,
    name: String,
    words: String,
}

/// The page, or what is wrong with the table or the names.
pub fn page() -> Result<String, Failure> {
    let text = read(&house().join("lean/Claims.lean"))?;
    let claims = claims(&text);
    let places = places()?;
    let findings = findings(&claims, &places)?;
    if !findings.is_empty() {
        return Err(findings.join("\n"));
    }
    Ok(written(&claims, &places))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The claims of the file, in its order: a comment of documentation, then `def Claim_x : Prop`.
fn claims(text: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    let (mut subject, mut words) = (String::new(), String::new());
    let mut rest = text;
    while let Some(at) = rest.find(['/', 'd']) {
        rest = &rest[at..];
        if let Some(heading) = rest.strip_prefix("/-! ## ") {
            subject = heading.split(" -/").next().unwrap_or("").to_string();
            rest = &heading[subject.len()..];
        } else if let Some(comment) = rest.strip_prefix("/-- ") {
            let body = comment.split("-/").next().unwrap_or("");
            words = body.split_whitespace().collect::<Vec<_>>().join(" ");
            rest = &comment[body.len()..];
        } else if let Some(name) = rest.strip_prefix("def Claim_") {
            let name = name.split([' ', ':', '\n']).next().unwrap_or("").to_string();
            claims.push(Claim {
                subject: subject.clone(),
                name,
                words: std::mem::take(&mut words),
            });
            rest = &rest["def Claim_".len()..];
        } else {
            rest = &rest[1..];
        }
    }
    claims
}

/// Where each claim is named: the files, without `Claim_`.
fn places() -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open: Vec<_> = RELYING.iter().map(|part| house().join(part)).collect();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let file = path.strip_prefix(house()).unwrap_or(&path).display().to_string();
                for name in named(&read(&path)?) {
                    places.entry(name.to_string()).or_default().insert(file.clone());
                }
            }
        }
    }
    Ok(places)
}

/// The names behind `Claim_` in a text.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split("Claim_").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// The row of a claim: the one with the longest name that its name begins with.
fn row(claim: &str) -> Option<&'static Row> {
    let fitting = ROWS.iter().filter(|row| claim.starts_with(row.claims));
    fitting.max_by_key(|row| row.claims.len())
}

fn in_engine(places: &BTreeMap<String, BTreeSet<String>>, claim: &str) -> bool {
    places
        .get(claim)
        .is_some_and(|files| files.iter().any(|file| file.starts_with("engine/")))
}

fn findings(claims: &[Claim], places: &BTreeMap<String, BTreeSet<String>>) -> Result<Vec<String>, Failure> {
    let mut findings = Vec::new();
    let index = rules::index()?;
    let ids: BTreeSet<&str> = index.rows().map(|row| row.id.as_str()).collect();
    for claim in claims {
        let name = &claim.name;
        if claim.words.is_empty() {
            findings.push(format!("Claim_{name} has no words"));
        }
        match row(name).map(|row| row.code) {
            None => findings.push(format!("Claim_{name} has no row in xtask/src/proof/table.rs")),
            Some(Code::Named) if !in_engine(places, name) => {
                findings.push(format!("no comment of engine/src names Claim_{name}"));
            }
            Some(Code::NotYet(_)) if in_engine(places, name) => {
                findings.push(format!("Claim_{name} is \"not yet\" and the engine names it"));
            }
            Some(_) => {}
        }
    }
    for (name, files) in places {
        if !claims.iter().any(|claim| claim.name == *name) {
            let files: Vec<_> = files.iter().map(String::as_str).collect();
            findings.push(format!("Claim_{name} is no claim; named by {}", files.join(", ")));
        }
    }
    for row in ROWS {
        if !claims.iter().any(|claim| claim.name.starts_with(row.claims)) {
            findings.push(format!("the row {} of the table fits no claim", row.claims));
        }
        for (file, function) in row.checks {
            if !read(&house().join(file))?.contains(&format!("fn {function}")) {
                findings.push(format!("the row {}: {file} has no `{function}`", row.claims));
            }
        }
        // The server's rules are not in the index before their families are here.
        let server = ids.iter().any(|id| id.starts_with("S-"));
        for id in row.rules {
            if !ids.contains(id) && (server || !id.starts_with("S-")) {
                findings.push(format!("the row {}: there is no rule {id}", row.claims));
            }
        }
    }
    Ok(findings)
}

fn written(claims: &[Claim], places: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut page = String::from(
        "# What is proved\n\n\
         Each claim of [`lean/Claims.lean`](../lean/Claims.lean): its words, what it assumes beside the definitions in\n\
         `lean/Model/`, the code that relies on it, and what looks for the same thing in the running engine or model. Made\n\
         by `just docs`; a name that stands in one place only fails the check. `Claim_x` is proved by the theorem `x`.\n",
    );
    let mut subject = "";
    for claim in claims {
        let Some(row) = row(&claim.name) else { continue };
        if claim.subject != subject {
            subject = &claim.subject;
            let _ = write!(page, "\n## {subject}\n");
        }
        let _ = write!(page, "\n### `{}`\n\n{}\n\n", claim.name, claim.words);
        let _ = writeln!(page, "- Assumes: {}.", row.assumes);
        let files: Vec<_> = places
            .get(&claim.name)
            .into_iter()
            .flatten()
            .map(|file| format!("`{file}`"))
            .collect();
        let code = match row.code {
            Code::Named => files.join(", "),
            Code::NotYet(why) if files.is_empty() => format!("not yet: {why}"),
            Code::NotYet(why) => format!("{}; in the engine not yet: {why}", files.join(", ")),
        };
        let _ = writeln!(page, "- Code: {code}.");
        let checks = row
            .checks
            .iter()
            .map(|(file, function)| format!("`{function}` in `{file}`"));
        let _ = writeln!(page, "- Checked by: {}.", checks.collect::<Vec<_>>().join(", "));
        if !row.rules.is_empty() {
            let _ = writeln!(page, "- Rules: {}.", row.rules.join(", "));
        }
    }
    let _ = write!(page, "\n{} claims.\n", claims.len());
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_read_with_its_words_and_its_subject() {
        let text = "import A\n/-! ## 9 Locks -/\n\n/-- One\n    two. -/\ndef Claim_locks_x : Prop :=\n  True\n";
        let expected = Claim {
            subject: "9 Locks".into(),
            name: "locks_x".into(),
            words: "One two.".into(),
        };
        assert_eq!(claims(text), [expected]);
    }

    #[test]
    fn a_name_ends_where_its_letters_end() {
        let names: Vec<_> = named("// Lean: Claim_a_b, Claim_c.").collect();
        assert_eq!(names, ["a_b", "c"]);
    }

    #[test]
    fn the_longest_name_decides_which_row_a_claim_has() {
        for row in ROWS {
            assert_eq!(super::row(row.claims).map(|found| found.claims), Some(row.claims));
        }
        assert!(super::row("").is_none());
    }

    #[test]
    fn a_name_that_stands_in_one_place_only_is_found() {
        let claim = |name: &str| Claim {
            subject: String::new(),
            name: name.into(),
            words: "w".into(),
        };
        let claims = [claim("nobody_wrote_a_row"), claim("locks_nobody_relies_on_this")];
        let places = BTreeMap::from([("gone".to_string(), BTreeSet::from(["engine/src/x.rs".to_string()]))]);
        let text = findings(&claims, &places).unwrap().join("\n");
        assert!(text.contains("Claim_nobody_wrote_a_row has no row"));
        assert!(text.contains("no comment of engine/src names Claim_locks_nobody_relies_on_this"));
        assert!(text.contains("Claim_gone is no claim"));
    }
}
